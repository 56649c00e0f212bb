//! A web of sites as a world of text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::world::{Collected, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_page_text::{PageForm, PageReading, whole_address};
use serde_json::{Map, Value, json};

use super::calls::{TextWish, published};
use super::view::{FoundPlace, OpenText};
use crate::gate::shortened;
use crate::page_gate::{PausedRequest, RequestPurpose};
use crate::sites::SiteGate;

/// So many redirections are followed.
const MOST_REDIRECTIONS: usize = 10;
/// How forms are written.
const FORM: &str = "application/x-www-form-urlencoded";

/// A web of sites that is read as text.
pub(crate) struct TextWorld {
    gate: SiteGate,
    open: OpenText,
}

/// Why something was not done, in a sentence for the agent.
type Refusal = String;

impl TextWorld {
    /// Opens a web at its home.
    pub(crate) fn open(gate: SiteGate) -> Result<Self, WorldError> {
        let mut world = Self { gate, open: OpenText::default() };
        let home = world.gate.home();
        world.go(&home, None).map_err(WorldError::setup)?;
        Ok(world)
    }

    /// Asks for a page and opens what comes, where redirections end.
    fn go(&mut self, address: &str, body: Option<String>) -> Result<(), Refusal> {
        let (mut address, mut body) = (address.to_owned(), body);
        for _ in 0..MOST_REDIRECTIONS {
            let asked = PausedRequest {
                method: if body.is_some() { "POST" } else { "GET" },
                address: &address,
                body: Cow::Owned(body.take().unwrap_or_default()),
                body_type: FORM,
                tab: 1,
                purpose: RequestPurpose::Page,
            };
            let Some(answer) = self.gate.answer(&asked) else {
                return Err(format!(
                    "Refused: going to {}. There is nothing outside of these sites.",
                    shortened(&address)
                ));
            };
            let header = |name: &str| answer.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
            if let Some(location) = header("location") {
                address = whole_address(&address, location);
                continue;
            }
            let text = String::from_utf8_lossy(&answer.body);
            let is_page = header("content-type").is_some_and(|mime| mime.starts_with("text/html"));
            let page = if is_page { PageReading::of(&address, &text) } else { plain(&text) };
            self.open = OpenText::new(address, page);
            return Ok(());
        }
        Err("That page leads on and on to others, and nowhere.".to_owned())
    }

    fn carry_out(&mut self, wish: &TextWish<'_>) -> Result<String, Refusal> {
        match wish {
            TextWish::Search(words) => {
                let address = self.gate.search_address(words).ok_or("This web cannot be searched.")?;
                self.go(&address, None)?;
            }
            TextWish::Open(what) => {
                let address = self.address_of(what)?;
                self.go(&address, None)?;
            }
            TextWish::Submit { form, fields } => {
                let sent = filled(self.form(*form)?, fields)?.request();
                self.go(&sent.address, sent.body)?;
            }
            TextWish::More if self.open.go_on() => {}
            TextWish::More => return Err("The page ends here.".to_owned()),
            TextWish::Find(words) => {
                return match self.open.find(words) {
                    FoundPlace::At { nth, of } => Ok(format!("Found: place {nth} of {of}.")),
                    FoundPlace::Nowhere => Err(format!("`{}` does not stand on this page.", shortened(words))),
                };
            }
        }
        Ok("Done.".to_owned())
    }

    /// The address of a link by its number, or one that was written out.
    fn address_of(&mut self, what: &str) -> Result<String, Refusal> {
        let what = what.trim();
        if let Ok(number) = what.parse::<usize>() {
            let links = &self.open.page.links;
            let link = number.checked_sub(1).and_then(|at| links.get(at));
            return link.map(|link| link.to.clone()).ok_or_else(|| match links.len() {
                0 => "This page has no links.".to_owned(),
                n => format!("There is no link {number}: this page has 1 to {n}."),
            });
        }
        match self.gate.address_in(what) {
            Some(Ok(address)) => Ok(address),
            Some(Err(foreign)) => {
                let what = shortened(&foreign);
                self.gate.refuse(format!("going to {what}"));
                Err(format!("Refused: going to {what}. There is nothing outside of these sites."))
            }
            None => Err(format!("`{}` is neither the number of a link nor an address.", shortened(what))),
        }
    }

    fn form(&self, number: usize) -> Result<&PageForm, Refusal> {
        let forms = &self.open.page.forms;
        let form = number.checked_sub(1).and_then(|at| forms.get(at));
        form.ok_or_else(|| match forms.len() {
            0 => "This page has no forms.".to_owned(),
            n => format!("There is no form {number}: this page has 1 to {n}."),
        })
    }

    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::document("sites", self.gate.state());
        evidence.refused = self.gate.refused().to_vec();
        let tab = json!({ "title": self.open.page.title, "address": self.open.address });
        evidence.documents.insert("tabs".to_owned(), json!({ "shown": 0, "tabs": [tab] }));
        evidence
    }
}

/// What is no page of links and forms is read as it is.
fn plain(text: &str) -> PageReading {
    PageReading { text: text.to_owned(), ..PageReading::default() }
}

/// A form with its fields set.
fn filled(form: &PageForm, fields: &Map<String, Value>) -> Result<PageForm, Refusal> {
    let mut form = form.clone();
    for (name, wish) in fields {
        let wishes = texts(wish);
        let wishes: Vec<&str> = wishes.iter().map(String::as_str).collect();
        if !form.has(name) {
            let names: BTreeSet<&str> = form.fields.iter().map(|field| field.name.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            return Err(format!("The form has no field `{}`, but {}.", shortened(name), names.join(", ")));
        }
        let set = match wishes.as_slice() {
            ticked if form.boxes(name).next().is_some() => form.tick(name, ticked),
            [text] => form.set(name, text),
            _ => Err(format!("`{name}` takes one text")),
        };
        set.map_err(|why| format!("{}.", capitalised(&why)))?;
    }
    Ok(form)
}

/// What a field is to be set to: one text or several.
fn texts(wish: &Value) -> Vec<String> {
    match wish {
        Value::Array(wishes) => wishes.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        Value::Null | Value::Bool(false) => Vec::new(),
        other => vec![other.to_string()],
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

impl World for TextWorld {
    fn surface(&self) -> Surface {
        Surface {
            calls: published(),
            groups: [ActionGroup::Call].into(),
            parts: [ObservationPart::Text].into(),
            ..Surface::default()
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let observation = Observation::default();
        if !wanted.contains(&ObservationPart::Text) {
            return Ok(observation);
        }
        Ok(observation.with_text(ObservationPart::Text, self.open.shown()))
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        self.gate.begin_step();
        let wish = match action {
            Action::Call(call) => TextWish::of(call),
            _ => None,
        };
        let Some(wish) = wish else {
            return Ok(Feedback::refused(format!("There is no `{}` here.", action.verb())));
        };
        Ok(match self.carry_out(&wish) {
            Ok(told) => Feedback::changed(told),
            Err(why) => Feedback::refused(why),
        })
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(self.evidence())
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        let mut evidence = self.evidence();
        let told = [("visits", self.gate.visits()), ("writes", self.gate.writes())];
        evidence.documents.extend(told.map(|(name, document)| (name.to_owned(), document)));
        Ok(Collected { evidence, ..Collected::default() })
    }
}
