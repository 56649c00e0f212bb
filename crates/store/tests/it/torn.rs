//! Files that a crash or an accident has damaged.

use std::fs;

use proptest::prelude::*;
use quintain_store::{LineRange, RunDir, StoreError};

use crate::dial::{new_run, play_into, record, trial_id};
use crate::run::listing;

#[test]
fn cutting_a_segment_anywhere_loses_only_the_line_that_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let mut writer = run.segment_writer().unwrap();
    for attempt in 1..=2 {
        play_into(&mut writer.begin(&trial_id(0), attempt).unwrap(), "turn(3); ('stop', 'stop')", &[], usize::MAX);
    }
    let segment = run.path().join("segments/0001-0000.jsonl");
    let whole = fs::read(&segment).unwrap();
    let mut ends = vec![0];
    ends.extend(whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(idx, _)| idx + 1));
    for cut in 0..=whole.len() {
        fs::write(&segment, &whole[..cut]).unwrap();
        let found = run.attempts().unwrap();
        let n_read: usize = found.iter().map(|attempt| run.read(&attempt.place).unwrap().events.len()).sum();
        let n_whole = ends.iter().filter(|end| **end <= cut).count() - 1;
        assert_eq!(n_read, n_whole, "cut at byte {cut}");
        let is_torn = found.last().is_some_and(|attempt| attempt.torn);
        assert_eq!(is_torn, !ends.contains(&cut) && !found.is_empty(), "cut at byte {cut}");
    }
}

#[test]
fn a_place_that_ends_within_a_line_is_read_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let place = record(&run, "turn(3); ('stop', 'stop')");
    let cut = run.read(&LineRange { end: place.end - 1, ..place.clone() }).unwrap();
    assert!(cut.torn);
    assert_eq!(cut.events.len() + 1, run.read(&place).unwrap().events.len());
    assert_eq!(cut.verdict(), None);
    let nowhere = run.read(&LineRange { end: place.start, ..place.clone() });
    assert!(matches!(nowhere, Err(StoreError::NoSuchPlace { .. })));
    let beyond = run.read(&LineRange { end: place.end + 1, ..place.clone() });
    assert!(matches!(beyond, Err(StoreError::SegmentCut { n_bytes, .. }) if n_bytes == place.end));
}

#[test]
fn a_later_process_writes_behind_no_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    record(&run, "turn(3); ('stop', 'stop')");
    let segment = run.path().join("segments/0001-0000.jsonl");
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..whole.len() - 9]).unwrap();
    let run = RunDir::open(run.path()).unwrap();
    let place = record(&run, "turn(3); ('stop', 'stop')");
    assert_eq!(place.segment, "0002-0000");
    let found = run.attempts().unwrap();
    assert_eq!(found.iter().map(|it| (it.finished, it.torn)).collect::<Vec<_>>(), [(false, true), (true, false)]);
}

#[test]
fn garbage_is_reported_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let place = record(&run, "turn(3); ('stop', 'stop')");
    let segment = run.path().join("segments/0001-0000.jsonl");
    let text = fs::read_to_string(&segment).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(2, "{\"v\":1,\"trial\":\"no trial\",\"attempt\":1,\"event\":\"turn\"}");
    lines.insert(1, "{\"hello\": }");
    lines.push("");
    fs::write(&segment, lines.join("\n") + "\n").unwrap();
    let error = run.attempts().unwrap_err();
    insta::assert_snapshot!(error, @"
    segments/0001-0000.jsonl:2: column 11: expected value
    segments/0001-0000.jsonl:4: its sum is missing
    ");
    let scan = run.scan().unwrap();
    assert!(scan.attempts.iter().any(|attempt| attempt.finished), "the rest is still found");
    insta::assert_snapshot!(run.read(&place).unwrap_err(), @"
    segments/0001-0000.jsonl:2: column 11: expected value
    segments/0001-0000.jsonl:4: its sum is missing
    ");
}

/// What a look at everything tells, by file.
fn told(run: &RunDir) -> String {
    run.examine(&mut |_what, _n| ()).unwrap();
    run.damage().list().iter().map(|damage| format!("{damage}\n")).collect()
}

#[test]
fn broken_pictures_and_files_are_told_though_nothing_names_them_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    record(&run, "turn(3); ('stop', 'stop')");
    assert_eq!(told(&run), "");
    fs::remove_file(run.path().join("segments/0001-0000.jsonl")).unwrap();
    let files = listing(run.path());
    for kind in ["blobs/", "frames/"] {
        let file = run.path().join(files.lines().find(|file| file.starts_with(kind)).unwrap());
        let whole = fs::read(&file).unwrap();
        fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    }
    insta::assert_snapshot!(told(&run), @"
    blobs/ae/ae79f79e9f6c396e00212e62c1123cb487340fb0077d5fcc6a958c7aea7667b0: it does not hold what it did; where the run came from a fleet, `quintain pull` brings it back
    frames/45/45ec72ebd26230a5da2a11a18ea8adbd6373e0d514fff31ac7093d480b740525.webp: Corrupt bitstream; its trial is told without it
    ");
}

#[test]
fn a_segment_that_is_gone_or_cut_is_told_once_however_many_attempts_it_held() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let mut writer = run.segment_writer().unwrap();
    for attempt in 1..=3 {
        play_into(&mut writer.begin(&trial_id(0), attempt).unwrap(), "turn(3); ('stop', 'stop')", &[], usize::MAX);
    }
    let places: Vec<LineRange> = run.attempts().unwrap().into_iter().map(|attempt| attempt.place).collect();
    let segment = run.path().join("segments/0001-0000.jsonl");
    let told_by_places = || {
        let run = RunDir::open(run.path()).unwrap();
        for place in &places {
            run.salvaged(place).unwrap();
        }
        told(&run)
    };
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..places[1].start as usize]).unwrap();
    insta::assert_snapshot!(told_by_places(), @"segments/0001-0000.jsonl: it ends at byte 2775, before attempts that it held; trials that it held keep their verdicts where the engine knows them");
    fs::remove_file(&segment).unwrap();
    insta::assert_snapshot!(told_by_places(), @"segments/0001-0000.jsonl: it is not there; trials that it held keep their verdicts where the engine knows them");
}

#[test]
fn a_line_that_lost_its_end_since_it_was_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let place = record(&run, "turn(3); ('stop', 'stop')");
    let segment = run.path().join("segments/0001-0000.jsonl");
    let mut bytes = fs::read(&segment).unwrap();
    *bytes.last_mut().unwrap() = b'J';
    fs::write(&segment, bytes).unwrap();
    let n_left = run.salvaged(&place).unwrap().unwrap().events.len();
    assert_eq!(
        told(&run),
        format!(
            "segments/0001-0000.jsonl:{}: its end is missing; the rest of its trial is read without it\n",
            n_left + 1
        )
    );
}

#[test]
fn a_copy_of_the_header_that_is_gone_is_told_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    fs::remove_file(run.path().join("run.copy.json")).unwrap();
    let run = RunDir::open(run.path()).unwrap();
    insta::assert_snapshot!(told(&run), @"run.copy.json: it is not there; `quintain doctor RUN --mend` restores it");
    run.mend(&[]).unwrap();
    assert_eq!(told(&RunDir::open(run.path()).unwrap()), "");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_stands_in_a_line_the_others_are_found(garbage in "[^\n]{1,80}", line_idx in 0_usize..6) {
        prop_assume!(!garbage.trim_ascii().is_empty()); // Where lines are missing in a run that was pulled, a blank one stands.
        let folder = tempfile::tempdir().unwrap();
        let run = new_run(folder.path());
        record(&run, "('stop', 'stop')");
        let segment = run.path().join("segments/0001-0000.jsonl");
        let text = fs::read_to_string(&segment).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(line_idx, &garbage);
        fs::write(&segment, lines.join("\n") + "\n").unwrap();
        let scan = run.scan().unwrap();
        prop_assert_eq!(scan.bad_lines.len(), 1);
        prop_assert_eq!(scan.bad_lines[0].line, line_idx as u64 + 1);
        prop_assert!(scan.attempts.iter().any(|attempt| attempt.finished));
    }
}
