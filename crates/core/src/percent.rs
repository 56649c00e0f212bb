//! Text in addresses and headers, where much has to be written as `%XX`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything but letters, digits and `-._~` as `%XX`.
pub fn percent_encoded(text: &str) -> String {
    const ENCODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, &ENCODED).to_string()
}

/// The text that was written so; nothing where a `%` is not followed by two digits of base 16, or where it is no text.
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut after_signs = text.split('%').skip(1);
    let is_whole = |after: &str| after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    // The crate would let a lone `%` stand for itself.
    let is_sound = after_signs.all(is_whole);
    is_sound.then(|| percent_decode_str(text).decode_utf8().ok().map(String::from)).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_malformed_is_refused() {
        let read = ["", "plain+1", "a%20b", "%e2%82%AC", "100%25"].map(percent_decoded);
        assert_eq!(read, ["", "plain+1", "a b", "€", "100%"].map(|text| Some(text.to_owned())));
        for wrong in ["%", "%2", "a%", "%+1", "%-1", "%2g", "% 2", "%%20", "%é", "%ff", "%e2%82"] {
            assert_eq!(percent_decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn instances_are_encoded_for_the_path() {
        assert_eq!(percent_encoded("puzzles/maze-2d@easy#0"), "puzzles%2Fmaze-2d%40easy%230");
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in "\\PC{0,30}") {
            prop_assert_eq!(percent_decoded(&percent_encoded(&text)), Some(text));
        }
    }
}
