//! Projection onto the span of the support vectors, by solving the Gram system afresh each time.

use super::Model;

/// The point of span{k(x_1, .), ..., k(x_n, .)} closest to k(x, .).
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// d, the coefficients of the projection: K d = k with K the Gram matrix and k_i = k(x_i, x).
    pub coefficients: Vec<f64>,
    /// delta^2 = k(x, x) - k . d, the squared distance that remains (never below 0).
    pub residual: f64,
    /// |P|^2 = k(x, x) - delta^2, the squared length of the projection.
    pub squared_length: f64,
}

/// Projects k(x, .).
pub fn project(model: &Model, x: &[f64]) -> Projection {
    let row = |x: &[f64]| {
        model
            .vectors
            .iter()
            .map(|v| model.kernel.value(&v.x, x))
            .collect::<Vec<f64>>()
    };
    let gram: Vec<Vec<f64>> = model.vectors.iter().map(|v| row(&v.x)).collect();
    let k = row(x);
    let coefficients = solve(&gram, &k);
    let explained: f64 = coefficients.iter().zip(&k).map(|(d, k)| d * k).sum();
    let whole = model.kernel.value(x, x);
    let residual = f64::max(0.0, whole - explained);
    Projection {
        coefficients,
        residual,
        squared_length: f64::max(0.0, whole - residual),
    }
}

/// Solves `matrix` z = `right` by Cholesky's method. Only if the matrix is not positive definite to
/// machine precision, the least of 1e-14, 1e-13, ... times its mean diagonal is added to the
/// diagonal that makes it so.
///
/// # Panics
///
/// If the matrix holds a NaN or is far from positive definite, which no Gram matrix is.
pub fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mean = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| row[i])
        .sum::<f64>()
        / matrix.len().max(1) as f64;
    let jitters = [0.0]
        .into_iter()
        .chain((-14..=-6).map(|power| mean * 10f64.powi(power)));
    let lower = jitters
        .into_iter()
        .find_map(|jitter| cholesky(matrix, jitter));
    let lower = lower.expect("a Gram matrix is positive semidefinite");
    let n = right.len();
    let mut z = right.to_vec();
    for i in 0..n {
        let known: f64 = (0..i).map(|j| lower[i][j] * z[j]).sum();
        z[i] = (z[i] - known) / lower[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| lower[j][i] * z[j]).sum();
        z[i] = (z[i] - known) / lower[i][i];
    }
    z
}

/// The lower triangle L with L L^T = matrix + jitter, if it exists.
fn cholesky(matrix: &[Vec<f64>], jitter: f64) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|m| lower[i][m] * lower[j][m]).sum();
            if i == j {
                let square = matrix[i][i] + jitter - known;
                if square.is_nan() || square <= 1e-15 * matrix[i][i] {
                    return None;
                }
                lower[i][i] = square.sqrt();
            } else {
                lower[i][j] = (matrix[i][j] - known) / lower[j][j];
            }
        }
    }
    Some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves_the_system() {
        let matrix = vec![
            vec![4.0, 2.0, 0.5],
            vec![2.0, 3.0, -1.0],
            vec![0.5, -1.0, 2.0],
        ];
        let z = [1.0, -2.0, 0.25];
        let right: Vec<f64> = matrix
            .iter()
            .map(|row| row.iter().zip(z).map(|(a, b)| a * b).sum())
            .collect();
        assert!(
            solve(&matrix, &right)
                .iter()
                .zip(z)
                .all(|(a, b)| (a - b).abs() <= 1e-14)
        );
        assert!(solve(&[], &[]).is_empty());
    }

    #[test]
    fn twins_share_the_coefficient() {
        let d = solve(&[vec![1.0, 1.0], vec![1.0, 1.0]], &[0.5, 0.5]);
        assert!((d[0] + d[1] - 0.5).abs() <= 1e-6, "{d:?}");
    }
}
