//! An expression, from its text.

use super::term::AlgebraTerm;

/// Longer texts are not read, nor what is nested deeper.
const MOST_CHARACTERS: usize = 2000;
const MOST_NESTED: usize = 40;
/// What is written with braces, besides `piecewise`.
const COLLECTIONS: [&str; 4] = ["vector", "list", "matrix", "matrixrow"];
/// What is one sign though it has two characters, then the others.
const SIGNS: [&str; 26] = [
    "->", ":=", "<=", ">=", "!=", "..", "+", "-", "*", "/", "^", "(", ")", "{", "}", "[", "]", ",", ":", "?", "=", "<",
    ">", "@", ";", "!",
];
const RELATIONS: [&str; 6] = ["<=", ">=", "!=", "=", "<", ">"];

type ReadTerm = Result<AlgebraTerm, String>;

/// The expression that a text is, or why it is none.
pub(crate) fn term_of(text: &str) -> ReadTerm {
    if text.len() > MOST_CHARACTERS {
        return Err(format!("it has more than {MOST_CHARACTERS} characters"));
    }
    let mut reader = TermReader { words: words_of(text)?, at: 0, depth: 0 };
    let term = reader.whole()?;
    match reader.peek() {
        None => Ok(term),
        left => Err(format!("{} is one too many", told(left))),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum TermWord {
    Number(f64),
    Name(String),
    Sign(&'static str),
}

/// A word, or where they end, for people.
fn told(word: Option<&TermWord>) -> String {
    match word {
        None => "the end".to_owned(),
        Some(TermWord::Number(number)) => format!("`{number}`"),
        Some(TermWord::Name(name)) => format!("`{name}`"),
        Some(TermWord::Sign(sign)) => format!("`{sign}`"),
    }
}

fn words_of(text: &str) -> Result<Vec<TermWord>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let length = number_length(rest);
            words.push(TermWord::Number(
                rest[..length].parse().map_err(|_not_a_number| format!("`{rest}` is no number"))?,
            ));
            length
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            words.push(TermWord::Name(rest[..length].to_owned()));
            length
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or_else(|| format!("`{first}` means nothing"))?;
            words.push(TermWord::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

/// How much of a text is its first number. `1..3` begins with `1`.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    let sign = usize::from(text[length..].get(1..2).is_some_and(|sign| sign == "+" || sign == "-"));
    let is_power = text[length..].starts_with('e') && text.is_char_boundary(length + 1 + sign);
    if is_power && length + 1 + sign <= text.len() && digits(length + 1 + sign) > 0 {
        length += 1 + sign + digits(length + 1 + sign);
    }
    length
}

struct TermReader {
    words: Vec<TermWord>,
    at: usize,
    depth: usize,
}

impl TermReader {
    fn peek(&self) -> Option<&TermWord> {
        self.words.get(self.at)
    }

    fn sees(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(TermWord::Sign(seen)) if *seen == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_there = self.sees(sign);
        self.at += usize::from(is_there);
        is_there
    }

    fn need(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(format!("`{sign}` is missing before {}", told(self.peek()))) }
    }

    fn name(&mut self) -> Result<String, String> {
        match self.peek() {
            Some(TermWord::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            other => Err(format!("a name is missing before {}", told(other))),
        }
    }

    /// A function, or something that may be a comparison.
    fn whole(&mut self) -> ReadTerm {
        if self.depth == MOST_NESTED {
            return Err("it is nested too deeply".to_owned());
        }
        self.depth += 1;
        let read = match self.lambda_names() {
            Some(names) => self.whole().map(|body| AlgebraTerm::Lambda(names, Box::new(body))),
            None => self.relation(),
        };
        self.depth -= 1;
        read
    }

    /// The names before an arrow, where there is one.
    fn lambda_names(&mut self) -> Option<Vec<String>> {
        let before = self.at;
        let names = self.try_lambda_names();
        if names.is_none() {
            self.at = before;
        }
        names
    }

    fn try_lambda_names(&mut self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        if self.takes("(") {
            names.push(self.name().ok()?);
            while self.takes(",") {
                names.push(self.name().ok()?);
            }
            self.need(")").ok()?;
        } else {
            names.push(self.name().ok()?);
        }
        self.takes("->").then_some(names)
    }

    fn relation(&mut self) -> ReadTerm {
        let left = self.sum()?;
        match RELATIONS.into_iter().find(|sign| self.sees(sign)) {
            Some(sign) => {
                self.at += 1;
                Ok(AlgebraTerm::pair(left, sign, self.sum()?))
            }
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> ReadTerm {
        let mut sum = self.product()?;
        while let Some(sign) = ["+", "-"].into_iter().find(|sign| self.sees(sign)) {
            self.at += 1;
            sum = AlgebraTerm::pair(sum, sign, self.product()?);
        }
        Ok(sum)
    }

    fn product(&mut self) -> ReadTerm {
        let mut product = self.signed()?;
        while let Some(sign) = ["*", "/"].into_iter().find(|sign| self.sees(sign)) {
            self.at += 1;
            product = AlgebraTerm::pair(product, sign, self.signed()?);
        }
        Ok(product)
    }

    /// A minus binds less than a power: `-2^2` is -4.
    fn signed(&mut self) -> ReadTerm {
        let mut n_minus = 0;
        while self.sees("-") || self.sees("+") {
            n_minus += usize::from(self.sees("-"));
            self.at += 1;
        }
        let power = self.power()?;
        Ok(if n_minus % 2 == 1 { AlgebraTerm::Negative(Box::new(power)) } else { power })
    }

    /// Powers are taken from the left: `2^3^2` is 64.
    fn power(&mut self) -> ReadTerm {
        let mut power = self.applied()?;
        while self.takes("^") {
            let is_negative = self.takes("-");
            let exponent = self.applied()?;
            let exponent = if is_negative { AlgebraTerm::Negative(Box::new(exponent)) } else { exponent };
            power = AlgebraTerm::pair(power, "^", exponent);
        }
        Ok(power)
    }

    /// Something with arguments or places behind it.
    fn applied(&mut self) -> ReadTerm {
        let mut term = self.single()?;
        loop {
            if self.takes("(") {
                term = self.called(term)?;
            } else if self.takes("[") {
                let place = self.whole()?;
                self.need("]")?;
                term = AlgebraTerm::Call(Box::new(AlgebraTerm::Name("selector".to_owned())), vec![place, term]);
            } else {
                return Ok(term);
            }
        }
    }

    fn called(&mut self, called: AlgebraTerm) -> ReadTerm {
        let mut given = vec![self.whole()?];
        if self.takes(":") {
            return self.bounded(called, given.remove(0));
        }
        while self.takes(",") {
            given.push(self.whole()?);
        }
        self.need(")")?;
        Ok(AlgebraTerm::Call(Box::new(called), given))
    }

    fn bounded(&mut self, called: AlgebraTerm, body: AlgebraTerm) -> ReadTerm {
        let AlgebraTerm::Name(what) = called else { return Err("only what has a name has bounds".to_owned()) };
        let name = self.name()?;
        let bounds = if self.takes("=") {
            let from = self.sum()?;
            self.need("..")?;
            Some(Box::new((from, self.sum()?)))
        } else {
            None
        };
        self.need(")")?;
        Ok(AlgebraTerm::Bounded(what, Box::new(body), name, bounds))
    }

    fn single(&mut self) -> ReadTerm {
        if self.takes("(") {
            let inner = self.whole()?;
            self.need(")")?;
            return Ok(inner);
        }
        match self.peek().cloned() {
            Some(TermWord::Number(number)) => {
                self.at += 1;
                self.factor(AlgebraTerm::Number(number))
            }
            Some(TermWord::Name(name)) => {
                self.at += 1;
                if self.takes("{") { self.braced(name) } else { Ok(AlgebraTerm::Name(name)) }
            }
            other => Err(format!("{} cannot stand there", told(other.as_ref()))),
        }
    }

    /// A number right before a name is multiplied before anything else is done: `3x^2` is `(3*x)^2`.
    fn factor(&mut self, number: AlgebraTerm) -> ReadTerm {
        if !matches!(self.peek(), Some(TermWord::Name(_))) {
            return Ok(number);
        }
        let name = self.name()?;
        let mut factor = AlgebraTerm::Name(name);
        if self.takes("(") {
            factor = self.called(factor)?;
        }
        Ok(AlgebraTerm::pair(number, "*", factor))
    }

    fn braced(&mut self, kind: String) -> ReadTerm {
        if kind == "piecewise" {
            return self.piecewise();
        }
        if !COLLECTIONS.contains(&kind.as_str()) {
            return Err(format!("`{kind}` takes no braces"));
        }
        let mut items = Vec::new();
        while !self.takes("}") {
            if !items.is_empty() {
                self.need(",")?;
            }
            items.push(self.whole()?);
        }
        Ok(AlgebraTerm::Collection(kind, items))
    }

    fn piecewise(&mut self) -> ReadTerm {
        let mut cases = Vec::new();
        while !self.takes("}") {
            if !cases.is_empty() {
                self.need(",")?;
            }
            let when = if self.sees("?") { None } else { Some(self.whole()?) };
            self.need("?")?;
            cases.push((when, self.whole()?));
        }
        Ok(AlgebraTerm::Piecewise(cases))
    }
}
