//! Climate plans and their amendments.

use super::{NoticeDraft, NoticeMatter};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::ids::CountryId;

/// How a country words the titles of its plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanStyle(&'static str);

pub(super) const STYLES: [&str; 6] = [
    "National Climate Plan",
    "Climate and Energy Plan",
    "Programme for Lower Emissions",
    "Climate Protection Plan",
    "Plan for Clean Growth",
    "Long-Term Climate Strategy",
];

impl PlanStyle {
    /// The style of a country.
    pub(crate) fn of(key: WorldKey, country: CountryId) -> Self {
        Self(key.dice_of_pair(Strand::ClimatePlan, u64::from(country.0), 1).pick(&STYLES))
    }

    /// What plans are called, without their year.
    pub const fn noun(self) -> &'static str {
        self.0
    }
}

/// Nobody can cut more than all of the emissions.
const HIGHEST_TARGET_PM: i32 = 950;

/// Two to four plans of a country, some years apart, each amended up to four times.
pub(super) fn add_plans(key: WorldKey, country: CountryId, drafts: &mut Vec<NoticeDraft>) {
    let mut dice = key.dice(Strand::ClimatePlan, u64::from(country.0));
    let mut year = dice.days(2004, 2008);
    let mut target_pm = dice.days(8, 24) * 10;
    for plan in 1..=dice.days(2, 4) {
        let by_year = (year + 10) / 5 * 5 + 5;
        let next = year + dice.days(4, 7);
        target_pm = (target_pm + dice.days(3, 12) * 10).min(HIGHEST_TARGET_PM);
        let date = Date(dice.days(Date::new(year, 1, 10).0, Date::new(year, 11, 30).0)).on_a_weekday();
        let first = NoticeMatter::ClimatePlan { plan: plan as u8, target_pm, by_year };
        let draft = NoticeDraft { date, country, region: None, matter: first, amends: None, version: 1 };
        drafts.push(draft);
        target_pm = add_amendments(draft, next, &mut dice, drafts);
        year = next;
        if year > 2024 {
            break;
        }
    }
}

/// Versions of a plan until the next plan, or until today. Gives back the last target.
fn add_amendments(first: NoticeDraft, until_year: i32, dice: &mut Dice, drafts: &mut Vec<NoticeDraft>) -> i32 {
    let NoticeMatter::ClimatePlan { plan, mut target_pm, by_year } = first.matter else {
        return 0;
    };
    let end = Date::new(until_year, 1, 1).min(Date::TODAY.plus_days(-20));
    let mut date = first.date;
    for version in 2..=1 + dice.days(1, 4) {
        date = date.plus_days(dice.days(150, 620)).on_a_weekday();
        if date >= end {
            break;
        }
        let points = dice.days(1, 9) * 10 + dice.days(0, 1) * 5;
        let is_raised = dice.chance(800) && target_pm + points <= HIGHEST_TARGET_PM;
        target_pm = (target_pm + if is_raised { points } else { -points }).max(50);
        let amends = Some(drafts.len() as u32 - 1);
        let matter = NoticeMatter::ClimatePlan { plan, target_pm, by_year };
        drafts.push(NoticeDraft { date, matter, amends, version: version as u8, ..first });
    }
    target_pm
}
