//! What a line of a catalogue is made of: words, and pieces of text between quotes.

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PoToken<'a> {
    /// A word such as `msgstr`, with the number in brackets behind it.
    Word(&'a str, Option<usize>),
    /// A text without its quotes and escapes.
    Piece(String),
}

/// The parts of a line that is no comment.
pub(super) fn tokens(line: &str) -> Result<Vec<PoToken<'_>>, String> {
    let mut all = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let token;
        (token, rest) = if first == '"' { piece(&rest[1..])? } else { word(rest)? };
        all.push(token);
        rest = rest.trim_start();
    }
    Ok(all)
}

/// A text between quotes.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

/// A word at the beginning, and what follows it.
fn word(text: &str) -> Result<(PoToken<'_>, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if word.is_empty() {
        return Err(format!("`{}` means nothing", text.chars().take(1).collect::<String>()));
    }
    let Some(inner) = rest.trim_start().strip_prefix('[') else { return Ok((PoToken::Word(word, None), rest)) };
    let (index, rest) = inner.split_once(']').ok_or("a bracket that does not end")?;
    let index = index.trim().parse().map_err(|_why| "a bracket without a number")?;
    Ok((PoToken::Word(word, Some(index)), rest))
}

/// A text that a quote has begun, and what follows the quote that ends it.
fn piece(text: &str) -> Result<(PoToken<'_>, &str), String> {
    let (bytes, mut read, mut at) = (text.as_bytes(), Vec::new(), 0);
    loop {
        match bytes.get(at) {
            None => return Err("a text that does not end".to_owned()),
            Some(b'"') => break,
            Some(b'\\') => {
                let (byte, n_read) = escape(&bytes[at + 1..]).ok_or("an escape that is not known")?;
                read.push(byte);
                at += 1 + n_read;
            }
            Some(byte) => {
                read.push(*byte);
                at += 1;
            }
        }
    }
    let read = String::from_utf8(read).map_err(|_why| "escapes that are not UTF-8")?;
    Ok((PoToken::Piece(read), &text[at + 1..]))
}

/// The byte that an escape stands for, and how long it is without its backslash.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let plain = |byte| Some((byte, 1));
    match *text.first()? {
        b'n' => plain(b'\n'),
        b't' => plain(b'\t'),
        b'r' => plain(b'\r'),
        b'b' => plain(0x08),
        b'f' => plain(0x0c),
        b'v' => plain(0x0b),
        b'a' => plain(0x07),
        byte @ (b'"' | b'\\') => plain(byte),
        b'0'..=b'7' => {
            let digits = text.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte));
            Some(digits.fold((0, 0), |(value, n), digit| (value << 3 | (digit - b'0'), n + 1)))
        }
        b'x' => {
            let digits = text[1..].iter().map_while(|byte| char::from(*byte).to_digit(16));
            let (value, n_digits) = digits.fold((0_u8, 0), |(value, n), digit| (value << 4 | digit as u8, n + 1));
            (n_digits > 0).then_some((value, 1 + n_digits))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_gettext_reads_them() {
        let read = |text: &str| match tokens(text).as_deref() {
            Ok([PoToken::Piece(piece)]) => piece.clone(),
            other => format!("{other:?}"),
        };
        assert_eq!(read(r#""\303\226ffnen""#), "Öffnen");
        assert_eq!(read(r#""\xc3\x96l\x21""#), "Öl!");
        assert_eq!(read(r#""a\"\\\n\t\r\0""#), "a\"\\\n\t\r\0");
        for wrong in [r#""\xyz""#, r#""\q""#, r#""\""#, r#""\377""#] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_and_texts_need_no_blanks() {
        let piece = |text: &str| PoToken::Piece(text.to_owned());
        assert_eq!(tokens(r#"msgstr[2]"a""b""#), Ok(vec![PoToken::Word("msgstr", Some(2)), piece("a"), piece("b")]));
        assert_eq!(tokens("msgid_plural"), Ok(vec![PoToken::Word("msgid_plural", None)]));
        assert_eq!(tokens(" "), Ok(Vec::new()));
        for wrong in ["msgstr[", "msgstr[a]", "7", "é"] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }
}
