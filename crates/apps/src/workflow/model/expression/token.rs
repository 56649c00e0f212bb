//! From the text of an expression to its tokens.

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
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '"' | '\'' | '`' => quoted(rest, first)?,
            '0'..='9' => number(rest)?,
            '.' if second(rest).is_some_and(|c| c.is_ascii_digit()) => number(rest)?,
            _ if is_name_start(first) => name(rest),
            _ => mark(rest)?,
        };
        tokens.push(token);
        rest = after.trim_start();
        if tokens.len() > MAX_TOKENS {
            return None;
        }
    }
    Some(tokens)
}

/// Whether a text can stand after a dot.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(is_name_start) && text.chars().all(is_name_part)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_numeric()
}

fn second(text: &str) -> Option<char> {
    text.chars().nth(1)
}

fn name(text: &str) -> (Token, &str) {
    let end = text.find(|c| !is_name_part(c)).unwrap_or(text.len());
    (Token::Name(text[..end].to_owned()), &text[end..])
}

fn mark(text: &str) -> Option<(Token, &str)> {
    let found = MARKS.into_iter().find(|mark| {
        let fits = text.starts_with(mark);
        // `a?.5:1` is a choice whose first outcome is a number.
        let is_choice = *mark == "?." && text.chars().nth(2).is_some_and(|c| c.is_ascii_digit());
        fits && !is_choice
    })?;
    let after = &text[found.len()..];
    let is_step = matches!(found, "+" | "-") && after.starts_with(found);
    (!is_step).then_some((Token::Mark(found), after))
}

fn number(text: &str) -> Option<(Token, &str)> {
    let digits = |from: usize| text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |n| from + n);
    let mut end = digits(0);
    if end > 1 && text.starts_with('0') {
        return None;
    }
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        end = Some(digits(end + 1 + signed)).filter(|&after| after > end + 1 + signed)?;
    }
    let value: f64 = text[..end].parse().ok().filter(|value: &f64| value.is_finite())?;
    let ends_here = !text[end..].starts_with(is_name_part);
    ends_here.then_some((Token::Number(value), &text[end..]))
}

fn quoted(text: &str, quote: char) -> Option<(Token, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Some((Token::Text(value), &text[at + c.len_utf8()..])),
            '\\' => value.push(escaped(&mut chars)?),
            '\n' | '\r' if quote != '`' => return None,
            '$' if quote == '`' && text[at + 1..].starts_with('{') => return None,
            _ => value.push(c),
        }
    }
    None
}

fn escaped(chars: &mut impl Iterator<Item = (usize, char)>) -> Option<char> {
    match chars.next()?.1 {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'v' => Some('\u{b}'),
        'x' => by_number(chars, 2),
        'u' => by_number(chars, 4),
        '0'..='9' | '\n' | '\r' => None,
        other => Some(other),
    }
}

fn by_number(chars: &mut impl Iterator<Item = (usize, char)>, n_digits: usize) -> Option<char> {
    let digits: String = chars.take(n_digits).map(|(_, c)| c).collect();
    let is_whole = digits.len() == n_digits && digits.chars().all(|c| c.is_ascii_hexdigit());
    u32::from_str_radix(&digits, 16).ok().filter(|_| is_whole).and_then(char::from_u32)
}
