use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use quintain_core::{Boundary, Digest, Ending, Verdict, variables};
use quintain_store::export::{ExportFormat, ExportOptions, ExportPictures, Filter, atif, export, messages, sharegpt};
use quintain_store::{LineRange, RunDir};
use serde_json::Value;

use crate::dial::{header, new_run, record};

const SAID: &str = "turn(1); an <image> and a <video>; turn(2); ('stop', 'stop')";

fn link(digest: Digest) -> String {
    format!("images/{}.png", digest.short())
}

fn recorded(said: &str) -> (tempfile::TempDir, RunDir, LineRange) {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let place = record(&run, said);
    (folder, run, place)
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

#[test]
fn atif_tells_the_trial_step_by_step() {
    let (_folder, run, place) = recorded("turn(3); hm; ('stop', 'stop')");
    let mut trajectory = atif(&header(), &run.read(&place).unwrap(), &link);
    let steps = trajectory["steps"].take();
    let lines: Vec<String> = steps.as_array().unwrap().iter().map(Value::to_string).collect();
    insta::assert_snapshot!(trajectory, @r#"{"agent":{"extra":{"spec":"script:x"},"name":"lines","tool_definitions":[{"function":{"description":"Turns the dial.","name":"turn","parameters":{"properties":{"clicks":{"description":"how far","maximum":3,"minimum":-3,"type":"integer"}},"required":["clicks"],"type":"object"}},"type":"function"}],"version":"0.1.0"},"extra":{"attempt":1,"seed":13174536884355876764,"trial":"test/dial@easy#7~lines~0","verdict":{"digests":{"instance":"035df764756c18b0b90f57fbb64c256a65a12d830ad1aec5bf2a3807102c6506","task":"8aaa38f1de47df8eb06bc62db9f0a92257521cf50b109b7b31177710c5b72c87","world":"286539bd7946a56981a39a56884d1bca6f4f23521244368dadb01e6f7e58893d"},"ending":"done","findings":[{"because":"looked","check":"at the target","score":1.0}],"milestones":[{"after_steps":1,"name":"moved"}],"score":1.0,"solved":true}},"final_metrics":{"total_cached_tokens":120,"total_completion_tokens":21,"total_prompt_tokens":300,"total_steps":4},"schema_version":"ATIF-v1.7","session_id":"tuesday","steps":null,"trajectory_id":"tuesday/test/dial@easy#7~lines~0"}"#);
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"message":[{"text":"Turn the dial to 3.\n\nActions:\n- ('turn', 1): Turns the dial.\n  clicks: a whole number from -3 to 3; how far\n- ('stop', 'stop'): end the trial and hand in the state as it is.\n\nAnswer each turn with exactly one action in this form. You have 9 steps, and every answer takes one, also one that changes nothing; the last one should be stop.\n","type":"text"},{"text":"Screen:","type":"text"},{"source":{"media_type":"image/png","path":"images/45ec72ebd262.png"},"type":"image"},{"text":"Goal:","type":"text"},{"source":{"media_type":"image/png","path":"images/f30718697476.png"},"type":"image"},{"text":"Remaining: 9 steps","type":"text"}],"source":"user","step_id":1}
    {"extra":{"effect":"changed","spent":{"cost_usd":0.1,"elapsed_ms":0,"steps":1,"tokens":107}},"llm_call_count":1,"message":"turn(3)","metrics":{"cached_tokens":40,"completion_tokens":7,"cost_usd":0.1,"prompt_tokens":100},"observation":{"results":[{"content":[{"text":"Screen:","type":"text"},{"source":{"media_type":"image/png","path":"images/f30718697476.png"},"type":"image"},{"text":"Goal:","type":"text"},{"source":{"media_type":"image/png","path":"images/f30718697476.png"},"type":"image"},{"text":"Feedback: now at 3","type":"text"},{"text":"Remaining: 8 steps","type":"text"}],"source_call_id":"call_1"}]},"reasoning_content":"hm","source":"agent","step_id":2,"tool_calls":[{"arguments":{"clicks":3},"function_name":"turn","tool_call_id":"call_1"}]}
    {"extra":{"effect":"misread","spent":{"cost_usd":0.1,"elapsed_ms":0,"steps":2,"tokens":214}},"llm_call_count":1,"message":"hm","metrics":{"cached_tokens":40,"completion_tokens":7,"prompt_tokens":100},"observation":{"results":[{"content":[{"text":"Screen:","type":"text"},{"source":{"media_type":"image/png","path":"images/f30718697476.png"},"type":"image"},{"text":"Goal:","type":"text"},{"source":{"media_type":"image/png","path":"images/f30718697476.png"},"type":"image"},{"text":"Feedback: no action found: answer with exactly one action in the published form","type":"text"},{"text":"Remaining: 7 steps","type":"text"}]}]},"reasoning_content":"hm","source":"agent","step_id":3}
    {"extra":{"effect":null,"spent":{"cost_usd":0.1,"elapsed_ms":0,"steps":3,"tokens":321}},"llm_call_count":1,"message":"('stop', 'stop')","metrics":{"cached_tokens":40,"completion_tokens":7,"prompt_tokens":100},"reasoning_content":"hm","source":"agent","step_id":4,"tool_calls":[{"arguments":{},"function_name":"done","tool_call_id":"call_3"}]}
    "#);
}

/// What reads a file of trajectories with the models of the package `harbor`, and says of each whether it is one.
const HARBOR_READER: &str = "
import json, sys
from harbor.models.trajectories import Trajectory
for trajectory in json.load(open(sys.argv[1])):
    try:
        Trajectory.model_validate(trajectory)
        print('read')
    except ValueError as problem:
        print('refused:', problem.error_count())
";

/// Runs only where `QUINTAIN_HARBOR_PYTHON` names a Python that has `harbor`, whose format ATIF is.
#[test]
fn atif_is_read_by_the_package_whose_format_it_is() {
    let Some(python) = std::env::var_os(variables::HARBOR_PYTHON) else { return };
    let (folder, run, place) = recorded(SAID);
    let whole = atif(&header(), &run.read(&place).unwrap(), &link);
    let cut = atif(&header(), &run.read(&record(&run, "")).unwrap(), &link);
    let mut wrong = whole.clone();
    wrong["steps"][1]["source"] = "robot".into();
    wrong["steps"][2]["step_id"] = "three".into();
    wrong["steps"][3]["surprise"] = 1.into();
    let file = folder.path().join("trajectories.json");
    fs::write(&file, Value::Array(vec![whole, cut, wrong]).to_string()).unwrap();
    let ran = Command::new(python).args(["-c", HARBOR_READER]).arg(file).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "read\nread\nrefused: 3\n");
}

#[test]
fn sharegpt_has_a_mark_for_every_image() {
    let (_folder, run, place) = recorded(SAID);
    let conversation = sharegpt(&run.read(&place).unwrap(), &link);
    insta::assert_snapshot!(pretty(&conversation), @r#"
    {
      "conversations": [
        {
          "from": "human",
          "value": "Turn the dial to 3.\n\nActions:\n- ('turn', 1): Turns the dial.\n  clicks: a whole number from -3 to 3; how far\n- ('stop', 'stop'): end the trial and hand in the state as it is.\n\nAnswer each turn with exactly one action in this form. You have 9 steps, and every answer takes one, also one that changes nothing; the last one should be stop.\n\nScreen:\n<image>\nGoal:\n<image>\nRemaining: 9 steps"
        },
        {
          "from": "gpt",
          "value": "turn(1)"
        },
        {
          "from": "human",
          "value": "Screen:\n<image>\nGoal:\n<image>\nFeedback: now at 1\nRemaining: 8 steps"
        },
        {
          "from": "gpt",
          "value": "an < image> and a < video>"
        },
        {
          "from": "human",
          "value": "Screen:\n<image>\nGoal:\n<image>\nFeedback: no action found: answer with exactly one action in the published form\nRemaining: 7 steps"
        },
        {
          "from": "gpt",
          "value": "turn(2)"
        },
        {
          "from": "human",
          "value": "Screen:\n<image>\nGoal:\n<image>\nFeedback: now at 3\nRemaining: 6 steps"
        },
        {
          "from": "gpt",
          "value": "('stop', 'stop')"
        }
      ],
      "images": [
        "images/45ec72ebd262.png",
        "images/f30718697476.png",
        "images/1a1e645b3713.png",
        "images/f30718697476.png",
        "images/1a1e645b3713.png",
        "images/f30718697476.png",
        "images/f30718697476.png",
        "images/f30718697476.png"
      ]
    }
    "#);
    let text = conversation["conversations"].to_string();
    assert_eq!(text.matches("<image>").count(), conversation["images"].as_array().unwrap().len());
    let turns = conversation["conversations"].as_array().unwrap();
    assert!(turns.chunks(2).all(|pair| pair[0]["from"] == "human" && pair[1]["from"] == "gpt"));
}

#[test]
fn messages_carry_their_pictures() {
    let (_folder, run, place) = recorded("('stop', 'stop')");
    insta::assert_snapshot!(pretty(&messages(&run.read(&place).unwrap(), &link)), @r#"
    {
      "messages": [
        {
          "content": [
            {
              "text": "Turn the dial to 3.\n\nActions:\n- ('turn', 1): Turns the dial.\n  clicks: a whole number from -3 to 3; how far\n- ('stop', 'stop'): end the trial and hand in the state as it is.\n\nAnswer each turn with exactly one action in this form. You have 9 steps, and every answer takes one, also one that changes nothing; the last one should be stop.\n",
              "type": "text"
            },
            {
              "text": "Screen:",
              "type": "text"
            },
            {
              "image_url": {
                "url": "images/45ec72ebd262.png"
              },
              "type": "image_url"
            },
            {
              "text": "Goal:",
              "type": "text"
            },
            {
              "image_url": {
                "url": "images/f30718697476.png"
              },
              "type": "image_url"
            },
            {
              "text": "Remaining: 9 steps",
              "type": "text"
            }
          ],
          "role": "user"
        },
        {
          "content": "('stop', 'stop')",
          "role": "assistant"
        }
      ]
    }
    "#);
}

/// The files of an export, and the first bytes of each.
fn exported(
    run: &RunDir,
    places: &[LineRange],
    format: ExportFormat,
    filter: Filter,
    pictures: ExportPictures,
) -> String {
    let into = tempfile::tempdir().unwrap();
    let done = export(run, places, ExportOptions { format, filter, pictures }, into.path()).unwrap();
    let mut told = format!("{} trials, {} left out, {} pictures\n", done.n_trials, done.n_left_out, done.n_pictures);
    for file in &done.files {
        let text = fs::read_to_string(file).unwrap();
        for path in text.split('"').filter(|word| word.contains("images/")) {
            assert!(file.parent().unwrap().join(path).is_file(), "{path} is there");
        }
        let n_inline = text.matches("data:image/png;base64,iVBOR").count();
        let name = file.strip_prefix(into.path()).unwrap().display();
        let n_trials = match format {
            ExportFormat::Atif => 1,
            ExportFormat::ShareGpt => serde_json::from_str::<Vec<Value>>(&text).unwrap().len(),
            ExportFormat::Messages => text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(),
        };
        writeln!(told, "{name}: {n_trials} trials, {n_inline} inline pictures").unwrap();
    }
    told
}

#[test]
fn exports_are_written_with_their_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let said = ["turn(3); ('stop', 'stop')", "turn(2); ('stop', 'stop')", "turn(1)"];
    let places: Vec<LineRange> = said.iter().map(|said| record(&run, said)).collect();
    let told: String = [
        (ExportFormat::Atif, Filter::All, ExportPictures::Beside),
        (ExportFormat::Atif, Filter::Success, ExportPictures::Beside),
        (ExportFormat::ShareGpt, Filter::Failure, ExportPictures::Beside),
        (ExportFormat::ShareGpt, Filter::All, ExportPictures::Beside),
        (ExportFormat::Messages, Filter::All, ExportPictures::Beside),
        (ExportFormat::Messages, Filter::All, ExportPictures::Inline),
    ]
    .into_iter()
    .map(|(format, filter, pictures)| {
        format!("== {format} {filter} {pictures:?}\n{}", exported(&run, &places, format, filter, pictures))
    })
    .collect();
    insta::assert_snapshot!(told, @"
    == atif all Beside
    2 trials, 1 left out, 3 pictures
    trajectories/00000-test_dial_easy_7_lines_0.json: 1 trials, 0 inline pictures
    trajectories/00001-test_dial_easy_7_lines_0.json: 1 trials, 0 inline pictures
    == atif success Beside
    1 trials, 2 left out, 2 pictures
    trajectories/00000-test_dial_easy_7_lines_0.json: 1 trials, 0 inline pictures
    == sharegpt failure Beside
    1 trials, 2 left out, 3 pictures
    sharegpt.json: 1 trials, 0 inline pictures
    == sharegpt all Beside
    2 trials, 1 left out, 3 pictures
    sharegpt.json: 2 trials, 0 inline pictures
    == messages all Beside
    2 trials, 1 left out, 3 pictures
    messages.jsonl: 2 trials, 0 inline pictures
    == messages all Inline
    2 trials, 1 left out, 0 pictures
    messages.jsonl: 2 trials, 8 inline pictures
    ");
    assert!(exported(&run, &[], ExportFormat::ShareGpt, Filter::All, ExportPictures::Beside).contains("0 trials"));
}

#[test]
fn unknown_words_get_a_hint() {
    insta::assert_snapshot!("atfi".parse::<ExportFormat>().unwrap_err(), @"
    there is no export format `atfi`
    hint: did you mean `atif`?
    ");
    insta::assert_snapshot!("solved".parse::<Filter>().unwrap_err(), @"
    there is no filter `solved`
    hint: there is `success`, `failure`, `all`
    ");
}

#[test]
fn a_fault_is_not_a_failure() {
    let (_folder, run, place) = recorded("turn(2); ('stop', 'stop')");
    let mut verdict = run.read(&place).unwrap().verdict().unwrap().clone();
    let taken = |verdict: &Verdict| [Filter::Success, Filter::Failure, Filter::All].map(|filter| filter.takes(verdict));
    assert_eq!(taken(&verdict), [false, true, true]);
    verdict.ending = Ending::Fault(Boundary::World);
    assert_eq!(taken(&verdict), [false, false, true]);
    verdict = Verdict { ending: Ending::Done, solved: true, ..verdict };
    assert_eq!(taken(&verdict), [true, false, true]);
}
