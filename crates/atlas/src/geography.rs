//! Countries, their regions and their places, on an invented map.

mod countries;
mod places;
mod regions;

pub use countries::{CountryTable, Currency, StateForm};
pub use places::TownTable;
pub use regions::RegionTable;

use crate::column::Grouped;
use crate::dice::WorldKey;
use crate::ids::{CountryId, PlaceId, RegionId};
use crate::names::coining::Coiner;
use crate::size::Counts;

/// A point of the map: units of about a kilometre, from the north-west.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapPoint {
    /// To the east.
    pub x_km: i32,
    /// To the south.
    pub y_km: i32,
}

/// The whole geography.
#[derive(Clone, Debug, PartialEq)]
pub struct Geography {
    /// Countries.
    pub countries: CountryTable,
    /// Regions; those of a country stand together.
    pub regions: RegionTable,
    /// Places; those of a region stand together, the largest first.
    pub places: TownTable,
    /// The regions of each country.
    pub regions_of: Grouped<CountryId, RegionId>,
    /// The places of each region, the largest first.
    pub places_of: Grouped<RegionId, PlaceId>,
}

impl Geography {
    pub(crate) fn new(key: WorldKey, counts: &Counts, coiner: &mut Coiner) -> Self {
        let mut countries = CountryTable::new(key, counts, coiner);
        let regions = RegionTable::new(key, counts, &countries, coiner);
        let places = TownTable::new(key, counts, &countries, &regions, coiner);
        let regions_of = Grouped::sorted(counts.countries, regions.country.iter().map(|(region, &of)| (of, region)));
        let places_of = Grouped::sorted(counts.regions, places.region.iter().map(|(place, &of)| (of, place)));
        countries.capital = countries.name.ids().map(|country| places_of.of(regions_of.of(country)[0])[0]).collect();
        Self { countries, regions, places, regions_of, places_of }
    }

    /// The country of a place.
    pub fn country_of_place(&self, place: PlaceId) -> CountryId {
        self.regions.country[self.places.region[place]]
    }
}
