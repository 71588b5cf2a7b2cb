//! The cost of a learning step beside one of AIfES, with quantised and with raw features.

use super::{CORES, Lines, count, fraction, ratio};
use crate::{
    bench::{counts::OPERATIONS, records::Records},
    row,
};

/// Instructions of a step of AIfES (a network of 16-8-1 neurons), counted once in the same way.
const AIFES: [(&str, u64); CORES.len()] = [("M4F", 20_186), ("M3", 63_316), ("M0", 131_820)];

/// Features and vectors of both tables.
const FEATURES: usize = 16;
const VECTORS: usize = 100;

type Counts = [Option<u64>; OPERATIONS.len()];

/// Cost of learning a mistake: of a full model, or of one with its last free slot if a full one refuses.
fn update([_, _, store, mean, _]: Counts) -> Option<u64> {
    mean.or(store)
}

/// The same as text, with the worst if there were several.
fn update_and_worst(counts: Counts) -> String {
    match counts[4] {
        Some(worst) => format!("{} ({})", count(update(counts)), count(Some(worst))),
        None => count(update(counts)),
    }
}

/// Instructions of a step of AIfES on a core.
pub fn aifes(core: &str) -> Option<u64> {
    let step = AIFES.iter().find(|(name, _)| *name == core);
    step.map(|(_, step)| *step)
}

impl Records {
    fn step_counts(&self, core: &str, learner: &str) -> Option<Counts> {
        Some(self.row(core, "i8", learner, FEATURES, VECTORS)?.counts)
    }

    /// Instructions of an update in `i8`.
    pub fn update(&self, core: &str, learner: &str) -> Option<u64> {
        self.step_counts(core, learner).and_then(update)
    }

    pub fn beside_aifes(&self) -> Lines {
        let mut heading = row!["mean (worst)"];
        for core in CORES {
            heading.extend(row![core, "of an AIfES step"]);
        }
        let mut lines = vec![heading];
        for (name, learner) in [
            ("Stoptron (`store`: a full one refuses)", "stoptron"),
            ("Forgetron", "forgetron"),
            ("merging", "merging"),
            ("Tightest", "tightest"),
            ("Tightest with a Gram cache", "tightest-cached"),
        ] {
            let mut line = row![name];
            for core in CORES {
                let counts = self.step_counts(core, learner).unwrap_or_default();
                line.push(update_and_worst(counts));
                line.push(ratio(update(counts), aifes(core)));
            }
            lines.push(line);
        }
        lines
    }

    pub fn raw_features(&self) -> Lines {
        let mut lines = vec![row![
            "behind a scale",
            "RAM",
            "",
            "stack",
            "predict",
            "of CMSIS-DSP `-O3`",
            "pass",
            "store",
            "update when full: mean (worst)",
            "of an AIfES step"
        ]];
        for (name, learner) in [
            ("Stoptron", "standardized-stoptron"),
            ("Forgetron", "standardized-forgetron"),
            ("merging", "standardized-merging"),
            ("Stoptron, the scale frozen", "frozen-stoptron"),
        ] {
            let on_core = |core: &str| self.raw_line(core, name, learner);
            lines.extend(CORES.into_iter().filter_map(on_core));
        }
        lines
    }

    fn raw_line(&self, core: &str, name: &str, learner: &str) -> Option<Vec<String>> {
        let row = self.row(core, "i8", learner, FEATURES, VECTORS)?;
        let [predict, pass, store, mean, _] = row.counts;
        let theirs = self.cmsis(core, "-O3", FEATURES);
        let theirs = theirs.map(|peer| peer.instructions);
        let of_cmsis = match core {
            "M4F" => ratio(predict, theirs),
            _ => fraction(predict, theirs),
        };
        let when_full = mean.map_or("-".into(), |_| update_and_worst(row.counts));
        let of_aifes = ratio(update(row.counts), aifes(core));
        let mut line = match core {
            "M4F" => row![name, count(Some(row.ram))],
            _ => row!["", ""],
        };
        line.extend(row![core, count(Some(row.stack)), count(predict), of_cmsis]);
        line.extend(row![count(pass), count(store), when_full, of_aifes]);
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_full_model_refuses_is_no_update() {
        let stoptron = [Some(1), Some(2), Some(3), None, None];
        let forgetron = [Some(1), Some(2), Some(3), Some(4000), Some(5000)];
        assert_eq!(update_and_worst(stoptron), "3");
        assert_eq!(update_and_worst(forgetron), "4,000 (5,000)");
    }
}
