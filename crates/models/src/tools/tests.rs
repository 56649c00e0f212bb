use std::fmt::Write as _;

use quintain_core::Action;
use quintain_core::surface::{CallSchema, ValueType};

use super::*;

fn screen() -> Surface {
    Surface { groups: [ActionGroup::Gui, ActionGroup::Browser].into(), screen: Some((1280, 720)), ..Surface::default() }
}

fn native(dialect: Dialect) -> ScreenTool {
    ScreenTool::Native { dialect, shown: (1280, 720) }
}

/// Every tool on a line: `name(needed, optional?)`.
fn listed(tools: &[Tool]) -> String {
    let mut text = String::new();
    for tool in tools {
        match tool {
            Tool::Computer { size } => writeln!(text, "computer {size:?}").unwrap(),
            Tool::Function { name, schema, .. } => {
                let needed = schema["required"].as_array().unwrap();
                let mark = |key: &String| if needed.contains(&Value::from(key.as_str())) { "" } else { "?" };
                let keys = schema["properties"].as_object().unwrap().keys();
                let args: Vec<String> = keys.map(|key| format!("{key}{}", mark(key))).collect();
                writeln!(text, "{name}({})", args.join(", ")).unwrap();
            }
        }
    }
    text
}

#[test]
fn a_screen_has_fourteen_tools_of_a_desktop_and_more() {
    let tools = tools(&screen(), None, ScreenTool::Schema, Pointing::Points(Points::Pixels));
    insta::assert_snapshot!(listed(&tools), @"
    key(keys)
    key_down(keys)
    key_up(keys)
    type(text)
    hold_key(keys, ms)
    mouse_move(x, y)
    click(button?, count?, held?, x, y)
    drag(button?, path?, x1?, x2?, y1?, y2?)
    mouse_down(button?, x?, y?)
    mouse_up(button?, x?, y?)
    scroll(dx?, dy, x?, y?)
    screenshot()
    cursor_position()
    wait(ms)
    zoom(x1, x2, y1, y2)
    goto(url)
    back()
    forward()
    done()
    give_up(reason)
    ");
}

#[test]
fn a_models_own_tool_comes_with_what_it_cannot_say() {
    let answer = json!({"total": "a number"});
    let offer = |dialect| listed(&tools(&screen(), Some(&answer), native(dialect), Pointing::Points(Points::Pixels)));
    insta::assert_snapshot!(offer(Dialect::Anthropic), @"
    computer (1280, 720)
    key_down(keys)
    key_up(keys)
    drag(button?, path?, x1?, x2?, y1?, y2?)
    goto(url)
    back()
    forward()
    answer(total)
    give_up(reason)
    ");
    insta::assert_snapshot!(offer(Dialect::Gemini), @"
    computer (1280, 720)
    hold_key(keys, ms)
    drag(button?, path?, x1?, x2?, y1?, y2?)
    zoom(x1, x2, y1, y2)
    answer(total)
    give_up(reason)
    ");
    insta::assert_snapshot!(offer(Dialect::Google), @"
    computer (1280, 720)
    key_down(keys)
    key_up(keys)
    type(text)
    hold_key(keys, ms)
    click(button?, count?, held?, x, y)
    drag(button?, path?, x1?, x2?, y1?, y2?)
    mouse_down(button?, x?, y?)
    mouse_up(button?, x?, y?)
    scroll(dx?, dy, x?, y?)
    screenshot()
    wait(ms)
    zoom(x1, x2, y1, y2)
    answer(total)
    give_up(reason)
    ");
}

#[test]
fn places_are_numbers_of_elements_or_words_where_that_is_agreed() {
    let offer = |pointing| {
        let listed = listed(&tools(&screen(), None, ScreenTool::Schema, pointing));
        let wanted = |line: &&str| ["click", "drag", "scroll", "zoom"].iter().any(|name| line.starts_with(name));
        listed.lines().filter(wanted).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(offer(Pointing::Marks(Points::Pixels)), @"
    click(button?, count?, held?, mark?, x?, y?)
    drag(button?, mark1?, mark2?, x1?, x2?, y1?, y2?)
    scroll(dx?, dy, mark?, x?, y?)
    zoom(x1, x2, y1, y2)
    ");
    insta::assert_snapshot!(offer(Pointing::Target), @"
    click(button?, count?, held?, target)
    drag(button?, from_target, to_target)
    scroll(dx?, dy, target?)
    ");
}

/// A call of ours on the screen above, as `play` would read it.
fn carried_out(name: &str, input: Value, points: Points) -> String {
    let groups = [ActionGroup::Gui, ActionGroup::Browser, ActionGroup::Shell, ActionGroup::Code, ActionGroup::Api];
    let surface = Surface { groups: groups.into(), ..screen() };
    let call = ToolCall { id: "1".to_owned(), name: name.to_owned(), input, native: None, opaque: None };
    match read(&call, &Sight { computer: None, points, shown: Some((640, 360)) }).read(&surface) {
        Ok(action) => action.to_string(),
        Err(misread) => format!("? {misread}"),
    }
}

#[test]
fn every_call_is_read_as_what_it_says() {
    let calls = [
        ("key", json!({"keys": ["ctrl", "c"]})),
        ("key_down", json!({"keys": ["shift"]})),
        ("key_up", json!({"keys": ["shift"]})),
        ("type", json!({"text": "Action: done()"})),
        ("hold_key", json!({"keys": ["w"], "ms": 500})),
        ("mouse_move", json!({"x": 10, "y": 20})),
        ("click", json!({"x": 10, "y": 20})),
        ("click", json!({"x": 10, "y": 20, "button": "right"})),
        ("click", json!({"x": 10, "y": 20, "count": 2})),
        ("click", json!({"mark": 7, "count": 3})),
        ("click", json!({"x": 10, "y": 20, "count": 4})),
        ("drag", json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4})),
        ("drag", json!({"path": [[1, 2], [3, 4], [5, 6]]})),
        ("drag", json!({"mark1": 3, "mark2": 4, "button": "right"})),
        ("mouse_down", json!({})),
        ("mouse_up", json!({"x": 1, "y": 2, "button": "middle"})),
        ("scroll", json!({"dx": 0, "dy": 50})),
        ("scroll", json!({"x": 10, "y": 20, "dy": -50})),
        ("screenshot", json!({})),
        ("cursor_position", json!({})),
        ("wait", json!({"ms": 200})),
        ("zoom", json!({"x1": 0, "y1": 0, "x2": 320, "y2": 180})),
        ("goto", json!({"url": "/home"})),
        ("shell", json!({"command": "ls ('stop', 'stop')"})),
        ("code", json!({"language": "python", "source": "print(1)"})),
        ("api", json!({"method": "open", "args": {"file": "a"}})),
        ("done", json!({})),
        ("answer", json!({"total": 3})),
        ("give_up", json!({"reason": "no such file"})),
    ];
    let lines = calls.map(|(name, input)| carried_out(name, input, Points::Pixels));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"do":"key","keys":["ctrl","c"]}
    {"do":"key_down","keys":["shift"]}
    {"do":"key_up","keys":["shift"]}
    {"do":"type","text":"Action: done()"}
    {"do":"hold_key","keys":["w"],"ms":500}
    {"do":"move","to":{"x":20.0,"y":40.0}}
    {"do":"click","at":{"x":20.0,"y":40.0},"button":"left","held":[]}
    {"do":"click","at":{"x":20.0,"y":40.0},"button":"right","held":[]}
    {"do":"double_click","at":{"x":20.0,"y":40.0},"button":"left"}
    {"do":"triple_click","at":{"mark":7},"button":"left"}
    ? `count` of `click` must be 1, 2 or 3, not 4
    {"do":"drag","path":[{"x":2.0,"y":4.0},{"x":6.0,"y":8.0}],"button":"left"}
    {"do":"drag","path":[{"x":2.0,"y":4.0},{"x":6.0,"y":8.0},{"x":10.0,"y":12.0}],"button":"left"}
    {"do":"drag","path":[{"mark":3},{"mark":4}],"button":"right"}
    {"do":"press","at":null,"button":"left"}
    {"do":"release","at":{"x":2.0,"y":4.0},"button":"middle"}
    {"do":"scroll","at":null,"dx":0.0,"dy":100.0}
    {"do":"scroll","at":{"x":20.0,"y":40.0},"dx":0.0,"dy":-100.0}
    {"do":"screenshot"}
    {"do":"screenshot"}
    {"do":"wait","ms":200}
    {"do":"zoom","from":{"x":0.0,"y":0.0},"to":{"x":640.0,"y":360.0}}
    {"do":"goto","url":"/home"}
    {"do":"shell","command":"ls ('stop', 'stop')"}
    {"do":"code","language":"python","source":"print(1)"}
    {"do":"api","method":"open","args":{"file":"a"}}
    done
    {"do":"answer","value":{"total":3}}
    {"do":"give_up","reason":"no such file"}
    "#);
}

#[test]
fn points_are_read_in_the_units_that_were_agreed() {
    let click = |points, x: f64, y: f64| carried_out("click", json!({"x": x, "y": y}), points);
    let middle = Action::click((640.0, 360.0)).to_string();
    assert_eq!(click(Points::Pixels, 320.0, 180.0), middle);
    assert_eq!(click(Points::Thousandths, 500.0, 500.0), middle);
    assert_eq!(click(Points::Unit, 0.5, 0.5), middle);
    assert_ne!(click(Points::Thousandths, 320.0, 180.0), middle, "a wrong scale points elsewhere");
}

#[test]
fn a_text_longer_than_the_window_of_a_reply_is_whole() {
    let text = "x\n".repeat(20_000);
    assert!(carried_out("type", json!({"text": text}), Points::Pixels).len() > 40_000);
}

#[test]
fn a_native_call_keeps_its_own_words() {
    let native = json!({"action": "left_click", "coordinate": [320, 180]}).to_string();
    let call = ToolCall {
        id: "1".to_owned(),
        name: "computer".to_owned(),
        input: Value::Null,
        native: Some(native),
        opaque: None,
    };
    let sight = Sight { computer: Some(Dialect::Anthropic), points: Points::Pixels, shown: Some((640, 360)) };
    assert_eq!(read(&call, &sight).read(&screen()), Ok(Action::click((640.0, 360.0))));
}

#[test]
fn a_puzzle_has_its_own_functions() {
    let direction = ValueType::Integer { min: 0, max: 3 };
    let surface = Surface {
        calls: vec![CallSchema::plain("move", "Moves.").arg("direction", direction, "where to", 0)],
        ..Surface::default()
    };
    let offered = tools(&surface, None, ScreenTool::Schema, Pointing::Points(Points::Pixels));
    assert_eq!(listed(&offered), "move(direction)\ndone()\ngive_up(reason)\n");
    let call = ToolCall {
        id: "1".to_owned(),
        name: "move".to_owned(),
        input: json!({"direction": 2}),
        native: None,
        opaque: None,
    };
    let sight = Sight { computer: None, points: Points::Pixels, shown: None };
    assert_eq!(read(&call, &sight).read(&surface).unwrap().to_string(), "move(2)");
}

#[test]
fn where_answers_are_noted_any_field_can_be_and_stopping_hands_them_in() {
    let surface = Surface { groups: [ActionGroup::Note].into(), ..Surface::default() };
    let answer = json!({"firm": "a text", "growth": "a number"});
    let tools = tools(&surface, Some(&answer), ScreenTool::Schema, Pointing::Points(Points::Pixels));
    insta::assert_snapshot!(listed(&tools), @"
    note(firm?, growth?)
    answer(firm, growth)
    give_up(reason)
    done()
    ");
    let input = json!({"firm": "Ano"});
    let call = ToolCall { id: "1".to_owned(), name: "note".to_owned(), input, native: None, opaque: None };
    let read = Dialect::Tolerant.read(&spoken(&call), &surface).unwrap();
    assert_eq!(read.to_string(), r#"{"do":"note","fields":{"firm":"Ano"}}"#);
}
