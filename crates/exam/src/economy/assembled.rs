//! From what is published to the four series of the model.

use super::record::{CommodityPrice, CpiRelease, EconomyRecord, OLD_CROWNS};

/// The series of the model in their order.
pub(super) const VARIABLES: [&str; 4] = ["pcom", "ip", "cpi", "rate"];

/// The series of the model, from the second month of the sample on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelSeries {
    /// For each month, the variables in their order.
    pub(super) months: Vec<[f64; 4]>,
    /// Which of these months is that of the strike.
    pub(super) strike: usize,
}

/// The series as the documentation has them.
pub(super) fn series(record: &EconomyRecord) -> ModelSeries {
    let levels = [commodity(record), production(record), consumer_prices(record)];
    let growth = |of: &[f64], at: usize| 100.0 * (libm::log(of[at]) - libm::log(of[at - 1]));
    let month = |at: usize| {
        let [pcom, ip, cpi] = [0, 1, 2].map(|of| growth(&levels[of], at));
        [pcom, ip, cpi, rate(record, at)]
    };
    ModelSeries { months: (1..record.n_months).map(month).collect(), strike: record.strike - 1 }
}

/// In new crowns, gaps closed on a straight line between the logs of their neighbours.
fn commodity(record: &EconomyRecord) -> Vec<f64> {
    let known: Vec<(usize, f64)> = record
        .commodity
        .iter()
        .enumerate()
        .filter_map(|(at, price)| match price {
            CommodityPrice::Known(price) if at < record.reform => Some((at, price / OLD_CROWNS)),
            CommodityPrice::Known(price) => Some((at, *price)),
            CommodityPrice::Dotted | CommodityPrice::Absent => None,
        })
        .collect();
    let mut closed = Vec::new();
    for pair in known.windows(2) {
        let [(from, low), (to, high)] = [pair[0], pair[1]];
        let share = |at: usize| (at - from) as f64 / (to - from) as f64;
        closed.extend((from..to).map(|at| low * libm::pow(high / low, share(at))));
    }
    closed.extend(known.last().map(|(_, price)| *price));
    closed
}

/// On the new base: the old index is scaled by the means of the twelve months that both have.
fn production(record: &EconomyRecord) -> Vec<f64> {
    let sum = |of: &[f64]| of.iter().sum::<f64>();
    let overlap = record.rebased..record.rebased + 12;
    let scale = sum(&record.new_production[..12]) / sum(&record.old_production[overlap]);
    let old = record.old_production[..record.rebased].iter().map(|index| index * scale);
    old.chain(record.new_production.iter().copied()).collect()
}

/// The last figure of each month that was known by the day.
fn consumer_prices(record: &EconomyRecord) -> Vec<f64> {
    let mut latest: Vec<Option<CpiRelease>> = vec![None; record.n_months];
    for release in record.releases.iter().filter(|release| release.day <= record.as_of) {
        let known = &mut latest[release.month];
        if known.is_none_or(|known| known.day < release.day) {
            *known = Some(*release);
        }
    }
    latest.into_iter().flatten().map(|release| release.value).collect()
}

/// The mean over the days of a month.
fn rate(record: &EconomyRecord, month: usize) -> f64 {
    let (begin, end) = (record.begins(month), record.begins(month + 1));
    let on = |day: i64| record.decisions.iter().rfind(|(from, _)| *from <= day).map_or(0.0, |(_, rate)| *rate);
    (begin..end).map(on).sum::<f64>() / (end - begin) as f64
}
