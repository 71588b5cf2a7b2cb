//! Coefficients stay bounded, however many labels are wrong.

use pocketron::{label::Class, prelude::*, rule::F1};

use crate::streams::{CLASSES, D, mixed, quadrants};

const EXAMPLES: usize = 200_000;

#[test]
fn coefficients_of_two_classes_stay_bounded() {
    fn check<L>(mut model: L, wrong: f32, largest: impl Fn(&L) -> f32)
    where
        L: OnlineClassifier<Input = [f32; D], Label = Sign>,
    {
        let mut most = 0.0_f32;
        for (n, (x, label)) in quadrants(1, EXAMPLES, wrong).iter().enumerate() {
            let outcome = model.learn(x, *label).expect("good");
            assert_eq!(outcome.warning, None, "{n}");
            assert!(outcome.score.is_finite());
            if n % 1000 == 0 {
                most = most.max(largest(&model));
            }
        }
        println!("{wrong}: at most {most}");
        assert!(most > 0.5 && most < 300.0, "{wrong}: {most}");
    }
    macro_rules! largest {
        () => {
            |model| {
                assert!(!model.is_saturated());
                let rows = model.vectors().rows().iter();
                rows.map(|row| row.coefficient(0).abs()).fold(0.0, f32::max)
            }
        };
    }
    check(Pocketron::<D, 32>::new(), 0.0, largest!());
    check(Pocketron::<D, 32>::new(), 0.3, largest!());
    check(Pocketron::<D, 4>::new(), 0.2, largest!());
    check(PocketronRare::<D, 32>::new(), 0.2, largest!());
    check(PocketronRare::<D, 32, F1>::new(), 0.2, largest!());
}

#[test]
fn coefficients_of_several_classes_stay_bounded() {
    let mut model = PocketronMulti::<D, 32, CLASSES>::new();
    let mut most = 0.0_f32;
    for (n, (x, class)) in mixed(1, EXAMPLES, 0.2).iter().enumerate() {
        let outcome = model.learn(x, *class).expect("good");
        assert_eq!(outcome.warning, None, "{n}");
        if n % 1000 == 0 {
            for row in model.vectors().rows() {
                let sizes = (0..CLASSES).map(|class| row.coefficient(class).abs());
                most = most.max(sizes.fold(0.0, f32::max));
            }
        }
    }
    println!("at most {most}");
    assert!(!model.is_saturated() && most < 300.0, "{most}");
    assert!(model.seen(Class(0)) > 20_000);
}
