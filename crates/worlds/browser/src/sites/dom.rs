//! The document of a page as text, for agents that read rather than look.

use crate::cdp::CdpDeadline;
use crate::page::{Page, PageError};

/// A document is shown up to so many bytes; then it says how many there are.
pub(super) const MAX_DOM: usize = 60_000;

/// The document of the shown tab without scripts, styles and what drawings are made of.
pub(super) fn read(page: &mut Page, deadline: CdpDeadline) -> Result<String, PageError> {
    let text = page.evaluate("quintain.dom()", deadline)?.unwrap_or_default();
    Ok(capped(text, MAX_DOM))
}

fn capped(mut text: String, limit: usize) -> String {
    let n_bytes = text.len();
    if n_bytes > limit {
        text.truncate((0..=limit).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0));
        text = format!("{text}\n<!-- cut here: {n_bytes} bytes in all -->");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_characters_and_says_so() {
        assert_eq!(capped("<p>é</p>".to_owned(), 20), "<p>é</p>");
        assert_eq!(capped("<p>é</p>".to_owned(), 4), "<p>\n<!-- cut here: 9 bytes in all -->");
    }
}
