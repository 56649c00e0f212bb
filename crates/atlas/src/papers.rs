//! Papers, their topics and venues, who wrote them, what they cite, and which were retracted.

mod authors;
mod citations;
mod titles;
mod vocabulary;

pub use authors::Employment;
pub use titles::TitleParts;
pub use vocabulary::{Field, TopicTable, VenueTable};

pub(crate) use authors::{Scholars, employer};
pub(crate) use titles::Titles;
pub(crate) use vocabulary::Vocabulary;

use crate::column::{Column, Grouped, RowId};
use crate::date::Date;
use crate::dice::{Strand, WorldKey, running_totals};
use crate::ids::{InstitutionId, PaperId, PersonId, TopicId, VenueId};
use crate::shares::shares;
use crate::size::Counts;

/// The first year of papers.
pub const FIRST_PAPER_YEAR: i32 = 1985;

/// Properties of papers. Ids go by date.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTable {
    /// What it is about.
    pub topic: Column<PaperId, TopicId>,
    /// Where it appeared.
    pub venue: Column<PaperId, VenueId>,
    /// When it appeared.
    pub date: Column<PaperId, Date>,
    /// The how-manieth paper of its topic it is, from 0: titles are made from it.
    pub serial: Column<PaperId, u32>,
    /// Who wrote it, in the order of the title page.
    pub authors: Grouped<PaperId, PersonId>,
    /// Which of its authors takes letters.
    pub corresponding: Column<PaperId, PersonId>,
    /// The institution that the paper gives for that author: the employer on the day.
    pub institution: Column<PaperId, InstitutionId>,
    /// The papers it cites; all are older.
    pub cites: Grouped<PaperId, PaperId>,
    /// The papers that cite it, the oldest first.
    pub cited_by: Grouped<PaperId, PaperId>,
    /// The day of the notice by which it was retracted, where it was.
    pub retracted: Column<PaperId, Option<Date>>,
    /// The papers of each person, the oldest first.
    pub of_person: Grouped<PersonId, PaperId>,
    /// The papers on each topic, the oldest first.
    pub of_topic: Grouped<TopicId, PaperId>,
}

impl PaperTable {
    pub(crate) fn new(
        key: WorldKey,
        counts: &Counts,
        topics: &TopicTable,
        venues: &VenueTable,
        scholars: &Scholars,
    ) -> Self {
        let rows = counts.papers;
        let mut table = Self::empty(rows);
        let dates = dates(rows);
        let totals = running_totals(
            topics.name.ids().map(|topic| 500 + key.dice(Strand::Topic, u64::from(topic.0)).below(900) as u64),
        );
        let mut serials = vec![0_u32; topics.name.len()];
        for (index, &date) in dates.iter().enumerate() {
            let mut dice = key.dice(Strand::Paper, index as u64);
            let topic = TopicId::from_index(dice.weighted(&totals));
            table.topic.push(topic);
            table.serial.push(serials[topic.index()]);
            serials[topic.index()] += 1;
            table.venue.push(venues.draw(topics.field[topic], topic, &mut dice));
            table.date.push(date);
            let authors = scholars.team(topic, date, &mut dice);
            let corresponding = authors[if dice.chance(650) { 0 } else { dice.below(authors.len()) }];
            table.corresponding.push(corresponding);
            table.institution.push(scholars.employer(corresponding, date));
            table.authors.push(authors);
        }
        table.cites = citations::citations(key, &table.date, &table.topic, topics.name.len());
        table.of_topic = Grouped::sorted(topics.name.len(), table.topic.iter().map(|(paper, &topic)| (topic, paper)));
        table.finish(key, counts.people);
        table
    }

    fn empty(rows: usize) -> Self {
        Self {
            topic: Column::with_capacity(rows),
            venue: Column::with_capacity(rows),
            date: Column::with_capacity(rows),
            serial: Column::with_capacity(rows),
            authors: Grouped::new(),
            corresponding: Column::with_capacity(rows),
            institution: Column::with_capacity(rows),
            cites: Grouped::new(),
            cited_by: Grouped::new(),
            retracted: Column::with_capacity(rows),
            of_person: Grouped::new(),
            of_topic: Grouped::new(),
        }
    }

    /// Turns relations round, and retracts: one paper in a hundred, of much cited ones more.
    fn finish(&mut self, key: WorldKey, n_people: usize) {
        let ids = self.topic.ids();
        let cited = ids.clone().flat_map(|paper| self.cites.of(paper).iter().map(move |&cited| (cited, paper)));
        self.cited_by = Grouped::sorted(self.topic.len(), cited);
        let written = ids.clone().flat_map(|paper| self.authors.of(paper).iter().map(move |&author| (author, paper)));
        self.of_person = Grouped::sorted(n_people, written);
        let retracted = ids.map(|paper| {
            let mut dice = key.dice(Strand::Retraction, u64::from(paper.0));
            let per_mille = if self.cited_by.of(paper).len() > 24 { 70 } else { 8 };
            let noticed = self.date[paper].plus_days(dice.days(180, 2600)).on_a_weekday();
            (dice.chance(per_mille) && noticed < Date::TODAY).then_some(noticed)
        });
        self.retracted = retracted.collect();
    }

    /// How often a paper is cited.
    pub fn n_citations(&self, paper: PaperId) -> usize {
        self.cited_by.of(paper).len()
    }
}

/// The days on which papers appear: five percent more from year to year.
fn dates(rows: usize) -> Vec<Date> {
    let years: Vec<i32> = (FIRST_PAPER_YEAR..=2025).collect();
    let weights: Vec<f64> = years.iter().map(|year| libm::pow(1.05, f64::from(year - FIRST_PAPER_YEAR))).collect();
    let parts = shares(rows, &weights, 1);
    let in_year =
        |(&year, n): (&i32, usize)| (0..n).map(move |nth| Date::year_start(year).plus_days((nth * 365 / n) as i32));
    years.iter().zip(parts).flat_map(in_year).collect()
}
