//! A table or figure of a paper: which cells it needs, and what it makes of them.

use anyhow::Result;

use super::{
    agreement::Target, cell::Cell, finished_cells::FinishedCells, line::Line, pictures::Pictures,
};

/// How much of the experiments is wanted.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Only these sets; all if there are none.
    pub sets: Vec<String>,
    /// Only these budgets, where there are budgets; all if there are none.
    pub budgets: Vec<usize>,
    /// Repetitions instead of those of the paper.
    pub runs: Option<u64>,
    /// Number of the first order, split or drawn set.
    pub seed: u64,
    /// Length of generated streams instead of the usual one, where it can be chosen.
    pub examples: Option<u64>,
    /// Only what takes a few minutes.
    pub quick: bool,
}

impl Scope {
    /// Whether a set is wanted.
    pub fn wants_set(&self, set: &str) -> bool {
        self.sets.is_empty() || self.sets.iter().any(|wanted| wanted == set)
    }

    /// Whether a budget is wanted.
    pub fn wants_budget(&self, budget: usize) -> bool {
        self.budgets.is_empty() || self.budgets.contains(&budget)
    }

    /// The numbers of the runs: as many as asked for, otherwise `usual`, or `quick` if time is short.
    pub fn runs(&self, usual: u64, quick: u64) -> std::ops::Range<u64> {
        let count = self.runs.unwrap_or(if self.quick { quick } else { usual });
        self.seed..self.seed.saturating_add(count)
    }
}

/// The texts of a table or figure.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name on the command line, such as `wv2`.
    pub name: &'static str,
    /// Its title, in a line.
    pub title: &'static str,
    /// How it was done, above all where the paper leaves a choice: a paragraph of Markdown.
    pub remarks: &'static str,
    /// Differences from the paper, and their reasons as far as they are known: a paragraph of Markdown.
    pub why: &'static str,
    /// Heading of the figures that ours are compared with.
    pub reference: &'static str,
    /// Names of its sets.
    pub sets: &'static [&'static str],
    /// How near its figures have to be to the paper's, where that is settled.
    pub targets: &'static [Target],
}

impl About {
    /// No text yet; the comparison is with a paper.
    pub const EMPTY: Self = About {
        name: "",
        title: "",
        remarks: "",
        why: "",
        reference: "paper",
        sets: &[],
        targets: &[],
    };
}

/// A table or figure.
pub trait Experiment: Sync {
    /// Its texts.
    fn about(&self) -> About;

    /// Its name on the command line.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// How near its figures have to be to the paper's.
    fn targets(&self) -> &'static [Target] {
        self.about().targets
    }

    /// The names of its sets.
    fn sets(&self) -> Vec<&'static str> {
        self.about().sets.to_vec()
    }

    /// The work.
    ///
    /// # Errors
    ///
    /// The scope makes no sense for it.
    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>>;

    /// The paper's figures next to ours, as far as cells are finished; a figure without numbers has none.
    fn lines(&self, _scope: &Scope, _kept: &FinishedCells) -> Vec<Line> {
        Vec::new()
    }

    /// Draws its pictures; most have none.
    ///
    /// # Errors
    ///
    /// A picture cannot be written.
    fn pictures(
        &self,
        _scope: &Scope,
        _kept: &FinishedCells,
        _to: &mut Pictures<'_>,
    ) -> Result<()> {
        Ok(())
    }
}

/// A name for several experiments that belong together.
#[derive(Debug)]
pub struct Group {
    /// Its name on the command line.
    pub name: &'static str,
    /// Their title, in a line.
    pub title: &'static str,
    /// The names of the experiments.
    pub members: &'static [&'static str],
}

/// All groups.
pub const GROUPS: [Group; 4] = [
    Group {
        name: "pocketron",
        title: "all about the default learner: bytes, pocketron-ten, pocketron-classes, rare, calibration, unknown, anomaly, drift",
        members: &[
            "bytes",
            "pocketron-ten",
            "pocketron-classes",
            "rare",
            "calibration",
            "unknown",
            "anomaly",
            "drift",
        ],
    },
    Group {
        name: "few-shot",
        title: "teaching by hand: few-shot-accuracy, few-shot-noise, few-shot-parts, few-shot-person, few-shot-absent, \
                few-shot-unknown",
        members: &[
            "few-shot-accuracy",
            "few-shot-noise",
            "few-shot-parts",
            "few-shot-person",
            "few-shot-absent",
            "few-shot-unknown",
        ],
    },
    Group {
        name: "watch",
        title: "raw samples of a smartwatch, taught by hand: watch-teaching, watch-unknown, watch-minutes",
        members: &["watch-teaching", "watch-unknown", "watch-minutes"],
    },
    Group {
        name: "long-life",
        title: "streams of a million examples: long-life-noise, long-life-heal, long-life-stuck, long-life-wild, \
                long-life-swap",
        members: &[
            "long-life-noise",
            "long-life-heal",
            "long-life-stuck",
            "long-life-wild",
            "long-life-swap",
        ],
    },
];

/// The experiments that a name stands for: one, or those of a group.
pub fn named(name: &str) -> Vec<&'static dyn Experiment> {
    let group = GROUPS.iter().find(|group| group.name == name);
    let is_meant = |one: &&&dyn Experiment| match group {
        Some(group) => group.members.contains(&one.name()),
        None => one.name() == name,
    };
    all().iter().filter(is_meant).copied().collect()
}

/// All of them, in the order in which they are done.
pub fn all() -> &'static [&'static dyn Experiment] {
    use super::{
        fs, kw, ll, paum,
        pocketron::{self, few_shot, watch},
        wv,
    };
    &[
        &wv::Accuracy,
        &wv::Boundaries,
        &wv::Bytes,
        &wv::Formats,
        &pocketron::Table,
        &pocketron::Calibration,
        &pocketron::Unknown,
        &pocketron::Anomaly,
        &pocketron::Drift,
        &pocketron::Classes,
        &pocketron::Rare,
        &few_shot::Accuracy,
        &few_shot::Noise,
        &few_shot::Parts,
        &few_shot::Person,
        &few_shot::Absent,
        &few_shot::Unknown,
        &watch::Teaching,
        &watch::Unknown,
        &watch::Minutes,
        &pocketron::LongLife,
        &pocketron::Disturbance::Heal,
        &pocketron::Disturbance::Stuck,
        &pocketron::Disturbance::Wild,
        &pocketron::Disturbance::Swap,
        &fs::AllDigits,
        &fs::EachDigit,
        &fs::Nine,
        &fs::Curves,
        &ll::Alone::Training,
        &ll::Alone::Test,
        &ll::Boosted,
        &ll::CurveFigure::Variants,
        &ll::CurveFigure::Learners,
        &paum::Digits,
        &paum::Ranking,
        &paum::Separable,
        &paum::Slice,
        &kw::Dominance,
        &kw::Search,
        &kw::ArtificialSearch,
        &kw::LambdaUnits,
        &kw::Average,
        &kw::TrainingSize,
        &kw::Optimisation,
        &kw::LargeOptimisation,
        &kw::LearningCurve,
        &kw::Landscape,
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_name_stands_for_one_experiment_or_for_those_of_a_group() {
        for one in all() {
            let names: Vec<_> = named(one.name()).iter().map(|one| one.name()).collect();
            assert_eq!(names, [one.name()]);
        }
        for group in &GROUPS {
            assert_eq!(named(group.name).len(), group.members.len());
            let title = |member: &&str| group.title.contains(*member);
            assert!(group.members.iter().all(title), "{}", group.title);
        }
        assert!(named("wv").is_empty());
    }

    #[test]
    fn an_experiment_has_work_for_its_sets_and_for_no_others() {
        let sets: BTreeSet<_> = all().iter().flat_map(|one| one.sets()).collect();
        for one in all() {
            for set in &sets {
                let work = |quick| {
                    let scope = Scope {
                        sets: vec![(*set).to_owned()],
                        quick,
                        ..Scope::default()
                    };
                    one.cells(&scope).unwrap().len()
                };
                let has_work = work(true) + work(false) > 0;
                assert_eq!(has_work, one.sets().contains(set), "{} {set}", one.name());
            }
        }
    }
}
