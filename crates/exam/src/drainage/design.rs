//! A design that carries every storm, by reckoning: how high the water stands in every manhole, and which pipes need not
//! be as large as their peak flow asks for.

use super::prices::{DIAMETERS_MM, PipePrices};
use super::sewers::SewerNetwork;

/// How much ground has to be above a pipe.
pub(super) const COVER_M: f64 = 0.3;
/// How far below the street water has to stay in a design of ours.
const FREEBOARD_M: f64 = 0.25;

/// A network with its given diameters, and what may be done to it.
pub(super) struct DesignCase<'a> {
    pub(super) network: &'a SewerNetwork,
    pub(super) prices: &'a PipePrices,
    pub(super) given_mm: &'a [u32],
    pub(super) is_kept: &'a [bool],
    /// The peak flow of each pipe in each storm.
    pub(super) peaks: &'a [Vec<f64>],
}

/// How far below the street water stays at the worst manhole with these flows: steady, every pipe with its peak at once.
pub(super) fn least_freeboard(network: &SewerNetwork, diameters_mm: &[u32], flows: &[f64]) -> f64 {
    freeboard(network, diameters_mm, (flows, &network.full_flows(diameters_mm)))
}

/// The same where it is known what each pipe carries when it is just full.
fn freeboard(network: &SewerNetwork, diameters_mm: &[u32], (flows, full_flows): (&[f64], &[f64])) -> f64 {
    let mut levels: Vec<f64> = Vec::with_capacity(flows.len());
    for (pipe, manhole) in network.manholes.iter().enumerate() {
        let diameter = f64::from(diameters_mm[pipe]) / 1000.0;
        let load = flows[pipe] / full_flows[pipe];
        let below = manhole.next.map_or(network.outfall_invert_m, |next| levels[next]);
        let loss = (manhole.invert_m - network.end_m(pipe)) * load * load;
        let level = below.max(network.end_m(pipe) + diameter) + loss;
        levels.push(level.max(manhole.invert_m + diameter.min(diameter * (0.3 + 0.7 * load))));
    }
    let freeboards = network.manholes.iter().zip(&levels).map(|(manhole, level)| manhole.street_m() - level);
    freeboards.fold(f64::INFINITY, f64::min)
}

impl DesignCase<'_> {
    /// Diameters that carry every storm, none narrower than what runs into it, with what can be spared taken back.
    pub(super) fn solved(&self) -> Option<Vec<u32>> {
        let mut design = self.full()?;
        if !self.carries(&design) {
            return None;
        }
        while let Some(better) = self.cheaper(&design) {
            design = better;
        }
        Some(design)
    }

    /// Every pipe just large enough for its largest peak flow without pressure.
    fn full(&self) -> Option<Vec<u32>> {
        let mut design = self.given_mm.to_vec();
        for pipe in (0..design.len()).rev() {
            if self.is_kept[pipe] {
                continue;
            }
            let widest = self.network.widest_above(&design)[pipe];
            let peak = self.peaks.iter().map(|flows| flows[pipe]).fold(0.0, f64::max);
            let fits = |mm: &u32| *mm >= widest && self.network.full_flow(pipe, *mm) >= peak;
            design[pipe] = self.choices(pipe).find(fits)?;
        }
        Some(design)
    }

    /// The diameters that a pipe may have, the given first.
    fn choices(&self, pipe: usize) -> impl DoubleEndedIterator<Item = u32> {
        let (given, most) = (self.given_mm[pipe], self.network.most_mm(pipe, COVER_M));
        [given].into_iter().chain(DIAMETERS_MM.into_iter().filter(move |mm| *mm > given && *mm <= most))
    }

    /// Every pipe as large as it may be, whatever runs into it.
    #[cfg(test)]
    pub(super) fn largest(&self) -> Vec<u32> {
        let largest = |pipe: usize| if self.is_kept[pipe] { None } else { self.choices(pipe).next_back() };
        (0..self.given_mm.len()).map(|pipe| largest(pipe).unwrap_or(self.given_mm[pipe])).collect()
    }

    fn carries(&self, design: &[u32]) -> bool {
        let widest = self.network.widest_above(design);
        if design.iter().zip(&widest).any(|(own, above)| own < above) {
            return false;
        }
        let full_flows = self.network.full_flows(design);
        self.peaks.iter().all(|flows| freeboard(self.network, design, (flows, &full_flows)) >= FREEBOARD_M)
    }

    /// The design with one pipe made smaller that spares most.
    fn cheaper(&self, design: &[u32]) -> Option<Vec<u32>> {
        let price = |pipe: usize, mm: u32| {
            if mm == self.given_mm[pipe] { Some(0) } else { self.prices.one(self.network, pipe, mm) }
        };
        let mut best: Option<(u64, Vec<u32>)> = None;
        for pipe in (0..design.len()).filter(|pipe| !self.is_kept[*pipe]) {
            for smaller in self.choices(pipe).filter(|mm| *mm < design[pipe]) {
                let saved = price(pipe, design[pipe])?.saturating_sub(price(pipe, smaller)?);
                if best.as_ref().is_some_and(|(most, _)| *most >= saved) || saved == 0 {
                    continue;
                }
                let mut other = design.to_vec();
                other[pipe] = smaller;
                if self.carries(&other) {
                    best = Some((saved, other));
                }
            }
        }
        best.map(|(_, design)| design)
    }
}
