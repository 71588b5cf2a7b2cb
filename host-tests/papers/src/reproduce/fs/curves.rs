//! Figure 2: test error against epochs for four ways to predict, a picture for each degree.

use anyhow::Result;

use super::runs::{self, DigitSet, MNIST, SMALL};
use crate::{
    plot::{Axis, Trend},
    reproduce::{About, Cell, Experiment, FinishedCells, Pictures, Scope},
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
    fn about(&self) -> About {
        About {
            name: "fs-fig2",
            title: "test error on ten digits against epochs (Freund and Schapire, Figure 2)",
            remarks: "The runs of Table 1; a point for every tenth of the first epoch, then for every epoch up to ten, and for every fifth up to thirty. Bars are deviations over the orders.",
            sets: &[MNIST.set, SMALL.set],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        Ok(runs::cells(scope, |_| true))
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        for &degree in DigitSet::of(scope).degrees {
            let curves = METHODS.iter().enumerate();
            let curves = curves.map(|(number, (method, name))| Trend {
                name: (*name).to_owned(),
                colour: number,
                dashed: false,
                points: points(degree, method, scope, kept),
            });
            let curves: Vec<_> = curves.collect();
            let title = format!("Ten digits, kernel (1 + x.z)^{degree}");
            let file = format!("{}-d{degree}", self.name());
            let axes = ["epochs", "test error (%)"].map(Axis::logarithmic);
            to.lines(&file, "", &title, axes, &curves)?;
        }
        Ok(())
    }
}

/// Epochs, mean error, and its deviation over the orders.
fn points(degree: u32, method: &str, scope: &Scope, kept: &FinishedCells) -> Vec<(f64, f64, f64)> {
    let digit_set = DigitSet::of(scope);
    let point = |tenths: u32| {
        let cells = digit_set.names(degree, scope);
        let spread = kept.spread(cells, &runs::figure(tenths, None, method))?;
        Some((f64::from(tenths) / 10.0, spread.mean, spread.sd))
    };
    digit_set.checkpoints(degree).filter_map(point).collect()
}
