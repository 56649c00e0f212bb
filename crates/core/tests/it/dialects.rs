//! Each dialect of screens, from the words of an agent to the canonical action.

use quintain_core::Surface;
use quintain_core::action::Dialect;
use quintain_core::surface::ActionGroup;

fn surface() -> Surface {
    Surface { groups: [ActionGroup::Gui, ActionGroup::Browser].into(), screen: Some((1280, 720)), ..Surface::default() }
}

fn table(dialect: Dialect, raws: &[&str]) -> String {
    seen(dialect, None, raws)
}

fn seen(dialect: Dialect, seen: Option<(u32, u32)>, raws: &[&str]) -> String {
    let read = |raw: &&str| match dialect.read_seen(raw, &surface(), seen) {
        Ok(action) => format!("{raw}\n    {action}"),
        Err(misread) => format!("{raw}\n    ? {misread}"),
    };
    raws.iter().map(read).collect::<Vec<_>>().join("\n")
}

#[test]
fn tolerant() {
    insta::assert_snapshot!(table(Dialect::Tolerant, &[
        "click(640, 360)",
        "I press Save.\n('click', [640, 360])",
        r#"{"action": "click", "coordinate": [640, 360]}"#,
        r#"{"name": "click", "arguments": {"x": 640, "y": 360, "button": "right"}}"#,
        "click(x=640, y=360, button='middle')",
        "click(mark=12)",
        "click()",
        "left_click(640, 360)",
        "right_click(1, 2)",
        "double_click(1, 2)",
        "triple_click((1, 2))",
        "move(3, 4)",
        "press(3, 4)",
        "press('Enter')",
        "release(3, 4)",
        "drag(100, 200, 300, 400)",
        "drag([100, 200], [300, 400])",
        r#"{"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]}"#,
        "scroll(640, 360, 0, 300)",
        "scroll(0, -120)",
        "type(\"a 'quoted' text\\nand stop()\")",
        "type('Action: click(1, 2)')",
        "type(\"type\")",
        "key(\"ctrl+A\")",
        "key('ctrl', 'shift', 'z')",
        "hold_key('shift', 500)",
        "wait(1000)",
        "screenshot()",
        "zoom(0, 0, 100, 100)",
        "goto('https://workflow-builder.test/')",
        "back()",
        r#"{"do": "click", "at": {"mark": 7}}"#,
        r#"{"do": "sequence", "actions": [{"do": "click", "at": null}, {"do": "key", "keys": ["Return"]}]}"#,
        r#"answer({"voltage": "-1.5 V"})"#,
        "answer(voltage='-1.5 V')",
        "stop()",
        "('stop', 'stop')",
        "clck(1, 2)",
        "('clck', 1, 2)",
        "click(1)",
        "click('here')",
        "key('hyper+x')",
        "scroll()",
        "drag(1, 2, 3)",
        "click(1, 2)\nclick(3, 4)",
        r#"{"do": "sequence", "actions": [{"do": "click", "at": null}, {"do": "done"}]}"#,
        r#"{"do": "sequence", "actions": [{"do": "sequence", "actions": [{"do": "screenshot"}]}]}"#,
        r#"{"do": "sequence", "actions": []}"#,
        r#"{"do": "click", "at": {"x": 1, "mark": 7}}"#,
        r#"{"do": "shell", "command": "ls"}"#,
        r#"{"do": "wait", "ms": 18446744073709551615}"#,
        r#"{"do": "drag", "path": [{"x": 1, "y": 2}]}"#,
        r#"{"do": "sequence", "actions": [{"do": "key", "keys": []}]}"#,
    ]), @r#"
    click(640, 360)
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    I press Save.
    ('click', [640, 360])
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"action": "click", "coordinate": [640, 360]}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"name": "click", "arguments": {"x": 640, "y": 360, "button": "right"}}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"right","held":[]}
    click(x=640, y=360, button='middle')
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"middle","held":[]}
    click(mark=12)
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    click()
        {"do":"click","at":null,"button":"left","held":[]}
    left_click(640, 360)
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    right_click(1, 2)
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"right","held":[]}
    double_click(1, 2)
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"}
    triple_click((1, 2))
        {"do":"triple_click","at":{"x":1.0,"y":2.0},"button":"left"}
    move(3, 4)
        {"do":"move","to":{"x":3.0,"y":4.0}}
    press(3, 4)
        {"do":"press","at":{"x":3.0,"y":4.0},"button":"left"}
    press('Enter')
        {"do":"key","keys":["Enter"]}
    release(3, 4)
        {"do":"release","at":{"x":3.0,"y":4.0},"button":"left"}
    drag(100, 200, 300, 400)
        {"do":"drag","path":[{"x":100.0,"y":200.0},{"x":300.0,"y":400.0}],"button":"left"}
    drag([100, 200], [300, 400])
        {"do":"drag","path":[{"x":100.0,"y":200.0},{"x":300.0,"y":400.0}],"button":"left"}
    {"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]}
        {"do":"drag","path":[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0}],"button":"left"}
    scroll(640, 360, 0, 300)
        {"do":"scroll","at":{"x":640.0,"y":360.0},"dx":0.0,"dy":300.0}
    scroll(0, -120)
        {"do":"scroll","at":null,"dx":0.0,"dy":-120.0}
    type("a 'quoted' text\nand stop()")
        {"do":"type","text":"a 'quoted' text\nand stop()"}
    type('Action: click(1, 2)')
        {"do":"type","text":"Action: click(1, 2)"}
    type("type")
        {"do":"type","text":"type"}
    key("ctrl+A")
        {"do":"key","keys":["ctrl","a"]}
    key('ctrl', 'shift', 'z')
        {"do":"key","keys":["ctrl","shift","z"]}
    hold_key('shift', 500)
        {"do":"hold_key","keys":["shift"],"ms":500}
    wait(1000)
        {"do":"wait","ms":1000}
    screenshot()
        {"do":"screenshot"}
    zoom(0, 0, 100, 100)
        {"do":"zoom","from":{"x":0.0,"y":0.0},"to":{"x":100.0,"y":100.0}}
    goto('https://workflow-builder.test/')
        {"do":"goto","url":"https://workflow-builder.test/"}
    back()
        {"do":"back"}
    {"do": "click", "at": {"mark": 7}}
        {"do":"click","at":{"mark":7},"button":"left","held":[]}
    {"do": "sequence", "actions": [{"do": "click", "at": null}, {"do": "key", "keys": ["Return"]}]}
        {"do":"sequence","actions":[{"do":"click","at":null,"button":"left","held":[]},{"do":"key","keys":["Enter"]}]}
    answer({"voltage": "-1.5 V"})
        {"do":"answer","value":{"voltage":"-1.5 V"}}
    answer(voltage='-1.5 V')
        {"do":"answer","value":{"voltage":"-1.5 V"}}
    stop()
        done
    ('stop', 'stop')
        done
    clck(1, 2)
        ? no action found: answer with exactly one action in the published form
    ('clck', 1, 2)
        ? there is no action `clck`; did you mean `click`?
    click(1)
        ? `y` of `click` must be a number, not nothing
    click('here')
        ? `x` of `click` must be a number, not "here"
    key('hyper+x')
        ? there is no key `hyper`: a key is one character or a name such as Enter, Escape, ArrowLeft or ctrl
    scroll()
        ? `dy` of `scroll` must be a number, not nothing
    drag(1, 2, 3)
        ? `the points` of `drag` must be numbers two by two, not nothing
    click(1, 2)
    click(3, 4)
        ? several actions found: answer with exactly one
    {"do": "sequence", "actions": [{"do": "click", "at": null}, {"do": "done"}]}
        ? a sequence holds 1 to 32 actions of mouse and keyboard, and no ending
    {"do": "sequence", "actions": [{"do": "sequence", "actions": [{"do": "screenshot"}]}]}
        ? a sequence holds 1 to 32 actions of mouse and keyboard, and no ending
    {"do": "sequence", "actions": []}
        ? a sequence holds 1 to 32 actions of mouse and keyboard, and no ending
    {"do": "click", "at": {"x": 1, "mark": 7}}
        ? not a canonical action: a place is either `x` and `y` or `mark`
    {"do": "shell", "command": "ls"}
        ? `shell` is not possible here
    {"do": "wait", "ms": 18446744073709551615}
        ? a wait takes 60000 milliseconds at most
    {"do": "drag", "path": [{"x": 1, "y": 2}]}
        ? a drag goes through 2 to 1000 points
    {"do": "sequence", "actions": [{"do": "key", "keys": []}]}
        ? at least one key and at most 8 are pressed together
    "#);
}

#[test]
fn anthropic() {
    insta::assert_snapshot!(table(Dialect::Anthropic, &[
        r#"{"action": "left_click", "coordinate": [640, 360]}"#,
        r#"{"type": "tool_use", "id": "t1", "name": "computer", "input": {"action": "right_click", "coordinate": [1, 2]}}"#,
        r#"{"action": "left_click", "coordinate": [1, 2], "text": "ctrl+shift"}"#,
        r#"{"action": "left_click"}"#,
        r#"{"action": "middle_click", "coordinate": [1, 2]}"#,
        r#"{"action": "double_click", "coordinate": [1, 2], "text": "shift"}"#,
        r#"{"action": "triple_click", "coordinate": [1, 2]}"#,
        r#"{"action": "mouse_move", "coordinate": [1, 2]}"#,
        r#"{"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]}"#,
        r#"{"action": "left_click_drag", "coordinate": [3, 4]}"#,
        r#"{"action": "left_mouse_down"}"#,
        r#"{"action": "left_mouse_up", "coordinate": [3, 4]}"#,
        r#"{"action": "key", "text": "ctrl+Return"}"#,
        r#"{"action": "key", "text": "Down Down"}"#,
        r#"{"action": "hold_key", "text": "space", "duration": 1.5}"#,
        r#"{"action": "type", "text": "hello\n"}"#,
        r#"{"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 3}"#,
        r#"{"action": "wait", "duration": 2}"#,
        r#"{"action": "screenshot"}"#,
        r#"{"action": "cursor_position"}"#,
        r#"{"action": "zoom", "region": [0, 0, 100, 50]}"#,
        r#"{"name": "answer", "input": {"voltage": "-1.5 V"}}"#,
        "answer({\"voltage\": \"-1.5 V\"})",
        "That is it.\nstop()",
        "I am done.",
        r#"{"action": "mouse_move"}"#,
        r#"{"action": "left_clock"}"#,
        r#"{"action": "scroll", "scroll_direction": "in"}"#,
    ]), @r#"
    {"action": "left_click", "coordinate": [640, 360]}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"type": "tool_use", "id": "t1", "name": "computer", "input": {"action": "right_click", "coordinate": [1, 2]}}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"right","held":[]}
    {"action": "left_click", "coordinate": [1, 2], "text": "ctrl+shift"}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":["ctrl","shift"]}
    {"action": "left_click"}
        {"do":"click","at":null,"button":"left","held":[]}
    {"action": "middle_click", "coordinate": [1, 2]}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"middle","held":[]}
    {"action": "double_click", "coordinate": [1, 2], "text": "shift"}
        {"do":"sequence","actions":[{"do":"key_down","keys":["shift"]},{"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"},{"do":"key_up","keys":["shift"]}]}
    {"action": "triple_click", "coordinate": [1, 2]}
        {"do":"triple_click","at":{"x":1.0,"y":2.0},"button":"left"}
    {"action": "mouse_move", "coordinate": [1, 2]}
        {"do":"move","to":{"x":1.0,"y":2.0}}
    {"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]}
        {"do":"drag","path":[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0}],"button":"left"}
    {"action": "left_click_drag", "coordinate": [3, 4]}
        {"do":"sequence","actions":[{"do":"press","at":null,"button":"left"},{"do":"move","to":{"x":3.0,"y":4.0}},{"do":"release","at":null,"button":"left"}]}
    {"action": "left_mouse_down"}
        {"do":"press","at":null,"button":"left"}
    {"action": "left_mouse_up", "coordinate": [3, 4]}
        {"do":"release","at":{"x":3.0,"y":4.0},"button":"left"}
    {"action": "key", "text": "ctrl+Return"}
        {"do":"key","keys":["ctrl","Enter"]}
    {"action": "key", "text": "Down Down"}
        {"do":"sequence","actions":[{"do":"key","keys":["ArrowDown"]},{"do":"key","keys":["ArrowDown"]}]}
    {"action": "hold_key", "text": "space", "duration": 1.5}
        {"do":"hold_key","keys":[" "],"ms":1500}
    {"action": "type", "text": "hello\n"}
        {"do":"type","text":"hello\n"}
    {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 3}
        {"do":"scroll","at":{"x":1.0,"y":2.0},"dx":0.0,"dy":360.0}
    {"action": "wait", "duration": 2}
        {"do":"wait","ms":2000}
    {"action": "screenshot"}
        {"do":"screenshot"}
    {"action": "cursor_position"}
        {"do":"screenshot"}
    {"action": "zoom", "region": [0, 0, 100, 50]}
        {"do":"zoom","from":{"x":0.0,"y":0.0},"to":{"x":100.0,"y":50.0}}
    {"name": "answer", "input": {"voltage": "-1.5 V"}}
        {"do":"answer","value":{"voltage":"-1.5 V"}}
    answer({"voltage": "-1.5 V"})
        {"do":"answer","value":{"voltage":"-1.5 V"}}
    That is it.
    stop()
        done
    I am done.
        ? no action found: answer with exactly one action in the published form
    {"action": "mouse_move"}
        ? `coordinate` of `mouse_move` must be a point [x, y], not nothing
    {"action": "left_clock"}
        ? there is no action `left_clock`; did you mean `left_click`?
    {"action": "scroll", "scroll_direction": "in"}
        ? `scroll_direction` of `scroll` must be one of up, down, left, right, not "in"
    "#);
}

#[test]
fn pixels_of_a_scaled_screen_are_pixels_of_the_screen() {
    let half = Some((640, 360));
    insta::assert_snapshot!(seen(Dialect::Anthropic, half, &[
        r#"{"action": "left_click", "coordinate": [101, 33]}"#,
        r#"{"action": "scroll", "coordinate": [1, 2], "scroll_direction": "up", "scroll_amount": 1}"#,
    ]), @r#"
    {"action": "left_click", "coordinate": [101, 33]}
        {"do":"click","at":{"x":202.0,"y":66.0},"button":"left","held":[]}
    {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "up", "scroll_amount": 1}
        {"do":"scroll","at":{"x":2.0,"y":4.0},"dx":0.0,"dy":-120.0}
    "#);
    insta::assert_snapshot!(seen(Dialect::OpenAi, half, &[
        r#"{"type": "scroll", "x": 10, "y": 10, "scroll_x": 0, "scroll_y": 50}"#,
    ]), @r#"
    {"type": "scroll", "x": 10, "y": 10, "scroll_x": 0, "scroll_y": 50}
        {"do":"scroll","at":{"x":20.0,"y":20.0},"dx":0.0,"dy":100.0}
    "#);
    insta::assert_snapshot!(seen(Dialect::Canonical, half, &[r#"{"do":"click","at":{"x":1,"y":2}}"#]), @r#"
    {"do":"click","at":{"x":1,"y":2}}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]}
    "#);
    insta::assert_snapshot!(seen(Dialect::Tolerant, half, &["drag(1, 2, 3, 4)"]), @r#"
    drag(1, 2, 3, 4)
        {"do":"drag","path":[{"x":2.0,"y":4.0},{"x":6.0,"y":8.0}],"button":"left"}
    "#);
}

#[test]
fn openai() {
    insta::assert_snapshot!(table(Dialect::OpenAi, &[
        r#"{"type": "click", "x": 640, "y": 360, "button": "left"}"#,
        r#"{"type": "computer_call", "call_id": "c", "action": {"type": "click", "x": 1, "y": 2, "button": "wheel"}}"#,
        r#"{"type": "computer_call", "actions": [{"type": "move", "x": 1, "y": 2}, {"type": "keypress", "keys": ["CTRL", "A"]}]}"#,
        r#"{"type": "click", "x": 1, "y": 2, "button": "left", "keys": ["SHIFT"]}"#,
        r#"{"type": "double_click", "x": 1, "y": 2}"#,
        r#"{"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, [5, 6]]}"#,
        r#"{"type": "keypress", "keys": ["ENTER"]}"#,
        r#"{"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -300}"#,
        r#"{"type": "type", "text": "hello"}"#,
        r#"{"type": "wait"}"#,
        r#"{"type": "screenshot"}"#,
        "('stop', 'stop')",
        r#"{"type": "drag", "path": [{"x": 1, "y": 2}]}"#,
        r#"{"type": "tap", "x": 1, "y": 2}"#,
        r#"{"type": "click", "x": 1}"#,
    ]), @r#"
    {"type": "click", "x": 640, "y": 360, "button": "left"}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"type": "computer_call", "call_id": "c", "action": {"type": "click", "x": 1, "y": 2, "button": "wheel"}}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"middle","held":[]}
    {"type": "computer_call", "actions": [{"type": "move", "x": 1, "y": 2}, {"type": "keypress", "keys": ["CTRL", "A"]}]}
        {"do":"sequence","actions":[{"do":"move","to":{"x":1.0,"y":2.0}},{"do":"key","keys":["ctrl","a"]}]}
    {"type": "click", "x": 1, "y": 2, "button": "left", "keys": ["SHIFT"]}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":["shift"]}
    {"type": "double_click", "x": 1, "y": 2}
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"}
    {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, [5, 6]]}
        {"do":"drag","path":[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0},{"x":5.0,"y":6.0}],"button":"left"}
    {"type": "keypress", "keys": ["ENTER"]}
        {"do":"key","keys":["Enter"]}
    {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -300}
        {"do":"scroll","at":{"x":1.0,"y":2.0},"dx":0.0,"dy":-300.0}
    {"type": "type", "text": "hello"}
        {"do":"type","text":"hello"}
    {"type": "wait"}
        {"do":"wait","ms":1000}
    {"type": "screenshot"}
        {"do":"screenshot"}
    ('stop', 'stop')
        done
    {"type": "drag", "path": [{"x": 1, "y": 2}]}
        ? `path` of `drag` must be a list of at least two points, not [{"x":1,"y":2}]
    {"type": "tap", "x": 1, "y": 2}
        ? there is no action `tap`; there is `click`, `double_click`, `drag`, `keypress`, `move`, `scroll`, `type`, `wait`, `screenshot`
    {"type": "click", "x": 1}
        ? `y` of `click` must be a number, not nothing
    "#);
}

#[test]
fn google() {
    insta::assert_snapshot!(table(Dialect::Google, &[
        r#"{"name": "click_at", "args": {"x": 500, "y": 500}}"#,
        r#"{"function_call": {"name": "hover_at", "args": {"x": 999, "y": 0}}}"#,
        r#"{"name": "type_text_at", "args": {"x": 250, "y": 250, "text": "hi"}}"#,
        r#"{"name": "type_text_at", "args": {"x": 0, "y": 0, "text": "hi", "press_enter": false, "clear_before_typing": false}}"#,
        r#"{"name": "key_combination", "args": {"keys": "control+c"}}"#,
        r#"{"name": "scroll_document", "args": {"direction": "down"}}"#,
        r#"{"name": "scroll_at", "args": {"x": 100, "y": 100, "direction": "left", "magnitude": 100}}"#,
        r#"{"name": "drag_and_drop", "args": {"x": 100, "y": 100, "destination_x": 200, "destination_y": 200}}"#,
        r#"{"name": "navigate", "args": {"url": "https://example.com"}}"#,
        r#"{"name": "go_back"}"#,
        r#"{"name": "go_forward", "args": {}}"#,
        r#"{"name": "wait_5_seconds"}"#,
        r#"{"name": "open_web_browser"}"#,
        r#"{"name": "search"}"#,
        r#"{"name": "answer", "arguments": {"voltage": "1 V"}}"#,
        r#"{"name": "click", "args": {"x": 1, "y": 2}}"#,
        r#"{"name": "click_at", "args": {"x": "left"}}"#,
    ]), @r#"
    {"name": "click_at", "args": {"x": 500, "y": 500}}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"function_call": {"name": "hover_at", "args": {"x": 999, "y": 0}}}
        {"do":"move","to":{"x":1279.0,"y":0.0}}
    {"name": "type_text_at", "args": {"x": 250, "y": 250, "text": "hi"}}
        {"do":"sequence","actions":[{"do":"click","at":{"x":320.0,"y":180.0},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]},{"do":"key","keys":["Delete"]},{"do":"type","text":"hi"},{"do":"key","keys":["Enter"]}]}
    {"name": "type_text_at", "args": {"x": 0, "y": 0, "text": "hi", "press_enter": false, "clear_before_typing": false}}
        {"do":"sequence","actions":[{"do":"click","at":{"x":0.0,"y":0.0},"button":"left","held":[]},{"do":"type","text":"hi"}]}
    {"name": "key_combination", "args": {"keys": "control+c"}}
        {"do":"key","keys":["ctrl","c"]}
    {"name": "scroll_document", "args": {"direction": "down"}}
        {"do":"scroll","at":{"x":640.0,"y":360.0},"dx":0.0,"dy":576.0}
    {"name": "scroll_at", "args": {"x": 100, "y": 100, "direction": "left", "magnitude": 100}}
        {"do":"scroll","at":{"x":128.0,"y":72.0},"dx":-128.0,"dy":0.0}
    {"name": "drag_and_drop", "args": {"x": 100, "y": 100, "destination_x": 200, "destination_y": 200}}
        {"do":"drag","path":[{"x":128.0,"y":72.0},{"x":256.0,"y":144.0}],"button":"left"}
    {"name": "navigate", "args": {"url": "https://example.com"}}
        {"do":"goto","url":"https://example.com"}
    {"name": "go_back"}
        {"do":"back"}
    {"name": "go_forward", "args": {}}
        {"do":"forward"}
    {"name": "wait_5_seconds"}
        {"do":"wait","ms":5000}
    {"name": "open_web_browser"}
        {"do":"screenshot"}
    {"name": "search"}
        {"do":"goto","url":"https://www.google.com/"}
    {"name": "answer", "arguments": {"voltage": "1 V"}}
        {"do":"answer","value":{"voltage":"1 V"}}
    {"name": "click", "args": {"x": 1, "y": 2}}
        ? there is no action `click`; did you mean `click_at`?
    {"name": "click_at", "args": {"x": "left"}}
        ? `x` of `click_at` must be a number, not "left"
    "#);
}

#[test]
fn browsergym() {
    insta::assert_snapshot!(table(Dialect::BrowserGym, &[
        "click('12')",
        "```click(\"12\", button=\"right\", modifiers=[\"Shift\"])```",
        "I save it.\n```\nclick('12')\n```",
        "dblclick('12')",
        "hover('12')",
        "focus('12')",
        "fill('7', 'it\\'s a \"text\"')",
        "clear('7')",
        "press('7', 'ControlOrMeta+a')",
        "drag_and_drop('3', '5')",
        "mouse_click(640, 360)",
        "mouse_click(x=640, y=360, button='right')",
        "mouse_dblclick(1, 2)",
        "mouse_move(1.5, 2)",
        "mouse_down(1, 2)",
        "mouse_up(1, 2)",
        "mouse_drag_and_drop(1, 2, 3, 4)",
        "scroll(0, 200)",
        "keyboard_press('Meta+Shift+t')",
        "keyboard_down('Shift')",
        "keyboard_up('Shift')",
        "keyboard_type('hello')",
        "noop()",
        "noop(500)",
        "goto('https://example.com')",
        "go_back()",
        "go_forward()",
        "tab_focus(1)",
        "send_msg_to_user('{\"voltage\": \"1 V\"}')",
        "report_infeasible('there is no such button')",
        "send_msg_to_user('I am done.')",
        "I would report_infeasible('hard') if I could not click('3').",
        "click('Save')",
        "upload_file('1', 'x')",
    ]), @r#"
    click('12')
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    ```click("12", button="right", modifiers=["Shift"])```
        {"do":"click","at":{"mark":12},"button":"right","held":["shift"]}
    I save it.
    ```
    click('12')
    ```
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    dblclick('12')
        {"do":"double_click","at":{"mark":12},"button":"left"}
    hover('12')
        {"do":"move","to":{"mark":12}}
    focus('12')
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    fill('7', 'it\'s a "text"')
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]},{"do":"key","keys":["Delete"]},{"do":"type","text":"it's a \"text\""}]}
    clear('7')
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]},{"do":"key","keys":["Delete"]}]}
    press('7', 'ControlOrMeta+a')
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"key","keys":["ctrl","a"]}]}
    drag_and_drop('3', '5')
        {"do":"drag","path":[{"mark":3},{"mark":5}],"button":"left"}
    mouse_click(640, 360)
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    mouse_click(x=640, y=360, button='right')
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"right","held":[]}
    mouse_dblclick(1, 2)
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"}
    mouse_move(1.5, 2)
        {"do":"move","to":{"x":1.5,"y":2.0}}
    mouse_down(1, 2)
        {"do":"press","at":{"x":1.0,"y":2.0},"button":"left"}
    mouse_up(1, 2)
        {"do":"release","at":{"x":1.0,"y":2.0},"button":"left"}
    mouse_drag_and_drop(1, 2, 3, 4)
        {"do":"drag","path":[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0}],"button":"left"}
    scroll(0, 200)
        {"do":"scroll","at":null,"dx":0.0,"dy":200.0}
    keyboard_press('Meta+Shift+t')
        {"do":"key","keys":["meta","shift","t"]}
    keyboard_down('Shift')
        {"do":"key_down","keys":["shift"]}
    keyboard_up('Shift')
        {"do":"key_up","keys":["shift"]}
    keyboard_type('hello')
        {"do":"type","text":"hello"}
    noop()
        {"do":"wait","ms":1000}
    noop(500)
        {"do":"wait","ms":500}
    goto('https://example.com')
        {"do":"goto","url":"https://example.com"}
    go_back()
        {"do":"back"}
    go_forward()
        {"do":"forward"}
    tab_focus(1)
        {"do":"tab","index":1}
    send_msg_to_user('{"voltage": "1 V"}')
        {"do":"answer","value":{"voltage":"1 V"}}
    report_infeasible('there is no such button')
        {"do":"give_up","reason":"there is no such button"}
    send_msg_to_user('I am done.')
        ? a message that is to be the answer is a JSON object with the declared keys
    I would report_infeasible('hard') if I could not click('3').
        {"do":"click","at":{"mark":3},"button":"left","held":[]}
    click('Save')
        ? `bid` of `click` must be the number of an element, not "Save"
    upload_file('1', 'x')
        ? there is no action `1`; there is `noop`, `click`, `dblclick`, `hover`, `focus`, `fill`, `clear`, `press`, `drag_and_drop`, `scroll`, `mouse_move`, `mouse_down`, `mouse_up`, `mouse_click`, `mouse_dblclick`, `mouse_drag_and_drop`, `keyboard_press`, `keyboard_down`, `keyboard_up`, `keyboard_type`, `keyboard_insert_text`, `goto`, `go_back`, `go_forward`, `tab_focus`, `send_msg_to_user`, `report_infeasible`
    "#);
}

#[test]
fn pyautogui() {
    insta::assert_snapshot!(table(Dialect::Pyautogui, &[
        "pyautogui.click(x=640, y=360)",
        "```python\nimport pyautogui\nimport time\n# to the field\npyautogui.click(640, 360)\ntime.sleep(0.5)\npyautogui.write('hello', interval=0.1)\npyautogui.press('enter')\n```",
        "pyautogui.click(1, 2, clicks=2, button='right')",
        "pyautogui.click()",
        "pyautogui.doubleClick(1, 2); pyautogui.rightClick(3, 4)",
        "pyautogui.tripleClick(1, 2)",
        "pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4, duration=1, button='left')",
        "pyautogui.mouseDown(); pyautogui.mouseUp(3, 4)",
        "pyautogui.scroll(-5)",
        "pyautogui.scroll(2, x=10, y=20)",
        "pyautogui.hscroll(1)",
        "pyautogui.press('tab', presses=2)",
        "pyautogui.press(['left', 'left'])",
        "pyautogui.hotkey('ctrl', 'shift', 's')",
        "pyautogui.keyDown('shift'); pyautogui.click(1, 2); pyautogui.keyUp('shift')",
        "pyautogui.typewrite(['a', 'b', 'enter'])",
        "time.sleep(2)",
        "WAIT",
        "DONE",
        "```\nFAIL\n```",
        "It is saved.\nDONE",
        "answer({'voltage': '1 V'})",
        "I am not DONE yet.",
        "pyautogui.click(1, 2)\nDONE",
        "__import__('os').system('ls')",
        "pyautogui.click(int('3'), 2)",
        "x = 3\npyautogui.click(x, 2)",
        "pyautogui.moveRel(1, 2)",
        "pyautogui.press('a', presses=1000000)",
    ]), @r#"
    pyautogui.click(x=640, y=360)
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    ```python
    import pyautogui
    import time
    # to the field
    pyautogui.click(640, 360)
    time.sleep(0.5)
    pyautogui.write('hello', interval=0.1)
    pyautogui.press('enter')
    ```
        {"do":"sequence","actions":[{"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]},{"do":"wait","ms":500},{"do":"type","text":"hello"},{"do":"key","keys":["Enter"]}]}
    pyautogui.click(1, 2, clicks=2, button='right')
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"right"}
    pyautogui.click()
        {"do":"click","at":null,"button":"left","held":[]}
    pyautogui.doubleClick(1, 2); pyautogui.rightClick(3, 4)
        {"do":"sequence","actions":[{"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"},{"do":"click","at":{"x":3.0,"y":4.0},"button":"right","held":[]}]}
    pyautogui.tripleClick(1, 2)
        {"do":"triple_click","at":{"x":1.0,"y":2.0},"button":"left"}
    pyautogui.moveTo(1, 2)
    pyautogui.dragTo(3, 4, duration=1, button='left')
        {"do":"sequence","actions":[{"do":"move","to":{"x":1.0,"y":2.0}},{"do":"press","at":null,"button":"left"},{"do":"move","to":{"x":3.0,"y":4.0}},{"do":"release","at":null,"button":"left"}]}
    pyautogui.mouseDown(); pyautogui.mouseUp(3, 4)
        {"do":"sequence","actions":[{"do":"press","at":null,"button":"left"},{"do":"release","at":{"x":3.0,"y":4.0},"button":"left"}]}
    pyautogui.scroll(-5)
        {"do":"scroll","at":null,"dx":0.0,"dy":600.0}
    pyautogui.scroll(2, x=10, y=20)
        {"do":"scroll","at":{"x":10.0,"y":20.0},"dx":0.0,"dy":-240.0}
    pyautogui.hscroll(1)
        {"do":"scroll","at":null,"dx":120.0,"dy":0.0}
    pyautogui.press('tab', presses=2)
        {"do":"sequence","actions":[{"do":"key","keys":["Tab"]},{"do":"key","keys":["Tab"]}]}
    pyautogui.press(['left', 'left'])
        {"do":"sequence","actions":[{"do":"key","keys":["ArrowLeft"]},{"do":"key","keys":["ArrowLeft"]}]}
    pyautogui.hotkey('ctrl', 'shift', 's')
        {"do":"key","keys":["ctrl","shift","s"]}
    pyautogui.keyDown('shift'); pyautogui.click(1, 2); pyautogui.keyUp('shift')
        {"do":"sequence","actions":[{"do":"key_down","keys":["shift"]},{"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]},{"do":"key_up","keys":["shift"]}]}
    pyautogui.typewrite(['a', 'b', 'enter'])
        {"do":"sequence","actions":[{"do":"key","keys":["a"]},{"do":"key","keys":["b"]},{"do":"key","keys":["Enter"]}]}
    time.sleep(2)
        {"do":"wait","ms":2000}
    WAIT
        {"do":"wait","ms":1000}
    DONE
        done
    ```
    FAIL
    ```
        {"do":"give_up","reason":""}
    It is saved.
    DONE
        done
    answer({'voltage': '1 V'})
        {"do":"answer","value":{"voltage":"1 V"}}
    I am not DONE yet.
        ? no action found: answer with exactly one action in the published form
    pyautogui.click(1, 2)
    DONE
        ? `DONE` is not understood: nothing is executed, only plain calls with plain values are read
    __import__('os').system('ls')
        ? no action found: answer with exactly one action in the published form
    pyautogui.click(int('3'), 2)
        ? `pyautogui.click(int('3'), 2)` is not understood: nothing is executed, only plain calls with plain values are read
    x = 3
    pyautogui.click(x, 2)
        ? `x = 3` is not understood: nothing is executed, only plain calls with plain values are read
    pyautogui.moveRel(1, 2)
        ? there is no action `moveRel`; did you mean `moveTo`?
    pyautogui.press('a', presses=1000000)
        ? a sequence holds 1 to 32 actions of mouse and keyboard, and no ending
    "#);
}

#[test]
fn marks() {
    insta::assert_snapshot!(table(Dialect::Marks, &[
        "click [12]",
        "I save it.\nAction: click [12]",
        "```\ntype [7] [some [bracketed] text]\n```",
        "type [7] [query] [1]",
        "type [7] [query] [0]",
        "double_click [1]",
        "right_click [1]",
        "hover [1]",
        "drag [3] [5]",
        "scroll [down]",
        "scroll [7] [up]",
        "press [ctrl+a]",
        "wait",
        "goto [https://example.com/[x]]",
        "stop",
        "All is done.\nstop",
        "stop [{\"voltage\": \"1 V\"}]",
        "stop [the voltage is 1 V]",
        "stop\nor rather not",
        "I stop",
        "click [Save]",
        "click [1]\nclick [2]",
        "click 12",
    ]), @r#"
    click [12]
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    I save it.
    Action: click [12]
        {"do":"click","at":{"mark":12},"button":"left","held":[]}
    ```
    type [7] [some [bracketed] text]
    ```
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"type","text":"some [bracketed] text"}]}
    type [7] [query] [1]
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"type","text":"query"},{"do":"key","keys":["Enter"]}]}
    type [7] [query] [0]
        {"do":"sequence","actions":[{"do":"click","at":{"mark":7},"button":"left","held":[]},{"do":"type","text":"query"}]}
    double_click [1]
        {"do":"double_click","at":{"mark":1},"button":"left"}
    right_click [1]
        {"do":"click","at":{"mark":1},"button":"right","held":[]}
    hover [1]
        {"do":"move","to":{"mark":1}}
    drag [3] [5]
        {"do":"drag","path":[{"mark":3},{"mark":5}],"button":"left"}
    scroll [down]
        {"do":"scroll","at":null,"dx":0.0,"dy":360.0}
    scroll [7] [up]
        {"do":"scroll","at":{"mark":7},"dx":0.0,"dy":-360.0}
    press [ctrl+a]
        {"do":"key","keys":["ctrl","a"]}
    wait
        {"do":"wait","ms":1000}
    goto [https://example.com/[x]]
        {"do":"goto","url":"https://example.com/[x]"}
    stop
        done
    All is done.
    stop
        done
    stop [{"voltage": "1 V"}]
        {"do":"answer","value":{"voltage":"1 V"}}
    stop [the voltage is 1 V]
        ? an answer is a JSON object with the declared keys
    stop
    or rather not
        ? to end the trial, write the ending action alone on its own line
    I stop
        ? no action found: answer with exactly one action in the published form
    click [Save]
        ? `mark` of `click` must be the number of an element, not "Save"
    click [1]
    click [2]
        ? several actions found: answer with exactly one
    click 12
        ? no action found: answer with exactly one action in the published form
    "#);
}
