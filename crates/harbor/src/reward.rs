//! Rewards: what tests leave behind, and what the rewards of several steps come to.
//!
//! Read and computed exactly as the package `harbor` 0.24.0 does it. A reward that cannot be read is an error of the verifier
//! and never a 0.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::config::{RewardStrategy, Thresholds};

/// The name of the reward where there is one alone.
pub const REWARD: &str = "reward";
/// The file of rewards by name, which is read where it is there.
pub const REWARD_JSON: &str = "reward.json";
/// The file of a single reward, which is read where the other is not there.
pub const REWARD_TEXT: &str = "reward.txt";

/// Rewards by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Rewards(pub BTreeMap<String, f64>);

/// Why the files that tests left hold no reward: an error of the verifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewardError {
    /// No file.
    #[error("the tests left neither reward.json nor reward.txt")]
    Missing,
    /// A file with nothing in it.
    #[error("{file} is empty")]
    Empty {
        /// Which.
        file: &'static str,
    },
    /// A file that cannot be read.
    #[error("{file} cannot be read: {why}")]
    Unreadable {
        /// Which.
        file: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// Something else than a number.
    #[error("{file} holds {value}, which is no number")]
    NotANumber {
        /// Which.
        file: &'static str,
        /// What it holds.
        value: String,
    },
    /// A number without end.
    #[error("{file} holds a number that is not finite")]
    NotFinite {
        /// Which.
        file: &'static str,
    },
    /// A number without a name.
    #[error("reward.json holds {value} and not numbers by name")]
    NotByName {
        /// What it holds.
        value: String,
    },
}

/// What tests left: the bytes of `reward.json` and of `reward.txt`, as far as they are there. The first counts where it is
/// there, also where it is broken and the other is not.
pub fn read_reward(json: Option<&[u8]>, text: Option<&[u8]>) -> Result<Rewards, RewardError> {
    match (json, text) {
        (Some([]), _) => Err(RewardError::Empty { file: REWARD_JSON }),
        (Some(json), _) => read_json(json),
        (None, Some([])) => Err(RewardError::Empty { file: REWARD_TEXT }),
        (None, Some(text)) => read_text(text),
        (None, None) => Err(RewardError::Missing),
    }
}

fn read_json(bytes: &[u8]) -> Result<Rewards, RewardError> {
    let unreadable = |why: String| RewardError::Unreadable { file: REWARD_JSON, why };
    let text = str::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))?;
    match serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))? {
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| Ok((name, number(&value)?))).collect::<Result<_, _>>().map(Rewards)
        }
        // The package reads such a number and then stumbles over it: an error all the same.
        value => Err(RewardError::NotByName { value: number(&value)?.to_string() }),
    }
}

/// True and false are numbers to the package.
fn number(value: &Value) -> Result<f64, RewardError> {
    match value {
        Value::Bool(flag) => Ok(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64().ok_or(RewardError::NotFinite { file: REWARD_JSON }),
        other => Err(RewardError::NotANumber { file: REWARD_JSON, value: brief(&other.to_string()) }),
    }
}

fn read_text(bytes: &[u8]) -> Result<Rewards, RewardError> {
    let unreadable = |error: std::str::Utf8Error| RewardError::Unreadable { file: REWARD_TEXT, why: error.to_string() };
    let text = str::from_utf8(bytes).map_err(unreadable)?;
    let wrong = || RewardError::NotANumber { file: REWARD_TEXT, value: format!("`{}`", brief(text.trim())) };
    let reward = python_float(text).ok_or_else(wrong)?;
    if !reward.is_finite() {
        return Err(RewardError::NotFinite { file: REWARD_TEXT });
    }
    Ok(Rewards([(REWARD.to_owned(), reward)].into()))
}

/// A number as Python's `float` reads it: with space around it, and underscores between digits.
fn python_float(text: &str) -> Option<f64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_between = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let mut underscores = text.match_indices('_').map(|(at, _)| at);
    underscores.all(is_between).then(|| text.replace('_', "").parse().ok())?
}

fn brief(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

impl Rewards {
    /// The one that is meant where one is asked for: `reward`, or the only one there is.
    pub fn primary(&self) -> Option<f64> {
        let only = || self.0.values().next().filter(|_| self.0.len() == 1);
        self.0.get(REWARD).or_else(only).copied()
    }

    /// The first threshold that is missed, in a sentence. A reward that is not there misses every threshold.
    pub fn missed(&self, thresholds: &Thresholds) -> Option<String> {
        thresholds.iter().find_map(|(name, least)| match self.0.get(name) {
            Some(reward) if reward < least => Some(format!("`{name}` is {reward}, and at least {least} is asked for")),
            None if *least > f64::NEG_INFINITY => {
                Some(format!("there is no `{name}`, and at least {least} is asked for"))
            }
            _ => None,
        })
    }
}

/// Why no step is begun after this one; nothing where the next one is. A step that could not be judged is the last one.
pub fn stop_after(judged: Option<&Rewards>, min_reward: Option<&Thresholds>) -> Option<String> {
    let Some(rewards) = judged else { return Some("the step could not be judged".to_owned()) };
    rewards.missed(min_reward?)
}

/// What the steps that were begun come to, in order, each with its rewards where it could be judged. The mean counts only steps that were
/// judged, so steps that were never begun cost nothing; a name that a step lacks counts 0 in it.
pub fn combine_rewards(strategy: RewardStrategy, steps: &[Option<Rewards>]) -> Option<Rewards> {
    if strategy == RewardStrategy::Final {
        return steps.last().cloned().flatten();
    }
    let judged: Vec<&Rewards> = steps.iter().flatten().collect();
    let names: BTreeSet<&String> = judged.iter().flat_map(|rewards| rewards.0.keys()).collect();
    let mean = |name: &String| {
        let each = judged.iter().map(|rewards| rewards.0.get(name).copied().unwrap_or(0.0));
        compensated_sum(each) / judged.len() as f64
    };
    let means: BTreeMap<String, f64> = names.into_iter().map(|name| (name.clone(), mean(name))).collect();
    (!means.is_empty()).then_some(Rewards(means))
}

/// A sum as Python's `sum` makes it: what is lost by rounding is kept beside it and added at the end.
fn compensated_sum(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for number in numbers {
        let next = sum + number;
        lost += if sum.abs() >= number.abs() { (sum - next) + number } else { (number - next) + sum };
        sum = next;
    }
    if lost.is_finite() { sum + lost } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(json: Option<&str>, text: Option<&str>) -> String {
        match read_reward(json.map(str::as_bytes), text.map(str::as_bytes)) {
            Ok(rewards) => format!("{:?} of {}", rewards.primary(), serde_json::to_string(&rewards).unwrap()),
            Err(error) => format!("? {error}"),
        }
    }

    #[test]
    fn a_reward_is_a_number_or_an_error_and_never_0_by_accident() {
        let jsons = [
            r#"{"reward": 0.5, "speed": 3}"#,
            r#"{"speed": 3}"#,
            r#"{"speed": 3, "size": 1}"#,
            r#"{"reward": true}"#,
            "{}",
            "1",
            "[1]",
            "null",
            r#"{"reward": "1"}"#,
            r#"{"reward": NaN}"#,
            r#"{"reward": 1e309}"#,
            r#"{"reward": 1} 2"#,
            "",
        ];
        let texts = ["1", " 0.25\n", "1_0.5", "_1", "1__0", "1e-1", "nan", "inf", "1e999", "yes", " \n", "", "0x1"];
        let lines: Vec<String> = jsons.iter().map(|json| format!("{json}: {}", told(Some(json), Some("1")))).collect();
        let more: Vec<String> = texts.iter().map(|text| format!("{text:?}: {}", told(None, Some(text)))).collect();
        insta::assert_snapshot!(format!("{}\n{}\n{}", lines.join("\n"), more.join("\n"), told(None, None)));
    }

    #[test]
    fn steps_come_to_one_reward() {
        let of =
            |pairs: &[(&str, f64)]| Some(Rewards(pairs.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect()));
        let steps = [of(&[("reward", 1.0)]), None, of(&[("reward", 0.5), ("speed", 3.0)])];
        let told = |strategy, steps: &[_]| serde_json::to_string(&combine_rewards(strategy, steps)).unwrap();
        assert_eq!(told(RewardStrategy::Mean, &steps), r#"{"reward":0.75,"speed":1.5}"#);
        assert_eq!(told(RewardStrategy::Mean, &steps[..1]), r#"{"reward":1.0}"#);
        assert_eq!(told(RewardStrategy::Final, &steps), r#"{"reward":0.5,"speed":3.0}"#);
        assert_eq!(told(RewardStrategy::Final, &steps[..2]), "null");
        assert_eq!(told(RewardStrategy::Mean, &[of(&[]), None]), "null");
        let least =
            |pairs: &[(&str, f64)]| pairs.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect::<Thresholds>();
        let why = |thresholds| stop_after(steps[2].as_ref(), Some(&thresholds));
        assert_eq!(why(least(&[("reward", 0.5)])), None);
        assert_eq!(why(least(&[("speed", 4.0)])).unwrap(), "`speed` is 3, and at least 4 is asked for");
        assert_eq!(why(least(&[("grace", -9.0)])).unwrap(), "there is no `grace`, and at least -9 is asked for");
        assert_eq!(stop_after(None, None).unwrap(), "the step could not be judged");
    }
}
