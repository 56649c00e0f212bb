use quintain_core::Screen;
use quintain_core::action::Dialect;
use serde_json::{Value, json};

use super::*;
use crate::loops::test_model::{Scripted, card};

const NAME: &str = "chat/test";
const CHART_NUMBER: u32 = 138;
const CHART_TARGET: (f64, f64) = (1101.0, 94.0);

/// A message of words and calls of `click`.
fn says(words: &str, calls: &[&Value]) -> Message {
    let called = calls.iter().enumerate().map(|(idx, input)| {
        let (native, input) = match input.get("native") {
            Some(native) => (Some(native.to_string()), json!({})),
            None => (None, (*input).clone()),
        };
        let (id, name) = (idx.to_string(), "click".to_owned());
        Piece::Call(quintain_models::model::ToolCall { id, name, input, native, opaque: None })
    });
    Message { role: MessageRole::Assistant, pieces: std::iter::once(Piece::text(words)).chain(called).collect() }
}

fn found(card: ModelCard, answers: Vec<Message>) -> String {
    let model = Scripted::new(card, answers.into_iter().map(Ok));
    let found = SightTest::of(NAME).ask(&*model, None, Duration::from_secs(1)).unwrap();
    let asked = model.asked();
    assert_eq!(asked.len() as u32, found.n_calls);
    format!("read {:?}, {:?}, {} calls, {} tokens", found.read, found.click, found.n_calls, found.usage.tokens())
}

#[test]
fn numbers_and_clicks_are_held_against_the_picture() {
    let chart = EyeChart::of(NAME);
    assert_eq!((chart.number, chart.target_px), (CHART_NUMBER, CHART_TARGET), "the same every time");
    let (x, y) = chart.target_px;
    let (said, other) = (format!("I see {CHART_NUMBER}."), (CHART_NUMBER + 1).to_string());
    let right = json!({"x": x + 9.0, "y": y - 9.0});
    let thousandths = json!({"x": (x / 1.28).round(), "y": (y / 0.72).round()});
    let unit = json!({"x": x / 1280.0, "y": y / 720.0});
    let native = json!({"native": {"action": "left_click", "coordinate": [(x / 1.28).round(), (y / 0.72).round()]}});
    let of_anthropic = ModelCard { computer: Some(Dialect::Anthropic), ..card() };
    let lines = [
        found(card(), vec![says(&said, &[&right])]),
        found(card(), vec![says(&said, &[&json!({"x": 5, "y": 5})])]),
        found(card(), vec![says(&said, &[&thousandths])]),
        found(card(), vec![says(&said, &[&unit])]),
        found(ModelCard { points: quintain_models::model::Points::Unit, ..card() }, vec![says(&said, &[&right])]),
        found(of_anthropic, vec![says(&said, &[&native])]),
        found(card(), vec![says("", &[&right]), says(&other, &[])]),
        found(card(), vec![says(&said, &[]), says("", &[&right])]),
        found(card(), vec![says("no", &[]), says("no", &[])]),
    ];
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn no_place_of_the_target_is_near_itself_in_other_units() {
    for idx in 0..500 {
        let EyeChart { target_px: (x, y), number } = EyeChart::of(&format!("chat/{idx}"));
        assert!((100..1000).contains(&number), "{number}");
        let others = [(x / 1.28, y / 0.72), (x / 1280.0, y / 720.0), (x * 1.28, y * 0.72)];
        for (other_x, other_y) in others {
            assert!((other_x - x).abs() > 100.0 || (other_y - y).abs() > 100.0, "{x}, {y}: {other_x}, {other_y}");
        }
    }
}

#[test]
fn the_chart_shows_its_number_and_its_target() {
    let chart = EyeChart::of(NAME);
    let Screen::Raw(picture) = chart.screen() else { panic!("raw pixels") };
    let rgba = picture.rgba();
    let shown = |across: u32, down: u32| match rgba[((down * 1280 + across) * 4) as usize..][..3] {
        [20, 20, 30] => '#',
        [214, 32, 32] => 'o',
        _ => '.',
    };
    let rows = (2..24).map(|row| (0..64).map(|column| shown(column * 20 + 10, row * 20 + 10)).collect::<String>());
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"));
}
