//! What recording costs: `cargo bench -p quintain-store --bench record`.
//!
//! Figures are CPU time of the recording thread, the best and the median of several rounds, in microseconds.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::event::Record;
use quintain_core::observation::Shown;
use quintain_core::surface::ActionGroup;
use quintain_core::verdict::Digests;
use quintain_core::{
    Action, Briefing, CallSchema, Digest, Ending, Evidence, Feedback, Finding, Limits, ObservationPart, Picture, Reply,
    Score, Screen, Spent, Surface, TrialEvent, TrialId, ValueType, Verdict,
};
use quintain_png::encode;
use quintain_store::{RunDir, RunHeader};
use quintain_testkit::thread_time;

const N_ROUNDS: usize = 7;
const N_PICTURES: u32 = 10;

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder can be written");
    let run = RunDir::create(&folder.path().join("run"), &RunHeader::new("bench", "now"), &[]).expect("a new run");
    println!("{:<52} {:>9} {:>9} {:>9}", "CPU us each", "best", "median", "wall");
    no_op_trials(&run);
    steps(&run);
    reading(&run);
    for (width, height) in [(512, 512), (1920, 1080)] {
        pictures(folder.path(), width, height);
    }
}

fn no_op_trials(run: &RunDir) {
    let trial = trial_id();
    let mut writer = run.segment_writer().expect("a segment");
    let mut n = 0;
    measure("a no-op trial: 5 events, no picture", 2000, || {
        n += 1;
        let mut attempt = writer.begin(&trial, n).expect("a begun attempt");
        for event in no_op() {
            attempt.event(event).expect("a written event");
        }
    });
    measure("  of which making the events themselves", 2000, || drop(black_box(no_op())));
}

fn steps(run: &RunDir) {
    let trial = trial_id();
    let mut writer = run.segment_writer().expect("a segment");
    let mut attempt = writer.begin(&trial, 1).expect("a begun attempt");
    let screen = Screen::Raw(Arc::new(scene(512, 512, 0)));
    let digest = screen.digest();
    measure("a step whose picture is stored already", 5000, || {
        attempt.frame(digest, &screen).expect("a stored picture");
        attempt.event(turn(digest)).expect("a written event");
    });
    measure("  of which making the event itself", 5000, || drop(black_box(turn(digest))));
}

fn reading(run: &RunDir) {
    let attempts = run.attempts().expect("a readable run");
    let n_lines: u32 = attempts.iter().map(|attempt| attempt.n_turns).sum();
    println!("{} attempts, {n_lines} turns", attempts.len());
    measure("finding all attempts of the run", 1, || drop(run.attempts()));
    let mut places = attempts.iter().map(|attempt| &attempt.place).filter(|place| place.len() < 100_000).cycle();
    measure("reading a no-op attempt", 1000, || {
        drop(run.read(places.next().expect("there are attempts")));
    });
}

fn pictures(folder: &Path, width: u32, height: u32) {
    let size = format!("{width}x{height}");
    let frames = quintain_store::FrameStore::new(folder.join(&size));
    let scenes: Vec<Arc<Picture>> =
        (0..N_PICTURES * N_ROUNDS as u32).map(|seed| Arc::new(scene(width, height, seed))).collect();
    let packed = encode(&scenes[0]).expect("a packed picture").len();
    println!("{size}: packed to {} KiB", packed / 1024);
    let mut each = scenes.iter().cycle();
    let mut next = || Arc::clone(each.next().expect("enough pictures"));
    measure(&format!("{size}: hashing the pixels"), N_PICTURES, || {
        black_box(next().digest());
    });
    measure(&format!("{size}: packing alone"), N_PICTURES, || drop(black_box(encode(&next()))));
    let mut digests: Vec<Digest> = scenes.iter().rev().map(|scene| scene.digest()).collect();
    measure(&format!("{size}: packing and storing a new picture"), N_PICTURES, || {
        let digest = digests.pop().expect("enough pictures");
        frames.put(digest, &Screen::Raw(next())).expect("a stored picture");
    });
}

/// Runs `work` in rounds and prints what one call costs.
fn measure(what: &str, n_calls: u32, mut work: impl FnMut()) {
    let mut cpu = Vec::new();
    let mut wall = Vec::new();
    for _ in 0..N_ROUNDS {
        let (began, cpu_before) = (Instant::now(), thread_time());
        (0..n_calls).for_each(|_| work());
        cpu.push(thread_time().saturating_sub(cpu_before) / n_calls);
        wall.push(began.elapsed() / n_calls);
    }
    cpu.sort_unstable();
    wall.sort_unstable();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let (best, median, wall) = (micros(cpu[0]), micros(cpu[N_ROUNDS / 2]), micros(wall[N_ROUNDS / 2]));
    println!("{what:<52} {best:>9.2} {median:>9.2} {wall:>9.2}");
}

fn trial_id() -> TrialId {
    "puzzles/maze-2d@easy#7~random~0".parse().expect("a trial's name")
}

/// A picture with edges, flat parts and a little texture, another one for each seed.
fn scene(width: u32, height: u32, seed: u32) -> Picture {
    let mut picture = Picture::filled(width, height, [240, 240, 235]);
    for (pixel_idx, pixel) in picture.rgba_mut().chunks_exact_mut(4).enumerate() {
        let (x, y) = (pixel_idx as u32 % width, pixel_idx as u32 / width);
        let tile = (x / 40 + y / 40 + seed) % 5;
        if tile < 2 {
            pixel[..3].copy_from_slice(&[(tile * 90) as u8, (x / 8 + seed) as u8, (y / 8) as u8]);
        }
    }
    picture
}

fn briefing() -> Briefing {
    let direction = ValueType::Integer { min: 0, max: 3 };
    Briefing {
        instruction: "Move the blue disc to the red square. ".repeat(8),
        surface: Surface {
            calls: vec![CallSchema::plain("move", "Moves the disc.").arg("direction", direction, "where to", 1)],
            groups: [ActionGroup::Call].into(),
            parts: [ObservationPart::Screen].into(),
            screen: None,
        },
        limits: Limits::steps(20),
        answer: None,
        history: None,
        effort: None,
        seed: 7,
    }
}

fn turn(digest: Digest) -> TrialEvent {
    TrialEvent::Turn {
        step_idx: 3,
        feedback: Some(Feedback::changed("the action was carried out")),
        shown: Shown {
            pictures: [(ObservationPart::Screen, digest)].into(),
            texts: [(ObservationPart::Remaining, "17 steps".to_owned())].into(),
        },
        reply: Reply::text("I see a wall ahead, so I go right.\n('move', 0)"),
        action: Some(Action::call("move", [0.into()])),
        spent: Spent { steps: 4, ..Spent::default() },
    }
}

/// What a trial records whose agent stops at once.
fn no_op() -> [TrialEvent; 5] {
    let digest = Digest::of(b"bench");
    let evidence = Evidence::document("puzzle", serde_json::json!({"agent": [1, 2], "goal": [8, 8], "n_moves": 0}));
    let verdict = Verdict {
        ending: Ending::Done,
        score: Score::ZERO,
        state_score: None,
        solved: false,
        findings: vec![Finding::of("goal", false, "the disc is 13 cells from the goal")],
        milestones: Vec::new(),
        digests: Digests { task: digest, world: digest, instance: digest },
        source: None,
        fault: None,
        outside: false,
    };
    let spent = Spent { steps: 1, ..Spent::default() };
    [
        TrialEvent::Began { instance: digest, source: None, briefing: briefing() },
        TrialEvent::Turn {
            step_idx: 0,
            feedback: None,
            shown: Shown {
                pictures: BTreeMap::new(),
                texts: [(ObservationPart::Remaining, "20 steps".to_owned())].into(),
            },
            reply: Reply::text("('stop', 'stop')"),
            action: Some(Action::Done),
            spent,
        },
        TrialEvent::Stopped { ending: Ending::Done, feedback: None, fault: None, spent },
        TrialEvent::Collected { evidence },
        TrialEvent::Judged { verdict },
    ]
}
