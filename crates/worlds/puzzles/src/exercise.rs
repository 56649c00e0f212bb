//! Exercises for tests of any puzzle, those of other crates too (feature `test-support`): instances of its task, pictures
//! of whole solutions, random play.

use std::path::Path;

use quintain_core::Measures;
use quintain_core::action::Call;
use quintain_core::digest::Digest;
use quintain_core::instance::{Pick, render};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::trajectory::{Effect, Feedback};
use quintain_core::world::OracleStyle;
use serde_json::Value;

use crate::puzzle::{Puzzle, after};
use crate::sources::MaterialSources;

/// The puzzle's task as it stands in the suite.
pub fn task<P: Puzzle>() -> Task {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../suites/puzzles").join(P::NAME);
    let names = ["task.toml", "instruction.md", "reference/canary.txt"];
    let files: TaskFiles = names
        .iter()
        .map(|name| ((*name).to_owned(), std::fs::read(folder.join(name)).expect("the suite is here")))
        .collect();
    Task::from_files("puzzles", &files).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A preset and a seed.
pub fn pick(preset: &str, seed: u64) -> Pick {
    Pick { preset: Some(preset.to_owned()), seed: Some(seed), ..Pick::default() }
}

/// The start of an instance, as a trial would have it.
pub fn start<P: Puzzle>(task: &Task, preset: &str, seed: u64) -> P::Start {
    let parameters = Value::Object(task.parameters(&pick(preset, seed)).into_iter().collect());
    generate::<P>(parameters, seed).expect("a preset gives a start")
}

/// The start that some parameters give, or why they give none.
pub fn generate<P: Puzzle>(parameters: Value, seed: u64) -> Result<P::Start, String> {
    let parameters = serde_json::from_value(parameters).map_err(|error| error.to_string())?;
    let mut rng = Rng::for_purpose(seed, &format!("{}/{}", P::NAME, P::VERSION));
    P::generate(&parameters, &mut rng, &MaterialSources::default())
}

/// The instruction of an instance.
pub fn instruction<P: Puzzle>(task: &Task, preset: &str, seed: u64) -> String {
    let mut words = task.parameters(&pick(preset, seed));
    words.extend(P::words(&start::<P>(task, preset, seed)));
    render(task, &words).expect("a sound instruction")
}

/// A picture of a state, drawn from nothing.
pub fn fresh<P: Puzzle>(start: &P::Start, state: &P::State) -> Picture {
    let mut drawing = P::draw(start, state, &MaterialSources::default()).expect("it can be drawn");
    Picture::clone(&P::redraw(&mut drawing, start, state))
}

/// The digests of the first picture and of all pictures along the usual solution, in short.
pub fn golden<P: Puzzle>(start: &P::Start) -> String {
    let mut state = P::initial(start);
    let mut drawing = P::draw(start, &state, &MaterialSources::default()).expect("it can be drawn");
    let first = P::redraw(&mut drawing, start, &state).digest();
    let mut all = vec![first];
    for call in P::solve(start, &OracleStyle::default()).expect("it is solved") {
        P::apply(start, &mut state, &call);
        all.push(P::redraw(&mut drawing, start, &state).digest());
    }
    let bytes: Vec<u8> = all.iter().flat_map(|digest| *digest.bytes()).collect();
    format!("first {} all {} of {}", first.short(), Digest::of(&bytes).short(), all.len())
}

/// Plays a solution and asserts that every call changes something and that the end is the goal. Gives the number of
/// actions, the closing stop included.
pub fn assert_solves<P: Puzzle>(start: &P::Start, style: &OracleStyle) -> usize {
    let calls = P::solve(start, style).expect("it is solved");
    let mut state = P::initial(start);
    for call in &calls {
        let feedback = apply::<P>(start, &mut state, call);
        assert_eq!(feedback.effect, Effect::Changed, "{style:?}: {call}: {}", feedback.text);
    }
    let measures = P::measure(start, &state);
    assert!(measures.values().all(|value| *value == 0.0), "{style:?}: {measures:?}");
    calls.len() + 1
}

/// Plays a strategy as it is, and with a length to fill: what is filled may be longer by so many actions. Gives the number
/// of actions of the former.
pub fn assert_solves_at_length<P: Puzzle>(
    start: &P::Start,
    strategy: &str,
    (length, spare): (u32, usize),
    seed: u64,
) -> usize {
    let style = |length| OracleStyle { strategy: Some(strategy.to_owned()), length, seed };
    let minimal = assert_solves::<P>(start, &style(None));
    let padded = assert_solves::<P>(start, &style(Some(length)));
    let length = length as usize;
    assert!(padded >= length && padded <= minimal.max(length + spare), "{strategy}: {padded} for {length}");
    minimal
}

/// Asserts that all near misses, of which there are so many at least, are off by every one of some measures.
pub fn assert_near_misses_miss<P: Puzzle>(start: &P::Start, n_least: usize, measures: &[&str]) {
    let solved = after::<P>(start, &P::solve(start, &OracleStyle::default()).expect("it is solved"));
    let misses = P::near_misses(start, &solved, &Measures::new());
    assert!(misses.len() >= n_least, "{} near misses", misses.len());
    for (how, state) in misses {
        let found = P::measure(start, &state);
        assert!(measures.iter().all(|name| found[*name] > 0.0), "{how}: {found:?}");
    }
}

/// Carries out a call and asserts that its effect is told rightly.
pub fn apply<P: Puzzle>(start: &P::Start, state: &mut P::State, call: &Call) -> Feedback {
    let before = state.clone();
    let feedback = P::apply(start, state, call);
    assert_eq!(feedback.effect == Effect::Changed, *state != before, "{call}: {}", feedback.text);
    feedback
}

/// Plays random calls and asserts that a picture that was kept up to date equals one drawn from nothing.
pub fn assert_random_play_is_drawn_rightly<P: Puzzle>(start: &P::Start, n_calls: usize, rng: &mut Rng) {
    let mut state = P::initial(start);
    let mut drawing = P::draw(start, &state, &MaterialSources::default()).expect("it can be drawn");
    let calls = P::calls(start);
    for i in 0..n_calls {
        let feedback = apply::<P>(start, &mut state, &random_call(&calls, rng));
        if feedback.effect == Effect::Changed || i + 1 == n_calls {
            assert!(*P::redraw(&mut drawing, start, &state) == fresh::<P>(start, &state));
        }
    }
}

/// One of the published calls with arguments drawn evenly.
pub fn random_call(calls: &[CallSchema], rng: &mut Rng) -> Call {
    let schema = rng.choose(calls).clone();
    Call { args: schema.args.iter().map(|arg| random_value(&arg.value, rng)).collect(), name: schema.name }
}

fn random_value(value: &ValueType, rng: &mut Rng) -> Value {
    match value {
        ValueType::Integer { min, max } => rng.between(*min, *max).into(),
        ValueType::Number { min, max } => rng.uniform(*min, *max).into(),
        ValueType::Choice { of } => rng.choose(of).clone().into(),
        // No puzzle takes words.
        ValueType::Text { .. } | ValueType::Fields { .. } => Value::Null,
        ValueType::List { of, len } => (0..*len).map(|_| random_value(of, rng)).collect(),
    }
}
