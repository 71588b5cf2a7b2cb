//! Answers of the device for windows.

use std::{collections::BTreeMap, ops::Range};

use anyhow::{Result, bail, ensure};
use pocketron::device::message::SensorEvent;

use super::Exercise;
use crate::{
    device::{Client, Sensor},
    table::Table,
};

/// Windows by true class and answer; no answer is "unknown".
#[derive(Default)]
pub struct Answers {
    counts: BTreeMap<(usize, Option<u8>), u32>,
    probability: f64,
}

impl Answers {
    /// Plays these samples and counts what comes of each window.
    pub fn ask(
        &mut self,
        client: &mut Client,
        sensor: &Sensor,
        truth: usize,
        parts: impl Iterator<Item = Range<u32>>,
    ) -> Result<()> {
        let mut strange = None;
        for part in parts {
            let length = part.end - part.start;
            client.play_windows(sensor, part.start, length, |_, event| {
                let answer = match event {
                    SensorEvent::Known { class, probability } => {
                        self.probability += f64::from(probability.unwrap_or(0.0));
                        Some(class)
                    }
                    SensorEvent::Unknown => None,
                    other => {
                        strange = Some(other);
                        return;
                    }
                };
                *self.counts.entry((truth, answer)).or_default() += 1;
            })?;
        }
        match strange {
            Some(event) => bail!("not an answer: {event:?}"),
            None => Ok(()),
        }
    }

    fn sum(&self, wanted: impl Fn(usize, Option<u8>) -> bool) -> u32 {
        let counts = self.counts.iter();
        let counts = counts.filter(|((truth, answer), _)| wanted(*truth, *answer));
        counts.map(|(_, count)| count).sum()
    }

    /// Rows are what it was, columns what the device said; beside them, what the device says of itself.
    pub fn table(&self, client: &mut Client, taught: &[Exercise]) -> Result<Table> {
        let mut heading = vec!["   it was".to_string()];
        heading.extend((0..taught.len()).map(|class| format!("said {class}")));
        heading.extend(["unknown", "right", "held out, right"].map(String::from));
        let mut table = Table::numbers(heading);
        for (class, exercise) in taught.iter().enumerate() {
            let mut row = vec![format!("   {class} {}", exercise.name)];
            for answer in 0..taught.len() {
                row.push(cell(self.sum(|truth, found| {
                    truth == class && found == Some(answer as u8)
                })));
            }
            row.push(cell(
                self.sum(|truth, found| truth == class && found.is_none()),
            ));
            let right = self.sum(|truth, found| truth == class && found == Some(class as u8));
            let answered = self.sum(|truth, found| truth == class && found.is_some());
            row.push(percent(right, answered));
            let status = client.class_status(class as u8)?;
            row.push(format!("{} of {}", status.recalled, status.vectors));
            table.row(row);
        }
        Ok(table)
    }

    /// In one line.
    pub fn summary(&self) -> String {
        let (all, answered, right) = self.counts();
        format!(
            "{right} of {answered} answers right ({}), {} of all {all} windows called unknown ({}), mean probability {:.2}",
            percent(right, answered),
            all - answered,
            percent(all - answered, all),
            self.probability / f64::from(answered.max(1))
        )
    }

    /// Fails unless at least so many percent of the answers are right, and at most so many windows are called unknown.
    pub fn require(&self, right_at_least: u32, unknown_at_most: u32) -> Result<()> {
        let (all, answered, right) = self.counts();
        ensure!(
            answered > 0 && 100 * right >= right_at_least * answered,
            "less than {right_at_least} % of the answers are right"
        );
        ensure!(
            100 * (all - answered) <= unknown_at_most * all,
            "more than {unknown_at_most} % of the windows are called unknown"
        );
        Ok(())
    }

    /// Fails unless at least so many percent of the windows are called unknown.
    pub fn require_unknown(&self, at_least: u32) -> Result<()> {
        let (all, answered, _) = self.counts();
        ensure!(
            all > 0 && 100 * (all - answered) >= at_least * all,
            "less than {at_least} % of the windows are called unknown"
        );
        Ok(())
    }

    /// All windows, those with an answer, and those with the right one.
    fn counts(&self) -> (u32, u32, u32) {
        let all = self.sum(|_, _| true);
        let answered = self.sum(|_, answer| answer.is_some());
        let right = self.sum(|truth, answer| answer.map(usize::from) == Some(truth));
        (all, answered, right)
    }

    /// How many were strange to the device, and what it took the others for.
    pub fn unknown(&self, taught: &[Exercise]) -> String {
        let all = self.sum(|_, _| true);
        let unknown = self.sum(|_, answer| answer.is_none());
        let bar = "█".repeat((40 * unknown / all.max(1)) as usize);
        let mut text = format!(
            "   {bar:░<40}  {unknown} of {all} windows called unknown ({})",
            percent(unknown, all)
        );
        let taken: Vec<_> = taught
            .iter()
            .enumerate()
            .map(|(class, exercise)| {
                let count = self.sum(|_, answer| answer == Some(class as u8));
                (count, exercise.name)
            })
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} for {name}"))
            .collect();
        if !taken.is_empty() {
            text += &format!("; the others were taken {}", taken.join(", "));
        }
        text
    }
}

fn cell(count: u32) -> String {
    match count {
        0 => "·".into(),
        count => count.to_string(),
    }
}

fn percent(part: u32, all: u32) -> String {
    match all {
        0 => "-".into(),
        all => format!("{:.1} %", 100.0 * f64::from(part) / f64::from(all)),
    }
}
