//! Official notices: ordinances and climate plans with their amendments, licences, rate decisions, appointments.

mod climate;
mod drafts;
mod ordinances;
mod titles;

pub use climate::PlanStyle;
pub use ordinances::OrdinanceMatter;

use crate::by_day::{order_by_day, ranks};
use crate::column::{Column, Grouped};
use crate::companies::LicenceKind;
use crate::date::Date;
use crate::ids::{CompanyId, CountryId, NoticeId, PersonId, RegionId};
use crate::people::Post;

pub(crate) use drafts::GazetteSources;
pub(crate) use titles::labels;

/// What a notice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeMatter {
    /// An ordinance, or the version of one after an amendment: from the day on the fee is this.
    Ordinance {
        /// What it is about.
        matter: OrdinanceMatter,
        /// The fee, in hundredths of the currency.
        fee_minor: i64,
    },
    /// An ordinance ends.
    Repeal {
        /// What it was about.
        matter: OrdinanceMatter,
    },
    /// A climate plan, or the version of one after an amendment.
    ClimatePlan {
        /// The how-manieth plan of the country, from 1.
        plan: u8,
        /// By how much emissions are to fall against 1990, in tenths of a percent.
        target_pm: i32,
        /// By which year.
        by_year: i32,
    },
    /// A bank was given a licence.
    LicenceGranted {
        /// The bank.
        bank: CompanyId,
        /// What it may do.
        kind: LicenceKind,
    },
    /// A bank's licence ended.
    LicenceWithdrawn {
        /// The bank.
        bank: CompanyId,
        /// What it could do.
        kind: LicenceKind,
    },
    /// The central bank set its rate.
    RateDecision {
        /// The rate, in hundredths of a percent.
        rate_bp: i32,
        /// The change, in hundredths of a percent.
        change_bp: i32,
    },
    /// Somebody was given a post.
    Appointment {
        /// Who.
        person: PersonId,
        /// Which post.
        post: Post,
    },
}

/// A notice that has no id yet. `amends` is the index of another draft.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoticeDraft {
    pub(crate) date: Date,
    pub(crate) country: CountryId,
    pub(crate) region: Option<RegionId>,
    pub(crate) matter: NoticeMatter,
    pub(crate) amends: Option<u32>,
    pub(crate) version: u8,
}

/// Properties of notices. Ids go by date.
#[derive(Clone, Debug, PartialEq)]
pub struct NoticeTable {
    /// The day of the issue, from which the notice holds.
    pub date: Column<NoticeId, Date>,
    /// Whose gazette it stands in.
    pub country: Column<NoticeId, CountryId>,
    /// The region it is for, where it is not for the whole country.
    pub region: Column<NoticeId, Option<RegionId>>,
    /// What it says.
    pub matter: Column<NoticeId, NoticeMatter>,
    /// The version before this one, where it amends or repeals.
    pub amends: Column<NoticeId, Option<NoticeId>>,
    /// The version after this one, where there is one.
    pub amended_by: Column<NoticeId, Option<NoticeId>>,
    /// The how-manieth version it is, from 1.
    pub version: Column<NoticeId, u8>,
    /// The first versions of each country's climate plans, the oldest first.
    pub climate_plans: Grouped<CountryId, NoticeId>,
    /// Each country's rate decisions, the oldest first.
    pub rate_decisions: Grouped<CountryId, NoticeId>,
    /// The first versions of each region's ordinances, the oldest first.
    pub ordinances: Grouped<RegionId, NoticeId>,
}

impl NoticeTable {
    pub(crate) fn new(from: &GazetteSources) -> Self {
        let drafts = drafts::drafts(from);
        let order = order_by_day(drafts.iter().map(|draft| draft.date));
        let ranks = ranks(&order);
        let sorted = || order.iter().map(|&index| &drafts[index as usize]);
        let amends: Column<NoticeId, Option<NoticeId>> =
            sorted().map(|draft| draft.amends.map(|index| NoticeId(ranks[index as usize]))).collect();
        let mut amended_by: Column<NoticeId, Option<NoticeId>> = drafts.iter().map(|_| None).collect();
        amends.iter().for_each(|(notice, before)| before.iter().for_each(|&before| amended_by[before] = Some(notice)));
        let mut table = Self {
            date: sorted().map(|draft| draft.date).collect(),
            country: sorted().map(|draft| draft.country).collect(),
            region: sorted().map(|draft| draft.region).collect(),
            matter: sorted().map(|draft| draft.matter).collect(),
            version: sorted().map(|draft| draft.version).collect(),
            amends,
            amended_by,
            climate_plans: Grouped::new(),
            rate_decisions: Grouped::new(),
            ordinances: Grouped::new(),
        };
        table.group(from);
        table
    }

    fn group(&mut self, from: &GazetteSources) {
        let (n_countries, n_regions) = (from.geography.countries.name.len(), from.geography.regions.name.len());
        let first = |notice: &NoticeId| self.version[*notice] == 1;
        let of = |wanted: fn(&NoticeMatter) -> bool| {
            self.matter.iter().filter(move |(_, matter)| wanted(matter)).map(|(notice, _)| notice)
        };
        let plans = of(|matter| matches!(matter, NoticeMatter::ClimatePlan { .. })).filter(first);
        let rates = of(|matter| matches!(matter, NoticeMatter::RateDecision { .. }));
        let ordinances = of(|matter| matches!(matter, NoticeMatter::Ordinance { .. })).filter(first);
        let by_country = |notice: NoticeId| (self.country[notice], notice);
        let climate_plans = Grouped::sorted(n_countries, plans.map(by_country));
        let rate_decisions = Grouped::sorted(n_countries, rates.map(by_country));
        let by_region = ordinances.filter_map(|notice| Some((self.region[notice]?, notice)));
        let ordinances = Grouped::sorted(n_regions, by_region);
        (self.climate_plans, self.rate_decisions, self.ordinances) = (climate_plans, rate_decisions, ordinances);
    }

    /// All versions of a plan or ordinance, the first one first, from any of them.
    pub fn versions(&self, notice: NoticeId) -> Vec<NoticeId> {
        let first = std::iter::successors(Some(notice), |&notice| self.amends[notice]).last().unwrap_or(notice);
        std::iter::successors(Some(first), |&notice| self.amended_by[notice]).collect()
    }

    /// The version of a plan or ordinance that holds on a day, if it was issued by then.
    pub fn version_at(&self, notice: NoticeId, day: Date) -> Option<NoticeId> {
        self.versions(notice).into_iter().rev().find(|&version| self.date[version] <= day)
    }

    /// The rate decision in force on a day.
    pub fn rate_decision_at(&self, country: CountryId, day: Date) -> Option<NoticeId> {
        self.rate_decisions.of(country).iter().rev().copied().find(|&notice| self.date[notice] <= day)
    }

    /// How many notices there are.
    pub fn len(&self) -> usize {
        self.date.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.date.is_empty()
    }

    /// The ids of all notices.
    pub fn ids(&self) -> impl Iterator<Item = NoticeId> + use<> {
        self.date.ids()
    }
}
