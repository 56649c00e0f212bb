//! What a user who mistypes is told.

use crate::command::Place;

fn told(args: &str) -> String {
    Place::new().quintain(args).text()
}

#[test]
fn an_unknown_task_gets_a_hint() {
    insta::assert_snapshot!(told("run puzzles/maze2d --agent oracle"), @"
    exit 2
    --- stderr
    error: there is no suite or task `puzzles/maze2d`
    hint: did you mean `puzzles/maze-2d`?
    ");
}

#[test]
fn an_unknown_agent_gets_a_hint() {
    insta::assert_snapshot!(told("run puzzles/maze-2d --agent oracel"), @"
    exit 2
    --- stderr
    error: there is no agent `oracel`; did you mean `oracle`?
    ");
}

#[test]
fn an_unknown_run_gets_a_hint() {
    insta::assert_snapshot!(told("report last-week"), @"
    exit 2
    --- stderr
    error: there is no run `last-week`
    hint: no runs are kept in `runs` yet; --runs names another folder
    ");
}

#[test]
fn an_unknown_preset_gets_a_hint() {
    insta::assert_snapshot!(told("play puzzles/maze-2d@hardest"), @"
    exit 2
    --- stderr
    error: `puzzles/maze-2d@hardest`: there is no preset `hardest`
    hint: did you mean `hard`?
    ");
}

#[test]
fn wrong_seeds_are_explained() {
    insta::assert_snapshot!(told("run puzzles/maze-2d --agent oracle --seeds 5..2"), @"
    exit 2
    --- stderr
    error: `5..2` names no seeds
    hint: `5` for 0 to 4, `10..20` for 10 to 19, `3,7` for those
    ");
}

#[test]
fn a_broken_file_of_models_is_named() {
    let place = Place::new();
    std::fs::write(place.path().join("mine.toml"), "[[model]]\nname = \"chat/a\"\nprize = 1\n").unwrap();
    let run = "run puzzles/maze-2d@easy#0 --agent react:chat/a,base_url=http://127.0.0.1:9 --models mine.toml";
    insta::assert_snapshot!(place.quintain(run).stderr.lines().next().unwrap(), @"error: mine.toml is no catalogue of models: TOML parse error at line 3, column 1");
}

#[test]
fn money_cannot_be_limited_where_no_price_is_known() {
    let run = "run puzzles/maze-2d@easy#0 --agent react:chat/a,base_url=http://127.0.0.1:9";
    let expected = "
    exit 1
    --- stderr
    error: the price of `chat/a` is not known, so a budget in dollars cannot hold
    hint: give its prices in a file (--models FILE), or limit tokens instead
    ";
    let lines = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    for limit in ["--cost 1", "--run-cost 1"] {
        assert_eq!(lines(&told(&format!("{run} {limit}"))), lines(expected), "{limit}");
    }
}

#[test]
fn a_bridge_that_cannot_listen_leaves_no_run() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let place = Place::new();
    let done = place.quintain(&format!("bridge serve puzzles/maze-2d --port {port} --name shut"));
    insta::assert_snapshot!(done.text().replace(&port, "PORT"), @"
    exit 1
    --- stderr
    error: cannot listen on 127.0.0.1:PORT
    hint: choose another --port, or none
      because: Address already in use (os error 98)
    ");
    assert!(!place.path().join("runs/shut").exists());
}

#[test]
fn an_unknown_part_is_explained() {
    insta::assert_snapshot!(told("run puzzles/maze-2d --agent oracle --show scren"), @"
    exit 2
    --- stderr
    error: there is no part `scren`
    hint: did you mean `screen`?
    ");
}

#[test]
fn a_run_is_never_overwritten() {
    let place = Place::new();
    assert_eq!(place.quintain("run puzzles/maze-2d@easy#0 --agent idle --name a --quiet").code, 0);
    insta::assert_snapshot!(place.quintain("run puzzles/maze-2d@easy#0 --agent idle --name a").text(), @"
    exit 1
    --- stderr
    error: run `a` is already there
    hint: go on with `quintain resume a`, or choose another --name
    ");
}

#[test]
fn a_run_cannot_be_put_outside_the_folder_of_runs() {
    insta::assert_snapshot!(told("run puzzles/maze-2d --agent idle --name ../x"), @"
    exit 2
    --- stderr
    error: `../x` cannot name a run
    hint: letters, digits and `. _ - +`; --runs says where runs are kept
    ");
}

#[test]
fn a_folder_without_photographs_is_named() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("empty")).unwrap();
    insta::assert_snapshot!(place.quintain("run puzzles/jigsaw@easy#0 --agent idle --photos empty").text(), @"
    exit 1
    --- stderr
    error: cannot use the photographs in empty
      because: no photos found in `empty`: JPEG or PNG files are wanted (.jpg, .jpeg, .png)
    ");
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    for limit in ["--minutes nan", "--minutes 0", "--cost nan", "--cost -1", "--steps 0", "--tokens 0", "--repeats 0"] {
        let done = Place::new().quintain(&format!("run puzzles/maze-2d@easy#0 --agent idle {limit}"));
        assert_eq!(done.code, 2, "{limit}: {}", done.text());
    }
    insta::assert_snapshot!(told("run puzzles/maze-2d --agent idle --minutes nan"), @"
    exit 2
    --- stderr
    error: invalid value 'nan' for '--minutes <MINUTES>': a number above 0 is wanted

    For more information, try '--help'.
    ");
}

#[test]
fn a_game_cannot_be_put_outside_the_folder_of_runs() {
    insta::assert_snapshot!(told("play puzzles/maze-2d --name ../evil"), @"
    exit 2
    --- stderr
    error: `../evil` cannot name a run
    hint: letters, digits and `. _ - +`; --runs says where runs are kept
    ");
}

#[test]
fn a_replay_of_several_agents_must_say_whose_part_it_is() {
    let place = Place::new();
    let run = "run puzzles/maze-2d@easy#0 --quiet";
    assert_eq!(place.quintain(&format!("{run} --agent oracle --agent idle --name two")).code, 0);
    insta::assert_snapshot!(place.quintain(&format!("{run} --agent replay:two")).text(), @"
    exit 2
    --- stderr
    error: run `two` was played by 2 agents
    hint: say whose part is replayed: `replay:two@oracle`, `replay:two@idle`
    ");
    insta::assert_snapshot!(place.quintain(&format!("{run} --agent replay:two@oracel")).text(), @"
    exit 2
    --- stderr
    error: no agent `oracel` played in run `two`
    hint: did you mean `oracle`?
    ");
    assert_eq!(place.quintain(&format!("{run} --agent replay:two@idle --name idle")).code, 0);
    assert_eq!(place.json("report idle --no-html")["summary"]["total"]["success"]["hits"], 0);
    assert_eq!(place.quintain(&format!("{run} --agent replay:two@oracle --name oracle")).code, 0);
    assert_eq!(place.json("report oracle --no-html")["summary"]["total"]["success"]["hits"], 1);
}

/// With --json an error is one object, whoever noticed it.
#[test]
fn errors_are_json_where_data_is() {
    insta::assert_snapshot!(told("run puzzles/maze2d --agent oracle --json"), @r#"
    exit 2
    --- stderr
    {
      "v": 1,
      "error": {
        "causes": [],
        "hint": "did you mean `puzzles/maze-2d`?",
        "message": "there is no suite or task `puzzles/maze2d`"
      }
    }
    "#);
    let unread = Place::new().quintain("report --jsn --json");
    let error: serde_json::Value = serde_json::from_str(&unread.stderr).expect("one object");
    assert_eq!(unread.code, 2, "{}", unread.text());
    assert!(error["error"]["message"].as_str().unwrap().starts_with("unexpected argument '--jsn' found"), "{error}");
    let place = Place::new();
    let taken = "run puzzles/maze-2d@easy#0 --agent idle --name a --quiet";
    assert_eq!(place.quintain(taken).code, 0);
    let error: serde_json::Value = serde_json::from_str(&place.quintain(&format!("{taken} --json")).stderr).unwrap();
    assert_eq!(error["error"]["hint"], "go on with `quintain resume a`, or choose another --name", "{error}");
}
