//! Diagnoses from the command line: a planted dependence is found, and none where there is none.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::Place;
use crate::models::taught;

/// Twelve instances of two puzzles that can be seen in characters and show a goal.
const TWO: &str = "puzzles/maze-2d@easy puzzles/sliding-block@easy --seeds 6";

/// Diagnoses, and gives what came of it.
fn diagnosed(place: &Place, args: &str) -> Value {
    place.json(&format!("diagnose {args} -n 4"))["diagnosis"].clone()
}

/// Every level in a line: setting, level, instances, tasks, share solved, and the difference where its interval leaves out
/// zero.
fn told(diagnosis: &Value, agent_idx: usize) -> String {
    let mut lines = Vec::new();
    for effect in diagnosis["agents"][agent_idx]["factors"].as_array().expect("factors") {
        for level in effect["levels"].as_array().expect("levels") {
            let percent =
                |value: &Value| value.as_f64().map_or("-".to_owned(), |share| format!("{:.0}", 100.0 * share));
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let success = &level["against_base"]["success"];
            let end = |name: &str| success["by_instance"]["interval"][name].as_f64();
            let is_shown = end("low").zip(end("high")).is_some_and(|(low, high)| low > 0.0 || high < 0.0);
            lines.push(format!(
                "{} {}: {} of {}, {} %, {}{}",
                word(&effect["factor"]),
                word(&level["level"]),
                level["n_instances"],
                level["n_tasks"],
                percent(&level["success"]),
                percent(&success["value"]),
                if is_shown { " shown" } else { "" }
            ));
        }
    }
    lines.join("\n")
}

#[test]
fn a_model_that_needs_feedback_is_found_to_and_nothing_else_is() {
    let (place, _provider) = taught(TWO, "--needs feedback");
    let found = diagnosed(&place, &format!("{TWO} --agent turns:chat/sim --agent react:anthropic/sim --name needy"));
    insta::assert_snapshot!(told(&found, 0), @"
    history 1 turn: 12 of 2, 100 %, 0
    history 2 turns: 12 of 2, 100 %, 0
    history 4 turns: 12 of 2, 100 %, 0
    history all: 12 of 2, 100 %, -
    view screen: 12 of 2, 100 %, -
    view ascii: 12 of 2, 100 %, 0
    feedback on: 12 of 2, 100 %, -
    feedback off: 12 of 2, 0 %, -100 shown
    goal off: 12 of 2, 100 %, -
    goal on: 12 of 2, 100 %, 0
    ");
    assert_eq!(told(&found, 0), told(&found, 1), "in words and with functions alike");
    for file in ["diagnosis.html", "diagnosis-1.svg", "diagnosis-2.svg", "report.html"] {
        assert!(place.path().join("runs/needy").join(file).exists(), "{file}");
    }
    let again = place.quintain("report needy --no-html");
    assert!(again.stdout.contains("off: less is solved: the paired interval leaves out zero"), "{}", again.stdout);
}

#[test]
fn a_model_that_needs_its_history_and_the_goal_is_found_to() {
    let (place, _provider) = taught(TWO, "--needs history,goal --seed 1");
    let show = "--show screen,goal,feedback,remaining";
    let found = diagnosed(&place, &format!("{TWO} {show} --vary history,goal --agent react:openai/sim"));
    insta::assert_snapshot!(told(&found, 0), @"
    history 1 turn: 12 of 2, 0 %, -100 shown
    history 2 turns: 12 of 2, 25 %, -75 shown
    history 4 turns: 12 of 2, 100 %, 0
    history all: 12 of 2, 100 %, -
    goal on: 12 of 2, 100 %, -
    goal off: 12 of 2, 0 %, -100 shown
    ");
}

/// An agent that looks at nothing plays alike whatever it is shown, to the last draw; so a diagnosis that was cut and
/// resumed shows no difference at all.
#[test]
fn an_agent_that_looks_at_nothing_depends_on_nothing_and_a_cut_diagnosis_goes_on() {
    let place = Place::new();
    let args = "puzzles/maze-2d puzzles/jigsaw --seeds 4 --agent random --vary view,feedback,goal,resolution=64";
    let cut = place.quintain(&format!("diagnose {args} --run-steps 150 --name blind"));
    assert_eq!(cut.code, 130, "{}", cut.stderr);
    let found = place.json("resume blind --run-steps 100000")["diagnosis"].clone();
    insta::assert_snapshot!(told(&found, 0), @"
    view screen: 8 of 1, 0 %, -
    view ascii: 8 of 1, 0 %, 0
    feedback on: 16 of 2, 0 %, -
    feedback off: 16 of 2, 0 %, 0
    goal off: 16 of 2, 0 %, -
    goal on: 16 of 2, 0 %, 0
    resolution full: 16 of 2, 0 %, -
    resolution 64 px: 16 of 2, 0 %, 0
    ");
    for effect in found["agents"][0]["factors"].as_array().expect("factors") {
        for level in effect["levels"].as_array().expect("levels") {
            assert_eq!(level["against_base"]["flips"].as_array().map_or(0, Vec::len), 0);
        }
    }
    assert_eq!(place.quintain("rescore blind").code, 0);
    assert_eq!(place.quintain("replay blind --all").code, 0, "every setting is known to the replay");
}

#[test]
fn what_tasks_and_agents_do_not_offer_is_refused() {
    let place = Place::new();
    let refused = |args: &str| {
        let done = place.quintain(args);
        format!("{} {}", done.code, done.stderr.trim_end())
    };
    let said = [
        "run puzzles/maze-2d puzzles/jigsaw puzzles/maze-3d --agent random --show ascii,feedback",
        "run puzzles/maze-2d --agent random --groups gui",
        "run puzzles/maze-2d --agent random --agent oracle --history 2",
        "run puzzles/maze-2d --agent generalist:chat/sim,base_url=http://127.0.0.1:9 --history 2",
        "run puzzles/maze-2d --agent oracle --effort low",
        "run gauntlet/workflow-loop --agent oracle --resolution 640",
        "diagnose puzzles/maze-2d --agent random --vary history",
        "diagnose puzzles/jigsaw --agent random --vary view",
        "diagnose puzzles/jigsaw --agent random --vary feedbak",
        "diagnose puzzles/jigsaw --agent random --vary groups=call",
        "diagnose gauntlet/workflow-loop --agent random --vary resolution=4096",
    ];
    insta::assert_snapshot!(said.map(refused).join("\n\n"), @"
    1 error: task `puzzles/jigsaw` does not offer `ascii` (nor does 1 more)
    hint: name only tasks that do, or see `quintain show puzzles/jigsaw`

    1 error: task `puzzles/maze-2d` has no actions of the groups that are named
    hint: name only tasks that do, or see `quintain show puzzles/maze-2d`

    1 error: --history means nothing to `random`: it keeps no window of turns
    hint: leave it out

    1 error: --history means nothing to `generalist:chat/sim,base_url=http://127.0.0.1:9`: a generalist sums up what it has seen and keeps no window of turns
    hint: leave it out

    1 error: --effort means nothing to `oracle`: it has no model that could think more or less
    hint: leave it out

    1 error: `oracle` cannot play `gauntlet/workflow-loop` with smaller pictures: it points in pixels of the full screen, whatever it is shown
    hint: leave --resolution out

    1 error: `history` means nothing to `random`: it keeps no window of turns
    hint: leave `history` out of --vary

    1 error: no task that is named offers both sides of `view`: ascii and what the run has
    hint: leave `view` out of --vary, or name other tasks

    2 error: there is no setting `feedbak` to vary
    hint: did you mean `feedback`?

    1 error: no task that is named offers both sides of `groups`: call and what the run has
    hint: leave `groups` out of --vary, or name other tasks

    1 error: no task that is named offers both sides of `resolution`: 4096 px and what the run has
    hint: leave `resolution` out of --vary, or name other tasks
    ");
    assert!(!place.path().join("runs").exists(), "nothing was made");
}

#[test]
fn of_the_usual_settings_what_does_not_apply_is_left_out_and_told() {
    let place = Place::new();
    let done = place.quintain("diagnose puzzles/jigsaw@easy --agent random --seeds 1 --name plain");
    assert_eq!(done.code, 0, "{}", done.text());
    let told: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("not varied")).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    not varied: `history` means nothing to `random`: it keeps no window of turns
    not varied: no task that is named offers both sides of `view`: ascii and what the run has
    ");
    let header = fs::read_to_string(place.path().join("runs/plain/run.json")).expect("UTF-8");
    assert!(header.contains("random+feedback-off") && !header.contains("view-ascii"), "{header}");
}

/// What the help says of one option.
fn help_on(place: &Place, command: &str, option: &str) -> String {
    let help = place.quintain(&format!("{command} --help")).stdout;
    let lines = help.lines().skip_while(|line| !line.trim_start().starts_with(option));
    let block: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    block.join("\n")
}

#[test]
fn the_help_tells_what_can_be_varied() {
    let place = Place::new();
    let options = [("diagnose", "--vary"), ("run", "--resolution"), ("run", "--history")];
    let said = options.map(|(command, option)| help_on(&place, command, option));
    insta::assert_snapshot!(said.join("\n"), @"
    --vary <SETTINGS>
    What is varied, one at a time: history, view, feedback, goal, groups, surface, resolution,
    effort; with levels of your own as in `history=1,8,all` or `groups=gui,gui+browser`.
    Unless given: history,view,feedback,goal
    --resolution <PIXELS>
    The longest side in pixels of the pictures that agents are shown; larger ones are made
    smaller
    --history <N>
    How many earlier turns an agent with a memory window keeps
    ");
}

/// The longest side of every picture that a run keeps.
fn longest_sides(folder: &Path) -> Vec<u32> {
    let mut sides = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() {
            sides.extend(longest_sides(&entry));
        } else {
            let bytes = fs::read(&entry).expect("readable");
            let webp = quintain_png::decode_webp(&bytes).map(|webp| webp.picture);
            let picture = webp.or_else(|_other| quintain_png::decode(&bytes)).expect("a picture");
            sides.push(picture.width().max(picture.height()));
        }
    }
    sides
}

/// Points are taken in pixels of the smaller picture and done on the screen behind it, so a model that clicks where the
/// solution clicks still solves the task.
#[test]
fn an_app_is_solved_on_a_smaller_screen() {
    let task = "gauntlet/workflow-insert-wait";
    let (place, _provider) = taught(task, "");
    let agents = "--agent react:anthropic/sim --agent react:openai/sim,tools=schema --agent turns:chat/sim";
    let found = place.json(&format!("run {task} {agents} --resolution 640 --name small --no-sandbox"));
    for agent in found["summary"]["by_agent"].as_array().expect("agents") {
        assert_eq!(agent["success"]["hits"], 1, "{agent}");
    }
    let sides = longest_sides(&place.path().join("runs/small/frames"));
    assert!(sides.contains(&640), "{sides:?}");
    assert!(
        sides.iter().filter(|side| **side > 640).count() <= 3,
        "only the last screens are kept as they were: {sides:?}"
    );
    let again = place.quintain("replay small --all --no-sandbox");
    assert_eq!(again.code, 0, "{}", again.text());
}
