//! Linear algebra for small matrices, rows first.

/// A small matrix.
pub(crate) type DenseMatrix = Vec<Vec<f64>>;

/// The lower triangle whose product with its transpose is this; nothing if it is not positive definite.
pub(crate) fn cholesky(of: &DenseMatrix) -> Option<DenseMatrix> {
    let n = of.len();
    let mut lower = vec![vec![0.0; n]; n];
    for row in 0..n {
        for column in 0..=row {
            let done: f64 = (0..column).map(|at| lower[row][at] * lower[column][at]).sum();
            let rest = of[row][column] - done;
            lower[row][column] = if row == column {
                Some(rest).filter(|rest| *rest > 0.0)?.sqrt()
            } else {
                rest / lower[column][column]
            };
        }
    }
    Some(lower)
}

/// Solves `lower * x = right`.
pub(crate) fn forward(lower: &DenseMatrix, right: &[f64]) -> Vec<f64> {
    let mut x = Vec::with_capacity(right.len());
    for (row, right) in lower.iter().zip(right) {
        let done: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
        x.push((right - done) / row[x.len()]);
    }
    x
}

/// Solves `lower * transpose(lower) * x = right`.
pub(crate) fn solved(lower: &DenseMatrix, right: &[f64]) -> Vec<f64> {
    let mut x = forward(lower, right);
    for at in (0..x.len()).rev() {
        let done: f64 = (at + 1..x.len()).map(|below| lower[below][at] * x[below]).sum();
        x[at] = (x[at] - done) / lower[at][at];
    }
    x
}

/// The log of the determinant of what has this lower triangle.
pub(crate) fn log_determinant(lower: &DenseMatrix) -> f64 {
    lower.iter().enumerate().map(|(at, row)| 2.0 * libm::log(row[at])).sum()
}

/// The product of two matrices.
pub(crate) fn product(a: &DenseMatrix, b: &DenseMatrix) -> DenseMatrix {
    let n_columns = b.first().map_or(0, Vec::len);
    let cell = |row: &[f64], column: usize| row.iter().zip(b).map(|(a, b)| a * b[column]).sum();
    a.iter().map(|row| (0..n_columns).map(|column| cell(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let of = vec![vec![4.0, 2.0, 1.0], vec![2.0, 5.0, 3.0], vec![1.0, 3.0, 6.0]];
        let lower = cholesky(&of).unwrap();
        let x = solved(&lower, &[11.0, 21.0, 25.0]);
        let right = product(&of, &x.iter().map(|x| vec![*x]).collect());
        assert!([11.0, 21.0, 25.0].iter().zip(&right).all(|(a, b)| (a - b[0]).abs() < 1e-12), "{right:?}");
        assert!((log_determinant(&lower) - libm::log(67.0)).abs() < 1e-12);
        assert_eq!(cholesky(&vec![vec![1.0, 2.0], vec![2.0, 1.0]]), None);
    }
}
