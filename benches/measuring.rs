//! How the cost of a puzzle is measured and told, beside the figures recorded of VisGym.
//!
//! *reset*: make the instance from a new seed, open it, draw the first picture: the median and the longest. *step*: carry
//! out a call that changes the state and draw the picture, through the `World` trait, to raw pixels. *drawing*: the bare
//! cost of redrawing the same changes, without the world around it. *encode*: the picture as PNG, timed apart. VisGym's
//! figures are those recorded on a quiet machine (easy setting, raw pixels); ours are thread CPU time, so that a busy
//! machine changes little.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Duration;

use quintain_core::action::{Action, Call};
use quintain_core::instance::{Instance, Pick};
use quintain_core::observation::{ObservationPart, Screen};
use quintain_core::rng::Rng;
use quintain_core::surface::{Surface, ValueType};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::trajectory::Effect;
use quintain_core::world::WorldKind;
use quintain_puzzles::{MaterialSources, Puzzle, Puzzles};
use quintain_testkit::thread_time;
use serde_json::Value;

const N_RESETS: u64 = 60;
const N_STEPS: usize = 4000;
/// Where a step took VisGym longer than this, fewer are made.
const SLOW_MS: f64 = 100.0;
const N_SLOW_STEPS: usize = 400;
const N_ROUNDS: usize = 5;
/// Steps are made in this many instances: some are dearer than others.
const N_INSTANCES: u64 = 8;
const WITHIN: Duration = Duration::from_secs(1);

/// Milliseconds of CPU, width and height, as recorded of VisGym.
pub(crate) struct Recorded {
    pub(crate) name: &'static str,
    pub(crate) size: (u32, u32),
    pub(crate) reset_ms: f64,
    pub(crate) step_ms: f64,
    pub(crate) measure: fn(&Recorded) -> Measured,
}

/// Measures all and prints a line of each.
pub(crate) fn print_table(all: &[Recorded]) {
    println!(
        "milliseconds of CPU; `times` is how much less than the recorded figure; VisGym figures are recorded, not run here"
    );
    println!(
        "{:<26} {:>9} {:>9} | {:>7} {:>7} {:>8} {:>6} | {:>7} {:>8} {:>6} | {:>8} {:>6} | {:>7}",
        "puzzle",
        "VisGym",
        "ours",
        "reset",
        "longest",
        "VisGym",
        "times",
        "step",
        "VisGym",
        "times",
        "drawing",
        "ratio",
        "encode"
    );
    for recorded in all {
        (recorded.measure)(recorded).print(recorded);
    }
}

pub(crate) struct Measured {
    size: (u32, u32),
    reset_ms: f64,
    longest_reset_ms: f64,
    step_ms: f64,
    drawing_ms: f64,
    encode_ms: f64,
}

impl Measured {
    fn print(&self, recorded: &Recorded) {
        let size = |(width, height): (u32, u32)| format!("{width}x{height}");
        println!(
            "{:<26} {:>9} {:>9} | {:>7.3} {:>7.3} {:>8.1} {:>6.0} | {:>7.4} {:>8.2} {:>6.0} | {:>8.4} {:>6.2} | {:>7.3}",
            recorded.name,
            size(recorded.size),
            size(self.size),
            self.reset_ms,
            self.longest_reset_ms,
            recorded.reset_ms,
            recorded.reset_ms / self.reset_ms,
            self.step_ms,
            recorded.step_ms,
            recorded.step_ms / self.step_ms,
            self.drawing_ms,
            self.step_ms / self.drawing_ms,
            self.encode_ms
        );
    }
}

/// Measures a puzzle of a kind of world.
pub(crate) fn measure_in<P: Puzzle>(kind: fn() -> Puzzles, recorded: &Recorded) -> Measured {
    let task = task(recorded);
    let resets: Vec<f64> = (0..N_RESETS).map(|seed| reset_ms(&kind(), &task, seed)).collect();
    let kind = kind();
    let n_steps = if recorded.step_ms > SLOW_MS { N_SLOW_STEPS } else { N_STEPS };
    let played: Vec<(Instance, Vec<Call>)> = (1..=N_INSTANCES)
        .map(|seed| {
            let instance = kind.instantiate(&task, &pick(seed)).expect("an instance");
            let calls = calls_that_change(&kind, &instance, n_steps / N_INSTANCES as usize);
            (instance, calls)
        })
        .collect();
    let mean = |each: &dyn Fn(&Instance, &[Call]) -> f64| {
        played.iter().map(|(instance, calls)| each(instance, calls)).sum::<f64>() / played.len() as f64
    };
    // Interleaved, so that both see the same machine.
    let rounds: Vec<(f64, f64)> = (0..N_ROUNDS)
        .map(|_| (mean(&|instance, calls| steps_ms(&kind, instance, calls)), mean(&drawing_ms::<P>)))
        .collect();
    let mut world = kind.open(&played[0].0).expect("a world");
    let Some(Screen::Raw(picture)) =
        world.observe(&screen(), WITHIN).expect("a picture").pictures.remove(&ObservationPart::Screen)
    else {
        panic!("puzzles show raw pixels")
    };
    let encode = cpu_ms(|| {
        for _ in 0..20 {
            black_box(encode_png(&picture));
        }
    }) / 20.0;
    Measured {
        size: (picture.width(), picture.height()),
        longest_reset_ms: resets.iter().copied().fold(0.0, f64::max),
        reset_ms: median(resets),
        step_ms: median(rounds.iter().map(|round| round.0).collect()),
        drawing_ms: median(rounds.iter().map(|round| round.1).collect()),
        encode_ms: encode,
    }
}

/// A fresh kind of world for each reset, so that nothing is left over from the one before.
fn reset_ms(kind: &Puzzles, task: &Task, seed: u64) -> f64 {
    cpu_ms(|| {
        let instance = kind.instantiate(task, &pick(seed)).expect("an instance");
        let mut world = kind.open(&instance).expect("a world");
        black_box(world.observe(&screen(), WITHIN).expect("a picture"));
    })
}

fn steps_ms(kind: &Puzzles, instance: &Instance, calls: &[Call]) -> f64 {
    let mut world = kind.open(instance).expect("a world");
    let actions: Vec<Action> = calls.iter().cloned().map(Action::Call).collect();
    let wanted = screen();
    drop(world.observe(&wanted, WITHIN).expect("a picture"));
    cpu_ms(|| {
        for action in &actions {
            world.apply(action, WITHIN).expect("a step");
            black_box(world.observe(&wanted, WITHIN).expect("a picture"));
        }
    }) / actions.len() as f64
}

fn drawing_ms<P: Puzzle>(instance: &Instance, calls: &[Call]) -> f64 {
    let start: P::Start = serde_json::from_value(instance.start["start"].clone()).expect("a start");
    let mut state = P::initial(&start);
    let states: Vec<P::State> = calls
        .iter()
        .map(|call| {
            P::apply(&start, &mut state, call);
            state.clone()
        })
        .collect();
    let mut drawing = P::draw(&start, &P::initial(&start), &MaterialSources::default()).expect("a drawing");
    drop(P::redraw(&mut drawing, &start, &P::initial(&start)));
    cpu_ms(|| {
        for state in &states {
            black_box(P::redraw(&mut drawing, &start, state));
        }
    }) / states.len() as f64
}

/// Random published calls, of which only those that changed something are kept.
fn calls_that_change(kind: &Puzzles, instance: &Instance, n_calls: usize) -> Vec<Call> {
    let mut world = kind.open(instance).expect("a world");
    let surface = world.surface();
    let mut rng = Rng::new(9);
    let mut calls = Vec::new();
    while calls.len() < n_calls {
        let call = draw(&surface, &mut rng);
        let Ok(call) = surface.fit(&call) else { continue };
        let feedback = world.apply(&Action::Call(call.clone()), WITHIN).expect("a step");
        if feedback.effect == Effect::Changed {
            calls.push(call);
        }
    }
    calls
}

fn draw(surface: &Surface, rng: &mut Rng) -> Call {
    let schema = rng.choose(&surface.calls).clone();
    let args = schema.args.iter().map(|arg| value(&arg.value, rng)).collect();
    Call { name: schema.name, args }
}

fn value(kind: &ValueType, rng: &mut Rng) -> Value {
    match kind {
        ValueType::Integer { min, max } => rng.between(*min, *max).into(),
        ValueType::Number { min, max } => rng.uniform(min.max(-20.0), max.min(20.0)).into(),
        ValueType::Choice { of } => rng.choose(of).clone().into(),
        // No puzzle takes words.
        ValueType::Text { .. } | ValueType::Fields { .. } => Value::Null,
        ValueType::List { of, len } => {
            let mut items: Vec<Value> = (0..*len).map(|_| value(of, rng)).collect();
            if let ValueType::Integer { min: 0, max } = **of
                && max + 1 == *len as i64
                && *len > 2
            {
                items = (0..*len).map(Value::from).collect();
                rng.shuffle(&mut items);
            }
            Value::Array(items)
        }
    }
}

/// The task of the built-in suite, at least as large as VisGym drew it.
fn task(recorded: &Recorded) -> Task {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../suites/puzzles/").to_owned() + recorded.name;
    let read = |name: &str| std::fs::read(format!("{folder}/{name}")).expect("the task's folder");
    let files: TaskFiles =
        ["task.toml", "instruction.md"].into_iter().map(|name| (name.to_owned(), read(name))).collect();
    let mut task = Task::from_files("puzzles", &files).expect("a sound task");
    if recorded.name == "maze-3d" {
        for (name, size) in [("picture_width", 1024), ("picture_height", 576)] {
            task.spec.parameters.get_mut(name).expect("an open parameter").value = size.into();
        }
    }
    task
}

fn pick(seed: u64) -> Pick {
    Pick { preset: Some("easy".to_owned()), seed: Some(seed), ..Pick::default() }
}

fn screen() -> BTreeSet<ObservationPart> {
    [ObservationPart::Screen].into()
}

fn encode_png(picture: &quintain_core::Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&picture.rgb()).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

fn cpu_ms(work: impl FnOnce()) -> f64 {
    let before = thread_time();
    work();
    thread_time().saturating_sub(before).as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
