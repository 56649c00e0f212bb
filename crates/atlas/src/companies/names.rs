//! What companies are called, and were called before.

use std::collections::HashSet;

use super::{CompanySources, Sector, SectorWords};
use crate::date::Date;
use crate::dice::{Dice, Strand};
use crate::ids::{CompanyId, CountryId, PlaceId, WordId};
use crate::people::Calling;

/// Whether a company's shares are for everybody. How it is written depends on the country's culture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LegalForm {
    /// Shares for everybody.
    Public,
    /// Shares in few hands.
    Private,
}

/// A name that a company no longer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormerName {
    /// The name without its legal form.
    pub name: [WordId; 4],
    /// The last day on which it was the company's name.
    pub until: Date,
}

/// Makes names, none of them twice.
pub(super) struct CompanyNamer {
    pub(super) words: SectorWords,
    pub(super) stems: Vec<Vec<WordId>>,
    pub(super) taken: HashSet<[WordId; 4]>,
}

/// What a name is made for.
pub(super) struct NamingScene<'a> {
    pub(super) from: &'a CompanySources<'a>,
    pub(super) country: CountryId,
    pub(super) seat: PlaceId,
    pub(super) sector: Sector,
}

impl CompanyNamer {
    /// Today's name and the names before it: one company in nine was renamed, a few of them twice.
    pub(super) fn names(
        &mut self,
        scene: &NamingScene,
        founded: Date,
        id: CompanyId,
    ) -> ([WordId; 4], Vec<FormerName>) {
        let mut dice = scene.from.key.dice(Strand::CompanyName, u64::from(id.0));
        let today = self.name(scene, &mut dice);
        let n_changes = usize::from(dice.below(9) == 0) + usize::from(dice.below(60) == 0);
        let first = founded.plus_days(900).max(Date::new(1998, 1, 1)).0;
        let mut days: Vec<i32> = (0..n_changes).map(|_| dice.days(first, Date::TODAY.0 - 90)).collect();
        days.sort_unstable();
        days.dedup();
        let former = |day| FormerName { name: self.name(scene, &mut dice), until: Date(day) };
        (today, days.into_iter().map(former).collect())
    }

    fn name(&mut self, scene: &NamingScene, dice: &mut Dice) -> [WordId; 4] {
        loop {
            let mut name = [WordId(0); 4];
            let drawn = self.drawn(scene, dice);
            name.iter_mut().zip(drawn).for_each(|(slot, word)| *slot = word);
            if self.taken.insert(name) {
                return name;
            }
        }
    }

    fn drawn(&self, scene: &NamingScene, dice: &mut Dice) -> Vec<WordId> {
        let geography = scene.from.geography;
        let culture = usize::from(geography.countries.culture[scene.country].0);
        let stem = *dice.choose(&self.stems[culture]);
        let family = |dice: &mut Dice| {
            let born = (Date::year_start(1930), Date::year_end(1990));
            let person = scene.from.people.draw(scene.country, Calling::Executive, born, dice);
            scene.from.people.family[person]
        };
        let work = dice.choose(self.words.of(scene.sector)).clone();
        let (place, region) = (geography.places.name[scene.seat], geography.places.region[scene.seat]);
        let head = match dice.below(12) {
            0..5 => vec![stem],
            5..7 => vec![place],
            7 => vec![geography.regions.name[region]],
            8 => vec![family(dice)],
            9 => vec![family(dice), self.words.and, self.words.sons],
            10 => return vec![stem, *dice.choose(&self.words.general)],
            _ if scene.sector == Sector::Banking => vec![self.words.first, place],
            _ => return vec![family(dice), self.words.and, family(dice)],
        };
        head.into_iter().chain(work).collect()
    }
}
