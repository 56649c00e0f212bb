//! The generalist at work with models whose answers are written beforehand.

use std::fmt::Write as _;

use quintain_core::observation::{Observation, ObservationPart};
use quintain_models::model::{MessageRole, ModelCard, ModelError, Request};
use serde_json::json;

use super::*;
use crate::loops::context::request_tokens;
use crate::loops::test_model::{Scripted, briefing, calls, card, observation, says};

const WITHIN: Duration = Duration::from_mins(1);

/// A message with these calls, each with the number of its place as id.
fn several(given: &[(&str, serde_json::Value)]) -> Message {
    let call = |(idx, (name, input)): (usize, &(&str, serde_json::Value))| {
        let (id, name) = (format!("{name}-{idx}"), (*name).to_owned());
        Piece::Call(ToolCall { id, name, input: input.clone(), native: None, opaque: None })
    };
    Message { role: MessageRole::Assistant, pieces: given.iter().enumerate().map(call).collect() }
}

fn click(id: &str) -> Message {
    calls(id, "click", json!({"x": 3, "y": 4}))
}

fn turn(step_idx: u32, observation: &Observation) -> Turn<'_> {
    let remaining = quintain_core::Limits::steps(30).left(&quintain_core::limits::Spent::default());
    Turn { step_idx, observation, remaining }
}

fn act(agent: &mut Generalist, step_idx: u32) -> Result<Reply, AgentError> {
    agent.act(&turn(step_idx, &observation(step_idx)), WITHIN)
}

fn told(request: &Request) -> String {
    let mut told = String::new();
    for message in &request.messages {
        let pieces: Vec<String> = message.pieces.iter().map(tell).collect();
        writeln!(told, "{:?}: {}", message.role, pieces.join(" | ")).unwrap();
    }
    told
}

fn tell(piece: &Piece) -> String {
    match piece {
        Piece::Text { text } => text.replace('\n', " / ").chars().take(110).collect(),
        Piece::Picture(image) => format!("{:?}", image.size()),
        Piece::Call(call) => format!("{}{}", call.name, call.input),
        Piece::Outcome { id, pieces, is_error, .. } => {
            let error = if *is_error { "!" } else { "" };
            format!("<{id}{error}: {}>", pieces.iter().map(tell).collect::<Vec<_>>().join(" + "))
        }
        Piece::Thought { text, .. } => text.clone(),
    }
}

#[test]
fn a_refusal_is_told_as_one_and_not_corrected() {
    let model = Scripted::stopping(StopReason::Refused, card(), [Ok(says("I cannot help with that."))]);
    let mut agent = Generalist::new(model.clone(), None, LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let reply = act(&mut agent, 0).unwrap();
    assert_eq!((model.asked().len(), reply.slips.len()), (1, 0));
    let read = reply.read(&briefing().surface).unwrap().to_string();
    assert_eq!(read, r#"{"do":"give_up","reason":"the model refuses: I cannot help with that."}"#);
}

#[test]
fn notes_are_taken_beside_an_action_and_before_it() {
    let note = json!({"text": "valve K7: 41.3"});
    let model = Scripted::new(
        card(),
        [
            Ok(several(&[("note", note), ("click", json!({"x": 3, "y": 4}))])),
            Ok(several(&[("plan", json!({"items": ["look", "press"]}))])),
            Ok(click("c")),
        ],
    );
    let mut agent = Generalist::new(model.clone(), None, LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let first = act(&mut agent, 0).unwrap();
    let second = act(&mut agent, 1).unwrap();
    assert_eq!(first.tools, ["note"]);
    assert_eq!(second.tools, ["plan"]);
    assert_eq!(second.usage.unwrap().input_tokens, 200, "both calls are paid for");
    insta::assert_snapshot!(told(model.asked().last().unwrap()), @r#"
    User: # Task / Press the button. | Turn 1. / Remaining: 30 steps | (40, 20)
    Assistant: note{"text":"valve K7: 41.3"} | click{"x":3,"y":4}
    User: <note-0: noted as number 1> | <click-1: came of turn 1> | Turn 2. / Remaining: 29 steps | (40, 20)
    Assistant: plan{"items":["look","press"]}
    User: <plan-0: this is the plan now>
    "#);
}

#[test]
fn what_goes_against_the_form_is_told_once() {
    let noting: Vec<(&str, serde_json::Value)> = vec![("note", json!({"text": "x"})); 9];
    let model = Scripted::new(
        card(),
        [
            Ok(says("I would click.")),
            Ok(click("a")),
            Ok(several(&noting)),
            Ok(several(&[("click", json!({"x": 1, "y": 1})), ("type", json!({"text": "x"}))])),
            Ok(click("b")),
        ],
    );
    let mut agent = Generalist::new(model.clone(), None, LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let replies: Vec<Reply> = (0..3).map(|step_idx| act(&mut agent, step_idx).unwrap()).collect();
    let story: Vec<String> = replies
        .iter()
        .map(|reply| {
            let slips: Vec<String> = reply.slips.iter().map(|slip| format!("{:?}", slip.kind)).collect();
            let read =
                reply.read(&briefing().surface).map_or_else(|why| format!("? {why}"), |action| action.to_string());
            format!("{slips:?} {:?} {read}", reply.tools)
        })
        .collect();
    insta::assert_snapshot!(story.join("\n"), @r#"
    ["Prose"] [] {"do":"click","at":{"x":3.0,"y":4.0},"button":"left","held":[]}
    ["Plan"] [] ? several actions found: answer with exactly one
    [] [] {"do":"click","at":{"x":3.0,"y":4.0},"button":"left","held":[]}
    "#);
    insta::assert_snapshot!(told(model.asked().last().unwrap()), @r#"
    User: # Task / Press the button. | Turn 1. / Remaining: 30 steps | (40, 20)
    Assistant: I would click.
    User: Your reply holds words but no action. Call exactly one tool now; if the task is over, use the ending.
    Assistant: I think. | click{"x":3,"y":4}
    User: <a: came of turn 1> | Turn 2. / Remaining: 29 steps | (40, 20)
    Assistant: note{"text":"x"} | note{"text":"x"} | note{"text":"x"} | note{"text":"x"} | note{"text":"x"} | note{"text":"x"} | note{"text":"x"} | note{"text":"x"} | note{"text":"x"}
    User: <note-0!: Not carried out.> | <note-1!: Not carried out.> | <note-2!: Not carried out.> | <note-3!: Not carried out.> | <note-4!: Not carried out.> | <note-5!: Not carried out.> | <note-6!: Not carried out.> | <note-7!: Not carried out.> | <note-8!: Not carried out.> | Your reply is a plan; nothing of it was carried out. Call exactly one tool now; if the task is over, use the e
    Assistant: click{"x":1,"y":1} | type{"text":"x"}
    User: <click-0: came of turn 2> | <type-1: came of turn 2> | Turn 3. / Remaining: 28 steps | (40, 20)
    "#);
}

/// A world of long texts, in turns of about 1,000 tokens.
fn long(step_idx: u32) -> Observation {
    let text = format!("record {step_idx}: {}", "word ".repeat(800));
    let remaining = format!("{} steps", 100 - step_idx);
    observation(step_idx % 30).with_text(ObservationPart::Remaining, remaining).with_text(ObservationPart::Tree, text)
}

fn small() -> ModelCard {
    ModelCard { context: 14_000, ..card() }
}

/// Answers for so many turns: a note in every third, and a summary whenever one is asked for.
struct Clerk {
    card: ModelCard,
    asked: std::sync::Mutex<Vec<Request>>,
}

impl Clerk {
    fn new() -> Arc<Self> {
        Arc::new(Self { card: small(), asked: std::sync::Mutex::default() })
    }
}

impl Model for Clerk {
    fn ask(&self, request: &Request, _within: Duration) -> Result<quintain_models::model::Response, ModelError> {
        let idx = request.step_idx;
        self.asked.lock().unwrap().push(request.clone());
        let step = [("click", json!({"x": 3, "y": 4}))];
        let message = match (request.purpose, idx % 3) {
            (Purpose::Summarise, _) => says(&format!("up to turn {idx}")),
            (_, 0) => several(&[("note", json!({"text": format!("turn {idx} was seen")})), step[0].clone()]),
            _ => Message { pieces: [says(&"thinking ".repeat(80)).pieces, several(&step).pieces].concat(), ..says("") },
        };
        let usage = Usage { input_tokens: request_tokens(request) + 300, ..Usage::nothing() };
        Ok(quintain_models::model::Response {
            message,
            stop: quintain_models::model::StopReason::Called,
            usage,
            held_up: false,
        })
    }

    fn wasted(&self) -> Usage {
        Usage::nothing()
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }
}

fn play(model: &Arc<Clerk>, agent: &mut Generalist, turns: std::ops::Range<u32>) -> Vec<Reply> {
    let model_before = model.asked.lock().unwrap().len();
    let replies = turns.map(|idx| agent.act(&turn(idx, &long(idx)), WITHIN).unwrap()).collect();
    assert!(model.asked.lock().unwrap().len() > model_before);
    replies
}

#[test]
fn a_resumed_trial_sends_the_same_bytes_across_compactions() {
    let model = Clerk::new();
    let mut agent =
        Generalist::new(model.clone(), None, LoopOptions { max_output: Some(1_000), ..LoopOptions::default() });
    agent.begin(&briefing()).unwrap();
    let replies = play(&model, &mut agent, 0..60);
    let asked = model.asked.lock().unwrap().clone();
    let n_summaries = asked.iter().filter(|request| request.purpose == Purpose::Summarise).count();
    assert!(n_summaries >= 2, "{n_summaries}");
    let longest = asked.iter().map(request_tokens).max().unwrap();
    assert!(longest < 13_000, "{longest}");
    assert!(asked.last().unwrap().system.contains("turn 0 was seen"), "notes outlast compactions");

    for cut in [1, 7, 19, 20, 21, 40, 59] {
        let resumed = Clerk::new();
        let mut agent =
            Generalist::new(resumed.clone(), None, LoopOptions { max_output: Some(1_000), ..LoopOptions::default() });
        agent.begin(&briefing()).unwrap();
        for (idx, reply) in (0..).zip(&replies[..cut as usize]) {
            let mut seen = long(idx);
            seen.texts.insert(ObservationPart::Remaining, "another time".to_owned());
            let reply: Reply = serde_json::from_str(&serde_json::to_string(reply).unwrap()).unwrap();
            agent.recall(&turn(idx, &seen), &reply);
        }
        assert!(resumed.asked.lock().unwrap().is_empty(), "nothing is asked twice");
        assert_eq!(play(&resumed, &mut agent, cut..60), replies[cut as usize..], "after {cut} turns");
        let after: Vec<Request> = asked.iter().filter(|request| request.step_idx >= cut).cloned().collect();
        assert_eq!(*resumed.asked.lock().unwrap(), after, "after {cut} turns");
    }
}

#[test]
fn a_provider_that_finds_it_too_long_is_asked_for_less() {
    let overflow = || Err(ModelError::Overflow { model: "chat/test".to_owned() });
    let answers = [Ok(click("a")), Ok(click("b")), overflow(), Ok(says("so far")), Ok(click("c"))];
    let model = Scripted::new(card(), answers);
    let mut agent = Generalist::new(model.clone(), None, LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    for idx in 0..3 {
        agent.act(&turn(idx, &long(idx)), WITHIN).unwrap();
    }
    let sizes: Vec<u64> = model.asked().iter().map(request_tokens).collect();
    assert!(sizes[4] < sizes[2] / 2 + 100, "{sizes:?}");
    let hopeless = Scripted::new(card(), std::iter::repeat_with(overflow).take(9));
    let mut agent = Generalist::new(hopeless, None, LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let error = act(&mut agent, 0).unwrap_err().to_string();
    assert!(error.contains("does not fit into its context"), "{error}");
}

#[test]
fn one_who_sees_works_for_one_who_does_not() {
    let blind = ModelCard { sees: false, ..card() };
    let main = Scripted::new(
        blind.clone(),
        [
            Ok(calls("look", "look_at_screen", json!({"question": "What is there?"}))),
            Ok(calls("go", "delegate_gui", json!({"goal": "Press the button.", "max_steps": 2}))),
            Ok(calls("end", "done", json!({}))),
        ],
    );
    let gui = || {
        [
            Ok(says("A button.")),
            Ok(click("g1")),
            Ok(says("done()")),
            Ok(calls("g2", "done", json!({}))),
            Ok(calls("g3", "report", json!({"summary": "It is pressed."}))),
        ]
    };
    let seer = Scripted::new(card(), gui());
    let mut agent = Generalist::new(main.clone(), Some(seer.clone()), LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let replies: Vec<Reply> = (0..3).map(|idx| act(&mut agent, idx).unwrap()).collect();
    let story: Vec<String> =
        replies.iter().map(|reply| format!("{:?} {} {:?}", reply.tools, reply.raw, reply.slips)).collect();
    insta::assert_snapshot!(story.join("\n"), @r#"
    ["look_at_screen", "delegate_gui"] {"arguments":{"x":3,"y":4},"name":"click"} []
    [] the assistant at the screen said nothing that can be carried out [Slip { kind: Prose, said: "done()" }]
    ["report"] {"arguments":{},"name":"done"} []
    "#);
    insta::assert_snapshot!(told(main.asked().last().unwrap()), @r#"
    User: # Task / Press the button. | Turn 1. / Remaining: 30 steps
    Assistant: I think. | look_at_screen{"question":"What is there?"}
    User: <look: A button.>
    Assistant: I think. | delegate_gui{"goal":"Press the button.","max_steps":2}
    User: <go: It is pressed.> | Turn 3. / Feedback: came of turn 2 / Remaining: 28 steps
    "#);
    insta::assert_snapshot!(told(seer.asked().last().unwrap()), @r#"
    User: The goal: / Press the button. | Turn 1. / Remaining: 30 steps | (40, 20)
    Assistant: I think. | click{"x":3,"y":4}
    User: <g1: came of turn 1> | Turn 2. / Remaining: 29 steps | (40, 20)
    Assistant: done()
    User: Your reply holds words but no action. Call exactly one tool now; if the task is over, use the ending.
    Assistant: I think. | done{}
    User: <g2: came of turn 2> | Turn 3. / Remaining: 28 steps | (40, 20) | You may take no more actions: call `report` now.
    "#);
    let asked = seer.asked();
    let names: Vec<&str> = asked[3].tools.iter().filter_map(tools::name).collect();
    assert!(!names.contains(&"done") && names.contains(&"click"), "{names:?}");

    // The same again from the record, cut in the middle of what was handed on.
    let resumed = Scripted::new(blind, [Ok(calls("end", "done", json!({})))]);
    let rest = Scripted::new(card(), [gui()[4].clone()]);
    let mut agent = Generalist::new(resumed.clone(), Some(rest.clone()), LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    (0..2).for_each(|idx| agent.recall(&turn(idx, &observation(idx)), &replies[idx as usize]));
    assert_eq!(act(&mut agent, 2).unwrap(), replies[2]);
    assert_eq!(resumed.asked(), main.asked()[2..]);
    assert_eq!(rest.asked(), seer.asked()[4..]);
}

#[test]
fn two_who_only_hand_the_work_to_each_other_come_to_an_end() {
    let n_goals = work::MAX_INNER + 2;
    let goal = |n| Ok(calls(&format!("go-{n}"), "delegate_gui", json!({"goal": "Press the button."})));
    let report = |n| Ok(calls(&format!("back-{n}"), "report", json!({"summary": "I cannot find it."})));
    let blind = Scripted::new(ModelCard { sees: false, ..card() }, (0..n_goals).map(goal));
    let seer = Scripted::new(card(), (0..n_goals).map(report));
    let mut agent = Generalist::new(blind.clone(), Some(seer.clone()), LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let reply = act(&mut agent, 0).unwrap();
    assert_eq!(
        (blind.asked().len(), seer.asked().len()),
        (n_goals, work::MAX_INNER),
        "one correction, then it goes on"
    );
    assert!(reply.raw.contains("delegate_gui") && reply.slips.len() == 1, "{reply:?}");
}

#[test]
fn it_is_told_who_it_is_and_what_there_is() {
    let mut briefing = briefing();
    briefing.surface.groups.insert(ActionGroup::Shell);
    let told =
        ListenerFacts { screen: Some((40, 20)), points: quintain_models::model::Points::Thousandths, is_blind: false };
    insta::assert_snapshot!(prompts::system(&briefing, told), @"
    You are working alone on a task with the tools of a computer environment. Nobody answers questions while you work: where
    something is open, choose what a careful colleague would choose and go on. The task is over when you say so with one of
    the ending tools, or when one of your limits is used up; only what is in the environment, or in your answer, by then
    counts.

    # Tools
    - In every turn call exactly one tool that acts on the environment, or one that ends the task. What came of it, and what
      the environment looks like then, is in the next message, which begins with the number of the turn.
    - `note` and `plan` act on nothing and use up no turn; you may call them beside an action or before it.
    - Points on the screen are from 0 to 1000 across and down, whatever the size of the picture. Before you click, look at where things are now, not at where they were.
    - Where a command does the work as well as the screen does, prefer the command. Keep what it prints short: long
      outputs push older things out of view.

    # Limits
    You have 30 turns in all. The screen is 40 pixels wide and 20 pixels high.
    This conversation is shortened when it becomes too long: old results disappear first, then old exchanges are replaced by
    a summary. Your notes are kept word for word. Whatever you will need later, a value, a name, a decision, write down with
    `note` when you see it.

    # Rules
    - Look at what came of an action before you choose the next one. If nothing changed, do not repeat it: find out why.
    - Check the result against the task's own words before you end.
    - Do not invent values: read them, compute them, or say that they cannot be had.
    - Do only what the task asks for. Leave everything else as it is, and do not look for ways around the environment.
    - When the task is done, end with `done`; nothing counts if you never end. End with `give_up` only when the task cannot be done as it is put.
    ");
    let notes = ModelNotes { notes: vec!["a: 1".to_owned(), "b: {{ 2 }}".to_owned()], plan: vec!["look".to_owned()] };
    insta::assert_snapshot!(prompts::notes(&notes), @"
    # Your plan
    1. look
    # Your notes
    1. a: 1
    2. b: {{ 2 }}
    ");
    assert_eq!(prompts::notes(&ModelNotes::default()), "");
    for (name, text) in prompts::ALL {
        assert!(text.starts_with("{# version "), "{name}");
    }
}

#[test]
fn actions_in_words_are_not_for_this_loop() {
    let manner = LoopOptions { mode: Some(Mode::Text), ..LoopOptions::default() };
    let mut agent = Generalist::new(Scripted::new(card(), []), None, manner);
    let error = agent.begin(&briefing()).unwrap_err().to_string();
    insta::assert_snapshot!(error, @"setup fault: the generalist loop calls tools; use tools=native, tools=schema or tools=marks");
}

#[test]
fn one_who_is_shown_only_pictures_has_to_see() {
    let blind = ModelCard { sees: false, ..card() };
    let both = Generalist::new(
        Scripted::new(blind.clone(), []),
        Some(Scripted::new(blind.clone(), [])),
        LoopOptions::default(),
    )
    .begin(&briefing());
    let error = both.unwrap_err().to_string();
    insta::assert_snapshot!(error, @"setup fault: chat/test cannot see either; gui= needs a model that can");
    let mut agent = Generalist::new(Scripted::new(blind, []), None, LoopOptions::default());
    let error = agent.begin(&briefing()).unwrap_err().to_string();
    insta::assert_snapshot!(error, @"setup fault: chat/test cannot see and nothing but pictures is shown; give gui=PROVIDER/NAME, or add --show tree");
    let mut briefing = briefing();
    briefing.surface.parts.insert(ObservationPart::Tree);
    assert_eq!(agent.begin(&briefing), Ok(()));
}
