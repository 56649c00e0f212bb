//! The sum that every line of a run ends with: a hash of what stands before it, so that damage is seen that still reads
//! as JSON.

use quintain_core::Digest;
use serde::{Deserialize, Serialize};

/// How a sum is written as the last field of an object.
struct SumForm {
    /// What stands between the other fields and the digits.
    key: &'static [u8],
    /// What stands behind the digits.
    end: &'static [u8],
    /// What the object ended with before.
    closing: &'static [u8],
}

/// In a line.
const LINE: SumForm = SumForm { key: br#","sum":""#, end: br#""}"#, closing: b"}" };

/// In a file that is laid out for people.
const PRETTY: SumForm = SumForm { key: b",\n  \"sum\": \"", end: b"\"\n}", closing: b"\n}" };

/// As many digits of the hash are kept.
const N_DIGITS: usize = 16;

/// What the sum of a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineSum {
    /// The line is as it was written.
    Right,
    /// It is not.
    Wrong,
    /// There is none: an older program wrote the line, or the sum itself is damaged.
    Missing,
}

impl LineSum {
    /// Why the line is damaged by its sum, where it is.
    pub fn complaint(self, rule: SumRule) -> Option<&'static str> {
        match (self, rule) {
            (Self::Wrong, _) => Some("it is not as it was written: its sum is another"),
            (Self::Missing, SumRule::Always) => Some("its sum is missing"),
            (Self::Right | Self::Missing, _) => None,
        }
    }
}

/// Whether every line must have its sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SumRule {
    /// Each line was written with one: where it is missing, the line is damaged.
    Always,
    /// Older programs may have written lines without; what befell those cannot be seen.
    #[default]
    WhereThere,
}

impl SumRule {
    /// Whether it need not be written down.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::WhereThere
    }
}

/// Gives the object that begins at a byte of the buffer and ends with it a sum as its last field.
///
/// # Panics
///
/// Where there is no object with at least one field.
pub fn seal(buffer: &mut Vec<u8>, from: usize) {
    LINE.seal(buffer, from);
}

/// The same for an object that is laid out for people and is the whole file.
pub(crate) fn seal_pretty(file: &mut Vec<u8>) {
    PRETTY.seal(file, 0);
}

/// What the sum of a line says, which may end in a line feed.
pub fn check(line: &[u8]) -> LineSum {
    LINE.check(line)
}

/// What the sum of a file says that is laid out for people.
pub(crate) fn check_pretty(file: &[u8]) -> LineSum {
    PRETTY.check(file)
}

impl SumForm {
    fn seal(&self, buffer: &mut Vec<u8>, from: usize) {
        assert!(buffer.ends_with(self.closing), "only objects are sealed");
        buffer.truncate(buffer.len() - self.closing.len());
        let sum = digits(&buffer[from..]);
        buffer.extend_from_slice(self.key);
        buffer.extend_from_slice(sum.as_bytes());
        buffer.extend_from_slice(self.end);
    }

    fn check(&self, text: &[u8]) -> LineSum {
        let split = || {
            let (before, sum) = text.trim_ascii_end().strip_suffix(self.end)?.split_last_chunk::<N_DIGITS>()?;
            Some((before.strip_suffix(self.key)?, sum))
        };
        match split() {
            None => LineSum::Missing,
            Some((fields, sum)) if digits(fields).as_bytes() == sum => LineSum::Right,
            Some(_) => LineSum::Wrong,
        }
    }
}

/// Why a line is damaged by its sum, where it is.
pub fn complaint(line: &[u8], rule: SumRule) -> Option<&'static str> {
    check(line).complaint(rule)
}

fn digits(fields: &[u8]) -> String {
    let begin = Digest::of(fields).bytes().first_chunk().copied().expect("a hash has 32 bytes");
    format!("{:0N_DIGITS$x}", u64::from_be_bytes(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(text: &str) -> Vec<u8> {
        let mut line = text.as_bytes().to_vec();
        seal(&mut line, 0);
        line
    }

    #[test]
    fn a_sealed_line_is_json_with_one_field_more() {
        insta::assert_snapshot!(String::from_utf8(sealed(r#"{"v":1,"a":"}"}"#)).unwrap(), @r#"
        {"v":1,"a":"}","sum":"456ca31b98b336d3"}
        "#);
        assert_eq!(check(&sealed(r#"{"v":1}"#)), LineSum::Right);
        assert_eq!(check(b"{\"v\":1}\n"), LineSum::Missing);
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_seen() {
        let line = sealed(r#"{"v":1,"trial":"test/dial~lines~0","score":1.0}"#);
        for bit in 0..line.len() * 8 {
            let mut flipped = line.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(complaint(&flipped, SumRule::Always).is_some(), "bit {bit}");
        }
        for cut in 0..line.len() {
            assert!(complaint(&line[..cut], SumRule::Always).is_some(), "cut at {cut}");
        }
    }
}
