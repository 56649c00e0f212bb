use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::WorldKind;
use serde_json::json;

use super::{Start, VideoUnshuffle};
use crate::exercise;
use crate::kind::Puzzles;
use crate::puzzle::Puzzle;
use crate::sources::MaterialSources;
use crate::tiles::look::difference;

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<VideoUnshuffle>(&exercise::task::<VideoUnshuffle>(), preset, seed)
}

/// A small one, quick to draw.
fn small(frames: usize, seed: u64) -> Start {
    let parameters = json!({"frames": frames, "span": 1.0, "least_difference": 0.5, "tile": 64});
    exercise::generate::<VideoUnshuffle>(parameters, seed).unwrap()
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        let start = start(preset, seed);
        let (kind, _) = start.clip.name.split_once('-').unwrap();
        format!("{preset}#{seed}: {kind} {}", exercise::golden::<VideoUnshuffle>(&start))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: firework first ceb12a41674e all 9dc445b8d46c of 2
    easy#1: hourglass first 0577c02ff7de all e62b71a3c58d of 2
    easy#2: dominoes first 8fb9de3f9d59 all 1176817041bd of 2
    hard#0: firework first 9ce0a8aa8c16 all 0326ff15cf57 of 2
    hard#1: hourglass first ca50debc1336 all efef60e495bf of 2
    hard#2: dominoes first 8c15d64da860 all 9a95c426fd68 of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    let task = exercise::task::<VideoUnshuffle>();
    insta::assert_snapshot!(exercise::instruction::<VideoUnshuffle>(&task, "hard", 0), @"
    6 frames of one clip lie in a row, in places numbered from 1 to 6, in mixed order. What happens in the clip: a firework rocket climbs, bursts, and its sparks fall and go out.

    Put the frames in the order of time from left to right, the earliest first and the latest last, then stop. Only the exact order counts; you must stop yourself before the steps run out.

    The numbers belong to the places and stay where they are. A frame is named by the number above the place where it lies now.
    ");
    let mut words = task.parameters(&exercise::pick("hard", 0));
    words.insert("about".to_owned(), serde_json::Value::Null);
    let without = quintain_core::instance::render(&task, &words).unwrap();
    assert!(!without.contains("What happens") && !without.contains("null"), "{without}");
}

#[test]
fn the_picture_is_at_least_as_large_as_promised() {
    for (preset, width) in [("easy", 4 * 224), ("hard", 6 * 224)] {
        let start = start(preset, 1);
        let picture = exercise::fresh::<VideoUnshuffle>(&start, &VideoUnshuffle::initial(&start));
        assert!(picture.width() >= width && picture.height() >= 224, "{picture:?}");
    }
}

#[test]
fn calls_say_what_came_of_them() {
    let start = Start { order: vec![3, 0, 1, 2], ..small(4, 0) };
    let mut state = VideoUnshuffle::initial(&start);
    let surface = Surface { calls: VideoUnshuffle::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in ["('swap', (1, 2))", "('swap', (3, 3))", "('reorder', [1, 3, 4, 2])", "('reorder', [1, 2, 2, 4])"] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<VideoUnshuffle>(&start, &mut state, &call);
                let measures = VideoUnshuffle::measure(&start, &state);
                format!("{:?}: {} {:?} {measures:?}", feedback.effect, feedback.text, state.order)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    ('swap', (1, 2))
        Changed: The two frames changed places. [0, 3, 1, 2] {"misplaced": 3.0, "pairs_reversed": 2.0}
    ('swap', (3, 3))
        Unchanged: Both places are the same: nothing moved. [0, 3, 1, 2] {"misplaced": 3.0, "pairs_reversed": 2.0}
    ('reorder', [1, 3, 4, 2])
        Changed: The frames were laid out anew. [0, 1, 2, 3] {"misplaced": 0.0, "pairs_reversed": 0.0}
    ('reorder', [1, 2, 2, 4])
        Refused: Every frame must be named exactly once: nothing moved. [0, 1, 2, 3] {"misplaced": 0.0, "pairs_reversed": 0.0}
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"frames": 1, "span": 1.0}),
        json!({"frames": 9, "span": 1.0}),
        json!({"frames": 4, "span": 0.0}),
        json!({"frames": 4, "span": 1.0, "least_difference": 0.1}),
        json!({"frames": 4, "span": 1.0, "least_difference": 90.0}),
        json!({"frames": 4, "span": 1.0, "tile": 20}),
        json!({"frames": 4}),
    ];
    let said = given.map(|parameters| exercise::generate::<VideoUnshuffle>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `frames` is 1: a row has 2 to 8
    `frames` is 9: a row has 2 to 8
    `span` is 0: a share of the clip from 0.05 to 1 is wanted
    `least_difference` is 0.1: frames differ by 0.5 to 100 of 255
    16 happenings were tried: none has 4 frames that differ by 90 of 255
    `tile` is 20: a tile has 64 to 512 pixels
    missing field `span`
    ");
}

fn frames(start: &Start) -> Vec<Arc<Picture>> {
    MaterialSources::default().clips.load(&start.clip).unwrap()
}

#[test]
fn no_two_frames_look_the_same() {
    for (preset, seed) in ["easy", "hard"].into_iter().flat_map(|preset| (0..16).map(move |seed| (preset, seed))) {
        let frames = frames(&start(preset, seed));
        for (i, a) in frames.iter().enumerate() {
            for b in &frames[..i] {
                assert!(difference(&a.rgb(), &b.rgb()) > 1.5, "{preset}#{seed}");
            }
        }
    }
}

/// Neighbours of hard rows must look more alike than those of easy ones.
#[test]
fn hard_frames_are_harder_to_tell_apart() {
    let mean_difference = |preset: &str| {
        let of = |seed: u64| {
            let frames = frames(&start(preset, seed));
            let pairs = frames.windows(2).map(|pair| difference(&pair[0].rgb(), &pair[1].rgb()));
            pairs.sum::<f64>() / (frames.len() - 1) as f64
        };
        (0..24).map(of).sum::<f64>() / 24.0
    };
    let (easy, hard) = (mean_difference("easy"), mean_difference("hard"));
    assert!(hard < 0.85 * easy, "easy {easy}, hard {hard}");
}

#[test]
fn the_source_is_named() {
    let task = exercise::task::<VideoUnshuffle>();
    let instance = Puzzles::default().instantiate(&task, &exercise::pick("easy", 0)).unwrap();
    let source = instance.source.unwrap();
    assert_eq!((source.name.as_str(), source.digest), ("built-in happenings 1", start("easy", 0).clip.digest));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_strategy_puts_the_frames_in_order(seed in any::<u64>(), frames in 2_usize..7, length in 0_u32..30) {
        let start = small(frames, seed);
        prop_assert!(!start.order.is_sorted());
        for strategy in VideoUnshuffle::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<VideoUnshuffle>(&start, strategy, (length, 1), seed);
            prop_assert!(minimal <= frames);
        }
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>(), frames in 2_usize..6) {
        exercise::assert_random_play_is_drawn_rightly::<VideoUnshuffle>(&small(frames, seed), 12, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss(seed in any::<u64>(), frames in 2_usize..7) {
        exercise::assert_near_misses_miss::<VideoUnshuffle>(&small(frames, seed), 1, &["misplaced", "pairs_reversed"]);
    }
}
