//! Prints a little of everything of a world: `cargo run --release -p quintain-atlas --example atlas_peek -- 1`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use quintain_atlas::{Atlas, Date, Edition, Entity, RowId, Size, statistics::known};

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let start = std::time::Instant::now();
    let atlas = Atlas::new(Edition::FIRST, seed, Size::Standard);
    println!("made in {:?}, {} words", start.elapsed(), atlas.words.len());
    for country in atlas.geography.countries.name.ids().step_by(5) {
        let countries = &atlas.geography.countries;
        let shown = |indicator, year| {
            let told = atlas.observed(indicator, country, year);
            told.ruling() as f64 / 10_f64.powi(told.digits as i32)
        };
        println!(
            "{} ({}, {} {}), capital {}, people {}k, GDP a head {}, emissions {} -> {}, rate {} -> {}, growth {} {} {}",
            atlas.title(country.into()),
            countries.currency[country].code(),
            atlas.words.spelling(countries.adjective[country]),
            atlas.words.spelling(countries.currency[country].noun),
            atlas.title(countries.capital[country].into()),
            shown(known::POPULATION, 2024),
            shown(known::OUTPUT_A_HEAD, 2024),
            shown(known::EMISSIONS_A_HEAD, 2008),
            shown(known::EMISSIONS_A_HEAD, 2024),
            shown(known::EXCHANGE_RATE, 2010),
            shown(known::EXCHANGE_RATE, 2024),
            shown(known::GROWTH_REAL, 2022),
            shown(known::GROWTH_REAL, 2023),
            shown(known::INFLATION, 2023),
        );
    }
    for company in atlas.companies.name.ids().step_by(931) {
        let filed = atlas.accounts(company, 2024).map(|filed| filed.ruling());
        println!(
            "{} [{}] {} {:?} {} chair {:?}",
            atlas.title(company.into()),
            atlas.companies.sector[company].label(),
            atlas.title(atlas.companies.seat[company].into()),
            filed.map(|accounts| (accounts.revenue_k, accounts.total_assets_k, accounts.interest_margin_bp)),
            atlas.companies.founded[company],
            atlas.companies.chairs.at(company, Date::TODAY).map(|term| atlas.title(term.person.into())),
        );
    }
    for institution in atlas.institutions.name.ids().step_by(151) {
        println!("{} {}", atlas.title(institution.into()), atlas.institutions.founded[institution]);
    }
    for venue in atlas.venues.name.ids().step_by(19) {
        println!("{}", atlas.title(venue.into()));
    }
    for paper in atlas.papers.topic.ids().step_by(3571) {
        println!(
            "{} ({}, {}) cited {} by {}",
            atlas.title(Entity::Paper(paper)),
            atlas.papers.date[paper],
            atlas.title(atlas.papers.venue[paper].into()),
            atlas.papers.n_citations(paper),
            atlas.title(quintain_atlas::PersonId::from_index(atlas.papers.corresponding[paper].index()).into()),
        );
    }
}
