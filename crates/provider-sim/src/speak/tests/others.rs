use quintain_core::action::{Button, Place};

use super::*;

fn points() -> Pointing {
    Pointing::Points(Points::Pixels)
}

/// What is said in the first so many turns.
fn turns(mind: &dyn Mind, n_turns: u32, asked: impl Fn(u32) -> ReadRequest) -> String {
    let said = (1..=n_turns).map(|turn| match mind.say(&asked(turn)) {
        Ok(say) => format!("{turn}: {}", listed(&say)),
        Err(unknown) => format!("{turn}: ? {unknown}"),
    });
    said.collect::<Vec<_>>().join("\n")
}

fn fill() -> Action {
    let key = |keys: &[&str]| Action::Key { keys: keys.iter().map(|key| (*key).to_owned()).collect() };
    let typed = Action::Type { text: "two".to_owned() };
    Action::Sequence {
        actions: vec![Action::click((640.0, 72.0)), key(&["ctrl", "a"]), key(&["Delete"]), typed, key(&["Enter"])],
    }
}

#[test]
fn each_provider_is_spoken_to_in_its_own_way() {
    let drag = Action::Drag { path: vec![Place::from((0.0, 0.0)), Place::from((1279.0, 719.0))], button: Button::Left };
    let scroll = Action::Scroll { at: Some((640.0, 360.0).into()), dx: 0.0, dy: 240.0 };
    let mind = oracle([Action::click((640.0, 360.0)), drag, scroll, fill(), Action::Done]);
    let say = |api, dialect, n_turns| {
        turns(&mind, n_turns, |turn| with_computer(asked(api, turn, (640, 360)), dialect, (640, 360)))
    };
    insta::assert_snapshot!(say(Api::Anthropic, Dialect::Anthropic, 10), @r#"
    1: computer {"action":"left_click","coordinate":[320,180]}
    2: computer {"action":"left_click_drag","coordinate":[639,359],"start_coordinate":[0,0]}
    3: computer {"action":"scroll","coordinate":[320,180],"scroll_amount":2,"scroll_direction":"down"}
    4: computer {"action":"left_click","coordinate":[320,36]}
    5: computer {"action":"key","text":"ctrl+a"}
    6: computer {"action":"key","text":"Delete"}
    7: computer {"action":"type","text":"two"}
    8: computer {"action":"key","text":"Return"}
    9: done {}
    10: done {}
    "#);
    insta::assert_snapshot!(say(Api::Responses, Dialect::OpenAi, 5), @r#"
    1: computer {"button":"left","type":"click","x":320,"y":180}
    2: computer {"path":[{"x":0,"y":0},{"x":639,"y":359}],"type":"drag"}
    3: computer {"scroll_x":0,"scroll_y":120,"type":"scroll","x":320,"y":180}
    4: computer [{"button":"left","type":"click","x":320,"y":36},{"keys":["CTRL","a"],"type":"keypress"},{"keys":["DELETE"],"type":"keypress"},{"text":"two","type":"type"},{"keys":["ENTER"],"type":"keypress"}]
    5: done {}
    "#);
    let older = |turn| {
        let computer = Some(OfferedComputer { size: Some((640, 360)), excluded: Vec::new() });
        ReadRequest { computer, ..with_computer(asked(Api::Responses, turn, SCREEN), Dialect::OpenAi, (640, 360)) }
    };
    assert_eq!(listed(&mind.say(&older(5)).unwrap()), r#"computer {"keys":["CTRL","a"],"type":"keypress"}"#);
    insta::assert_snapshot!(say(Api::Google, Dialect::Google, 5), @r#"
    1: computer {"args":{"x":500,"y":500},"name":"click_at"}
    2: computer {"args":{"destination_x":999,"destination_y":999,"x":0,"y":0},"name":"drag_and_drop"}
    3: computer {"args":{"direction":"down","magnitude":333,"x":500,"y":500},"name":"scroll_at"}
    4: computer {"args":{"clear_before_typing":true,"press_enter":true,"text":"two","x":500,"y":100},"name":"type_text_at"}
    5: done {}
    "#);
    insta::assert_snapshot!(say(Api::Google, Dialect::Gemini, 9), @r#"
    1: computer {"args":{"x":500,"y":500},"name":"click"}
    2: computer {"args":{"destination_x":999,"destination_y":999,"x":0,"y":0},"name":"drag_and_drop"}
    3: computer {"args":{"direction":"down","magnitude":333,"x":500,"y":500},"name":"scroll"}
    4: computer {"args":{"x":500,"y":100},"name":"click"}
    5: computer {"args":{"keys":["control","a"]},"name":"hotkey"}
    6: computer {"args":{"key":"delete"},"name":"press_key"}
    7: computer {"args":{"text":"two"},"name":"type"}
    8: computer {"args":{"key":"enter"},"name":"press_key"}
    9: done {}
    "#);
}

#[test]
fn what_cannot_be_said_at_once_is_said_in_several_turns() {
    let path: Vec<Place> = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)].map(Place::from).into();
    let mind = oracle([fill(), Action::Drag { path, button: Button::Left }, Action::Done]);
    let say = |pointing| turns(&mind, 10, |turn| with_functions(asked(Api::Chat, turn, SCREEN), pointing));
    insta::assert_snapshot!(say(points()), @r#"
    1: click {"x":640,"y":72}
    2: key {"keys":["ctrl","a"]}
    3: key {"keys":["Delete"]}
    4: type {"text":"two"}
    5: key {"keys":["Enter"]}
    6: drag {"path":[[1,2],[3,4],[5,6]]}
    7: done {}
    8: done {}
    9: done {}
    10: done {}
    "#);
    insta::assert_snapshot!(say(Pointing::Target), @r#"
    1: click {"target":"target 1.1"}
    2: key {"keys":["ctrl","a"]}
    3: key {"keys":["Delete"]}
    4: type {"text":"two"}
    5: key {"keys":["Enter"]}
    6: mouse_down {"target":"target 6.1"}
    7: mouse_move {"target":"target 7.1"}
    8: mouse_move {"target":"target 8.1"}
    9: mouse_up {"target":"target 9.1"}
    10: done {}
    "#);
}

#[test]
fn a_click_without_a_place_is_where_the_pointer_was_left() {
    let here = Action::Click { at: None, button: Button::Left, held: Vec::new() };
    let mind = oracle([Action::Move { to: (5.0, 6.0).into() }, here.clone(), Action::Done]);
    let functions = |turn| with_functions(asked(Api::Chat, turn, SCREEN), points());
    insta::assert_snapshot!(turns(&mind, 4, functions), @r#"
    1: mouse_move {"x":5,"y":6}
    2: click {"x":5,"y":6}
    3: done {}
    4: done {}
    "#);
    insta::assert_snapshot!(turns(&oracle([here]), 1, functions), @r#"1: ? nothing that is offered can say the recorded action of turn 1: {"do":"click","at":null,"button":"left","held":[]}"#);
}

#[test]
fn the_tool_of_a_server_is_meant_where_a_program_has_one_of_the_same_name() {
    let write = Action::call("write_file", [json!("a.py"), json!("print(1)")]);
    let function = |name: &str, arguments: [&str; 2]| Function {
        name: name.to_owned(),
        schema: json!({"type": "object", "properties": {arguments[0]: {}, arguments[1]: {}}, "required": arguments}),
    };
    let own = function("write_file", ["file_path", "content"]);
    let served = function("mcp_quintain_write_file", ["path", "text"]);
    let functions =
        |turn| ReadRequest { functions: vec![own.clone(), served.clone()], ..asked(Api::Google, turn, SCREEN) };
    insta::assert_snapshot!(turns(&oracle([write]), 1, functions), @r#"1: mcp_quintain_write_file {"path":"a.py","text":"print(1)"}"#);
}

#[test]
fn openhands_is_told_how_risky_a_call_is() {
    let risk = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required});
    let look = Function { name: "look".to_owned(), schema: risk(json!({"security_risk": {}}), &["security_risk"]) };
    let schema = risk(json!({"security_risk": {}, "summary": {}, "direction": {}}), &["direction", "security_risk"]);
    let walk = Function { name: "move".to_owned(), schema };
    let mind = oracle([Action::call("move", [json!(3)])]);
    let functions =
        |turn| ReadRequest { functions: vec![look.clone(), walk.clone()], ..asked(Api::Chat, turn, SCREEN) };
    insta::assert_snapshot!(turns(&mind, 1, functions), @r#"1: move {"direction":3,"security_risk":"LOW"}"#);
    let unseen = ReadRequest { said: Vec::new(), ..functions(1) };
    insta::assert_snapshot!(listed(&mind.say(&unseen).unwrap()), @r#"look {"security_risk":"LOW"}"#);
}

#[test]
fn a_grounder_finds_what_the_planner_named() {
    let drag =
        Action::Drag { path: vec![Place::from((64.0, 72.0)), Place::from((640.0, 360.0))], button: Button::Left };
    let mind = oracle([fill(), drag, Action::Done]);
    let point = Function {
        name: "point".to_owned(),
        schema: json!({"type": "object", "properties": {"x": {}, "y": {}}, "required": ["x", "y"]}),
    };
    let find = |target: &str| {
        let said = vec![said(false, SaidPiece::Picture((640, 360))), words(&format!("Turn 1.\nFind: {target}"))];
        let asked = asked(Api::Chat, 1, SCREEN);
        let asked = ReadRequest { said, functions: vec![point.clone()], units: Units::Thousandths, ..asked };
        listed(&mind.say(&asked).unwrap())
    };
    let planned = with_functions(asked(Api::Chat, 6, SCREEN), Pointing::Target);
    insta::assert_snapshot!(listed(&mind.say(&planned).unwrap()), @r#"drag {"from_target":"target 6.1","to_target":"target 6.2"}"#);
    insta::assert_snapshot!(["target 6.1", "target 6.2", "target 6.3", "target 1.1"].map(find).join("\n"), @r#"
    point {"x":50,"y":100}
    point {"x":500,"y":500}
    It is not on the screen.
    point {"x":500,"y":100}
    "#);
}

#[test]
fn a_blind_model_hands_over_and_the_one_that_sees_reports() {
    let mind =
        oracle([Action::call("swap", [json!([0, 1]), json!([1, 0])]), Action::click((1.0, 2.0)), fill(), Action::Done]);
    let named = |name: &str| Function { name: name.to_owned(), schema: json!({"type": "object", "properties": {}}) };
    let blind = |turn| {
        let asked = with_functions(asked(Api::Chat, turn, SCREEN), points());
        let kept = asked.functions.iter().filter(|function| ["swap", "done"].contains(&function.name.as_str()));
        ReadRequest { functions: kept.cloned().chain([named("delegate_gui")]).collect(), ..asked }
    };
    let sees = |turn| {
        let mut asked = with_computer(asked(Api::Responses, turn, SCREEN), Dialect::OpenAi, SCREEN);
        asked.functions.retain(|function| !["swap", "done"].contains(&function.name.as_str()));
        asked.functions.push(named("report"));
        asked
    };
    insta::assert_snapshot!(turns(&mind, 2, blind), @r#"
    1: swap {"another":[1,0],"one":[0,1]}
    2: delegate_gui {"goal":"Do what is to be done from turn 2 on, 6 in all.","max_steps":6}
    "#);
    insta::assert_snapshot!(turns(&mind, 8, sees), @r#"
    1: report {"summary":"What there was to do before turn 1 is done."}
    2: computer {"button":"left","type":"click","x":1,"y":2}
    3: computer {"button":"left","type":"click","x":640,"y":72}
    4: computer {"keys":["CTRL","a"],"type":"keypress"}
    5: computer {"keys":["DELETE"],"type":"keypress"}
    6: computer {"text":"two","type":"type"}
    7: computer {"keys":["ENTER"],"type":"keypress"}
    8: report {"summary":"What there was to do before turn 8 is done."}
    "#);
}

#[test]
fn who_asks_for_words_gets_words_out_of_the_request() {
    let lines: Vec<String> = (1..30).map(|n| format!("Line {n}.\nTurn {n}.")).collect();
    let asked = ReadRequest { said: vec![words(&lines.join("\n"))], instance: None, ..asked(Api::Chat, 1, SCREEN) };
    let summary = oracle([Action::Done]).say(&asked).unwrap().text.unwrap();
    insta::assert_snapshot!(summary, @"
    What was said:
    - Line 1.
    - Turn 1.
    - Line 2.
    - Turn 2.
    (42 lines are left out.)
    - Line 24.
    - Turn 24.
    - Line 25.
    - Turn 25.
    - Line 26.
    - Turn 26.
    - Line 27.
    - Turn 27.
    - Line 28.
    - Turn 28.
    - Line 29.
    - Turn 29.
    ");
}

#[test]
fn what_is_not_recorded_is_not_made_up() {
    let base = with_functions(asked(Api::Chat, 1, SCREEN), points());
    let say = |asked: ReadRequest| oracle([Action::Tab { index: 1 }]).say(&asked).unwrap_err().to_string();
    let texts = [
        say(ReadRequest { instance: Some("elsewhere".to_owned()), ..base.clone() }),
        say(ReadRequest { instance: None, ..base.clone() }),
        say(base),
    ];
    insta::assert_snapshot!(texts.join("\n"), @r#"
    no solved trial of `elsewhere` is recorded
    the base URL names no instance: it must be like http://HOST/mind/INSTANCE
    nothing that is offered can say the recorded action of turn 1: {"do":"tab","index":1}
    "#);
}

#[test]
fn habits_are_given_up_after_a_correction() {
    let mind: Arc<dyn Mind> = Arc::new(oracle([Action::click((1.0, 2.0)), Action::Done]));
    let say = |habits: &str, asked: &ReadRequest| {
        listed(&Habits::read(habits, 1).unwrap().over(Arc::clone(&mind)).say(asked).unwrap())
    };
    let calls = with_functions(asked(Api::Chat, 1, SCREEN), points());
    let in_words = ReadRequest { system: "Answer with exactly one action.".to_owned(), ..asked(Api::Chat, 1, SCREEN) };
    let slips =
        ["prose=1", "plan=1", "several=1"].map(|habit| format!("{}\n{}", say(habit, &calls), say(habit, &in_words)));
    insta::assert_snapshot!(slips.join("\n---\n"), @r#"
    I look at what is before me and wonder what would be best to do.
    I look at what is before me and wonder what would be best to do.
    ---
    This is my plan:
    1. See how things are.
    2. Do what is missing.
    3. Check.
    This is my plan:
    1. See how things are.
    2. Do what is missing.
    3. Check.
    ---
    click {"x":1,"y":2}
    click {"x":1,"y":2}
    click(1, 2)
    ('stop', 'stop')
    "#);
    let native = with_computer(asked(Api::Responses, 1, SCREEN), Dialect::OpenAi, SCREEN);
    insta::assert_snapshot!(say("several=1", &native), @r#"
    computer {"button":"left","type":"click","x":1,"y":2}
    wait {"ms":100}
    "#);
    let mut corrected = calls;
    corrected.said.extend([said(true, SaidPiece::Text("Hm.".to_owned())), words("Call exactly one tool now.")]);
    assert_eq!(say("prose=1", &corrected), r#"click {"x":1,"y":2}"#);
    let wrong = ["prose", "prose=2", "sloth=0.1"].map(|text| Habits::read(text, 1).unwrap_err());
    insta::assert_snapshot!(wrong.join("\n"), @"
    `prose` is no habit: NAME=CHANCE
    the chance of `prose` must be a number from 0 to 1
    there is no habit `sloth`: prose, several or plan
    ");
}

#[test]
fn habits_come_as_often_as_they_are_told_to() {
    let n_turns = 2000;
    let mind = Habits { prose: 0.1, several: 0.0, plan: 0.2, seed: 7 }.over(Arc::new(oracle([Action::Done])));
    let is_slip = |turn: &u32| {
        let asked = with_functions(asked(Api::Chat, *turn, SCREEN), points());
        mind.say(&asked).unwrap().calls.is_empty()
    };
    let n_slips = (1..=n_turns).filter(is_slip).count();
    // 1 - 0.9 * 0.8 = 0.28 of 2000, give or take four standard deviations.
    assert!((480..=640).contains(&n_slips), "{n_slips}");
}

#[test]
fn a_script_is_said_by_turn_or_in_order() {
    let script = ScriptSpeaker::read(
        r#"{"turn": 2, "text": "Hm."}
           {"turn": 2, "calls": [{"name": "done"}]}

           {"text": "first", "thought": "so"}
           {"calls": [{"native": {"action": "screenshot"}}, {"name": "key", "arguments": {"keys": ["a"]}}]}"#,
    )
    .unwrap();
    let say = |asked: &ReadRequest| script.say(asked).map_or_else(|unknown| format!("? {unknown}"), |say| listed(&say));
    let mut talk = asked(Api::Chat, 1, SCREEN);
    let mut lines = vec![say(&talk)];
    talk.said.push(said(true, SaidPiece::Text("first".to_owned())));
    talk.said.push(words("Turn 2."));
    lines.push(say(&talk));
    talk.said.extend([said(true, SaidPiece::Text("Hm.".to_owned())), words("Call one.")]);
    lines.push(say(&talk));
    talk.said.extend([said(true, SaidPiece::Text("done".to_owned())), words("Turn 3.")]);
    lines.push(say(&talk));
    let second =
        ReadRequest { said: vec![words("a"), said(true, SaidPiece::Text("b".to_owned())), words("c")], ..talk };
    lines.push(say(&second));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    first
    Hm.
    done {}
    ? the script says nothing for turn 3
    computer {"action":"screenshot"}
    key {"keys":["a"]}
    "#);
    insta::assert_snapshot!(ScriptSpeaker::read("{}\n{\"say\": 1}").unwrap_err(), @"line 2 of the script cannot be read: unknown field `say`, expected one of `turn`, `thought`, `text`, `calls` at line 1 column 6");
}

#[test]
fn a_call_in_a_script_that_is_none_is_told_why() {
    let wrong = |call: &str| ScriptSpeaker::read(&format!("{{\"calls\": [{call}]}}")).unwrap_err().to_string();
    let calls = ["{}", r#"{"arguments": {}}"#, r#"{"native": {}, "name": "done"}"#, r#"{"name": "done", "say": 1}"#];
    insta::assert_snapshot!(calls.map(wrong).join("\n"), @"
    line 1 of the script cannot be read: a call has a `name`, or is `native` at line 1 column 14
    line 1 of the script cannot be read: a call has a `name`, or is `native` at line 1 column 29
    line 1 of the script cannot be read: a call with `native` has neither `name` nor `arguments` at line 1 column 42
    line 1 of the script cannot be read: unknown field `say`, expected one of `native`, `name`, `arguments` at line 1 column 33
    ");
    let read = |call: &str| ScriptSpeaker::read(&format!("{{\"calls\": [{call}]}}")).unwrap();
    assert_eq!(read(r#"{"name": "done"}"#), read(r#"{"name": "done", "arguments": {}}"#));
    assert_ne!(read(r#"{"name": "done"}"#), read(r#"{"name": "done", "arguments": null}"#));
}
