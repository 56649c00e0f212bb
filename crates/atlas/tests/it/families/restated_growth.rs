//! Family 3: the ten largest companies, whose revenue grew most by restated accounts, its chair, assets, auditor, press.

use quintain_atlas::query::{Ask, EntityPool, Link, Measure, Misreading, Order, QueryOutcome, Test};
use quintain_atlas::{Atlas, CompanyId, CountryId, Date, Entity, Kind, RowId};
use quintain_core::Rng;

use super::clear;

/// Some company that has restated accounts: instances are drawn around one.
fn restated(atlas: &Atlas, rng: &mut Rng) -> CompanyId {
    let n = atlas.companies.name.len();
    loop {
        let company = CompanyId::from_index(rng.below(n));
        if atlas.restatement(company).is_some() && !atlas.companies.sector[company].is_supervised() {
            return company;
        }
    }
}

pub(super) fn draw(atlas: &Atlas, rng: &mut Rng, variant: u64) -> Option<Vec<QueryOutcome>> {
    let seen = restated(atlas, rng);
    let restatement = atlas.restatement(seen)?;
    let gap = rng.between(3, 9) as i32;
    let is_later = restatement.revenue_change_pm > 0;
    let year = if is_later { restatement.last_year } else { restatement.first_year };
    let (from, to) = if is_later { (year - gap, year) } else { (year, year + gap) };
    let tests = vec![
        Test::Is(Link::Sector, atlas.companies.sector[seen].into()),
        Test::Is(Link::Region, atlas.region_of_company(seen).into()),
    ];
    let largest = EntityPool::all(Kind::Company, tests).top(10, Measure::TotalAssets(to), Order::Most);
    let ten = clear(atlas, &largest.clone().ask(Ask::List))?;
    let pool = EntityPool::these(ten.entities());
    let amounts = clear(atlas, &pool.clone().ask(Ask::Table(vec![Measure::Revenue(from), Measure::Revenue(to)])))?;
    let growth = pool.most(Measure::revenue_growth(from, to));
    let winner = clear(atlas, &growth)?;
    if winner.candidates.len() != 10 || winner.entity()? != Entity::Company(seen) {
        return None;
    }
    let firm = EntityPool::one(seen);
    let chair = clear(atlas, &firm.clone().ask(Ask::Follow(Link::Chair(Date::year_end(to)))))?;
    let into = CountryId::from_index(rng.below(atlas.geography.countries.name.len()));
    let assets = Measure::Converted { of: Box::new(Measure::TotalAssets(to)), into, year: to };
    let assets = firm.clone().ask(Ask::Table(vec![assets]));
    let auditor = clear(atlas, &firm.clone().ask(Ask::Follow(Link::AuditorOfRestatedYear)))?;
    let reason = clear(atlas, &firm.clone().ask(Ask::RestatementReason))?;
    let press = Measure::Growth(Box::new(Measure::Revenue(year)), Box::new(Measure::PressRevenue(year)));
    let press = clear(atlas, &firm.ask(Ask::Table(vec![press])))?;
    let changes = |query, misreading| atlas.evaluate_misread(query, misreading).answer != atlas.evaluate(query).answer;
    let is_abroad = into != atlas.companies.country[seen] && changes(&assets, Misreading::OtherYearRate);
    let by_first = atlas.evaluate_misread(&growth, Misreading::Unrestated);
    // In every second variant the unrestated accounts name another company, not only another figure.
    let is_trap =
        changes(&growth, Misreading::Unrestated) && (variant.is_multiple_of(2) || by_first.entity() != winner.entity());
    let outcomes = vec![ten, amounts, winner, chair, clear(atlas, &assets)?, auditor, reason, press];
    (is_abroad && is_trap).then_some(outcomes)
}
