//! News of everything that happened, before it is put in order.

use super::{LOCAL_THEMES, NewsDraft, NewsMatter, Outlet};
use crate::column::RowId;
use crate::companies::accounts;
use crate::companies::{CompanyTable, press_date_of, restatement_of};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::gazette::{NoticeMatter, NoticeTable};
use crate::geography::Geography;
use crate::ids::{CountryId, IndicatorId, PlaceId};
use crate::papers::PaperTable;
use crate::people::Post;

/// What the news is made from.
pub(crate) struct NewsSources<'a> {
    pub(crate) key: WorldKey,
    pub(crate) n_items: usize,
    pub(crate) n_indicators: usize,
    pub(crate) geography: &'a Geography,
    pub(crate) companies: &'a CompanyTable,
    pub(crate) papers: &'a PaperTable,
    pub(crate) notices: &'a NoticeTable,
}

/// About as many items as asked for: what must be told, a part of what may be, errata, and things that happen in places.
pub(super) fn drafts(from: &NewsSources) -> Vec<NewsDraft> {
    let mut writer = Writer { from, drafts: Vec::with_capacity(from.n_items + 64), n_throws: 0 };
    writer.add_companies();
    writer.add_notices();
    writer.add_papers();
    writer.add_appointments(from.n_items / 5);
    writer.add_estimates(from.n_items / 12);
    writer.add_errata();
    writer.add_local();
    writer.drafts
}

struct Writer<'a> {
    from: &'a NewsSources<'a>,
    drafts: Vec<NewsDraft>,
    /// How often dice were thrown, so that whatever is left out is not left out for ever.
    n_throws: u64,
}

impl Writer<'_> {
    fn dice(&mut self, id: u64) -> Dice {
        self.n_throws += 1;
        self.from.key.dice(Strand::News, self.n_throws << 8 | id)
    }

    /// The Herald prints figures of companies; everything else stands in either paper.
    fn add(&mut self, date: Date, matter: NewsMatter) {
        let is_figure = matches!(matter, NewsMatter::Results { .. });
        let outlet = if is_figure || self.dice(1).chance(500) { Outlet::Herald } else { Outlet::Courier };
        if date < Date::TODAY {
            self.drafts.push(NewsDraft { date, outlet, matter, corrects: None });
        }
    }

    fn add_companies(&mut self) {
        let companies = self.from.companies;
        for company in companies.name.ids() {
            let restatement = restatement_of(self.from.key, company, companies.founded[company]);
            if let Some(restatement) = restatement {
                self.add(restatement.filed.plus_days(1), NewsMatter::Restated { company });
            }
            for former in companies.former_names.of(company) {
                self.add(former.until.plus_days(1), NewsMatter::Renamed { company });
            }
            let first = (companies.founded[company].year() + 1).max(accounts::FIRST_YEAR);
            for year in first..=accounts::LAST_YEAR {
                let is_restated = restatement.is_some_and(|restatement| restatement.covers_year(year));
                if let Some(printed) = press_date_of(self.from.key, company, year, is_restated.then_some(())) {
                    self.add(printed, NewsMatter::Results { company, year });
                }
            }
        }
    }

    /// Of ordinances and appointments only some are explained, of everything else all.
    fn add_notices(&mut self) {
        for notice in self.from.notices.ids() {
            let is_told = match self.from.notices.matter[notice] {
                NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => self.dice(2).chance(120),
                NoticeMatter::Appointment { post, .. } => matches!(post, Post::HeadOfGovernment(_)),
                _ => true,
            };
            if is_told {
                self.add(self.from.notices.date[notice].plus_days(1), NewsMatter::Notice { notice });
            }
        }
    }

    fn add_papers(&mut self) {
        let papers = self.from.papers;
        for paper in papers.topic.ids() {
            if let Some(noticed) = papers.retracted[paper] {
                self.add(noticed.plus_days(3), NewsMatter::Retracted { paper });
            }
            if papers.n_citations(paper) > 30 && self.dice(3).chance(400) {
                self.add(papers.date[paper].plus_days(4), NewsMatter::Published { paper });
            }
        }
    }

    fn add_appointments(&mut self, about: usize) {
        let n_terms = self.from.companies.posts().count().max(1);
        let per_mille = about * 1000 / n_terms;
        for (post, term) in self.from.companies.posts() {
            if self.dice(4).chance(per_mille) {
                self.add(term.from.plus_days(1), NewsMatter::Appointed { person: term.person, post });
            }
        }
    }

    fn add_estimates(&mut self, n: usize) {
        let n_countries = self.from.geography.countries.name.len();
        for _ in 0..n {
            let mut dice = self.dice(5);
            let indicator = IndicatorId::from_index(dice.below(self.from.n_indicators));
            let country = CountryId::from_index(dice.below(n_countries));
            let year = dice.days(2000, 2025);
            self.add(Date::new(year, 12, 16), NewsMatter::Estimate { indicator, country, year });
        }
    }

    /// One item in forty is put right some days later, in the same paper.
    fn add_errata(&mut self) {
        for index in 0..self.drafts.len() {
            let mut dice = self.from.key.dice_of_pair(Strand::News, index as u64, 7);
            let wrong = self.drafts[index];
            let date = wrong.date.plus_days(dice.days(2, 21));
            if dice.below(40) == 0 && date < Date::TODAY {
                self.drafts.push(NewsDraft { date, corrects: Some(index as u32), ..wrong });
            }
        }
    }

    fn add_local(&mut self) {
        let n_places = self.from.geography.places.name.len();
        while self.drafts.len() < self.from.n_items {
            let mut dice = self.dice(6);
            let place = PlaceId::from_index(dice.below(n_places));
            let theme = dice.below(LOCAL_THEMES.len()) as u8;
            let date = Date(dice.days(Date::new(1996, 1, 1).0, Date::TODAY.0 - 1));
            self.add(date, NewsMatter::Local { place, theme });
        }
    }
}
