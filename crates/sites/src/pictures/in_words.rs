//! Pictures in words, for those who see none.

use crate::html::Html;

const START: &str = "<desc>";
const END: &str = "</desc>";

/// Writes what a picture shows into it, as its description.
pub(super) fn describe(html: &mut Html, words: &str) {
    html.leaf("desc", &[], words);
}

/// A value as somebody reads it off a chart: three figures of it.
pub(super) fn rough(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let power = 2 - value.abs().log10().floor() as i32;
    if power <= 0 {
        let unit = 10_f64.powi(-power);
        return format!("{:.0}", (value / unit).round() * unit);
    }
    format!("{value:.*}", power as usize)
}

/// Labels with their values.
pub(super) fn listed<'a>(values: impl Iterator<Item = (&'a str, f64)>) -> String {
    values.map(|(label, value)| format!("{label}: {}", rough(value))).collect::<Vec<_>>().join("; ")
}

/// Takes the words of all pictures out of a page.
pub(crate) fn remove_picture_words(html: &mut String) {
    while let Some(start) = html.find(START) {
        let end = html[start..].find(END).map_or(html.len(), |at| start + at + END.len());
        html.replace_range(start..end, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_to_three_figures() {
        let told = [0.0, 4.0, 123_456.0, -0.012_345, 99.96, 1234.5].map(rough);
        assert_eq!(told, ["0", "4.00", "123000", "-0.0123", "100.0", "1230"]);
    }

    #[test]
    fn words_of_pictures_can_be_taken_out() {
        let mut html = "<svg><desc>a: 1</desc><path></svg><p>b</p><svg><desc>c</desc></svg>".to_owned();
        remove_picture_words(&mut html);
        assert_eq!(html, "<svg><path></svg><p>b</p><svg></svg>");
    }
}
