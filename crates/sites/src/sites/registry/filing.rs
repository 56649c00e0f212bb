//! One document: annual accounts, scanned before 2014 and typed since.

use quintain_atlas::{CompanyId, Date};

use super::{HOST, RegistryPage};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, FilingVersion};
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, pager};
use crate::pictures::ScanSheet;
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// Accounts of years before this one were handed in on paper.
const FIRST_TYPED_YEAR: i32 = 2014;

/// A line of a sheet.
enum SheetLine {
    Title(String),
    Heading(String),
    Entry(String, String),
    Text(String),
    Rule,
}

/// A document in the viewer; `None` where nothing was filed.
pub(super) fn filing(
    web: &Web,
    query: &SiteQuery,
    company: CompanyId,
    year: i32,
    version: FilingVersion,
) -> Option<SiteResponse> {
    let mut page = PageWriter::about(web, HOST, company.into(), Date::TODAY);
    page.ask(Fact::new(company, Aspect::Filed(year, version)))?;
    let n_sheets = if version == FilingVersion::Restated { 3 } else { 2 };
    let range = ListPage { n_rows: n_sheets, rows_a_page: 1 }.range(query.page_number()?)?;
    let lines = match range.number {
        1 => cover(&mut page, company, year, version),
        2 => figures(&mut page, company, year, version),
        _ => note(&mut page, company, year),
    };
    let mut main = Html::new();
    let path = RegistryPage::Filing(company, year, version).path(web);
    main.piece(&if year < FIRST_TYPED_YEAR { scanned(&page, &lines) } else { typed(&lines) });
    pager(&mut main, web.look(HOST).pager, range, &path, &[]);
    let again = if version == FilingVersion::Restated { ", restated" } else { "" };
    let crumbs = vec![
        (web.atlas.title(company.into()), RegistryPage::Company(company).path(web)),
        ("Filings".to_owned(), RegistryPage::Filings(company).path(web)),
    ];
    Some(page.finish(&PageBody {
        title: format!("Annual accounts {year}{again}"),
        crumbs,
        main,
        ..PageBody::default()
    }))
}

fn cover(page: &mut PageWriter, company: CompanyId, year: i32, version: FilingVersion) -> Vec<SheetLine> {
    let filed = page.say(Fact::new(company, Aspect::Filed(year, version))).unwrap_or_default();
    // A document bears the name that the company had on the day of filing.
    let day = match page.ask(Fact::new(company, Aspect::Filed(year, version))) {
        Some(quintain_atlas::Value::Date(day)) => day,
        _ => Date::TODAY,
    };
    let today = std::mem::replace(&mut page.as_of, day);
    let name = page.say(Fact::new(company, Aspect::Name)).unwrap_or_default();
    page.as_of = today;
    let seat = page.say(Fact::new(company, Aspect::Seat)).unwrap_or_default();
    let country = page.say(Fact::new(company, Aspect::Country)).unwrap_or_default();
    let mut lines = vec![
        SheetLine::Title(name),
        SheetLine::Heading(
            if version == FilingVersion::Restated { "Annual accounts, restated" } else { "Annual accounts" }.to_owned(),
        ),
        SheetLine::Heading(format!("Financial year {year}")),
        SheetLine::Rule,
        SheetLine::Entry("Registered seat".to_owned(), format!("{seat}, {country}")),
        SheetLine::Entry("Received by the register".to_owned(), filed),
    ];
    if let Some(auditor) = page.say(Fact::new(company, Aspect::Auditor(year))) {
        lines.push(SheetLine::Entry("Auditor".to_owned(), auditor));
    }
    lines.push(SheetLine::Rule);
    lines.push(SheetLine::Text(page.words("registry.filing.cover")));
    lines
}

fn figures(page: &mut PageWriter, company: CompanyId, year: i32, version: FilingVersion) -> Vec<SheetLine> {
    let country = page.web.atlas.companies.country[company];
    let unit = format!("Amounts in thousands of {}s", page.web.atlas.currency_name(country));
    page.state_as(Fact::new(country, Aspect::Currency), &page.web.atlas.currency_name(country));
    let mut lines = vec![SheetLine::Heading(format!("Figures for {year}")), SheetLine::Text(unit), SheetLine::Rule];
    let mut entry = |label: &str, aspect: Aspect| {
        if let Some(told) = page.say(Fact::new(company, aspect)) {
            lines.push(SheetLine::Entry(label.to_owned(), told));
        }
    };
    entry("Revenue", Aspect::Revenue(year, version));
    entry("Total assets at year end", Aspect::TotalAssets(year, version));
    entry("Net interest margin", Aspect::InterestMargin(year));
    lines.push(SheetLine::Rule);
    lines.push(SheetLine::Text(page.words("registry.filing.audit")));
    lines
}

fn note(page: &mut PageWriter, company: CompanyId, year: i32) -> Vec<SheetLine> {
    let mut lines = vec![SheetLine::Heading("Note on the restatement".to_owned()), SheetLine::Rule];
    let mut entry = |label: &str, aspect: Aspect| {
        if let Some(told) = page.say(Fact::new(company, aspect)) {
            lines.push(SheetLine::Entry(label.to_owned(), told));
        }
    };
    entry("Reason", Aspect::RestatementReason);
    entry("Revenue as first filed", Aspect::Revenue(year, FilingVersion::First));
    entry("Revenue as restated", Aspect::Revenue(year, FilingVersion::Restated));
    entry("Total assets as first filed", Aspect::TotalAssets(year, FilingVersion::First));
    entry("Total assets as restated", Aspect::TotalAssets(year, FilingVersion::Restated));
    entry("Audited by", Aspect::Auditor(year));
    lines.push(SheetLine::Rule);
    lines.push(SheetLine::Text(page.words("registry.filing.note")));
    lines
}

fn scanned(page: &PageWriter, lines: &[SheetLine]) -> Html {
    let mut sheet = ScanSheet::new(page.draw.fork(5));
    for line in lines {
        match line {
            SheetLine::Title(text) => sheet.space(20.0).middle(text, if text.len() > 34 { 11.0 } else { 15.0 }),
            SheetLine::Heading(text) => sheet.middle(text, 13.0),
            SheetLine::Entry(label, told) => {
                sheet.entry(label, told, if label.len() + told.len() > 52 { 8.0 } else { 10.5 })
            }
            SheetLine::Text(text) => sheet.paragraph(text, 9.0),
            SheetLine::Rule => sheet.rule().space(14.0),
        };
    }
    sheet.into_html()
}

fn typed(lines: &[SheetLine]) -> Html {
    let mut html = Html::new();
    html.element("div", &[("class", "sheet typed")], |html| {
        for line in lines {
            match line {
                SheetLine::Title(text) => html.leaf("h2", &[], text),
                SheetLine::Heading(text) => html.leaf("h3", &[], text),
                SheetLine::Text(text) => html.leaf("p", &[], text),
                SheetLine::Rule => html.open("hr", &[]),
                SheetLine::Entry(label, told) => html.element("table", &[("class", "facts")], |html| {
                    html.element("tr", &[], |html| {
                        html.leaf("th", &[], label).leaf("td", &[("class", "num")], told);
                    });
                }),
            };
        }
    });
    html
}
