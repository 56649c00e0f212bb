//! Regions of countries.

use super::{CountryTable, MapPoint};
use crate::column::Column;
use crate::companies::Sector;
use crate::dice::{Strand, WorldKey};
use crate::ids::{CountryId, RegionId, WordId};
use crate::names::coining::{Coiner, Use};
use crate::shares::shares;
use crate::size::Counts;

/// Properties of regions. Those of a country stand together, the most populous first.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionTable {
    /// The name.
    pub name: Column<RegionId, WordId>,
    /// The country it belongs to.
    pub country: Column<RegionId, CountryId>,
    /// Its share of the country's people, in hundredths of a percent.
    pub population_share_bp: Column<RegionId, u32>,
    /// What it is known for: half of its companies are of these sectors, most of the first.
    pub specialities: Column<RegionId, [Sector; 2]>,
    /// Its middle on the map.
    pub middle: Column<RegionId, MapPoint>,
}

impl RegionTable {
    pub(super) fn new(key: WorldKey, counts: &Counts, countries: &CountryTable, coiner: &mut Coiner) -> Self {
        let mut table = Self {
            name: Column::with_capacity(counts.regions),
            country: Column::with_capacity(counts.regions),
            population_share_bp: Column::with_capacity(counts.regions),
            specialities: Column::with_capacity(counts.regions),
            middle: Column::with_capacity(counts.regions),
        };
        let weights: Vec<f64> =
            countries.population_2015_k.as_slice().iter().map(|&people| libm::sqrt(f64::from(people))).collect();
        let parts = shares(counts.regions, &weights, 3.min(counts.regions / counts.countries));
        for (country, n_regions) in countries.name.ids().zip(parts) {
            table.add_regions(key, country, n_regions, countries, coiner);
        }
        table
    }

    fn add_regions(&mut self, key: WorldKey, of: CountryId, n: usize, countries: &CountryTable, coiner: &mut Coiner) {
        let weights: Vec<f64> = (0..n).map(|rank| 1.0 / libm::pow(rank as f64 + 1.3, 0.75)).collect();
        for share in shares(10_000, &weights, 0) {
            let mut dice = key.dice(Strand::Region, self.name.len() as u64);
            self.name.push(coiner.coin(countries.culture[of], Use::Region, &mut dice));
            self.country.push(of);
            self.population_share_bp.push(share as u32);
            let first = *dice.choose(&Sector::SPECIALITIES);
            let others: Vec<Sector> = Sector::SPECIALITIES.into_iter().filter(|&sector| sector != first).collect();
            self.specialities.push([first, *dice.choose(&others)]);
            let middle = countries.middle[of];
            let (x_km, y_km) = (middle.x_km + dice.days(-380, 380), middle.y_km + dice.days(-340, 340));
            self.middle.push(MapPoint { x_km, y_km });
        }
    }
}
