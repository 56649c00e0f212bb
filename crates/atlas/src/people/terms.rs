//! Posts that people hold for a term.

use super::{Calling, PersonTable};
use crate::column::{Grouped, RowId};
use crate::date::Date;
use crate::dice::Dice;
use crate::ids::{CompanyId, CountryId, InstitutionId, PersonId};

/// A post and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Post {
    /// Chairs a company.
    Chair(CompanyId),
    /// Leads a company.
    ChiefExecutive(CompanyId),
    /// Heads a government.
    HeadOfGovernment(CountryId),
    /// Leads a ministry, one of [`crate::government::Ministry::ALL`].
    Minister(CountryId, crate::government::Ministry),
    /// Leads an institution.
    Rector(InstitutionId),
}

/// One person in one post, from the first day to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Who holds it.
    pub person: PersonId,
    /// The first day.
    pub from: Date,
    /// The last day, or none where the term goes on.
    pub to: Option<Date>,
}

impl Term {
    /// Whether the post is held on a day, the first and the last included.
    pub fn covers(&self, day: Date) -> bool {
        self.from <= day && self.to.is_none_or(|to| day <= to)
    }
}

/// A term told from the side of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostHeld {
    /// The post.
    pub post: Post,
    /// The first day.
    pub from: Date,
    /// The last day, or none where the term goes on.
    pub to: Option<Date>,
}

/// All terms of one post by whose it is, in order; at most one covers a day.
#[derive(Clone, Debug, PartialEq)]
pub struct TermTable<I> {
    terms: Grouped<I, Term>,
}

impl<I: RowId> TermTable<I> {
    pub(crate) fn new() -> Self {
        Self { terms: Grouped::new() }
    }

    pub(crate) fn push(&mut self, terms: impl IntoIterator<Item = Term>) {
        self.terms.push(terms);
    }

    /// All terms, the first one first.
    pub fn of(&self, id: I) -> &[Term] {
        self.terms.of(id)
    }

    /// The term that covers a day.
    pub fn at(&self, id: I, day: Date) -> Option<&Term> {
        self.of(id).iter().find(|term| term.covers(day))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (I, &Term)> + Clone {
        (0..self.terms.len()).map(I::from_index).flat_map(|id| self.of(id).iter().map(move |term| (id, term)))
    }
}

/// How long terms of a post last, and who holds them.
#[derive(Clone, Copy)]
pub(crate) struct TermRule {
    pub(crate) calling: Calling,
    pub(crate) shortest_days: i32,
    pub(crate) longest_days: i32,
    /// How many of a thousand changes leave the post vacant for some weeks.
    pub(crate) vacancies: usize,
}

/// Writes successions of terms.
pub(crate) struct TermWriter<'a> {
    pub(crate) people: &'a PersonTable,
    pub(crate) rule: TermRule,
}

impl TermWriter<'_> {
    /// Terms from a day up to today. The first one may have begun on that day exactly.
    pub(crate) fn succession(&self, country: CountryId, since: Date, dice: &mut Dice, into: &mut Vec<Term>) {
        into.clear();
        let mut from = since;
        while from < Date::TODAY {
            let last = from.plus_days(dice.days(self.rule.shortest_days, self.rule.longest_days));
            let before = into.last().map(|term: &Term| term.person);
            let person = self.holder(country, from, last, before, dice);
            // Whoever is older than was asked for, because a small country has nobody else, leaves at seventy.
            let seventy = self.people.born[person].plus_days(70 * 365);
            let last = last.min(seventy).max(from.plus_days(60));
            into.push(Term { person, from, to: (last < Date::TODAY).then_some(last) });
            from = last.plus_days(if dice.chance(self.rule.vacancies) { dice.days(8, 70) } else { 1 });
        }
    }

    fn holder(
        &self,
        country: CountryId,
        from: Date,
        last: Date,
        before: Option<PersonId>,
        dice: &mut Dice,
    ) -> PersonId {
        let youngest = from.plus_days(-31 * 365);
        let oldest = last.plus_days(-69 * 365).max(from.plus_days(-62 * 365));
        let mut draw = || self.people.draw(country, self.rule.calling, (oldest.min(youngest), youngest), dice);
        let drawn = draw();
        if Some(drawn) == before { draw() } else { drawn }
    }
}

/// The posts of every person, in the order of the posts' kinds.
pub(crate) fn tenures<'a>(
    n_people: usize,
    terms: impl Iterator<Item = (Post, &'a Term)> + Clone,
) -> Grouped<PersonId, PostHeld> {
    let pairs = terms.map(|(post, term)| (term.person, PostHeld { post, from: term.from, to: term.to }));
    Grouped::sorted(n_people, pairs)
}
