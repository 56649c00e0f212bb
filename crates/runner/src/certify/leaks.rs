//! What no agent may be shown, and whether one was.

use std::collections::BTreeSet;

use quintain_core::files::{FileError, copy_pieces};
use quintain_core::{Digest, FileHandle, Instance, ObservationPart, Task};
use serde_json::Value;

use super::certificate::{CertificateRefusal, Reason};
use super::rehearsal::Rehearsal;

/// How a canary begins.
const CANARY: &str = "quintain-canary-";
/// Shorter texts are too common to prove anything.
const MIN_TEXT: usize = 4;
/// Numbers of fewer digits are too common to prove anything.
const MIN_DIGITS: usize = 4;
/// A rounded number must show at least so many digits to prove anything.
const MIN_ROUNDED_DIGITS: usize = 5;
/// Lists of fewer values are too common to prove anything.
const MIN_ITEMS: usize = 4;
/// Shorter reference files are too common to prove anything.
const MIN_FILE: usize = 16;

/// Longer reference files are in no text that an agent is shown.
const MAX_FILE: u64 = 4 << 20;

/// Everything of an instance that no agent may be shown, in forms that can be searched for.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    canary: String,
    files: Vec<(String, String)>,
    texts: Vec<(String, String)>,
    lists: Vec<(String, String)>,
    numbers: Vec<(String, f64)>,
}

/// What is wrong with the folder itself: no canary, or one where the agent may read.
pub(super) fn in_folder(task: &Task) -> Vec<CertificateRefusal> {
    let canary = task.canary();
    let digits = canary.strip_prefix(CANARY).unwrap_or_default();
    if digits.len() < 8 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        let why = format!("reference/canary.txt must hold `{CANARY}` and at least 8 hexadecimal digits");
        return vec![CertificateRefusal::of_task(Reason::NoCanary, why)];
    }
    let refused = |path: &str| match holds(&task.input[path], &canary) {
        Ok(false) => None,
        Ok(true) => {
            Some(CertificateRefusal::of_task(Reason::Leak, format!("input/{path} holds the canary of the reference")))
        }
        Err(error) => Some(CertificateRefusal::of_task(Reason::Breaks, format!("input/{path}: {error}"))),
    };
    task.input.keys().filter_map(|path| refused(path)).collect()
}

/// Whether a text stands in a file, in small letters or capitals. The file is read piece by piece.
fn holds(file: &FileHandle, text: &str) -> Result<bool, FileError> {
    let wanted = text.to_ascii_lowercase().into_bytes();
    let (mut window, mut found) = (Vec::new(), false);
    copy_pieces(&mut *file.open()?, &mut |piece| {
        window.extend(piece.iter().map(u8::to_ascii_lowercase));
        found = found || window.windows(wanted.len()).any(|part| part == wanted);
        // The end is kept: the text may go on in the next piece.
        window.drain(..window.len().saturating_sub(wanted.len() - 1));
        Ok(())
    })?;
    Ok(found)
}

impl Secrets {
    /// The secrets of an instance. A pointer that leads nowhere hides nothing, and is told.
    pub(super) fn of(task: &Task, instance: &Instance) -> (Self, Vec<String>) {
        let mut secrets = Self { canary: task.canary().to_ascii_lowercase(), ..Self::default() };
        // What agents are given anyway is no secret, though the judge has a copy.
        let given: BTreeSet<Digest> = task.input.values().map(FileHandle::digest).collect();
        let is_hidden = |path: &str, file: &FileHandle| path != "canary.txt" && !given.contains(&file.digest());
        for (path, file) in task.reference.iter().filter(|(path, file)| is_hidden(path, file)) {
            let Ok(bytes) = file.whole(MAX_FILE) else { continue };
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if text.len() >= MIN_FILE {
                secrets.files.push((format!("reference/{path}"), text));
            }
        }
        let mut astray = Vec::new();
        for pointer in &instance.secrets {
            match instance.start.pointer(pointer) {
                Some(value) => secrets.collect(pointer, value),
                None => astray.push(pointer.clone()),
            }
        }
        (secrets, astray)
    }

    /// How many things are searched for.
    pub(super) fn len(&self) -> usize {
        1 + self.files.len() + self.texts.len() + self.lists.len() + self.numbers.len()
    }

    fn collect(&mut self, place: &str, value: &Value) {
        match value {
            Value::String(text) if text.chars().count() >= MIN_TEXT => {
                self.texts.push((place.to_owned(), text.clone()));
            }
            Value::Number(number) if digits(&number.to_string()) >= MIN_DIGITS => {
                self.numbers.extend(number.as_f64().map(|number| (place.to_owned(), number.abs())));
            }
            Value::Array(items) => {
                self.collect_list(place, value);
                items.iter().enumerate().for_each(|(idx, item)| self.collect(&format!("{place}/{idx}"), item));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| self.collect(&format!("{place}/{name}"), field));
            }
            _ => {}
        }
    }

    fn collect_list(&mut self, place: &str, value: &Value) {
        let list = spelled_out(&value.to_string());
        let items: Vec<&str> = list.split(',').filter(|item| !item.is_empty()).collect();
        let all_the_same = items.iter().collect::<BTreeSet<_>>().len() < 2;
        let is_plain = !value.as_array().into_iter().flatten().any(Value::is_object);
        if items.len() >= MIN_ITEMS && is_plain && !all_the_same {
            self.lists.push((place.to_owned(), list));
        }
    }

    /// Where a trial showed what it must not, in a sentence; at most one for each secret. What an agent said itself
    /// may be said back to it. The file of a picture that was searched before is not searched again.
    pub(super) fn shown_in(&self, rehearsal: &Rehearsal, searched: &mut BTreeSet<Digest>) -> Vec<String> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for text in told(rehearsal) {
            found.extend(self.found(&text, &[]).map(|what| format!("{what} is in what the agent is told first")));
        }
        for (idx, turn) in rehearsal.turns.iter().enumerate() {
            let said: Vec<&str> = rehearsal.said_before(idx).collect();
            for (part, text) in turn.shown.texts.iter().filter(|(part, _)| **part != ObservationPart::Remaining) {
                let part = format!("{part:?}").to_lowercase();
                found.extend(self.found(text, &said).map(|what| format!("{what} is in the {part} of turn {idx}")));
            }
        }
        for (_, bytes) in rehearsal.pictures.iter().filter(|(digest, _)| searched.insert(**digest)) {
            let text = String::from_utf8_lossy(bytes);
            found.extend(self.found(&text, &[]).map(|what| format!("{what} is in the file of a picture")));
        }
        let mut seen = BTreeSet::new();
        found.retain(|sentence| seen.insert(sentence.split(" is in ").next().unwrap_or_default().to_owned()));
        found.into_iter().collect()
    }

    /// The places whose value stands in a text, unless the agent said it before.
    fn found(&self, text: &str, said: &[&str]) -> impl Iterator<Item = String> + use<> {
        let is_new = |stands_in: &dyn Fn(&str) -> bool| stands_in(text) && !said.iter().any(|said| stands_in(said));
        let mut found = Vec::new();
        if !self.canary.is_empty() && text.to_ascii_lowercase().contains(&self.canary) {
            found.push("the canary of the reference".to_owned());
        }
        let texts = self.texts.iter().chain(&self.files);
        let texts = texts.filter(|(_, secret)| is_new(&|text| text.contains(secret.as_str())));
        let lists = self.lists.iter().filter(|(_, secret)| is_new(&|text| spelled_out(text).contains(secret.as_str())));
        found.extend(texts.chain(lists).map(|(place, _)| format!("the secret `{place}`")));
        if self.numbers.is_empty() {
            return found.into_iter();
        }
        let told: Vec<&str> = numbers_in(text).filter(|token| digits(token) >= MIN_DIGITS).collect();
        let was_said = |token: &str| said.iter().any(|said| numbers_in(said).any(|other| other == token));
        let numbers = self
            .numbers
            .iter()
            .filter(|(_, secret)| told.iter().any(|token| tells(token, *secret) && !was_said(token)));
        found.extend(numbers.map(|(place, _)| format!("the secret `{place}`")));
        found.into_iter()
    }
}

/// How many texts of a trial are searched.
pub(super) fn n_texts(rehearsal: &Rehearsal) -> usize {
    told(rehearsal).len() + rehearsal.turns.iter().map(|turn| turn.shown.texts.len()).sum::<usize>()
}

/// Everything the agent is told before the first turn.
fn told(rehearsal: &Rehearsal) -> Vec<String> {
    let Some(briefing) = &rehearsal.briefing else { return Vec::new() };
    let surface = serde_json::to_string(&briefing.surface).unwrap_or_default();
    let answer = briefing.answer.as_ref().map(Value::to_string);
    [briefing.instruction.clone(), surface].into_iter().chain(answer).collect()
}

/// A text with everything between values made one comma, so that a list reads the same however it is written.
fn spelled_out(text: &str) -> String {
    let mut spelled = String::from(",");
    for c in text.chars() {
        let between = c.is_whitespace() || ",;|()[]{}\"'`".contains(c);
        if !between {
            spelled.push(c);
        } else if !spelled.ends_with(',') {
            spelled.push(',');
        }
    }
    if !spelled.ends_with(',') {
        spelled.push(',');
    }
    spelled
}

/// The numbers that stand in a text, without their signs.
fn numbers_in(text: &str) -> impl Iterator<Item = &str> {
    let tokens = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    tokens.map(|token| token.trim_matches('.')).filter(|token| token.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a number as written tells a secret one: the same, or the same rounded.
fn tells(token: &str, secret: f64) -> bool {
    let n_digits = digits(token);
    let Ok(number) = token.parse::<f64>() else { return false };
    if n_digits < MIN_DIGITS {
        return false;
    }
    let off = (number - secret).abs();
    let last_place = token.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    let rounded = n_digits >= MIN_ROUNDED_DIGITS && off <= 0.5 * 10_f64.powi(-last_place);
    rounded || off <= f64::EPSILON * secret
}

/// How many digits of a number mean something: zeros at either end do not.
fn digits(number: &str) -> usize {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(secret: &Value, text: &str, said: &str) -> bool {
        let mut secrets = Secrets::default();
        secrets.collect("/x", secret);
        secrets.found(text, &[said]).next().is_some()
    }

    #[test]
    fn a_canary_is_found_wherever_it_stands_in_a_file() {
        let canary = "quintain-canary-0123abcd";
        for at in [0, 1, (128 << 10) - 7, 300 << 10] {
            let mut bytes = vec![b'.'; at];
            bytes.extend_from_slice(canary.to_uppercase().as_bytes());
            bytes.extend_from_slice(b"..");
            assert!(holds(&bytes.clone().into(), canary).unwrap(), "{at}");
            bytes.truncate(at + canary.len() - 1);
            assert!(!holds(&bytes.into(), canary).unwrap(), "{at}");
        }
    }

    #[test]
    fn secrets_are_found_however_they_are_written() {
        assert!(found(&json!("swordfish"), "the password is swordfish.", ""));
        assert!(found(&json!(1.372_914), "scale=1.372914", ""));
        assert!(found(&json!(1.372_914), "scale 1.3729", ""), "rounded");
        assert!(found(&json!(-1234), "at 1234,", ""));
        for text in ["[3,1,0,2]", "it is [3, 1, 0, 2]", "(3, 1, 0, 2)", "3 1 0 2", "'3';'1';'0';'2'"] {
            assert!(found(&json!([3, 1, 0, 2]), text, ""), "{text}");
        }
        assert!(found(&json!([[0, 1], [2, 3]]), "[[0, 1],\n [2, 3]]", ""));
    }

    #[test]
    fn what_is_common_or_was_said_by_the_agent_proves_nothing() {
        assert!(!found(&json!("up"), "go up", ""));
        assert!(!found(&json!(12), "12 steps", ""));
        assert!(!found(&json!(1200), "1200 px", ""));
        assert!(!found(&json!(1.372_914), "1.37", ""));
        assert!(!found(&json!(1234), "312345", ""));
        assert!(!found(&json!([0, 1]), "[0, 1]", ""));
        assert!(!found(&json!([3, 1, 0, 2]), "13 1 0 25", ""));
        assert!(!found(&json!(37.25), "turned by 37.25", "('rotate', 37.25)"));
        assert!(!found(&json!("swordfish"), "no action `swordfish`", "('swordfish', 1)"));
    }
}
