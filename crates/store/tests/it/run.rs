use std::fs;

use quintain_core::event::Record;
use quintain_core::files::held;
use quintain_core::limits::LimitOverrides;
use quintain_core::trial::TrialEnd;
use quintain_core::{Digest, Ending, Limits, TrialEvent};
use quintain_store::line_sum;
use quintain_store::{FreshFiles, RunDir, RunHeader, StoreError};

use crate::dial::{header, new_run, planned, play_into, record, tell, trial_id};

#[test]
fn a_run_can_be_read_without_a_manual() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    record(&run, "turn(3); ('stop', 'stop')");
    insta::assert_snapshot!(listing(run.path()), @"
    blobs/ae/ae79f79e9f6c396e00212e62c1123cb487340fb0077d5fcc6a958c7aea7667b0
    frames/45/45ec72ebd26230a5da2a11a18ea8adbd6373e0d514fff31ac7093d480b740525.webp
    frames/f3/f307186974769279039a00688572697841934774cc353a5fd622cb10995a1432.webp
    plan.jsonl
    run.copy.json
    run.json
    segments/0001-0000.jsonl
    ");
    insta::assert_snapshot!(fs::read_to_string(run.path().join("run.json")).unwrap(), @r#"
    {
      "format": 1,
      "about": "A run of Quintain. plan.jsonl: the trials, one a line. segments/: what happened, one event a line. frames/: the pictures the events name. blobs/: the files they name.",
      "name": "tuesday",
      "created": "2026-02-03T04:05:06Z",
      "selectors": [],
      "suites": [],
      "agents": [
        {
          "label": "lines",
          "spec": "script:x"
        }
      ],
      "settings": {
        "show": [
          "screen",
          "text",
          "feedback",
          "remaining"
        ]
      },
      "limits": {},
      "seeds": [
        7
      ],
      "repeats": 1,
      "n_trials": 2,
      "fingerprint": {
        "quintain": "0.1.0"
      },
      "engine": "sqlite",
      "sums": "always",
      "sum": "9882bf3af475f21a"
    }
    "#);
    let segment = fs::read_to_string(run.path().join("segments/0001-0000.jsonl")).unwrap();
    insta::assert_snapshot!(segment.lines().nth(1).unwrap(), @r#"
    {"v":1,"trial":"test/dial@easy#7~lines~0","attempt":1,"event":"turn","step_idx":0,"shown":{"pictures":{"screen":"45ec72ebd26230a5da2a11a18ea8adbd6373e0d514fff31ac7093d480b740525","goal":"f307186974769279039a00688572697841934774cc353a5fd622cb10995a1432"},"texts":{"remaining":"9 steps"}},"reply":{"raw":"turn(3)","thought":"hm","usage":{"input_tokens":100,"output_tokens":7,"cached_tokens":40,"cost_usd":0.1}},"action":{"do":"call","name":"turn","args":[3]},"spent":{"steps":1,"elapsed_ms":0,"tokens":107,"cost_usd":0.1},"sum":"552b05e1c1e43793"}
    "#);
}

pub(crate) fn listing(root: &std::path::Path) -> String {
    let mut names = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                names.push(path.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }
    names.sort();
    names.join("\n")
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let made = new_run(folder.path());
    let place = record(&made, "turn(1); no idea; turn(2); ('stop', 'stop')");
    let run = RunDir::open(made.path()).unwrap();
    assert_eq!(run.header(), &RunHeader { n_trials: Some(2), ..header() });
    assert_eq!(run.plan().unwrap(), [planned(0), planned(1)]);
    let attempt = run.read(&place).unwrap();
    insta::assert_snapshot!(tell(&attempt.events), @"
    began: Turn the dial to 3.
    turn 0: heard nothing, said turn(1)
    after 1: 1
    turn 1: heard now at 1, said no idea
    turn 2: heard no action found: answer with exactly one action in the published form, said turn(2)
    after 3: 3
    turn 3: heard now at 3, said ('stop', 'stop')
    stopped: done
    collected: 3
    judged: 1
    ");
    assert_eq!((attempt.trial.clone(), attempt.attempt, attempt.torn), (trial_id(0), 1, false));
    let steps = attempt.steps();
    let heard: Vec<_> = steps.iter().map(|step| step.feedback.as_ref().map(|f| f.text.as_str())).collect();
    insta::assert_debug_snapshot!(heard, @r#"
    [
        Some(
            "now at 1",
        ),
        Some(
            "no action found: answer with exactly one action in the published form",
        ),
        Some(
            "now at 3",
        ),
        None,
    ]
    "#);
    assert_eq!(attempt.over(), Some(TrialEnd { ending: Ending::Done, fault: None }));
    assert_eq!(attempt.snapshots().iter().map(|snapshot| snapshot.after_steps).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(attempt.briefing().unwrap().seed, trial_id(0).seed());
    assert!(attempt.verdict().unwrap().solved);
    let evidence = attempt.evidence().unwrap();
    run.frames().verify(evidence.screen.unwrap()).unwrap();
    assert_eq!(run.blobs().get(evidence.files["note.txt"]).unwrap().unwrap(), b"a note");
}

#[test]
fn attempts_are_found_by_looking_at_the_segments() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let mut writer = run.segment_writer().unwrap();
    let mut places = Vec::new();
    for (repeat, attempt, n_events) in [(0, 1, 99), (1, 1, 3), (1, 2, 99)] {
        let mut attempt = writer.begin(&trial_id(repeat), attempt).unwrap();
        play_into(&mut attempt, "turn(1); ('stop', 'stop')", &[], n_events);
        places.push(attempt.place());
    }
    let found = run.attempts().unwrap();
    assert_eq!(found.iter().map(|attempt| attempt.place.clone()).collect::<Vec<_>>(), places);
    let short: Vec<_> =
        found.iter().map(|it| format!("{} {} {} {}", it.trial, it.attempt, it.n_turns, it.finished)).collect();
    insta::assert_debug_snapshot!(short, @r#"
    [
        "test/dial@easy#7~lines~0 1 2 true",
        "test/dial@easy#7~lines~1 1 1 false",
        "test/dial@easy#7~lines~1 2 2 true",
    ]
    "#);
}

#[test]
fn every_writer_has_a_segment_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let writers = [run.segment_writer().unwrap(), run.segment_writer().unwrap()];
    let again = RunDir::open(run.path()).unwrap();
    let other = again.segment_writer().unwrap();
    assert_eq!(run.segments().unwrap(), ["0001-0000", "0001-0001", "0002-0000"]);
    drop((writers, other));
}

#[test]
fn many_threads_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let run = &run;
            scope.spawn(move || {
                let mut writer = run.segment_writer().unwrap();
                for attempt in 0..20 {
                    let mut attempt = writer.begin(&trial_id(worker), attempt).unwrap();
                    play_into(&mut attempt, "turn(1); turn(2); ('stop', 'stop')", &[], usize::MAX).unwrap();
                }
            });
        }
    });
    let found = run.attempts().unwrap();
    assert_eq!(found.len(), 160);
    assert!(found.iter().all(|attempt| attempt.finished && run.read(&attempt.place).unwrap().n_turns() == 3));
}

#[test]
fn a_run_is_never_made_over_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let again = RunDir::create(run.path(), &header(), &[]);
    assert!(matches!(again, Err(StoreError::AlreadyThere(_))));
    let draft = folder.path().join(".draft-1-1");
    fs::create_dir(&draft).unwrap();
    assert!(matches!(RunDir::open(&draft), Err(StoreError::NotARun(_))), "half a run is no run");
}

/// A line as a newer program would write it.
fn newer_line(line: &str) -> Vec<u8> {
    let (fields, _sum) = line.rsplit_once(",\"sum\":").unwrap();
    let mut newer = (fields.replace("\"v\":1,", "\"v\":2,") + "}").into_bytes();
    line_sum::seal(&mut newer, 0);
    newer.push(b'\n');
    newer
}

#[test]
fn newer_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let place = record(&run, "('stop', 'stop')");
    let segment = run.path().join("segments/0001-0000.jsonl");
    let text = fs::read_to_string(&segment).unwrap();
    let newer: Vec<u8> = text.lines().flat_map(newer_line).collect();
    fs::write(&segment, newer).unwrap();
    let told = run.read(&place).unwrap_err().to_string();
    insta::assert_snapshot!(told.lines().take(2).collect::<Vec<_>>().join("\n"), @"
    segments/0001-0000.jsonl:1: the line is of version 2, and this program reads up to 1
    hint: use a newer quintain
    ");
    assert_eq!(run.scan().unwrap().bad_lines.len(), 5);

    let file = run.path().join("run.json");
    fs::remove_file(run.path().join("run.copy.json")).unwrap();
    fs::write(&file, "{\"format\": 2, \"everything\": \"else\"}").unwrap();
    let error = RunDir::open(run.path()).unwrap_err().to_string();
    insta::assert_snapshot!(error.replace(&folder.path().display().to_string(), ""), @"
    /run/run.json is of version 2, and this program reads up to 1
    hint: use a newer quintain
    ");
}

#[test]
fn a_run_overrides_limits_one_by_one() {
    let task = Limits { steps: 9, minutes: Some(2.0), tokens: None, cost_usd: None };
    let run = LimitOverrides { steps: Some(4), cost_usd: Some(1.5), ..LimitOverrides::default() };
    assert_eq!(run.over(task), Limits { steps: 4, minutes: Some(2.0), tokens: None, cost_usd: Some(1.5) });
}

#[test]
fn numbers_come_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let mut rng = quintain_core::Rng::for_purpose(1, "floats");
    let mut writer = run.segment_writer().unwrap();
    for _ in 0..2000 {
        let sent = f64::from_bits(rng.next_u64());
        let sent = if sent.is_finite() { sent } else { 0.1 };
        let derived = vec![("x".to_owned(), sent.into())];
        let mut attempt = writer.begin(&trial_id(0), 1).unwrap();
        attempt.write(&TrialEvent::Derived { derived: derived.clone() }).unwrap();
        let place = attempt.place();
        assert_eq!(run.read(&place).unwrap().events, [TrialEvent::Derived { derived }], "{sent:?}");
    }
}

#[test]
fn a_run_for_a_session_names_its_segments_after_it_and_knows_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let run = RunDir::create_as("w1-7f", &folder.path().join("run"), &RunHeader::new("test", "now")).unwrap();
    let mut writer = run.segment_writer().unwrap();
    let trial = "test/dial~lines~0".parse().unwrap();
    let mut attempt = writer.begin(&trial, 1).unwrap();
    attempt.file(&held(*b"twice")).unwrap();
    attempt.file(&held(*b"twice")).unwrap();
    attempt.write(&TrialEvent::Resumed { after_turns: 0 }).unwrap();
    let place = attempt.place();
    assert_eq!(place.segment, "w1-7f-0000");
    let fresh = run.take_fresh();
    assert_eq!((fresh.frames.len(), fresh.blobs.as_slice()), (0, &[Digest::of(b"twice")][..]));
    assert_eq!(run.take_fresh(), FreshFiles::default());
    assert_eq!(std::fs::read(run.blob_file(fresh.blobs[0])).unwrap(), b"twice");
    let elsewhere = RunDir::create_as("w2-01", &folder.path().join("else"), &RunHeader::new("test", "now")).unwrap();
    let attempts = elsewhere.add_segment(&place.segment, &run.lines(&place).unwrap()).unwrap();
    assert_eq!((attempts.len(), &attempts[0].place), (1, &place));
}
