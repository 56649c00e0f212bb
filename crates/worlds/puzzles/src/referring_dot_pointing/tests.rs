use std::collections::BTreeMap;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::{OracleStyle, WorldKind};
use quintain_core::{Digest, Measures};
use serde_json::json;

use super::describe::{Description, describe};
use super::{ReferringDotPointing, Sentences, Start, State};
use crate::exercise;
use crate::kind::Puzzles;
use crate::puzzle::{Puzzle, after};
use crate::sources::labels::{Arrangements, Labelled, Labels, Mask, Thing, WantedPicture};
use crate::sources::photos::Photo;

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<ReferringDotPointing>(&exercise::task::<ReferringDotPointing>(), preset, seed)
}

/// A small picture, quick to draw.
fn small(seed: u64) -> Start {
    let parameters = json!({
        "sentences": "simple", "least": 1, "most": 3, "others": 3, "size": 1.5, "width": 240, "height": 180,
    });
    exercise::generate::<ReferringDotPointing>(parameters, seed).unwrap()
}

/// The rectangle of a width and height at a place.
fn block(x: u32, y: u32, width: u32, height: u32) -> Mask {
    serde_json::from_value(json!({"spans": (y..y + height).map(|y| [y, x, x + width]).collect::<Vec<_>>()})).unwrap()
}

/// A start of its own, without a picture: a block of 20 by 10 pixels.
fn one_block() -> Start {
    Start {
        photo: Photo { name: "none".to_owned(), width: 101, height: 81, digest: Digest::of(b"") },
        licence: None,
        sentence: "the only block".to_owned(),
        mask: block(40, 30, 20, 10),
        place: [50, 35],
        decoys: vec![[5, 5]],
    }
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        let start = start(preset, seed);
        format!("{preset}#{seed}: {}: {}", start.sentence, exercise::golden::<ReferringDotPointing>(&start))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: the smallest button: first e07f5ef8148c all 3734ecfd1227 of 2
    easy#1: the only boat: first 637e9f521d72 all 111782e503bd of 2
    easy#2: the apple farthest to the left: first 1ddd784b2d1c all 6424382613ef of 2
    hard#0: the green button to the left of the white button: first cdb4b1a68499 all 81da114aefcf of 2
    hard#1: the smallest yellow boat: first d3734298cc22 all 12c4c23cb90e of 2
    hard#2: the second green apple from the right: first 5621b908f260 all 90c9e2559354 of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    let task = exercise::task::<ReferringDotPointing>();
    insta::assert_snapshot!(exercise::instruction::<ReferringDotPointing>(&task, "hard", 0), @"
    Exactly one thing in the picture fits these words: the green button to the left of the white button.

    Set the dot on it, then stop. It counts if the middle of the dot lies on a part of the thing that can be seen, or at most 2 pixels beside it. Each new mark moves the dot; only where it lies in the end counts, and without a dot nothing does. You must stop yourself before the steps run out.

    Left, right, above and below are meant as you see them in the picture. Of two things the larger is the one that covers more of the picture.

    The picture is 576 by 432 pixels. A place is told by two fractions of it: x from 0 at the left edge to 1 at the right one, y from 0 at the top edge to 1 at the bottom one.
    ");
}

#[test]
fn calls_say_what_came_of_them() {
    let start = one_block();
    let mut state = ReferringDotPointing::initial(&start);
    let surface = Surface { calls: ReferringDotPointing::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('undo', 'undo')",
        "('mark', (0.1, 0.5))",
        "('mark', (0.1, 0.5))",
        "mark(0.62, 0.5)",
        "('mark', (0.5, 1.2))",
        "('mark', (0.59, 0.375))",
        "('mark', (0.6, 0.5))",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<ReferringDotPointing>(&start, &mut state, &call);
                let outside = ReferringDotPointing::measure(&start, &state)["outside_px"];
                format!("{:?}: {} {:?}, {outside:.2} px beside", feedback.effect, feedback.text, state.dot)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    ('undo', 'undo')
        there is no action `undo`; there is `mark`
    ('mark', (0.1, 0.5))
        Changed: The dot is set. Some([10, 40]), 30.02 px beside
    ('mark', (0.1, 0.5))
        Unchanged: The dot is there already. Some([10, 40]), 30.02 px beside
    mark(0.62, 0.5)
        Changed: The dot was moved. Some([62, 40]), 3.16 px beside
    ('mark', (0.5, 1.2))
        `y` of `mark` must be a number from 0 to 1, not 1.2
    ('mark', (0.59, 0.375))
        Changed: The dot was moved. Some([59, 30]), 0.00 px beside
    ('mark', (0.6, 0.5))
        Changed: The dot was moved. Some([60, 40]), 1.41 px beside
    ");
    assert_eq!(ReferringDotPointing::measure(&start, &State::default())["outside_px"] as u32, 182);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"sentences": "poetic", "least": 1, "most": 5}),
        json!({"sentences": "simple", "least": 0, "most": 5}),
        json!({"sentences": "simple", "least": 1, "most": 5, "tolerance": -1}),
        json!({"sentences": "relational", "least": 1, "most": 1}),
        json!({"sentences": "simple", "least": 1}),
    ];
    let said = given.map(|parameters| exercise::generate::<ReferringDotPointing>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    unknown variant `poetic`, expected `simple` or `relational`
    0 to 5 things and 0 others: at least one is wanted, and 80 together at most
    `tolerance` is -1: 0 to 20 pixels are possible
    40 pictures of built-in arrangements 1 were tried: in none is there a thing that a clear sentence fits
    missing field `most`
    ");
}

/// A picture of 300 by 200 pixels with these things; the first is of the kind in question.
fn picture(things: &[(&str, Option<&str>, Mask)]) -> Labelled {
    let thing = |(kind, color, mask): &(&str, Option<&str>, Mask)| Thing {
        kind: (*kind).to_owned(),
        color: color.map(str::to_owned),
        mask: mask.clone(),
    };
    Labelled {
        photo: Photo { name: "none".to_owned(), width: 300, height: 200, digest: Digest::of(b"") },
        licence: None,
        kind: things[0].0.to_owned(),
        things: things.iter().map(thing).collect(),
    }
}

fn told(labelled: &Labelled, sentences: Sentences) -> String {
    let line = |description: Description| format!("{} {}", description.target, description.sentence);
    describe(labelled, sentences).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn only_what_is_clear_is_said() {
    let balls = picture(&[
        ("ball", Some("red"), block(10, 20, 20, 20)),
        ("ball", Some("blue"), block(80, 90, 20, 20)),
        ("ball", Some("red"), block(150, 22, 30, 30)),
        ("ball", Some("red"), block(240, 150, 20, 20)),
        ("kite", Some("pink"), block(200, 60, 20, 20)),
        ("bird", None, block(20, 130, 20, 20)),
        ("bird", None, block(40, 170, 20, 20)),
    ]);
    insta::assert_snapshot!(told(&balls, Sentences::Simple), @"
    1 the blue ball
    2 the largest ball
    0 the ball farthest to the left
    3 the ball farthest to the right
    3 the ball nearest to the bottom of the picture
    ");
    insta::assert_snapshot!(told(&balls, Sentences::Relational), @"
    1 the second ball from the left
    2 the third ball from the left
    2 the second ball from the right
    1 the third ball from the right
    1 the second ball from the bottom
    2 the second red ball from the left
    2 the second red ball from the right
    2 the ball nearest to the kite
    2 the red ball nearest to the kite
    3 the ball to the right of the kite
    0 the red ball to the left of the blue ball
    3 the red ball below the blue ball
    3 the red ball to the right of the kite
    3 the red ball below the kite
    2 the largest red ball
    ");
    let one = picture(&[("dog", None, block(10, 20, 20, 20)), ("cat", None, block(80, 90, 20, 20))]);
    insta::assert_snapshot!(told(&one, Sentences::Simple), @"0 the only dog");
    let alike = picture(&[("dog", None, block(10, 20, 20, 20)), ("dog", None, block(20, 25, 22, 20))]);
    assert_eq!(told(&alike, Sentences::Simple), "");
    // By its middle the small one is farther to the left, by its rim the large one is.
    let doubtful = picture(&[("dog", None, block(20, 20, 20, 20)), ("dog", None, block(10, 100, 120, 21))]);
    insta::assert_snapshot!(told(&doubtful, Sentences::Simple), @"
    1 the largest dog
    0 the smallest dog
    1 the dog farthest to the right
    0 the dog nearest to the top of the picture
    1 the dog nearest to the bottom of the picture
    ");
}

type Key<'a> = &'a dyn Fn(usize) -> f64;
type Relation<'a> = &'a dyn Fn(usize, usize) -> bool;

/// Reads a sentence anew, by rules of its own, and gives the things that fit it.
fn fitting(labelled: &Labelled, sentence: &str) -> Vec<usize> {
    let noun = |words: &str| -> Vec<usize> {
        let things = labelled.things.iter().enumerate();
        let fits = |thing: &Thing| {
            words == thing.kind || thing.color.as_ref().is_some_and(|color| words == format!("{color} {}", thing.kind))
        };
        things.filter(|(_, thing)| fits(thing)).map(|(idx, _)| idx).collect()
    };
    let centre = |idx: usize| labelled.things[idx].mask.centre();
    let best = |members: Vec<usize>, key: Key<'_>, n: usize| -> Vec<usize> {
        let mut members = members;
        members.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
        members.get(n..=n).map(<[usize]>::to_vec).unwrap_or_default()
    };
    let words = sentence.strip_prefix("the ").unwrap();
    if let Some(words) = words.strip_prefix("only ") {
        return noun(words);
    }
    for (prefix, sign) in [("largest ", -1.0), ("smallest ", 1.0)] {
        if let Some(words) = words.strip_prefix(prefix) {
            return best(noun(words), &|idx| sign * labelled.things[idx].mask.area() as f64, 0);
        }
    }
    for (n, prefix) in ["", "second ", "third ", "fourth "].into_iter().enumerate() {
        let Some(words) = words.strip_prefix(prefix) else { continue };
        let ways: [(&str, &str, Key<'_>); 4] = [
            (" from the left", " farthest to the left", &|idx| centre(idx).0),
            (" from the right", " farthest to the right", &|idx| -centre(idx).0),
            (" from the top", " nearest to the top of the picture", &|idx| centre(idx).1),
            (" from the bottom", " nearest to the bottom of the picture", &|idx| -centre(idx).1),
        ];
        for (ordinal, farthest, key) in ways {
            if let Some(words) = words.strip_suffix(if n == 0 { farthest } else { ordinal }) {
                return best(noun(words), key, n);
            }
        }
    }
    if let Some((words, anchor)) = words.split_once(" nearest to the ") {
        let [anchor] = noun(anchor)[..] else { return Vec::new() };
        let off = |idx: usize| (centre(idx).0 - centre(anchor).0).hypot(centre(idx).1 - centre(anchor).1);
        return best(noun(words), &off, 0);
    }
    let sides: [(&str, Relation<'_>); 4] = [
        (" to the left of the ", &|a, b| centre(a).0 < centre(b).0),
        (" to the right of the ", &|a, b| centre(a).0 > centre(b).0),
        (" above the ", &|a, b| centre(a).1 < centre(b).1),
        (" below the ", &|a, b| centre(a).1 > centre(b).1),
    ];
    for (between, is_there) in sides {
        if let Some((words, anchor)) = words.split_once(between) {
            let [anchor] = noun(anchor)[..] else { return Vec::new() };
            return noun(words).into_iter().filter(|idx| is_there(*idx, anchor)).collect();
        }
    }
    noun(words)
}

#[test]
fn every_form_of_sentence_is_used_and_each_fits_one_thing() {
    let labels = Arrangements::default();
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..60 {
        let wanted = WantedPicture { width: 320, height: 240, least: 1, most: 10, others: 6, overlap: 0.2, size: 1.0 };
        let labelled = labels.pick(&mut Rng::new(seed), &wanted).unwrap();
        for sentences in [Sentences::Simple, Sentences::Relational] {
            for Description { form, sentence, target } in describe(&labelled, sentences) {
                assert_eq!(fitting(&labelled, &sentence), [target], "{seed}: {sentence}");
                *forms.entry(format!("{form:?}")).or_default() += 1;
            }
        }
    }
    assert_eq!(forms.len(), 7, "{forms:?}");
}

/// A dot set blindly at one place hits no more often than the task says, wherever that place is.
#[test]
fn no_place_is_a_good_guess() {
    for preset in ["easy", "hard"] {
        let task = exercise::task::<ReferringDotPointing>();
        let n = 70;
        let mut hits = vec![0; 12 * 9];
        for seed in 0..n {
            let start = exercise::start::<ReferringDotPointing>(&task, preset, seed);
            for (at, hits) in hits.iter_mut().enumerate() {
                let point = [(at as i32 % 12) * 48 + 24, (at as i32 / 12) * 48 + 24];
                *hits += u64::from(start.outside_px(point) <= 2.0);
            }
        }
        let mean = hits.iter().sum::<u64>() as f64 / (hits.len() as f64 * n as f64);
        let chance = task.chance(&exercise::pick(preset, 0));
        assert!(mean <= chance, "{preset}: {mean}");
        assert!(*hits.iter().max().unwrap() as f64 <= 0.11 * n as f64, "{preset}: {:?}", hits.iter().max());
    }
}

#[test]
fn hard_things_are_smaller_and_have_more_of_their_kind() {
    let of = |preset: &str| {
        let starts: Vec<Start> = (0..20).map(|seed| start(preset, seed)).collect();
        let area = starts.iter().map(|start| start.mask.area()).sum::<usize>() / starts.len();
        (area, starts.iter().map(|start| start.decoys.len()).min().unwrap())
    };
    let (easy, hard) = (of("easy"), of("hard"));
    assert!(hard.0 * 14 < easy.0 * 10 && hard.1 >= 5, "{easy:?} {hard:?}");
}

#[test]
fn the_source_is_named() {
    let task = exercise::task::<ReferringDotPointing>();
    let instance = Puzzles::default().instantiate(&task, &exercise::pick("easy", 0)).unwrap();
    let source = instance.source.unwrap();
    assert_eq!(source.name, "built-in arrangements 1");
    assert_eq!(source.digest, exercise::start::<ReferringDotPointing>(&task, "easy", 0).photo.digest);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_strategy_points_well_inside(seed in any::<u64>(), length in 0_u32..30) {
        let start = small(seed);
        for strategy in ReferringDotPointing::STRATEGIES {
            let style = |length| OracleStyle { strategy: Some((*strategy).to_owned()), length, seed };
            let minimal = exercise::assert_solves::<ReferringDotPointing>(&start, &style(None));
            let padded = exercise::assert_solves::<ReferringDotPointing>(&start, &style(Some(length)));
            prop_assert_eq!(minimal, if *strategy == "direct" { 2 } else { 5 });
            prop_assert_eq!(padded, (length as usize).max(2));
            let end = after::<ReferringDotPointing>(&start, &ReferringDotPointing::solve(&start, &style(None)).unwrap());
            prop_assert_eq!(end.dot, Some(start.place));
        }
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        exercise::assert_random_play_is_drawn_rightly::<ReferringDotPointing>(&small(seed), 12, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss_and_variations_do_not(seed in any::<u64>(), tolerance in 0_u8..6) {
        let start = small(seed);
        let bounds: Measures = [("outside_px".to_owned(), f64::from(tolerance))].into();
        let solved = State { dot: Some(start.place) };
        let outside = |state: &State| ReferringDotPointing::measure(&start, state)["outside_px"];
        let misses = ReferringDotPointing::near_misses(&start, &solved, &bounds);
        prop_assert!(misses.len() >= 4, "{misses:?}");
        for (how, state) in misses {
            prop_assert!(outside(&state) > f64::from(tolerance), "{}", how);
        }
        let variations = ReferringDotPointing::variations(&start, &solved, &bounds);
        prop_assert!(variations.len() >= 3);
        for (how, state) in variations {
            prop_assert!(outside(&state) <= f64::from(tolerance) && state != solved, "{}", how);
        }
    }
}
