//! Who writes papers, and where they work.

use crate::column::{Grouped, RowId};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::ids::{InstitutionId, PersonId, TopicId};
use crate::institutions::InstitutionTable;
use crate::people::{Calling, PersonTable};

/// Where a scholar works from a day on, until the next employment begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Employment {
    /// The employer.
    pub institution: InstitutionId,
    /// The first day.
    pub from: Date,
}

/// Scholars by topic, and their employments.
pub(crate) struct Scholars<'a> {
    people: &'a PersonTable,
    by_topic: Grouped<TopicId, PersonId>,
    employments: Grouped<PersonId, Employment>,
}

impl<'a> Scholars<'a> {
    pub(crate) fn new(
        key: WorldKey,
        people: &'a PersonTable,
        institutions: &InstitutionTable,
        n_topics: usize,
    ) -> Self {
        let mut employments = Grouped::new();
        let mut pairs = Vec::new();
        for person in people.given.ids() {
            if people.calling[person] != Calling::Scholar {
                employments.push([]);
                continue;
            }
            let mut dice = key.dice(Strand::Employment, u64::from(person.0));
            pairs.push((dice.next_u64(), TopicId::from_index(dice.below(n_topics)), person));
            employments.push(career(people, person, institutions, &mut dice));
        }
        // In a random order, because those who come first write most.
        pairs.sort_unstable_by_key(|pair| pair.0);
        let by_topic = Grouped::sorted(n_topics, pairs.iter().map(|&(_, topic, person)| (topic, person)));
        Self { people, by_topic, employments }
    }

    /// The authors of a paper: one to six scholars of its topic, all of working age.
    pub(crate) fn team(&self, topic: TopicId, date: Date, dice: &mut Dice) -> Vec<PersonId> {
        let known = self.by_topic.of(topic);
        let size = [1, 2, 2, 3, 3, 3, 4, 4, 5, 6][dice.below(10)];
        let mut team = Vec::with_capacity(size);
        for attempt in 0..size * 4 {
            if team.len() == size {
                break;
            }
            let luck = dice.unit();
            let nth = (known.len() as f64 * luck * if attempt % 2 == 0 { luck } else { 1.0 }) as usize;
            let person = known[nth];
            if self.is_active(person, date) && !team.contains(&person) {
                team.push(person);
            }
        }
        if team.is_empty() {
            team.push(self.nearest_in_age(known, date));
        }
        team
    }

    fn is_active(&self, person: PersonId, date: Date) -> bool {
        let age_days = date.0 - self.people.born[person].0;
        (26 * 366..70 * 365).contains(&age_days)
    }

    fn nearest_in_age(&self, known: &[PersonId], date: Date) -> PersonId {
        let ideal = date.0 - 45 * 365;
        let nearest = known.iter().min_by_key(|&&person| (self.people.born[person].0 - ideal).abs());
        *nearest.expect("every topic has scholars")
    }

    /// Where a scholar works on a day; before the first employment, where that one will be.
    pub(crate) fn employer(&self, person: PersonId, date: Date) -> InstitutionId {
        employer(self.employments.of(person), date).expect("every scholar has an employment")
    }

    pub(crate) fn into_employments(self) -> Grouped<PersonId, Employment> {
        self.employments
    }
}

pub(crate) fn employer(employments: &[Employment], date: Date) -> Option<InstitutionId> {
    let begun = employments.iter().rev().find(|employment| employment.from <= date);
    begun.or(employments.first()).map(|employment| employment.institution)
}

fn career(people: &PersonTable, person: PersonId, institutions: &InstitutionTable, dice: &mut Dice) -> Vec<Employment> {
    let mut from = people.born[person].plus_days(25 * 365 + dice.days(0, 700));
    let n = [1, 1, 2, 2, 3][dice.below(5)];
    let mut career: Vec<Employment> = Vec::with_capacity(n);
    for _ in 0..n {
        let institution = open_by(people, person, institutions, from, dice);
        if career.last().is_none_or(|last| last.institution != institution) {
            career.push(Employment { institution, from });
        }
        from = from.plus_days(dice.days(5 * 365, 17 * 365));
    }
    career
}

/// An institution of the scholar's country that was founded by then. The first of every country is an old one.
fn open_by(
    people: &PersonTable,
    person: PersonId,
    institutions: &InstitutionTable,
    from: Date,
    dice: &mut Dice,
) -> InstitutionId {
    let country = people.country[person];
    let is_open = |&id: &InstitutionId| i32::from(institutions.founded[id]) < from.year();
    let mut draws = (0..6).map(|_| institutions.draw(country, dice));
    draws.find(is_open).unwrap_or_else(|| institutions.first_of(country))
}
