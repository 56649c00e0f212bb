//! What ordinances charge for: the conduct, the measure of the fee, and the ministry that approves them.

use quintain_atlas::gazette::OrdinanceMatter;
use quintain_atlas::government::Ministry;

/// What an ordinance on a matter regulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FeeRule {
    /// The matter, as the world names it.
    matter: &'static str,
    /// What is charged for.
    pub(super) conduct: &'static str,
    /// How the fee is counted.
    pub(super) unit: &'static str,
    /// Whose minister approves such ordinances.
    pub(super) ministry: Ministry,
}

impl FeeRule {
    /// The rule of a matter.
    pub(super) fn of(matter: OrdinanceMatter) -> Self {
        RULES[usize::from(matter.0) % RULES.len()]
    }
}

const fn rule(matter: &'static str, conduct: &'static str, unit: &'static str, ministry: Ministry) -> FeeRule {
    FeeRule { matter, conduct, unit, ministry }
}

use Ministry::{Education, Environment, Finance, Health, Interior, Labour, Transport};

const RULES: [FeeRule; OrdinanceMatter::COUNT] = [
    rule("market stalls", "putting up a stall on a public market", "for each stall and market day", Interior),
    rule("keeping of dogs", "keeping a dog", "for each dog and year", Interior),
    rule("harbour dues", "calling at a public harbour", "for each call of a vessel", Transport),
    rule("parking of coaches", "parking a coach on public ground", "for each coach and day", Transport),
    rule("felling of trees", "felling a protected tree", "for each tree", Environment),
    rule("street music", "making music in a public street", "for each performer and day", Interior),
    rule("building scaffolds", "putting up a scaffold on public ground", "for each scaffold and week", Labour),
    rule("removal of snow", "having snow removed by the public service", "for each frontage and winter", Interior),
    rule("taxi ranks", "using a public taxi rank", "for each cab and month", Transport),
    rule("shooting of film in public", "shooting film in a public place", "for each day of shooting", Interior),
    rule("fishing in inland waters", "fishing in inland waters", "for each rod and year", Environment),
    rule("use of public wells", "drawing water from a public well", "for each household and year", Environment),
    rule("hoardings and signs", "putting up a hoarding or sign", "for each sign and year", Interior),
    rule("boat moorings", "mooring a boat at a public quay", "for each berth and month", Transport),
    rule("refuse collection", "having refuse collected", "for each bin and quarter", Environment),
    rule("chimney sweeping", "having a chimney swept", "for each chimney and visit", Interior),
    rule("open-air theatres", "giving a performance in an open-air theatre", "for each performance", Education),
    rule("allotment gardens", "holding an allotment garden", "for each plot and year", Interior),
    rule("cycle parking", "keeping a bicycle in a guarded stand", "for each bicycle and month", Transport),
    rule("crossing of toll bridges", "crossing a toll bridge with a vehicle", "for each crossing", Transport),
    rule("inspection of lifts", "having a lift inspected", "for each lift and inspection", Labour),
    rule("slaughter of poultry", "slaughtering poultry for sale", "for each batch inspected", Health),
    rule("dances in public halls", "holding a dance in a public hall", "for each evening", Interior),
    rule("burial plots", "holding a burial plot", "for each plot and year", Health),
    rule("camping on meadows", "camping on a public meadow", "for each tent and night", Environment),
    rule("sale of fireworks", "selling fireworks", "for each point of sale and season", Interior),
    rule("bathing places", "running a bathing place", "for each place and season", Health),
    rule("mountain huts", "running a mountain hut", "for each hut and season", Interior),
    rule("storage of timber", "storing timber on public ground", "for each stack and month", Environment),
    rule("beekeeping", "keeping bees", "for each hive and year", Environment),
    rule("pleasure flights", "offering pleasure flights", "for each flight", Transport),
    rule("street excavation", "breaking up a public street", "for each trench and week", Transport),
    rule("guided tours", "leading guided tours for payment", "for each guide and year", Interior),
    rule("collection of mushrooms", "collecting mushrooms for sale", "for each collector and season", Environment),
    rule("lotteries for charity", "holding a lottery for charity", "for each draw", Finance),
    rule("night work on building sites", "working at night on a building site", "for each site and night", Labour),
    rule("heritage permits", "altering a listed building", "for each permit", Education),
    rule("winter moorings", "laying up a boat for the winter", "for each berth and winter", Transport),
    rule("food inspection", "having premises inspected under the food law", "for each inspection", Health),
    rule("noise measurements", "having noise measured by the public service", "for each measurement", Environment),
    rule("use of sports halls", "using a public sports hall", "for each hall and hour", Education),
    rule("school transport", "riding on school transport", "for each pupil and term", Education),
    rule("drainage connections", "connecting premises to the public drains", "for each connection", Environment),
    rule("vineyard registers", "entering a vineyard in the register", "for each parcel entered", Environment),
    rule("horse riding on paths", "riding on horseback on public paths", "for each horse and year", Interior),
    rule("weights and measures", "having weights and measures verified", "for each instrument", Finance),
    rule("public archives", "obtaining copies from a public archive", "for each copy", Education),
    rule("drone flights", "flying a drone over public ground", "for each day of flying", Transport),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stand_in_the_order_of_the_matters() {
        for (nth, rule) in RULES.iter().enumerate() {
            assert_eq!(OrdinanceMatter(nth as u8).label(), rule.matter);
        }
    }
}
