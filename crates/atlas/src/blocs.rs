//! Blocs of countries, and who was a member when.

use crate::column::{Column, Grouped, RowId};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::ids::{BlocId, CountryId, WordId};
use crate::names::Words;

/// A country's membership of a bloc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The member.
    pub country: CountryId,
    /// The first day.
    pub joined: Date,
    /// The first day outside, where it left.
    pub left: Option<Date>,
}

impl Membership {
    /// Whether the country is a member on a day.
    pub fn covers(&self, day: Date) -> bool {
        self.joined <= day && self.left.is_none_or(|left| day < left)
    }
}

/// Properties of blocs.
#[derive(Clone, Debug, PartialEq)]
pub struct BlocTable {
    /// The name.
    pub name: Column<BlocId, Vec<WordId>>,
    /// The day of the founding treaty.
    pub founded: Column<BlocId, Date>,
    /// All memberships there ever were, by country.
    pub memberships: Grouped<BlocId, Membership>,
}

/// What each bloc is called.
const NAMES: [&str; 6] = [
    "northern customs union",
    "ocean partnership",
    "league of the inner sea",
    "economic community of the plains",
    "council for mutual trade",
    "southern development compact",
];

impl BlocTable {
    pub(crate) fn new(key: WorldKey, n_countries: usize, words: &mut Words) -> Self {
        let mut table =
            Self { name: Column::with_capacity(6), founded: Column::with_capacity(6), memberships: Grouped::new() };
        for (bloc, name) in NAMES.into_iter().enumerate() {
            let mut dice = key.dice(Strand::Bloc, bloc as u64);
            let founded = Date::new(dice.days(1958, 1991), dice.days(1, 12), dice.days(1, 28)).on_a_weekday();
            table.name.push(words.add_all(name));
            table.founded.push(founded);
            table.memberships.push(memberships(founded, bloc, n_countries, &mut dice));
        }
        table
    }

    /// The members of a bloc on a day.
    pub fn members(&self, bloc: BlocId, day: Date) -> impl Iterator<Item = CountryId> {
        let members = self.memberships.of(bloc).iter().filter(move |membership| membership.covers(day));
        members.map(|membership| membership.country)
    }
}

/// A third of all countries, but at least eight where there are so many: most from the beginning, some later.
fn memberships(founded: Date, bloc: usize, n_countries: usize, dice: &mut Dice) -> Vec<Membership> {
    let wanted = (n_countries / 3).max(8.min(n_countries)) + dice.below(4);
    let step = [1, 5, 7, 11, 13, 17][bloc % 6];
    let start = dice.below(n_countries);
    let mut countries: Vec<usize> =
        (0..wanted.min(n_countries)).map(|nth| (start + nth * step) % n_countries).collect();
    countries.sort_unstable();
    countries.dedup();
    countries.into_iter().map(|country| membership(CountryId::from_index(country), founded, dice)).collect()
}

fn membership(country: CountryId, founded: Date, dice: &mut Dice) -> Membership {
    let joined = if dice.chance(550) { founded } else { Date(dice.days(founded.0, Date::new(2021, 1, 1).0)) };
    let earliest = (joined.0 + 900).max(Date::new(2001, 2, 1).0);
    let left = Date(dice.days(earliest, Date::TODAY.0 + 1500));
    Membership { country, joined, left: (dice.chance(120) && left < Date::TODAY).then_some(left) }
}
