//! Where a model last put the pointer, in its own numbers: what it is told when it asks.

use quintain_models::model::{Piece, ToolCall};
use serde_json::Value;

const QUESTION: &str = "cursor_position";

/// The pointer as a model left it; nothing before its first action of the mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PointerPlace(Option<(f64, f64)>);

impl PointerPlace {
    /// After a call was carried out.
    pub(super) fn follow(&mut self, call: &ToolCall) {
        self.0 = place_of(&said(call)).or(self.0);
    }

    /// The answer to a call that asks where it is, as the reference implementation of Anthropic's tool words it.
    pub(super) fn answer(self, call: &ToolCall) -> Option<Piece> {
        let asks = call.name == QUESTION || said(call)["action"] == QUESTION;
        let (x, y) = self.0.filter(|_| asks)?;
        Some(Piece::text(format!("X={x},Y={y}")))
    }
}

fn said(call: &ToolCall) -> Value {
    let native = call.native.as_deref().and_then(|native| serde_json::from_str(native).ok());
    native.unwrap_or_else(|| call.input.clone())
}

/// The place where an action ends.
fn place_of(said: &Value) -> Option<(f64, f64)> {
    let pair = |list: &Value| Some((list.get(0)?.as_f64()?, list.get(1)?.as_f64()?));
    let path = || pair(said.get("path")?.as_array()?.last()?);
    let named = |x: &str, y: &str| Some((said.get(x)?.as_f64()?, said.get(y)?.as_f64()?));
    said.get("coordinate").and_then(pair).or_else(path).or_else(|| named("x2", "y2")).or_else(|| named("x", "y"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_model_is_told_where_it_left_the_pointer() {
        let native = |input: Value| {
            let native = Some(input.to_string());
            ToolCall { id: "1".to_owned(), name: "computer".to_owned(), input, native, opaque: None }
        };
        let ours = |name: &str, input: Value| ToolCall {
            id: "1".to_owned(),
            name: name.to_owned(),
            input,
            native: None,
            opaque: None,
        };
        let question = native(json!({"action": "cursor_position"}));
        let mut place = PointerPlace::default();
        assert_eq!(place.answer(&question), None, "nobody knows yet");
        let mut told = |call: ToolCall| {
            place.follow(&call);
            place.answer(&question).unwrap()
        };
        assert_eq!(told(native(json!({"action": "left_click", "coordinate": [512, 300]}))), Piece::text("X=512,Y=300"));
        assert_eq!(told(native(json!({"action": "key", "text": "a"}))), Piece::text("X=512,Y=300"));
        assert_eq!(told(ours("drag", json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4.5}))), Piece::text("X=3,Y=4.5"));
        assert_eq!(told(ours("drag", json!({"path": [[1, 2], [5, 6]]}))), Piece::text("X=5,Y=6"));
        assert_eq!(told(ours("click", json!({"x": 7, "y": 8}))), Piece::text("X=7,Y=8"));
        assert_eq!(place.answer(&ours("cursor_position", json!({}))), Some(Piece::text("X=7,Y=8")));
        assert_eq!(place.answer(&ours("screenshot", json!({}))), None);
    }
}
