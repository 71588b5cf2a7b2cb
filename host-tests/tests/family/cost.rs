//! The bytes of every part.

use pocketron::{
    history::Last,
    hypothesis::{Biased, Expansion, FixedRadius, LargestNorm, Linear, UpdateCounts},
    kernel::Gaussian,
    learners::perceptron::LinearPerceptron,
    rule::{Alma, MarginRule, Soft, UnitSteps},
    storage::Inline,
};

#[test]
fn the_parts_have_the_sizes_of_what_they_keep() {
    fn of<const D: usize, const B: usize, const N: usize>() {
        type Line<const D: usize> = Linear<[f32; D]>;
        type Sum<const D: usize, const B: usize> =
            Expansion<Gaussian, pocketron::budget::Stop, Inline<D, B>>;
        assert_eq!(size_of::<LinearPerceptron<D>>(), 4 * D);
        assert_eq!(size_of::<LinearPerceptron<D, UnitSteps, Last>>(), 4 * D);
        assert_eq!(
            size_of::<Biased<Line<D>, FixedRadius>>(),
            4 * D + 8,
            "bias and step"
        );
        assert_eq!(
            size_of::<Biased<Line<D>, LargestNorm>>(),
            4 * D + 8,
            "bias and largest norm"
        );
        assert_eq!(size_of::<Biased<Sum<D, B>>>(), size_of::<Sum<D, B>>() + 8);
        assert_eq!(size_of::<UpdateCounts<Line<D>, [u32; N]>>(), 4 * D + 4 * N);
        assert_eq!(align_of::<UpdateCounts<Biased<Line<D>>, [u32; N]>>(), 4);
    }
    of::<1, 1, 1>();
    of::<3, 7, 100>();
    of::<64, 33, 768>();
    assert_eq!(size_of::<UnitSteps>(), 0);
    assert_eq!((size_of::<MarginRule>(), size_of::<Alma>()), (12, 12));
    assert_eq!(
        size_of::<Soft<MarginRule>>(),
        12 + 8 + 4,
        "credit and bound"
    );
}
