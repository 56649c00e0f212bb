//! The computer tools of model providers.

use quintain_core::action::Dialect;

use super::{seen, table};

#[test]
#[expect(clippy::too_many_lines, reason = "a table reads best whole")]
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
fn openai() {
    insta::assert_snapshot!(table(Dialect::OpenAi, &[
        r#"{"type": "click", "x": 640, "y": 360, "button": "left"}"#,
        r#"{"type": "computer_call", "call_id": "c", "action": {"type": "click", "x": 1, "y": 2, "button": "wheel"}}"#,
        r#"{"type": "computer_call", "actions": [{"type": "move", "x": 1, "y": 2}, {"type": "keypress", "keys": ["CTRL", "A"]}]}"#,
        r#"{"type": "click", "x": 1, "y": 2, "button": "left", "keys": ["SHIFT"]}"#,
        r#"{"type": "click", "x": 1, "y": 2, "button": "left", "keys": []}"#,
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
    {"type": "click", "x": 1, "y": 2, "button": "left", "keys": []}
        {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]}
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
fn gemini() {
    insta::assert_snapshot!(table(Dialect::Gemini, &[
        r#"{"name": "click", "args": {"x": 500, "y": 500}}"#,
        r#"{"functionCall": {"name": "double_click", "args": {"x": 500, "y": 500}}}"#,
        r#"{"name": "triple_click", "args": {"x": 500, "y": 500}}"#,
        r#"{"name": "middle_click", "args": {"x": 500, "y": 500}}"#,
        r#"{"name": "right_click", "args": {"x": 500, "y": 500}}"#,
        r#"{"name": "mouse_down", "args": {"x": 100, "y": 100}}"#,
        r#"{"name": "mouse_up"}"#,
        r#"{"name": "move", "args": {"x": 999, "y": 0}}"#,
        r#"{"name": "type", "args": {"text": "hi"}}"#,
        r#"{"name": "type", "args": {"text": "hi", "press_enter": true}}"#,
        r#"{"name": "drag_and_drop", "args": {"x": 100, "y": 100, "destination_x": 200, "destination_y": 200}}"#,
        r#"{"name": "wait"}"#,
        r#"{"name": "wait", "args": {"seconds": 3}}"#,
        r#"{"name": "press_key", "args": {"key": "Enter"}}"#,
        r#"{"name": "key_down", "args": {"key": "shift"}}"#,
        r#"{"name": "key_up", "args": {"key": "shift"}}"#,
        r#"{"name": "hotkey", "args": {"keys": ["control", "c"]}}"#,
        r#"{"name": "take_screenshot"}"#,
        r#"{"name": "scroll", "args": {"x": 500, "y": 500, "direction": "down"}}"#,
        r#"{"name": "navigate", "args": {"url": "https://example.com"}}"#,
        r#"{"name": "go_back"}"#,
        r#"{"name": "go_forward"}"#,
        r#"{"name": "answer", "arguments": {"voltage": "1 V"}}"#,
        r#"{"name": "click_at", "args": {"x": 1, "y": 2}}"#,
        r#"{"name": "click", "args": {}}"#,
    ]), @r#"
    {"name": "click", "args": {"x": 500, "y": 500}}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"functionCall": {"name": "double_click", "args": {"x": 500, "y": 500}}}
        {"do":"double_click","at":{"x":640.0,"y":360.0},"button":"left"}
    {"name": "triple_click", "args": {"x": 500, "y": 500}}
        {"do":"triple_click","at":{"x":640.0,"y":360.0},"button":"left"}
    {"name": "middle_click", "args": {"x": 500, "y": 500}}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"middle","held":[]}
    {"name": "right_click", "args": {"x": 500, "y": 500}}
        {"do":"click","at":{"x":640.0,"y":360.0},"button":"right","held":[]}
    {"name": "mouse_down", "args": {"x": 100, "y": 100}}
        {"do":"press","at":{"x":128.0,"y":72.0},"button":"left"}
    {"name": "mouse_up"}
        {"do":"release","at":null,"button":"left"}
    {"name": "move", "args": {"x": 999, "y": 0}}
        {"do":"move","to":{"x":1279.0,"y":0.0}}
    {"name": "type", "args": {"text": "hi"}}
        {"do":"type","text":"hi"}
    {"name": "type", "args": {"text": "hi", "press_enter": true}}
        {"do":"sequence","actions":[{"do":"type","text":"hi"},{"do":"key","keys":["Enter"]}]}
    {"name": "drag_and_drop", "args": {"x": 100, "y": 100, "destination_x": 200, "destination_y": 200}}
        {"do":"drag","path":[{"x":128.0,"y":72.0},{"x":256.0,"y":144.0}],"button":"left"}
    {"name": "wait"}
        {"do":"wait","ms":1000}
    {"name": "wait", "args": {"seconds": 3}}
        {"do":"wait","ms":3000}
    {"name": "press_key", "args": {"key": "Enter"}}
        {"do":"key","keys":["Enter"]}
    {"name": "key_down", "args": {"key": "shift"}}
        {"do":"key_down","keys":["shift"]}
    {"name": "key_up", "args": {"key": "shift"}}
        {"do":"key_up","keys":["shift"]}
    {"name": "hotkey", "args": {"keys": ["control", "c"]}}
        {"do":"key","keys":["ctrl","c"]}
    {"name": "take_screenshot"}
        {"do":"screenshot"}
    {"name": "scroll", "args": {"x": 500, "y": 500, "direction": "down"}}
        {"do":"scroll","at":{"x":640.0,"y":360.0},"dx":0.0,"dy":576.0}
    {"name": "navigate", "args": {"url": "https://example.com"}}
        {"do":"goto","url":"https://example.com"}
    {"name": "go_back"}
        {"do":"back"}
    {"name": "go_forward"}
        {"do":"forward"}
    {"name": "answer", "arguments": {"voltage": "1 V"}}
        {"do":"answer","value":{"voltage":"1 V"}}
    {"name": "click_at", "args": {"x": 1, "y": 2}}
        ? there is no action `click_at`; did you mean `click`?
    {"name": "click", "args": {}}
        ? `x` of `click` must be a number, not nothing
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
