//! Names of somebody or something.

use serde_json::Value;

use super::expectation::{no_answers, refuse_other_keys, say, text, texts};
use super::{Likeness, LikenessResult};
use crate::fold::fold_name;
use crate::value::{Variant, brief, other_letter};

/// The same one by name: case, space, punctuation and accents do not count, every word does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameEntity;

/// Somebody or something as an expectation tells it.
struct ExpectedEntity {
    name: String,
    aliases: Vec<String>,
    /// Those that could be mistaken for it.
    not: Vec<String>,
}

impl ExpectedEntity {
    fn read(expected: &Value) -> Result<Self, String> {
        let entity = match expected {
            Value::String(name) => Self { name: name.clone(), aliases: Vec::new(), not: Vec::new() },
            Value::Object(fields) => {
                refuse_other_keys(fields, ["name", "aliases", "not"])?;
                Self {
                    name: text(fields, "name")?.ok_or("`name` is missing")?,
                    aliases: texts(fields, "aliases")?,
                    not: texts(fields, "not")?,
                }
            }
            other => {
                return Err(format!("a name, or `name` with `aliases` and `not`, is expected, not {}", brief(other)));
            }
        };
        if let Some(empty) = entity.accepted().find(|name| fold_name(name).is_empty()) {
            return Err(format!("of the name `{empty}` nothing is left without punctuation"));
        }
        match entity.not.iter().find(|other| entity.holds(other)) {
            Some(both) => Err(format!("`{both}` is accepted and stands in `not`")),
            None => Ok(entity),
        }
    }

    fn accepted(&self) -> impl Iterator<Item = &str> {
        [&self.name].into_iter().chain(&self.aliases).map(String::as_str)
    }

    fn holds(&self, name: &str) -> bool {
        let name = fold_name(name);
        self.accepted().any(|accepted| fold_name(accepted) == name)
    }

    /// What is wrong with a name that is not accepted.
    fn why_not(&self, name: &str) -> String {
        let folded = fold_name(name);
        if self.not.iter().any(|other| fold_name(other) == folded) {
            return format!("it is {name:?}, which is another one than {:?}", self.name);
        }
        format!("it is {}, not {:?}", brief(&name.into()), self.name)
    }

    fn near(&self) -> Vec<Variant> {
        let name = &self.name;
        let mut near: Vec<Variant> = self.not.iter().map(|other| say("another one", other)).collect();
        let both = |other: &String| say("this or another one", format!("{name} or {other}"));
        near.extend(self.not.iter().map(both));
        near.push(say("one letter too many", format!("{name}x")));
        near.push(say("one word too many", format!("{name} too")));
        near.push(say("denied", format!("not {name}")));
        let chars: Vec<char> = name.chars().collect();
        if let Some(at) = chars.iter().rposition(char::is_ascii_alphanumeric) {
            let mut other = chars;
            other[at] = other_letter(other[at]);
            near.push(say("another letter", other.into_iter().collect::<String>()));
        }
        let words: Vec<&str> = name.split_whitespace().collect();
        for missing in 0..if words.len() > 1 { words.len() } else { 0 } {
            let rest: Vec<&str> =
                words.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, word)| *word).collect();
            near.push(say(format!("without `{}`", words[missing]), rest.join(" ")));
        }
        near.retain(|(_, other)| other.as_str().is_some_and(|other| !self.holds(other)));
        near.extend(no_answers(&name.as_str().into()));
        near
    }

    fn like(&self) -> Vec<Variant> {
        let name = &self.name;
        let mut like: Vec<Variant> = self.aliases.iter().map(|alias| say("by another name", alias)).collect();
        like.push(say("as it stands", name));
        like.push(say("more space", format!("  {} ", name.replace(' ', "  "))));
        like.push(say("in quotation marks", format!("“{name}”")));
        like.push(say("with a full stop", format!("{name}.")));
        like.push(say("without accents, in small letters", fold_name(name)));
        if name.is_ascii() {
            like.push(say("in capitals", name.to_ascii_uppercase()));
            like.push(say("in small letters", name.to_ascii_lowercase()));
        }
        like
    }
}

impl Likeness for SameEntity {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        ExpectedEntity::read(expected).map(drop)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let entity = match ExpectedEntity::read(expected) {
            Ok(entity) => entity,
            Err(why) => return LikenessResult::of(false, why),
        };
        let Some(name) = actual.as_str() else {
            return LikenessResult::of(false, format!("it is {}, which is no name", brief(actual)));
        };
        let holds = entity.holds(name);
        LikenessResult::of(holds, if holds { format!("it is {}", brief(actual)) } else { entity.why_not(name) })
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedEntity::read(expected).map_or_else(|_| Vec::new(), |entity| entity.near())
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedEntity::read(expected).map_or_else(|_| Vec::new(), |entity| entity.like())
    }

    fn right(&self, expected: &Value) -> Value {
        ExpectedEntity::read(expected).map_or(Value::Null, |entity| entity.name.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    #[test]
    fn names_are_compared_word_by_word() {
        let expected =
            json!({"name": "Société Générale Saint-Denis", "aliases": ["SGSD"], "not": ["Société Générale"]});
        let why = |actual: Value| SameEntity.compare(&expected, &actual).because;
        let all = [
            json!("societe generale saint denis"),
            json!("“Société Générale Saint-Denis”."),
            json!("S.G.S.D."),
            json!("Societe Generale"),
            json!("La Société Générale Saint-Denis"),
            json!("Société Générale Saint-Denis SA"),
            json!(""),
            json!(7),
        ];
        insta::assert_snapshot!(all.map(why).join("\n"), @r#"
        it is "societe generale saint denis"
        it is "“Société Générale Saint-Denis”."
        it is "S.G.S.D."
        it is "Societe Generale", which is another one than "Société Générale Saint-Denis"
        it is "La Société Générale Saint-Denis", not "Société Générale Saint-Denis"
        it is "Société Générale Saint-Denis SA", not "Société Générale Saint-Denis"
        it is "", not "Société Générale Saint-Denis"
        it is 7, which is no name
        "#);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let wrong = [
            json!(7),
            json!("..."),
            json!({"aliases": ["Ada"]}),
            json!({"name": "Ada", "alias": []}),
            json!({"name": "Ada", "aliases": "Ada"}),
            json!({"name": "Ada", "aliases": ["Countess"], "not": ["ada"]}),
        ];
        insta::assert_snapshot!(wrong.map(|expected| SameEntity.fits(&expected).unwrap_err()).join("\n"), @r#"
        a name, or `name` with `aliases` and `not`, is expected, not 7
        of the name `...` nothing is left without punctuation
        `name` is missing
        `alias` means nothing here; did you mean `aliases`?
        `aliases` must be a list of texts, not "Ada"
        `ada` is accepted and stands in `not`
        "#);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(
            words in prop::collection::vec("[A-Z][a-zéöłß'-]{1,8}[a-z]", 1..5),
            alias in "[A-Z]{2,5}",
            not in "[A-Z][a-z]{3,6} [A-Z][a-z]{9,12}",
        ) {
            let n_words = words.len();
            let (n_near, n_like) = hold_both_ways(&SameEntity, &json!({"name": words.join(" "), "aliases": [alias], "not": [not]}));
            let n_missing = if n_words > 1 { n_words } else { 0 };
            prop_assert!(n_near >= 9 + n_missing.saturating_sub(1) && n_like >= 6, "{n_near} {n_like}");
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json(), name in "\\PC{0,16}") {
            survive(&SameEntity, &expected, &actual);
            survive(&SameEntity, &json!(name), &actual);
        }
    }
}
