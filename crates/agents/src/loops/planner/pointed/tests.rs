use quintain_models::model::{MessageRole, Piece};
use serde_json::json;

use super::*;

type PointedAnswer = (&'static str, &'static str, (f64, f64));

/// Answers as they stand in public repositories of models and of what measures them, with the file each is from.
const QUOTED: [PointedAnswer; 30] = [
    (
        "OS-Copilot/OS-Atlas README.md",
        "<|object_ref_start|>language switch<|object_ref_end|><|box_start|>(576,12),(592,42)<|box_end|><|im_end|>",
        (584.0, 27.0),
    ),
    ("bytedance/UI-TARS README.md", "Action: click(start_box='(197,525)')", (197.0, 525.0)),
    (
        "bytedance/UI-TARS codes/tests/inference_test.py",
        "Thought: xxx\n    Action: click(start_box='(197,525)')",
        (197.0, 525.0),
    ),
    (
        "bytedance/UI-TARS codes/README.md",
        "Thought: Click the button\nAction: click(point='<point>200 300</point>')",
        (200.0, 300.0),
    ),
    ("bytedance/UI-TARS codes/tests/action_parser_test.py", "click(point='<point>200 300</point>')", (200.0, 300.0)),
    ("showlab/ShowUI QUICK_START.md", "[0.73, 0.21]", (0.73, 0.21)),
    ("showlab/ShowUI QUICK_START.md", "{'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]},", (0.49, 0.42)),
    (
        "showlab/ShowUI QUICK_START.md",
        "{'action': 'INPUT', 'value': 'weather for New York city', 'position': [0.49, 0.42]},",
        (0.49, 0.42),
    ),
    (
        "THUDM/CogAgent README.md",
        "Action: Click the 'Mark all as read' button in the top toolbar of the page to mark all emails as read.\nGrounded Operation: CLICK(box=[[219,186,311,207]], element_type='Clickable text', element_info='Mark all emails as read')",
        (265.0, 196.5),
    ),
    (
        "THUDM/CogAgent README.md",
        "Status: Currently in the email interface [[0, 2, 998, 905]], with the email categories on the left [[1, 216, 144, 570]], and the inbox in the center [[144, 216, 998, 903]].\nPlan: Future tasks: 1. Click the 'Mark all as read' button; 2. Task complete.\nGrounded Operation: CLICK(box=[[219,186,311,207]], element_type='Clickable text', element_info='Mark all emails as read')",
        (265.0, 196.5),
    ),
    (
        "THUDM/CogAgent README.md",
        "Grounded Operation: RIGHT_CLICK(box=[[154,275,343,341]], element_info='[AXCell]')",
        (248.5, 308.0),
    ),
    (
        "THUDM/CogAgent Action_space_en.md",
        "TYPE(box=[[387,249,727,317]], text='CogAgent', element_type='Text input box', element_info='CogAgent')",
        (557.0, 283.0),
    ),
    (
        "THUDM/CogAgent Action_space_en.md",
        "SCROLL_DOWN(box=[[000,086,999,932]], element_type='Scroll', element_info='Scroll', step_count=5)",
        (499.5, 509.0),
    ),
    (
        "THUDM/CogVLM README.md",
        "Grounded Operation:[combobox] Search -> TYPE: CogVLM at the box [[212,498,787,564]]",
        (499.5, 531.0),
    ),
    ("zai-org/GLM-V examples/gui-agent/glm-41v/agent.md", "left_click(start_box='[376,465]')", (376.0, 465.0)),
    (
        "zai-org/GLM-V examples/gui-agent/glm-45v/agent.md",
        "left_click(start_box='[149, 70]', element_info='Image menu')",
        (149.0, 70.0),
    ),
    (
        "zai-org/GLM-V glmv_reward/tests/cogagent/test_android_world_verifier.py",
        "Action: <|begin_of_box|>{\"action_type\": \"click\", \"box_2d\": [[503,580,718,702]]}<|end_of_box|>",
        (610.5, 641.0),
    ),
    (
        "zai-org/GLM-V glmv_reward/tests/cogagent/test_android_world_verifier.py",
        "Action: <|begin_of_box|>{\"box_2d\": [[503,580,718,702]], \"action_type\": \"click\"}<|end_of_box|>",
        (610.5, 641.0),
    ),
    (
        "hcompai/hai-cookbook holo1_5/holo_1_5_quickstart.ipynb",
        "{\"action\": \"click_absolute\", \"x\": 947, \"y\": 338}",
        (947.0, 338.0),
    ),
    ("hcompai/hai-cookbook holo1/vllm/invoke_localization.ipynb", "Click(350, 342)", (350.0, 342.0)),
    ("xlang-ai/OpenCUA evaluation/agentnetbench/sample_data", "pyautogui.click(x=0.7007, y=0.9438)", (0.7007, 0.9438)),
    (
        "xlang-ai/OpenCUA evaluation/agentnetbench/sample_data",
        "pyautogui.moveTo(x=0.4496, y=0.7349)\npyautogui.scroll(-54)",
        (0.4496, 0.7349),
    ),
    (
        "xlang-ai/OpenCUA evaluation/agentnetbench/sample_data",
        "pyautogui.moveTo(x=0.328, y=0.4697)\npyautogui.dragTo(x=0.5025, y=0.6039, button='left')",
        (0.328, 0.4697),
    ),
    ("AriaUI/Aria-UI AndroidWorld/agents/m3a_aria_ui.py", "(892,925)", (892.0, 925.0)),
    ("AriaUI/Aria-UI AndroidWorld/agents/m3a_aria_ui.py", "[892, 925]", (892.0, 925.0)),
    (
        "ritzz-ai/GUI-R1 guir1/inference/inference_vllm_android.py",
        "[{'action': 'click', 'point': [123, 300], 'input_text': 'no input text'}]",
        (123.0, 300.0),
    ),
    (
        "QwenLM/Qwen3-VL cookbooks",
        "```json\n[\n\t{\"point_2d\": [925, 618], \"label\": \"point_1\"}\n]\n```",
        (925.0, 618.0),
    ),
    (
        "QwenLM/Qwen3-VL cookbooks",
        "```json\n[\n\t{\"bbox_2d\": [0, 614, 224, 826], \"name_en\": \"Rice\"}\n]\n```",
        (112.0, 720.0),
    ),
    ("QwenLM/Qwen3-VL cookbooks", "{\n\"bbox_2d\": [135, 114, 1015, 672]\n}", (575.0, 393.0)),
    (
        "QwenLM/Qwen3-VL cookbooks",
        "{\"label\": \"sign\", \"bbox_2d\": [574, 300, 660, 468], \"img_idx\": 0}",
        (617.0, 384.0),
    ),
];

/// Answers in a form that a public repository states: as a prompt that asks for it, as the code that writes what a model
/// learns from, or as the pattern that its answers are read with. Numbers and names of things are ours.
const SHAPED: [PointedAnswer; 41] = [
    ("bytedance/UI-TARS README_v1.md", "Action: click(start_box='<|box_start|>(512,300)<|box_end|>')", (512.0, 300.0)),
    (
        "bytedance/UI-TARS README_v1.md",
        "Action: drag(start_box='<|box_start|>(5,6)<|box_end|>', end_box='<|box_start|>(70,80)<|box_end|>')",
        (5.0, 6.0),
    ),
    (
        "bytedance/UI-TARS codes/ui_tars/prompt.py",
        "Action: drag(start_point='<point>5 6</point>', end_point='<point>70 80</point>')",
        (5.0, 6.0),
    ),
    (
        "bytedance/UI-TARS codes/ui_tars/prompt.py",
        "Thought: It is 1 of 3 tabs.\nAction: left_double(point='<point>20 30</point>')",
        (20.0, 30.0),
    ),
    ("bytedance/UI-TARS codes/ui_tars/action_parser.py", "right_single(start_box='[10, 20, 30, 40]')", (20.0, 30.0)),
    (
        "bytedance/UI-TARS codes/ui_tars/action_parser.py",
        "click(start_box='<bbox>637 964 637 964</bbox>')",
        (637.0, 964.0),
    ),
    ("QwenLM/Qwen3-VL cookbooks", "{\"bbox_2d\": [100, 200, 300, 400], \"label\": \"button 2\"}", (200.0, 300.0)),
    (
        "QwenLM/Qwen3-VL cookbooks",
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [512, 300]}}\n</tool_call>",
        (512.0, 300.0),
    ),
    (
        "QwenLM/Qwen3-VL cookbooks",
        "Action: Tap the third icon.\n<tool_call>\n{\"name\": \"mobile_use\", \"arguments\": {\"action\": \"click\", \"coordinate\": [77, 881]}}\n</tool_call>",
        (77.0, 881.0),
    ),
    (
        "xlang-ai/OSWorld-G agent_function_call.py (Jedi)",
        "{\"action\": \"swipe\", \"coordinate\": [500, 800], \"coordinate2\": [500, 200]}",
        (500.0, 800.0),
    ),
    (
        "xlang-ai/OSWorld-G demo.py (Jedi)",
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"mouse_move\", \"coordinate\": [394, 105]}}\n</tool_call>",
        (394.0, 105.0),
    ),
    ("xlang-ai/OSWorld-G dataset (Jedi)", "import pyautogui;pyautogui.click(x=0.3291, y=0.9121)", (0.3291, 0.9121)),
    ("Yan98/GTA1 README.md", "(640,360)", (640.0, 360.0)),
    ("Yan98/GTA1 README.md", "(640,\n360)", (640.0, 360.0)),
    ("OSU-NLP-Group/UGround README.md", "(512, 300)", (512.0, 300.0)),
    (
        "njucckevin/SeeClick agent_tasks/aitw_process.py",
        "{\"action_type\": 4, \"click_point\": (0.12,0.88)}",
        (0.12, 0.88),
    ),
    (
        "njucckevin/SeeClick agent_tasks/mind2web_process.py",
        "{\"action_type\": 3, \"click_point\": (0.49,0.40), \"value\": \"2 tickets\"}",
        (0.49, 0.40),
    ),
    ("njucckevin/SeeClick agent_tasks/mind2web_process.py", "(0.49,0.40)", (0.49, 0.40)),
    (
        "allenai/molmo olmo/data/data_formatter.py",
        " <point x=\"10.5\" y=\"20.1\" alt=\"the button\">the button</point>",
        (10.5, 20.1),
    ),
    (
        "allenai/molmo olmo/data/data_formatter.py",
        "<points x1=\"10.5\" y1=\"20.1\" x2=\"30.0\" y2=\"40.0\" alt=\"buttons\">buttons</points>",
        (10.5, 20.1),
    ),
    (
        "allenai/molmo olmo/eval/evaluators.py",
        "<point p=105, 201 alt=\"the 2nd button\">the 2nd button</point>",
        (105.0, 201.0),
    ),
    ("allenai/molmo olmo/hf_datasets/android_control.py", "Click(71.5, 7.0)", (71.5, 7.0)),
    ("hcompai/hai-cookbook utils/localization.py", "{\"action\": \"click\", \"x\": 352, \"y\": 348}", (352.0, 348.0)),
    (
        "hcompai/hai-cookbook utils/navigation.py",
        "{\"action\":{\"action\":\"click_element\",\"element\":\"button 7\",\"x\":352,\"y\":348}}",
        (352.0, 348.0),
    ),
    ("hcompai/hai-cookbook holo2/holo_2_localization_hosted_api.ipynb", "{\"x\": 240, \"y\": 490}", (240.0, 490.0)),
    (
        "InfiXAI/InfiGUI-G1 eval/prompts.py",
        "<think>There are 2 of them, at (1, 2) and (3, 4).</think>\n[{\"point_2d\": [640, 360]}, {\"point_2d\": [10, 20]}]",
        (640.0, 360.0),
    ),
    (
        "Reallm-Labs/InfiGUI-R1 as microsoft/Phi-Ground benchmark/CUActSpot reads it",
        "<think>Tab 2.</think>```json\n[{\"point_2d\": [394, 105], \"label\": \"The 2nd tab\"}]\n```",
        (394.0, 105.0),
    ),
    (
        "Tongyi-MAI/MAI-UI src/mai_grounding_agent.py",
        "<grounding_think>One at {\"coordinate\": [1, 2]} is another.</grounding_think>\n<answer>\n{\"coordinate\": [640,360]}\n</answer>",
        (640.0, 360.0),
    ),
    (
        "Tongyi-MAI/MAI-UI evaluation/grounding/models/MAI_UI.py",
        "<tool_call>\n{\"name\": \"grounding\", \"arguments\": {\"action\": \"click\", \"coordinate\": [640, 360]}}\n</tool_call>",
        (640.0, 360.0),
    ),
    (
        "inclusionAI/UI-Venus Venus_framework/processor/uivenus_processor.py",
        "<think>Tab 3.</think>\n<action>Click(box=(512,300))</action>\n<conclusion>1 click</conclusion>",
        (512.0, 300.0),
    ),
    ("inclusionAI/UI-Venus models/grounding/ui_venus1_5_gd.py", "[512,300]", (512.0, 300.0)),
    ("inclusionAI/UI-Venus models/grounding/ui_venus1_5_gd.py", "[100, 200], [300, 400]", (200.0, 300.0)),
    (
        "microsoft/Phi-Ground benchmark/CUActSpot/cuactspot/components/prompting.py",
        "<point>512, 300</point>",
        (512.0, 300.0),
    ),
    (
        "microsoft/Phi-Ground benchmark/CUActSpot/cuactspot/components/parsing.py",
        "<x>512</x>\n<y>300</y>",
        (512.0, 300.0),
    ),
    ("microsoft/Phi-Ground benchmark/CUActSpot/cuactspot/components/parsing.py", "[100,200,300,400]", (200.0, 300.0)),
    (
        "likaixin2000/ScreenSpot-Pro-GUI-Grounding models/osatlas4b.py",
        "actions:\nCLICK <point>[[493,544]]</point>",
        (493.0, 544.0),
    ),
    (
        "likaixin2000/ScreenSpot-Pro-GUI-Grounding models/kimivl.py",
        "◁think▷At x=0.1, y=0.2 there is another.◁/think▷## Action:\nClick it.\n\n## Code:\npyautogui.click(x=0.0565, y=0.5134)",
        (0.0565, 0.5134),
    ),
    ("likaixin2000/ScreenSpot-Pro-GUI-Grounding models/qwen1vl.py", "<box>(100,200),(300,400)</box>", (200.0, 300.0)),
    ("likaixin2000/ScreenSpot-Pro-GUI-Grounding models/gpt4x.py", "[[0.1,0.2,0.3,0.4]]", (0.2, 0.3)),
    ("likaixin2000/ScreenSpot-Pro-GUI-Grounding models/minicpmv.py", "<box>100 200 300 400</box>", (200.0, 300.0)),
    ("zai-org/GLM-V README.md", "It is here: <|begin_of_box|>[[100,200,300,400]]<|end_of_box|>", (200.0, 300.0)),
];

/// Answers of models that talk and were never taught a form. They are of no source.
const IN_WORDS: [PointedAnswer; 12] = [
    ("words", "{\"action\": \"left_click\", \"coordinate\": [512, 300]}", (512.0, 300.0)),
    ("words", "I see 2 buttons; the one to press is at x=512, y=300.", (512.0, 300.0)),
    ("words", "The element is located at (611, 47).", (611.0, 47.0)),
    ("words", "The coordinates are: (512, 300)", (512.0, 300.0)),
    ("words", "**Coordinates:** [512, 300]", (512.0, 300.0)),
    ("words", "{\"x1\": 100, \"y1\": 200, \"x2\": 300, \"y2\": 400}", (200.0, 300.0)),
    ("words", "x: 512\ny: 300", (512.0, 300.0)),
    ("words", "512, 300", (512.0, 300.0)),
    ("words", "```python\npyautogui.doubleClick(x=512, y=300)\n```", (512.0, 300.0)),
    ("words", "pyautogui.moveTo(512, 300)", (512.0, 300.0)),
    ("words", "<think>There are 2 buttons, (1, 2) and (3, 4).</think>(640, 360)", (640.0, 360.0)),
    ("words", "bbox: [10.5, 20.5, 30.5, 40.5]", (20.5, 30.5)),
];

fn read(text: &str, order: ListOrder) -> Option<(f64, f64)> {
    pointed(&Message { role: MessageRole::Assistant, pieces: vec![Piece::text(text)] }, order)
}

#[test]
fn points_are_read_however_they_are_written() {
    for (source, answer, point) in QUOTED.iter().chain(&SHAPED).chain(&IN_WORDS) {
        let read = read(answer, ListOrder::AcrossFirst).expect(answer);
        let is_meant = (read.0 - point.0).abs() < 1e-9 && (read.1 - point.1).abs() < 1e-9;
        assert!(is_meant, "{source}: {answer}: {read:?}");
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
        // How models say that it is not there, or point without numbers: `inclusionAI/UI-Venus`, `ritzz-ai/GUI-R1`,
        // `xlang-ai/OSWorld-G`, `likaixin2000/ScreenSpot-Pro-GUI-Grounding`, `microsoft/GUI-Actor`.
        "[-1,-1]",
        "[{'action': 'complete', 'point': [-100, -100], 'input_text': 'no input text'}]",
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"wait\", \"time\": 10}}\n</tool_call>",
        "Target not existent",
        "pyautogui.click(<|pointer_start|><|pointer_pad|><|pointer_end|>)",
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
