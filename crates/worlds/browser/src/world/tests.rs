//! A small app of its own, in a real browser.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use quintain_core::action::{Action, Button, Point};
use quintain_core::trajectory::Effect;
use quintain_core::world::{World, WorldError};
use quintain_core::{ObservationPart, Screen};
use serde_json::{Value, json};

use super::BrowserWorld;
use crate::app::Service;
use crate::chromium::BrowserSandbox;
use crate::gate::RequestGate;
use crate::page::PageOpening;
use crate::pool::BrowserPool;

static POOL: LazyLock<Arc<BrowserPool>> = LazyLock::new(|| Arc::new(BrowserPool::new(BrowserSandbox::On)));
static FILES: [(&str, &[u8]); 2] =
    [("index.html", include_bytes!("tests/index.html")), ("app.js", include_bytes!("tests/app.js"))];
const SOON: Duration = Duration::from_mins(2);

/// Doubles numbers.
struct Doubling;

impl Service for Doubling {
    fn answer(&mut self, what: &str, body: &Value, _document: &Value) -> Result<Value, String> {
        match what {
            "double" => Ok(json!(body.as_i64().unwrap_or_default() * 2)),
            other => Err(format!("no answer to `{other}`")),
        }
    }
}

fn open() -> BrowserWorld {
    let opening = || PageOpening {
        gate: RequestGate::new("demo", &FILES),
        service: Box::new(Doubling),
        viewport: (640, 400),
        document: json!({ "count": 3, "text": "", "log": [] }),
        seed: 7,
    };
    BrowserWorld::open("demo", &POOL, opening).expect("the app opens")
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

fn document(world: &mut BrowserWorld) -> Value {
    world.snapshot(SOON).expect("a snapshot").documents["demo"].clone()
}

fn screen(world: &mut BrowserWorld) -> Arc<[u8]> {
    let shown = world.observe(&BTreeSet::from([ObservationPart::Screen]), SOON).expect("shown");
    match &shown.pictures[&ObservationPart::Screen] {
        Screen::Png { bytes, .. } => Arc::clone(bytes),
        Screen::Raw(_) => panic!("browsers hand out files"),
    }
}

#[test]
fn clicks_keys_and_typing_reach_the_app_and_its_document_reaches_us() {
    let mut world = open();
    assert_eq!(document(&mut world)["count"], 3);
    let feedback = world.apply(&click(60.0, 30.0), SOON).expect("clicked");
    assert_eq!(feedback.effect, Effect::Changed);
    assert_eq!(document(&mut world)["count"], 4);
    world.apply(&click(100.0, 90.0), SOON).expect("clicked");
    world.apply(&write("Hello, \"World\" (é) 100%"), SOON).expect("typed");
    assert_eq!(document(&mut world)["text"], "Hello, \"World\" (é) 100%");
    world.apply(&key("ctrl+a"), SOON).expect("selected");
    world.apply(&write("x"), SOON).expect("typed");
    assert_eq!(document(&mut world)["text"], "x");
    let nothing = world.apply(&click(600.0, 380.0), SOON).expect("clicked beside everything");
    assert_eq!(nothing.effect, Effect::Changed, "the field loses its focus");
    let nothing = world.apply(&click(600.0, 380.0), SOON).expect("clicked beside everything");
    assert_eq!(nothing.effect, Effect::Unchanged);
}

#[test]
fn what_was_enlarged_is_shown_whole_again_and_that_is_a_change() {
    let mut world = open();
    let whole = screen(&mut world);
    let zoom = Action::Zoom { from: Point { x: 0.0, y: 0.0 }, to: Point { x: 320.0, y: 200.0 } };
    assert_eq!(world.apply(&zoom, SOON).expect("enlarged").effect, Effect::Changed);
    assert_ne!(screen(&mut world), whole);
    let back = world.apply(&Action::Wait { ms: 10 }, SOON).expect("waited");
    assert_eq!((back.effect, screen(&mut world) == whole), (Effect::Changed, true));
    let nothing = world.apply(&Action::Wait { ms: 10 }, SOON).expect("waited");
    assert_eq!(nothing.effect, Effect::Unchanged);
}

#[test]
fn questions_are_answered_and_the_step_waits_for_what_follows() {
    let mut world = open();
    world.apply(&click(60.0, 150.0), SOON).expect("asked");
    assert_eq!(document(&mut world)["log"], json!(["asked 3", "answered 6", "later"]));
}

#[test]
fn drags_pass_through_their_path_and_scrolling_scrolls() {
    let mut world = open();
    let path = vec![(350.0, 50.0).into(), (450.0, 150.0).into()];
    world.apply(&Action::Drag { path, button: Button::Left }, SOON).expect("dragged");
    let log = document(&mut world)["log"].to_string();
    assert!(log.starts_with("[\"down 350,50\",\"move 375,75\""), "{log}");
    assert!(log.ends_with("\"up 450,150\"]"), "{log}");
    world.apply(&Action::Scroll { at: Some((500.0, 300.0).into()), dx: 0.0, dy: 120.0 }, SOON).expect("scrolled");
    assert_eq!(document(&mut world)["scrolled"], 120);
}

#[test]
fn what_a_page_lets_be_dragged_is_carried_and_dropped() {
    let mut world = open();
    let path = vec![(250.0, 50.0).into(), (450.0, 100.0).into()];
    world.apply(&Action::Drag { path, button: Button::Left }, SOON).expect("dragged");
    assert_eq!(document(&mut world)["log"], json!(["lifted", "dropped a thing"]));
    world.apply(&click(60.0, 30.0), SOON).expect("clicked");
    assert_eq!(document(&mut world)["count"], 4, "the hand is free again");
}

#[test]
fn time_passes_only_with_steps() {
    let read = |pause: Duration| {
        let mut world = open();
        std::thread::sleep(pause);
        world.apply(&click(60.0, 210.0), SOON).expect("asked for the time");
        std::thread::sleep(pause);
        world.apply(&Action::Wait { ms: 1000 }, SOON).expect("waited");
        world.apply(&click(60.0, 210.0), SOON).expect("asked for the time");
        (document(&mut world)["log"].clone(), screen(&mut world))
    };
    let (log, picture) = read(Duration::ZERO);
    let (same_log, same_picture) = read(Duration::from_millis(300));
    assert_eq!(log, same_log);
    assert_eq!(picture, same_picture);
    let times: Vec<f64> = log.as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    let passed = times[3] - times[0];
    assert!((1000.0..1200.0).contains(&passed), "{times:?}");
}

#[test]
fn nothing_outside_of_the_app_is_reached_and_every_attempt_is_taken_down() {
    let mut world = open();
    for address in
        ["file:///etc/passwd", "view-source:https://demo.test/", "javascript:alert(1)", "http://localhost:9222/json"]
    {
        let feedback = world.apply(&Action::Goto { url: address.to_owned() }, SOON).expect("refused, not broken");
        assert_eq!(feedback.effect, Effect::Refused);
    }
    world.apply(&key("F12"), SOON).expect("refused");
    world.apply(&write(&"x".repeat(100_000)), SOON).expect("refused");
    world.apply(&click(60.0, 270.0), SOON).expect("the app itself tries to get out");
    world.apply(&click(60.0, 330.0), SOON).expect("the app itself opens a window");
    let before = document(&mut world);
    world.apply(&Action::Goto { url: "/".to_owned() }, SOON).expect("home");
    assert_eq!(document(&mut world), before, "what the app keeps outlives a reload");
    let collected = world.collect(SOON).expect("collected");
    insta::assert_snapshot!(collected.evidence.refused.join("\n"), @"
    going to file:///etc/passwd
    going to view-source:https://demo.test/
    going to javascript:alert(1)
    going to http://localhost:9222/json
    the keys F12 for developer tools
    typing 100000 characters at once
    GET https://other.test/secret
    GET https://demo.test/export
    a new page at
    ");
}

#[test]
fn the_tree_has_numbers_that_can_be_clicked() {
    let mut world = open();
    let shown = world.observe(&BTreeSet::from([ObservationPart::Tree, ObservationPart::Marks]), SOON).expect("shown");
    insta::assert_snapshot!(shown.texts[&ObservationPart::Tree], @r#"
    RootWebArea "Demo" focused
      [1] button "Count"
      [2] textbox "Text"
      [3] button "Ask"
      [4] button "Time"
      [5] button "Out"
      [6] button "Window"
      group
        text "Thing"
      text "A long list"
    "#);
    let click =
        Action::Click { at: Some(quintain_core::action::Place::Mark(1)), button: Button::Left, held: Vec::new() };
    world.apply(&click, SOON).expect("clicked");
    assert_eq!(document(&mut world)["count"], 4);
}

/// The processes that draw a browser's pages.
fn renderers(browser: u32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").expect("Linux").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let draws = |pid: &i32| {
        let words = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.contains("--type=renderer")
    };
    pids.filter(draws).filter(|pid| descends_from(*pid, browser as i32)).collect()
}

fn descends_from(mut pid: i32, ancestor: i32) -> bool {
    while pid > 1 && pid != ancestor {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        pid = after_name.split(' ').nth(1).and_then(|parent| parent.parse().ok()).unwrap_or(0);
    }
    pid == ancestor
}

#[test]
fn a_page_that_is_killed_is_told_at_once_and_is_not_the_agents_doing() {
    for round in 0..20 {
        let mut world = open();
        let renderers = renderers(world.page.as_ref().expect("open").pid());
        assert!(!renderers.is_empty(), "the browser has no process for its page");
        for pid in renderers {
            let pid = rustix::process::Pid::from_raw(pid).expect("a process");
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
        }
        let before = std::time::Instant::now();
        let error = world.apply(&click(60.0, 30.0), SOON).expect_err("gone");
        assert!(matches!(&error, WorldError::Fault { .. }), "round {round}: {error}");
        assert!(error.to_string().contains("killed from outside"), "round {round}: {error}");
        assert!(before.elapsed() < Duration::from_secs(2), "round {round}: {:?}", before.elapsed());
    }
}

#[test]
fn a_page_that_breaks_down_is_the_agents_doing() {
    let mut world = open();
    let page = world.page.as_mut().expect("open");
    let crash = json!({ "url": "chrome://crash" });
    let sent = page.send("Page.navigate", crash).expect("sent");
    page.forget(sent);
    let error = world.apply(&click(60.0, 30.0), SOON).expect_err("gone");
    assert!(matches!(&error, WorldError::Exhausted(_)), "{error}");
}

#[test]
fn a_dead_browser_is_a_fault_of_its_world_alone() {
    let (mut doomed, mut other) = (open(), open());
    let pid = doomed.page.as_ref().expect("open").pid();
    let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
    let error = doomed.apply(&click(60.0, 30.0), SOON).expect_err("gone");
    assert!(matches!(error, WorldError::Fault { .. }), "{error}");
    other.apply(&click(60.0, 30.0), SOON).expect("clicked");
    assert_eq!(document(&mut other)["count"], 4);
}
