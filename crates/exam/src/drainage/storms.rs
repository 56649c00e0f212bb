//! The storms of one return period: how much falls in which time, and when it falls hardest.

use quintain_core::Rng;

/// How long they last, in minutes.
pub(super) const DURATIONS_MIN: [usize; 6] = [20, 30, 45, 60, 90, 120];
/// The time that one intensity holds.
pub(super) const INTERVAL_MIN: usize = 5;

/// A storm whose intensity rises evenly to its peak, and falls evenly from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TriangularStorm {
    pub(super) duration_min: usize,
    pub(super) depth_mm: f64,
    /// The share of its duration after which it rains hardest.
    pub(super) peak: f64,
}

impl TriangularStorm {
    /// Intensities in mm/h, one for each interval: the mean over that interval, to a hundredth.
    pub(super) fn intensities(&self) -> Vec<f64> {
        let n = self.duration_min / INTERVAL_MIN;
        let fallen = |at: usize| self.share_until(at as f64 / n as f64);
        let per_hour = 60.0 / INTERVAL_MIN as f64;
        let intensity = |at: usize| self.depth_mm * (fallen(at + 1) - fallen(at)) * per_hour;
        (0..n).map(|at| (intensity(at) * 100.0).round() / 100.0).collect()
    }

    /// The share of its depth that has fallen after a share of its duration.
    fn share_until(&self, time: f64) -> f64 {
        if time <= self.peak { time * time / self.peak } else { 1.0 - (1.0 - time) * (1.0 - time) / (1.0 - self.peak) }
    }
}

/// All storms of one return period at one place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StormFamily {
    /// The depths of [`DURATIONS_MIN`].
    pub(super) depths_mm: [f64; 6],
    pub(super) peaks: [f64; 3],
}

impl StormFamily {
    pub(super) fn drawn(rng: &mut Rng) -> Self {
        // Depth = a * D / (D + b)^c, which falls in any time longer than its duration too.
        let (a, b, c) = (rng.uniform(16.0, 20.0), rng.uniform(8.0, 12.0), rng.uniform(0.74, 0.8));
        let depth = |minutes: usize| {
            let minutes = minutes as f64;
            (a * minutes / libm::pow(minutes + b, c) * 10.0).round() / 10.0
        };
        let early = rng.between(4, 7) as f64 / 20.0;
        Self { depths_mm: DURATIONS_MIN.map(depth), peaks: [early, 0.5, rng.between(13, 16) as f64 / 20.0] }
    }

    /// All of them, the shortest first, each with its peaks from early to late.
    pub(super) fn storms(&self) -> Vec<TriangularStorm> {
        let durations = DURATIONS_MIN.into_iter().zip(self.depths_mm);
        let with_peaks =
            |(duration_min, depth_mm)| self.peaks.map(move |peak| TriangularStorm { duration_min, depth_mm, peak });
        durations.flat_map(with_peaks).collect()
    }

    /// The one that the model comes with: it lasts an hour, with its peak in the middle.
    pub(super) fn given(&self) -> TriangularStorm {
        TriangularStorm { duration_min: DURATIONS_MIN[3], depth_mm: self.depths_mm[3], peak: self.peaks[1] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storm_rises_to_its_peak_and_holds_its_depth() {
        let storm = TriangularStorm { duration_min: 20, depth_mm: 24.0, peak: 0.25 };
        assert_eq!(storm.intensities(), [72.0, 120.0, 72.0, 24.0]);
        let storm = TriangularStorm { duration_min: 20, depth_mm: 24.0, peak: 0.5 };
        assert_eq!(storm.intensities(), [36.0, 108.0, 108.0, 36.0]);
    }

    #[test]
    fn a_family_has_18_storms_and_the_given_is_one_of_them() {
        for seed in 0..50 {
            let family = StormFamily::drawn(&mut Rng::new(seed));
            let all = family.storms();
            assert_eq!(all.len(), 18);
            assert!(all.contains(&family.given()), "{family:?}");
            assert!(family.depths_mm.is_sorted_by(|a, b| a < b), "{family:?}");
        }
    }
}
