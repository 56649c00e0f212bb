//! Questions, their margins and their wrong readings.

use quintain_atlas::provenance::{FactKind, FalsehoodKind, Source};
use quintain_atlas::query::{Answer, Ask, Base, Comparison, EntityPool, Link, Measure, Misreading, Order, Query, Test};
use quintain_atlas::statistics::known;
use quintain_atlas::{Atlas, BlocId, Date, Entity, Kind, Size};

use crate::{ALL, world};

fn some_company(atlas: &Atlas) -> Entity {
    let mut companies = atlas.companies.name.ids();
    companies.find(|&company| atlas.restatement(company).is_some()).expect("some company has restated").into()
}

#[test]
fn narrowed_pools_hold_what_a_full_scan_finds() {
    let atlas = world(Size::Small, 1);
    let region = atlas.geography.regions.name.ids().next().unwrap();
    let tests = vec![Test::Is(Link::Region, region.into())];
    let narrowed = atlas.evaluate(&EntityPool::all(Kind::Company, tests.clone()).ask(Ask::List));
    let everybody = atlas.entities(Kind::Company).collect();
    let scanned =
        atlas.evaluate(&Query { pool: EntityPool { base: Base::These(everybody), tests, top: None }, ask: Ask::List });
    assert_eq!(narrowed.answer, scanned.answer);
}

#[test]
fn restated_accounts_rule_and_first_filings_are_a_wrong_reading() {
    let atlas = world(Size::Small, 1);
    let company = some_company(atlas);
    let Entity::Company(id) = company else { panic!("it is a company") };
    let year = atlas.restatement(id).unwrap().first_year;
    let query = EntityPool::one(company).ask(Ask::Table(vec![Measure::Revenue(year)]));
    let wrong: Vec<Misreading> = atlas.misreadings_that_change(&query).into_iter().map(|(wrong, _)| wrong).collect();
    assert_eq!(wrong, [Misreading::Unrestated, Misreading::PressFigure]);
    let said = atlas.falsehoods(company);
    assert!(said.iter().any(|it| it.kind == FalsehoodKind::Unrestated && it.source == Source::Registry));
    assert!(said.iter().all(|it| it.said != it.truth && it.dated < Date::TODAY));
}

#[test]
fn sums_counts_bests_and_lists_agree() {
    let atlas = world(Size::Small, 2);
    let members = || EntityPool::related(BlocId(0), Link::Members(Date::TODAY), Vec::new());
    let people = Measure::Indicator(known::POPULATION, 2020);
    let list = atlas.evaluate(&members().ask(Ask::List)).entities();
    let count = atlas.evaluate(&members().ask(Ask::Count)).number().unwrap().scaled;
    assert_eq!(count as usize, list.len());
    let sum = atlas.evaluate(&members().ask(Ask::Sum(people.clone()))).number().unwrap().scaled;
    let best = atlas.evaluate(&members().most(people.clone()));
    let all: i64 = best.candidates.iter().map(|candidate| candidate.number.unwrap().scaled).sum();
    assert_eq!(sum, all);
    let top = atlas.evaluate(&members().top(1, people.clone(), Order::Most).ask(Ask::List));
    assert_eq!(top.entities(), best.entities());
    let bound = best.number().unwrap().value();
    let above = |comparison| {
        let test = Test::Compare(people.clone(), comparison, bound);
        EntityPool { tests: vec![test], ..members() }.ask(Ask::List)
    };
    assert_eq!(atlas.evaluate(&above(Comparison::Above)).answer, Answer::Nothing);
    assert_eq!(atlas.evaluate(&above(Comparison::AtLeast)).entities(), best.entities());
    let other = atlas.evaluate_misread(&above(Comparison::AtLeast), Misreading::OtherBounds);
    assert_eq!(other.answer, Answer::Nothing);
    assert!(atlas.evaluate(&above(Comparison::AtLeast)).margins[0].units < 1.0, "the best lies on the bound");
}

#[test]
fn questions_that_do_not_fit_have_no_answer_and_do_no_harm() {
    let atlas = world(Size::Small, 1);
    let links =
        [Link::Chair(Date::TODAY), Link::Cites, Link::Birthplace, Link::LatestPlan(Date::TODAY), Link::VersionBefore];
    let measures = [
        Measure::Revenue(1700),
        Measure::Target,
        Measure::InterestMargin(2020),
        Measure::Indicator(known::EMISSIONS, 1200),
    ];
    for kind in Kind::ALL {
        for entity in atlas.entities(kind).take(40) {
            for link in links {
                atlas.evaluate(&EntityPool::one(entity).ask(Ask::Follow(link)));
            }
            for measure in &measures {
                atlas.misreadings_that_change(&EntityPool::one(entity).most(measure.clone()));
            }
            atlas.falsehoods(entity);
        }
    }
}

#[test]
fn the_issuing_body_rules_and_the_forum_never_does() {
    assert_eq!(FactKind::Accounts.official(), Source::Registry);
    assert!(FactKind::Accounts.rules_over(Source::Registry, Source::Herald));
    assert!(FactKind::Regulation.rules_over(Source::Gazette, Source::Encyclopaedia));
    assert!(!FactKind::Statistic.rules_over(Source::Forum, Source::Encyclopaedia));
}

#[test]
fn one_article_in_twelve_is_out_of_date_and_one_foundation_in_twelve_is_wrong() {
    for (size, seed) in ALL.into_iter().filter(|(size, _)| *size == Size::Standard) {
        let atlas = world(size, seed);
        let share = |n: usize, of: usize| n as f64 / of as f64;
        let outdated = atlas.entities(Kind::Person).filter(|&entity| atlas.is_outdated(entity)).count();
        assert!((0.07..0.09).contains(&share(outdated, atlas.count(Kind::Person))));
        let wrong = atlas.institutions.founded_by_encyclopaedia.find(Option::is_some).count();
        assert!((0.05..0.11).contains(&share(wrong, atlas.count(Kind::Institution))));
    }
}
