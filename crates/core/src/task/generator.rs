//! How a seed draws the parameters of a task.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rng::Rng;

/// How a seed draws a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Generator {
    /// One of these values.
    Choice(Vec<Value>),
    /// A whole number from the first to the second.
    Integer(i64, i64),
    /// A number from the first up to the second.
    Number(f64, f64),
    /// An object of which every field is drawn by itself.
    Each(BTreeMap<String, Generator>),
    /// An object whose fields get different values of a list.
    Distinct(DistinctDraw),
    /// A text with gaps, each of which is drawn by itself.
    Phrase(PhraseDraw),
}

/// Fields that get different values of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistinctDraw {
    /// The names of the fields.
    pub fields: Vec<String>,
    /// The values, at least as many as there are fields.
    pub of: Vec<Value>,
}

/// A text with gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhraseDraw {
    /// The text; a gap is a name in braces: `https://{host}.example/{path}`.
    pub text: String,
    /// How each gap is filled.
    pub gaps: BTreeMap<String, Generator>,
}

impl Generator {
    /// Draws a value.
    pub fn draw(&self, rng: &mut Rng) -> Value {
        match self {
            Self::Choice(values) => rng.choose(values).clone(),
            Self::Integer(low, high) => rng.between(*low, *high).into(),
            Self::Number(low, high) => rng.uniform(*low, *high).into(),
            Self::Each(fields) => fields.iter().map(|(name, field)| (name.clone(), field.draw(rng))).collect(),
            Self::Distinct(distinct) => distinct.draw(rng),
            Self::Phrase(phrase) => phrase.draw(rng),
        }
    }

    /// What is wrong with it, where something is.
    pub(super) fn problem(&self) -> Option<String> {
        let nothing = "it has nothing to draw from".to_owned();
        match self {
            Self::Choice(values) => values.is_empty().then_some(nothing),
            Self::Integer(low, high) => {
                let is_sound = low <= high && high.checked_sub(*low).is_some_and(|span| span < i64::MAX);
                (!is_sound).then(|| format!("{nothing}: the lower bound comes first"))
            }
            Self::Number(low, high) => {
                let is_sound = low <= high && low.is_finite() && high.is_finite();
                (!is_sound).then(|| format!("{nothing}: the lower bound comes first"))
            }
            Self::Each(fields) if fields.is_empty() => Some(nothing),
            Self::Each(fields) => problem_of(fields),
            Self::Distinct(distinct) => distinct.problem(),
            Self::Phrase(phrase) => phrase.problem(),
        }
    }
}

/// The first problem of generators with names.
fn problem_of(named: &BTreeMap<String, Generator>) -> Option<String> {
    named.iter().find_map(|(name, generator)| Some(format!("`{name}`: {}", generator.problem()?)))
}

impl DistinctDraw {
    fn draw(&self, rng: &mut Rng) -> Value {
        let mut left: Vec<&Value> = self.of.iter().collect();
        let mut next = || left.swap_remove(rng.below(left.len())).clone();
        self.fields.iter().map(|field| (field.clone(), next())).collect()
    }

    fn problem(&self) -> Option<String> {
        let different = |values: &[Value]| values.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len();
        let n_fields = self.fields.iter().collect::<BTreeSet<_>>().len();
        if n_fields == 0 || n_fields < self.fields.len() {
            return Some("its fields are none, or not different".to_owned());
        }
        (different(&self.of) < self.of.len() || self.of.len() < n_fields)
            .then(|| format!("it needs at least {n_fields} values, all of them different"))
    }
}

impl PhraseDraw {
    fn draw(&self, rng: &mut Rng) -> Value {
        let drawn = self.gaps.iter().map(|(name, gap)| (name, gap.draw(rng)));
        let mut text = self.text.clone();
        for (name, value) in drawn {
            let words = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text = text.replace(&format!("{{{name}}}"), &words);
        }
        text.into()
    }

    fn problem(&self) -> Option<String> {
        let unused = self.gaps.keys().find(|name| !self.text.contains(&format!("{{{name}}}")));
        if let Some(name) = unused {
            return Some(format!("there is no gap `{{{name}}}` in its text"));
        }
        let filled = self.gaps.keys().fold(self.text.clone(), |text, name| text.replace(&format!("{{{name}}}"), ""));
        if filled.contains(['{', '}']) {
            return Some("its text has a gap that nothing fills".to_owned());
        }
        problem_of(&self.gaps)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn generator(text: &str) -> Generator {
        toml::from_str::<BTreeMap<String, Generator>>(&format!("x = {text}")).unwrap().remove("x").unwrap()
    }

    fn drawn(text: &str) -> Vec<String> {
        let generator = generator(text);
        assert_eq!(generator.problem(), None);
        (0..4).map(|seed| generator.draw(&mut Rng::for_purpose(seed, "test")).to_string()).collect()
    }

    #[test]
    fn fields_gaps_and_lists_are_drawn_by_themselves() {
        let each = drawn(r#"{ each = { a = { integer = [1, 99] }, b = { choice = ["x", "y"] } } }"#);
        let distinct = drawn(r#"{ distinct = { fields = ["a", "b", "c"], of = ["P", "Q", "R", "S"] } }"#);
        let phrase = drawn(
            r#"{ phrase = { text = "{n} {what}, {n}", gaps = { n = { integer = [2, 9] }, what = { choice = ["dogs", "cats"] } } } }"#,
        );
        for value in &distinct {
            let value: BTreeMap<String, String> = serde_json::from_str(value).unwrap();
            assert_eq!(value.values().collect::<BTreeSet<_>>().len(), 3, "{value:?}");
        }
        for told in [&each, &distinct, &phrase] {
            assert!(told.iter().collect::<BTreeSet<_>>().len() > 1, "seeds should differ: {told:?}");
        }
        assert!(phrase.iter().all(|text| text[1..2] == text[text.len() - 2..text.len() - 1]), "{phrase:?}");
        assert_eq!(generator("{ choice = [3] }").draw(&mut Rng::for_purpose(0, "test")), json!(3));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let problem = |text: &str| generator(text).problem().unwrap_or_default();
        let told = [
            problem("{ choice = [] }"),
            problem("{ integer = [9, 1] }"),
            problem("{ each = { a = { number = [2.0, 1.0] } } }"),
            problem(r#"{ distinct = { fields = ["a", "a"], of = [1, 2, 3] } }"#),
            problem(r#"{ distinct = { fields = ["a", "b"], of = [1] } }"#),
            problem(r#"{ distinct = { fields = ["a", "b"], of = [1, 1, 1] } }"#),
            problem(r#"{ phrase = { text = "to {whom}", gaps = {} } }"#),
            problem(r#"{ phrase = { text = "to you", gaps = { whom = { choice = ["me"] } } } }"#),
        ];
        insta::assert_snapshot!(told.join("\n"), @"
        it has nothing to draw from
        it has nothing to draw from: the lower bound comes first
        `a`: it has nothing to draw from: the lower bound comes first
        its fields are none, or not different
        it needs at least 2 values, all of them different
        it needs at least 2 values, all of them different
        its text has a gap that nothing fills
        there is no gap `{whom}` in its text
        ");
    }
}
