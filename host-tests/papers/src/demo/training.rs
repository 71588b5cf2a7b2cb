//! Training over the wire, with a learning curve.

use std::{
    collections::VecDeque,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    device::{Client, error::Describe},
    examples::Examples,
};

/// Predictions of the recent accuracy.
const RECENT: usize = 100;

/// A device that is trained on examples, and its accuracy meanwhile.
pub struct TrainingRun<'c> {
    client: &'c mut Client,
    wrong: VecDeque<bool>,
    mistakes: usize,
    seen: usize,
    curve: LearningCurve,
    time: Duration,
}

/// Accuracy in percent against examples.
#[derive(Clone, Debug, Default)]
pub struct LearningCurve {
    /// Over the last [`RECENT`].
    pub recent: Vec<(f64, f64)>,
    /// Of all.
    pub all: Vec<(f64, f64)>,
}

impl LearningCurve {
    /// The accuracy over all examples.
    pub fn last_all(&self) -> f64 {
        self.all.last().map_or(0.0, |point| point.1)
    }
}

impl<'c> TrainingRun<'c> {
    pub fn new(client: &'c mut Client) -> Self {
        TrainingRun {
            client,
            wrong: VecDeque::new(),
            mistakes: 0,
            seen: 0,
            curve: LearningCurve::default(),
            time: Duration::ZERO,
        }
    }

    /// Trains on these rows in this order.
    pub fn train(&mut self, examples: &Examples, rows: &[usize]) -> Result<()> {
        let bar = bar(rows.len(), "{bar:40} {human_pos} of {human_len}  {msg}")?;
        let begun = Instant::now();
        let mut refused = None;
        let TrainingRun {
            client,
            wrong,
            mistakes,
            seen,
            curve,
            ..
        } = self;
        client.learn_all(rows.iter().map(|row| examples.get(*row)), |taught| {
            let mistake = match taught {
                Ok(Some(learned)) => learned.mistake,
                Ok(None) => false, // over a line that loses nothing, no answer gets lost
                Err(error) => {
                    refused = Some(error);
                    return ControlFlow::Break(());
                }
            };
            *seen += 1;
            *mistakes += usize::from(mistake);
            wrong.push_back(mistake);
            if wrong.len() > RECENT {
                wrong.pop_front();
            }
            let recent = wrong.iter().filter(|wrong| **wrong).count();
            let recent = 100.0 * (1.0 - recent as f64 / wrong.len() as f64);
            let all = 100.0 * (1.0 - *mistakes as f64 / *seen as f64);
            if *seen >= 20 {
                curve.recent.push((*seen as f64, recent));
                curve.all.push((*seen as f64, all));
            }
            bar.inc(1);
            bar.set_message(format!(
                "{} {recent:.0} % right over the last {RECENT}",
                spark(&curve.recent)
            ));
            ControlFlow::Continue(())
        })?;
        self.time += begun.elapsed();
        bar.finish();
        match refused {
            Some(error) => bail!("the device refused: {}", Describe(&error)),
            None => Ok(()),
        }
    }

    /// The classes that it takes these for.
    pub fn ask<'x>(&mut self, inputs: impl IntoIterator<Item = &'x [f32]>) -> Result<Vec<u8>> {
        let (mut answers, mut refused) = (Vec::new(), None);
        self.client.predict_all(inputs, |answer| match answer {
            Ok(prediction) => {
                answers.push(prediction.class);
                ControlFlow::Continue(())
            }
            Err(error) => {
                refused = Some(error);
                ControlFlow::Break(())
            }
        })?;
        match refused {
            Some(error) => bail!("the device refused: {}", Describe(&error)),
            None => Ok(answers),
        }
    }

    pub fn curve(&self) -> LearningCurve {
        self.curve.clone()
    }

    /// Examples learned in a second.
    pub fn rate(&self) -> f64 {
        self.seen as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// A progress bar that is drawn often enough to look alive.
pub fn bar(len: usize, template: &str) -> Result<ProgressBar> {
    let bar = ProgressBar::new(len as u64);
    bar.set_style(ProgressStyle::with_template(template)?);
    bar.enable_steady_tick(Duration::from_millis(100));
    Ok(bar)
}

/// The curve in one line of text, from 0 to 100 percent.
fn spark(points: &[(f64, f64)]) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const WIDTH: usize = 24;
    let step = points.len().div_ceil(WIDTH).max(1);
    let level = |point: &(f64, f64)| LEVELS[((point.1 / 100.0 * 7.0).round() as usize).min(7)];
    points.iter().step_by(step).map(level).collect()
}
