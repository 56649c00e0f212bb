//! Titles of notices. They say what is decided on, never what was decided.

use super::climate::{PlanStyle, STYLES};
use super::ordinances::OrdinanceMatter;
use super::{NoticeMatter, NoticeTable};
use crate::atlas::Atlas;
use crate::companies::LicenceKind;
use crate::date::Date;
use crate::ids::NoticeId;
use crate::people::Post;

const ORDINALS: [&str; 8] = ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh"];

/// Everything that titles are worded with.
pub(crate) fn labels() -> impl Iterator<Item = &'static str> {
    let matters = (0..OrdinanceMatter::COUNT).map(|matter| OrdinanceMatter(matter as u8).label());
    let others =
        ["ordinance on in amendment repeal of the grant withdrawal a full limited banking licence to decision"];
    matters.chain(STYLES).chain(ORDINALS).chain(others)
}

impl LicenceKind {
    /// What the licence is called.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Limited => "limited",
        }
    }
}

impl NoticeTable {
    fn amendment(&self, notice: NoticeId) -> String {
        match usize::from(self.version[notice]) {
            1 => String::new(),
            version => format!(", {} amendment", ORDINALS[(version - 1).min(ORDINALS.len() - 1)]),
        }
    }

    /// The year in a plan's title: that of its first version.
    fn plan_year(&self, notice: NoticeId) -> i32 {
        let first = self.versions(notice).first().copied().unwrap_or(notice);
        self.date[first].year()
    }
}

impl Atlas {
    /// What a country calls its climate plans.
    pub fn plan_style(&self, notice: NoticeId) -> PlanStyle {
        PlanStyle::of(self.key, self.notices.country[notice])
    }

    /// The title of a notice.
    pub fn notice_title(&self, notice: NoticeId) -> String {
        let amendment = self.notices.amendment(notice);
        let region = || self.notices.region[notice].map_or_else(String::new, |region| self.title(region.into()));
        let company = |bank| self.company_name(bank, self.notices.date[notice]);
        match self.notices.matter[notice] {
            NoticeMatter::Ordinance { matter, .. } => {
                format!("Ordinance on {} in {}{amendment}", matter.label(), region())
            }
            NoticeMatter::Repeal { matter } => format!("Repeal of the ordinance on {} in {}", matter.label(), region()),
            NoticeMatter::ClimatePlan { .. } => {
                format!("{} {}{amendment}", self.plan_style(notice).noun(), self.notices.plan_year(notice))
            }
            NoticeMatter::LicenceGranted { bank, kind } => {
                format!("Grant of a {} banking licence to {}", kind.label(), company(bank))
            }
            NoticeMatter::LicenceWithdrawn { bank, kind } => {
                format!("Withdrawal of the {} banking licence of {}", kind.label(), company(bank))
            }
            NoticeMatter::RateDecision { .. } => "Decision on the policy rate".to_owned(),
            NoticeMatter::Appointment { post, .. } => format!("Appointment of the {}", self.post_label(post)),
        }
    }

    /// What a post is called.
    pub fn post_label(&self, post: Post) -> String {
        match post {
            Post::Chair(company) => format!("chair of {}", self.company_name(company, Date::TODAY)),
            Post::ChiefExecutive(company) => format!("chief executive of {}", self.company_name(company, Date::TODAY)),
            Post::HeadOfGovernment(country) => format!("head of government of {}", self.title(country.into())),
            Post::Minister(country, ministry) => {
                format!("minister of {} of {}", ministry.label(), self.title(country.into()))
            }
            Post::Rector(institution) => format!("rector of {}", self.title(institution.into())),
        }
    }
}
