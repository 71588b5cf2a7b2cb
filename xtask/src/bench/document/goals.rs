//! Targets, and the counts that meet or miss them.

use super::{FEATURES, Lines, steps};
use crate::{bench::records::Records, row};

const PREDICTIONS: &str = "[predictions](#predictions-beside-cmsis-dsp)";
const LEARNING: &str = "[learning](#learning)";
const RAW: &str = "[raw features](#raw-features)";
const HOST: &str = "[the host](#the-host)";

/// Shares of a prediction of CMSIS-DSP `-O3`, by features.
const FLOATING_POINT: [f64; FEATURES.len()] = [0.42, 0.45, 0.45, 0.40];
/// Likewise with `-funroll-loops`.
const UNROLLED: f64 = 0.60;
/// In fixed point, with and without a floating-point unit.
const WHOLE: f64 = 0.30;
const WHOLE_WITHOUT_UNIT: f64 = 1.0 / 30.0;
/// Shares of a step of AIfES.
const STEPS: [(&str, &str, f64, &str); 3] = [
    ("Stoptron", "stoptron", 1.0 / 3.0, "1/3"),
    ("Forgetron", "forgetron", 1.0 / 3.0, "1/3"),
    ("merging", "merging", 1.0, "1"),
];

/// Rows of the page's table of the host, which is measured on one machine and not counted: per cent of the loop's rate,
/// and times LIBSVM's, at 16, 123 and 784 features.
const OF_THE_LOOP: &str = "| **of the loop** |";
const OF_LIBSVM: &str = "| **predict is faster by** |";
const TARGET_OF_THE_LOOP: u64 = 50;
const TARGET_OF_LIBSVM: u64 = 8;

impl Records {
    pub fn goals(&self, page: &str) -> Lines {
        let mut lines = vec![row!["", "target", "reached", "", "more"]];
        lines.extend(self.predictions());
        lines.extend(self.steps());
        lines.extend(host(page));
        lines
    }

    fn predictions(&self) -> Lines {
        let float = |flags, d| self.of_cmsis("M4F", "f32", flags, d);
        let plain = FEATURES.map(|d| float("-O3", d));
        let unrolled = FEATURES.map(|d| float("-O3 -funroll-loops", d));
        // The better of the two formats.
        let whole = [64, 256].map(|d| {
            let of = |format| self.of_cmsis("M4F", format, "-O3", d);
            of("i8").into_iter().chain(of("i16")).reduce(f64::min)
        });
        let mut lines = vec![
            goal(
                "predict in `f32`, M4F, D = 4, 16, 64, 256: of CMSIS-DSP `-O3`",
                "at most 0.42, 0.45, 0.45, 0.40",
                &three_digits(&plain),
                within(&plain, &FLOATING_POINT),
                PREDICTIONS,
            ),
            goal(
                "the same of CMSIS-DSP `-O3 -funroll-loops`",
                "at most 0.60",
                &three_digits(&unrolled),
                within(&unrolled, &[UNROLLED; FEATURES.len()]),
                PREDICTIONS,
            ),
            goal(
                "predict in `i8`, M4F, D = 64, 256: of CMSIS-DSP `-O3`",
                "at most 0.30",
                &three_digits(&whole),
                within(&whole, &[WHOLE; 2]),
                PREDICTIONS,
            ),
        ];
        for core in ["M3", "M0"] {
            let shares = [16, 64].map(|d| self.of_cmsis(core, "i8", "-O3", d));
            let inverse = |share: &f64| format!("1/{:.1}", 1.0 / share);
            lines.push(goal(
                &format!("predict in `i8`, {core}, D = 16, 64: of CMSIS-DSP `-O3`"),
                "at most 1/30",
                &list(&shares, inverse),
                within(&shares, &[WHOLE_WITHOUT_UNIT; 2]),
                PREDICTIONS,
            ));
        }
        lines
    }

    /// A step that learns, with features that are whole already and with raw ones.
    fn steps(&self) -> Lines {
        let of_aifes =
            |core: &str, learner: &str| share(self.update(core, learner), steps::aifes(core));
        let without_unit = |learner: &str| ["M3", "M0"].map(|core| of_aifes(core, learner));
        let mut lines = Vec::new();
        for (name, learner, limit, aimed) in STEPS {
            let shares = without_unit(learner);
            lines.push(goal(
                &format!("an update of {name}, `i8`, 100 vectors of 16 fixed-point features, M3, M0: of a step of AIfES"),
                &format!("at most {aimed}"),
                &three_digits(&shares),
                within(&shares, &[limit; 2]),
                LEARNING,
            ));
        }
        for (name, learner, ..) in STEPS {
            let shares = without_unit(&format!("standardized-{learner}"));
            lines.push(row![
                format!("the same of {name} with raw features, standardising included"),
                "no goal",
                three_digits(&shares),
                "",
                RAW
            ]);
        }
        lines
    }

    /// A prediction with 100 vectors, as a share of CMSIS-DSP's.
    fn of_cmsis(&self, core: &str, format: &str, flags: &str, features: usize) -> Option<f64> {
        let theirs = self.cmsis(core, flags, features)?.instructions;
        share(self.predict(core, format, features), Some(theirs))
    }
}

/// Whole numbers of a row that the page has; none if there is no such row.
fn measured(page: &str, row: &str) -> Vec<u64> {
    let row = page.lines().find_map(|line| line.strip_prefix(row));
    let numbers = row
        .unwrap_or_default()
        .split(|it: char| !it.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

fn host(page: &str) -> Lines {
    let [of_the_loop, of_libsvm] = [OF_THE_LOOP, OF_LIBSVM].map(|row| measured(page, row));
    let met = |reached: &[u64], aimed| reached.len() == 3 && reached.iter().all(|it| *it >= aimed);
    let reached = |it: &[u64]| it.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    vec![
        goal(
            "predict on the host, D = 16, 123, 784: of a loop written for it",
            &format!("at least {TARGET_OF_THE_LOOP} %"),
            &format!("{} %", reached(&of_the_loop)),
            met(&of_the_loop, TARGET_OF_THE_LOOP),
            HOST,
        ),
        goal(
            "the same, times LIBSVM",
            &format!("at least {TARGET_OF_LIBSVM}"),
            &reached(&of_libsvm),
            met(&of_libsvm, TARGET_OF_LIBSVM),
            HOST,
        ),
    ]
}

fn goal(what: &str, aimed: &str, reached: &str, met: bool, section: &str) -> Vec<String> {
    let met = if met { "met" } else { "**missed**" };
    row![what, aimed, reached, met, section]
}

fn share(ours: Option<u64>, theirs: Option<u64>) -> Option<f64> {
    let (ours, theirs) = ours.zip(theirs)?;
    Some(ours as f64 / theirs as f64)
}

/// A count that is missing does not reach its goal.
fn within(shares: &[Option<f64>], limits: &[f64]) -> bool {
    let mut pairs = shares.iter().zip(limits);
    pairs.all(|(share, limit)| share.is_some_and(|share| share <= *limit))
}

fn three_digits(shares: &[Option<f64>]) -> String {
    list(shares, |share| format!("{share:.3}"))
}

fn list(shares: &[Option<f64>], cell: impl Fn(&f64) -> String) -> String {
    let cells = shares
        .iter()
        .map(|it| it.as_ref().map_or("-".into(), &cell));
    cells.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_figures_are_those_of_its_table() {
        let table = "| predict | 1 | 2 | 3 |\n| **of the loop** | **50 %** | **83 %** | **93 %** |\n\
                     | **predict is faster by** | **7** | **22** | **27** |\n";
        let figures = |page: &str| {
            host(page)
                .into_iter()
                .map(|row| [row[2].clone(), row[3].clone()])
        };
        let expected = [["50, 83, 93 %", "met"], ["7, 22, 27", "**missed**"]];
        assert!(figures(table).eq(expected));
        assert!(figures("no table").all(|[_, met]| met == "**missed**"));
    }

    #[test]
    fn a_goal_is_met_by_all_its_figures_or_not_at_all() {
        assert!(within(&[Some(0.3), Some(0.3)], &[0.3, 0.4]));
        assert!(!within(&[Some(0.3), Some(0.41)], &[0.3, 0.4]));
        assert!(!within(&[Some(0.3), None], &[0.3, 0.4]));
        assert_eq!(
            goal("a", "1", "2", false, "b"),
            ["a", "1", "2", "**missed**", "b"]
        );
    }
}
