//! What is refused, and that nothing changes.

use pocketron::{
    classifier::OnlineClassifier as _,
    error::{ConfigError, InputError},
    history::LongestSurvivor,
    hypothesis::{Biased, FixedRadius, Linear, UpdateCounts},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Alma, Credit, MarginRule, Rule, Soft, UnitSteps},
};
use pocketron_cli::family;
use pocketron_testkit::data::DenseData;

use super::traces::single;
use crate::common::cli::options;

fn line<R: Rule>(rule: R) -> Perceptron<Linear<[f32; 2]>, R> {
    Perceptron::from_parts(Linear::BLANK, rule)
}

/// A rule that fails its check is found before learning, and by learning, which then changes nothing.
fn refused<R: Rule + Copy>(rule: R, error: ConfigError) {
    assert_eq!(rule.check(), Err(error));
    assert_eq!(line(rule).checked().err(), Some(error));
    let mut model = line(rule);
    assert!(model.learn(&[1.0, 2.0], Sign::Pos).is_err(), "{error}");
    assert_eq!(model.hypothesis().weights(), &[0.0; 2]);
}

#[test]
fn rules_refuse_parameters_outside_their_domain() {
    let margin = MarginRule::new(1.0);
    let credits_refused = |bad| {
        for credit in [Credit::Once(bad), Credit::PerStep(bad)] {
            refused(Soft::new(margin).with_credit(credit), ConfigError::Credit);
        }
    };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        refused(margin.with_margin(bad), ConfigError::Margin);
        refused(margin.with_margins(bad, 0.0), ConfigError::Margin);
        refused(margin.with_margins(0.0, bad), ConfigError::Margin);
        refused(
            Soft::new(margin.with_margins(0.0, bad)),
            ConfigError::Margin,
        );
        refused(MarginRule::new(bad), ConfigError::StepSize);
        assert_eq!(Alma::new(bad).err(), Some(ConfigError::Accuracy));
        credits_refused(bad);
    }
    for bad in [0.0, -0.0, -1.0] {
        refused(MarginRule::new(bad), ConfigError::StepSize);
        assert_eq!(Alma::new(bad).err(), Some(ConfigError::Accuracy));
    }
    for bad in [-1e-30, -1.0] {
        credits_refused(bad);
    }
    refused(Soft::new(margin).with_bound(0), ConfigError::Bound);
    refused(<Soft<MarginRule>>::BLANK, ConfigError::Bound);
    refused(Alma::BLANK, ConfigError::Accuracy);
    assert_eq!(
        Alma::new(1.0 + f32::EPSILON).err(),
        Some(ConfigError::Accuracy)
    );
    assert!(Alma::new(1.0).is_ok() && Alma::new(1e-6).is_ok());
    assert_eq!(
        Soft::new(margin)
            .with_credit(Credit::Once(0.0))
            .with_bound(1)
            .check(),
        Ok(())
    );
    assert_eq!(
        margin.with_margins(-3.0, -0.5).check(),
        Ok(()),
        "margins may be negative"
    );
}

#[test]
fn a_bias_refuses_parameters_outside_their_domain() {
    let biased = |step, start| Biased::new(Linear::<[f32; 2]>::BLANK, FixedRadius(step), start);
    for (step, start) in [
        (f32::NAN, 0.0),
        (f32::INFINITY, 0.0),
        (-1.0, 0.0),
        (1.0, f32::NAN),
        (1.0, f32::NEG_INFINITY),
    ] {
        let mut model = Perceptron::from_parts(biased(step, start), UnitSteps);
        assert_eq!(
            model.clone().checked().err(),
            Some(ConfigError::Bias),
            "{step} {start}"
        );
        assert!(model.learn(&[1.0, 2.0], Sign::Pos).is_err());
        assert_eq!(model.hypothesis().inner().weights(), &[0.0; 2]);
        assert_eq!(model.hypothesis().bias().to_bits(), start.to_bits());
    }
    assert!(
        Perceptron::from_parts(biased(0.0, -3.0), UnitSteps)
            .checked()
            .is_ok()
    );
}

#[test]
fn an_id_beyond_the_counts_is_refused_and_changes_nothing() {
    let rule = Soft::new(MarginRule::new(0.5).with_margin(1.0)).with_bound(2);
    let counts = UpdateCounts::new(Linear::<[f32; 2]>::BLANK, [0; 3]);
    let mut model = Perceptron::with_history(counts, rule, LongestSurvivor::<[f32; 2]>::BLANK);
    model
        .learn_with_id(&[1.0, 0.0], Sign::Pos, Some(2))
        .expect("the last entry");
    let before = format!("{model:?}");
    for id in [3, 4, u32::MAX] {
        let refused = model.learn_with_id(&[0.0, 1.0], Sign::Neg, Some(id));
        assert_eq!(refused.err(), Some(InputError::UnknownExample));
        assert_eq!(format!("{model:?}"), before);
    }
    // Without a number nobody counts, and nothing is refused.
    for _ in 0..5 {
        assert!(
            model
                .learn(&[0.0, 0.1], Sign::Neg)
                .expect("finite")
                .changed()
        );
    }
    // The numbered one still has one of its two steps.
    assert!(
        model
            .learn_with_id(&[1.0, 0.0], Sign::Pos, Some(2))
            .expect("known")
            .changed()
    );
    let (x, failing) = ([-1.0, 0.0], Sign::Pos);
    assert!(
        !model
            .learn_with_id(&x, failing, Some(2))
            .expect("known")
            .changed()
    );
}

#[test]
fn the_command_line_refuses_what_the_rules_refuse() {
    let data = single(&DenseData {
        dim: 1,
        x: vec![1.0, -1.0],
        labels: vec![1.0, -1.0],
    });
    for line in [
        "--eta 0",
        "--eta NaN",
        "--tau NaN",
        "--lambda=-1",
        "--alpha-bound 0",
        "--C=-1",
        "--theta NaN",
    ] {
        let options = options(&format!("--learner kw {line}"));
        assert!(
            family::kw(&data, &options.family, &options.learner).is_err(),
            "{line}"
        );
    }
    for line in ["--eta 0", "--tau-neg NaN", "--tau-pos inf"] {
        let options = options(&format!("--learner paum {line}"));
        assert!(family::paum(&data, &options.family, 1).is_err(), "{line}");
        let kernel = options.learner.kernel();
        assert!(
            family::paum_kernel(&data, &options.family, kernel, 1).is_err(),
            "{line}"
        );
    }
    for line in ["--alpha 0", "--alpha 1.5", "--alpha NaN"] {
        let options = options(&format!("--learner alma {line}"));
        assert!(family::alma(&data, &options.family, 1).is_err(), "{line}");
    }
}
