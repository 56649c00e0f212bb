use quintain_core::agent::Reply;
use quintain_core::limits::Spent;
use quintain_core::observation::Shown;

use super::*;
use crate::row::tests::row;
use crate::summary::summary;

/// A trial in short: `3,4` clicks there, `3.3,4` a fraction beside, `m7` clicks on element 7, `key` presses one, `here` clicks
/// where the pointer is, `3,4>5,6` drags.
fn trail(script: &str) -> PointerTrail {
    PointerTrail::of(&script.split_whitespace().map(step).collect::<Vec<_>>())
}

fn step(word: &str) -> Step {
    let place = |text: &str| {
        let (x, y) = text.split_once(',').unwrap();
        Place::from((x.parse().unwrap(), y.parse().unwrap()))
    };
    let click = |at: Option<Place>| Action::DoubleClick { at, button: quintain_core::action::Button::Left };
    let action = match word {
        "key" => Action::Key { keys: vec!["Tab".to_owned()] },
        "here" => click(None),
        word if word.starts_with('m') => click(Some(Place::Mark(word[1..].parse().unwrap()))),
        word if word.contains('>') => {
            Action::Drag { path: word.split('>').map(place).collect(), button: quintain_core::action::Button::Left }
        }
        word => Action::click(place(word)),
    };
    Step {
        shown: Shown::default(),
        reply: Reply::text(word),
        action: Some(action),
        spent: Spent::default(),
        feedback: None,
    }
}

#[test]
fn a_trail_is_the_oracles_if_every_pixel_is() {
    let oracle = trail("10,10 20,20 30,30>40,40 50,50 60,60 key 70,70");
    for (script, found) in [
        ("10,10 20,20 30,30>40,40 50,50 60,60 key 70,70", TrailMatch::Same),
        ("10,10 key here 20,20 30.3,29.8>40,40 50,50 60,60", TrailMatch::Same),
        ("10,10 20,20 30,30>40,40 50,50 61,60", TrailMatch::Different),
        ("10,10 20,20 30,30>40,41 50,50 60,60 70,70", TrailMatch::Different),
        ("10,10 20,20 30,30>40,40 50,50 m6 60,60", TrailMatch::Different),
        ("10,10 20,20 50,50 60,60 key key key here here", TrailMatch::TooShort),
        ("key key key key key key key", TrailMatch::TooShort),
    ] {
        assert_eq!(trail(script).against(&[trail("1,1"), oracle.clone()]), found, "{script}");
    }
    assert_eq!(oracle.against(&[]), TrailMatch::NotCompared);
}

#[test]
fn a_summary_names_the_trials_and_says_what_was_not_compared() {
    let mut rows: Vec<_> = (0..9).map(|i| row(&format!("p/t#{i}~cmd:walker~0 done 1.0 9"))).collect();
    assert_eq!(summary(&rows, &[]).trails, TrailSummary::default());
    for (i, row) in rows.iter_mut().enumerate() {
        row.trail = if i < 7 { TrailMatch::Same } else { TrailMatch::NotCompared };
    }
    rows[0].trail = TrailMatch::Different;
    let summary = summary(&rows, &[]);
    assert_eq!(summary.trails.same[0].to_string(), "p/t#1~cmd:walker~0");
    let text = summary.text();
    let part = text.split("\n\n").find(|part| part.starts_with("pointer")).unwrap();
    insta::assert_snapshot!(part, @"
    pointer    6 of 7 trials with 5 pointer actions or more used the oracle's pixels alone
               p/t#1~cmd:walker~0
               p/t#2~cmd:walker~0
               p/t#3~cmd:walker~0
               p/t#4~cmd:walker~0
               p/t#5~cmd:walker~0
               and 1 more
    pointer    not held against the oracle, which is not on record there: 2 trials with pointer actions
    ");
}
