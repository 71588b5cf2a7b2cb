//! Rules.

use pocketron::{
    error::ConfigError,
    memory::Blank,
    rule::{
        Alma, Always, MarginRule, Memoryless, PassiveAggressive, Rule, SelfTuned, SelfTunedBelow,
        Shrinking, Soft, Step, Trial, UnitSteps,
    },
};

use super::persist_inside;
use crate::model::{Shape, UnknownShape};

/// A rule that does not ask for steps already taken.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum PlainRule {
    UnitSteps(UnitSteps),
    Margin(MarginRule),
    Always(Always),
    PassiveAggressive(PassiveAggressive),
    Shrinking(Shrinking),
    SelfTuned(SelfTuned),
    SelfTunedBelow35(SelfTunedBelow<35>),
}

persist_inside!(PlainRule, UnitSteps Margin Always PassiveAggressive Shrinking SelfTuned SelfTunedBelow35);

/// Any rule.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum AnyRule {
    Plain(PlainRule),
    Alma(Alma),
    Soft(Soft<PlainRule>),
}

persist_inside!(AnyRule, Plain Alma Soft);

impl PlainRule {
    /// The rule of that shape, without parameters yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.pattern() {
            ("unit-steps", []) => PlainRule::UnitSteps(UnitSteps),
            ("margin", []) => PlainRule::Margin(MarginRule::BLANK),
            ("always", []) => PlainRule::Always(Always),
            ("passive-aggressive", []) => PlainRule::PassiveAggressive(PassiveAggressive::BLANK),
            ("self-tuned", []) => PlainRule::SelfTuned(SelfTuned::BLANK),
            ("self-tuned", [percent]) if percent.number() == Some(35) => {
                PlainRule::SelfTunedBelow35(SelfTunedBelow::BLANK)
            }
            ("shrinking", []) => PlainRule::Shrinking(Shrinking::BLANK),
            _ => return Err(shape.unknown("rule")),
        })
    }
}

impl AnyRule {
    /// The rule of that shape, without parameters yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.pattern() {
            ("alma", []) => AnyRule::Alma(Alma::BLANK),
            ("soft", [inner]) => AnyRule::Soft(Soft::new(PlainRule::of(inner)?)),
            _ => AnyRule::Plain(PlainRule::of(shape)?),
        })
    }
}

macro_rules! rule_inside {
    ($choice:ty, $($variant:ident)*) => {
        impl Rule for $choice {
            fn step(&mut self, trial: &Trial) -> Step {
                match self { $( Self::$variant(rule) => rule.step(trial), )* }
            }

            fn check(&self) -> Result<(), ConfigError> {
                match self { $( Self::$variant(rule) => rule.check(), )* }
            }
        }
    };
}

rule_inside!(PlainRule, UnitSteps Margin Always PassiveAggressive Shrinking SelfTuned SelfTunedBelow35);
rule_inside!(AnyRule, Plain Alma Soft);

impl Memoryless for PlainRule {}
