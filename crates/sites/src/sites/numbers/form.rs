//! The form of the table builder.

use quintain_atlas::IndicatorId;

use super::pages::source_of_capacity;
use super::selection::{
    COUNTRY_FIELDS, SeriesLayout, SeriesSelection, by_name, country_code, indicator_code, offered_years, step_word,
};
use crate::facts::{StatisticTheme, notes_on};
use crate::html::{Html, OptionState};
use crate::page::select;
use crate::web::Web;

/// The form with what was chosen. The archive of an indicator offers no other indicator.
pub(super) fn builder(
    web: &Web,
    chosen: &SeriesSelection,
    action: &str,
    archive_of: Option<IndicatorId>,
    into: &mut Html,
) {
    into.element("form", &[("class", "query"), ("method", "get"), ("action", action)], |html| {
        if archive_of.is_none() {
            html.element("div", &[("class", "row")], |html| indicators(web, chosen, html));
        }
        html.element("div", &[("class", "row six")], |html| countries(web, chosen, html));
        html.element("div", &[("class", "row")], |html| {
            let years: Vec<(String, String)> =
                offered_years(web, archive_of).rev().map(|year| (year.to_string(), year.to_string())).collect();
            select(html, "From", "from", &years, &chosen.from.to_string());
            select(html, "To", "to", &years, &chosen.to.to_string());
            let steps = [("every", "every year"), ("fifth", "every fifth year"), ("ends", "first and last year only")];
            let step = step_word(chosen.step);
            select(html, "Years shown", "show", &owned(&steps), if step.is_empty() { "every" } else { step });
            let layouts = [("wide", "countries down, years across"), ("list", "list, one value a row")];
            let layout = if chosen.layout == SeriesLayout::List { "list" } else { "wide" };
            select(html, "Layout", "layout", &owned(&layouts), layout);
        });
        html.leaf("button", &[("type", "submit")], "Show");
    });
}

fn indicators(web: &Web, chosen: &SeriesSelection, html: &mut Html) {
    html.element("label", &[("class", "long")], |html| {
        html.text("Indicator").element("select", &[("name", "indicator")], |html| {
            html.open_option("", state(chosen.indicator.is_none().then_some(()))).text("Choose an indicator");
            html.close("option");
            for theme in StatisticTheme::ALL {
                html.element("optgroup", &[("label", theme.title())], |html| options(web, theme, chosen, html));
            }
        });
    });
}

fn options(web: &Web, theme: StatisticTheme, chosen: &SeriesSelection, html: &mut Html) {
    for id in of_theme(web, theme).filter(|&id| source_of_capacity(id).is_none()) {
        let is_chosen = (chosen.indicator == Some(id)).then_some(());
        html.open_option(&indicator_code(web, id), state(is_chosen));
        html.text(web.atlas.indicators[id].title).close("option");
    }
}

/// The indicators of a theme.
pub(super) fn of_theme(web: &Web, theme: StatisticTheme) -> impl Iterator<Item = IndicatorId> {
    web.atlas.indicators.ids().filter(move |&id| notes_on(id).theme == theme)
}

const COUNTRY_LABELS: [&str; 6] = ["Country", "Second country", "Third country", "Fourth", "Fifth", "Sixth"];

fn countries(web: &Web, chosen: &SeriesSelection, html: &mut Html) {
    let named = by_name(web).into_iter().map(|id| (country_code(web, id), web.atlas.title(id.into())));
    let named: Vec<(String, String)> = named.collect();
    for (nth, (name, label)) in COUNTRY_FIELDS.into_iter().zip(COUNTRY_LABELS).enumerate() {
        let none = if nth == 0 { "All countries" } else { "\u{2013}" };
        let options: Vec<(String, String)> =
            std::iter::once((String::new(), none.to_owned())).chain(named.iter().cloned()).collect();
        let code = chosen.countries.get(nth).map(|&id| country_code(web, id)).unwrap_or_default();
        select(html, label, name, &options, &code);
    }
}

fn owned(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect()
}

fn state(chosen: Option<()>) -> OptionState {
    if chosen.is_some() { OptionState::Chosen } else { OptionState::Other }
}
