//! The parameters `tau`, `lambda` and `alpha`, and how the paper searches them.

use std::fmt;

use pocketron_cli::family::LambdaUnit;

/// Values of `tau` and of `lambda`; the first one has no effect.
pub const STRENGTHS: [f32; 7] = [0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0];

/// Values of `alpha`; the first one has no effect.
pub const BOUNDS: [Option<u32>; 7] = [
    None,
    Some(80),
    Some(60),
    Some(40),
    Some(20),
    Some(10),
    Some(5),
];

/// Parameters of a learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Margin in units of the initial threshold.
    pub tau: f32,
    /// Credit for an example that has been learned.
    pub lambda: f32,
    /// Unit of the credit.
    pub unit: LambdaUnit,
    /// Most updates on one example.
    pub alpha: Option<u32>,
}

impl Setting {
    /// Only a margin.
    pub const fn margin(tau: f32) -> Self {
        Setting {
            tau,
            lambda: 0.0,
            unit: LambdaUnit::Step,
            alpha: None,
        }
    }
}

/// No parameter has an effect.
impl Default for Setting {
    fn default() -> Self {
        Setting::margin(0.0)
    }
}

/// As it stands in the names of figures.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tau {}", self.tau)?;
        if self.lambda != 0.0 {
            write!(f, " lambda {}", self.lambda)?;
            if self.unit == LambdaUnit::Norm {
                write!(f, " |x|^2")?;
            }
        }
        self.alpha
            .map_or(Ok(()), |alpha| write!(f, " alpha {alpha}"))
    }
}

/// Which parameters are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// None of them.
    Nothing,
    /// `tau`.
    Tau,
    /// `lambda`.
    Lambda,
    /// `alpha`.
    Alpha,
    /// All pairs of `tau` and `lambda`.
    TauAndLambda,
    /// All pairs of `tau` and `alpha`.
    TauAndAlpha,
    /// `tau` first, then `lambda` with the best `tau`.
    TauThenLambda,
    /// `tau` first, then `alpha` with the best `tau`.
    TauThenAlpha,
}

/// The columns of the tables.
const NAMES: [(&str, Variant); 8] = [
    ("nothing", Variant::Nothing),
    ("tau", Variant::Tau),
    ("lambda", Variant::Lambda),
    ("alpha", Variant::Alpha),
    ("tau x lambda", Variant::TauAndLambda),
    ("tau x alpha", Variant::TauAndAlpha),
    ("tau then lambda", Variant::TauThenLambda),
    ("tau then alpha", Variant::TauThenAlpha),
];

impl Variant {
    /// The variant of that name.
    pub fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, variant)| *variant)
    }

    /// Values of one of the parameters: `searched`, or only the value without effect.
    fn range<T: Copy>(values: &[T; 7], searched: bool, inactive: bool) -> &[T] {
        match (searched, inactive) {
            (false, _) => &values[..1],
            (true, true) => values,
            (true, false) => &values[1..],
        }
    }

    /// All its settings, with or without values that have no effect. Of those that search one parameter after the
    /// other, these are the pairs that may come up.
    pub fn settings(self, inactive: bool) -> Vec<Setting> {
        use Variant::{
            Alpha, Lambda, Nothing, Tau, TauAndAlpha, TauAndLambda, TauThenAlpha, TauThenLambda,
        };
        let taus = Self::range(
            &STRENGTHS,
            !matches!(self, Nothing | Lambda | Alpha),
            inactive,
        );
        let lambdas = matches!(self, Lambda | TauAndLambda | TauThenLambda);
        let lambdas = Self::range(&STRENGTHS, lambdas, inactive);
        let alphas = matches!(self, Alpha | TauAndAlpha | TauThenAlpha);
        let alphas = Self::range(&BOUNDS, alphas, inactive);
        debug_assert!(self != Tau || (lambdas.len(), alphas.len()) == (1, 1));
        let mut settings = Vec::new();
        for &tau in taus {
            for &lambda in lambdas {
                settings.extend(alphas.iter().map(|&alpha| Setting {
                    lambda,
                    alpha,
                    ..Setting::margin(tau)
                }));
            }
        }
        settings
    }

    /// The best setting in the eyes of `judge`, values without effect included, as the paper optimises; nothing
    /// if `judge` does not know all of them. The first one of several that are equally good.
    pub fn choose(self, judge: impl Fn(Setting) -> Option<f64>) -> Option<Setting> {
        match self {
            Variant::TauThenLambda | Variant::TauThenAlpha => {
                let (margin, _) = best(Variant::Tau.settings(true), &judge)?;
                let mut pairs = self.settings(true);
                pairs.retain(|pair| pair.tau == margin.tau);
                Some(best(pairs, &judge)?.0)
            }
            _ => Some(best(self.settings(true), &judge)?.0),
        }
    }
}

/// The best setting in the eyes of `judge` and how good it is; nothing if `judge` does not know all of them.
pub fn best(
    settings: Vec<Setting>,
    judge: impl Fn(Setting) -> Option<f64>,
) -> Option<(Setting, f64)> {
    let mut best: Option<(Setting, f64)> = None;
    for setting in settings {
        let value = judge(setting)?;
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((setting, value));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Variant; 8] = [
        Variant::Nothing,
        Variant::Tau,
        Variant::Lambda,
        Variant::Alpha,
        Variant::TauAndLambda,
        Variant::TauAndAlpha,
        Variant::TauThenLambda,
        Variant::TauThenAlpha,
    ];

    /// Some number for each setting, the same in every test.
    fn judge(setting: Setting) -> f64 {
        let alpha = setting.alpha.map_or(0.0, f64::from);
        (7.3 * f64::from(setting.tau) + 1.9 * f64::from(setting.lambda) + 0.4 * alpha).sin()
    }

    #[test]
    fn the_search_leaves_out_what_has_no_effect_and_the_choice_does_not() {
        let sizes = |inactive: bool| ALL.map(|variant| variant.settings(inactive).len());
        assert_eq!(sizes(false), [1, 6, 6, 6, 36, 36, 36, 36]);
        assert_eq!(sizes(true), [1, 7, 7, 7, 49, 49, 49, 49]);
        let nothing = Setting::default();
        for variant in &ALL[1..] {
            assert!(!variant.settings(false).contains(&nothing), "{variant:?}");
            assert!(variant.settings(true).contains(&nothing), "{variant:?}");
        }
    }

    #[test]
    fn hindsight_is_at_least_as_good_as_every_setting() {
        for variant in ALL {
            let (chosen, value) = best(variant.settings(false), |it| Some(judge(it))).unwrap();
            assert_eq!(judge(chosen), value);
            assert!(
                variant
                    .settings(false)
                    .into_iter()
                    .all(|it| judge(it) <= value)
            );
        }
    }

    #[test]
    fn one_after_the_other_is_no_better_than_all_pairs_and_no_worse_than_the_first() {
        let value = |variant: Variant| judge(variant.choose(|it| Some(judge(it))).unwrap());
        for (first, then, pairs) in [
            (Variant::Tau, Variant::TauThenLambda, Variant::TauAndLambda),
            (Variant::Tau, Variant::TauThenAlpha, Variant::TauAndAlpha),
        ] {
            assert!(value(first) <= value(then) && value(then) <= value(pairs));
        }
        let margin = Variant::Tau.choose(|it| Some(judge(it))).unwrap();
        let then = Variant::TauThenAlpha.choose(|it| Some(judge(it))).unwrap();
        assert_eq!(margin.tau, then.tau);
    }

    #[test]
    fn of_equals_the_one_with_the_least_effect_is_chosen() {
        assert_eq!(
            Variant::TauAndLambda.choose(|_| Some(50.0)),
            Some(Setting::default())
        );
        assert_eq!(
            Variant::Tau.choose(|it| (it.tau < 4.0).then_some(1.0)),
            None
        );
    }

    #[test]
    fn a_figure_names_its_setting() {
        let names: Vec<_> = ALL
            .iter()
            .flat_map(|variant| variant.settings(true))
            .collect();
        for a in &names {
            for b in &names {
                assert_eq!(a == b, a.to_string() == b.to_string(), "{a} {b}");
            }
        }
    }
}
