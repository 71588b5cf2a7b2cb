//! LIBSVM's rewrite in Rust, `libsvm-rs`, over the same expansion.

use libsvm_rs::{KernelType, SvmModel, SvmNode, SvmParameter, SvmType, predict::predict_values};

use super::expansion::Expansion;

/// A machine with given support vectors, as if it had been trained.
pub struct Rewrite {
    model: SvmModel,
}

impl Rewrite {
    pub fn new(expansion: &Expansion) -> Self {
        let count = expansion.vectors.len();
        let model = SvmModel {
            param: SvmParameter {
                // The one whose prediction is the expansion itself, without votes.
                svm_type: SvmType::EpsilonSvr,
                kernel_type: KernelType::Rbf,
                gamma: expansion.gamma.into(),
                ..SvmParameter::default()
            },
            nr_class: 2,
            sv: expansion
                .vectors
                .iter()
                .map(|vector| nodes(vector))
                .collect(),
            sv_coef: vec![expansion.alphas.iter().map(|&alpha| alpha.into()).collect()],
            rho: vec![0.0],
            prob_a: Vec::new(),
            prob_b: Vec::new(),
            prob_density_marks: Vec::new(),
            sv_indices: (1..=count).collect(),
            label: Vec::new(),
            n_sv: vec![count],
        };
        Rewrite { model }
    }

    /// `f(x)`. Making its nodes is part of a prediction, and little beside it.
    pub fn score(&self, x: &[f32]) -> f64 {
        let mut score = [0.0];
        predict_values(&self.model, &nodes(x), &mut score);
        score[0]
    }
}

fn nodes(x: &[f32]) -> Vec<SvmNode> {
    let node = |(index, value): (usize, &f32)| SvmNode {
        index: index as i32 + 1,
        value: f64::from(*value),
    };
    x.iter().enumerate().map(node).collect()
}
