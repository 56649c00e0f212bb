//! Workbooks as archives whose parts are stored as they are, taken apart and put together again to alter them.

/// What begins a part, and the list of all parts, and its end.
const PART: [u8; 4] = *b"PK\x03\x04";
const LISTED: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";

/// The parts of a workbook, by their names and in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkbookParts(pub(super) Vec<(String, Vec<u8>)>);

impl WorkbookParts {
    /// Nothing where one of them is compressed or the archive is none.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = bytes;
        while rest.get(..4)? == PART {
            let number = |at: usize, n: usize| {
                Some(rest.get(at..at + n)?.iter().rev().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte)))
            };
            let (flags, method, size) = (number(6, 2)?, number(8, 2)?, number(22, 4)?);
            if method != 0 || flags & 8 != 0 {
                return None;
            }
            let begin = 30 + number(26, 2)?;
            let name = String::from_utf8(rest.get(30..begin)?.to_vec()).ok()?;
            let content = begin + number(28, 2)?;
            parts.push((name, rest.get(content..content + size)?.to_vec()));
            rest = rest.get(content + size..)?;
        }
        Some(Self(parts))
    }

    /// As an archive again.
    pub(super) fn written(&self) -> Vec<u8> {
        let (mut out, mut listed) = (Vec::new(), Vec::new());
        for (name, content) in &self.0 {
            let offset = (out.len() as u32).to_le_bytes();
            let size = (content.len() as u32).to_le_bytes();
            let common = [
                &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
                &check_sum(content).to_le_bytes(),
                &size,
                &size,
                &(name.len() as u16).to_le_bytes(),
                &[0, 0],
            ]
            .concat();
            out.extend([&PART[..], &common, name.as_bytes(), content].concat());
            listed.extend([&LISTED[..], &[20, 0], &common, &[0; 10], &offset, name.as_bytes()].concat());
        }
        let n_parts = (self.0.len() as u16).to_le_bytes();
        let (size, begin) = ((listed.len() as u32).to_le_bytes(), (out.len() as u32).to_le_bytes());
        out.extend([&listed[..], &END, &[0; 4], &n_parts, &n_parts, &size, &begin, &[0, 0]].concat());
        out
    }

    /// With the text of one part changed.
    pub(super) fn with(&self, part: &str, change: impl Fn(&str) -> String) -> Self {
        let changed = |(name, content): &(String, Vec<u8>)| {
            let text = String::from_utf8_lossy(content);
            (name.clone(), if name == part { change(&text).into_bytes() } else { content.clone() })
        };
        Self(self.0.iter().map(changed).collect())
    }
}

/// The check sum that archives carry (CRC-32).
fn check_sum(bytes: &[u8]) -> u32 {
    let with = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    };
    !bytes.iter().fold(!0, with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_read_as_they_are_written() {
        let parts = WorkbookParts(vec![("a.xml".to_owned(), b"<a/>".to_vec()), ("b/c.xml".to_owned(), Vec::new())]);
        assert_eq!(WorkbookParts::read(&parts.written()), Some(parts.clone()));
        let other = parts.with("a.xml", |text| text.replace('a', "z"));
        assert_eq!(other.0[0].1, b"<z/>");
        assert_eq!(check_sum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn what_is_no_such_archive_is_told() {
        for bytes in [&b""[..], b"PK\x03\x04", b"PK\x03\x04 and nothing more than a little text", &[255; 64]] {
            assert!(WorkbookParts::read(bytes).is_none_or(|parts| parts.0.is_empty()), "{bytes:?}");
        }
    }
}
