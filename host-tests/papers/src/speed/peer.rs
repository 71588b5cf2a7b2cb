//! Programs of others that predict over the same expansion.
//!
//! They lie in `host-tests/papers/peers`, which says how they are spoken to: they read a file, print their scores, and then tell how
//! long so many predictions took them. How often they are asked is for our clock to say, as it does for ourselves.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use super::{BUDGET, QUESTIONS, agree, clock::fastest};

/// Examples that a program gets at once which takes many; the best of them counts.
const BATCHES: [usize; 3] = [256, 1024, MOST_QUESTIONS];

/// As many as any of them is asked.
pub const MOST_QUESTIONS: usize = 4096;

/// A program, and how many examples it is asked at a time.
pub struct Peer {
    pub name: &'static str,
    words: Vec<PathBuf>,
    batches: &'static [usize],
}

impl Peer {
    /// LIBSVM, which predicts one example after the other, as we do.
    pub fn libsvm(program: &Path) -> Self {
        Peer {
            name: "LIBSVM",
            words: vec![program.into()],
            batches: &[QUESTIONS],
        }
    }

    /// scikit-learn, by a Python and a script for it.
    pub fn scikit_learn(words: &[PathBuf]) -> Self {
        Peer {
            name: "scikit-learn, in batches",
            words: words.into(),
            batches: &BATCHES,
        }
    }

    /// Evaluations per second over the expansion in a file, if its scores are those that are expected.
    pub fn rate(&self, file: &Path, expected: &[f64]) -> Result<f64> {
        let rate = || -> Result<f64> {
            let most = self.batches.iter().copied().max().unwrap_or(0);
            let mut running = Running::start(&self.words, file, most)?;
            for expected in &expected[..most] {
                let score = running.number()?;
                ensure!(
                    agree(*expected, score),
                    "its score is {score}, not {expected}"
                );
            }
            let mut rate = 0.0_f64;
            for &batch in self.batches {
                let seconds = fastest(|calls| running.time(calls, batch))?;
                rate = rate.max((batch * BUDGET) as f64 / seconds);
            }
            running.end()?;
            Ok(rate)
        };
        rate().with_context(|| format!("{} cannot be timed", self.name))
    }
}

/// A program that waits for questions. It ends with its input, whatever happens here.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(words: &[PathBuf], file: &Path, examples: usize) -> Result<Self> {
        let (program, arguments) = words.split_first().context("there is no program")?;
        let mut command = Command::new(program);
        command.args(arguments).arg(file).arg(examples.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context(program.display().to_string())?;
        let input = child.stdin.take().context("no way in")?;
        let output = child.stdout.take().context("no way out")?;
        Ok(Running {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Processor time of so many times so many predictions.
    fn time(&mut self, calls: u32, examples: usize) -> Result<Duration> {
        writeln!(self.input, "{calls} {examples}")?;
        Ok(Duration::try_from_secs_f64(self.number()?)?)
    }

    fn number(&mut self) -> Result<f64> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let number = line.trim().parse();
        number.with_context(|| format!("`{}` instead of a number", line.trim()))
    }

    fn end(mut self) -> Result<()> {
        drop(self.input);
        let status = self.child.wait()?;
        ensure!(status.success(), "{status}");
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A shell in place of a program: it prints some scores, and always takes a millisecond.
    fn shell(scores: &str) -> Peer {
        let script = format!("printf '{scores}'; while read question; do echo 0.001; done");
        Peer {
            name: "shell",
            words: ["sh", "-c", &script].map(PathBuf::from).into(),
            batches: &[2],
        }
    }

    #[test]
    fn what_a_program_says_becomes_its_rate() {
        let rate = shell("1.5\\n-2\\n").rate(Path::new("unread"), &[1.5, -2.0, 7.0]);
        // It is asked for two calls at a time, to fill a round of 2 ms.
        assert!((rate.unwrap() - (2 * 2 * BUDGET) as f64 / 0.001).abs() < 1e-3);
    }

    #[test]
    fn other_scores_and_an_early_end_are_no_rate() {
        let error = |peer: Peer| {
            let rate = peer.rate(Path::new("unread"), &[1.5, -2.0]);
            format!("{:#}", rate.unwrap_err())
        };
        let message = error(shell("1.5\\n-2.1\\n"));
        assert!(message.contains("its score is -2.1, not -2"), "{message}");
        let mut early = shell("1.5\\n");
        early.words[2] = "echo 1.5".into();
        let message = error(early);
        assert!(message.contains("`` instead of a number"), "{message}");
    }
}
