//! Countries and their currencies.

use super::MapPoint;
use crate::column::Column;
use crate::dice::{Dice, Strand, WorldKey};
use crate::ids::{CountryId, PlaceId, WordId};
use crate::names::CultureId;
use crate::names::coining::{Coiner, Use};
use crate::size::Counts;

/// What a country calls itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateForm {
    /// Republic of X.
    Republic,
    /// Kingdom of X.
    Kingdom,
    /// Federation of X.
    Federation,
    /// Commonwealth of X.
    Commonwealth,
}

/// The money of a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currency {
    /// Three letters, unlike those of any other currency.
    pub code: [u8; 3],
    /// The noun, such as `crown`. The whole name is the country's adjective and the noun.
    pub noun: WordId,
    /// How many of it one clearing unit was worth at the end of 2015, in ten-thousandths.
    pub rate_2015_e4: i64,
}

impl Currency {
    /// The code as text.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).expect("codes are made of letters")
    }
}

/// Properties of countries.
#[derive(Clone, Debug, PartialEq)]
pub struct CountryTable {
    /// The short name.
    pub name: Column<CountryId, WordId>,
    /// The adjective: Kybrian for Kybria.
    pub adjective: Column<CountryId, WordId>,
    /// What it calls itself.
    pub form: Column<CountryId, StateForm>,
    /// Whose sounds its names have.
    pub culture: Column<CountryId, CultureId>,
    /// Its money.
    pub currency: Column<CountryId, Currency>,
    /// People at the middle of 2015, in thousands.
    pub population_2015_k: Column<CountryId, u32>,
    /// Output a head in 2015, in clearing units.
    pub output_a_head_2015: Column<CountryId, u32>,
    /// Land, in square kilometres.
    pub area_km2: Column<CountryId, u32>,
    /// The seat of its government, its largest place.
    pub capital: Column<CountryId, PlaceId>,
    /// Its middle on the map.
    pub middle: Column<CountryId, MapPoint>,
}

impl CountryTable {
    pub(super) fn new(key: WorldKey, counts: &Counts, coiner: &mut Coiner) -> Self {
        let mut table = Self::empty(counts.countries);
        let mut codes = Vec::new();
        for index in 0..counts.countries {
            let mut dice = key.dice(Strand::Country, index as u64);
            table.add(index, &mut codes, coiner, &mut dice);
        }
        table
    }

    fn empty(rows: usize) -> Self {
        Self {
            name: Column::with_capacity(rows),
            adjective: Column::with_capacity(rows),
            form: Column::with_capacity(rows),
            culture: Column::with_capacity(rows),
            currency: Column::with_capacity(rows),
            population_2015_k: Column::with_capacity(rows),
            output_a_head_2015: Column::with_capacity(rows),
            area_km2: Column::with_capacity(rows),
            capital: Column::with_capacity(rows),
            middle: Column::with_capacity(rows),
        }
    }

    fn add(&mut self, index: usize, codes: &mut Vec<[u8; 3]>, coiner: &mut Coiner, dice: &mut Dice) {
        let culture = CultureId((index % CultureId::COUNT) as u8);
        let name = coiner.coin(culture, Use::Country, dice);
        let spelling = coiner.words.spelling(name).to_owned();
        self.name.push(name);
        self.adjective.push(coiner.words.add(&adjective(&spelling)));
        self.culture.push(culture);
        let forms = [StateForm::Republic, StateForm::Kingdom, StateForm::Federation, StateForm::Commonwealth];
        self.form.push(*dice.choose(&forms));
        let population_k = dice.log_bell(12_000.0, 0.95).clamp(600.0, 220_000.0);
        self.population_2015_k.push(population_k as u32);
        self.output_a_head_2015.push(dice.log_bell(15_000.0, 0.75) as u32);
        self.area_km2.push((population_k * 1000.0 / dice.log_bell(75.0, 0.6)) as u32);
        self.currency.push(currency(&spelling, codes, coiner, dice));
        self.middle.push(middle(index, dice));
    }
}

/// Countries stand on a jittered grid, eight in a row.
fn middle(index: usize, dice: &mut Dice) -> MapPoint {
    let jitter = |dice: &mut Dice| dice.days(-180, 180);
    let (column, row) = ((index % 8) as i32, (index / 8) as i32);
    MapPoint { x_km: 600 + column * 1200 + jitter(dice), y_km: 600 + row * 1100 + jitter(dice) }
}

fn adjective(name: &str) -> String {
    let stem = name.trim_end_matches(['a', 'e', 'i', 'o', 'u', 'y']);
    let stem = if stem.len() < 3 { name } else { stem };
    format!("{stem}{}", if name.ends_with(['a', 'y', 'i']) { "ian" } else { "ese" })
}

const NOUNS: [&str; 14] = [
    "mark", "crown", "thaler", "florin", "ducat", "talent", "guilder", "shilling", "groat", "tally", "obol", "penning",
    "sestern", "stater",
];

fn currency(country: &str, codes: &mut Vec<[u8; 3]>, coiner: &mut Coiner, dice: &mut Dice) -> Currency {
    let noun = *dice.choose(&NOUNS);
    let letters: Vec<u8> = country.bytes().filter(u8::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase()).collect();
    let last = noun.as_bytes()[0].to_ascii_uppercase();
    let second = letters[1..].iter().copied().chain(b'A'..=b'Z').map(|middle| [letters[0], middle, last]);
    let code = second.into_iter().find(|code| !codes.contains(code)).expect("26 codes begin with the same letter");
    codes.push(code);
    let magnitude = *dice.choose(&[1.0, 1.0, 1.0, 5.0, 10.0, 10.0, 80.0, 400.0]);
    let rate = dice.uniform(0.6, 1.9) * magnitude;
    Currency { code, noun: coiner.words.add(noun), rate_2015_e4: (rate * 10_000.0) as i64 }
}
