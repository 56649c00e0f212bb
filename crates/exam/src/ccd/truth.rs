//! The magnitudes of a night: what is measured in frames without noise, of an even detector.

use serde_json::{Value, json};

use super::night::{CcdNight, FILTERS, FieldStar, SIZE};

/// How far off a magnitude may be: eight times what the noise of the frames does to one.
pub(super) const TOLERANCE: f64 = 0.02;
/// The magnitude of one ADU a second.
const ZERO_POINT: f64 = 25.0;

/// How a star is measured: which pixels are its own and which are its sky, by how far they are.
#[derive(Clone, Copy, Debug)]
struct StarAperture {
    /// How far to the right and up the place is taken.
    shift: f64,
    radius: f64,
    sky: [f64; 2],
}

const ASKED_FOR: StarAperture = StarAperture { shift: 0.0, radius: 6.0, sky: [9.0, 13.0] };

/// The magnitude of every star in every filter.
pub(super) fn photometry(night: &CcdNight) -> Value {
    let mut rows = Vec::new();
    for (filter, magnitudes) in magnitudes(night, ASKED_FOR).iter().enumerate() {
        for (at, magnitude) in magnitudes.iter().enumerate() {
            let magnitude = (magnitude * 1e5).round() / 1e5;
            rows.push(json!({ "star": name(at), "filter": FILTERS[filter], "mag": magnitude }));
        }
    }
    let mag = json!({ "type": "number", "tolerance": TOLERANCE });
    json!({ "columns": { "star": "exact", "filter": "exact", "mag": mag }, "key": ["star", "filter"], "rows": rows })
}

/// What a star of the list is called.
pub(super) fn name(at: usize) -> String {
    format!("S{:02}", at + 1)
}

/// By filter and star. A flat is divided by its median, so what a star gives is multiplied by it.
fn magnitudes(night: &CcdNight, aperture: StarAperture) -> [Vec<f64>; 2] {
    [0, 1].map(|filter| {
        let light = night.starlight(filter);
        let seen = (0..light.len()).filter(|at| !night.is_broken(*at)).map(|at| night.response[filter][at]);
        let scale = median(seen.collect());
        let magnitude = |star: &FieldStar| ZERO_POINT - 2.5 * (flux(night, &light, star, aperture) * scale).log10();
        night.stars.iter().map(magnitude).collect()
    })
}

/// What the pixels of a star have above its sky. What the sky itself gives is the same everywhere, and so it is left out.
fn flux(night: &CcdNight, light: &[f64], star: &FieldStar, aperture: StarAperture) -> f64 {
    let (mut own, mut sky) = (Vec::new(), Vec::new());
    for at in (0..light.len()).filter(|at| !night.is_broken(*at)) {
        let (x, y) = (star.x + aperture.shift, star.y + aperture.shift);
        let far = ((at % SIZE) as f64 - x).hypot((at / SIZE) as f64 - y);
        if far <= aperture.radius {
            own.push(light[at]);
        }
        if far >= aperture.sky[0] && far <= aperture.sky[1] {
            sky.push(light[at]);
        }
    }
    let sky = median(sky);
    own.iter().map(|light| light - sky).sum()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    values[n / 2].midpoint(values[(n - 1) / 2])
}

#[cfg(test)]
mod tests {
    use quintain_core::Rng;

    use super::*;

    #[test]
    fn other_places_apertures_and_skies_give_other_magnitudes() {
        let others = [
            ("counted from 0", StarAperture { shift: 1.0, ..ASKED_FOR }),
            ("a small aperture", StarAperture { radius: 4.0, ..ASKED_FOR }),
            ("a smaller one", StarAperture { radius: 5.0, ..ASKED_FOR }),
            ("a large one", StarAperture { radius: 8.0, ..ASKED_FOR }),
            ("a near sky", StarAperture { sky: [6.0, 9.0], ..ASKED_FOR }),
        ];
        for seed in 0..25 {
            let night = CcdNight::drawn(&mut Rng::new(seed), 6);
            let right = magnitudes(&night, ASKED_FOR).concat();
            for (how, other) in others {
                let wrong = magnitudes(&night, other).concat();
                let off = right.iter().zip(&wrong).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off > 2.0 * TOLERANCE, "seed {seed}, {how}: {off}");
            }
        }
    }
}
