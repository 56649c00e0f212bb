//! The form by which papers are found.

use quintain_atlas::papers::{FIRST_PAPER_YEAR, Field};
use quintain_atlas::{Date, Entity};

use super::HOST;
use super::rows::view_fields;
use super::seek::PaperSearch;
use crate::html::{Html, OptionState};
use crate::page::capitalised;
use crate::web::Web;

// Kinds of codes that options have; no page has them.
pub(super) const TOPIC_OPTION: u32 = 30;
pub(super) const VENUE_OPTION: u32 = 31;

/// The form, filled in as it was sent.
pub(super) fn form(web: &Web, search: &PaperSearch, into: &mut Html) {
    let topics = web.atlas.topics.field.iter();
    let topics: Vec<_> = topics.map(|(id, &field)| (field, TOPIC_OPTION, id.0, Entity::from(id))).collect();
    let venues = web.atlas.venues.field.iter();
    let venues: Vec<_> = venues.map(|(id, &field)| (field, VENUE_OPTION, id.0, Entity::from(id))).collect();
    into.element("form", &[("class", "query"), ("method", "get"), ("action", "/search")], |html| {
        text_field("Words in the title", "title", &search.title, html);
        text_field("Author", "author", &search.author, html);
        select(web, "Topic", ("topic", "All topics"), &topics, search.topic.map(Entity::from), html);
        select(web, "Journal", ("venue", "All journals"), &venues, search.venue.map(Entity::from), html);
        year_field("From year", "from", search.from, html);
        year_field("To year", "to", search.to, html);
        view_fields(search.view(), html);
        html.leaf("button", &[("type", "submit")], "Find papers");
    });
}

/// A labelled field for words.
pub(super) fn text_field(label: &str, name: &str, value: &str, html: &mut Html) {
    html.element("label", &[], |html| {
        html.text(label).open("input", &[("type", "text"), ("name", name), ("value", value)]);
    });
}

fn year_field(label: &str, name: &str, value: Option<i32>, html: &mut Html) {
    let (first, last) = (FIRST_PAPER_YEAR.to_string(), (Date::TODAY.year() - 1).to_string());
    let value = value.map(|year| year.to_string()).unwrap_or_default();
    let field = [
        ("type", "number"),
        ("name", name),
        ("min", first.as_str()),
        ("max", last.as_str()),
        ("value", value.as_str()),
    ];
    html.element("label", &[], |html| {
        html.text(label).open("input", if value.is_empty() { &field[..4] } else { &field });
    });
}

/// A list of options by field.
fn select(
    web: &Web,
    label: &str,
    (name, any): (&str, &str),
    options: &[(Field, u32, u32, Entity)],
    chosen: Option<Entity>,
    html: &mut Html,
) {
    html.open("label", &[]).text(label).open("select", &[("name", name)]);
    let none = if chosen.is_none() { OptionState::Chosen } else { OptionState::Other };
    html.open_option("", none).text(any).close("option");
    for of_field in options.chunk_by(|one, next| one.0 == next.0) {
        let group = capitalised(of_field[0].0.label());
        html.open("optgroup", &[("label", &group)]);
        for &(_, kind, id, entity) in of_field {
            let state = if chosen == Some(entity) { OptionState::Chosen } else { OptionState::Other };
            html.open_option(&web.codes.code(HOST, kind, id), state).text(&web.atlas.title(entity)).close("option");
        }
        html.close("optgroup");
    }
    html.close("select").close("label");
}
