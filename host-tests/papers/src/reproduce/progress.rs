//! How far the work is: a bar on a terminal, a line now and then in a log.

use std::{
    collections::HashSet,
    fmt::Write,
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Result;
use indicatif::{FormattedDuration, ProgressBar, ProgressState, ProgressStyle};

/// A log gets a line after so long.
const PERIOD: Duration = Duration::from_secs(60);

/// Hears from a cell how much of its work is done.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    report: &'a (dyn Fn(ProgressEvent<'_>) + Sync),
    /// The part of the work that is watched, as shares of the whole.
    from: f64,
    width: f64,
}

/// Progress of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProgressEvent<'a> {
    /// The share of the work that is done.
    Done(f64),
    /// Something that the user should know.
    Note(&'a str),
}

impl<'a> Watch<'a> {
    /// Nobody listens.
    pub const IDLE: Watch<'static> = Watch::new(&|_| {});

    /// Tells everything to `hear`.
    pub const fn new(report: &'a (dyn Fn(ProgressEvent<'_>) + Sync)) -> Self {
        Watch {
            report,
            from: 0.0,
            width: 1.0,
        }
    }

    /// Watches the part `number` (from 0) of equal parts of the work.
    #[must_use]
    pub fn part(self, number: usize, of: usize) -> Self {
        let width = self.width / of as f64;
        Watch {
            from: self.from + number as f64 * width,
            width,
            ..self
        }
    }

    /// So much is done.
    pub fn done(&self, number: usize, of: usize) {
        let share = number as f64 / of.max(1) as f64;
        (self.report)(ProgressEvent::Done(self.from + self.width * share));
    }

    /// The user should know.
    pub fn note(&self, text: &str) {
        (self.report)(ProgressEvent::Note(text));
    }
}

/// The exit status of a command that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// The progress of many cells.
pub struct Progress {
    bar: ProgressBar,
    told: Mutex<Instant>,
    noted: Mutex<HashSet<String>>,
    finished: Arc<AtomicUsize>,
}

impl Progress {
    /// Nothing is done of that cost.
    ///
    /// # Errors
    ///
    /// None, as long as the template of the bar is sound.
    pub fn new(cost: u64) -> Result<Self> {
        let bar = ProgressBar::new(cost);
        let template = "{bar:30} {percent:>3} %  {elapsed} gone, {left} left  {msg}";
        let style = ProgressStyle::with_template(template)?;
        bar.set_style(
            style.with_key("left", |state: &ProgressState, text: &mut dyn Write| {
                let left = left(state.elapsed(), state.pos(), state.len().unwrap_or(0));
                let _ = write!(text, "{left}");
            }),
        );
        bar.enable_steady_tick(Duration::from_millis(500));
        let told = Mutex::new(Instant::now());
        Ok(Progress {
            bar,
            told,
            noted: Mutex::default(),
            finished: Arc::default(),
        })
    }

    /// One more cell is finished and kept.
    pub fn count(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// How many cells are.
    pub fn finished(&self) -> usize {
        self.finished.load(Ordering::Relaxed)
    }

    /// Whoever ends the command, by Ctrl-C or a signal, is told that nothing is lost: how many of `all` cells are
    /// finished, `before` of them by earlier calls, and how it goes on.
    ///
    /// # Errors
    ///
    /// Something else listens for signals already.
    pub fn tell_when_interrupted(
        &self,
        before: usize,
        all: usize,
        sequel: &'static str,
    ) -> Result<()> {
        let (bar, finished) = (self.bar.clone(), Arc::clone(&self.finished));
        ctrlc::set_handler(move || {
            bar.abandon();
            let finished = before + finished.load(Ordering::Relaxed);
            eprintln!("\ninterrupted: {finished} of {all} cells are finished and kept; {sequel}");
            process::exit(INTERRUPTED);
        })?;
        Ok(())
    }

    /// Works on something of that cost, which may report how far it is.
    pub fn during<T>(&self, name: &str, cost: u64, work: impl FnOnce(&Watch<'_>) -> T) -> T {
        self.bar.set_message(name.to_owned());
        let counted = AtomicU64::new(0);
        let count = |share: f64| {
            let now = (share.clamp(0.0, 1.0) * cost as f64) as u64;
            let before = counted.fetch_max(now, Ordering::Relaxed);
            if now > before {
                self.bar.inc(now - before);
                self.tell(name);
            }
        };
        let report = |event: ProgressEvent<'_>| match event {
            ProgressEvent::Done(share) => count(share),
            ProgressEvent::Note(text) => self.note(text),
        };
        let result = work(&Watch::new(&report));
        count(1.0);
        result
    }

    /// Writes a note, once however many cells have it.
    fn note(&self, text: &str) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.insert(text.to_owned()) {
            self.bar.suspend(|| eprintln!("note: {text}"));
        }
    }

    /// Writes a line if there is no terminal and the last one is old.
    fn tell(&self, name: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.bar.is_hidden() || told.elapsed() < PERIOD {
            return;
        }
        *told = Instant::now();
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let elapsed = self.bar.elapsed();
        eprintln!(
            "{:>3} %  {} gone, {} left  {name}",
            100 * done / all.max(1),
            FormattedDuration(elapsed),
            left(elapsed, done, all),
        );
    }

    /// All is done.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time that is left if it goes on as it went so far: costs are rough, and the last few cells tell little.
fn left(elapsed: Duration, done: u64, all: u64) -> String {
    if done == 0 {
        return "?".into();
    }
    let rest = all.saturating_sub(done) as f64 / done as f64;
    FormattedDuration(elapsed.mul_f64(rest)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_parts_add_up_to_the_whole() {
        let heard = Mutex::new(Vec::new());
        let report = |event: ProgressEvent<'_>| match event {
            ProgressEvent::Done(share) => heard.lock().unwrap().push(share),
            ProgressEvent::Note(_) => panic!("nothing to note"),
        };
        let watch = Watch::new(&report);
        for outer in 0..2 {
            let outer = watch.part(outer, 2);
            for inner in 0..2 {
                outer.part(inner, 2).done(1, 2);
                outer.part(inner, 2).done(2, 2);
            }
        }
        let wanted: Vec<f64> = (1..=8).map(|eighth| f64::from(eighth) / 8.0).collect();
        assert_eq!(*heard.lock().unwrap(), wanted);
    }

    #[test]
    fn a_cell_counts_once_however_often_it_reports() {
        let progress = Progress::new(30).unwrap();
        progress.during("first", 10, |watch| {
            for (number, position) in [(1, 2), (4, 8), (2, 8), (9, 10)] {
                watch.done(number, 5);
                assert_eq!(progress.bar.position(), position);
            }
        });
        assert_eq!(progress.bar.position(), 10);
        progress.during("second", 20, |_| {});
        assert_eq!(progress.bar.position(), 30);
    }

    #[test]
    fn what_took_an_hour_for_a_third_takes_two_more() {
        assert_eq!(left(Duration::from_secs(3600), 10, 30), "02:00:00");
        assert_eq!(left(Duration::from_secs(3600), 0, 30), "?");
        assert_eq!(left(Duration::from_secs(3600), 40, 30), "00:00:00");
    }
}
