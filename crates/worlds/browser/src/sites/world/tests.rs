//! A small web in a real browser.

mod controls;
mod plugged;
mod repeats;
mod travels;
mod web;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use quintain_core::action::{Action, Button};
use quintain_core::world::World;
use quintain_core::{Feedback, ObservationPart, Screen};
use serde_json::Value;

use super::{SiteWorld, SitesOpening};
use crate::chromium::BrowserSandbox;
use crate::pool::BrowserPool;
use crate::sites::{PageMedium, SiteGate};
use web::SmallWeb;

static POOL: LazyLock<Arc<BrowserPool>> = LazyLock::new(|| Arc::new(BrowserPool::new(BrowserSandbox::On)));
const SOON: Duration = Duration::from_mins(2);

fn open() -> SiteWorld {
    let opening = || {
        Ok(SitesOpening {
            gate: SiteGate::new(Box::new(SmallWeb::default()), PageMedium::Screen),
            viewport: (900, 600),
        })
    };
    SiteWorld::open(&POOL, opening).expect("the web opens")
}

fn click(x: f64, y: f64) -> Action {
    Action::Click { at: Some((x, y).into()), button: Button::Left, held: Vec::new() }
}

fn key(chord: &str) -> Action {
    Action::Key { keys: chord.split('+').map(str::to_owned).collect() }
}

fn write(text: &str) -> Action {
    Action::Type { text: text.to_owned() }
}

fn go(address: &str) -> Action {
    Action::Goto { url: address.to_owned() }
}

fn act(world: &mut SiteWorld, action: &Action) -> Feedback {
    world.apply(action, SOON).unwrap_or_else(|error| panic!("{action:?}: {error}"))
}

fn observed(world: &mut SiteWorld, part: ObservationPart) -> String {
    let shown = world.observe(&BTreeSet::from([part]), SOON).expect("shown");
    shown.texts.get(&part).cloned().unwrap_or_default()
}

fn places(world: &mut SiteWorld) -> BTreeMap<String, [f64; 4]> {
    serde_json::from_str(&observed(world, ObservationPart::Geometry)).expect("a table of places")
}

/// The middle of what the table of places knows by a name.
fn middle(world: &mut SiteWorld, name: &str) -> (f64, f64) {
    let places = places(world);
    let [x, y, width, height] = *places.get(name).unwrap_or_else(|| panic!("no `{name}` in {:#?}", places.keys()));
    (x + width / 2.0, y + height / 2.0)
}

/// Clicks something by its name, wherever it is: what lies below the screen is scrolled to first.
fn click_on(world: &mut SiteWorld, name: &str) -> Feedback {
    let (x, y) = middle(world, name);
    if (0.0..590.0).contains(&y) {
        return act(world, &click(x, y));
    }
    act(world, &Action::Scroll { at: Some((300.0, 300.0).into()), dx: 0.0, dy: (y - 300.0).round() });
    let (x, y) = middle(world, name);
    act(world, &click(x, y))
}

fn screen(world: &mut SiteWorld) -> Arc<[u8]> {
    let shown = world.observe(&BTreeSet::from([ObservationPart::Screen]), SOON).expect("shown");
    match &shown.pictures[&ObservationPart::Screen] {
        Screen::Png { bytes, .. } => Arc::clone(bytes),
        Screen::Raw(_) => panic!("browsers hand out files"),
    }
}

fn document(world: &mut SiteWorld, name: &str) -> Value {
    world.collect(SOON).expect("collected").evidence.documents[name].clone()
}

/// The addresses of the tabs, the shown one in brackets.
fn tabs(world: &mut SiteWorld) -> String {
    let tabs = document(world, "tabs");
    let addresses = tabs["tabs"].as_array().expect("tabs").iter().enumerate().map(|(idx, tab)| {
        let address = tab["address"].as_str().expect("an address").trim_start_matches("https://").to_owned();
        if tabs["shown"] == idx { format!("[{address}]") } else { address }
    });
    addresses.collect::<Vec<_>>().join(" ")
}

/// The visits as lines.
fn visits(world: &mut SiteWorld) -> String {
    let visits = document(world, "visits");
    let lines = visits.as_array().expect("visits").iter().map(|visit| {
        let told = |name: &str| visit[name].as_str().expect("a text").to_owned();
        let (step, tab, status, stated) = (&visit["step"], &visit["tab"], &visit["status"], &visit["stated"]);
        format!("{step} tab {tab} {} {} {status} {} {stated}", told("method"), told("address"), told("kind"))
    });
    lines.collect::<Vec<_>>().join("\n")
}
