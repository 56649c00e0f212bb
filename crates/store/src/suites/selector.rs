//! What a person asks for: `suite/task@preset#seed+stretch`, with `*` and `?` where any letters will do.

use quintain_core::Stretch;
use quintain_core::instance::NotAStretch;

use super::SuiteError;

/// A selector in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selector<'a> {
    pub(super) suite: &'a str,
    /// Nothing means all tasks of the suite.
    pub(super) task: Option<&'a str>,
    pub(super) preset: Option<&'a str>,
    pub(super) seed: Option<u64>,
    /// The whole, where it is named: `+0`.
    pub(super) stretch: Option<Stretch>,
}

impl<'a> Selector<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, SuiteError> {
        let (whole, stretch) = match text.split_once('+') {
            Some((whole, stretch)) => {
                let stretch = stretch.parse().map_err(|error: NotAStretch| bad(text, &error.to_string()))?;
                (whole, Some(stretch))
            }
            None => (text, None),
        };
        let (rest, seed) = match whole.rsplit_once('#') {
            Some((rest, seed)) => {
                (rest, Some(seed.parse().map_err(|_cause| bad(text, "the seed is no whole number"))?))
            }
            None => (whole, None),
        };
        let (name, preset) = match rest.split_once('@') {
            Some((_, "")) => return Err(bad(text, "no preset stands after the `@`")),
            Some((name, preset)) => (name, Some(preset)),
            None => (rest, None),
        };
        let (suite, task) = match name.split_once('/') {
            Some((suite, "")) => (suite, None),
            Some((suite, task)) => (suite, Some(task)),
            None => (name, None),
        };
        if suite.is_empty() || task.is_some_and(|task| task.contains('/')) {
            return Err(bad(text, "it names no suite and no task"));
        }
        Ok(Self { suite, task, preset, seed, stretch })
    }

    pub(super) fn takes(&self, suite: &str, task: &str) -> bool {
        matches(self.suite, suite) && self.task.is_none_or(|pattern| matches(pattern, task))
    }

    /// Whether it may name several tasks, so that those without the preset are simply not meant.
    pub(super) fn is_wide(&self) -> bool {
        self.task.is_none_or(|task| task.contains(['*', '?'])) || self.suite.contains(['*', '?'])
    }
}

fn bad(selector: &str, why: &str) -> SuiteError {
    SuiteError::BadSelector { selector: selector.to_owned(), why: why.to_owned() }
}

/// Whether a text fits a pattern in which `*` stands for any letters and `?` for one.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            // A letter that does not fit: let the last star take one more.
            _ => match star {
                Some((star_p, star_t)) => {
                    star = Some((star_p, star_t + 1));
                    p = star_p + 1;
                    t = star_t + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, text) in
            [("*", ""), ("maze-*", "maze-2d"), ("*-*d", "maze-3d"), ("m?ze*", "maze"), ("a*b*c", "aXbYbc")]
        {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("", "x"), ("maze", "maze-2d"), ("*-4d", "maze-3d"), ("m?ze", "mze"), ("a*b", "abc")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn a_selector_comes_apart() {
        let selector = Selector::parse("puzzles/maze-2d@easy#7").unwrap();
        let (task, preset, seed) = (Some("maze-2d"), Some("easy"), Some(7));
        let whole = Selector { suite: "puzzles", task, preset, seed, stretch: None };
        assert_eq!(selector, whole);
        let part = Selector::parse("puzzles/maze-2d@easy#7+2").unwrap();
        assert_eq!(part, Selector { stretch: Some(Stretch::after(2)), ..whole });
        assert_eq!(Selector::parse("puzzles/maze-*+0").unwrap().stretch, Some(Stretch::WHOLE));
        assert_eq!(Selector::parse("puzzles/").unwrap().task, None);
        for wrong in ["", "a/b/c", "/x", "a@", "a#x", "a#-1", "a+", "a+x", "a+2#7", "a+2..1", "a++1"] {
            assert!(Selector::parse(wrong).is_err(), "{wrong}");
        }
    }
}
