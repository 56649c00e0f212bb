//! Names: nothing real, nothing rude, nothing twice that should be there once.

use std::collections::BTreeSet;

use quintain_atlas::{Atlas, Date, Edition, Kind, PersonId, RowId, Size};

use crate::{ALL, world};

/// Some of what must never come up, told again here so that the test does not rest on the list it looks at.
const NEVER: [&str; 15] = [
    "germany", "france", "japan", "nigeria", "finland", "mexico", "russia", "google", "toyota", "siemens", "nokia",
    "fiat", "samsung", "tata", "tatar",
];

/// Some of what no name may contain.
const NOWHERE: [&str; 8] = ["fuck", "shit", "cunt", "nigg", "puta", "kurv", "nazi", "porn"];

#[test]
fn no_name_is_real_or_rude() {
    for seed in [11, 12, 13] {
        let atlas = Atlas::new(Edition::FIRST, seed, Size::Small);
        let coined = atlas.words.iter().filter(|(_, word)| word.starts_with(char::is_uppercase));
        let small: Vec<String> = coined.map(|(_, word)| word.to_lowercase()).collect();
        assert!(small.len() > 3000, "{}", small.len());
        let is_wrong =
            |word: &&String| NEVER.contains(&word.as_str()) || NOWHERE.iter().any(|part| word.contains(part));
        assert_eq!(small.iter().find(is_wrong), None, "seed {seed}");
    }
}

#[test]
fn titles_are_unique_where_an_answer_is_a_title() {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        for kind in
            [Kind::Country, Kind::Region, Kind::Place, Kind::Company, Kind::Institution, Kind::Venue, Kind::Paper]
        {
            let titles: BTreeSet<String> = atlas.entities(kind).map(|entity| atlas.title(entity)).collect();
            assert_eq!(titles.len(), atlas.count(kind), "{kind:?} of {size:?} {seed}");
        }
    }
}

#[test]
fn about_every_sixth_person_shares_a_name() {
    let atlas = world(Size::Standard, 1);
    let shared = atlas.people.given.ids().filter(|&person| atlas.people.namesakes(person).count() > 1).count();
    let share = shared as f64 / atlas.people.given.len() as f64;
    assert!((0.10..0.28).contains(&share), "{share}");
    let first = PersonId::from_index(0);
    assert!(atlas.people.namesakes(first).any(|person| person == first));
}

#[test]
fn companies_had_other_names_before_they_were_renamed() {
    let atlas = world(Size::Small, 1);
    let renamed: Vec<_> =
        atlas.companies.name.ids().filter(|&company| !atlas.companies.former_names.of(company).is_empty()).collect();
    assert!(renamed.len() * 7 > atlas.companies.name.len() / 2 && renamed.len() * 5 < atlas.companies.name.len());
    for company in renamed {
        let until = atlas.companies.former_names.of(company).last().unwrap().until;
        assert_ne!(atlas.company_name(company, until), atlas.company_name(company, Date::TODAY));
        assert_eq!(atlas.company_name(company, until.plus_days(1)), atlas.company_name(company, Date::TODAY));
    }
}

#[test]
fn every_entity_has_a_title_and_words_to_be_found_by() {
    let atlas = world(Size::Small, 2);
    for kind in Kind::ALL {
        for entity in atlas.entities(kind) {
            let mut n_terms = 0;
            atlas.search_terms(entity, &mut |_, word| n_terms += usize::from(!atlas.words.spelling(word).is_empty()));
            assert!(n_terms > 0, "{entity:?}");
            assert!(kind == Kind::News || !atlas.title(entity).is_empty(), "{entity:?}");
        }
        assert_eq!(atlas.entity(kind, atlas.count(kind)), None);
    }
}

#[test]
fn what_a_title_speaks_of_stands_in_it() {
    let atlas = Atlas::new(Edition::FIRST, 11, Size::Small);
    let mut n_parts = 0;
    for paper in atlas.papers.topic.ids() {
        let title = atlas.paper_title_words(paper);
        let parts = atlas.paper_title_parts(paper);
        for part in [parts.method, parts.aspect, parts.setting].into_iter().flatten() {
            assert!(title.windows(part.len()).any(|words| words == part), "{}", atlas.title(paper.into()));
            n_parts += 1;
        }
        assert!(parts.method.is_some() || parts.aspect.is_some());
    }
    assert!(n_parts > atlas.papers.topic.len());
}
