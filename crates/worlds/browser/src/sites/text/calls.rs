//! The calls that agents are offered.

use quintain_core::action::Call;
use quintain_core::surface::{CallSchema, ValueType};
use serde_json::{Map, Value, json};

/// The longest text that a call takes.
const LONGEST: usize = 2_000;

/// What an agent wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TextWish<'a> {
    Search(&'a str),
    Open(&'a str),
    Find(&'a str),
    Submit { form: usize, fields: &'a Map<String, Value> },
    More,
}

impl<'a> TextWish<'a> {
    /// What a call means; nothing where it is none of those that are offered.
    pub(super) fn of(call: &'a Call) -> Option<Self> {
        let text = || call.args.first().and_then(Value::as_str);
        match call.name.as_str() {
            "search" => text().map(Self::Search),
            "open" => text().map(Self::Open),
            "find" => text().map(Self::Find),
            "more" => Some(Self::More),
            "submit" => {
                let form = call.args.first().and_then(Value::as_u64)?;
                Some(Self::Submit { form: form as usize, fields: call.args.get(1)?.as_object()? })
            }
            _ => None,
        }
    }
}

/// The calls, as they are published.
pub(super) fn published() -> Vec<CallSchema> {
    let text = || ValueType::Text { longest: LONGEST };
    let form = ValueType::Integer { min: 1, max: 999 };
    vec![
        CallSchema::plain("search", "Look words up on the web and show what was found.").arg(
            "words",
            text(),
            "what to look for",
            "treaty of the northern ports",
        ),
        CallSchema::plain("open", "Open a page: a link of the page you see by its number, or any page by its address.")
            .arg("address", text(), "the number of a link, or a whole address", "3"),
        CallSchema::plain("find", "Go to the next place on this page where some words stand.").arg(
            "text",
            text(),
            "the words, in any case",
            "population",
        ),
        CallSchema::plain(
            "submit",
            "Fill in a form of the page you see and send it. Fields that you leave out stay as they are.",
        )
        .arg("form", form, "the number of the form", 1)
        .arg(
            "fields",
            ValueType::Fields { longest: LONGEST },
            "by name: a text, the label of an option, or a list of the boxes to tick",
            json!({"year": "2019"}),
        ),
        CallSchema::plain("more", "Read on: show what follows on this page."),
    ]
}
