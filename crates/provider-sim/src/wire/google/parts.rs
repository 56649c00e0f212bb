//! Single parts of a conversation as Google reads them.

use serde_json::Value;

use super::super::{WrongRequest, weigh};
use super::request::{array, only};
use super::signature;
use crate::asked::SaidMessage;
use crate::picture;

/// What a part can hold, of which it must hold one.
const DATA: [&str; 4] = ["text", "inlineData", "functionCall", "functionResponse"];
/// What can be said of it besides.
const BESIDES: [&str; 4] = ["thought", "thoughtSignature", "mediaResolution", "partMetadata"];

/// The largest file within a request. Source:
/// <https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding>, "Maximum file size per file
/// for inline data".
const MOST_BYTES_OF_FILE: usize = 7 << 20;

/// A part, read.
pub(super) struct GooglePart {
    /// What it says: never empty.
    pub(super) said: Vec<SaidMessage>,
    /// The id, where given, and the name of the call that it responds to.
    pub(super) response: Option<(Option<String>, String)>,
    signature: Option<String>,
}

/// Reads a part.
pub(super) fn read(at: &str, part: &Value) -> Result<GooglePart, WrongRequest> {
    only(at, part, &[&DATA[..], &BESIDES[..]].concat())?;
    let held: Vec<&str> = DATA.into_iter().filter(|key| !part[*key].is_null()).collect();
    let [held] = held[..] else {
        return Err(WrongRequest::request(format!(
            "* GenerateContentRequest.{at}.data: required oneof field 'data' must have one initialized field"
        )));
    };
    let data = &part[held];
    let mut response = None;
    let said = match held {
        "text" => vec![text(at, part)?],
        "inlineData" => vec![image(&format!("{at}.inline_data"), data)?],
        "functionCall" => vec![call(&format!("{at}.function_call"), data)?],
        _ => {
            let name = data["name"].as_str().unwrap_or_default();
            response = Some((data["id"].as_str().map(str::to_owned), name.to_owned()));
            function_response(&format!("{at}.function_response"), data)?
        }
    };
    let signature = part["thoughtSignature"].as_str().map(str::to_owned);
    Ok(GooglePart { said, response, signature })
}

/// Checks the signature of a call, which the first of those that come together must have.
pub(super) fn signed(
    content_idx: usize,
    piece: &GooglePart,
    id: &str,
    name: &str,
    is_first: bool,
) -> Result<(), WrongRequest> {
    match &piece.signature {
        None if is_first => Err(WrongRequest::request(format!(
            "Function call `{name}` in the `{}.` content block is missing a `thought_signature`.",
            content_idx + 1
        ))),
        Some(given) if *given != signature(id, name) => Err(WrongRequest::request("Corrupted thought signature.")),
        _ => Ok(()),
    }
}

fn text(at: &str, part: &Value) -> Result<SaidMessage, WrongRequest> {
    let text = part["text"].as_str();
    let text = text.ok_or_else(|| WrongRequest::request(format!("Invalid value at '{at}.text' (TYPE_STRING)")))?;
    Ok(if part["thought"] == true { weigh::thought(text) } else { weigh::words(text) })
}

fn image(at: &str, blob: &Value) -> Result<SaidMessage, WrongRequest> {
    only(at, blob, &["mimeType", "data", "displayName"])?;
    let (Some(kind), Some(data)) = (blob["mimeType"].as_str(), blob["data"].as_str()) else {
        return Err(WrongRequest::request(format!("Invalid value at '{at}': mime_type and data are required")));
    };
    if data.len() / 4 * 3 > MOST_BYTES_OF_FILE {
        return Err(WrongRequest::request(format!("Unable to process input image at '{at}': it is larger than 7 MB")));
    }
    // Bytes are in either alphabet of base 64, as protobuf's JSON has it; the package `google-genai` sends the one for URLs.
    let size = picture::size(kind, &data.replace('-', "+").replace('_', "/"));
    let size = size.map_err(|why| WrongRequest::request(format!("Unable to process input image at '{at}': {why}")))?;
    Ok(weigh::picture(size, data))
}

fn call(at: &str, call: &Value) -> Result<SaidMessage, WrongRequest> {
    only(at, call, &["id", "name", "args"])?;
    let name = call["name"].as_str().filter(|name| !name.is_empty());
    let name = name
        .ok_or_else(|| WrongRequest::request(format!("* GenerateContentRequest.{at}.name: Name cannot be empty.")))?;
    Ok(weigh::call(call["id"].as_str().unwrap_or_default(), name, &call["args"]))
}

/// What came of a call: the words of the response and the pictures that are with it.
fn function_response(at: &str, response: &Value) -> Result<Vec<SaidMessage>, WrongRequest> {
    only(at, response, &["id", "name", "response", "parts", "willContinue", "scheduling"])?;
    if response["name"].as_str().is_none_or(str::is_empty) {
        return Err(WrongRequest::request(format!("* GenerateContentRequest.{at}.name: Name cannot be empty.")));
    }
    if !response["response"].is_object() {
        return Err(WrongRequest::request(format!(
            "Invalid value at '{at}.response' (type.googleapis.com/google.protobuf.Struct)"
        )));
    }
    let mut said = vec![weigh::outcome(response["id"].as_str().unwrap_or_default())];
    said.push(weigh::words(&words(&response["response"])));
    for (idx, part) in array(&response["parts"]).iter().enumerate() {
        let at = format!("{at}.parts[{idx}]");
        only(&at, part, &["inlineData"])?;
        said.push(image(&format!("{at}.inline_data"), &part["inlineData"])?);
    }
    Ok(said)
}

/// The strings of a response, each on lines of its own, so that what they say can be read as it was meant.
fn words(response: &Value) -> String {
    let fields = response.as_object().into_iter().flatten();
    let lines = fields.map(|(name, value)| match value {
        Value::String(text) => format!("{name}:\n{text}"),
        other => format!("{name}: {other}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}
