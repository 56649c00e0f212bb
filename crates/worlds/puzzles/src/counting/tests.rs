use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::{OracleStyle, WorldKind};
use quintain_core::{Digest, Measures};
use serde_json::json;

use super::{Counting, STRIP_PX, Start, State};
use crate::exercise;
use crate::kind::Puzzles;
use crate::puzzle::{Puzzle, after};
use crate::sources::MaterialSources;
use crate::sources::labels::{Arrangements, Labels, WantedPicture};
use crate::sources::photos::Photo;

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<Counting>(&exercise::task::<Counting>(), preset, seed)
}

/// A small picture, quick to draw.
fn small(seed: u64) -> Start {
    let parameters = json!({"least": 2, "most": 9, "others": 3, "overlap": 0.3, "width": 240, "height": 180});
    exercise::generate::<Counting>(parameters, seed).unwrap()
}

/// A start of its own, without a picture.
fn three_apples() -> Start {
    let photo = Photo { name: "none".to_owned(), width: 101, height: 73, digest: Digest::of(b"") };
    let places = vec![[10, 20], [50, 40], [90, 72]];
    Start { photo, licence: None, kind: "apple".to_owned(), least: 2, most: 20, count: 3, places }
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances
        .map(|(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<Counting>(&start(preset, seed))));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first b4abd82c0a36 all a7229311d7d5 of 10
    easy#1: first a985c774e15e all 26de8c398357 of 16
    easy#2: first 126ced4d1c8b all 90ef546b1b31 of 22
    hard#0: first 59877fe05512 all 8878c8822232 of 29
    hard#1: first ba6fcbb4ff13 all 31a5a0f96862 of 23
    hard#2: first 1da8889b60d2 all 5aff1e22d489 of 30
    ");
}

#[test]
fn the_instruction_reads_well() {
    insta::assert_snapshot!(exercise::instruction::<Counting>(&exercise::task::<Counting>(), "hard", 0), @"
    The picture shows things of several kinds. How many are there of this kind: mushroom?

    Set the number down with a guess, then stop. There are from 5 to 30 of them, whatever their colour, size or direction; one that is partly hidden counts like any other. Only the exact number counts, and your last guess is the one that is taken. You must stop yourself before the steps run out.

    To keep track you may set dots on what you have counted. They are numbered in the order in which you set them, and you can take back the last one. They are for you alone: nobody judges them.

    The whole picture is 576 by 460 pixels. A place is told by two fractions of it: x from 0 at the left edge to 1 at the right one, y from 0 at the top edge to 1 at the bottom one. The lowest 28 pixels are a strip that shows your guess; there is nothing to count in it, and nothing can be marked there.
    ");
}

#[test]
fn calls_say_what_came_of_them() {
    let start = three_apples();
    let mut state = Counting::initial(&start);
    let surface = Surface { calls: Counting::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('undo', 'undo')",
        "('mark', (0.1, 0.2))",
        "mark(1, 0)",
        "('mark', (0.5, 0.73))",
        "('mark', (0.5, 1.2))",
        "('undo', 'undo')",
        "('guess', 4)",
        "('guess', 4)",
        "('guess', 3)",
        "('guess', 1)",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<Counting>(&start, &mut state, &call);
                let off = Counting::measure(&start, &state)["count_error"];
                format!("{:?}: {} {:?}, {off} off", feedback.effect, feedback.text, state.dots)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    ('undo', 'undo')
        Refused: There is no dot to take back. [], 3 off
    ('mark', (0.1, 0.2))
        Changed: Dot 1 is set. [[10, 20]], 3 off
    mark(1, 0)
        Changed: Dot 2 is set. [[10, 20], [100, 0]], 3 off
    ('mark', (0.5, 0.73))
        Refused: The strip below the picture holds your guess: nothing can be marked there. [[10, 20], [100, 0]], 3 off
    ('mark', (0.5, 1.2))
        `y` of `mark` must be a number from 0 to 1, not 1.2
    ('undo', 'undo')
        Changed: The last dot is gone; 1 dot is left. [[10, 20]], 3 off
    ('guess', 4)
        Changed: Your guess is now 4. [[10, 20]], 1 off
    ('guess', 4)
        Unchanged: Your guess is 4 already. [[10, 20]], 1 off
    ('guess', 3)
        Changed: Your guess is now 3. [[10, 20]], 0 off
    ('guess', 1)
        `number` of `guess` must be a whole number from 2 to 20, not 1
    ");
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"least": 1, "most": 5}),
        json!({"least": 5, "most": 5}),
        json!({"least": 5, "most": 61}),
        json!({"least": 2, "most": 50, "others": 40}),
        json!({"least": 2, "most": 5, "overlap": 0.6}),
        json!({"least": 2, "most": 5, "width": 20}),
        json!({"least": 2}),
        json!({"least": 2, "most": 5, "kinds": 9}),
    ];
    let said = given.map(|parameters| exercise::generate::<Counting>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `least` is 1 and `most` is 5: from 2 to 60, and more than one number
    `least` is 5 and `most` is 5: from 2 to 60, and more than one number
    `least` is 5 and `most` is 61: from 2 to 60, and more than one number
    2 to 50 things and 40 others: at least one is wanted, and 80 together at most
    an overlap of 0.6 and a size of 1: 0 to 0.4 and 0.4 to 2 are possible
    `width` is 20: a picture has 160 to 2048 pixels
    missing field `most`
    unknown field `kinds`, expected one of `least`, `most`, `others`, `overlap`, `size`, `width`, `height`
    ");
}

#[test]
fn every_number_is_about_equally_likely() {
    let parameters = json!({"least": 2, "most": 6, "width": 160, "height": 160});
    let mut counts = [0; 7];
    for seed in 0..400 {
        counts[exercise::generate::<Counting>(parameters.clone(), seed).unwrap().count] += 1;
    }
    assert!(counts[2..].iter().all(|n| (50..115).contains(n)) && counts[..2] == [0, 0], "{counts:?}");
}

#[test]
fn hard_pictures_hold_more_things_that_hide_each_other() {
    let task = exercise::task::<Counting>();
    let seen = |preset: &str| {
        let given = task.parameters(&exercise::pick(preset, 0));
        let number = |name: &str| given[name].as_f64().unwrap();
        let wanted = WantedPicture {
            width: 576,
            height: 432,
            least: number("least") as usize,
            most: number("most") as usize,
            others: number("others") as usize,
            overlap: number("overlap"),
            size: number("size"),
        };
        let labels = Arrangements::default();
        let pictures = (0..12).map(|seed| labels.pick(&mut Rng::new(seed), &wanted).unwrap());
        let (n, other): (Vec<usize>, Vec<usize>) =
            pictures.map(|picture| (picture.in_question().count(), picture.things.len())).unzip();
        (n.iter().sum::<usize>(), other.iter().sum::<usize>())
    };
    let (easy, hard) = (seen("easy"), seen("hard"));
    assert!(hard.0 > easy.0 + 40 && hard.1 > easy.1 + 150, "{easy:?} {hard:?}");
}

#[test]
fn the_photograph_is_shown_whole_with_a_strip_below() {
    let start = small(3);
    let photo = Arrangements::default().load(&start.photo).unwrap();
    let picture = exercise::fresh::<Counting>(&start, &State::default());
    assert_eq!((picture.width(), picture.height()), (240, 180 + STRIP_PX));
    assert_eq!(&picture.rgba()[..photo.rgba().len()], photo.rgba());
    let guessed = exercise::fresh::<Counting>(&start, &State { dots: Vec::new(), guess: Some(4) });
    assert_eq!(&guessed.rgba()[..photo.rgba().len()], photo.rgba());
    assert_ne!(guessed, picture);
}

#[test]
fn no_more_dots_than_can_be_told_apart() {
    let start = three_apples();
    let mut state = State { dots: vec![[1, 1]; 200], guess: None };
    let feedback = exercise::apply::<Counting>(&start, &mut state, &crate::puzzle::call("mark", [json!(0), json!(0)]));
    insta::assert_snapshot!(feedback.text, @"There are 200 dots already: no more can be set.");
}

#[test]
fn the_source_is_named() {
    let task = exercise::task::<Counting>();
    let instance = Puzzles::default().instantiate(&task, &exercise::pick("easy", 0)).unwrap();
    let source = instance.source.unwrap();
    assert_eq!(source.name, "built-in arrangements 1");
    assert_eq!(source.digest, exercise::start::<Counting>(&task, "easy", 0).photo.digest);
}

#[test]
fn pictures_that_are_held_never_change() {
    let start = small(1);
    let mut state = Counting::initial(&start);
    let mut drawing = Counting::draw(&start, &state, &MaterialSources::default()).unwrap();
    let style = OracleStyle { strategy: None, length: Some(24), seed: 1 };
    let mut held = Vec::new();
    for (step, call) in Counting::solve(&start, &style).unwrap().iter().enumerate() {
        held.push((Counting::redraw(&mut drawing, &start, &state), exercise::fresh::<Counting>(&start, &state)));
        if step % 3 == 2 {
            held.remove(0);
        }
        Counting::apply(&start, &mut state, call);
    }
    assert!(held.len() >= 7 && held.iter().all(|(shown, fresh)| **shown == *fresh));
    let last = Counting::redraw(&mut drawing, &start, &state);
    assert!(Arc::ptr_eq(&last, &Counting::redraw(&mut drawing, &start, &state)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_strategy_counts_rightly(seed in any::<u64>(), length in 0_u32..40) {
        let start = small(seed);
        for strategy in Counting::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<Counting>(&start, strategy, (length, 1), seed);
            prop_assert_eq!(minimal, if *strategy == "mark-all" { start.count + 2 } else { 2 });
        }
        let marked = after::<Counting>(&start, &Counting::solve(&start, &OracleStyle::default()).unwrap());
        let (mut dots, mut places) = (marked.dots, start.places.clone());
        dots.sort_unstable();
        places.sort_unstable();
        prop_assert_eq!(dots, places);
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        exercise::assert_random_play_is_drawn_rightly::<Counting>(&small(seed), 16, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss_and_variations_do_not(seed in any::<u64>(), bound in 0_u8..3) {
        let start = small(seed);
        let bounds: Measures = [("count_error".to_owned(), f64::from(bound))].into();
        let solved = after::<Counting>(&start, &Counting::solve(&start, &OracleStyle::default()).unwrap());
        let off = |state: &State| Counting::measure(&start, state)["count_error"];
        let misses = Counting::near_misses(&start, &solved, &bounds);
        prop_assert!(misses.len() >= 2);
        for (how, state) in misses {
            prop_assert!(off(&state) > f64::from(bound), "{}", how);
        }
        let variations = Counting::variations(&start, &solved, &bounds);
        prop_assert!(variations.len() >= 2 && variations.iter().all(|(_, state)| off(state) == 0.0));
    }
}
