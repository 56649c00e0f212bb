//! How much of a storm runs off a catchment, and how much flows in each pipe: reckoned as engineers do by hand, from above.

use super::sewers::{SewerNetwork, SoilIntake, StreetCatchment};
use super::storms::{INTERVAL_MIN, TriangularStorm};

/// The step of time.
const STEP_S: f64 = 15.0;
const STEPS_PER_INTERVAL: usize = INTERVAL_MIN * 4;
/// How long is looked at after the end of a storm.
const AFTER_MIN: usize = 40;
/// How fast water runs in pipes, to reckon with its delay.
const VELOCITY_M_S: f64 = 1.5;

/// Properties that all catchments share: roughness, and millimetres that stay on a surface.
pub(super) const PAVED_ROUGHNESS: f64 = 0.014;
pub(super) const OPEN_ROUGHNESS: f64 = 0.2;
pub(super) const PAVED_STORAGE_MM: f64 = 1.5;
pub(super) const OPEN_STORAGE_MM: f64 = 5.0;
/// The share of what is paved that holds nothing back.
pub(super) const SMOOTH_PERCENT: f64 = 25.0;

/// A part of a catchment: a basin that runs over.
struct RunoffPlane {
    area_m2: f64,
    /// What runs off, over the depth to the power of 5/3.
    conveyance: f64,
    storage_m: f64,
    depth_m: f64,
}

impl RunoffPlane {
    /// Rain less what seeps away, in m/s, for one step; gives what runs off in m³/s.
    fn step(&mut self, rain: f64, intake: f64) -> f64 {
        let on_it = self.depth_m + rain * STEP_S;
        let seeped = (intake * STEP_S).min(on_it);
        let above = (on_it - seeped - self.storage_m).max(0.0);
        let root = if above > 0.0 { libm::cbrt(above) } else { 0.0 }; // The root of nothing is known.
        let off = (self.conveyance * above * root * root).min(above / STEP_S);
        self.depth_m = on_it - seeped - off * STEP_S;
        off * self.area_m2
    }
}

fn planes(catchment: &StreetCatchment) -> [RunoffPlane; 3] {
    let area = catchment.area_ha * 1e4;
    let paved = area * catchment.paved_percent / 100.0;
    let plane = |area_m2: f64, of_m2: f64, roughness: f64, storage_mm: f64| RunoffPlane {
        area_m2,
        conveyance: catchment.width_m * (catchment.slope_percent / 100.0).sqrt() / (roughness * of_m2),
        storage_m: storage_mm / 1000.0,
        depth_m: 0.0,
    };
    let smooth = paved * SMOOTH_PERCENT / 100.0;
    [
        plane(smooth, paved, PAVED_ROUGHNESS, 0.0),
        plane(paved - smooth, paved, PAVED_ROUGHNESS, PAVED_STORAGE_MM),
        plane(area - paved, area - paved, OPEN_ROUGHNESS, OPEN_STORAGE_MM),
    ]
}

/// What seeps away step by step where there is enough of it, in m/s.
fn intakes(soil: SoilIntake, n_steps: usize) -> Vec<f64> {
    let intake = |at: usize| {
        let hours = at as f64 * STEP_S / 3600.0;
        (soil.last_rate + (soil.first_rate - soil.last_rate) * libm::exp(-soil.decay * hours)) / 3.6e6
    };
    (0..n_steps).map(intake).collect()
}

/// What runs off a catchment step by step, in m³/s.
fn hydrograph(catchment: &StreetCatchment, intakes: &[f64], intensities: &[f64]) -> Vec<f64> {
    let [mut smooth, mut paved, mut open] = planes(catchment);
    let step = |(at, intake): (usize, &f64)| {
        let rain = intensities.get(at / STEPS_PER_INTERVAL).map_or(0.0, |mm_h| mm_h / 3.6e6);
        smooth.step(rain, 0.0) + paved.step(rain, 0.0) + open.step(rain, *intake)
    };
    intakes.iter().enumerate().map(step).collect()
}

/// The most that flows into each pipe in a storm, if no street is flooded and nothing evens out on the way.
pub(super) fn peaks(network: &SewerNetwork, storm: &TriangularStorm) -> Vec<f64> {
    let intensities = storm.intensities();
    let intakes = intakes(network.soil, intensities.len() * STEPS_PER_INTERVAL + AFTER_MIN * 4);
    let manholes = network.manholes.iter();
    let mut flows: Vec<Vec<f64>> =
        manholes.map(|manhole| hydrograph(&manhole.catchment, &intakes, &intensities)).collect();
    for at in (0..flows.len()).rev() {
        if let Some(next) = network.manholes[at].next {
            let late = (f64::from(network.manholes[at].length_m) / VELOCITY_M_S / STEP_S) as usize;
            let (below, above) = flows.split_at_mut(at);
            below[next].iter_mut().skip(late).zip(&above[0]).for_each(|(sum, flow)| *sum += flow);
        }
    }
    flows.iter().map(|flow| flow.iter().copied().fold(0.0, f64::max)).collect()
}
