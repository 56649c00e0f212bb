//! Browser worlds as a whole: the same pixels every time, and no trial lost when browsers die.
//!
//! `QUINTAIN_FULL=1` asks for the long forms (`just determinism`, `just storm`).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_browser::{Browser, BrowserSandbox};
use quintain_core::agent::{Briefing, Turn};
use quintain_core::surface::ActionGroup;
use quintain_core::world::{OracleStyle, World, WorldKind};
use quintain_core::{Action, Observation, ObservationPart, Pick, Rng, Screen, Task};
use quintain_store::Suites;
use quintain_testkit::Descendant;
use serde_json::Value;

use crate::chains::FOUR;
use crate::command::{Place, is_full};
use crate::storm::{Storm, assert_nothing_lost};

const WITHIN: Duration = Duration::from_mins(2);

/// What there was after one step.
#[derive(PartialEq)]
struct Moment {
    screen: Arc<[u8]>,
    document: Value,
}

/// The tasks of the suite of apps, without knowing more of them.
fn tasks() -> Vec<(Task, Pick)> {
    let selections = Suites::embedded().select("gauntlet").expect("the suite is there");
    selections.into_iter().map(|selection| (selection.task, Pick::default())).collect()
}

/// A chain of each family.
fn chains() -> impl Iterator<Item = (Task, Pick)> {
    FOUR.split_whitespace().map(|name| {
        let selection = Suites::embedded().select(&format!("{name}#1")).expect("the chain is there").remove(0);
        let pick = selection.picks(&[]).remove(0);
        (selection.task, pick)
    })
}

fn look(world: &mut dyn World, parts: &[ObservationPart]) -> Observation {
    world.observe(&parts.iter().copied().collect::<BTreeSet<_>>(), WITHIN).expect("shown")
}

fn moment(world: &mut dyn World) -> Moment {
    let shown = look(world, &[ObservationPart::Screen]);
    let Screen::Png { bytes, .. } = &shown.pictures[&ObservationPart::Screen] else {
        panic!("browsers hand out files")
    };
    let evidence = world.snapshot(WITHIN).expect("a snapshot");
    Moment { screen: Arc::clone(bytes), document: serde_json::json!(evidence.documents) }
}

/// The oracle plays; what it did and what there was after each step.
fn play(kind: &Browser, (task, pick): &(Task, Pick)) -> (Vec<Action>, Vec<Moment>) {
    let instance = kind.instantiate(task, pick).expect("an instance");
    let mut world = kind.open(&instance).expect("a world");
    let mut oracle = kind.oracle(&instance, &OracleStyle::default()).expect("an oracle");
    let mut surface = world.surface();
    surface.groups.insert(ActionGroup::Note); // As trials do where answers are noted.
    let briefing = Briefing {
        instruction: instance.instruction.clone(),
        surface,
        limits: task.limits(pick),
        answer: task.spec.result.shape(),
        history: None,
        effort: None,
        seed: 0,
    };
    oracle.begin(&briefing).expect("it begins");
    let (mut actions, mut moments) = (Vec::new(), vec![moment(world.as_mut())]);
    for step_idx in 0.. {
        let observation = look(world.as_mut(), &[ObservationPart::Screen, ObservationPart::Geometry]);
        let remaining = briefing.limits.left(&quintain_core::Spent::default());
        let turn = Turn { step_idx, observation: &observation, remaining };
        let reply = oracle.act(&turn, WITHIN).expect("it acts");
        let action = oracle.dialect().read(&reply.raw, &briefing.surface).expect("an action");
        if action.completes() {
            assert!(!matches!(action, Action::GiveUp { .. }), "{}: {action}", task.id);
            break;
        }
        if matches!(action, Action::Note { .. }) {
            continue; // Worlds are not told of it.
        }
        world.apply(&action, WITHIN).expect("it works");
        actions.push(action);
        moments.push(moment(world.as_mut()));
    }
    (actions, moments)
}

/// Carries out the same actions again, resting before each.
fn again(kind: &Browser, (task, pick): &(Task, Pick), actions: &[Action], rest: &mut dyn FnMut()) -> Vec<Moment> {
    let instance = kind.instantiate(task, pick).expect("an instance");
    let mut world = kind.open(&instance).expect("a world");
    let mut moments = vec![moment(world.as_mut())];
    for action in actions {
        rest();
        world.apply(action, WITHIN).expect("it works");
        moments.push(moment(world.as_mut()));
    }
    moments
}

/// The steps after which something was not the same, in words.
fn differences(task: &Task, first: &[Moment], second: &[Moment]) -> Vec<String> {
    let mut told = Vec::new();
    for (step, (a, b)) in first.iter().zip(second).enumerate() {
        if a.document != b.document {
            told.push(format!("{}: the document after {step} steps differs", task.id));
        }
        if a.screen != b.screen {
            told.push(format!("{}: the screen after {step} steps differs", task.id));
        }
    }
    told
}

#[test]
fn the_same_actions_give_the_same_documents_and_pixels_however_slowly_they_come() {
    let every = if is_full() { 2 } else { 13 };
    all_is_the_same_again(tasks().into_iter().step_by(every));
}

#[test]
fn chains_give_the_same_pages_and_pixels_however_slowly_they_are_gone() {
    let n_chains = if is_full() { 4 } else { 1 };
    all_is_the_same_again(chains().take(n_chains));
}

/// Each is played, played again, and played with pauses.
fn all_is_the_same_again(picks: impl Iterator<Item = (Task, Pick)>) {
    let kind = Browser::new(quintain_apps::ALL, BrowserSandbox::On);
    let longest = if is_full() { 2000 } else { 40 };
    let mut rng = Rng::for_purpose(1, "pauses");
    let (mut n_screens, mut told) = (0, Vec::new());
    for picked in picks {
        let (actions, first) = play(&kind, &picked);
        let second = again(&kind, &picked, &actions, &mut || {});
        let mut pause = || std::thread::sleep(Duration::from_millis(rng.between(0, longest) as u64));
        let third = again(&kind, &picked, &actions, &mut pause);
        n_screens += first.len();
        told.extend(differences(&picked.0, &first, &second));
        told.extend(differences(&picked.0, &first, &third));
    }
    assert!(n_screens > 50, "only {n_screens} screens were compared");
    assert!(told.is_empty(), "of {n_screens} screens twice again:\n{}", told.join("\n"));
}

/// Whether it is a browser that this process started, and no child of a browser.
fn is_browser_of(parent: u32, process: &Descendant) -> bool {
    process.parent == parent && process.name.starts_with("chrom")
}

#[test]
fn no_trial_is_lost_when_browsers_die() {
    let place = Place::new();
    let (n_workers, n_kills, every, tasks) = if is_full() {
        ("16", 5, Duration::from_secs(100), "gauntlet")
    } else {
        (
            "3",
            2,
            Duration::from_secs(1),
            "gauntlet/workflow-branch-and-merge gauntlet/workflow-decision-tree gauntlet/workflow-loop",
        )
    };
    let seeds = if is_full() { "0..5" } else { "0..2" };
    let args = format!("run {tasks} --agent oracle --seeds {seeds} --workers {n_workers} --name storm");
    let mut child = place.start(&args.split(' ').collect::<Vec<_>>());
    let storm = Storm { n_kills, every };
    let parent = child.id();
    storm.rage(&mut child, |_, below| below.iter().rfind(|process| is_browser_of(parent, process)).cloned());
    assert_nothing_lost(&place);
}
