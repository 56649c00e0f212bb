//! The notices of each country, put in order once.

use quintain_atlas::gazette::NoticeTable;
use quintain_atlas::{CountryId, NoticeId, RowId};

/// The gazette of each country: its notices, the oldest first.
#[derive(Clone, Debug)]
pub(crate) struct GazetteShelf {
    by_country: Vec<Vec<NoticeId>>,
}

impl GazetteShelf {
    pub(crate) fn new(notices: &NoticeTable, n_countries: usize) -> Self {
        let mut by_country = vec![Vec::new(); n_countries];
        notices.ids().for_each(|notice| by_country[notices.country[notice].index()].push(notice));
        Self { by_country }
    }

    /// The notices of a country.
    pub(super) fn of(&self, country: CountryId) -> &[NoticeId] {
        &self.by_country[country.index()]
    }

    /// The notices of one issue, which is one day of one country, from any of them.
    pub(super) fn issue(&self, notices: &NoticeTable, notice: NoticeId) -> &[NoticeId] {
        let (all, day) = (self.of(notices.country[notice]), notices.date[notice]);
        let first = all.partition_point(|&other| notices.date[other] < day);
        let n = all[first..].partition_point(|&other| notices.date[other] == day);
        &all[first..first + n]
    }

    /// The first notices of the issues before and after.
    pub(super) fn neighbours(&self, notices: &NoticeTable, notice: NoticeId) -> (Option<NoticeId>, Option<NoticeId>) {
        let (all, day) = (self.of(notices.country[notice]), notices.date[notice]);
        let first = all.partition_point(|&other| notices.date[other] < day);
        let end = all.partition_point(|&other| notices.date[other] <= day);
        let before = first.checked_sub(1).and_then(|at| self.issue(notices, all[at]).first().copied());
        (before, all.get(end).copied())
    }
}
