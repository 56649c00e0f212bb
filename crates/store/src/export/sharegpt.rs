//! Conversations in which `<image>` stands for the next picture of a list.

use serde_json::{Value, json};

use super::PictureLink;
use super::prose::{ProsePiece, before_reply};
use crate::run::AttemptRecord;

/// The marks that training tools replace by pictures, films and sounds.
const MARKS: [&str; 3] = ["<image>", "<video>", "<audio>"];

/// One trial as `{"conversations": [...], "images": [...]}`. There are as many `<image>` marks as images.
pub fn sharegpt(record: &AttemptRecord, link: &PictureLink<'_>) -> Value {
    let briefing = record.briefing();
    let mut conversations = Vec::new();
    let mut images = Vec::new();
    for (step_idx, step) in record.steps().iter().enumerate() {
        let pieces = before_reply(briefing, step_idx, &step.shown);
        let lines: Vec<String> = pieces.iter().map(|piece| line(piece, &mut images, link)).collect();
        conversations.push(json!({"from": "human", "value": lines.join("\n")}));
        conversations.push(json!({"from": "gpt", "value": unmarked(&step.reply.raw)}));
    }
    json!({"conversations": conversations, "images": images})
}

/// A piece as a line of a message; the pictures that are marked in it are added to the list.
pub(crate) fn line(piece: &ProsePiece, images: &mut Vec<String>, link: &PictureLink<'_>) -> String {
    match piece {
        ProsePiece::Text(text) => unmarked(text),
        ProsePiece::Picture(digest) => {
            images.push(link(*digest));
            "<image>".to_owned()
        }
    }
}

/// A text in which nothing is taken for a mark: an agent may write `<image>`, and the count must still be right.
fn unmarked(text: &str) -> String {
    MARKS.iter().fold(text.to_owned(), |text, mark| text.replace(mark, &mark.replace('<', "< ")))
}
