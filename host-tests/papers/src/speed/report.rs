//! Rates as a table and as JSON.

use std::fmt;

use anyhow::Result;
use serde::Serialize;

use crate::table::Table;

/// Rates over vectors of one number of features, in kernel evaluations per second.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub features: usize,
    pub budget: usize,
    /// Of the loop written for speed.
    pub ceiling: f64,
    /// Of our prediction.
    pub predict: f64,
    /// Of others'.
    pub peers: Vec<Rate>,
    /// Seconds that an example takes each learner.
    pub learners: Vec<(String, f64)>,
}

/// Of a peer.
#[derive(Clone, Debug, Serialize)]
pub struct Rate {
    pub name: &'static str,
    pub rate: f64,
    /// How many times as fast our prediction is.
    pub predict_is_faster_by: f64,
}

impl Figures {
    /// Evaluations that a prediction would have made while a learner took an example.
    fn rate(&self, seconds: f64) -> f64 {
        self.budget as f64 / seconds
    }
}

/// All of them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    figures: Vec<Figures>,
}

impl Report {
    /// Adds the rates of one size.
    pub fn add(&mut self, figures: Figures) {
        self.figures.push(figures);
    }

    /// For programs.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self
            .figures
            .iter()
            .map(|figures| format!("D = {}", figures.features));
        let heading = ["million evaluations a second".to_owned()]
            .into_iter()
            .chain(names);
        let mut table = Table::numbers(heading);
        let mut line = |name: &str, number: &dyn Fn(&Figures) -> String| {
            let numbers = self.figures.iter().map(number);
            table.row([name.to_owned()].into_iter().chain(numbers));
        };
        let millions = |rate: f64| format!("{:.1}", rate / 1e6);
        line("the loop written for it", &|figures| {
            millions(figures.ceiling)
        });
        line("predict", &|figures| millions(figures.predict));
        line("  of the loop", &|figures| {
            format!("{:.0} %", 100.0 * figures.predict / figures.ceiling)
        });
        // Those of the first size: all sizes have the same.
        let (peers, learners) = match &self.figures[..] {
            [first, ..] => (&first.peers[..], &first.learners[..]),
            [] => (&[][..], &[][..]),
        };
        for (peer, Rate { name, .. }) in peers.iter().enumerate() {
            line(name, &|figures| millions(figures.peers[peer].rate));
            line("  predict is faster by", &|figures| {
                format!("{:.2}", figures.peers[peer].predict_is_faster_by)
            });
        }
        for (learner, (name, _)) in learners.iter().enumerate() {
            line(&format!("learn, {name}"), &|figures| {
                millions(figures.rate(figures.learners[learner].1))
            });
        }
        write!(f, "{table}")
    }
}
