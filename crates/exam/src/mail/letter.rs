//! One message as it lies in a mailbox.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::calendar::CivilDate;

/// Somebody who writes mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Correspondent {
    pub(super) name: &'static str,
    pub(super) address: &'static str,
}

/// How addresses are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressStyle {
    /// With names.
    Named,
    /// Addresses alone.
    Bare,
    /// Addresses alone, in capitals.
    Shouted,
}

/// How a body travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyCoding {
    Plain,
    QuotedPrintable,
    Base64,
}

/// A file of the collection.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    /// Where it lies, below the folder of the collection.
    pub(super) file: String,
    pub(super) message_id: String,
    pub(super) from: Correspondent,
    pub(super) to: Vec<Correspondent>,
    pub(super) cc: Vec<Correspondent>,
    /// Seconds since 1970.
    pub(super) sent: i64,
    /// The hour that the date is told in, from UTC, in minutes.
    pub(super) zone_minutes: i64,
    pub(super) subject: String,
    pub(super) lines: Vec<String>,
    pub(super) in_reply_to: Option<String>,
    pub(super) references: Vec<String>,
    /// Whose server it was taken from.
    pub(super) received_by: &'static str,
    pub(super) address_style: AddressStyle,
    pub(super) coding: BodyCoding,
    /// The subject is told in base64 although it need not be.
    pub(super) encodes_subject: bool,
}

impl Letter {
    /// As a file.
    pub(super) fn written(&self) -> String {
        let mut out = String::new();
        let mut header = |name: &str, value: &str| {
            // Writing to a text cannot fail.
            write!(out, "{name}: {value}\r\n").ok();
        };
        header(
            "Received",
            &format!("from relay.example by {} with ESMTP; {}", self.received_by, date(self.sent + 3, 0)),
        );
        header("Message-ID", &format!("<{}>", self.message_id));
        header("Date", &date(self.sent, self.zone_minutes));
        header("From", &self.address(self.from));
        header("To", &self.addresses(&self.to));
        if !self.cc.is_empty() {
            header("Cc", &self.addresses(&self.cc));
        }
        header("Subject", &self.written_subject());
        if let Some(parent) = &self.in_reply_to {
            header("In-Reply-To", &format!("<{parent}>"));
        }
        if !self.references.is_empty() {
            let named: Vec<String> = self.references.iter().map(|id| format!("<{id}>")).collect();
            header("References", &named.join("\r\n "));
        }
        header("MIME-Version", "1.0");
        header("Content-Type", "text/plain; charset=utf-8");
        header("Content-Transfer-Encoding", self.coding.word());
        out.push_str("\r\n");
        out.push_str(&self.coding.coded(&self.lines));
        out
    }

    /// What is not ASCII is told in an encoded word one way or the other.
    fn written_subject(&self) -> String {
        if self.encodes_subject {
            return format!("=?utf-8?B?{}?=", BASE64_STANDARD.encode(&self.subject));
        }
        if self.subject.is_ascii() {
            return self.subject.clone();
        }
        let coded =
            |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("={byte:02X}") };
        format!("=?UTF-8?Q?{}?=", self.subject.bytes().map(coded).collect::<String>())
    }

    fn addresses(&self, of: &[Correspondent]) -> String {
        of.iter().map(|one| self.address(*one)).collect::<Vec<_>>().join(", ")
    }

    fn address(&self, of: Correspondent) -> String {
        match self.address_style {
            AddressStyle::Named => format!("\"{}\" <{}>", of.name, of.address),
            AddressStyle::Bare => of.address.to_owned(),
            AddressStyle::Shouted => of.address.to_ascii_uppercase(),
        }
    }
}

impl BodyCoding {
    fn word(self) -> &'static str {
        match self {
            Self::Plain => "8bit",
            Self::QuotedPrintable => "quoted-printable",
            Self::Base64 => "base64",
        }
    }

    fn coded(self, lines: &[String]) -> String {
        match self {
            Self::Plain => lines.join("\r\n") + "\r\n",
            Self::QuotedPrintable => {
                let coded: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
                coded.join("\r\n") + "\r\n"
            }
            Self::Base64 => {
                // What travels this way was often touched: blanks at the ends of lines, an empty line behind the last.
                let text = lines.join(" \n") + " \n\n";
                let coded = BASE64_STANDARD.encode(text);
                let pieces: Vec<&str> =
                    (0..coded.len()).step_by(76).map(|at| &coded[at..coded.len().min(at + 76)]).collect();
                pieces.join("\r\n") + "\r\n"
            }
        }
    }
}

/// A line in quoted-printable, broken where it grows too long.
fn quoted(line: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for byte in line.bytes() {
        let piece = match byte {
            b'=' | 0..=31 | 127..=255 => format!("={byte:02X}"),
            _ => char::from(byte).to_string(),
        };
        if width + piece.len() > 72 {
            out.push_str("=\r\n");
            width = 0;
        }
        width += piece.len();
        out.push_str(&piece);
    }
    out
}

/// A date as mail has it.
fn date(sent: i64, zone_minutes: i64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let local = sent + zone_minutes * 60;
    let (day, second) = (local.div_euclid(86_400), local.rem_euclid(86_400));
    let CivilDate { year, month, day: of_month } = CivilDate::of(day);
    let (sign, zone) = (if zone_minutes < 0 { '-' } else { '+' }, zone_minutes.abs());
    format!(
        "{}, {of_month} {} {year} {:02}:{:02}:{:02} {sign}{:02}{:02}",
        DAYS[day.rem_euclid(7) as usize],
        MONTHS[(month - 1) as usize],
        second / 3600,
        second / 60 % 60,
        second % 60,
        zone / 60,
        zone % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_mail_has_them() {
        assert_eq!(date(0, 0), "Thu, 1 Jan 1970 00:00:00 +0000");
        assert_eq!(date(1_709_210_096, 330), "Thu, 29 Feb 2024 18:04:56 +0530");
        assert_eq!(date(1_709_251_200, -480), "Thu, 29 Feb 2024 16:00:00 -0800");
    }

    #[test]
    fn lines_are_quoted_and_broken() {
        assert_eq!(quoted("a=b é"), "a=3Db =C3=A9");
        assert!(quoted(&"x".repeat(200)).split("=\r\n").all(|piece| piece.len() <= 72));
    }
}
