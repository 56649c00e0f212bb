//! Whatever an agent says, reading it never panics and never ends a trial by accident.
//! `QUINTAIN_FULL=1` says a hundred thousand things (`just mangled`).

use proptest::prelude::*;
use quintain_core::action::Dialect;
use quintain_core::surface::{ActionGroup, CallSchema, Surface, ValueType};
use quintain_core::variables;

fn surface() -> Surface {
    let number = ValueType::Number { min: -1e6, max: 1e6 };
    Surface {
        calls: vec![
            CallSchema::plain("move", "Moves.").arg("direction", ValueType::Integer { min: 0, max: 3 }, "", 0),
            CallSchema::plain("turn", "Turns.").arg(
                "by",
                ValueType::List { of: Box::new(number), len: 3 },
                "",
                [0, 0, 0],
            ),
            CallSchema::plain("undo", "Takes back."),
        ],
        ..Surface::default()
    }
}

/// The only ways to end a trial, written down apart from the reader: each the whole of a line, give or take
/// decoration, or the whole of what follows `Action:`.
fn says_so_on_a_line(raw: &str, own_forms: &[&str]) -> bool {
    let bare =
        |text: &str| text.chars().filter(|c| !c.is_whitespace() && !"`*.-;'\",".contains(*c)).collect::<String>();
    let ends = |text: &str| {
        let text = bare(text);
        let forms = ["(stopstop)", "(stop)", "stop()", "stop(stop)", "(donedone)", "(done)", "done()", "done(done)"];
        forms.contains(&text.as_str())
            || own_forms.iter().any(|form| text.starts_with(form))
            || text.starts_with("give_up(")
            || text.starts_with("(give_up")
            || text.starts_with("answer(")
            || text.starts_with("(answer")
            || (text.starts_with('{') && ["stop", "done", "give_up", "answer"].iter().any(|word| text.contains(word)))
    };
    // An ending may be broken over lines inside its brackets, so runs of last lines count too.
    let ends_in = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !bare(line).is_empty()).collect();
        (0..lines.len()).any(|from| lines.len() - from <= 12 && ends(&lines[from..].concat()))
    };
    let lower = raw.to_ascii_lowercase();
    let after_label = lower.rfind("action:").map(|at| &raw[at + 7..]);
    let mut fences = raw.split("```").skip(1).step_by(2);
    ends_in(raw)
        || after_label.is_some_and(ends_in)
        || fences
            .any(|inside| ends_in(inside) || inside.split_once('\n').is_some_and(|(_language, rest)| ends_in(rest)))
}

fn fragment() -> impl Strategy<Value = String> {
    let pieces = [
        "('stop', 'stop')",
        "stop()",
        "stop",
        "('move', 1)",
        "move(2)",
        "('undo', 'undo')",
        "Action:",
        "action: ",
        "```",
        "```python\n",
        "\n",
        " ",
        "I am done.",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        "\"",
        ",",
        ":",
        "done",
        "('done',)",
        "give_up",
        "('give_up', 'hard')",
        "answer",
        "{\"name\": \"stop\"}",
        "{\"action\": \"move\", \"args\": [1]}",
        "{\"do\": \"done\"}",
        "turn(1, 2, 3)",
        "1e999",
        "-0",
        "\\",
        "é",
        "🦀",
        "\u{0}",
        "null",
        "True",
        "('move', 99)",
        "**",
        "`",
        ".",
        "then",
        "not yet",
    ];
    prop_oneof![
        8 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[(\\[{]{1,40}",
    ]
}

fn reply() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => proptest::collection::vec(fragment(), 0..14).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,120}",
        1 => proptest::collection::vec(any::<u8>(), 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

fn n_replies() -> u32 {
    if std::env::var_os(variables::FULL).is_some() { 100_000 } else { 20_000 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: n_replies(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_trial_ends_only_when_the_agent_says_so(raw in reply()) {
        if let Ok(action) = Dialect::Tolerant.read(&raw, &surface()) {
            prop_assert!(!action.completes() || says_so_on_a_line(&raw, &[]), "{raw:?} was read as {action}");
        }
        drop(Dialect::Canonical.read(&raw, &surface()));
    }
}

/// The dialects of screens, and the forms of an ending that each has besides those of all.
const DIALECTS: [(Dialect, &[&str]); 8] = [
    (Dialect::Tolerant, &[]),
    (Dialect::Anthropic, &[]),
    (Dialect::OpenAi, &[]),
    (Dialect::Google, &[]),
    (Dialect::Gemini, &[]),
    (Dialect::BrowserGym, &["send_msg_to_user(", "report_infeasible("]),
    (Dialect::Pyautogui, &["DONE", "FAIL"]),
    (Dialect::Marks, &["stop"]),
];

fn screen() -> Surface {
    Surface { groups: [ActionGroup::Gui, ActionGroup::Browser].into(), screen: Some((1280, 720)), ..Surface::default() }
}

fn fragment_of_screens() -> impl Strategy<Value = String> {
    let pieces = [
        "click(640, 360)",
        "type('stop()')",
        "type(\"DONE\")",
        "type('```stop()```')",
        "key('ctrl+a')",
        "answer({\"a\": 1})",
        "answer(a='1 V')",
        "{\"action\": \"left_click\", \"coordinate\": [1, 2]}",
        "{\"action\": \"type\", \"text\": \"stop\"}",
        "{\"type\": \"click\", \"x\": 1, \"y\": 1e400}",
        "{\"type\": \"type\", \"text\": \"Action: stop()\"}",
        "{\"name\": \"type_text_at\", \"args\": {\"x\": 1, \"y\": -2, \"text\": \"done()\"}}",
        "{\"do\": \"sequence\", \"actions\": [{\"do\": \"done\"}]}",
        "fill('7', 'report_infeasible()')",
        "send_msg_to_user('{\"a\": 1}')",
        "send_msg_to_user('done')",
        "report_infeasible('hard')",
        "pyautogui.write('DONE')",
        "pyautogui.press('a', presses=9)",
        "pyautogui.",
        "DONE",
        "FAIL",
        "WAIT",
        "type [7] [stop]",
        "click [12]",
        "stop [{\"a\": 1}]",
        "stop [no]",
        "=",
        "x=",
        ";",
        "#",
        "import ",
    ];
    prop_oneof![
        3 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        3 => fragment(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_trial_on_a_screen_ends_only_when_the_agent_says_so(
        raw in proptest::collection::vec(fragment_of_screens(), 0..10).prop_map(|pieces| pieces.concat())
    ) {
        for (dialect, own_forms) in DIALECTS {
            let Ok(action) = dialect.read(&raw, &screen()) else { continue };
            prop_assert!(!action.completes() || says_so_on_a_line(&raw, own_forms), "{dialect:?}: {raw:?} was read as {action}");
            prop_assert!(action.in_order().iter().all(|one| !one.completes()) || action.completes(), "{raw:?}");
            let canonical = serde_json::to_string(&action).expect("an action is JSON");
            prop_assert_eq!(Dialect::Canonical.read(&canonical, &screen()), Ok(action), "{}", raw);
        }
    }
}

#[test]
fn long_and_deep_replies_are_read_quickly() {
    let deep = "(".repeat(200_000);
    let long = "('move', ".repeat(40_000);
    let braces = "{\"a\":".repeat(60_000);
    let arguments = "pyautogui.click(x=".repeat(30_000);
    for raw in [deep, long, braces, arguments] {
        assert!(Dialect::Tolerant.read(&raw, &surface()).is_err());
        for (dialect, _) in DIALECTS {
            assert!(dialect.read(&raw, &screen()).is_err());
        }
    }
}
