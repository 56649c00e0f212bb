//! The files as the offices publish them, with the documentation of the data.

use quintain_workspace::InputFiles;

use super::record::{CommodityPrice, CpiRelease, EconomyRecord};
use crate::calendar::CivilDate;
use crate::texts::texts;

/// The documentation of the data, with gaps for dates.
const SOURCES: &str = include_str!("sources.md");

/// All files.
pub(super) fn written(record: &EconomyRecord) -> InputFiles {
    let files = [
        ("sources.md", sources(record)),
        ("data/commodity_price.csv", commodity(record)),
        ("data/ip_old_base.csv", production(record, 0, &record.old_production)),
        ("data/ip_new_base.csv", production(record, record.rebased, &record.new_production)),
        ("data/cpi_releases.csv", consumer_prices(record)),
        ("data/policy_rate.csv", decisions(record)),
    ];
    texts(files)
}

fn sources(record: &EconomyRecord) -> String {
    let gaps = [
        ("{first}", record.month_name(0)),
        ("{second}", record.month_name(1)),
        ("{last}", record.month_name(record.n_months - 1)),
        ("{reform}", record.month_name(record.reform)),
        ("{old_base}", record.first_year.to_string()),
        ("{new_base}", record.month_name(record.rebased)[..4].to_owned()),
        ("{as_of}", CivilDate::of(record.as_of).iso()),
        ("{strike}", record.month_name(record.strike)),
    ];
    gaps.into_iter().fold(SOURCES.to_owned(), |text, (gap, word)| text.replace(gap, &word))
}

fn commodity(record: &EconomyRecord) -> String {
    let line = |(at, price): (usize, &CommodityPrice)| match price {
        CommodityPrice::Known(price) if at < record.reform => format!("{},{price:.0}\n", record.month_name(at)),
        CommodityPrice::Known(price) => format!("{},{price:.2}\n", record.month_name(at)),
        CommodityPrice::Dotted => format!("{},..\n", record.month_name(at)),
        CommodityPrice::Absent => String::new(),
    };
    let lines: String = record.commodity.iter().enumerate().map(line).collect();
    format!("month,price\n{lines}")
}

fn production(record: &EconomyRecord, first: usize, index: &[f64]) -> String {
    let line = |(at, index): (usize, &f64)| format!("{},{index:.1}\n", record.month_name(first + at));
    let lines: String = index.iter().enumerate().map(line).collect();
    format!("month,index\n{lines}")
}

fn consumer_prices(record: &EconomyRecord) -> String {
    let line = |release: &CpiRelease| {
        let (day, month) = (CivilDate::of(release.day).iso(), record.month_name(release.month));
        format!("{day},{month},{:.2}\n", release.value)
    };
    let lines: String = record.releases.iter().map(line).collect();
    format!("released,month,index\n{lines}")
}

fn decisions(record: &EconomyRecord) -> String {
    let line = |(day, rate): &(i64, f64)| format!("{},{rate:.2}\n", CivilDate::of(*day).iso());
    let lines: String = record.decisions.iter().map(line).collect();
    format!("effective,rate\n{lines}")
}
