//! Bodies of requests: JSON, with pictures in base 64 in between. A picture is written once, however many requests it is
//! in: what is sent is a row of parts, some of them ours and some shared by every body that holds the picture. Copying
//! pictures, or even looking at their letters, takes longer than everything else that is done for a turn; after them it is
//! the schemas of tools, which are written once too.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use serde_json::Value;

use crate::model::{EncodedImage, Piece, Request, Tool, ToolSchema};

/// What marks begin with that stand for a picture and for a schema. JSON is never sent with them, since they have to be
/// escaped there.
const PICTURE: char = '\0';
const SCHEMA: char = '\u{1}';

/// The body of a request. A text of its JSON that ends in the mark of a picture has the picture in its place; one that is
/// the mark of a schema is that schema.
#[derive(Clone, Debug, PartialEq)]
pub struct WireBody {
    /// The JSON, with marks.
    pub json: Value,
    pictures: Vec<EncodedImage>,
    schemas: Vec<ToolSchema>,
}

impl WireBody {
    /// A body that may have the pictures and the schemas of this request in it.
    pub fn new(json: Value, request: &Request) -> Self {
        let mut pictures = Vec::new();
        request.messages.iter().for_each(|message| collect(&message.pieces, &mut pictures));
        let schemas = request.tools.iter().filter_map(|tool| match tool {
            Tool::Function { schema, .. } => Some(schema.clone()),
            Tool::Computer { .. } => None,
        });
        Self { json, pictures, schemas: schemas.collect() }
    }

    /// A body without marks.
    #[cfg(test)]
    pub(crate) fn plain(json: Value) -> Self {
        Self { json, pictures: Vec::new(), schemas: Vec::new() }
    }

    /// What is sent, one part after another: the JSON as `serde_json` writes it, letter by letter the same.
    pub(crate) fn parts(&self) -> Vec<Bytes> {
        let mut writer = BodyWriter { body: self, ended: Vec::new(), open: Vec::new() };
        writer.write(&self.json);
        writer.ended.push(writer.open.into());
        writer.ended
    }

    /// The same in one piece.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.parts().concat()
    }

    /// The JSON as it is read by the other side.
    #[cfg(test)]
    pub(crate) fn told(&self) -> Value {
        serde_json::from_slice(&self.bytes()).expect("it is JSON")
    }
}

/// What stands for a picture in the body of a request that shows it.
pub(in crate::providers) fn mark(image: &EncodedImage) -> String {
    format!("{PICTURE}{:x}", image.place())
}

/// What stands for a schema in the body of a request that offers a tool with it.
pub(in crate::providers) fn schema_mark(schema: &ToolSchema) -> String {
    format!("{SCHEMA}{:x}", schema.place())
}

fn collect(pieces: &[Piece], found: &mut Vec<EncodedImage>) {
    for piece in pieces {
        match piece {
            Piece::Picture(image) => found.push(image.clone()),
            Piece::Outcome { pieces, .. } => collect(pieces, found),
            Piece::Text { .. } | Piece::Thought { .. } | Piece::Call(_) => {}
        }
    }
}

struct BodyWriter<'a> {
    body: &'a WireBody,
    ended: Vec<Bytes>,
    open: Vec<u8>,
}

impl<'a> BodyWriter<'a> {
    fn write(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.write_text(text),
            Value::Array(items) => self.write_list(*b"[]", items.iter(), Self::write),
            Value::Object(fields) => self.write_list(*b"{}", fields.iter(), |writer, (name, value)| {
                writer.write_text(name);
                writer.open.push(b':');
                writer.write(value);
            }),
            plain => serde_json::to_writer(&mut self.open, plain).expect("memory can always be written to"),
        }
    }

    fn write_list<T>(&mut self, [opens, closes]: [u8; 2], items: impl Iterator<Item = T>, one: impl Fn(&mut Self, T)) {
        self.open.push(opens);
        for (idx, item) in items.enumerate() {
            if idx > 0 {
                self.open.push(b',');
            }
            one(self, item);
        }
        self.open.push(closes);
    }

    fn write_text(&mut self, text: &str) {
        if stands_as_it_is(text.as_bytes()) {
            self.write_quoted(text);
        } else if let Some(schema) = self.schema(text) {
            self.open.extend_from_slice(schema.text().as_bytes());
        } else if let Some((before, image)) = self.picture(text) {
            let picture = image.base64();
            self.open.push(b'"');
            self.open.extend_from_slice(before.as_bytes());
            self.ended.extend([std::mem::take(&mut self.open).into(), picture]);
            self.open.push(b'"');
        } else {
            serde_json::to_writer(&mut self.open, text).expect("a text can always be written");
        }
    }

    fn write_quoted(&mut self, text: &str) {
        self.open.push(b'"');
        self.open.extend_from_slice(text.as_bytes());
        self.open.push(b'"');
    }

    /// What stands before the mark of a picture, and the picture. Nobody but us knows where a picture is in memory, so
    /// that no other text names one.
    fn picture<'t>(&self, text: &'t str) -> Option<(&'t str, &'a EncodedImage)> {
        let (before, named) = text.split_once(PICTURE)?;
        let place = usize::from_str_radix(named, 16).ok()?;
        let image = self.body.pictures.iter().find(|image| image.place() == place)?;
        stands_as_it_is(before.as_bytes()).then_some((before, image))
    }

    /// The schema that a text is the mark of.
    fn schema(&self, text: &str) -> Option<&'a ToolSchema> {
        let place = usize::from_str_radix(text.strip_prefix(SCHEMA)?, 16).ok()?;
        self.body.schemas.iter().find(|schema| schema.place() == place)
    }
}

/// Whether nothing in it has to be escaped. There is no way out of the loop before its end, so that many letters are
/// looked at at once.
fn stands_as_it_is(text: &[u8]) -> bool {
    let marks = |byte: u8| u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\');
    text.iter().fold(0, |marked, byte| marked | marks(*byte)) == 0
}

/// Parts on their way. How long they are together is known before the first goes, so that it is told in the head of the
/// request as for a body in one piece.
pub(crate) struct PartedBody {
    parts: VecDeque<Bytes>,
    n_left: u64,
}

impl From<Vec<Bytes>> for PartedBody {
    fn from(parts: Vec<Bytes>) -> Self {
        let n_left = parts.iter().map(|part| part.len() as u64).sum();
        Self { parts: parts.into(), n_left }
    }
}

impl http_body::Body for PartedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.parts.pop_front();
        self.n_left -= next.as_ref().map_or(0, |part| part.len() as u64);
        Poll::Ready(next.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.n_left)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::model::{Message, MessageRole};
    use crate::providers::codec::sample;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            Just(Value::from("\u{0}7f00")),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|fields| json!(fields)),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_is_what_serde_json_writes(value in values()) {
            let body = WireBody::plain(value.clone());
            prop_assert_eq!(String::from_utf8(body.bytes()).unwrap(), value.to_string());
        }
    }

    fn image(png: &[u8]) -> EncodedImage {
        EncodedImage::new(png.to_vec(), (1, 1))
    }

    #[test]
    fn a_picture_is_written_once_and_shared_by_all_bodies() {
        let (one, other) = (image(b"one"), image(b"other"));
        let outcome = Piece::Outcome {
            id: "1".to_owned(),
            name: "look".to_owned(),
            pieces: vec![Piece::Picture(other.clone())],
            is_error: false,
        };
        let message = Message { role: MessageRole::User, pieces: vec![Piece::Picture(one.clone()), outcome] };
        let stranger = image(b"one");
        let schema = ToolSchema::from(json!({ "type": "object" }));
        let tool = Tool::Function { name: "a".to_owned(), about: String::new(), schema: schema.clone() };
        let request = Request { messages: vec![message], ..sample::opening(vec![tool]) };
        let pictures = [mark(&one), format!("data:image/png;base64,{}", mark(&other)), mark(&stranger)];
        let body = WireBody::new(json!([pictures, schema_mark(&schema)]), &request);
        let escaped = Value::from(mark(&stranger)).to_string();
        let written = String::from_utf8(body.bytes()).unwrap();
        assert_eq!(written, format!(r#"[["b25l","data:image/png;base64,b3RoZXI=",{escaped}],{{"type":"object"}}]"#));
        let places = |body: &WireBody| body.parts().iter().map(|part| part.as_ptr()).collect::<Vec<_>>();
        let (first, again) = (places(&body), places(&body));
        assert_eq!((first[1], first[3]), (again[1], again[3]), "the pictures are not copied");
        assert_ne!(first[0], again[0], "what is around them is");
    }
}
