//! People: names, births, deaths, callings; the terms they hold posts for.

mod terms;

pub use terms::{Post, PostHeld, Term, TermTable};
pub(crate) use terms::{TermRule, TermWriter, tenures};

use crate::column::{Column, Grouped, RowId};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey, running_totals};
use crate::geography::Geography;
use crate::ids::{CountryId, PersonId, PlaceId, WordId};
use crate::names::CultureId;
use crate::names::coining::{Coiner, Use};
use crate::shares::shares;
use crate::size::Counts;

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Calling {
    /// Holds posts in companies.
    Executive,
    /// Writes papers.
    Scholar,
    /// Holds posts in governments.
    Politician,
    /// Anything else: writers, judges, artists, athletes.
    Other,
}

impl Calling {
    const ALL: [Self; 4] = [Self::Executive, Self::Scholar, Self::Politician, Self::Other];
    /// How many of a thousand people have each calling.
    const SHARES: [f64; 4] = [500.0, 300.0, 70.0, 130.0];
}

/// Whether a name is a woman's or a man's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sex {
    /// A woman.
    Female,
    /// A man.
    Male,
}

/// Properties of people. Those of a country and a calling stand together, the oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonTable {
    /// The given name.
    pub given: Column<PersonId, WordId>,
    /// The family name.
    pub family: Column<PersonId, WordId>,
    /// Woman or man.
    pub sex: Column<PersonId, Sex>,
    /// The country whose citizen the person is.
    pub country: Column<PersonId, CountryId>,
    /// What the person does.
    pub calling: Column<PersonId, Calling>,
    /// The day of birth.
    pub born: Column<PersonId, Date>,
    /// The day of death of those who have died.
    pub died: Column<PersonId, Option<Date>>,
    /// Where the person was born.
    pub birthplace: Column<PersonId, PlaceId>,
    /// The other name that some go by: another given or family name.
    pub alias: Column<PersonId, Option<(WordId, WordId)>>,
    /// Everybody of a family name.
    pub of_family: Grouped<WordId, PersonId>,
    // Where each group of a country and a calling begins.
    groups: Vec<u32>,
}

impl PersonTable {
    pub(crate) fn new(key: WorldKey, counts: &Counts, geography: &Geography, coiner: &mut Coiner) -> Self {
        let pools = NamePools::new(key, counts.people, coiner);
        let mut table = Self::empty(counts.people);
        let weights: Vec<f64> = geography
            .countries
            .population_2015_k
            .as_slice()
            .iter()
            .map(|&people| libm::pow(f64::from(people), 0.6))
            .collect();
        for (country, n) in geography.countries.name.ids().zip(shares(counts.people, &weights, 200)) {
            let birthplaces = Birthplaces::new(geography, country);
            for (calling, n) in Calling::ALL.into_iter().zip(shares(n, &Calling::SHARES, 20)) {
                table.add_group(key, country, calling, n, &pools, &birthplaces, geography);
            }
        }
        table.groups.push(table.given.len() as u32);
        let families = table.family.iter().map(|(person, &family)| (family, person));
        table.of_family = Grouped::sorted(coiner.words.len(), families);
        table
    }

    fn empty(rows: usize) -> Self {
        Self {
            given: Column::with_capacity(rows),
            family: Column::with_capacity(rows),
            sex: Column::with_capacity(rows),
            country: Column::with_capacity(rows),
            calling: Column::with_capacity(rows),
            born: Column::with_capacity(rows),
            died: Column::with_capacity(rows),
            birthplace: Column::with_capacity(rows),
            alias: Column::with_capacity(rows),
            of_family: Grouped::new(),
            groups: Vec::new(),
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what a group of people is made of, at the one place where it is done"
    )]
    fn add_group(
        &mut self,
        key: WorldKey,
        country: CountryId,
        calling: Calling,
        n: usize,
        pools: &NamePools,
        birthplaces: &Birthplaces,
        geography: &Geography,
    ) {
        let first = self.given.len();
        self.groups.push(first as u32);
        let (oldest, youngest) = (Date::year_start(1928).0, Date::year_end(1997).0);
        for nth in 0..n {
            let mut dice = key.dice(Strand::Person, self.given.len() as u64);
            self.country.push(country);
            self.calling.push(calling);
            let step = f64::from(youngest - oldest) / n as f64;
            let born = Date(oldest + ((nth as f64 + dice.unit()) * step) as i32);
            self.born.push(born);
            self.died.push(death(born, &mut dice));
            self.add_name(first, geography.countries.culture[country], pools, birthplaces, &mut dice);
        }
    }

    /// One in twelve bears the name of somebody a little older of the same calling, born elsewhere.
    fn add_name(
        &mut self,
        first: usize,
        home: CultureId,
        pools: &NamePools,
        birthplaces: &Birthplaces,
        dice: &mut Dice,
    ) {
        let before = self.given.len() - first;
        let namesake = (before > 0 && dice.below(12) == 0)
            .then(|| PersonId::from_index(self.given.len() - 1 - dice.below(before.min(40))));
        let birthplace = birthplaces.draw(namesake.map(|other| self.birthplace[other]), dice);
        let culture = if dice.chance(90) { CultureId(dice.below(CultureId::COUNT) as u8) } else { home };
        let drawn = pools.draw(culture, dice);
        let alias = dice.chance(120).then(|| pools.draw(culture, dice));
        let (sex, given, family) =
            namesake.map_or(drawn, |other| (self.sex[other], self.given[other], self.family[other]));
        self.sex.push(sex);
        self.given.push(given);
        self.family.push(family);
        self.birthplace.push(birthplace);
        self.alias.push(alias.map(|(_, _, other)| (given, other)));
    }

    /// Everybody who bears the same name, the person included.
    pub fn namesakes(&self, person: PersonId) -> impl Iterator<Item = PersonId> {
        let given = self.given[person];
        self.of_family.of(self.family[person]).iter().copied().filter(move |&other| self.given[other] == given)
    }

    /// Somebody of a country and calling who was born between two days; the nearest in age where nobody was.
    pub(crate) fn draw(&self, country: CountryId, calling: Calling, born: (Date, Date), dice: &mut Dice) -> PersonId {
        let group = country.index() * Calling::ALL.len() + calling as usize;
        let (first, end) = (self.groups[group] as usize, self.groups[group + 1] as usize);
        let births = &self.born.as_slice()[first..end];
        let low = births.partition_point(|&birth| birth < born.0).min(births.len() - 1);
        let high = births.partition_point(|&birth| birth <= born.1).max(low + 1);
        PersonId::from_index(first + low + dice.below(high - low))
    }

    /// Everybody of a country and a calling, the oldest first.
    pub fn group(&self, country: CountryId, calling: Calling) -> impl ExactSizeIterator<Item = PersonId> + use<> {
        let group = country.index() * Calling::ALL.len() + calling as usize;
        (self.groups[group] as usize..self.groups[group + 1] as usize).map(PersonId::from_index)
    }
}

/// Nobody dies before 72, so that whoever leaves a post by 70 never holds it in death.
fn death(born: Date, dice: &mut Dice) -> Option<Date> {
    let age_days = (72.0 + (dice.bell().abs() * 9.0).min(27.0)) * 365.25;
    let died = born.plus_days(age_days as i32 + dice.days(0, 364));
    (died < Date::TODAY).then_some(died)
}

/// The names of each culture.
struct NamePools {
    women: Vec<Vec<WordId>>,
    men: Vec<Vec<WordId>>,
    families: Vec<Vec<WordId>>,
}

impl NamePools {
    fn new(key: WorldKey, n_people: usize, coiner: &mut Coiner) -> Self {
        let n_families = (libm::sqrt(n_people as f64) * 2.2) as usize;
        let mut pools = Self { women: Vec::new(), men: Vec::new(), families: Vec::new() };
        for culture in (0..CultureId::COUNT).map(|culture| CultureId(culture as u8)) {
            let mut dice = key.dice(Strand::PersonName, u64::from(culture.0));
            pools.women.push(coiner.coin_many(culture, Use::Woman, 110, &mut dice));
            pools.men.push(coiner.coin_many(culture, Use::Man, 110, &mut dice));
            pools.families.push(coiner.coin_many(culture, Use::Family, n_families, &mut dice));
        }
        pools
    }

    fn draw(&self, culture: CultureId, dice: &mut Dice) -> (Sex, WordId, WordId) {
        let culture = usize::from(culture.0);
        let sex = if dice.chance(480) { Sex::Female } else { Sex::Male };
        let given = if sex == Sex::Female { &self.women } else { &self.men };
        (sex, *dice.choose(&given[culture]), *dice.choose(&self.families[culture]))
    }
}

/// The places of a country by how many people they have.
struct Birthplaces {
    places: Vec<PlaceId>,
    totals: Vec<u64>,
}

impl Birthplaces {
    fn new(geography: &Geography, country: CountryId) -> Self {
        let regions = geography.regions_of.of(country).iter();
        let places: Vec<PlaceId> = regions.flat_map(|&region| geography.places_of.of(region)).copied().collect();
        let totals = running_totals(places.iter().map(|&place| u64::from(geography.places.population[place])));
        Self { places, totals }
    }

    /// A place, but not the one that is told.
    fn draw(&self, but: Option<PlaceId>, dice: &mut Dice) -> PlaceId {
        let drawn = dice.weighted(&self.totals);
        let other = (drawn + 1) % self.places.len();
        if Some(self.places[drawn]) == but { self.places[other] } else { self.places[drawn] }
    }
}
