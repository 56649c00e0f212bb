//! A town's sewers from a seed: a main sewer along the valley and side sewers in the streets on both sides.

use quintain_core::Rng;

use super::sewers::{Manhole, SewerNetwork, SoilIntake, StreetCatchment};

const TOWNS: [&str; 8] =
    ["Alderbeck", "Brinefield", "Cobbleton", "Dunmere", "Eastwick Green", "Fallowby", "Garrow Hill", "Hexmoor"];

/// Where a manhole stands before its heights are known.
struct ManholeSite {
    place: (f64, f64),
    next: Option<usize>,
    length_m: u32,
    is_main: bool,
}

/// The sewers of a town.
pub(super) fn drawn(rng: &mut Rng, n_manholes: usize) -> SewerNetwork {
    let sites = sites(rng, n_manholes);
    let outfall_invert_m = rng.between(1800, 9000) as f64 / 100.0;
    let mut manholes: Vec<Manhole> = Vec::with_capacity(sites.len());
    for (at, site) in sites.iter().enumerate() {
        let fall = if site.is_main { rng.uniform(0.0022, 0.0045) } else { rng.uniform(0.004, 0.009) };
        let below = site.next.map_or(outfall_invert_m, |next| manholes[next].invert_m);
        let depth = if site.is_main { rng.between(250, 330) } else { rng.between(190, 250) };
        manholes.push(Manhole {
            number: 10 * (sites.len() - at),
            place: site.place,
            invert_m: ((below + fall * f64::from(site.length_m)) * 100.0).round() / 100.0,
            depth_m: depth as f64 / 100.0,
            next: site.next,
            length_m: site.length_m,
            catchment: catchment(rng),
        });
    }
    let soil = SoilIntake {
        first_rate: rng.between(40, 75) as f64,
        last_rate: rng.between(3, 9) as f64,
        decay: rng.between(3, 5) as f64,
    };
    let first = manholes[0].place;
    let outfall = (first.0, first.1 - f64::from(manholes[0].length_m));
    let town = rng.choose(&TOWNS);
    SewerNetwork { town, manholes, outfall, outfall_invert_m, soil }
}

fn catchment(rng: &mut Rng) -> StreetCatchment {
    let area_ha = rng.between(25, 85) as f64 / 100.0;
    let way_m = rng.uniform(30.0, 60.0);
    StreetCatchment {
        area_ha,
        paved_percent: rng.between(40, 80) as f64,
        width_m: (area_ha * 1e4 / way_m).round(),
        slope_percent: rng.between(6, 22) as f64 / 10.0,
    }
}

/// The main sewer from the outfall upwards, then the side sewers.
fn sites(rng: &mut Rng, n_manholes: usize) -> Vec<ManholeSite> {
    let n_main = n_manholes * 2 / 5 + 1;
    let mut sites = Vec::with_capacity(n_manholes);
    let (mut x, mut y) = (2000.0, 1000.0);
    for at in 0..n_main {
        let length_m = rng.between(62, 108) as u32;
        let aside = if at > 0 { rng.between(-12, 12) as f64 } else { 0.0 };
        x += aside;
        y += (f64::from(length_m * length_m) - aside * aside).sqrt();
        sites.push(ManholeSite { place: (x, y), next: at.checked_sub(1), length_m, is_main: true });
    }
    let mut begins: Vec<(usize, f64)> = (1..n_main).flat_map(|at| [(at, -1.0), (at, 1.0)]).collect();
    rng.shuffle(&mut begins);
    for (begin, side) in begins.into_iter().cycle() {
        let mut next = begin;
        for _ in 0..rng.between(2, 4) {
            if sites.len() == n_manholes {
                return sites;
            }
            let length_m = rng.between(48, 92) as u32;
            let (x, y) = sites[next].place;
            let place = (x + side * f64::from(length_m), y);
            sites.push(ManholeSite { place, next: Some(next), length_m, is_main: false });
            next = sites.len() - 1;
        }
    }
    sites
}
