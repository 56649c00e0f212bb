//! What new pipes cost.

use std::fmt::Write as _;

use quintain_core::Rng;

use super::sewers::SewerNetwork;

/// The diameters that can be bought.
pub(super) const DIAMETERS_MM: [u32; 11] = [300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600];
/// Trenches up to this deep, and those up to that, have a price; and deeper ones.
pub(super) const TRENCHES_M: [f64; 2] = [2.2, 2.8];

/// Prices of a metre of new pipe by diameter and depth of the trench.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PipePrices([[u32; 3]; DIAMETERS_MM.len()]);

impl PipePrices {
    pub(super) fn drawn(rng: &mut Rng) -> Self {
        let (fixed, growth) = (rng.uniform(90.0, 140.0), rng.uniform(0.9, 1.1));
        let (deeper, deepest) = (rng.uniform(1.15, 1.25), rng.uniform(1.4, 1.6));
        let price = |diameter_mm: u32| {
            let metres = f64::from(diameter_mm) / 1000.0;
            let plain = fixed + growth * (260.0 * metres + 420.0 * metres * metres);
            [1.0, deeper, deepest].map(|factor| (plain * factor / 5.0).round() as u32 * 5)
        };
        Self(DIAMETERS_MM.map(price))
    }

    /// What it costs to give pipes other diameters: each that changes is laid anew.
    pub(super) fn cost(&self, network: &SewerNetwork, given_mm: &[u32], diameters_mm: &[u32]) -> Option<u64> {
        let pipes = given_mm.iter().zip(diameters_mm).enumerate();
        pipes.filter(|(_, (given, new))| given != new).map(|(pipe, (_, new))| self.one(network, pipe, *new)).sum()
    }

    /// What one pipe costs; nothing is told of a diameter that cannot be bought.
    pub(super) fn one(&self, network: &SewerNetwork, pipe: usize, diameter_mm: u32) -> Option<u64> {
        let at = DIAMETERS_MM.iter().position(|listed| *listed == diameter_mm)?;
        // Depths are whole centimetres, and half ones count.
        let trench = network.trench_m(pipe) - 1e-6;
        let class = TRENCHES_M.iter().filter(|limit| trench > **limit).count();
        Some(u64::from(self.0[at][class]) * u64::from(network.manholes[pipe].length_m))
    }

    /// The price list as a table.
    pub(super) fn written(&self) -> String {
        let [shallow, middle] = TRENCHES_M;
        let mut out = format!("diameter_mm,trench_up_to_{shallow:.2}_m,trench_up_to_{middle:.2}_m,trench_deeper\n");
        for (diameter, [shallow, middle, deep]) in DIAMETERS_MM.iter().zip(self.0) {
            writeln!(out, "{diameter},{shallow},{middle},{deep}").ok();
        }
        out
    }
}
