//! A trial that was cut off and went on reads as one trajectory.

use quintain_store::{LineRange, RunDir};

use crate::dial::{new_run, play_into, tell, trial_id};

const SAID: &str = "turn(1); what; turn(1); turn(1); ('stop', 'stop')";

/// Plays until cut off after each of these numbers of events in turn, going on from what was recorded each time.
fn cut_off_at(run: &RunDir, cuts: &[usize]) -> LineRange {
    let mut last: Option<LineRange> = None;
    for (cut_idx, n_events) in cuts.iter().enumerate() {
        let mut writer = run.segment_writer().unwrap();
        let past = last.as_ref().map(|place| run.trajectory(place).unwrap().steps()).unwrap_or_default();
        let mut attempt = match &last {
            Some(place) => writer.begin_continuing(&trial_id(0), cut_idx as u32 + 1, place).unwrap(),
            None => writer.begin(&trial_id(0), 1).unwrap(),
        };
        play_into(&mut attempt, SAID, &past, *n_events);
        last = Some(attempt.place());
    }
    last.unwrap()
}

#[test]
fn a_resumed_attempt_names_the_one_it_continues() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let place = cut_off_at(&run, &[4, 2, 99]);
    insta::assert_snapshot!(tell(&run.read(&place).unwrap().events), @"
    resumed after 3
    after 3: 2
    turn 3: heard now at 2, said turn(1)
    after 4: 3
    turn 4: heard now at 3, said ('stop', 'stop')
    stopped: done
    collected: 3
    judged: 1
    ");
    insta::assert_snapshot!(tell(&run.trajectory(&place).unwrap().events), @"
    began: Turn the dial to 3.
    turn 0: heard nothing, said turn(1)
    after 1: 1
    turn 1: heard now at 1, said what
    turn 2: heard no action found: answer with exactly one action in the published form, said turn(1)
    after 3: 2
    turn 3: heard now at 2, said turn(1)
    after 4: 3
    turn 4: heard now at 3, said ('stop', 'stop')
    stopped: done
    collected: 3
    judged: 1
    ");
    let continues: Vec<_> = run.attempts().unwrap().into_iter().map(|it| it.continues.map(|p| p.segment)).collect();
    assert_eq!(continues, [None, Some("0001-0000".to_owned()), Some("0001-0001".to_owned())]);
}

#[test]
fn wherever_it_is_cut_off_the_whole_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let whole = run.trajectory(&cut_off_at(&run, &[99])).unwrap();
    let n_events = whole.events.len();
    for first in 1..n_events {
        for second in 1..n_events {
            let joined = run.trajectory(&cut_off_at(&run, &[first, second, 99])).unwrap();
            assert_eq!(joined.steps(), whole.steps(), "cut off at {first}, {second}");
            assert_eq!(joined.snapshots(), whole.snapshots(), "cut off at {first}, {second}");
            assert_eq!(joined.verdict(), whole.verdict(), "cut off at {first}, {second}");
            assert_eq!(joined.evidence(), whole.evidence(), "cut off at {first}, {second}");
            assert!(joined.briefing().is_some(), "cut off at {first}, {second}");
        }
    }
}

#[test]
fn attempts_that_do_not_belong_together_are_not_joined() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let mut writer = run.segment_writer().unwrap();
    let mut attempt = writer.begin(&trial_id(0), 1).unwrap();
    play_into(&mut attempt, SAID, &[], 4);
    let first = attempt.place();
    let past = run.read(&first).unwrap().steps();

    let mut attempt = writer.begin_continuing(&trial_id(1), 2, &first).unwrap();
    play_into(&mut attempt, SAID, &past, 99);
    let other_trial = attempt.place();
    insta::assert_snapshot!(run.trajectory(&other_trial).unwrap_err(), @"
    the attempt at 0001-0000:1755-5102 cannot be joined to the one before it: they are of different trials
    ");

    let mut attempt = writer.begin(&trial_id(0), 2).unwrap();
    play_into(&mut attempt, SAID, &past, 99);
    let unnamed = attempt.place();
    insta::assert_snapshot!(run.trajectory(&unnamed).unwrap_err(), @"
    the attempt at 0001-0000:5102-8418 cannot be joined to the one before it: it does not name the attempt that it goes on from
    ");
}
