//! The same edition, seed and size give the same world, and any other another one.

use std::fmt::Write;

use quintain_atlas::statistics::known;
use quintain_atlas::{Atlas, Edition, Kind, Size};

/// A digest of everything that is stored and of some of what is computed.
fn digest(atlas: &Atlas) -> String {
    let mut text = String::new();
    let mut add = |part: &dyn std::fmt::Debug| write!(text, "{part:?}").expect("a string takes everything");
    add(&atlas.geography);
    add(&atlas.people);
    add(&atlas.tenures);
    add(&atlas.employments);
    add(&atlas.companies);
    add(&atlas.institutions);
    add(&(&atlas.topics, &atlas.venues, &atlas.papers));
    add(&(&atlas.governments, &atlas.blocs, &atlas.economy));
    add(&(&atlas.notices, &atlas.news, &atlas.indicators));
    add(&atlas.words.iter().collect::<Vec<_>>());
    let accounts = |company| (2008..=2024).map(move |year| atlas.accounts(company, year)).collect::<Vec<_>>();
    add(&atlas.companies.name.ids().step_by(7).map(accounts).collect::<Vec<_>>());
    for country in atlas.geography.countries.name.ids() {
        add(&atlas.indicators.ids().map(|id| atlas.observed(id, country, 2016)).collect::<Vec<_>>());
        add(&atlas.observed(known::EMISSIONS, country, 2001));
    }
    add(&atlas.entities(Kind::Paper).step_by(31).map(|paper| atlas.title(paper)).collect::<Vec<_>>());
    quintain_core::digest::Digest::of(text.as_bytes()).to_string()
}

#[test]
fn a_small_world_is_what_it_always_was() {
    let first = digest(&Atlas::new(Edition::FIRST, 1, Size::Small));
    assert_eq!(first, digest(&Atlas::new(Edition::FIRST, 1, Size::Small)));
    assert_ne!(first, digest(&Atlas::new(Edition::FIRST, 2, Size::Small)));
    assert_ne!(first, digest(&Atlas::new(Edition(2), 1, Size::Small)));
    assert_eq!(first, "17a0399da5575855949be248333bdd71a795efe95643c26d7b334ece625c2726");
}
