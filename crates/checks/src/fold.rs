//! Which differences between two texts do not count.

use quintain_core::suggest;
use unicode_normalization::UnicodeNormalization;

/// Marks that are left out where punctuation does not count. Signs with a meaning of their own (`%`, `$`, `+`) stay.
const PUNCTUATION: &str = ".,;:!?¿¡'\"`()[]{}-‐‑–—…«»‹›“”„‘’‚";

/// Of these, the marks that mean something right before a digit: `-5` is not `5`, `1.5` is not `15`.
const MEANT_BEFORE_DIGITS: &str = ".,:-‐‑–—";

/// The differences that do not count. Composed and decomposed letters are always the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folding {
    /// Upper and lower case.
    pub case: bool,
    /// How much white space there is, and any at the ends.
    pub space: bool,
    /// Punctuation, except signs and points before a digit.
    pub punctuation: bool,
}

impl Folding {
    /// Reads the words of an `ignore` option.
    pub fn from_words(words: &[String]) -> Result<Self, String> {
        let mut folding = Self::default();
        for word in words {
            match word.as_str() {
                "case" => folding.case = true,
                "space" => folding.space = true,
                "punctuation" => folding.punctuation = true,
                _ => {
                    let hint = suggest::hint(word, ["case", "space", "punctuation"]);
                    return Err(format!("`ignore` knows no `{word}`; {hint}"));
                }
            }
        }
        Ok(folding)
    }

    /// The text without the differences that do not count.
    pub fn fold(self, text: &str) -> String {
        let mut text: String = text.nfc().collect();
        if self.punctuation {
            text = without_punctuation(&text);
        }
        if self.case {
            // Up and down again: the sharp s, the final sigma and their like fall together with what they stand for.
            text = text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect();
        }
        if self.space {
            text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        text
    }
}

fn without_punctuation(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let meant = MEANT_BEFORE_DIGITS.contains(c) && chars.peek().is_some_and(char::is_ascii_digit);
        if meant || !PUNCTUATION.contains(c) {
            kept.push(c);
        }
    }
    kept
}

/// Marks that fall away in a name, so that `S.A.` is `SA`.
const DROPPED_IN_NAMES: &str = ".'’‘‚`´ʼ\"“”„«»‹›";

/// Marks that part the words of a name as a space does.
const SPACE_IN_NAMES: &str = ",;:!?¿¡()[]{}-‐‑–—…/\\_*|·•";

/// Letters that have a plain form and no accent to take off.
const PLAIN_LETTERS: [(char, &str); 7] =
    [('ø', "o"), ('ł', "l"), ('đ', "d"), ('ð', "d"), ('þ', "th"), ('æ', "ae"), ('œ', "oe")];

/// A name without what does not count in names: case, accents, punctuation, and how much space there is. Every word
/// counts, and so do marks between digits.
pub fn fold_name(name: &str) -> String {
    // Down, up and down again: the sharp s, great or small, and the final sigma fall together with what they stand for.
    let cased = name.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let chars: Vec<char> = cased.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).collect();
    let mut folded = String::with_capacity(name.len());
    for (at, &c) in chars.iter().enumerate() {
        let is_digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
        let between_digits = is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) && ".,:".contains(c);
        match PLAIN_LETTERS.iter().find(|(letter, _)| *letter == c) {
            Some((_, plain)) => folded.push_str(plain),
            None if c == '&' => folded.push_str(" & "),
            None if between_digits => folded.push(c),
            None if DROPPED_IN_NAMES.contains(c) => {}
            None if SPACE_IN_NAMES.contains(c) => folded.push(' '),
            None => folded.push(c),
        }
    }
    // Marks that stand together only now fall into their order.
    folded.split_whitespace().collect::<Vec<_>>().join(" ").nfd().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: Folding = Folding { case: true, space: true, punctuation: true };

    #[test]
    fn only_the_named_differences_are_ignored() {
        assert_eq!(ALL.fold("  Hello,\tWORLD! "), "hello world");
        assert_eq!(ALL.fold("Straße"), ALL.fold("STRASSE"));
        assert_eq!(ALL.fold("ΟΔΟΣ"), ALL.fold("οδος"));
        assert_eq!(Folding::default().fold("e\u{301}"), "é");
        assert_ne!(Folding::default().fold("a b"), Folding::default().fold("a  b"));
        for (a, b) in [("-5", "5"), ("1.5", "15"), ("5%", "5"), ("1,000", "1000"), ("a b", "ab")] {
            assert_ne!(ALL.fold(a), ALL.fold(b), "{a} and {b}");
        }
    }

    #[test]
    fn names_are_folded_word_by_word() {
        let same = [
            ("Société Générale", "SOCIETE  GENERALE"),
            ("Saint-Denis", "Saint Denis"),
            ("O’Brien & Sons", "o'brien&sons"),
            ("Ørsted A.S.", "orsted as"),
            ("Straße", "STRASSE"),
            ("Łódź", "Lodz"),
        ];
        for (a, b) in same {
            assert_eq!(fold_name(a), fold_name(b), "{a} and {b}");
        }
        for (a, b) in [("1.5", "15"), ("C++", "C"), ("A B", "AB"), ("5%", "5"), ("The Bank", "Bank")] {
            assert_ne!(fold_name(a), fold_name(b), "{a} and {b}");
        }
    }

    #[test]
    fn an_unknown_word_gets_a_hint() {
        insta::assert_snapshot!(Folding::from_words(&["spaces".to_owned()]).unwrap_err(), @"`ignore` knows no `spaces`; did you mean `space`?");
    }

    proptest! {
        #[test]
        fn a_folded_name_stays_as_it_is(name in "\\PC{0,24}") {
            prop_assert_eq!(fold_name(&fold_name(&name)), fold_name(&name));
        }

        #[test]
        fn case_and_space_never_count_where_ignored(text in "\\PC{0,24}", punctuation: bool) {
            let folding = Folding { punctuation, ..ALL };
            let spaced = format!(" {}\t", text.replace(' ', "  "));
            prop_assert_eq!(folding.fold(&spaced), folding.fold(&text));
            let ascii: String = text.chars().filter(char::is_ascii).collect();
            prop_assert_eq!(folding.fold(&ascii.to_ascii_uppercase()), folding.fold(&ascii));
        }
    }
}
