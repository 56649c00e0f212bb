//! Universities, institutes, academies and museums.

use std::collections::HashSet;

use crate::column::{Column, RowId};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::geography::Geography;
use crate::ids::{CountryId, InstitutionId, PlaceId, WordId};
use crate::names::Words;
use crate::people::{Calling, PersonTable, Post, Term, TermRule, TermTable, TermWriter};
use crate::shares::shares;
use crate::size::Counts;

/// What an institution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstitutionKind {
    /// Teaches and does research.
    University,
    /// Does research.
    Institute,
    /// A learned society with researchers of its own.
    Academy,
    /// Heals and does research.
    Hospital,
    /// Collects and does research.
    Museum,
    /// Looks at the sky or the earth.
    Observatory,
}

impl InstitutionKind {
    const ALL: [Self; 6] =
        [Self::University, Self::Institute, Self::Academy, Self::Hospital, Self::Museum, Self::Observatory];

    /// What such an institution is called.
    pub const fn label(self) -> &'static str {
        match self {
            Self::University => "university",
            Self::Institute => "institute",
            Self::Academy => "academy",
            Self::Hospital => "hospital",
            Self::Museum => "museum",
            Self::Observatory => "observatory",
        }
    }
}

/// Properties of institutions. Those of a country stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct InstitutionTable {
    /// The name, up to six words.
    pub name: Column<InstitutionId, [WordId; 6]>,
    /// What it is.
    pub kind: Column<InstitutionId, InstitutionKind>,
    /// Where it is registered.
    pub country: Column<InstitutionId, CountryId>,
    /// Where it sits.
    pub seat: Column<InstitutionId, PlaceId>,
    /// The year of its foundation by the register.
    pub founded: Column<InstitutionId, i16>,
    /// Another year, where the encyclopaedia tells one: it does for one in twelve.
    pub founded_by_encyclopaedia: Column<InstitutionId, Option<i16>>,
    /// Who led it, since about 1995.
    pub rectors: TermTable<InstitutionId>,
    // The first institution of each country, and the end of all.
    starts: Vec<u32>,
}

impl InstitutionTable {
    pub(crate) fn new(
        key: WorldKey,
        counts: &Counts,
        geography: &Geography,
        people: &PersonTable,
        words: &mut Words,
    ) -> Self {
        let mut table = Self::empty(counts.institutions);
        let mut namer = InstitutionNamer::new(words);
        let weights: Vec<f64> = geography
            .countries
            .name
            .ids()
            .map(|country| libm::pow(f64::from(geography.countries.population_2015_k[country]), 0.6))
            .collect();
        for (country, n) in geography.countries.name.ids().zip(shares(counts.institutions, &weights, 4)) {
            table.starts.push(table.name.len() as u32);
            (0..n).for_each(|_| table.add(key, country, geography, &mut namer));
        }
        table.starts.push(table.name.len() as u32);
        table.add_rectors(key, people);
        table
    }

    fn empty(rows: usize) -> Self {
        Self {
            name: Column::with_capacity(rows),
            kind: Column::with_capacity(rows),
            country: Column::with_capacity(rows),
            seat: Column::with_capacity(rows),
            founded: Column::with_capacity(rows),
            founded_by_encyclopaedia: Column::with_capacity(rows),
            rectors: TermTable::new(),
            starts: Vec::new(),
        }
    }

    fn add(&mut self, key: WorldKey, country: CountryId, geography: &Geography, namer: &mut InstitutionNamer) {
        let dice = &mut key.dice(Strand::Institution, self.name.len() as u64);
        let regions = geography.regions_of.of(country);
        let region = regions[dice.below(regions.len())];
        let places = geography.places_of.of(region);
        let seat = places[dice.below(places.len().min(6))];
        let kind = InstitutionKind::ALL[[0, 0, 0, 1, 1, 1, 2, 3, 4, 5][dice.below(10)]];
        let age = dice.unit();
        let is_first = self.starts.last() == Some(&(self.name.len() as u32));
        let founded = if is_first { 1880 } else { 2006 } - (age * age * 330.0) as i16 - dice.days(0, 14) as i16;
        self.country.push(country);
        self.seat.push(seat);
        self.kind.push(kind);
        self.founded.push(founded);
        let off = dice.days(1, 19) as i16 * if dice.chance(600) { -1 } else { 1 };
        self.founded_by_encyclopaedia.push(dice.chance(80).then_some(founded + off));
        self.name.push(namer.name(kind, geography, seat, dice));
    }

    fn add_rectors(&mut self, key: WorldKey, people: &PersonTable) {
        let rule = TermRule { calling: Calling::Scholar, shortest_days: 1100, longest_days: 3600, vacancies: 60 };
        let writer = TermWriter { people, rule };
        let mut terms: Vec<Term> = Vec::new();
        for id in self.name.ids() {
            let mut dice = key.dice(Strand::Rector, u64::from(id.0));
            let founded = Date::new(i32::from(self.founded[id]), 9, 1);
            let since = founded.max(Date(dice.days(Date::new(1993, 1, 1).0, Date::new(1997, 1, 1).0)));
            writer.succession(self.country[id], since, &mut dice, &mut terms);
            self.rectors.push(terms.iter().copied());
        }
    }

    /// The oldest institution of a country, by its place in the table.
    pub(crate) fn first_of(&self, country: CountryId) -> InstitutionId {
        InstitutionId(self.starts[country.index()])
    }

    /// Some institution of a country.
    pub(crate) fn draw(&self, country: CountryId, dice: &mut Dice) -> InstitutionId {
        let (first, end) = (self.starts[country.index()] as usize, self.starts[country.index() + 1] as usize);
        InstitutionId::from_index(first + dice.below(end - first))
    }

    pub(crate) fn posts(&self) -> impl Iterator<Item = (Post, &Term)> + Clone {
        self.rectors.all().map(|(institution, term)| (Post::Rector(institution), term))
    }
}

/// Makes names, none of them twice.
struct InstitutionNamer {
    kinds: Vec<WordId>,
    subjects: Vec<Vec<WordId>>,
    ranks: Vec<WordId>,
    of: WordId,
    taken: HashSet<[WordId; 6]>,
}

impl InstitutionNamer {
    fn new(words: &mut Words) -> Self {
        let subjects = [
            "marine sciences",
            "applied physics",
            "medicine",
            "agronomy",
            "public health",
            "technology",
            "mathematics",
            "earth sciences",
            "molecular biology",
            "economics",
            "materials research",
            "natural history",
            "astronomy",
            "neurology",
            "fine arts",
            "climate research",
        ];
        Self {
            kinds: InstitutionKind::ALL.iter().map(|kind| words.add(kind.label())).collect(),
            subjects: subjects.iter().map(|subject| words.add_all(subject)).collect(),
            ranks: words.add_all("royal national free central northern southern eastern western old new regional"),
            of: words.add("of"),
            taken: HashSet::new(),
        }
    }

    fn name(&mut self, kind: InstitutionKind, geography: &Geography, seat: PlaceId, dice: &mut Dice) -> [WordId; 6] {
        loop {
            let mut name = [WordId(0); 6];
            let drawn = self.drawn(kind, geography, seat, dice);
            name.iter_mut().zip(drawn).for_each(|(slot, word)| *slot = word);
            if self.taken.insert(name) {
                return name;
            }
        }
    }

    fn drawn(&self, kind: InstitutionKind, geography: &Geography, seat: PlaceId, dice: &mut Dice) -> Vec<WordId> {
        let (place, region) = (geography.places.name[seat], geography.regions.name[geography.places.region[seat]]);
        let kind_word = self.kinds[kind as usize];
        let of_subject = [vec![self.of], dice.choose(&self.subjects).clone()].concat();
        match dice.below(6) {
            0 if kind == InstitutionKind::University => vec![kind_word, self.of, place],
            1 => [vec![place, kind_word], of_subject].concat(),
            2 => vec![*dice.choose(&self.ranks), kind_word, self.of, region],
            3 => [vec![region, kind_word], of_subject].concat(),
            4 => [vec![*dice.choose(&self.ranks), place, kind_word], of_subject].concat(),
            _ => vec![*dice.choose(&self.ranks), kind_word, self.of, place],
        }
    }
}
