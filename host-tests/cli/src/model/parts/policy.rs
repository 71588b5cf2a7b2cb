//! Budget policies.

use pocketron::{
    budget::{
        Admission, Cacheable as _, Cached, ChangesOneSlot, Compensating, EvaluatedIn, Everything,
        FewestErrors, Forget, Guarantee, IgnoresCoefficients, LargestMargin, LeastLoss, Merging,
        NoBudget, Oldest, OnSupport, Policy, Projecting, ProjectingMargins, Random, Recomputed,
        Reservoir, Stop, WithIdentities,
    },
    kernel::Uniform,
    persist::Blank,
    storage::{Memory, SupportSet, point::Feature},
};

use super::{persist_inside, restart_inside};
use crate::{
    heap::Heap,
    model::{Shape, UnknownShape, binary::points},
};

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

/// Any policy, with its parameters or to be restored from an image.
///
/// The core decides by the type of a policy what it is told. So each becomes a learner of a type of its own: `keeping` and
/// `gaussian` in [`binary`](crate::model::binary).
pub enum AnyPolicy<F: Feature> {
    /// For every kernel.
    Keeping(KeepingPolicy<F>),
    /// For Gaussians only.
    Gaussian(GaussianPolicy<F>),
}

/// A policy for every kernel.
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum KeepingPolicy<F: Feature> {
    Slot(SlotPolicy),
    LargestMargin(LargestMargin<Heap<F>>),
    Forget(Forget),
    Compensating(Compensating),
    Recomputed(LeastLoss<Heap<F>, Recomputed>),
    Cached(LeastLoss<Heap<F>, Cached<Heap<F>>>),
    OnSupport(FewestErrors<OnSupport>),
    Reservoir(FewestErrors<Reservoir<Heap<F>>>),
    Everything(FewestErrors<Everything<Heap<F>>>),
    WithIdentities(WithIdentities<SlotPolicy, Heap<F>>),
    ProjectingForget(Projecting<Forget, Heap<F>>),
    Projecting(Projecting<SlotPolicy, Heap<F>>),
    ProjectingMargins(ProjectingMargins<SlotPolicy, Heap<F>>),
}

/// A policy that is for Gaussians.
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum GaussianPolicy<F: Feature> {
    Merging(Merging),
    /// Least loss with 16 bits for a similarity in its cache.
    HalfCached(LeastLoss<Heap<F>, Cached<Heap<F>, u16>>),
}

impl<F: Feature> AnyPolicy<F> {
    /// The policy of that shape. Parameters are blank, or some value in their domain: an image brings its own.
    pub fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        use KeepingPolicy as P;
        let unknown = || shape.unknown("budget policy");
        let tolerance = 1.0;
        Ok(AnyPolicy::Keeping(match shape.pattern() {
            ("merging", []) => return Ok(AnyPolicy::Gaussian(GaussianPolicy::Merging(Merging))),
            ("least-loss", [_, gram]) => match gram.name.as_str() {
                "recomputed" => P::Recomputed(LeastLoss::BLANK),
                "cached" => P::Cached(LeastLoss::BLANK),
                name if name == u16::CACHE => {
                    let policy = GaussianPolicy::HalfCached(LeastLoss::BLANK);
                    return Ok(AnyPolicy::Gaussian(policy));
                }
                _ => return Err(unknown()),
            },
            ("largest-margin", _) => P::LargestMargin(LargestMargin::BLANK),
            ("forget", _) => P::Forget(Forget::BLANK),
            ("compensating", _) => P::Compensating(Compensating),
            ("fewest-errors", [validation]) => match validation.pattern() {
                ("on-support", []) => P::OnSupport(FewestErrors::new(OnSupport)),
                ("reservoir", [sample]) => P::Reservoir(FewestErrors::new(Reservoir::with_points(
                    points(sample)?,
                    0,
                ))),
                ("everything", [reservoir]) => {
                    let [sample] = reservoir.parts.as_slice() else {
                        return Err(unknown());
                    };
                    P::Everything(FewestErrors::new(Everything::with_points(
                        points(sample)?,
                        0,
                    )))
                }
                _ => return Err(unknown()),
            },
            ("remembering", [inner]) => {
                P::WithIdentities(WithIdentities::new(SlotPolicy::of(inner)?))
            }
            ("projecting", [inner]) if inner.name == "forget" => {
                P::ProjectingForget(Projecting::BLANK)
            }
            ("projecting", [inner]) => {
                let policy = Projecting::new(SlotPolicy::of(inner)?, tolerance);
                P::Projecting(policy.map_err(|_| unknown())?)
            }
            ("projecting-margins", [projecting]) => {
                let [inner] = projecting.parts.as_slice() else {
                    return Err(unknown());
                };
                let policy = ProjectingMargins::new(SlotPolicy::of(inner)?, tolerance);
                P::ProjectingMargins(policy.map_err(|_| unknown())?)
            }
            _ => P::Slot(SlotPolicy::of(shape)?),
        }))
    }
}
