use quintain_models::model::{MessageRole, Piece};
use serde_json::json;

use super::*;

/// Answers as public models and their tools write them, with where they come from and the point that is meant. Numbers
/// and names of things are ours.
const ANSWERS: [(&str, &str, (f64, f64)); 60] = [
    // UI-TARS: README, codes/ui_tars/prompt.py, codes/tests/action_parser_test.py
    ("UI-TARS", "Thought: Click the button\nAction: click(start_box='(100,200)')", (100.0, 200.0)),
    ("UI-TARS", "Action: click(point='<point>200 300</point>')", (200.0, 300.0)),
    ("UI-TARS", "Thought: It is 1 of 3 tabs.\nAction: left_double(point='<point>20 30</point>')", (20.0, 30.0)),
    ("UI-TARS", "Action: click(start_box='<|box_start|>(512,300)<|box_end|>')", (512.0, 300.0)),
    ("UI-TARS", "Action: right_single(start_box='[10, 20, 30, 40]')", (20.0, 30.0)),
    ("UI-TARS", "Action: drag(start_point='<point>5 6</point>', end_point='<point>70 80</point>')", (5.0, 6.0)),
    ("UI-TARS", "Action: drag(start_box='(5,6)', end_box='(70,80)')", (5.0, 6.0)),
    ("UI-TARS", "click(start_box='<bbox>637 964 637 964</bbox>')", (637.0, 964.0)),
    ("UI-TARS", "<point>512 300</point>", (512.0, 300.0)),
    ("UI-TARS", "(235,512)", (235.0, 512.0)),
    // Qwen3-VL and Qwen2.5-VL: cookbooks
    ("Qwen3-VL", "```json\n[\n\t{\"point_2d\": [925, 618], \"label\": \"point_1\"}\n]\n```", (925.0, 618.0)),
    ("Qwen3-VL", "{\"bbox_2d\": [100, 200, 300, 400], \"label\": \"button 2\"}", (200.0, 300.0)),
    ("Qwen3-VL", "```json\n[\n\t{\"bbox_2d\": [0, 614, 224, 826], \"name_en\": \"Rice\"}\n]\n```", (112.0, 720.0)),
    ("Qwen3-VL", "{\n\"bbox_2d\": [135, 114, 1015, 672]\n}", (575.0, 393.0)),
    ("Qwen3-VL", "{\"label\": \"sign\", \"bbox_2d\": [574, 300, 660, 468], \"img_idx\": 0}", (617.0, 384.0)),
    (
        "Qwen3-VL",
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [512, 300]}}\n</tool_call>",
        (512.0, 300.0),
    ),
    (
        "Qwen3-VL",
        "Action: Tap the third icon.\n<tool_call>\n{\"name\": \"mobile_use\", \"arguments\": {\"action\": \"click\", \"coordinate\": [77, 881]}}\n</tool_call>",
        (77.0, 881.0),
    ),
    ("Qwen3-VL", "{\"action\": \"swipe\", \"coordinate\": [500, 800], \"coordinate2\": [500, 200]}", (500.0, 800.0)),
    ("Qwen2.5-VL", "[{\"point_2d\": [394, 105], \"label\": \"The 2nd tab\"}]", (394.0, 105.0)),
    (
        "Qwen2-VL",
        "<|object_ref_start|>the picture<|object_ref_end|><|box_start|>(16,31),(984,969)<|box_end|>",
        (500.0, 500.0),
    ),
    // OS-Atlas
    ("OS-Atlas", "<|box_start|>(576,12),(592,42)<|box_end|><|im_end|>", (584.0, 27.0)),
    ("OS-Atlas", "actions:\nCLICK <point>[[493,544]]</point><|im_end|>", (493.0, 544.0)),
    ("OS-Atlas", "thought:\nopen 1 menu\nactions:\nCLICK [[101, 872]]", (101.0, 872.0)),
    // SeeClick, ShowUI, UGround, Aria-UI, GTA1: lists and pairs
    ("SeeClick", "(0.49,0.40)", (0.49, 0.40)),
    ("SeeClick", "{\"action_type\": 4, \"click_point\": (0.12,0.88)}", (0.12, 0.88)),
    ("ShowUI", "[0.73, 0.21]", (0.73, 0.21)),
    ("ShowUI", "{'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}", (0.49, 0.42)),
    ("UGround", "(512, 300)", (512.0, 300.0)),
    ("UGround", "The element is located at (611, 47).", (611.0, 47.0)),
    ("Aria-UI", "```\n[433, 912]\n```", (433.0, 912.0)),
    ("GTA1", "(640,\n360)", (640.0, 360.0)),
    ("GTA1", "<think>There are 2 buttons, (1, 2) and (3, 4).</think>(640, 360)", (640.0, 360.0)),
    ("Aguvis", "pyautogui.click(x=0.3291, y=0.9121)", (0.3291, 0.9121)),
    ("Aguvis", "```python\npyautogui.doubleClick(x=512, y=300)\n```", (512.0, 300.0)),
    ("Aguvis", "pyautogui.moveTo(512, 300)", (512.0, 300.0)),
    // CogAgent and GLM-V
    (
        "CogAgent",
        "Grounded Operation: CLICK(box=[[346,574,372,598]], element_type='link', element_info='1 item')",
        (359.0, 586.0),
    ),
    ("CogAgent", "CLICK(box=[[100,200,300,400]])", (200.0, 300.0)),
    ("GLM-V", "<|begin_of_box|>[[512,300]]<|end_of_box|>", (512.0, 300.0)),
    ("GLM-V", "It is here: <|begin_of_box|>[100,200,300,400]<|end_of_box|>", (200.0, 300.0)),
    (
        "GLM-V",
        "<think>I see 2 of them.</think><|begin_of_box|>left_click(start_box='[300,400]')<|end_of_box|>",
        (300.0, 400.0),
    ),
    // Molmo
    ("Molmo", " <point x=\"10.5\" y=\"20.1\" alt=\"the button\">the button</point>", (10.5, 20.1)),
    ("Molmo", "<points x1=\"10.5\" y1=\"20.1\" alt=\"buttons\">buttons</points>", (10.5, 20.1)),
    ("Molmo", "Click(71.5, 7.0)", (71.5, 7.0)),
    // Holo1, Surfer, browser agents
    ("Holo1", "Click(352, 348)", (352.0, 348.0)),
    ("Holo1", "{\"action\": \"click\", \"x\": 352, \"y\": 348}", (352.0, 348.0)),
    ("Holo1", "{\"x\": 352, \"y\": 348}", (352.0, 348.0)),
    ("Holo1", "{\"action\":{\"element\":\"button 7\",\"x\":352.0,\"y\":348.5}}", (352.0, 348.5)),
    (
        "OpenCUA",
        "## Action:\nClick the box.\n## Code:\n```python\npyautogui.click(x=1424, y=264)\n```",
        (1424.0, 264.0),
    ),
    // Phi-Ground, InternVL, Kimi, Claude, GPT in words
    ("Phi-Ground", "<box>100 200 300 400</box>", (200.0, 300.0)),
    ("InternVL", "<box>[[100, 200, 300, 400]]</box>", (200.0, 300.0)),
    ("InternVL", "<ref>the button</ref><box>[[211, 32, 231, 52]]</box>", (221.0, 42.0)),
    ("Kimi-VL", "computer.click(x=0.0565, y=0.5134)", (0.0565, 0.5134)),
    ("Florence", "bbox: [10.5, 20.5, 30.5, 40.5]", (20.5, 30.5)),
    ("Claude", "{\"action\": \"left_click\", \"coordinate\": [512, 300]}", (512.0, 300.0)),
    ("Claude", "I see 2 buttons; the one to press is at x=512, y=300.", (512.0, 300.0)),
    ("GPT", "The coordinates are: (512, 300)", (512.0, 300.0)),
    ("GPT", "**Coordinates:** [512, 300]", (512.0, 300.0)),
    ("GPT", "{\"x1\": 100, \"y1\": 200, \"x2\": 300, \"y2\": 400}", (200.0, 300.0)),
    ("GPT", "x: 512\ny: 300", (512.0, 300.0)),
    ("GPT", "512, 300", (512.0, 300.0)),
];

fn read(text: &str, order: ListOrder) -> Option<(f64, f64)> {
    pointed(&Message { role: MessageRole::Assistant, pieces: vec![Piece::text(text)] }, order)
}

#[test]
fn points_are_read_however_they_are_written() {
    for (model, answer, point) in ANSWERS {
        assert_eq!(read(answer, ListOrder::AcrossFirst), Some(point), "{model}: {answer}");
    }
}

#[test]
fn gemini_writes_points_and_boxes_from_the_top() {
    let point = "```json\n[{\"point\": [300, 512], \"label\": \"button 1\"}]\n```";
    assert_eq!(read(point, ListOrder::DownFirst), Some((512.0, 300.0)));
    let boxed = "[{\"box_2d\": [200, 100, 400, 300], \"label\": \"button 1\"}]";
    assert_eq!(read(boxed, ListOrder::DownFirst), Some((200.0, 300.0)));
    assert_eq!(read(boxed, ListOrder::AcrossFirst), Some((200.0, 300.0)), "the name alone says so");
    assert_eq!(read("x=512, y=300", ListOrder::DownFirst), Some((512.0, 300.0)));
}

#[test]
fn what_is_no_point_is_none() {
    let answers = [
        "It is not on the screen.",
        "Either 1 2 or 3.",
        "I see 2 buttons.",
        "",
        "{\"bbox_2d\": []}",
        "<point></point>",
        "[1, 2, 3]",
        "click(start_box='')",
    ];
    for answer in answers {
        assert_eq!(read(answer, ListOrder::AcrossFirst), None, "{answer}");
    }
}

#[test]
fn a_call_is_read_whatever_its_arguments_are_called() {
    let call = |input| {
        let call = ToolCall { id: "1".to_owned(), name: "point".to_owned(), input, native: None, opaque: None };
        pointed(&Message { role: MessageRole::Assistant, pieces: vec![Piece::Call(call)] }, ListOrder::AcrossFirst)
    };
    assert_eq!(call(json!({"x": 512, "y": 300.5})), Some((512.0, 300.5)));
    assert_eq!(call(json!({"x": "512", "y": "300"})), Some((512.0, 300.0)));
    assert_eq!(call(json!({"coordinate": [512, 300]})), Some((512.0, 300.0)));
    assert_eq!(call(json!({"x": [512, 300]})), Some((512.0, 300.0)));
    assert_eq!(call(json!({"bbox_2d": "[100, 200, 300, 400]"})), Some((200.0, 300.0)));
    assert_eq!(call(json!({"target": "the button"})), None);
}

proptest::proptest! {
    #[test]
    fn no_answer_upsets_the_reader(text in "[ -~\\n<>|é]{0,60}", order in 0..2_usize) {
        let point = read(&text, [ListOrder::AcrossFirst, ListOrder::DownFirst][order]);
        proptest::prop_assert!(point.is_none_or(|(x, y)| x.is_finite() && y.is_finite()));
    }
}
