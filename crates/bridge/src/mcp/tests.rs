//! What a guest finds over MCP, and what it does not.

use std::thread;
use std::time::Duration;

use quintain_core::surface::{ActionGroup, CallSchema, Surface, ValueType};
use quintain_core::{Agent, Briefing, InstanceId, Limits, Observation, ObservationPart, Picture, Spent, TrialId, Turn};
use serde_json::json;

use super::super::offered_tasks::TrialStarter;
use super::super::seat::{Guest, seat};
use super::*;

const LONG: Duration = Duration::from_mins(1);

/// Begins trials that show two turns and are over then.
struct Stage(Briefing);

impl TrialStarter for Stage {
    fn begin(&self, instance: &InstanceId) -> Result<(TrialId, Guest), NotBegun> {
        let (mut seat, guest, control) = seat(LONG);
        let briefing = self.0.clone();
        thread::spawn(move || {
            seat.begin(&briefing).unwrap();
            let observation = Observation::default()
                .with_text(ObservationPart::Feedback, "all is well")
                .with_picture(ObservationPart::Screen, Arc::new(Picture::filled(2, 2, [1, 2, 3])));
            let remaining = Limits::steps(2).left(&Spent::default());
            let mut said = Vec::new();
            for step_idx in 0..2 {
                said.push(seat.act(&Turn { step_idx, observation: &observation, remaining }, LONG).unwrap().raw);
            }
            assert_eq!(said, [r#"{"arguments":{"x":3,"y":4},"name":"click"}"#, r#"{"arguments":{},"name":"done"}"#]);
            control.over(GuestEnd::PutDown);
        });
        Ok((TrialId { instance: instance.clone(), agent: "guest".to_owned(), repeat: 0 }, guest))
    }
}

fn briefing(surface: Surface) -> Briefing {
    Briefing {
        instruction: "Rename the first node.".to_owned(),
        surface,
        limits: Limits::steps(2),
        answer: None,
        history: None,
        effort: None,
        seed: 1,
    }
}

fn screen() -> Surface {
    Surface {
        groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
        parts: [ObservationPart::Screen].into(),
        screen: Some((1280, 720)),
        ..Surface::default()
    }
}

fn desk(surface: Surface) -> McpServer {
    let instance = "test/dial#1".parse().unwrap();
    McpServer::new(Arc::new(GuestSlot::new(instance, Arc::new(Stage(briefing(surface))))))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn names(surface: Surface) -> String {
    let known = BegunTrial::of(&briefing(surface));
    known.tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_tools_are_the_worlds_actions_and_nothing_leads_to_the_reference() {
    let puzzle = Surface {
        groups: [ActionGroup::Call].into(),
        calls: vec![CallSchema::plain("undo", "Takes the last move back.").arg(
            "n",
            ValueType::Integer { min: 1, max: 9 },
            "How many.",
            1,
        )],
        ..Surface::default()
    };
    insta::assert_snapshot!(names(puzzle.clone()), @"look undo done give_up");
    insta::assert_snapshot!(names(screen()), @"look key key_down key_up type hold_key mouse_move click drag mouse_down mouse_up scroll screenshot cursor_position wait zoom goto back forward done give_up");
    let known = BegunTrial::of(&briefing(puzzle));
    insta::assert_snapshot!(json!(known.tools[1]), @r#"{"description":"Takes the last move back.","inputSchema":{"properties":{"n":{"description":"How many.","maximum":9,"minimum":1,"type":"integer"}},"required":["n"],"type":"object"},"name":"undo"}"#);
}

#[test]
fn nothing_but_tools_is_offered() {
    let capabilities = json!(desk(screen()).get_info().capabilities);
    insta::assert_snapshot!(capabilities, @r#"{"tools":{}}"#);
}

fn told(result: &CallToolResult) -> String {
    let block = |block: &ContentBlock| match (block.as_text(), block.as_image()) {
        (Some(text), _) => text.text.clone(),
        (None, Some(image)) => format!("<{}>", image.mime_type),
        (None, None) => "?".to_owned(),
    };
    result.content.iter().map(block).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_trial_is_played_by_calls_and_ends_without_a_verdict() {
    let desk = desk(screen());
    let told = block_on(async {
        let mut lines = Vec::new();
        for (name, arguments) in [
            (LOOK, json!({})),
            ("judge", json!({})),
            ("click", json!({"x": 3, "y": 4})),
            ("done", json!({})),
            ("done", json!({})),
            (LOOK, json!({})),
        ] {
            let mut call = CallToolRequestParams::new(name);
            call.arguments = arguments.as_object().cloned();
            lines.push(match desk.call(call).await {
                Ok(result) => format!("{name} -> {}", told(&result)),
                Err(error) => format!("{name} -> refused: {}", error.message),
            });
        }
        lines.join("\n")
    });
    insta::assert_snapshot!(told, @r"
    look -> Turn 1.
    feedback: all is well
    <image/png>
    judge -> refused: there is no tool `judge`
    click -> Turn 2.
    feedback: all is well
    <image/png>
    done -> The trial is over. The host closes.
    done -> The trial is over. The host closes.
    look -> The trial is over. The host closes.
    ");
}

/// Whoever serves it knows by which names it is reached; `own_host` refuses foreign names where it is on loopback.
#[test]
fn a_client_from_elsewhere_is_answered() {
    use tower::ServiceExt as _;

    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let request = axum::http::Request::post("/")
        .header("host", "workstation.lan:8000")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(axum::body::Body::from(body))
        .unwrap();
    let answer = block_on(desk(screen()).router().oneshot(request)).unwrap();
    assert_eq!(answer.status().as_u16(), 200);
}
