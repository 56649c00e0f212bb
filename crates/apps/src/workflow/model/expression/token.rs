//! From the text of an expression to its tokens, as the app cuts it (`preview/expression/tokens.ts`).

/// The most tokens an expression may have; a longer one is taken as mere text.
const MAX_TOKENS: usize = 400;

/// The signs of the language, longer ones before those they begin with.
const MARKS: [&str; 26] = [
    "===", "!==", "&&", "||", "??", "?.", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")",
    "[", "]", ".", ",", "?", ":",
];

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or a word like `true`.
    Name(String),
    /// A text in quotes, without them.
    Text(String),
    /// A number: finite and not negative.
    Number(f64),
    /// One of the signs.
    Mark(&'static str),
}

/// The tokens of a text, or nothing where it has something the language lacks.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '"' | '\'' => quoted(rest, first)?,
            '0'..='9' => number(rest)?,
            '.' if second(rest).is_some_and(|c| c.is_ascii_digit()) => number(rest)?,
            _ if is_name_start(first) => name(rest),
            _ => mark(rest)?,
        };
        tokens.push(token);
        rest = after.trim_start_matches(is_blank);
        if tokens.len() > MAX_TOKENS {
            return None;
        }
    }
    Some(tokens)
}

/// Whether the app takes a character for white space.
pub(super) fn is_blank(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// Whether a text can stand after a dot.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(is_name_start) && text.chars().all(is_name_part)
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_ascii_digit()
}

fn second(text: &str) -> Option<char> {
    text.chars().nth(1)
}

fn name(text: &str) -> (Token, &str) {
    let end = text.find(|c| !is_name_part(c)).unwrap_or(text.len());
    (Token::Name(text[..end].to_owned()), &text[end..])
}

fn mark(text: &str) -> Option<(Token, &str)> {
    let found = MARKS.into_iter().find(|mark| text.starts_with(mark))?;
    Some((Token::Mark(found), &text[found.len()..]))
}

/// Digits, a point and a power of ten; after a point that comes first there are digits alone. `0b11` is the number 0 and
/// a name, which no expression has side by side.
fn number(text: &str) -> Option<(Token, &str)> {
    let digits = |from: usize| text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |n| from + n);
    let mut end = digits(0);
    let begins_with_digits = end > 0;
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if begins_with_digits && text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        end = Some(digits(end + 1 + signed)).filter(|&after| after > end + 1 + signed).unwrap_or(end);
    }
    let value: f64 = text[..end].parse().ok().filter(|value: &f64| value.is_finite())?;
    Some((Token::Number(value), &text[end..]))
}

fn quoted(text: &str, quote: char) -> Option<(Token, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Some((Token::Text(value), &text[at + c.len_utf8()..])),
            '\\' => value.push(escaped(chars.next()?.1)?),
            _ => value.push(c),
        }
    }
    None
}

/// What stands for a character after a backslash: itself, but for two letters. A line cannot be broken there.
fn escaped(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => None,
        other => Some(other),
    }
}
