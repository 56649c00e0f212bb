//! Vector autoregressions by least squares, and what follows from shocks to them.

use super::assembled::ModelSeries;
use crate::linear::{DenseMatrix, cholesky, log_determinant, product, solved};

/// A model that was fitted: coefficients of each lag, and the residuals' covariance with the number of observations as its
/// divisor.
#[derive(Clone, Debug)]
pub(super) struct FittedModel {
    lags: Vec<DenseMatrix>,
    covariance: DenseMatrix,
    n_months: usize,
}

/// What is regressed: for each month the regressors and the variables.
struct RegressedMonths(Vec<(Vec<f64>, [f64; 4])>);

impl RegressedMonths {
    /// A constant, the strike and the lags, of the months from `from` on.
    fn of(series: &ModelSeries, n_lags: usize, from: usize) -> Self {
        let regressors = |at: usize| -> Vec<f64> {
            let past = (1..=n_lags).flat_map(|lag| series.months[at - lag]);
            [1.0, f64::from(u8::from(at == series.strike))].into_iter().chain(past).collect()
        };
        Self((from..series.months.len()).map(|at| (regressors(at), series.months[at])).collect())
    }

    /// The coefficients of each variable's equation, by least squares.
    fn coefficients(&self) -> Option<DenseMatrix> {
        let n_regressors = self.0.first()?.0.len();
        let sum = |term: &dyn Fn(&[f64], &[f64; 4]) -> f64| self.0.iter().map(|(x, y)| term(x, y)).sum::<f64>();
        let moments = |a: usize| (0..n_regressors).map(|b| sum(&|x, _| x[a] * x[b])).collect();
        let lower = cholesky(&(0..n_regressors).map(moments).collect())?;
        let right = |of: usize| (0..n_regressors).map(|a| sum(&|x, y| x[a] * y[of])).collect::<Vec<f64>>();
        Some((0..4).map(|of| solved(&lower, &right(of))).collect())
    }

    /// The covariance of what the coefficients do not explain.
    fn covariance(&self, coefficients: &DenseMatrix) -> DenseMatrix {
        let fitted = |x: &[f64], of: usize| x.iter().zip(&coefficients[of]).map(|(x, b)| x * b).sum::<f64>();
        let residuals = self.0.iter().map(|(x, y)| [0, 1, 2, 3].map(|of| y[of] - fitted(x, of)));
        let residuals: Vec<[f64; 4]> = residuals.collect();
        let cell = |a: usize, b: usize| residuals.iter().map(|r| r[a] * r[b]).sum::<f64>() / residuals.len() as f64;
        (0..4).map(|a| (0..4).map(|b| cell(a, b)).collect()).collect()
    }
}

impl FittedModel {
    /// Least squares with a constant and the strike, of the months from `from` on.
    pub(super) fn of(series: &ModelSeries, n_lags: usize, from: usize) -> Option<Self> {
        let months = RegressedMonths::of(series, n_lags, from);
        let coefficients = months.coefficients()?;
        let of_lag = |lag: usize| coefficients.iter().map(|row| row[2 + 4 * lag..6 + 4 * lag].to_vec()).collect();
        Some(Self {
            lags: (0..n_lags).map(of_lag).collect(),
            covariance: months.covariance(&coefficients),
            n_months: months.0.len(),
        })
    }

    /// The log of the covariance's determinant, with a price for each coefficient.
    pub(super) fn criterion(&self, price: fn(f64) -> f64) -> Option<f64> {
        let n_coefficients = 4 * (4 * self.lags.len() + 2);
        let n = self.n_months as f64;
        Some(log_determinant(&cholesky(&self.covariance)?) + n_coefficients as f64 * price(n) / n)
    }

    /// For each horizon, what each variable (row) does after a shock of one standard deviation to each (column). Shocks are
    /// told apart in the order of the variables that is given.
    pub(super) fn responses(&self, order: [usize; 4], n_horizons: usize) -> Option<Vec<DenseMatrix>> {
        let mut all: Vec<DenseMatrix> = vec![self.impact(order)?];
        while all.len() < n_horizons {
            let mut next = vec![vec![0.0; 4]; 4];
            for (lag, coefficients) in self.lags.iter().enumerate().take(all.len()) {
                let part = product(coefficients, &all[all.len() - 1 - lag]);
                let cells = next.iter_mut().zip(part).flat_map(|(next, part)| next.iter_mut().zip(part));
                cells.for_each(|(next, part)| *next += part);
            }
            all.push(next);
        }
        Some(all)
    }

    fn impact(&self, order: [usize; 4]) -> Option<DenseMatrix> {
        let ordered: DenseMatrix =
            order.iter().map(|a| order.iter().map(|b| self.covariance[*a][*b]).collect()).collect();
        let lower = cholesky(&ordered)?;
        let mut impact = vec![vec![0.0; 4]; 4];
        for (row, a) in order.iter().enumerate() {
            for (column, b) in order.iter().enumerate() {
                impact[*a][*b] = lower[row][column];
            }
        }
        Some(impact)
    }
}
