//! Calls, tuples, objects and canonical JSON.

use quintain_core::action::Dialect;

use super::table;

#[test]
#[expect(clippy::too_many_lines, reason = "a table reads best whole")]
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
fn tools_are_read_whole_and_by_name() {
    insta::assert_snapshot!(table(Dialect::Tolerant, &[
        r#"{"name": "click", "arguments": {"x": 1, "y": 2, "count": 2}}"#,
        r#"{"name": "click", "arguments": {"mark": 7, "count": 3, "held": ["shift"]}}"#,
        r#"{"name": "click", "arguments": {"x": 1, "y": 2, "count": 0}}"#,
        r#"{"name": "mouse_down", "arguments": {"button": "right"}}"#,
        r#"{"name": "mouse_up", "arguments": {"x": 1, "y": 2}}"#,
        r#"{"name": "drag", "arguments": {"mark1": 3, "mark2": 4}}"#,
        r#"{"name": "cursor_position", "arguments": {}}"#,
        r#"{"name": "shell", "arguments": {"command": "ls"}}"#,
    ]), @r#"
    {"name": "click", "arguments": {"x": 1, "y": 2, "count": 2}}
        {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"}
    {"name": "click", "arguments": {"mark": 7, "count": 3, "held": ["shift"]}}
        {"do":"sequence","actions":[{"do":"key_down","keys":["shift"]},{"do":"triple_click","at":{"mark":7},"button":"left"},{"do":"key_up","keys":["shift"]}]}
    {"name": "click", "arguments": {"x": 1, "y": 2, "count": 0}}
        ? `count` of `click` must be 1, 2 or 3, not 0
    {"name": "mouse_down", "arguments": {"button": "right"}}
        {"do":"press","at":null,"button":"right"}
    {"name": "mouse_up", "arguments": {"x": 1, "y": 2}}
        {"do":"release","at":{"x":1.0,"y":2.0},"button":"left"}
    {"name": "drag", "arguments": {"mark1": 3, "mark2": 4}}
        {"do":"drag","path":[{"mark":3},{"mark":4}],"button":"left"}
    {"name": "cursor_position", "arguments": {}}
        {"do":"screenshot"}
    {"name": "shell", "arguments": {"command": "ls"}}
        ? there is no action `shell`; there is `click`, `double_click`, `right_click`, `drag`, `scroll`, `type`, `key`, `wait`, `move`, `triple_click`, `middle_click`, `press`, `release`, `hold_key`, `key_down`, `key_up`, `screenshot`, `zoom`, `left_click`, `mouse_move`, `hover`, `left_click_drag`, `hotkey`, `press_key`, `mouse_down`, `mouse_up`, `cursor_position`, `goto`, `back`, `forward`, `tab`
    "#);
}
