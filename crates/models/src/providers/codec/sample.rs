//! What the tests of all formats ask, and how they read fixtures.

use proptest::prelude::*;
use quintain_core::Surface;
use quintain_core::action::Dialect;
use quintain_core::agent::Effort;
use quintain_core::books::Purpose;
use quintain_core::surface::ActionGroup;
use serde_json::{Value, json};

use super::{Codec, DecodedAnswer, Decoder, StreamError};
use crate::model::{EncodedImage, Message, MessageRole, ModelCard, Piece, Points, Request, Tool};
use crate::picture_limit::PictureLimit;

/// A card of this name.
pub(in crate::providers) fn card(name: &str, computer: Option<Dialect>) -> ModelCard {
    ModelCard {
        name: name.to_owned(),
        computer,
        points: Points::Pixels,
        sees: true,
        context: 200_000,
        pictures: PictureLimit::default(),
    }
}

/// A picture. What is in it is no PNG: codecs do not look.
pub(in crate::providers) fn picture(content: &str) -> EncodedImage {
    EncodedImage::new(content.as_bytes().to_vec(), (1280, 720))
}

/// A function with one argument.
pub(in crate::providers) fn function() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": false,
    });
    Tool::Function { name: "answer".to_owned(), about: "Answers the question.".to_owned(), schema: schema.into() }
}

/// The first request of a conversation.
pub(in crate::providers) fn opening(tools: Vec<Tool>) -> Request {
    let pieces = vec![Piece::text("Turn 1."), Piece::Picture(picture("first"))];
    Request {
        system: "You use a computer.".to_owned(),
        messages: vec![Message { role: MessageRole::User, pieces }],
        tools,
        must_call: true,
        max_output: 4096,
        effort: None,
        purpose: Purpose::Act,
        step_idx: 0,
    }
}

/// The request that follows when the model has answered with this message: every call has an outcome with the next
/// screen, the last one has failed.
pub(in crate::providers) fn next(mut request: Request, answer: Message) -> Request {
    let n_calls = answer.calls().count();
    let outcomes = answer.calls().enumerate().map(|(call_idx, call)| Piece::Outcome {
        id: call.id.clone(),
        name: call.name.clone(),
        pieces: vec![Piece::text("There is no key `Foo`."), Piece::Picture(picture("second"))],
        is_error: call_idx + 1 == n_calls,
    });
    let mut pieces: Vec<Piece> = outcomes.collect();
    pieces.push(Piece::text("Turn 2."));
    request.messages.extend([answer, Message { role: MessageRole::User, pieces }]);
    request.effort = Some(Effort::High);
    request
}

/// A screen with mouse, keyboard and browser.
pub(in crate::providers) fn surface() -> Surface {
    Surface { screen: Some((1280, 720)), groups: [ActionGroup::Gui, ActionGroup::Browser].into(), ..Surface::default() }
}

/// The events of a recorded stream: names and data.
pub(in crate::providers) fn events(stream: &str) -> Vec<(String, String)> {
    let blocks = stream.split("\n\n").filter(|block| !block.trim().is_empty());
    let fields = |block: &str, field: &str| {
        let lines = block.lines().filter_map(|line| line.strip_prefix(field).map(|rest| rest.trim().to_owned()));
        lines.collect::<Vec<_>>().join("\n")
    };
    blocks.map(|block| (fields(block, "event:"), fields(block, "data:"))).collect()
}

/// Decodes a recorded stream.
pub(in crate::providers) fn decode(
    codec: &dyn Codec,
    tools: &[Tool],
    stream: &str,
) -> Result<DecodedAnswer, StreamError> {
    decode_events(codec.decoder(tools), &events(stream))
}

fn decode_events(mut decoder: Box<dyn Decoder>, events: &[(String, String)]) -> Result<DecodedAnswer, StreamError> {
    for (name, data) in events {
        decoder.event(name, data)?;
    }
    decoder.finish()
}

/// Checks that the stream, cut anywhere before its end, is no answer.
pub(in crate::providers) fn assert_cuts_are_seen(codec: &dyn Codec, stream: &str) {
    let events = events(stream);
    for n_events in 0..events.len() {
        let cut = decode_events(codec.decoder(&[]), &events[..n_events]);
        assert_eq!(cut.err(), Some(StreamError::Cut), "after {n_events} events");
    }
    assert!(decode_events(codec.decoder(&[]), &events).is_ok());
}

/// What was decoded, in short lines.
pub(in crate::providers) fn show(decoded: &Result<DecodedAnswer, StreamError>) -> String {
    let decoded = match decoded {
        Ok(decoded) => decoded,
        Err(error) => return format!("{error:?}"),
    };
    let pieces = decoded.message.pieces.iter().map(|piece| match piece {
        Piece::Text { text } => format!("text {text:?}\n"),
        Piece::Thought { text, opaque } => format!("thought {text:?} {}\n", opaque.clone().unwrap_or_default()),
        Piece::Call(call) => {
            let (native, opaque) = (call.native.as_deref().unwrap_or("-"), call.opaque.clone().unwrap_or_default());
            format!("call {} {} {}\n  native {native}\n  opaque {opaque}\n", call.id, call.name, call.input)
        }
        Piece::Picture(_) | Piece::Outcome { .. } => "?\n".to_owned(),
    });
    let pieces: String = pieces.collect();
    format!("{pieces}{:?} {:?} {:?}", decoded.stop, decoded.tokens, decoded.response_id)
}

/// Reads the native calls of an answer as its loop will: by the dialect, on the screen of the sample.
pub(in crate::providers) fn acts(dialect: Dialect, decoded: &DecodedAnswer) -> String {
    let read = decoded.message.calls().map(|call| match &call.native {
        Some(native) => match dialect.read_seen(native, &surface(), Some((1280, 720))) {
            Ok(action) => action.to_string(),
            Err(misread) => format!("? {misread}"),
        },
        None => format!("ours: {}", call.name),
    });
    read.collect::<Vec<_>>().join("\n")
}

/// Checks a body against a recorded one, and says where they differ in text.
pub(in crate::providers) fn assert_body(body: &Value, recorded: &str) {
    let recorded: Value = serde_json::from_str(recorded).expect("a fixture is JSON");
    let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("a value can be written");
    assert_eq!(pretty(body), pretty(&recorded));
}

/// Events that resemble those of a stream: some of them, in any order, with a value anywhere in them replaced or the
/// text cut, and some that are nothing at all.
pub(in crate::providers) fn strange_events(stream: &str) -> impl Strategy<Value = Vec<(String, String)>> + use<> {
    let events = events(stream);
    let strange = prop_oneof![
        Just(Value::Null),
        any::<u64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{"index": u64::MAX, "text": 1}])),
    ];
    let altered = (proptest::sample::select(events), any::<proptest::sample::Index>(), strange, 0..12_u8).prop_map(
        |((name, data), place, strange, how)| match how {
            0 => (name, data.chars().take(place.index(data.len() + 1)).collect()),
            1 => (name, strange.to_string()),
            2..=4 => (name, data),
            _ => {
                let altered = altered(&data, place, &strange);
                (name, altered)
            }
        },
    );
    proptest::collection::vec(altered, 0..12)
}

/// The text with one of its values replaced.
fn altered(data: &str, place: proptest::sample::Index, strange: &Value) -> String {
    let Ok(mut whole) = serde_json::from_str::<Value>(data) else { return data.to_owned() };
    let mut pointers = Vec::new();
    collect(&whole, String::new(), &mut pointers);
    if let Some(value) = whole.pointer_mut(place.get::<String>(&pointers)) {
        *value = strange.clone();
    }
    whole.to_string()
}

fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| collect(inner, format!("{at}/{key}"), pointers)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(idx, inner)| collect(inner, format!("{at}/{idx}"), pointers));
        }
        _ => {}
    }
    pointers.push(at);
}

/// Feeds events to a decoder, past its errors, and finishes it: all that matters is that it returns, and that what it
/// returns can be sent back.
pub(in crate::providers) fn survive(codec: &dyn Codec, events: &[(String, String)]) {
    let tools = vec![Tool::Computer { size: (1280, 720) }, function()];
    let mut decoder = codec.decoder(&tools);
    let n_errors = events.iter().filter(|(name, data)| decoder.event(name, data).is_err()).count();
    assert!(n_errors <= events.len());
    if let Ok(decoded) = decoder.finish() {
        let request = next(opening(tools), decoded.message);
        assert!(codec.wire(&card("any/model-5", None), &request, None).body.told().is_object());
    }
}
