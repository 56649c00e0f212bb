//! What is shown of a page's text: a window that goes along it.

use quintain_page_text::PageReading;

/// So many characters are shown at a time, at most.
const WINDOW: usize = 6_000;
/// So much is shown before a place that was looked for, at most.
const BEFORE: usize = 400;

/// A page that is open, and where in it its reader is.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenText {
    pub(super) address: String,
    pub(super) page: PageReading,
    /// The bytes of the text that are shown.
    from: usize,
    end: usize,
    /// Where the last words that were looked for stand.
    found: Option<usize>,
}

/// What came of looking for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoundPlace {
    Nowhere,
    At { nth: usize, of: usize },
}

impl OpenText {
    /// A page, at its beginning.
    pub(super) fn new(address: String, page: PageReading) -> Self {
        let mut open = Self { address, page, ..Self::default() };
        open.show_from(0);
        open
    }

    fn show_from(&mut self, from: usize) {
        let text = &self.page.text;
        let rest = &text[from..];
        let cut = rest.char_indices().nth(WINDOW).map_or(rest.len(), |(at, _)| at);
        // A line is cut only where it is longer than the window.
        let line_end = rest[..cut].rfind('\n').filter(|_| cut < rest.len()).map(|at| at + 1);
        (self.from, self.end) = (from, from + line_end.unwrap_or(cut));
    }

    /// Shows what follows; nothing where the page ends.
    pub(super) fn go_on(&mut self) -> bool {
        let has_more = self.end < self.page.text.len();
        if has_more {
            self.show_from(self.end);
        }
        has_more
    }

    /// Goes to the next place where words stand, from the last one on and round.
    pub(super) fn find(&mut self, words: &str) -> FoundPlace {
        let places = places(&self.page.text, words);
        let next = self.found.and_then(|last| places.iter().position(|place| *place > last)).unwrap_or(0);
        let Some(&place) = places.get(next) else { return FoundPlace::Nowhere };
        self.found = Some(place);
        let is_shown = (self.from..self.end).contains(&place) && place + words.len() <= self.end;
        if !is_shown {
            let text = &self.page.text;
            let line = text[..place].rfind('\n').map_or(0, |at| at + 1);
            let near = (place.saturating_sub(BEFORE)..=place).find(|at| text.is_char_boundary(*at)).unwrap_or(place);
            self.show_from(line.max(near));
        }
        FoundPlace::At { nth: next + 1, of: places.len() }
    }

    /// The page as it is shown.
    pub(super) fn shown(&self) -> String {
        let text = &self.page.text;
        let head = format!("{}\n{}", self.address, self.page.title.trim());
        let is_whole = self.from == 0 && self.end == text.len();
        let place = if is_whole { String::new() } else { self.place() };
        format!("{head}{place}\n\n{}", text[self.from..self.end].trim_end())
    }

    fn place(&self) -> String {
        let n_chars = |text: &str| text.chars().count();
        let text = &self.page.text;
        let (before, shown, all) = (n_chars(&text[..self.from]), n_chars(&text[self.from..self.end]), n_chars(text));
        let more = if self.end < text.len() { "; `more` shows what follows" } else { "" };
        format!("\n(characters {} to {} of {all}{more})", before + 1, before + shown)
    }
}

/// Where words stand in a text, in any case and whatever spaces are between them.
fn places(text: &str, words: &str) -> Vec<usize> {
    let wanted: Vec<char> = folded(words.trim()).map(|(_, c)| c).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let folded: Vec<(usize, char)> = folded(text).collect();
    let holds = |window: &&[(usize, char)]| window.iter().map(|(_, c)| *c).eq(wanted.iter().copied());
    folded.windows(wanted.len()).filter(holds).map(|window| window[0].0).collect()
}

fn folded(text: &str) -> impl Iterator<Item = (usize, char)> {
    let fold = |c: char| if c.is_whitespace() { ' ' } else { c.to_lowercase().next().unwrap_or(c) };
    text.char_indices().map(move |(at, c)| (at, fold(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: String) -> OpenText {
        OpenText::new(
            "https://a.test/".to_owned(),
            PageReading { title: "A".to_owned(), text, ..PageReading::default() },
        )
    }

    #[test]
    fn a_short_page_is_shown_whole() {
        let mut open = page("One\u{a0}two\nthree".to_owned());
        assert_eq!(open.shown(), "https://a.test/\nA\n\nOne\u{a0}two\nthree");
        assert!(!open.go_on());
        assert_eq!(open.find("ONE TWO"), FoundPlace::At { nth: 1, of: 1 });
        assert_eq!((open.find("four"), open.find(" ")), (FoundPlace::Nowhere, FoundPlace::Nowhere));
    }

    #[test]
    fn a_long_page_is_shown_in_windows_that_miss_nothing() {
        let text = (0..2_000).map(|nth| format!("line {nth} é")).collect::<Vec<_>>().join("\n");
        let mut open = page(text.clone());
        let mut seen = String::new();
        loop {
            seen.push_str(&text[open.from..open.end]);
            assert!(open.shown().chars().count() < WINDOW + 200);
            if !open.go_on() {
                break;
            }
        }
        assert_eq!(seen, text);
        assert_eq!(open.find("line 1500 "), FoundPlace::At { nth: 1, of: 1 });
        assert!(open.shown().contains("line 1500 é"), "{}", open.shown());
    }

    #[test]
    fn the_same_words_lead_from_place_to_place_and_round() {
        let text = format!("steel\n{}steel\n{}", "x\n".repeat(5_000), "y\n".repeat(5_000));
        let mut open = page(text);
        let found: Vec<FoundPlace> = (0..3).map(|_| open.find("Steel")).collect();
        let at = |nth| FoundPlace::At { nth, of: 2 };
        assert_eq!(found, [at(1), at(2), at(1)]);
        assert!(open.shown().contains("steel"));
    }
}
