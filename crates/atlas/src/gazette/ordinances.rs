//! Ordinances of regions, with fees that amendments change.

use super::{GazetteSources, NoticeDraft, NoticeMatter};
use crate::column::RowId;
use crate::date::Date;
use crate::dice::{Dice, Strand};
use crate::ids::RegionId;

/// What an ordinance is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrdinanceMatter(pub u8);

const MATTERS: [&str; 48] = [
    "market stalls",
    "keeping of dogs",
    "harbour dues",
    "parking of coaches",
    "felling of trees",
    "street music",
    "building scaffolds",
    "removal of snow",
    "taxi ranks",
    "shooting of film in public",
    "fishing in inland waters",
    "use of public wells",
    "hoardings and signs",
    "boat moorings",
    "refuse collection",
    "chimney sweeping",
    "open-air theatres",
    "allotment gardens",
    "cycle parking",
    "crossing of toll bridges",
    "inspection of lifts",
    "slaughter of poultry",
    "dances in public halls",
    "burial plots",
    "camping on meadows",
    "sale of fireworks",
    "bathing places",
    "mountain huts",
    "storage of timber",
    "beekeeping",
    "pleasure flights",
    "street excavation",
    "guided tours",
    "collection of mushrooms",
    "lotteries for charity",
    "night work on building sites",
    "heritage permits",
    "winter moorings",
    "food inspection",
    "noise measurements",
    "use of sports halls",
    "school transport",
    "drainage connections",
    "vineyard registers",
    "horse riding on paths",
    "weights and measures",
    "public archives",
    "drone flights",
];

impl OrdinanceMatter {
    /// How many matters there are.
    pub const COUNT: usize = MATTERS.len();

    /// What the ordinance is about, in words.
    pub fn label(self) -> &'static str {
        MATTERS[usize::from(self.0) % MATTERS.len()]
    }
}

/// Ordinances until there are so many notices.
pub(super) fn add_ordinances(from: &GazetteSources, drafts: &mut Vec<NoticeDraft>) {
    let n_regions = from.geography.regions.name.len();
    let mut nth = 0;
    while drafts.len() < from.n_notices {
        let mut dice = from.key.dice(Strand::Ordinance, nth as u64);
        // Every region has one ordinance on a matter before any has a second one.
        let region = RegionId::from_index(nth % n_regions);
        let matter = OrdinanceMatter(((nth / n_regions + region.index() * 5) % OrdinanceMatter::COUNT) as u8);
        add_ordinance(from, region, matter, &mut dice, drafts);
        nth += 1;
    }
}

fn add_ordinance(
    from: &GazetteSources,
    region: RegionId,
    matter: OrdinanceMatter,
    dice: &mut Dice,
    drafts: &mut Vec<NoticeDraft>,
) {
    let country = from.geography.regions.country[region];
    let rate_e4 = from.geography.countries.currency[country].rate_2015_e4;
    let mut fee_minor = dice.between(6, 180) * rate_e4 * 100 / 20_000 / 10 * 10 + 10;
    let mut date = Date(dice.days(Date::new(1992, 1, 1).0, Date::new(2022, 12, 31).0)).on_a_weekday();
    let ordinance = |fee_minor| NoticeMatter::Ordinance { matter, fee_minor };
    let draft =
        NoticeDraft { date, country, region: Some(region), matter: ordinance(fee_minor), amends: None, version: 1 };
    drafts.push(draft);
    for version in 2..=1 + dice.days(0, 4) {
        date = date.plus_days(dice.days(250, 2400)).on_a_weekday();
        if date >= Date::TODAY {
            break;
        }
        let is_repeal = dice.chance(60);
        fee_minor += (fee_minor * dice.between(-12, 35) / 100 / 10 * 10).max(10 - fee_minor);
        let matter = if is_repeal { NoticeMatter::Repeal { matter } } else { ordinance(fee_minor) };
        let amends = Some(drafts.len() as u32 - 1);
        drafts.push(NoticeDraft { date, matter, amends, version: version as u8, ..draft });
        if is_repeal {
            break;
        }
    }
}
