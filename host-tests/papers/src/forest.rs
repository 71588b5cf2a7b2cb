//! A random forest to compare with.
//!
//! It comes from `smartcore`: in Rust without `unsafe`, maintained, under the Apache licence, with a dozen small
//! dependencies. Its trees are grown to the end, as usual in a forest.

use anyhow::{Context, Result};
use smartcore::{
    ensemble::random_forest_classifier::{
        RandomForestClassifier, RandomForestClassifierParameters,
    },
    linalg::basic::matrix::DenseMatrix,
};

/// Rows of features.
type Matrix = DenseMatrix<f32>;

/// A trained forest.
pub struct Forest {
    forest: RandomForestClassifier<f32, u32, Matrix, Vec<u32>>,
}

impl Forest {
    /// Grows so many trees; `seed` decides what each of them gets to see.
    ///
    /// # Errors
    ///
    /// There are no rows, or rows of different lengths.
    pub fn grow(rows: &[Vec<f32>], classes: &[u32], trees: u16, seed: u64) -> Result<Self> {
        let parameters = RandomForestClassifierParameters::default()
            .with_n_trees(trees)
            .with_seed(seed);
        let rows = Matrix::from_2d_vec(&rows.to_vec()).context("rows of a forest")?;
        let forest = RandomForestClassifier::fit(&rows, &classes.to_vec(), parameters)?;
        Ok(Forest { forest })
    }

    /// The class of every row.
    ///
    /// # Errors
    ///
    /// Rows of another length than those learned.
    pub fn predict(&self, rows: &[Vec<f32>]) -> Result<Vec<u32>> {
        let rows = Matrix::from_2d_vec(&rows.to_vec()).context("rows for a forest")?;
        Ok(self.forest.predict(&rows)?)
    }

    /// Nodes of all trees, leaves included. The library tells them only to those who save a forest.
    ///
    /// # Errors
    ///
    /// The forest is not saved as it used to be.
    pub fn nodes(&self) -> Result<usize> {
        let saved = serde_json::to_value(&self.forest)?;
        let trees = saved["trees"].as_array().context("trees of a forest")?;
        let nodes = |tree: &serde_json::Value| {
            let tree = tree.get("tree_regressor").unwrap_or(tree);
            tree["nodes"].as_array().map(Vec::len)
        };
        trees
            .iter()
            .map(nodes)
            .sum::<Option<usize>>()
            .context("nodes of a tree")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forest_finds_two_blocks_and_a_tree_of_them_has_three_nodes() {
        let row = |n: usize| vec![if n < 20 { 0.0 } else { 9.0 } + (n % 5) as f32 / 5.0];
        let rows: Vec<Vec<f32>> = (0..40).map(row).collect();
        let classes: Vec<u32> = (0..40).map(|n| u32::from(n >= 20)).collect();
        let forest = Forest::grow(&rows, &classes, 7, 1).expect("rows");
        assert_eq!(forest.predict(&rows).expect("rows"), classes);
        assert_eq!(forest.nodes().expect("saved"), 7 * 3);
    }
}
