//! What hosts say to each other: DNS, DHCP and HTTP.

use super::packet::Ipv4;

/// How a server sends a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HttpForm {
    Plain,
    Chunked,
    Gzip,
}

/// What a DHCP message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DhcpKind {
    Discover = 1,
    Offer = 2,
    Request = 3,
    Ack = 5,
    Release = 7,
}

/// A message of DHCP as a relay passes it on.
#[derive(Clone, Debug)]
pub(super) struct DhcpMessage<'a> {
    pub(super) kind: DhcpKind,
    pub(super) transaction: u32,
    pub(super) mac: [u8; 6],
    pub(super) name: &'a str,
    pub(super) address: Ipv4,
    pub(super) relay: Ipv4,
    pub(super) server: Ipv4,
}

impl DhcpMessage<'_> {
    /// Its bytes.
    pub(super) fn written(&self) -> Vec<u8> {
        let is_answer = matches!(self.kind, DhcpKind::Offer | DhcpKind::Ack);
        let mut bytes = vec![if is_answer { 2 } else { 1 }, 1, 6, 1];
        bytes.extend(self.transaction.to_be_bytes());
        bytes.extend([0; 4]);
        bytes.extend(if self.kind == DhcpKind::Release { self.address } else { [0; 4] });
        bytes.extend(if is_answer { self.address } else { [0; 4] });
        bytes.extend([0; 4]);
        bytes.extend(if self.kind == DhcpKind::Release { [0; 4] } else { self.relay });
        bytes.extend(self.mac);
        bytes.extend([0; 10 + 192]);
        bytes.extend([99, 130, 83, 99, 53, 1, self.kind as u8]);
        bytes.extend(self.options());
        bytes.push(255);
        bytes
    }

    /// What stands behind its kind.
    fn options(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.kind {
            DhcpKind::Offer | DhcpKind::Ack => {
                bytes.extend([54, 4]);
                bytes.extend(self.server);
                bytes.extend([51, 4, 0, 0, 0x70, 0x80, 1, 4, 255, 255, 255, 0]);
            }
            DhcpKind::Request => {
                bytes.extend([50, 4]);
                bytes.extend(self.address);
            }
            DhcpKind::Discover | DhcpKind::Release => {}
        }
        if matches!(self.kind, DhcpKind::Discover | DhcpKind::Request) {
            bytes.extend([12, self.name.len() as u8]);
            bytes.extend(self.name.bytes());
        }
        bytes
    }
}

/// A question for a name, and what is answered where there is an answer: an address, or a text for texts.
pub(super) fn dns(number: u16, name: &str, kind: u16, answer: Option<&[u8]>) -> Vec<u8> {
    let flags: u16 = if answer.is_some() { 0x8180 } else { 0x0100 };
    let mut bytes = Vec::new();
    for word in [number, flags, 1, u16::from(answer.is_some()), 0, 0] {
        bytes.extend(word.to_be_bytes());
    }
    for label in name.split('.') {
        bytes.push(label.len() as u8);
        bytes.extend(label.bytes());
    }
    bytes.push(0);
    bytes.extend([kind.to_be_bytes(), 1_u16.to_be_bytes()].concat());
    if let Some(answer) = answer {
        bytes.extend([0xc0, 12]);
        bytes.extend([kind.to_be_bytes(), 1_u16.to_be_bytes()].concat());
        bytes.extend([0, 0, 0, 60]);
        bytes.extend((answer.len() as u16).to_be_bytes());
        bytes.extend(answer);
    }
    bytes
}

/// A request without content.
pub(super) fn get(host: &str, path: &str) -> Vec<u8> {
    let agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {agent}\r\nAccept: */*\r\n\r\n").into_bytes()
}

/// The head of a request with content of so many bytes.
pub(super) fn post_head(host: &str, path: &str, n_bytes: usize) -> Vec<u8> {
    let kind = "application/octet-stream";
    format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {n_bytes}\r\n\r\n")
        .into_bytes()
}

/// An answer with content.
pub(super) fn found(form: HttpForm, kind: &str, content: &[u8]) -> Vec<u8> {
    let body = match form {
        HttpForm::Plain => content.to_vec(),
        HttpForm::Chunked => chunked(content),
        HttpForm::Gzip => gzip(content),
    };
    let how = match form {
        HttpForm::Chunked => "Transfer-Encoding: chunked\r\n".to_owned(),
        HttpForm::Plain => format!("Content-Length: {}\r\n", body.len()),
        HttpForm::Gzip => format!("Content-Encoding: gzip\r\nContent-Length: {}\r\n", body.len()),
    };
    let head = format!("HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: {kind}\r\n{how}\r\n");
    [head.into_bytes(), body].concat()
}

fn chunked(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in content.chunks(4000) {
        out.extend(format!("{:x}\r\n", piece.len()).into_bytes());
        out.extend(piece);
        out.extend(b"\r\n");
    }
    out.extend(b"0\r\n\r\n");
    out
}

/// In gzip's form, in blocks that are stored as they are.
fn gzip(content: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    let n_blocks = content.len().div_ceil(30_000);
    for (at, block) in content.chunks(30_000).enumerate() {
        let length = block.len() as u16;
        out.push(u8::from(at + 1 == n_blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend(crc32(content).to_le_bytes());
    out.extend((content.len() as u32).to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

/// In the letters of RFC 4648 without padding, small.
pub(super) fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut text = String::new();
    for group in bytes.chunks(5) {
        let mut word = [0; 8];
        word[3..3 + group.len()].copy_from_slice(group);
        let word = u64::from_be_bytes(word);
        let n_letters = (group.len() * 8).div_ceil(5);
        text.extend((0..n_letters).map(|at| char::from(LETTERS[(word >> (35 - 5 * at)) as usize & 31])));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_those_of_the_standards() {
        let told: Vec<String> =
            ["f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base32(text.as_bytes())).into();
        assert_eq!(told, ["my", "mzxq", "mzxw6", "mzxw6yq", "mzxw6ytb", "mzxw6ytboi"]);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(chunked(b"abc"), b"3\r\nabc\r\n0\r\n\r\n");
    }
}
