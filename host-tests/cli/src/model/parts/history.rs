//! Histories of expansions.

use pocketron::{
    budget::{Admission, Policy},
    history::{Averaged, History, Last, Raw},
    hypothesis::Expansion,
    kernel::KernelIn,
    persist::Blank,
    storage::{EvaluatedIn, point::Feature},
};

use super::{persist_inside, restart_inside};
use crate::{
    heap::{Grown, Heap},
    model::{Shape, UnknownShape},
};

/// A history that goes with every budget policy.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum AnyHistory {
    Last(Last),
    AveragedFromZero(Averaged<Grown<f32>, Raw, 0>),
    AveragedFromOne(Averaged<Grown<f32>, Raw, 1>),
}

persist_inside!(AnyHistory, Last AveragedFromZero AveragedFromOne);
restart_inside!(AnyHistory, Last AveragedFromZero AveragedFromOne);

impl AnyHistory {
    /// The history of that shape, of nothing yet.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.to_string().as_str() {
            "last(raw)" => AnyHistory::Last(Last::BLANK),
            "averaged(0,raw)" => AnyHistory::AveragedFromZero(Averaged::BLANK),
            "averaged(1,raw)" => AnyHistory::AveragedFromOne(Averaged::BLANK),
            _ => return Err(shape.unknown("history")),
        })
    }
}

/// Calls a method of whichever history is inside.
macro_rules! inside {
    ($history:expr, $hypothesis:ty, $method:ident($($argument:expr),*)) => {
        match $history {
            AnyHistory::Last(own) => History::<$hypothesis>::$method(own, $($argument),*),
            AnyHistory::AveragedFromZero(own) => History::<$hypothesis>::$method(own, $($argument),*),
            AnyHistory::AveragedFromOne(own) => History::<$hypothesis>::$method(own, $($argument),*),
        }
    };
}

impl<K, P, F> History<Expansion<K, P, Heap<F>>> for AnyHistory
where
    K: KernelIn<F>,
    P: Policy<K, Heap<F>>,
    F: Feature,
{
    fn survived(&mut self) {
        inside!(self, Expansion<K, P, Heap<F>>, survived());
    }

    fn retiring(&mut self, hypothesis: &Expansion<K, P, Heap<F>>) {
        inside!(self, Expansion<K, P, Heap<F>>, retiring(hypothesis));
    }

    fn shrunk(&mut self, factor: f32) {
        inside!(self, Expansion<K, P, Heap<F>>, shrunk(factor));
    }

    fn moved(
        &mut self,
        hypothesis: &Expansion<K, P, Heap<F>>,
        example: &EvaluatedIn<'_, Heap<F>>,
        coefficient: f32,
        admission: Admission,
    ) {
        inside!(
            self,
            Expansion<K, P, Heap<F>>,
            moved(hypothesis, example, coefficient, admission)
        );
    }

    fn score(&self, hypothesis: &Expansion<K, P, Heap<F>>, x: &[F]) -> f32 {
        inside!(self, Expansion<K, P, Heap<F>>, score(hypothesis, x))
    }
}
