//! Every error: how it is provoked, and that it says what is wrong.

use std::collections::BTreeSet;

use pocketron::{
    budget::{Projecting, ProjectingMargins, Stop},
    error::{ConfigError, InputError},
    kernel::{Gaussian, Kernel, LinearKernel, Polynomial},
    label::Sign,
    learners::perceptron::LinearPerceptron,
    num::math::Precise,
    persist::Blank,
    prelude::*,
    rule::{LeastSquares, Rule},
    storage::Inline,
};
use pocketron_cli::learner::{self, Algorithm};

use crate::common::settings;

const NOT_A_NUMBER: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
const NEGATIVE: [f32; 3] = [-1.0, -1e-30, f32::MIN];
const ZERO: [f32; 2] = [0.0, -0.0];

/// The constructor takes what is positive and finite, and nothing else.
fn must_be_positive<T>(make: impl Fn(f32) -> Result<T, ConfigError>, error: ConfigError) {
    for bad in NOT_A_NUMBER.into_iter().chain(NEGATIVE).chain(ZERO) {
        assert_eq!(make(bad).err(), Some(error), "{bad}");
    }
    for good in [1e-20, 0.5, 1.0, 1e9] {
        assert!(make(good).is_ok(), "{good}: {error}");
    }
}

/// The constructor takes what is positive and at most 1e28, and nothing else.
fn must_be_a_step<T>(make: impl Fn(f32) -> Result<T, ConfigError>, error: ConfigError) {
    must_be_positive(&make, error);
    assert!(make(1e28).is_ok(), "{error}");
    for bad in [1.001e28, 1e30, f32::MAX] {
        assert_eq!(make(bad).err(), Some(error), "{bad}");
    }
}

/// The constructor takes what is finite and not negative, and nothing else.
fn must_not_be_negative<T>(make: impl Fn(f32) -> Result<T, ConfigError>, error: ConfigError) {
    for bad in NOT_A_NUMBER.into_iter().chain(NEGATIVE) {
        assert_eq!(make(bad).err(), Some(error), "{bad}");
    }
    for good in [0.0, -0.0, 1e-30, 1.0, 1e9] {
        assert!(make(good).is_ok(), "{good}: {error}");
    }
}

#[test]
fn kernels_refuse_parameters_outside_their_domain() {
    must_be_positive(Gaussian::new, ConfigError::Width);
    must_be_positive(Gaussian::<Precise>::with_math, ConfigError::Width);
    must_be_positive(|scale| Polynomial::new(3, scale, 1.0), ConfigError::Scale);
    must_not_be_negative(
        |offset| Polynomial::new(3, 1.0, offset),
        ConfigError::Offset,
    );
    assert_eq!(
        Polynomial::new(0, 1.0, 1.0).err(),
        Some(ConfigError::Degree)
    );
    assert!(Polynomial::new(1, 1.0, 1.0).is_ok());
    assert!(Polynomial::new(16, 1.0, 1.0).is_ok());
    assert_eq!(
        Polynomial::new(17, 1.0, 1.0).err(),
        Some(ConfigError::Degree)
    );
    // At a dot product of one these round to zero: they are for large features.
    for (degree, scale) in [(6, 1e-9), (8, 1e-6), (16, 1e-3)] {
        assert!(Polynomial::new(degree, scale, 0.0).is_ok());
    }
    // Points with a dot product of one would have a similarity of 1e32, and others none.
    for (degree, scale, offset) in [(16, 100.0, 0.0), (16, 1.0, 99.0), (1, 1.0, 1e32)] {
        let refused = Polynomial::new(degree, scale, offset).err();
        assert_eq!(refused, Some(ConfigError::Scale));
    }
}

#[test]
fn rules_refuse_parameters_outside_their_domain() {
    must_be_a_step(PassiveAggressive::new, ConfigError::Aggressiveness);
    must_be_a_step(|eta| MarginRule::new(eta).checked(), ConfigError::StepSize);
    must_be_a_step(LeastSquares::new, ConfigError::StepSize);
    must_be_positive(Shrinking::new, ConfigError::Regularisation);
    // The first step is the inverse.
    assert!(Shrinking::new(1.01e-28).is_ok() && Shrinking::new(1e30).is_ok());
    assert_eq!(
        Shrinking::new(0.99e-28).err(),
        Some(ConfigError::Regularisation)
    );
    for bad in NOT_A_NUMBER.into_iter().chain([1e30, -1e30]) {
        let (one, error) = (MarginRule::new(1.0), Some(ConfigError::Margin));
        assert_eq!(one.with_margin(bad).checked().err(), error);
        assert_eq!(
            MarginRule {
                tau_pos: bad,
                ..one
            }
            .checked()
            .err(),
            error
        );
        assert_eq!(
            MarginRule {
                tau_neg: bad,
                ..one
            }
            .checked()
            .err(),
            error
        );
    }
    for good in [-1.0, -1e-30]
        .into_iter()
        .chain(ZERO)
        .chain([1.0, 1e28, -1e28])
    {
        assert!(MarginRule::new(1.0).with_margin(good).checked().is_ok());
    }
}

#[test]
fn projections_refuse_a_tolerance_outside_its_domain() {
    type Small = Inline<2, 4>;
    let plain = |tolerance| Projecting::<_, Small>::new(Stop, tolerance);
    must_not_be_negative(plain, ConfigError::Tolerance);
    let margins = |tolerance| ProjectingMargins::<_, Small>::new(Stop, tolerance);
    must_be_positive(margins, ConfigError::Tolerance);
}

#[test]
fn what_is_blank_fails_its_check() {
    assert_eq!(<Gaussian>::BLANK.check(), Err(ConfigError::Width));
    assert_eq!(Polynomial::BLANK.check(), Err(ConfigError::Degree));
    assert_eq!(MarginRule::BLANK.check(), Err(ConfigError::StepSize));
    assert_eq!(
        PassiveAggressive::BLANK.check(),
        Err(ConfigError::Aggressiveness)
    );
    assert_eq!(Shrinking::BLANK.check(), Err(ConfigError::Regularisation));
    assert_eq!(
        (LinearKernel::BLANK.check(), UnitSteps::BLANK.check()),
        (Ok(()), Ok(()))
    );
}

#[test]
fn a_checked_learner_has_a_kernel_and_a_rule() {
    let kernel = Gaussian::constant(1.0);
    let rule = MarginRule::new(1.0);
    let build = MergingPerceptron::<2, 4>::with_rule;
    assert_eq!(
        build(Gaussian::BLANK, rule).checked().err(),
        Some(ConfigError::Width)
    );
    let blank = build(kernel, MarginRule::BLANK);
    assert_eq!(blank.checked().err(), Some(ConfigError::StepSize));
    assert!(build(kernel, rule).checked().is_ok());
}

#[test]
fn features_that_are_no_numbers_are_refused() {
    let heap = learner::build(Algorithm::Stoptron, &settings(1.0, 4), 2, 9);
    let mut heap = heap.expect("good settings");
    let mut inline = Stoptron::<2, 4>::new(Gaussian::constant(1.0));
    let mut primal = LinearPerceptron::<2>::new();
    for bad in NOT_A_NUMBER {
        for x in [[bad, 0.0], [0.0, bad]] {
            let error = Err(InputError::NonFinite);
            assert_eq!(inline.learn(&x, Sign::Pos), Err(InputError::NonFinite));
            assert_eq!(inline.score(&x), error);
            assert_eq!(inline.predict(&x), Err(InputError::NonFinite));
            assert_eq!(primal.learn(&x, Sign::Pos), Err(InputError::NonFinite));
            assert_eq!(primal.score(&x), error);
            assert_eq!(heap.learn(&x, Sign::Pos), Err(InputError::NonFinite));
            assert_eq!(heap.score(&x), error);
        }
    }
}

#[test]
fn another_number_of_features_is_refused() {
    let heap = learner::build(Algorithm::Stoptron, &settings(1.0, 4), 2, 9);
    let mut heap = heap.expect("good settings");
    for x in [&[][..], &[1.0], &[1.0, 2.0, 3.0]] {
        assert_eq!(heap.learn(x, Sign::Pos), Err(InputError::WrongDimension));
        assert_eq!(heap.score(x), Err(InputError::WrongDimension));
    }
}

#[test]
fn a_score_beyond_single_precision_is_refused() {
    let far = [1e30, 1e30];
    // k(x, x) overflows while the set is still empty, and the score once it is not.
    let mut linear = Stoptron::<2, 4, LinearKernel>::new(LinearKernel);
    assert_eq!(linear.learn(&far, Sign::Pos), Err(InputError::Overflow));
    linear.learn(&[1e15, 0.0], Sign::Pos).expect("finite");
    assert_eq!(linear.score(&far), Err(InputError::Overflow));
    assert_eq!(linear.predict(&far), Err(InputError::Overflow));
    assert_eq!(linear.learn(&far, Sign::Pos), Err(InputError::Overflow));
    assert_eq!(linear.support().len(), 1);
    let mut primal = LinearPerceptron::<2>::new();
    assert_eq!(primal.learn(&far, Sign::Pos), Err(InputError::Overflow));
}

#[test]
fn a_blank_model_refuses_to_learn() {
    let mut blank = MergingPerceptron::<2, 4>::BLANK;
    let refused = Err(InputError::Config(ConfigError::Width));
    assert_eq!(blank.learn(&[1.0, 2.0], Sign::Pos), refused);
    assert_eq!(blank.score(&[1.0, 2.0]).map(|_| ()), refused.map(|_| ()));
    let kernel = Gaussian::constant(1.0);
    let wrong = blank.configure(kernel, MarginRule::new(-1.0));
    assert_eq!(wrong, Err(ConfigError::StepSize));
    assert_eq!(blank.learn(&[1.0, 2.0], Sign::Pos), refused);
    assert_eq!(blank.configure(kernel, MarginRule::new(1.0)), Ok(()));
    assert!(blank.learn(&[1.0, 2.0], Sign::Pos).is_ok());
}

#[test]
fn a_model_that_has_learned_keeps_its_kernel_and_rule() {
    let kernel = Gaussian::constant(1.0);
    let mut model = MergingPerceptron::<2, 4>::with_rule(kernel, MarginRule::new(1.0));
    model.learn(&[1.0, 2.0], Sign::Pos).expect("a good example");
    let before = model.score(&[1.0, 1.0]);
    let other = Gaussian::constant(9.0);
    let refused = model.configure(other, MarginRule::new(0.5));
    assert_eq!(refused, Err(ConfigError::InUse));
    assert_eq!(model.score(&[1.0, 1.0]), before);
}

#[test]
fn a_parameter_out_of_its_domain_is_named_when_learning() {
    let rule = MarginRule::new(-1.0);
    let mut model = MergingPerceptron::<2, 4>::with_rule(Gaussian::constant(1.0), rule);
    let refused = model.learn(&[1.0, 2.0], Sign::Pos);
    assert_eq!(refused, Err(InputError::Config(ConfigError::StepSize)));
}

#[test]
fn every_error_says_something_of_its_own() {
    let config = [
        ConfigError::Width,
        ConfigError::Degree,
        ConfigError::Scale,
        ConfigError::Offset,
        ConfigError::StepSize,
        ConfigError::Margin,
        ConfigError::Aggressiveness,
        ConfigError::Regularisation,
        ConfigError::Tolerance,
        ConfigError::Accuracy,
        ConfigError::Credit,
        ConfigError::Bound,
        ConfigError::Bias,
        ConfigError::Sensitivity,
        ConfigError::InUse,
    ];
    let input = [
        InputError::NonFinite,
        InputError::WrongDimension,
        InputError::Overflow,
        InputError::UnknownExample,
        InputError::UnknownClass,
        InputError::Config(ConfigError::Width),
    ];
    let texts = config.iter().map(ToString::to_string);
    let texts: Vec<String> = texts.chain(input.iter().map(ToString::to_string)).collect();
    let distinct: BTreeSet<&str> = texts.iter().map(|text| text.trim()).collect();
    assert_eq!(distinct.len(), texts.len(), "{texts:?}");
    assert!(!distinct.contains(""));
    fn is_an_error<E: std::error::Error + Copy + Send + Sync + 'static>(_: E) {}
    is_an_error(ConfigError::Width);
    is_an_error(InputError::Overflow);
}
