//! A reader of the literals that models write: JSON and Python alike. Nothing is ever evaluated.

use serde_json::{Map, Number, Value};

/// How deep brackets may nest, and how long one literal may be: models never need more, mischief does.
const MAX_DEPTH: usize = 32;
const MAX_LEN: usize = 4096;

/// Reads one literal from the start of the text. Gives the value and the number of bytes read.
pub(super) fn read(text: &str) -> Option<(Value, usize)> {
    let mut reader = LiteralReader { text: clip(text), at: 0 };
    let value = reader.value(0)?;
    Some((value, reader.at))
}

/// The arguments of a call: `2, 3` and `x=2, y=3`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arguments {
    /// Those without a name, in order.
    pub(super) given: Vec<Value>,
    /// Those with one.
    pub(super) named: Map<String, Value>,
}

/// Reads the arguments of a call, from after the opening bracket to past the closing one.
pub(super) fn read_arguments(text: &str) -> Option<(Arguments, usize)> {
    let mut reader = LiteralReader { text: clip(text), at: 0 };
    let arguments = reader.arguments()?;
    Some((arguments, reader.at))
}

fn clip(text: &str) -> &str {
    let mut end = text.len().min(MAX_LEN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

struct LiteralReader<'a> {
    text: &'a str,
    at: usize,
}

impl LiteralReader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&mut self) -> Option<char> {
        let spaces = self.rest().len() - self.rest().trim_start().len();
        self.at += spaces;
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let eaten = self.peek() == Some(wanted);
        if eaten {
            self.at += wanted.len_utf8();
        }
        eaten
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            '(' => self.bracketed('(', ')', depth),
            '[' => self.bracketed('[', ']', depth),
            '{' => self.object(depth),
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            c if c.is_ascii_digit() || "+-.".contains(c) => self.number(),
            c if c.is_alphabetic() || c == '_' => Some(self.word()),
            _ => None,
        }
    }

    fn bracketed(&mut self, open: char, close: char, depth: usize) -> Option<Value> {
        self.eat(open);
        self.items(close, depth + 1).map(Value::Array)
    }

    fn items(&mut self, close: char, depth: usize) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        loop {
            if self.eat(close) {
                return Some(items);
            }
            if !items.is_empty() && !self.eat(',') {
                return None;
            }
            if !items.is_empty() && self.eat(close) {
                return Some(items);
            }
            items.push(self.value(depth)?);
        }
    }

    fn arguments(&mut self) -> Option<Arguments> {
        let mut arguments = Arguments::default();
        let mut is_first = true;
        loop {
            if self.eat(')') {
                return Some(arguments);
            }
            if !is_first && !self.eat(',') {
                return None;
            }
            if !is_first && self.eat(')') {
                return Some(arguments);
            }
            is_first = false;
            match self.name() {
                Some(name) => drop(arguments.named.insert(name, self.value(0)?)),
                None => arguments.given.push(self.value(0)?),
            }
        }
    }

    /// The name before an equals sign.
    fn name(&mut self) -> Option<String> {
        self.peek()?;
        let rest = self.rest();
        let len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let after = rest[len..].trim_start();
        let is_name = len > 0 && !rest.starts_with(|c: char| c.is_ascii_digit());
        if !is_name || !after.starts_with('=') || after.starts_with("==") {
            return None;
        }
        let name = rest[..len].to_owned();
        self.at = self.text.len() - after.len() + 1;
        Some(name)
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.eat('{');
        let mut object = Map::new();
        loop {
            if self.eat('}') {
                return Some(Value::Object(object));
            }
            if !object.is_empty() && !self.eat(',') {
                return None;
            }
            if self.eat('}') {
                return Some(Value::Object(object));
            }
            let Value::String(key) = self.value(depth + 1)? else { return None };
            if !self.eat(':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            object.insert(key, value);
        }
    }

    fn string(&mut self, quote: char) -> Option<String> {
        self.eat(quote);
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '\\' => text.push(escaped(chars.next()?.1)),
                c if c == quote => {
                    self.at += offset + 1;
                    return Some(text);
                }
                c => text.push(c),
            }
        }
        None
    }

    fn number(&mut self) -> Option<Value> {
        let len = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))?;
        let text = &self.rest()[..len];
        let value = match text.parse::<i64>() {
            Ok(whole) => Value::from(whole),
            Err(_) => Value::Number(Number::from_f64(text.parse().ok()?)?),
        };
        self.at += len;
        Some(value)
    }

    fn word(&mut self) -> Value {
        let rest = self.rest();
        let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let value = match &rest[..len] {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" => Value::Null,
            word => Value::String(word.to_owned()),
        };
        self.at += len;
        value
    }
}

fn escaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}
