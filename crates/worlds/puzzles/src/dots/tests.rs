use proptest::prelude::*;
use quintain_core::picture::Picture;
use serde_json::json;

use super::{DotMarks, DotStyle, Dotted, fractions, pixel};

fn ground() -> Picture {
    let rgba = (0..120 * 90).flat_map(|at| [(at % 120 * 2) as u8, (at / 120 * 2) as u8, 90, 255]).collect();
    Picture::from_rgba(120, 90, rgba).unwrap()
}

#[test]
fn fractions_go_from_the_first_pixel_to_the_last() {
    let size = (576, 432);
    let at = |x: f64, y: f64| pixel(&json!(x), &json!(y), size).unwrap();
    assert_eq!([at(0.0, 0.0), at(1.0, 1.0), at(0.5, 0.25)], [[0, 0], [575, 431], [288, 108]]);
    assert_eq!(pixel(&json!("left"), &json!(0), size), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn fractions_mean_the_pixel_they_are_made_of(x in 0_i32..1999, y in 0_i32..1500) {
        let size = (2000, 1500);
        let [fx, fy] = fractions([x, y], size);
        prop_assert_eq!(pixel(&fx, &fy, size), Some([x, y]));
    }

    #[test]
    fn dots_and_words_come_and_go_without_a_trace(
        steps in prop::collection::vec((prop::collection::vec((0_i32..120, 0_i32..90), 0..9), 0..3_u8), 1..6),
    ) {
        for (style, strip_px) in [(DotStyle::Numbered, 20), (DotStyle::Plain, 0)] {
            let mut dotted = Dotted::new(&ground(), style, strip_px);
            let blank = dotted.show(&DotMarks::default());
            let mut held = Vec::new();
            for (dots, guess) in &steps {
                let caption = if *guess == 0 { String::new() } else { format!("guess: {guess}") };
                let marks = DotMarks { dots: dots.iter().map(|(x, y)| [*x, *y]).collect(), caption };
                held.push((dotted.show(&marks), Dotted::new(&ground(), style, strip_px).show(&marks)));
            }
            prop_assert!(held.iter().all(|(shown, fresh)| shown == fresh));
            prop_assert!(dotted.show(&DotMarks::default()) == blank);
            prop_assert!(blank.rgba().starts_with(ground().rgba()));
        }
    }
}
