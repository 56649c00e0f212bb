//! Storm sewers: manholes, the streets that drain into them, and the pipes between them.

use std::f64::consts::PI;

/// Manning's roughness of all pipes.
pub(super) const PIPE_ROUGHNESS: f64 = 0.013;

/// An area whose rain runs into a manhole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StreetCatchment {
    pub(super) area_ha: f64,
    pub(super) paved_percent: f64,
    pub(super) width_m: f64,
    pub(super) slope_percent: f64,
}

/// A manhole, what drains into it, and the pipe that leaves it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Manhole {
    /// Its number and that of its pipe and catchment.
    pub(super) number: usize,
    pub(super) place: (f64, f64),
    pub(super) invert_m: f64,
    /// From its invert to the street.
    pub(super) depth_m: f64,
    /// Where its pipe ends: a manhole that stands before it in the list, or the outfall.
    pub(super) next: Option<usize>,
    pub(super) length_m: u32,
    pub(super) catchment: StreetCatchment,
}

impl Manhole {
    pub(super) fn street_m(&self) -> f64 {
        self.invert_m + self.depth_m
    }

    /// What its pipe is called.
    pub(super) fn pipe(&self) -> String {
        format!("C{}", self.number)
    }
}

/// How the ground takes water in: Horton's curve, in mm/h and 1/h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SoilIntake {
    pub(super) first_rate: f64,
    pub(super) last_rate: f64,
    pub(super) decay: f64,
}

/// Manholes from the outfall upwards, and what all of them have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SewerNetwork {
    pub(super) town: &'static str,
    pub(super) manholes: Vec<Manhole>,
    pub(super) outfall: (f64, f64),
    pub(super) outfall_invert_m: f64,
    pub(super) soil: SoilIntake,
}

impl SewerNetwork {
    /// The invert at which a pipe ends.
    pub(super) fn end_m(&self, pipe: usize) -> f64 {
        self.manholes[pipe].next.map_or(self.outfall_invert_m, |next| self.manholes[next].invert_m)
    }

    pub(super) fn slope(&self, pipe: usize) -> f64 {
        (self.manholes[pipe].invert_m - self.end_m(pipe)) / f64::from(self.manholes[pipe].length_m)
    }

    /// What a pipe of a diameter carries when it is just full, in m³/s.
    pub(super) fn full_flow(&self, pipe: usize, diameter_mm: u32) -> f64 {
        let diameter = f64::from(diameter_mm) / 1000.0;
        let area = PI / 4.0 * diameter * diameter;
        area * libm::pow(diameter / 4.0, 2.0 / 3.0) * self.slope(pipe).sqrt() / PIPE_ROUGHNESS
    }

    /// What each pipe carries when it is just full, in m³/s.
    pub(super) fn full_flows(&self, diameters_mm: &[u32]) -> Vec<f64> {
        diameters_mm.iter().enumerate().map(|(pipe, mm)| self.full_flow(pipe, *mm)).collect()
    }

    /// The depth that a trench for a pipe has: the mean of those of its manholes. The last one's end is as deep as its begin.
    pub(super) fn trench_m(&self, pipe: usize) -> f64 {
        let here = &self.manholes[pipe];
        f64::midpoint(here.depth_m, here.next.map_or(here.depth_m, |next| self.manholes[next].depth_m))
    }

    /// The largest diameter that leaves so much ground above a pipe at both ends.
    pub(super) fn most_mm(&self, pipe: usize, cover_m: f64) -> u32 {
        let here = &self.manholes[pipe];
        let depth = here.next.map_or(here.depth_m, |next| self.manholes[next].depth_m.min(here.depth_m));
        ((depth - cover_m) * 1000.0).round() as u32
    }

    /// The largest diameter among the pipes that run into the begin of each.
    pub(super) fn widest_above(&self, diameters_mm: &[u32]) -> Vec<u32> {
        let mut widest = vec![0; diameters_mm.len()];
        for (manhole, diameter) in self.manholes.iter().zip(diameters_mm) {
            if let Some(next) = manhole.next {
                widest[next] = widest[next].max(*diameter);
            }
        }
        widest
    }
}
