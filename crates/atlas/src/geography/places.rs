//! Towns and cities.

use super::{CountryTable, MapPoint, RegionTable};
use crate::column::Column;
use crate::dice::{Strand, WorldKey};
use crate::ids::{PlaceId, RegionId, WordId};
use crate::names::coining::{Coiner, Use};
use crate::shares::shares;
use crate::size::Counts;

/// Properties of places. Those of a region stand together, the largest first.
#[derive(Clone, Debug, PartialEq)]
pub struct TownTable {
    /// The name.
    pub name: Column<PlaceId, WordId>,
    /// The region it lies in.
    pub region: Column<PlaceId, RegionId>,
    /// People in 2025.
    pub population: Column<PlaceId, u32>,
    /// Where it lies.
    pub point: Column<PlaceId, MapPoint>,
    /// The year in which it is first named.
    pub first_named: Column<PlaceId, i16>,
}

impl TownTable {
    pub(super) fn new(
        key: WorldKey,
        counts: &Counts,
        countries: &CountryTable,
        regions: &RegionTable,
        coiner: &mut Coiner,
    ) -> Self {
        let mut table = Self {
            name: Column::with_capacity(counts.places),
            region: Column::with_capacity(counts.places),
            population: Column::with_capacity(counts.places),
            point: Column::with_capacity(counts.places),
            first_named: Column::with_capacity(counts.places),
        };
        let people = |region: RegionId| {
            let share = f64::from(regions.population_share_bp[region]) / 10_000.0;
            f64::from(countries.population_2015_k[regions.country[region]]) * 1000.0 * share
        };
        let weights: Vec<f64> = regions.name.ids().map(|region| libm::sqrt(people(region))).collect();
        let parts = shares(counts.places, &weights, 2);
        for (region, n_places) in regions.name.ids().zip(parts) {
            table.add_places(key, region, n_places, people(region) * 0.62, countries, regions, coiner);
        }
        table
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what a region's places are made of, at the one place where it is done"
    )]
    fn add_places(
        &mut self,
        key: WorldKey,
        of: RegionId,
        n: usize,
        townspeople: f64,
        countries: &CountryTable,
        regions: &RegionTable,
        coiner: &mut Coiner,
    ) {
        let culture = countries.culture[regions.country[of]];
        let steepness = key.dice_of_pair(Strand::Place, u64::from(of.0), 1).uniform(0.8, 1.15);
        let weight = |rank: usize| 1.0 / libm::pow(rank as f64, steepness);
        let sum: f64 = (1..=n).map(weight).sum();
        for rank in 1..=n {
            let mut dice = key.dice(Strand::Place, self.name.len() as u64);
            self.name.push(coiner.coin(culture, Use::Place, &mut dice));
            self.region.push(of);
            self.population.push((townspeople * weight(rank) / sum) as u32 + 300);
            let middle = regions.middle[of];
            let (x_km, y_km) = (middle.x_km + dice.days(-90, 90), middle.y_km + dice.days(-90, 90));
            self.point.push(MapPoint { x_km, y_km });
            self.first_named.push(dice.days(820, 1790) as i16);
        }
    }
}
