//! A linear mixed model with two independent random effects of each group, by restricted maximum likelihood.

use crate::linear::{DenseMatrix, cholesky, log_determinant, solved};

/// How many fixed effects there are.
pub(super) const N_FIXED: usize = 5;
/// The largest ratio of a random effect's standard deviation to that of the residuals.
const LARGEST: f64 = 4.0;
/// How often either ratio is looked for while the other stays, and when they no longer move.
const MOST_ROUNDS: usize = 40;
const STILL: f64 = 1e-7;
/// The steps of the first round, and how far off slopes are looked at in the others.
const N_COARSE_STEPS: usize = 12;
const NEARBY: f64 = 3e-4;

/// What is observed once: the regressors of fixed effects, those of random effects, and the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct MixedObservation {
    pub(super) fixed: [f64; N_FIXED],
    pub(super) random: [f64; 2],
    pub(super) value: f64,
}

/// What a group's observations come down to: cross products of random effects, fixed effects and values.
struct GroupMoments {
    random: [[f64; 2]; 2],
    random_fixed: [[f64; N_FIXED]; 2],
    random_value: [f64; 2],
}

/// All groups, and the cross products of everything.
struct ModelMoments {
    groups: Vec<GroupMoments>,
    fixed: DenseMatrix,
    fixed_value: Vec<f64>,
    value: f64,
    n: usize,
}

/// A model that was fitted.
#[derive(Clone, Debug)]
pub(super) struct MixedFit {
    pub(super) fixed: Vec<f64>,
    /// The covariance of the fixed effects' estimates.
    pub(super) covariance: DenseMatrix,
    pub(super) random_sd: [f64; 2],
    pub(super) residual_sd: f64,
    /// The most likely random effects of each group.
    pub(super) modes: Vec<[f64; 2]>,
}

/// Which likelihood is made as large as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LikelihoodKind {
    Restricted,
    Full,
}

/// What is known of the model once the ratios are given.
struct ProfiledModel {
    deviance: f64,
    lower: DenseMatrix,
    fixed: Vec<f64>,
    variance: f64,
}

/// Fits the model. `holds` tells for each random effect whether it is there.
pub(super) fn fit(groups: &[Vec<MixedObservation>], kind: LikelihoodKind, holds: [bool; 2]) -> Option<MixedFit> {
    let moments = ModelMoments::of(groups);
    let mut ratios = [0.5, 0.5];
    (0..2).filter(|at| !holds[*at]).for_each(|at| ratios[at] = 0.0);
    for round in 0..MOST_ROUNDS {
        let before = ratios;
        for at in (0..2).filter(|at| holds[*at]) {
            let deviance = |ratio: f64| {
                let mut tried = ratios;
                tried[at] = ratio;
                moments.profiled(tried, kind).map_or(f64::INFINITY, |model| model.deviance)
            };
            ratios[at] = if round == 0 { coarsely_least(deviance) } else { nearer(deviance, ratios[at]) };
        }
        if before.iter().zip(ratios).all(|(before, after)| (before - after).abs() < STILL) {
            break;
        }
    }
    let model = moments.profiled(ratios, kind)?;
    let sd = model.variance.sqrt();
    let unit = |at: usize| (0..N_FIXED).map(|other| f64::from(u8::from(other == at))).collect::<Vec<_>>();
    let columns =
        (0..N_FIXED).map(|at| solved(&model.lower, &unit(at)).iter().map(|cell| cell * model.variance).collect());
    Some(MixedFit {
        covariance: columns.collect(),
        random_sd: ratios.map(|ratio| ratio * sd),
        residual_sd: sd,
        modes: moments.groups.iter().map(|group| group.mode(ratios, &model.fixed)).collect(),
        fixed: model.fixed,
    })
}

/// About where a function with one valley is least, by the golden section.
fn coarsely_least(of: impl Fn(f64) -> f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.0, LARGEST);
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (of(left), of(right));
    for _ in 0..N_COARSE_STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = of(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = of(right);
        }
    }
    low.midpoint(high)
}

/// Nearer to where a function is least, by one step of Newton's.
fn nearer(of: impl Fn(f64) -> f64, at: f64) -> f64 {
    let (below, here, above) = (of(at - NEARBY), of(at), of(at + NEARBY));
    let (slope, bend) = ((above - below) / (2.0 * NEARBY), (above - 2.0 * here + below) / (NEARBY * NEARBY));
    if bend > 0.0 { (at - slope / bend).clamp(0.0, LARGEST) } else { at }
}

impl GroupMoments {
    fn of(observations: &[MixedObservation]) -> Self {
        let sum = |term: &dyn Fn(&MixedObservation) -> f64| observations.iter().map(term).sum::<f64>();
        Self {
            random: [0, 1].map(|a| [0, 1].map(|b| sum(&|one| one.random[a] * one.random[b]))),
            random_fixed: [0, 1].map(|a| std::array::from_fn(|b| sum(&|one| one.random[a] * one.fixed[b]))),
            random_value: [0, 1].map(|a| sum(&|one| one.random[a] * one.value)),
        }
    }

    /// The inverse of one plus the scaled cross products of random effects, and the log of its determinant.
    fn inverse(&self, ratios: [f64; 2]) -> ([[f64; 2]; 2], f64) {
        let cell = |a: usize, b: usize| self.random[a][b] * ratios[a] * ratios[b];
        let (first, both, second) = (1.0 + cell(0, 0), cell(0, 1), 1.0 + cell(1, 1));
        let determinant = first * second - both * both;
        let inverse = [[second, -both], [-both, first]].map(|row| row.map(|cell| cell / determinant));
        (inverse, libm::log(determinant))
    }

    fn mode(&self, ratios: [f64; 2], fixed: &[f64]) -> [f64; 2] {
        let (inverse, _) = self.inverse(ratios);
        let explained = |a: usize| self.random_fixed[a].iter().zip(fixed).map(|(x, b)| x * b).sum::<f64>();
        let rest = [0, 1].map(|a| ratios[a] * (self.random_value[a] - explained(a)));
        [0, 1].map(|a| ratios[a] * (inverse[a][0] * rest[0] + inverse[a][1] * rest[1]))
    }
}

impl ModelMoments {
    fn of(groups: &[Vec<MixedObservation>]) -> Self {
        let all = || groups.iter().flatten();
        let cross = |a: usize, b: usize| all().map(|one| one.fixed[a] * one.fixed[b]).sum::<f64>();
        Self {
            groups: groups.iter().map(|group| GroupMoments::of(group)).collect(),
            fixed: (0..N_FIXED).map(|a| (0..N_FIXED).map(|b| cross(a, b)).collect()).collect(),
            fixed_value: (0..N_FIXED).map(|a| all().map(|one| one.fixed[a] * one.value).sum()).collect(),
            value: all().map(|one| one.value * one.value).sum(),
            n: all().count(),
        }
    }

    /// The best fixed effects and residual variance for these ratios.
    fn profiled(&self, ratios: [f64; 2], kind: LikelihoodKind) -> Option<ProfiledModel> {
        let (mut fixed, mut fixed_value, mut value) = (self.fixed.clone(), self.fixed_value.clone(), self.value);
        let mut logs = 0.0;
        for group in &self.groups {
            let (inverse, log) = group.inverse(ratios);
            logs += log;
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let weight = inverse[a][b] * ratios[a] * ratios[b];
                for (row, left) in group.random_fixed[a].iter().enumerate() {
                    fixed[row]
                        .iter_mut()
                        .zip(group.random_fixed[b])
                        .for_each(|(cell, right)| *cell -= weight * left * right);
                    fixed_value[row] -= weight * left * group.random_value[b];
                }
                value -= weight * group.random_value[a] * group.random_value[b];
            }
        }
        let lower = cholesky(&fixed)?;
        let best = solved(&lower, &fixed_value);
        let rest = value - best.iter().zip(&fixed_value).map(|(a, b)| a * b).sum::<f64>();
        let (n_free, more) = match kind {
            LikelihoodKind::Restricted => ((self.n - N_FIXED) as f64, log_determinant(&lower)),
            LikelihoodKind::Full => (self.n as f64, 0.0),
        };
        let variance = rest / n_free;
        Some(ProfiledModel { deviance: logs + more + n_free * libm::log(variance), lower, fixed: best, variance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight groups of twelve, by a pattern that looks like chance.
    fn example() -> Vec<Vec<MixedObservation>> {
        let observation = |group: usize, at: usize| {
            let side = |is_even: bool| if is_even { 0.5 } else { -0.5 };
            let (one, other, block) =
                (side(at.is_multiple_of(2)), side(group.is_multiple_of(2)), (at / 2) as f64 - 2.5);
            let noise = ((group * 37 + at * 17 + group * at * 5) % 23) as f64 / 23.0;
            let value = 6.0 + noise + one * (group % 3) as f64 * 0.8 + (group * group * 7 % 11) as f64 / 11.0;
            MixedObservation { fixed: [1.0, one, other, one * other, block], random: [1.0, one], value }
        };
        (0..8).map(|group| (0..12).map(|at| observation(group, at)).collect()).collect()
    }

    /// What R's package lme4 makes of the same.
    #[test]
    fn an_example_comes_out_as_elsewhere() {
        let near = |found: &[f64], wanted: &[f64]| {
            let is_near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 5e-6);
            assert!(is_near && found.len() == wanted.len(), "{found:?} {wanted:?}");
        };
        let model = fit(&example(), LikelihoodKind::Restricted, [true; 2]).unwrap();
        let errors: Vec<f64> = (0..N_FIXED).map(|at| model.covariance[at][at].sqrt()).collect();
        near(&model.fixed, &[6.975_131_75, 0.783_333_33, -0.133_893_28, -0.232_608_70, -0.021_428_57]);
        near(&errors, &[0.134_954_26, 0.240_124_89, 0.269_908_52, 0.480_249_78, 0.017_936_68]);
        near(&model.random_sd, &[0.371_744_96, 0.656_697_87]);
        near(&[model.residual_sd], &[0.300_138_05]);
        near(&model.modes[0], &[-0.404_336_92, -0.535_537_21]);
        let other = fit(&example(), LikelihoodKind::Full, [true; 2]).unwrap();
        near(&other.random_sd, &[0.319_159_61, 0.562_412_19]);
        near(&[other.residual_sd], &[0.298_256_29]);
    }
}
