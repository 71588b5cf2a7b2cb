//! Policies that differ only in the slot they evict.

use pocketron::{
    budget::{
        Admission, ChangesOneSlot, EvaluatedIn, Guarantee, IgnoresCoefficients, NoBudget, Oldest,
        Policy, Random, Stop,
    },
    kernel::Uniform,
    persist::Blank,
    storage::{Memory, SupportSet},
};

use super::{persist_inside, restart_inside};
use crate::model::{Shape, UnknownShape};

/// A policy that looks at no coefficient and moves no point but the one it evicts.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum SlotPolicy {
    Stop(Stop),
    NoBudget(NoBudget),
    Random(Random),
    Oldest(Oldest),
}

persist_inside!(SlotPolicy, Stop NoBudget Random Oldest);
restart_inside!(SlotPolicy, Stop NoBudget Random Oldest);

impl SlotPolicy {
    /// The policy of that shape.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.to_string().as_str() {
            "stop" => SlotPolicy::Stop(Stop),
            "unbounded" => SlotPolicy::NoBudget(NoBudget),
            "random(xorshift)" => SlotPolicy::Random(Random::BLANK),
            "oldest" => SlotPolicy::Oldest(Oldest::BLANK),
            _ => return Err(shape.unknown("budget policy")),
        })
    }
}

/// None of them asks for more than to admit.
impl<K: Uniform, M: Memory> Policy<K, M> for SlotPolicy {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        match self {
            SlotPolicy::Stop(policy) => policy.admit(kernel, set, candidate, coefficient),
            SlotPolicy::NoBudget(policy) => policy.admit(kernel, set, candidate, coefficient),
            SlotPolicy::Random(policy) => policy.admit(kernel, set, candidate, coefficient),
            SlotPolicy::Oldest(policy) => policy.admit(kernel, set, candidate, coefficient),
        }
    }
}

impl Guarantee<ChangesOneSlot> for SlotPolicy {}
impl Guarantee<IgnoresCoefficients> for SlotPolicy {}
