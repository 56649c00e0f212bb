//! A click lands where it is meant, whatever a family of models is shown and however it points.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::model::ModelCard;

use super::*;

/// One model of every family, and the units in which the simulator has it point.
const FAMILIES: [(&str, Api, Units); 10] = [
    ("anthropic/claude-opus-4-6", Api::Anthropic, Units::Pixels),
    ("anthropic/claude-opus-5-5", Api::Anthropic, Units::Pixels),
    ("anthropic/claude-haiku-5-5", Api::Anthropic, Units::Pixels),
    ("openai/gpt-5.4", Api::Responses, Units::Pixels),
    ("openai/gpt-5.2", Api::Responses, Units::Pixels),
    ("google/gemini-3-flash-preview", Api::Google, Units::Thousandths),
    ("google/gemini-3.8-flash", Api::Google, Units::Thousandths),
    ("chat/Qwen/Qwen3-VL-8B-Instruct", Api::Chat, Units::Thousandths),
    ("chat/ByteDance-Seed/UI-TARS-1.5-7B", Api::Chat, Units::Resized),
    ("chat/unheard-of", Api::Chat, Units::Pixels),
];
const VIEWPORTS: [(u32, u32); 12] = [
    (1024, 768),
    (1280, 720),
    (1280, 960),
    (1366, 768),
    (1440, 900),
    (1568, 882),
    (1600, 1200),
    (1921, 1079),
    (1920, 1200),
    (1179, 2556),
    (2399, 1351),
    (2560, 1440),
];
const N_PLACES: u32 = 200;

#[test]
fn a_click_lands_within_a_pixel_of_the_place_that_is_meant() {
    let catalogue = ModelCatalogue::built_in();
    for (name, api, units) in FAMILIES {
        let card = catalogue.card(&name.parse().unwrap());
        for viewport in VIEWPORTS {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(N_PLACES));
            let places = (0..viewport.0, 0..viewport.1);
            let tried = runner.run(&places, |place| lands(&card, api, units, viewport, place));
            tried.unwrap_or_else(|failed| panic!("{name} at {viewport:?}: {failed}"));
        }
    }
}

fn lands(
    card: &ModelCard,
    api: Api,
    units: Units,
    viewport: (u32, u32),
    place: (u32, u32),
) -> Result<(), TestCaseError> {
    let shown = card.pictures.fit(viewport);
    let meant = (f64::from(place.0), f64::from(place.1));
    let say = oracle_on(viewport, [Action::click(meant)]).say(&offered(card, api, units, shown)).unwrap();
    let sight = Sight { computer: card.computer, points: card.points, shown: Some(shown) };
    let Action::Click { at: Some(at), .. } = heard_on(&surface_of(viewport), &say, &sight) else {
        return Err(TestCaseError::fail(format!("{say:?} is no click")));
    };
    let at = at.point().unwrap();
    let fits = is_close(at.x, meant.0, viewport.0) && is_close(at.y, meant.1, viewport.1);
    prop_assert!(fits, "{at:?} instead of {meant:?}, shown as {shown:?}, from {say:?}");
    Ok(())
}

/// With the model's own tool where it has one, else with our functions.
fn offered(card: &ModelCard, api: Api, units: Units, shown: (u32, u32)) -> ReadRequest {
    let asked = ReadRequest { units, ..asked(api, 1, shown) };
    match card.computer {
        Some(dialect) => with_computer(asked, dialect, shown),
        None => with_functions(asked, Pointing::Points(card.points)),
    }
}

/// The greatest of a thousand numbers is 999: on a wide screen the pixels behind it cannot be named.
fn is_close(at: f64, meant: f64, n_pixels: u32) -> bool {
    let beyond = meant > f64::from(n_pixels) * 0.9995;
    (at - meant).abs() <= if beyond { 2.0 } else { 1.0 }
}
