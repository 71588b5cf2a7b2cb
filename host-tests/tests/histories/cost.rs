//! The bytes of every history.

use pocketron::{
    budget::NoBudget,
    history::{
        Averaged, History, Last, LongestSurvivor, Prefixes, RandomHypothesis, UnitNorm, Voted,
    },
    hypothesis::{Expansion, Hypothesis, Linear},
    kernel::Gaussian,
    learners::perceptron::{KernelPerceptron, Perceptron},
    rule::UnitSteps,
    storage::Inline,
};

/// What a history adds to a learner of `D` features and `B` slots.
#[test]
fn histories_have_the_sizes_that_their_documentation_states() {
    fn adds<H: Hypothesis, Y: History<H>>() -> usize {
        assert_eq!(align_of::<Perceptron<H, UnitSteps, Y>>(), 4);
        size_of::<Perceptron<H, UnitSteps, Y>>() - size_of::<Perceptron<H, UnitSteps, Last>>()
    }
    fn of<const D: usize, const B: usize>() {
        type Line<const D: usize> = Linear<[f32; D]>;
        type Sum<const D: usize, const B: usize> = Expansion<Gaussian, NoBudget, Inline<D, B>>;
        assert_eq!(
            size_of::<KernelPerceptron<Gaussian, NoBudget, Inline<D, B>>>(),
            B * (4 * D + 4) + 8
        );
        assert_eq!(size_of::<Last>(), 0, "costs nothing");
        assert_eq!(adds::<Sum<D, B>, Last<UnitNorm>>(), 4);
        // 4 bytes a slot, and the run of the present hypothesis.
        assert_eq!(
            adds::<Sum<D, B>, Voted<Prefixes<Inline<D, B>>>>(),
            4 * B + 4
        );
        assert_eq!(adds::<Sum<D, B>, Averaged<[f32; B]>>(), 4 * B + 4);
        assert_eq!(adds::<Sum<D, B>, Averaged<[f32; B], UnitNorm>>(), 4 * B + 8);
        // A number of vectors instead of a copy; with the option, the record and the run.
        assert_eq!(adds::<Sum<D, B>, LongestSurvivor<u32>>(), 4 + 4 + 8);
        assert_eq!(adds::<Sum<D, B>, RandomHypothesis<u32>>(), 4 + 4 + 16);
        // A copy of the weights, or their sum.
        assert_eq!(adds::<Line<D>, LongestSurvivor<[f32; D]>>(), 4 * D + 4 + 8);
        assert_eq!(
            adds::<Line<D>, RandomHypothesis<[f32; D]>>(),
            4 * D + 4 + 16
        );
        assert_eq!(adds::<Line<D>, Averaged<Option<[f32; D]>>>(), 4 * D + 4 + 4);
    }
    of::<1, 1>();
    of::<2, 20>();
    of::<13, 33>();
}
