use proptest::prelude::*;
use quintain_core::action::{Button, Place};

use super::*;

fn place() -> impl Strategy<Value = Place> {
    (0..SCREEN.0, 0..SCREEN.1).prop_map(|(x, y)| Place::from((f64::from(x), f64::from(y))))
}

fn keys() -> impl Strategy<Value = Vec<String>> {
    let key =
        prop::sample::select(vec!["Enter", "ArrowLeft", "a", "+", " ", "F5", "PageUp", "-", "Backspace", "7", "é"]);
    let held = prop::sample::subsequence(vec!["ctrl", "shift", "alt", "meta"], 0..3);
    (held, key).prop_map(|(held, key)| held.into_iter().chain([key]).map(str::to_owned).collect())
}

fn mouse() -> impl Strategy<Value = Action> {
    let button = || prop::sample::select(vec![Button::Left, Button::Right, Button::Middle]);
    let held = prop::sample::subsequence(vec!["ctrl".to_owned(), "shift".to_owned()], 0..=2);
    let left = Button::Left;
    prop_oneof![
        (place(), button(), held).prop_map(|(at, button, held)| Action::Click { at: Some(at), button, held }),
        place().prop_map(move |at| Action::DoubleClick { at: Some(at), button: left }),
        place().prop_map(move |at| Action::TripleClick { at: Some(at), button: left }),
        place().prop_map(move |at| Action::Press { at: Some(at), button: left }),
        place().prop_map(move |at| Action::Release { at: Some(at), button: left }),
        place().prop_map(|to| Action::Move { to }),
        (prop::collection::vec(place(), 2..5), button()).prop_map(|(path, button)| Action::Drag { path, button }),
        (place(), -5_i32..=5).prop_map(|(at, n)| Action::Scroll { at: Some(at), dx: 0.0, dy: f64::from(n) * 60.0 }),
        (place(), 1_i32..=5).prop_map(|(at, n)| Action::Scroll { at: Some(at), dx: f64::from(n) * 60.0, dy: 0.0 }),
        (place(), place()).prop_map(|(from, to)| Action::Zoom { from: from.point().unwrap(), to: to.point().unwrap() }),
    ]
}

fn rest() -> impl Strategy<Value = Action> {
    let text = || "[ -~\\n\\té\u{7}]{0,40}";
    prop_oneof![
        keys().prop_map(|keys| Action::Key { keys }),
        keys().prop_map(|keys| Action::KeyDown { keys }),
        keys().prop_map(|keys| Action::KeyUp { keys }),
        (keys(), 0..5000_u64).prop_map(|(keys, ms)| Action::HoldKey { keys, ms }),
        text().prop_map(|text| Action::Type { text }),
        prop::sample::select(vec![0_u64, 100, 1000, 1234, 5000]).prop_map(|ms| Action::Wait { ms }),
        Just(Action::Screenshot),
        text().prop_map(|url| Action::Goto { url }),
        Just(Action::Back),
        Just(Action::Forward),
        text().prop_map(|command| Action::Shell { command }),
        text().prop_map(|source| Action::Code { language: "python".to_owned(), source }),
        text().prop_map(|name| Action::Api { method: "open".to_owned(), args: json!({"name": name}) }),
        (0..9, 0..9).prop_map(|(a, b)| Action::call("swap", [json!([a, b]), json!([b, a])])),
        text().prop_map(|reason| Action::GiveUp { reason }),
        Just(Action::Done),
    ]
}

/// The action comes back as it was recorded but for so many pixels.
fn comes_back(action: &Action, asked: &ReadRequest, sight: &Sight, pixels: f64) -> Result<(), TestCaseError> {
    let say = oracle([action.clone()]).say(asked).unwrap();
    let back = heard(&say, sight);
    let is_same = is_near(&serde_json::to_value(&back).unwrap(), &serde_json::to_value(action).unwrap(), pixels);
    prop_assert!(is_same, "{action} came back as {back} from {say:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn in_functions(action in prop_oneof![mouse(), rest()], shrinks in any::<bool>(), units in 0..3_usize) {
        let shown = if shrinks { (853, 480) } else { SCREEN };
        let (units, points) = [
            (Units::Pixels, Points::Pixels),
            (Units::Thousandths, Points::Thousandths),
            (Units::Unit, Points::Unit),
        ][units];
        let asked = ReadRequest { units, ..with_functions(asked(Api::Chat, 1, shown), Pointing::Points(points)) };
        comes_back(&action, &asked, &Sight { computer: None, points, shown: Some(shown) }, 0.5)?;
    }

    #[test]
    fn in_words(action in prop_oneof![mouse(), rest()], aloud in any::<bool>(), small in any::<bool>()) {
        let shown = if small { (640, 360) } else { SCREEN };
        let system = format!("Answer each turn with exactly one action.{}", if aloud { " First `Thought:`" } else { "" });
        let asked = ReadRequest { system, ..asked(Api::Chat, 1, shown) };
        comes_back(&action, &asked, &Sight { computer: None, points: Points::Pixels, shown: Some(shown) }, 0.5)?;
    }

    #[test]
    fn in_the_providers_own_tools(action in prop_oneof![mouse(), rest()], small in any::<bool>(), which in 0..4_usize) {
        let shown = if small { (640, 360) } else { SCREEN };
        let (api, dialect, pixels) = [
            (Api::Anthropic, Dialect::Anthropic, 1.0),
            (Api::Responses, Dialect::OpenAi, 1.0),
            // The last of a thousand is the right edge as far as it can be told.
            (Api::Google, Dialect::Google, 1.5),
            (Api::Google, Dialect::Gemini, 1.5),
        ][which];
        // Newer models hold keys in turns of their own.
        let is_held = matches!(&action, Action::Click { held, .. } if !held.is_empty());
        prop_assume!(dialect != Dialect::Gemini || !is_held);
        let asked = with_computer(asked(api, 1, shown), dialect, shown);
        let sight = Sight { computer: Some(dialect), points: Points::Pixels, shown: Some(shown) };
        comes_back(&action, &asked, &sight, pixels)?;
    }
}

#[test]
fn a_wrong_scale_on_the_other_side_points_elsewhere() {
    let click = Action::click((640.0, 360.0));
    let said = |units| {
        let asked =
            ReadRequest { units, ..with_functions(asked(Api::Chat, 1, SCREEN), Pointing::Points(Points::Pixels)) };
        oracle([click.clone()]).say(&asked).unwrap()
    };
    let sight = Sight { computer: None, points: Points::Pixels, shown: Some(SCREEN) };
    assert_eq!(heard(&said(Units::Pixels), &sight), click);
    assert_ne!(heard(&said(Units::Thousandths), &sight), click);
}
