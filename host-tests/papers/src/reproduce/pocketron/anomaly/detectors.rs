//! Detectors that learn from normal rows.

use anyhow::{Result, ensure};
use libsvm_rs::{
    KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, SvmType, check_parameter,
    predict::predict_values, train::svm_train,
};
use pocketron::learners::Normal;

use super::{Row, SHARE};

/// Which detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Ours.
    Normal,
    /// Distance to the nearest of all rows.
    Neighbour,
    /// One-class support vector machine.
    OneClassSvm,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Normal, Kind::Neighbour, Kind::OneClassSvm];

    pub const fn title(self) -> &'static str {
        match self {
            Kind::Normal => "`Normal`",
            Kind::Neighbour => "nearest neighbour",
            Kind::OneClassSvm => "one-class SVM",
        }
    }
}

/// Says how strange a row is.
pub trait Detector {
    /// The larger, the stranger.
    fn score(&self, x: &[f32]) -> f32;

    /// Beyond it a row is anomalous.
    fn threshold(&self) -> f32;
}

impl<const D: usize, const B: usize> Detector for Normal<D, B> {
    fn score(&self, x: &[f32]) -> f32 {
        let score = x.try_into().map(|x| self.score(x));
        score.map_or(f32::NAN, |score| score.unwrap_or(f32::NAN))
    }

    fn threshold(&self) -> f32 {
        self.threshold()
    }
}

/// Mean and deviation of each feature.
struct Scale(Vec<(f32, f32)>);

impl Scale {
    fn of(rows: &[Row]) -> Self {
        let count = rows.len().max(1) as f32;
        let dim = rows.first().map_or(0, Vec::len);
        let moments = (0..dim).map(|feature| {
            let mean = rows.iter().map(|row| row[feature]).sum::<f32>() / count;
            let squares = rows.iter().map(|row| (row[feature] - mean).powi(2));
            (mean, (squares.sum::<f32>() / count).sqrt())
        });
        Scale(moments.collect())
    }

    fn apply(&self, x: &[f32]) -> Row {
        let standardised = x.iter().zip(&self.0).map(|(x, (mean, deviation))| {
            if *deviation > 0.0 {
                (x - mean) / deviation
            } else {
                0.0
            }
        });
        standardised.collect()
    }
}

/// The distance to the nearest row.
pub struct Neighbour {
    scale: Scale,
    rows: Vec<Row>,
    threshold: f32,
}

impl Neighbour {
    pub fn train(rows: &[Row]) -> Self {
        let scale = Scale::of(rows);
        let rows: Vec<Row> = rows.iter().map(|row| scale.apply(row)).collect();
        let others = |own: usize| {
            let others = rows.iter().enumerate().filter(move |(row, _)| *row != own);
            others.map(|(_, row)| row)
        };
        let alone = rows.iter().enumerate();
        let mut distances: Vec<f32> = alone.map(|(own, row)| nearest(others(own), row)).collect();
        distances.sort_by(f32::total_cmp);
        let rank = ((1.0 - SHARE) * distances.len() as f64) as usize;
        let threshold = distances.get(rank.min(distances.len().saturating_sub(1)));
        Neighbour {
            threshold: threshold.copied().unwrap_or(0.0),
            scale,
            rows,
        }
    }
}

fn nearest<'a>(rows: impl Iterator<Item = &'a Row>, x: &[f32]) -> f32 {
    let squared = |row: &Row| -> f32 { row.iter().zip(x).map(|(a, b)| (a - b).powi(2)).sum() };
    rows.map(squared).fold(f32::INFINITY, f32::min).sqrt()
}

impl Detector for Neighbour {
    fn score(&self, x: &[f32]) -> f32 {
        nearest(self.rows.iter(), &self.scale.apply(x))
    }

    fn threshold(&self) -> f32 {
        self.threshold
    }
}

/// A one-class support vector machine with the Gaussian kernel.
pub struct OneClassSvm {
    scale: Scale,
    model: SvmModel,
}

impl OneClassSvm {
    pub fn train(rows: &[Row]) -> Result<Self> {
        let scale = Scale::of(rows);
        let dim = rows.first().map_or(1, Vec::len);
        let problem = SvmProblem {
            labels: vec![1.0; rows.len()],
            instances: rows.iter().map(|row| nodes(&scale.apply(row))).collect(),
        };
        let parameters = SvmParameter {
            svm_type: SvmType::OneClass,
            kernel_type: KernelType::Rbf,
            gamma: 1.0 / dim as f64,
            nu: SHARE,
            ..SvmParameter::default()
        };
        let checked = check_parameter(&problem, &parameters);
        ensure!(checked.is_ok(), "a one-class machine: {checked:?}");
        let model = svm_train(&problem, &parameters);
        Ok(OneClassSvm { scale, model })
    }
}

fn nodes(row: &[f32]) -> Vec<SvmNode> {
    let nodes = row.iter().enumerate().map(|(feature, value)| SvmNode {
        index: feature as i32 + 1,
        value: f64::from(*value),
    });
    nodes.collect()
}

impl Detector for OneClassSvm {
    fn score(&self, x: &[f32]) -> f32 {
        let mut values = [0.0];
        predict_values(&self.model, &nodes(&self.scale.apply(x)), &mut values);
        -values[0] as f32
    }

    fn threshold(&self) -> f32 {
        0.0
    }
}
