//! A class that holds few slots keeps them.

use super::{
    Admission, Candidate, Policy, Ranking,
    merging::{Choice, Merges, admit},
};
use crate::{
    label::Sign,
    memory::{Blank, FeatureIn, Memory, Ready},
    number::{Coefficient, Rank as _},
    support::SupportSet,
};

/// Merging that leaves the vectors of a class alone while it holds at most a quarter of the slots,
/// `max(1, B / 4)`, and the other class holds more.
///
/// The weakest vector is often a new one of the rare class, which [merging](super::Merging) then gives up: it is dropped, or
/// wears its enemies down. With the quota the common class pays for its own newcomers. How much that is worth depends on the
/// stream, and is little where it was measured. It needs no memory: members are counted when the set is full.
///
/// ```
/// use pocketron::{budget::Quota, memory::Inline, prelude::*};
///
/// type Model<P> = KernelPerceptron<Gaussian, P, Inline<1, 8>, MarginRule>;
/// fn rare<P: pocketron::budget::Policy<Gaussian, Inline<1, 8>> + Ready>() -> Option<usize> {
///     let rule = MarginRule::new(1.0).with_margin(1.0);
///     let mut model = Model::<P>::with_rule(Gaussian::constant(4.0), rule);
///     for n in 0..400_u16 {
///         let rare = n % 40 == 0;
///         let label = if rare { Sign::Pos } else { Sign::Neg };
///         let x = if rare { 5.1 } else { f32::from(n % 11) };
///         model.learn(&[x], label).ok()?;
///     }
///     Some(model.support().coefficients().filter(|alpha| *alpha > 0.0).count())
/// }
/// # use pocketron::{budget::{Merging, MergingAny}, memory::Ready};
/// assert!(rare::<Quota<MergingAny>>() > rare::<MergingAny>());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Quota<P> {
    inner: P,
}

impl<P> Quota<P> {
    /// Around a policy that merges.
    pub const fn new(inner: P) -> Self {
        Quota { inner }
    }

    pub(crate) const fn inner_mut(&mut self) -> &mut P {
        &mut self.inner
    }
}

impl<P: Blank> Blank for Quota<P> {
    const BLANK: Self = Quota::new(P::BLANK);
}

impl<P: Ready> Ready for Quota<P> {}

/// Those of a class that holds more than a quarter of the slots.
struct Few;

impl Choice for Few {
    type Spared = Option<Sign>;

    fn weakest<S: Coefficient>(
        stored: impl Iterator<Item = S> + Clone,
        slots: usize,
    ) -> (usize, Option<Sign>) {
        let spared = few(stored.clone(), slots);
        let mut weakest = None;
        for (position, stored) in stored.enumerate() {
            let size = stored.size();
            let free = !Self::is_spared(spared, stored);
            if free && weakest.is_none_or(|(_, least)| size.is_less(least)) {
                weakest = Some((position, size));
            }
        }
        (weakest.map_or(0, |(position, _)| position), spared)
    }

    #[inline]
    fn is_spared<S: Coefficient>(spared: Option<Sign>, stored: S) -> bool {
        spared.is_some() && stored.sign() == spared
    }
}

/// The class with at most a quarter of the slots, if the other has more.
fn few<S: Coefficient>(stored: impl Iterator<Item = S>, slots: usize) -> Option<Sign> {
    let quota = (slots / 4).max(1);
    let (mut pos, mut neg) = (0, 0);
    for stored in stored {
        match stored.sign() {
            Some(Sign::Pos) => pos += 1,
            Some(Sign::Neg) => neg += 1,
            None => {}
        }
    }
    match (pos <= quota, neg <= quota) {
        (true, false) => Some(Sign::Pos),
        (false, true) => Some(Sign::Neg),
        _ => None,
    }
}

impl<P, K, M> Policy<K, M> for Quota<P>
where
    P: Merges,
    K: Ranking<FeatureIn<M>>,
    M: Memory,
{
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &Candidate<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if P::ANY {
            admit::<K, M, true, Few>(kernel, set, candidate, coefficient)
        } else {
            admit::<K, M, false, Few>(kernel, set, candidate, coefficient)
        }
    }
}

crate::image::persist!([P: crate::image::Persist] Quota<P> as "quota" { inner });
