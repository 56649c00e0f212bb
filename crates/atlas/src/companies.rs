//! Companies: who they are, where they sit, what they were called; banks and auditors among them.

pub mod accounts;
mod licences;
mod names;
mod press;
mod restatements;
mod sector;

pub use accounts::{Accounts, Edited};
pub use licences::{Licence, LicenceKind};
pub use names::{FormerName, LegalForm};
pub use press::{PressFigure, PressManner};
pub use restatements::{Restatement, RestatementReason};
pub use sector::Sector;

pub(crate) use press::{press_date as press_date_of, press_figure as press_figure_of};
pub(crate) use restatements::restatement as restatement_of;
pub(crate) use sector::SectorWords;

use std::collections::HashSet;

use crate::column::{Column, Grouped, RowId};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey, running_totals};
use crate::geography::Geography;
use crate::ids::{CompanyId, CountryId, PlaceId, RegionId, WordId};
use crate::names::CultureId;
use crate::names::coining::{Coiner, Use};
use crate::people::{Calling, PersonTable, Post, Term, TermRule, TermTable, TermWriter};
use crate::shares::shares;
use crate::size::Counts;

/// Who owns a company, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The owner, a company of the same country that is older and of a smaller id.
    pub company: CompanyId,
    /// The day of the take-over.
    pub since: Date,
}

/// Properties of companies. Those of a country stand together, its banks first, then its auditors.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyTable {
    /// The name without its legal form, up to four words, as it is today.
    pub name: Column<CompanyId, [WordId; 4]>,
    /// Public or private.
    pub form: Column<CompanyId, LegalForm>,
    /// What it does.
    pub sector: Column<CompanyId, Sector>,
    /// Where it is registered.
    pub country: Column<CompanyId, CountryId>,
    /// Where it sits.
    pub seat: Column<CompanyId, PlaceId>,
    /// The day of its first entry in the register.
    pub founded: Column<CompanyId, Date>,
    /// Who owns it, where somebody does.
    pub parent: Column<CompanyId, Option<Parent>>,
    /// What it was called before, the first name first.
    pub former_names: Grouped<CompanyId, FormerName>,
    /// Licences of banks; other companies have none.
    pub licences: Grouped<CompanyId, Licence>,
    /// Who chaired it, since about 2002.
    pub chairs: TermTable<CompanyId>,
    /// Who led it, since about 2002.
    pub chief_executives: TermTable<CompanyId>,
    /// The companies that sit in each region.
    pub of_region: Grouped<RegionId, CompanyId>,
    /// All auditors.
    pub auditors: Vec<CompanyId>,
    /// All banks.
    pub banks: Vec<CompanyId>,
}

/// What the table of companies is made from.
pub(crate) struct CompanySources<'a> {
    pub(crate) key: WorldKey,
    pub(crate) counts: Counts,
    pub(crate) geography: &'a Geography,
    pub(crate) people: &'a PersonTable,
}

impl CompanyTable {
    pub(crate) fn new(from: &CompanySources, coiner: &mut Coiner) -> Self {
        let mut table = Self::empty(from.counts.companies);
        let stems = stems(from.key, from.counts.companies, coiner);
        let mut namer =
            names::CompanyNamer { words: SectorWords::new(&mut coiner.words), stems, taken: HashSet::new() };
        let countries = from.geography.countries.name.ids();
        let weights: Vec<f64> = countries.clone().map(|country| economic_weight(from.geography, country)).collect();
        let n_banks = shares(from.counts.banks, &vec![1.0; weights.len()], 0);
        let n_auditors = (from.counts.companies / 250).div_ceil(weights.len());
        let parts = shares(from.counts.companies, &weights, from.counts.companies / weights.len() / 3);
        for ((country, n), banks) in countries.zip(parts).zip(n_banks) {
            let seats = Seats::new(from.geography, country);
            for nth in 0..n {
                let fixed = match nth {
                    _ if nth < banks => Some(Sector::Banking),
                    _ if nth < banks + n_auditors => Some(Sector::Auditing),
                    _ => None,
                };
                table.add(from, country, fixed, &seats, &mut namer);
            }
        }
        let regions = table.seat.iter().map(|(company, &seat)| (from.geography.places.region[seat], company));
        table.of_region = Grouped::sorted(from.counts.regions, regions);
        table.add_officers(from);
        table
    }

    fn empty(rows: usize) -> Self {
        Self {
            name: Column::with_capacity(rows),
            form: Column::with_capacity(rows),
            sector: Column::with_capacity(rows),
            country: Column::with_capacity(rows),
            seat: Column::with_capacity(rows),
            founded: Column::with_capacity(rows),
            parent: Column::with_capacity(rows),
            former_names: Grouped::new(),
            licences: Grouped::new(),
            chairs: TermTable::new(),
            chief_executives: TermTable::new(),
            of_region: Grouped::new(),
            auditors: Vec::new(),
            banks: Vec::new(),
        }
    }

    fn add(
        &mut self,
        from: &CompanySources,
        country: CountryId,
        fixed: Option<Sector>,
        seats: &Seats,
        namer: &mut names::CompanyNamer,
    ) {
        let id = CompanyId::from_index(self.name.len());
        let dice = &mut from.key.dice(Strand::Company, u64::from(id.0));
        let region = seats.region(dice);
        let sector = fixed.unwrap_or_else(|| drawn_sector(from.geography.regions.specialities[region], dice));
        let seat = Seats::place(from.geography, region, dice);
        let founded = founding(fixed, dice);
        self.sector.push(sector);
        self.country.push(country);
        self.seat.push(seat);
        self.founded.push(founded);
        self.form.push(if sector == Sector::Banking || dice.chance(350) {
            LegalForm::Public
        } else {
            LegalForm::Private
        });
        let parent = self.drawn_parent(id, dice);
        self.parent.push(parent);
        let scene = names::NamingScene { from, country, seat, sector };
        let (name, former) = namer.names(&scene, founded, id);
        self.name.push(name);
        self.former_names.push(former);
        let is_bank = sector == Sector::Banking;
        self.licences.push(if is_bank { licences::history(from.key, id, founded) } else { Vec::new() });
        match sector {
            Sector::Auditing => self.auditors.push(id),
            Sector::Banking => self.banks.push(id),
            _ => {}
        }
    }

    /// One in four belongs to a company that was entered shortly before it, which is older and neither bank nor auditor.
    fn drawn_parent(&self, id: CompanyId, dice: &mut Dice) -> Option<Parent> {
        let company = CompanyId::from_index(id.index().checked_sub(1 + dice.below(30))?);
        let is_owner = self.country[company] == self.country[id]
            && !self.sector[company].is_supervised()
            && !self.sector[id].is_supervised()
            && self.founded[company] < self.founded[id]
            && self.parent[company].is_none();
        let first = self.founded[id].max(Date::new(1995, 1, 1));
        let since = Date(dice.days(first.0, Date::TODAY.0 - 200)).on_a_weekday();
        (is_owner && dice.chance(800)).then_some(Parent { company, since })
    }

    fn add_officers(&mut self, from: &CompanySources) {
        let rule = TermRule { calling: Calling::Executive, shortest_days: 900, longest_days: 3900, vacancies: 120 };
        let writer = TermWriter { people: from.people, rule };
        let mut terms: Vec<Term> = Vec::new();
        for id in self.name.ids() {
            let mut dice = from.key.dice(Strand::Officers, u64::from(id.0));
            for post in [&mut self.chairs, &mut self.chief_executives] {
                let since = self.founded[id].max(Date(dice.days(Date::new(2000, 1, 1).0, Date::new(2004, 1, 1).0)));
                writer.succession(self.country[id], since, &mut dice, &mut terms);
                post.push(terms.iter().copied());
            }
        }
    }

    /// All terms of chairs and chief executives.
    pub(crate) fn posts(&self) -> impl Iterator<Item = (Post, &Term)> + Clone {
        let chairs = self.chairs.all().map(|(company, term)| (Post::Chair(company), term));
        chairs.chain(self.chief_executives.all().map(|(company, term)| (Post::ChiefExecutive(company), term)))
    }
}

fn stems(key: WorldKey, n_companies: usize, coiner: &mut Coiner) -> Vec<Vec<WordId>> {
    let each = n_companies / 24 + 40;
    let coin = |culture: u8| {
        let mut dice = key.dice(Strand::CompanyName, u64::from(culture) + (1 << 40));
        coiner.coin_many(CultureId(culture), Use::Stem, each, &mut dice)
    };
    (0..CultureId::COUNT as u8).map(coin).collect()
}

fn economic_weight(geography: &Geography, country: CountryId) -> f64 {
    let people = f64::from(geography.countries.population_2015_k[country]);
    libm::sqrt(people * f64::from(geography.countries.output_a_head_2015[country]))
}

fn drawn_sector(specialities: [Sector; 2], dice: &mut Dice) -> Sector {
    match dice.below(100) {
        0..32 => specialities[0],
        32..52 => specialities[1],
        _ => *dice.choose(&Sector::SPECIALITIES),
    }
}

/// Most companies are some decades old. Banks and auditors were there before the accounts that are kept begin.
fn founding(fixed: Option<Sector>, dice: &mut Dice) -> Date {
    let age = dice.unit();
    let year = if fixed.is_some() { 1999.0 - age * age * 140.0 } else { 2017.0 - age * age * 90.0 - age * 60.0 };
    Date::new(year as i32, dice.days(1, 12), dice.days(1, 28)).on_a_weekday()
}

/// The regions of a country, weighted by people.
struct Seats<'a> {
    regions: &'a [RegionId],
    totals: Vec<u64>,
}

impl<'a> Seats<'a> {
    fn new(geography: &'a Geography, country: CountryId) -> Self {
        let regions = geography.regions_of.of(country);
        let weights = regions.iter().map(|&region| u64::from(geography.regions.population_share_bp[region]));
        Self { regions, totals: running_totals(weights) }
    }

    fn region(&self, dice: &mut Dice) -> RegionId {
        self.regions[dice.weighted(&self.totals)]
    }

    /// Larger places stand first and are drawn more often.
    fn place(geography: &Geography, region: RegionId, dice: &mut Dice) -> PlaceId {
        let places = geography.places_of.of(region);
        let end = dice_end(places.len(), dice.unit());
        places[dice.below(end)]
    }
}

fn dice_end(n: usize, unit: f64) -> usize {
    1 + ((n as f64 * unit * unit) as usize).min(n - 1)
}
