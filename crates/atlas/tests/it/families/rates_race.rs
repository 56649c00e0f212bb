//! Family 4: banks with a full licence, whose margin rose most in rank, the growth of its assets, the rate in force.

use quintain_atlas::companies::{LicenceKind, Sector};
use quintain_atlas::query::{Ask, EntityPool, Link, Measure, Misreading, QueryOutcome, Test};
use quintain_atlas::{Atlas, CountryId, Date, Kind, RowId};
use quintain_core::Rng;

use super::clear;

pub(super) fn draw(atlas: &Atlas, rng: &mut Rng, variant: u64) -> Option<Vec<QueryOutcome>> {
    let country = CountryId::from_index(rng.below(atlas.geography.countries.name.len()));
    let from = rng.between(2009, 2020) as i32;
    let to = (from + rng.between(2, 8) as i32).min(2024);
    let banks = EntityPool::all(
        Kind::Company,
        vec![
            Test::Is(Link::Country, country.into()),
            Test::Is(Link::Sector, Sector::Banking.into()),
            Test::HeldLicence(LicenceKind::Full, to),
        ],
    );
    let list_of_banks = banks.clone().ask(Ask::List);
    let list = clear(atlas, &list_of_banks)?;
    if !(7..=12).contains(&list.entities().len()) {
        return None;
    }
    let margins = Ask::Table(vec![Measure::InterestMargin(from), Measure::InterestMargin(to)]);
    let table = clear(atlas, &banks.clone().ask(margins))?;
    let gain = Measure::rank_gain(Measure::InterestMargin(from), Measure::InterestMargin(to));
    let race = banks.most(gain);
    let winner = clear(atlas, &race)?;
    let ranks = [from, to].map(|year| Measure::Rank(Box::new(Measure::InterestMargin(year))));
    let places = clear(atlas, &EntityPool::these(list.entities()).ask(Ask::Table(ranks.to_vec())))?;
    let assets = Measure::Growth(Box::new(Measure::TotalAssets(from)), Box::new(Measure::TotalAssets(to)));
    let assets = clear(atlas, &EntityPool::one(winner.entity()?).ask(Ask::Table(vec![assets])))?;
    let day = Date(rng.between(i64::from(Date::year_start(to).0), i64::from(Date::year_end(to).0)) as i32);
    let decision = clear(atlas, &EntityPool::one(country).ask(Ask::Follow(Link::RateDecision(day))))?;
    let size = Ask::Table(vec![Measure::Dated, Measure::RateChange, Measure::Rate]);
    let size = clear(atlas, &EntityPool::one(decision.entity()?).ask(size))?;
    let counted = atlas.evaluate_misread(&list_of_banks, Misreading::WithdrawnLicenceCounted);
    // In every second variant a licence was granted or withdrawn in the year.
    let is_trap = variant.is_multiple_of(2) || counted.answer != list.answer;
    is_trap.then(|| vec![list, table, winner, places, assets, decision, size])
}
