//! Inputs unlike what was taught.

use pocketron::{
    error::InputError, label::Class, prelude::*, signal::Teachable, wrap::ExemplarReplay,
};
use pocketron_testkit::data::shuffle::SplitMix64;

use crate::streams::{C, D, Model, blocks, example, normal, taught, teach};

/// Percent of new examples of the classes that are called known.
fn known(model: &Model, offset: [f32; D]) -> usize {
    let mut rng = SplitMix64::new(31);
    let is_known = |class: u8| {
        let mut x = example(&mut rng, class % 4, 1.0);
        x.iter_mut()
            .zip(offset)
            .for_each(|(x, offset)| *x += offset);
        model.is_known(&x) == Ok(Some(true))
    };
    (0..100).map(is_known).filter(|known| *known).count()
}

#[test]
fn nothing_is_said_before_the_first_rehearsal() {
    let mut model = Model::new();
    assert_eq!(model.is_known(&[0.0; D]), Ok(None));
    teach(&mut model, &blocks(1, &[0, 1], 20));
    assert_eq!(model.is_known(&[0.0; D]), Ok(None));
    model.rehearse(u16::MAX);
    assert!(matches!(model.is_known(&[0.0; D]), Ok(Some(_))));
    // Nor when nothing is left to compare with.
    model.forget(Class(0));
    model.forget(Class(1));
    assert_eq!(model.is_known(&[0.0; D]), Ok(None));
}

#[test]
fn what_was_taught_is_known_and_what_is_far_from_all_of_it_is_not() {
    let model = taught();
    assert!(known(&model, [0.0; D]) >= 85);
    let mut rng = SplitMix64::new(32);
    for _ in 0..200 {
        let direction = [0; D].map(|_| normal(&mut rng));
        let length = direction.iter().map(|x| x * x).sum::<f32>().sqrt();
        for far in [60.0, 1e4, 1e20, 1e38] {
            let x = direction.map(|x| x / length * far);
            assert_eq!(model.is_known(&x), Ok(Some(false)), "{x:?}");
        }
    }
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let refusal = model.is_known(&[0.0, 0.0, number]);
        assert_eq!(refusal, Err(InputError::NonFinite));
    }
}

/// One feature just below a power of two: what is stored ends there, what is asked does not.
#[test]
fn an_input_beyond_the_largest_example_is_as_far_as_it_is() {
    type One = ExemplarReplay<PocketronMulti<1, 8, 2>, 1, 2, 12, 4>;
    for scale in [1.0, -1.0, 1e-12, 1e12] {
        let mut model = One::new();
        let numbers = || (990..1024_u16).map(|x| scale * f32::from(x));
        for x in numbers().chain(numbers()) {
            model.learn(&[x], Class(0)).expect("a good example");
        }
        model.rehearse(u16::MAX);
        let known = numbers().filter(|x| model.is_known(&[*x]) == Ok(Some(true)));
        assert!(known.count() >= 25, "{scale}");
        for times in [1.1, 1.5, 2.0, 2.001, 3.0, 3.99, 4.0, 4.01, 100.0] {
            let x = [scale * 1023.0 * times];
            assert_eq!(model.is_known(&x), Ok(Some(false)), "{times} * {scale}");
        }
    }
}

#[test]
fn asking_changes_nothing() {
    let model = taught();
    let before = crate::kept::bytes_of(&model);
    for x in [[1e38; D], [0.0; D], [-1e-38; D]] {
        assert!(model.is_known(&x).is_ok());
    }
    assert!(crate::kept::bytes_of(&model) == before);
}

/// At every place of a block, also the first of all.
#[test]
fn an_outlier_leaves_known_inputs_known() {
    for place in [0, 1, 2, 7, 8, 30, 45] {
        for wild in [1e30, -1e30, 1e18] {
            let mut model = Model::new();
            let mut examples = blocks(33, &[0, 1, 2, 3], 20);
            let class = examples[place].1;
            examples.insert(place, ([wild, 3.0, wild], class));
            teach(&mut model, &examples);
            model.rehearse(u16::MAX);
            let known = known(&model, [0.0; D]);
            assert!(known >= 80, "{known} after {wild} at {place}");
            assert_eq!(model.is_known(&[200.0; D]), Ok(Some(false)));
        }
    }
}

/// One wild sample is in two windows that overlap; as large as it is, some digits of all others are left.
#[test]
fn outliers_in_a_row_leave_known_inputs_known() {
    for place in [0, 1, 2, 5, 8, 30, 45] {
        for power in [18, 20, 22, 60] {
            for count in [1, 2] {
                let mut model = Model::new();
                let mut examples = blocks(33, &[0, 1, 2, 3], 20);
                let class = examples[place].1;
                let wild = (1_u64 << power) as f32;
                for n in 0..count {
                    examples.insert(place, ([wild + n as f32, 3.0, 2.0 * wild], class));
                }
                teach(&mut model, &examples);
                model.rehearse(u16::MAX);
                let known = known(&model, [0.0; D]);
                assert!(known >= 75, "{known} after {count} of 2^{power} at {place}");
            }
        }
    }
}

/// Another range for good, such as other units, is no glitch.
#[test]
fn a_lasting_change_of_size_is_kept() {
    let mut model = Model::new();
    teach(&mut model, &blocks(36, &[0], 10));
    let mut large = blocks(37, &[1], 20);
    large.iter_mut().for_each(|(x, _)| x[2] *= 65_536.0);
    teach(&mut model, &large);
    assert_eq!(model.exemplars(Class(1)), crate::streams::K);
}

#[test]
fn what_is_forgotten_leaves_its_room_to_the_others() {
    let mut model = Model::new();
    let mut large = blocks(38, &[0], 12);
    large.iter_mut().for_each(|(x, _)| x[2] *= 500.0);
    teach(&mut model, &large);
    teach(&mut model, &blocks(39, &[1, 2], 20));
    model.forget(Class(0));
    let bytes = crate::kept::bytes_of(&model);
    let mut restored = Model::new();
    crate::kept::restore(&mut restored, &bytes).expect("its own image");
    // As fine as if the large ones had never been there.
    let mut fresh = Model::new();
    teach(&mut fresh, &blocks(40, &[1, 2], 20));
    for model in [&mut model, &mut restored, &mut fresh] {
        teach(model, &blocks(41, &[3], 20));
        model.rehearse(u16::MAX);
        let known = known(model, [0.0; D]);
        assert!(known >= 50, "{known}");
    }
    assert!(crate::kept::bytes_of(&model) == crate::kept::bytes_of(&restored));
}

#[test]
fn a_feature_far_from_zero_leaves_known_inputs_known() {
    for offset in [1e4, -1e5, 1e6] {
        let offset = [0.0, 0.0, offset];
        let mut model = Model::new();
        let mut examples = blocks(34, &[0, 1, 2, 3], 20);
        for (x, _) in &mut examples {
            x[2] += offset[2];
        }
        teach(&mut model, &examples);
        model.rehearse(u16::MAX);
        let known = known(&model, offset);
        assert!(known >= 80, "{known} at {offset:?}");
        // Seen by the other features, and by this one.
        for far in [[80.0, 0.0, 0.0], [0.0, -80.0, 0.0], [0.0, 0.0, 1000.0]] {
            let x = [far[0], far[1], far[2] + offset[2]];
            assert_eq!(model.is_known(&x), Ok(Some(false)), "{x:?}");
        }
    }
}

#[test]
fn its_answer_is_that_of_the_wrapper_around_it() {
    let mut model = Teachable::<D, 20, C>::new();
    teach(&mut model, &blocks(1, &[0, 1, 2, 3], 20));
    while pocketron::classifier::RemoteModel::rehearse_steps(&mut model, 1) != Ok(0) {}
    let mut rng = SplitMix64::new(35);
    for n in 0..200 {
        let x = example(&mut rng, n % 4, 4.0);
        let answer = model.answer(&x).expect("a good input");
        assert_eq!(model.learner().is_known(&x), Ok(Some(answer.known)));
        assert!((0.0..=1.0).contains(&answer.probability));
    }
}
