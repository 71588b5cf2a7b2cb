//! Rules.

use pocketron::{
    error::ConfigError,
    label::Sign,
    persist::Blank,
    rule::{
        Alma, Always, Balanced, ClassFactors, Evaluated, F1, Factor, Factors, MarginRule,
        PassiveAggressive, PerClass, Rule, Shrinking, Soft, Step, UnitSteps,
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
}

persist_inside!(PlainRule, UnitSteps Margin Always PassiveAggressive Shrinking);

/// Factors of a class in place of the common ones.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum AnyFactors {
    Factors(Factors),
    Balanced(Balanced),
    F1(F1),
}

persist_inside!(AnyFactors, Factors Balanced F1);

impl AnyFactors {
    /// The factors of that shape, without values yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.name.as_str() {
            "factors" => AnyFactors::Factors(Factors::BLANK),
            "balanced" => AnyFactors::Balanced(Balanced::BLANK),
            "f1" => AnyFactors::F1(F1::BLANK),
            _ => return Err(shape.unknown("factors of classes")),
        })
    }
}

impl ClassFactors for AnyFactors {
    fn observe(&mut self, label: Sign) -> Factor {
        match self {
            AnyFactors::Factors(factors) => factors.observe(label),
            AnyFactors::Balanced(factors) => factors.observe(label),
            AnyFactors::F1(factors) => factors.observe(label),
        }
    }

    fn check(&self) -> Result<(), ConfigError> {
        match self {
            AnyFactors::Factors(factors) => factors.check(),
            AnyFactors::Balanced(factors) => factors.check(),
            AnyFactors::F1(factors) => factors.check(),
        }
    }

    fn restart(&mut self) {
        match self {
            AnyFactors::Factors(factors) => factors.restart(),
            AnyFactors::Balanced(factors) => factors.restart(),
            AnyFactors::F1(factors) => factors.restart(),
        }
    }
}

/// Any rule.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum AnyRule {
    Plain(PlainRule),
    Alma(Alma),
    Soft(Soft<PlainRule>),
    PerClass(PerClass<PlainRule, AnyFactors>),
}

persist_inside!(AnyRule, Plain Alma Soft PerClass);

impl PlainRule {
    /// The rule of that shape, without parameters yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.pattern() {
            ("unit-steps", []) => PlainRule::UnitSteps(UnitSteps),
            ("margin", []) => PlainRule::Margin(MarginRule::BLANK),
            ("always", []) => PlainRule::Always(Always),
            ("passive-aggressive", []) => PlainRule::PassiveAggressive(PassiveAggressive::BLANK),
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
            ("per-class", [inner, factors]) => AnyRule::PerClass(PerClass::with_factors(
                PlainRule::of(inner)?,
                AnyFactors::of(factors)?,
            )),
            _ => AnyRule::Plain(PlainRule::of(shape)?),
        })
    }
}

macro_rules! rule_inside {
    ($choice:ty, $($variant:ident)*) => {
        impl Rule for $choice {
            fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
                match self { $( Self::$variant(rule) => rule.step(example), )* }
            }

            fn restart(&mut self) {
                match self { $( Self::$variant(rule) => rule.restart(), )* }
            }

            fn check(&self) -> Result<(), ConfigError> {
                match self { $( Self::$variant(rule) => rule.check(), )* }
            }
        }
    };
}

rule_inside!(PlainRule, UnitSteps Margin Always PassiveAggressive Shrinking);
rule_inside!(AnyRule, Plain Alma Soft PerClass);
