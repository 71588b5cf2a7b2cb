//! Figure 2: test error against epochs for four ways to predict, a picture for each degree.

use std::path::Path;

use anyhow::Result;

use super::runs::{self, MNIST, SMALL, Stock};
use crate::{
    plot::{Axis, Lines, Trend},
    reproduce::{
        cell::Cell,
        experiment::{Experiment, Scope},
        kept::Kept,
        line::Line,
    },
};

/// The lines of a picture.
const METHODS: [(&str, &str); 4] = [
    ("rand", "random"),
    ("last", "last"),
    ("avg", "average"),
    ("vote", "vote"),
];

/// Figure 2.
pub struct Curves;

impl Experiment for Curves {
    fn name(&self) -> &'static str {
        "fs-fig2"
    }

    fn title(&self) -> &'static str {
        "test error on ten digits against epochs (Freund and Schapire, Figure 2)"
    }

    fn remarks(&self) -> &'static str {
        "The runs of Table 1; a point for every tenth of the first epoch, then for every epoch up to ten, and for every fifth up to thirty. Bars are deviations over the orders."
    }

    fn sets(&self) -> Vec<&'static str> {
        vec![MNIST.set, SMALL.set]
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        Ok(runs::cells(scope, |_| true))
    }

    fn lines(&self, _: &Scope, _: &Kept) -> Vec<Line> {
        Vec::new()
    }

    fn pictures(
        &self,
        scope: &Scope,
        kept: &Kept,
        directory: &Path,
    ) -> Result<Vec<(String, String)>> {
        let mut pictures = Vec::new();
        for &degree in Stock::of(scope).degrees {
            let curves = METHODS.iter().enumerate();
            let curves = curves.map(|(number, (method, name))| Trend {
                name: (*name).to_owned(),
                colour: number,
                dashed: false,
                points: points(degree, method, scope, kept),
            });
            let curves: Vec<_> = curves.collect();
            if curves.iter().all(|curve| curve.points.is_empty()) {
                continue;
            }
            let title = format!("Ten digits, kernel (1 + x.z)^{degree}");
            let file = format!("{}-d{degree}.svg", self.name());
            Lines {
                title: &title,
                axes: [
                    Axis::logarithmic("epochs"),
                    Axis::logarithmic("test error (%)"),
                ],
                lines: &curves,
            }
            .write(&directory.join(&file))?;
            pictures.push((file, title));
        }
        Ok(pictures)
    }
}

/// Epochs, mean error, and its deviation over the orders.
fn points(degree: u32, method: &str, scope: &Scope, kept: &Kept) -> Vec<(f64, f64, f64)> {
    let stock = Stock::of(scope);
    let point = |tenths: u32| {
        let cells = stock.names(degree, scope);
        let spread = kept.spread(cells, &runs::figure(tenths, None, method))?;
        Some((f64::from(tenths) / 10.0, spread.mean, spread.sd))
    };
    stock.checkpoints(degree).filter_map(point).collect()
}
