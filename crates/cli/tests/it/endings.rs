//! Ways to bend the numbers by how a trial ends: none of them pays.

use serde_json::Value;

use crate::command::{Place, root};

/// Runs the walker on twelve mazes and gives back the report and the words of the run.
fn walk(place: &Place, how: &str) -> Value {
    let walker = root().join("crates/cli/tests/it/endings/walker.py");
    let agent = format!("cmd:python3 {} {how} {}", walker.display(), root().join("examples/agent.py").display());
    let args =
        ["run", "puzzles/maze-2d", "--agent", &agent, "--seeds", "6", "--name", how, "--show", "ascii", "--quiet"];
    let done = place.quintain_with(&args, "");
    assert_eq!(done.code, 0, "{}", done.text());
    place.json(&format!("report {how} --no-html"))
}

fn headline(report: &Value) -> (u64, u64) {
    let count = |of: &str| report["summary"]["total"]["success"][of].as_u64().expect("a count");
    (count("hits"), count("n"))
}

/// Leaving, dying, blaming and babbling where one would fail are failures: played once, and counted.
#[test]
fn an_agent_that_breaks_instead_of_failing_is_counted_like_one_that_fails() {
    let place = Place::new();
    let honest = headline(&walk(&place, "fails"));
    assert!(
        honest.0 > 0 && honest.0 < honest.1 && honest.1 == 12,
        "the mazes should be liked and not liked: {honest:?}"
    );
    for (how, ending) in [
        ("leaves", "broke: exit"),
        ("is_killed", "broke: exit"),
        ("blames", "broke: declared"),
        ("babbles", "broke: protocol"),
    ] {
        let report = walk(&place, how);
        assert_eq!(headline(&report), honest, "{how}");
        let summary = &report["summary"];
        let endings: Vec<(&str, u64)> = summary["endings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| (line["ending"].as_str().unwrap(), line["n"].as_u64().unwrap()))
            .collect();
        assert_eq!(endings, [("done", honest.0), (ending, honest.1 - honest.0)], "{how}");
        assert_eq!(
            (&summary["faults"], &summary["total"]["n_faulted"]),
            (&Value::from(vec![0; 0]), &0.into()),
            "{how}"
        );
    }
    let compared = place.json("compare fails leaves");
    assert_eq!((&compared["n_pairs"], &compared["success"]["value"]), (&12.into(), &0.0.into()), "{compared}");
}

/// Giving up on a solved board scores nothing, and the state's score is kept apart.
#[test]
fn giving_up_on_a_solved_board_scores_nothing() {
    let place = Place::new();
    let report = walk(&place, "gives_up");
    let total = &report["summary"]["total"];
    assert_eq!((headline(&report), &total["score"]["value"]), ((0, 12), &0.0.into()), "{total}");
    for trial in place.json("show gives_up")["trials"].as_array().unwrap() {
        let verdict = &trial["verdict"];
        assert_eq!((&verdict["score"], &verdict["state_score"]), (&0.0.into(), &1.0.into()), "{trial}");
    }
}
