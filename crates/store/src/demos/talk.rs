//! A demonstration as text: conversations, chat messages, a trajectory.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use quintain_core::Digest;
use serde_json::{Value, json};

use super::{DemoMessage, Demonstration, PictureForm, PicturePacking, Speaker};
use crate::export::{PictureLink, ProsePiece, messages, sharegpt};
use crate::run::{AgentUsed, RunHeader};

/// Where a picture lies, from the folder of the demonstrations.
pub(super) fn path_of(digest: Digest, packing: PicturePacking) -> String {
    let name = digest.to_string();
    format!("images/{}/{name}{}", &name[..2], packing.ending())
}

/// The messages as words in which `<image>` stands for the next of the pictures.
pub(super) fn marked(demo: &Demonstration, link: &PictureLink<'_>) -> (Vec<(Speaker, String)>, Vec<String>) {
    let mut images = Vec::new();
    let mut said = |message: &DemoMessage| {
        let lines: Vec<String> = message.pieces.iter().map(|piece| sharegpt::line(piece, &mut images, link)).collect();
        (message.speaker, lines.join("\n"))
    };
    let talk = demo.messages.iter().map(&mut said).collect();
    (talk, images)
}

/// The name of a speaker in conversations.
pub(super) fn from(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "human",
        Speaker::Assistant => "gpt",
    }
}

/// The name of a speaker in chat messages.
pub(super) fn role(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    }
}

/// As a conversation with `<image>` marks.
pub(super) fn conversation(demo: &Demonstration) -> Value {
    let (talk, images) = marked(demo, &|digest| path_of(digest, demo.packing));
    let said = |(speaker, value): &(Speaker, String)| json!({"from": from(*speaker), "value": value});
    let conversations: Vec<Value> = talk.iter().map(said).collect();
    let row = json!({
        "id": demo.facts.instance,
        "system": demo.system,
        "conversations": conversations,
        "images": images,
    });
    with_reasons(row, demo)
}

/// A row with the solver's reasons beside what is said, where there are any: they are no part of the conversation.
fn with_reasons(mut row: Value, demo: &Demonstration) -> Value {
    if !demo.facts.reasons.is_empty() {
        row["reasons"] = json!(demo.facts.reasons);
    }
    row
}

/// As chat messages, the pictures as paths or within the text.
pub(super) fn chat(demo: &Demonstration, pictures: PictureForm) -> Value {
    let link = |digest: Digest| match pictures {
        PictureForm::Linked => path_of(digest, demo.packing),
        PictureForm::Inline => data_url(demo, digest),
    };
    let mut told = vec![json!({"role": "system", "content": demo.system})];
    told.extend(
        demo.messages.iter().map(|message| json!({"role": role(message.speaker), "content": content(message, &link)})),
    );
    with_reasons(json!({"messages": told}), demo)
}

fn content(message: &DemoMessage, link: &PictureLink<'_>) -> Value {
    match message.pieces.as_slice() {
        [ProsePiece::Text(words)] => words.clone().into(),
        pieces => pieces.iter().map(|piece| messages::part(piece, link)).collect(),
    }
}

fn data_url(demo: &Demonstration, digest: Digest) -> String {
    let png = demo.pictures.iter().find(|(name, _)| *name == digest).map_or(&[][..], |(_, png)| png);
    format!("data:{};base64,{}", demo.packing.media_type(), BASE64_STANDARD.encode(png))
}

/// As a trajectory, by the exporter of runs.
pub(super) fn trajectory(demo: &Demonstration, version: &str) -> Value {
    let mut header = RunHeader::new("demos", "");
    header.fingerprint.insert("quintain".to_owned(), version.to_owned());
    header.agents.push(AgentUsed {
        label: demo.record.trial.agent.clone(),
        spec: demo.record.trial.agent.clone(),
        ..AgentUsed::default()
    });
    let link = |digest: Digest| format!("../{}", path_of(digest, demo.packing));
    let mut trajectory = crate::export::atif(&header, &demo.record, &link);
    trajectory["extra"]["demonstration"] = json!(demo.facts);
    trajectory
}
