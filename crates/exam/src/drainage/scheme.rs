//! Everything of an instance: sewers that are too small, the storms, the prices, and a design that is good enough.

use quintain_core::Rng;

use super::design::{COVER_M, DesignCase, least_freeboard};
use super::prices::{DIAMETERS_MM, PipePrices};
use super::runoff;
use super::sewers::SewerNetwork;
use super::storms::StormFamily;
use super::town;

/// The budget over what our own design costs.
const BUDGET_FACTOR: f64 = 1.1;

/// Everything of an instance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SewerScheme {
    pub(super) network: SewerNetwork,
    pub(super) family: StormFamily,
    pub(super) prices: PipePrices,
    pub(super) given_mm: Vec<u32>,
    /// Which pipes have to stay as they are.
    pub(super) is_kept: Vec<bool>,
    pub(super) reference_mm: Vec<u32>,
    pub(super) budget: u64,
}

impl SewerScheme {
    /// The scheme of a seed.
    pub(super) fn drawn(seed: u64, n_manholes: usize) -> Self {
        let mut rng = Rng::new(seed);
        loop {
            if let Some(scheme) = Self::any(&mut rng, n_manholes) {
                return scheme;
            }
        }
    }

    /// Nothing where a difficulty is missing.
    fn any(rng: &mut Rng, n_manholes: usize) -> Option<Self> {
        let network = town::drawn(rng, n_manholes);
        let (family, prices) = (StormFamily::drawn(rng), PipePrices::drawn(rng));
        let peaks: Vec<Vec<f64>> = family.storms().iter().map(|storm| runoff::peaks(&network, storm)).collect();
        let given_mm = given(rng, &network, &peaks)?;
        let floods = least_freeboard(&network, &given_mm, &runoff::peaks(&network, &family.given())) < -1.5;
        if !floods {
            return None;
        }
        let mut is_kept = vec![false; n_manholes];
        is_kept[0] = true;
        let case =
            DesignCase { network: &network, prices: &prices, given_mm: &given_mm, is_kept: &is_kept, peaks: &peaks };
        let reference_mm = case.solved()?;
        let cost = prices.cost(&network, &given_mm, &reference_mm)?;
        let n_new = given_mm.iter().zip(&reference_mm).filter(|(given, new)| given != new).count();
        if !(n_manholes / 3..n_manholes * 4 / 5).contains(&n_new) {
            return None;
        }
        let peak = |pipe: usize| peaks.iter().map(|flows| flows[pipe]).fold(0.0, f64::max);
        let is_ample = |pipe: &usize| network.full_flow(*pipe, given_mm[*pipe]) >= peak(*pipe);
        let ample: Vec<usize> =
            (1..n_manholes).filter(is_ample).filter(|pipe| given_mm[*pipe] == reference_mm[*pipe]).collect();
        keep(rng, ample, &mut is_kept);
        let budget = (cost as f64 * BUDGET_FACTOR / 100.0).round() as u64 * 100;
        Some(Self { network, family, prices, given_mm, is_kept, reference_mm, budget })
    }
}

/// What was laid long ago, for less rain: only the last pipe is new, and large enough.
fn given(rng: &mut Rng, network: &SewerNetwork, peaks: &[Vec<f64>]) -> Option<Vec<u32>> {
    let mut given = vec![0; network.manholes.len()];
    for pipe in (0..given.len()).rev() {
        let widest = network.widest_above(&given)[pipe];
        let peak = peaks.iter().map(|flows| flows[pipe]).fold(0.0, f64::max);
        let share = if pipe == 0 { 1.0 } else { rng.uniform(0.12, 0.42) };
        let fits = |mm: &&u32| **mm >= widest && network.full_flow(pipe, **mm) >= share * peak;
        given[pipe] = *DIAMETERS_MM.iter().find(fits)?;
        if given[pipe] > network.most_mm(pipe, COVER_M) {
            return None;
        }
    }
    Some(given)
}

/// Some of the pipes that carry all storms as they are have to be left: other works lie above them.
fn keep(rng: &mut Rng, mut ample: Vec<usize>, is_kept: &mut [bool]) {
    rng.shuffle(&mut ample);
    for pipe in ample.into_iter().take(1 + is_kept.len() / 12) {
        is_kept[pipe] = true;
    }
}
