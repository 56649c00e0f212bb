//! Figures that look like those of a real world.

use quintain_atlas::statistics::{self, known};
use quintain_atlas::{Atlas, Size};

use crate::{ALL, world};

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

#[test]
fn growth_prices_and_exchange_rates_stay_sensible() {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        for country in atlas.geography.countries.name.ids() {
            let years = statistics::FIRST_YEAR..=statistics::LAST_YEAR;
            let growth: Vec<f64> =
                years.map(|year| f64::from(atlas.economy.growth_bp(country, year)) / 100.0).collect();
            let mean = growth.iter().sum::<f64>() / growth.len() as f64;
            assert!((-2.5..7.5).contains(&mean), "{country:?} {mean}");
            assert!(growth.iter().all(|rate| (-14.0..16.0).contains(rate)), "{country:?} {growth:?}");
            let rate = atlas.observed(known::EXCHANGE_RATE, country, 2024).ruling();
            assert!((1_000..30_000_000).contains(&rate), "{country:?} {rate}");
            let emissions = atlas.observed(known::EMISSIONS_A_HEAD, country, 2020).ruling();
            assert!((50..5000).contains(&emissions), "{country:?} {emissions}");
        }
    }
}

#[test]
fn revenues_are_spread_over_orders_of_magnitude() {
    let atlas = world(Size::Standard, 1);
    let revenue = |atlas: &Atlas, company| {
        let rate = atlas.economy.rate(atlas.companies.country[company], 2020);
        Some(atlas.accounts(company, 2020)?.ruling().revenue_k as f64 / rate)
    };
    let revenues: Vec<f64> = atlas.companies.name.ids().filter_map(|company| revenue(atlas, company)).collect();
    let largest = revenues.iter().copied().fold(0.0, f64::max);
    let middle = median(revenues);
    assert!((15_000.0..70_000.0).contains(&middle), "{middle}");
    assert!(largest / middle > 30.0, "{largest}");
}

#[test]
fn regions_and_places_add_up_to_their_country() {
    let atlas = world(Size::Standard, 2);
    let geography = &atlas.geography;
    for country in geography.countries.name.ids() {
        let regions = geography.regions_of.of(country);
        let shares: u32 = regions.iter().map(|&region| geography.regions.population_share_bp[region]).sum();
        assert_eq!(shares, 10_000);
        let places = regions.iter().flat_map(|&region| geography.places_of.of(region));
        let townspeople: u64 = places.map(|&place| u64::from(geography.places.population[place])).sum();
        let people = u64::from(geography.countries.population_2015_k[country]) * 1000;
        assert!(townspeople < people && townspeople > people / 2, "{country:?}");
    }
}

#[test]
fn every_indicator_has_sensible_values_everywhere() {
    let atlas = world(Size::Small, 1);
    assert_eq!(atlas.indicators.len(), 160);
    for (indicator, told) in atlas.indicators.iter() {
        for country in atlas.geography.countries.name.ids() {
            for year in statistics::FIRST_YEAR..=statistics::LAST_YEAR {
                let seen = atlas.observed(indicator, country, year);
                let may_be_negative = ["growth-real", "growth-nominal", "inflation"].contains(&told.slug);
                assert!(seen.ruling() >= 0 || may_be_negative, "{} {country:?} {year}: {seen:?}", told.slug);
                assert_eq!(seen.settled.is_none(), year == statistics::LAST_YEAR);
            }
        }
    }
}
