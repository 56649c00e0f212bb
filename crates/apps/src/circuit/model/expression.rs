//! Boolean expressions: `a and not (b or c)`, read from text and worked out for a row of values.

use std::collections::BTreeSet;

/// How a gate combines its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GateOperator {
    /// Every input is high.
    And,
    /// Some input is high.
    Or,
    /// An odd number of inputs is high.
    Xor,
    /// Not every input is high.
    Nand,
    /// No input is high.
    Nor,
    /// An even number of inputs is high.
    Xnor,
}

/// A boolean expression. A chain of one operator, `a or b or c`, is one gate with many inputs; parentheses keep gates
/// apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expression {
    /// A value by its name.
    Name(String),
    /// Always low or always high.
    Constant(bool),
    /// The other level.
    Not(Box<Expression>),
    /// Several combined.
    Gate(GateOperator, Vec<Expression>),
}

impl GateOperator {
    /// The word for it in expressions, which is also the kind of gate that works it out.
    pub fn word(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Nand => "nand",
            Self::Nor => "nor",
            Self::Xnor => "xnor",
        }
    }

    /// The operator of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        let all = [Self::And, Self::Or, Self::Xor, Self::Nand, Self::Nor, Self::Xnor];
        all.into_iter().find(|operator| operator.word() == word)
    }

    /// What comes out for these inputs.
    pub fn combine(self, inputs: impl IntoIterator<Item = bool>) -> bool {
        let (mut n, mut n_high) = (0, 0);
        for input in inputs {
            n += 1;
            n_high += usize::from(input);
        }
        match self {
            Self::And => n_high == n,
            Self::Or => n_high > 0,
            Self::Xor => n_high % 2 == 1,
            Self::Nand => n_high < n,
            Self::Nor => n_high == 0,
            Self::Xnor => n_high % 2 == 0,
        }
    }

    /// How tightly it binds.
    fn level(self) -> usize {
        match self {
            Self::Or | Self::Nor => 0,
            Self::Xor | Self::Xnor => 1,
            Self::And | Self::Nand => 2,
        }
    }
}

impl Expression {
    /// Reads an expression: names, `0`, `1`, `not`, parentheses, and `and`, `nand` before `xor`, `xnor` before `or`,
    /// `nor`.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = ExpressionReader { tokens: tokens(text)?, at: 0 };
        let expression = reader.chain(0)?;
        match reader.peek() {
            None => Ok(expression),
            Some(token) => Err(format!("`{token}` stands where `{text}` should end")),
        }
    }

    /// Whether it holds, given the value of each name; or the name that has no value.
    pub fn holds(&self, value: &dyn Fn(&str) -> Option<bool>) -> Result<bool, String> {
        match self {
            Self::Name(name) => value(name).ok_or_else(|| format!("`{name}` is not one of the inputs")),
            Self::Constant(level) => Ok(*level),
            Self::Not(inner) => inner.holds(value).map(|level| !level),
            Self::Gate(operator, inputs) => {
                let levels = inputs.iter().map(|input| input.holds(value)).collect::<Result<Vec<_>, _>>()?;
                Ok(operator.combine(levels))
            }
        }
    }

    /// The expression in capital operators, with every name as `label` says it: `NOT A AND (B OR C)`.
    pub fn spoken(&self, label: &dyn Fn(&str) -> String) -> String {
        let inner = |inner: &Self| match inner {
            Self::Gate(..) => format!("({})", inner.spoken(label)),
            _ => inner.spoken(label),
        };
        match self {
            Self::Name(name) => label(name),
            Self::Constant(level) => u8::from(*level).to_string(),
            Self::Not(negated) => format!("NOT {}", inner(negated)),
            Self::Gate(operator, inputs) => {
                let inputs: Vec<String> = inputs.iter().map(inner).collect();
                inputs.join(&format!(" {} ", operator.word().to_uppercase()))
            }
        }
    }

    /// Every name in it.
    pub fn names(&self) -> BTreeSet<&str> {
        match self {
            Self::Name(name) => [name.as_str()].into(),
            Self::Constant(_) => BTreeSet::new(),
            Self::Not(inner) => inner.names(),
            Self::Gate(_, inputs) => inputs.iter().flat_map(Self::names).collect(),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '(' | ')' => 1,
            _ => rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len()),
        };
        if len == 0 {
            return Err(format!("`{first}` means nothing in `{text}`"));
        }
        tokens.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    Ok(tokens)
}

struct ExpressionReader {
    tokens: Vec<String>,
    at: usize,
}

impl ExpressionReader {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Option<String> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    /// A chain of one operator of this level, its parts being of tighter levels.
    fn chain(&mut self, level: usize) -> Result<Expression, String> {
        if level > 2 {
            return self.single();
        }
        let mut inputs = vec![self.chain(level + 1)?];
        let mut chosen = None;
        while let Some(operator) = self.peek().and_then(GateOperator::of_word).filter(|found| found.level() == level) {
            if *chosen.get_or_insert(operator) != operator {
                return Err(format!("`{}` beside another operator needs parentheses", operator.word()));
            }
            self.at += 1;
            inputs.push(self.chain(level + 1)?);
        }
        Ok(match chosen {
            Some(operator) => Expression::Gate(operator, inputs),
            None => inputs.remove(0),
        })
    }

    fn single(&mut self) -> Result<Expression, String> {
        match self.next().as_deref() {
            None => Err("the expression ends too early".to_owned()),
            Some("not") => Ok(Expression::Not(Box::new(self.single()?))),
            Some("0") => Ok(Expression::Constant(false)),
            Some("1") => Ok(Expression::Constant(true)),
            Some("(") => {
                let inner = self.chain(0)?;
                match self.next().as_deref() {
                    Some(")") => Ok(inner),
                    _ => Err("a `)` is missing".to_owned()),
                }
            }
            Some(word) if word == ")" || GateOperator::of_word(word).is_some() => {
                Err(format!("`{word}` stands where a name is wanted"))
            }
            Some(name) => Ok(Expression::Name(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The column of a truth table over the names in order, the first being the most significant bit.
    fn column(text: &str) -> String {
        let expression = match Expression::read(text) {
            Ok(expression) => expression,
            Err(why) => return format!("? {why}"),
        };
        let names: Vec<String> = expression.names().into_iter().map(str::to_owned).collect();
        let level = |row: usize, name: &str| {
            let place = names.iter().position(|known| known == name)?;
            Some(row >> (names.len() - 1 - place) & 1 == 1)
        };
        let rows = 0..1 << names.len();
        let holds = rows.map(|row| expression.holds(&|name| level(row, name)).expect("every name has a value"));
        holds.map(|holds| if holds { '1' } else { '0' }).collect()
    }

    #[test]
    fn operators_have_their_usual_meaning_and_order() {
        let texts = [
            "a",
            "not a",
            "a and b",
            "a nand b",
            "a or b",
            "a nor b",
            "a xor b",
            "a xnor b",
            "a xor b xor c",
            "a or b and c",
            "(a or b) and c",
            "a xor b or c",
            "not a and b",
            "not (a and b)",
            "a nand b nand c",
            "1 and a",
        ];
        insta::assert_snapshot!(texts.map(|text| format!("{text}: {}", column(text))).join("\n"), @"
        a: 01
        not a: 10
        a and b: 0001
        a nand b: 1110
        a or b: 0111
        a nor b: 1000
        a xor b: 0110
        a xnor b: 1001
        a xor b xor c: 01101001
        a or b and c: 00011111
        (a or b) and c: 00010101
        a xor b or c: 01111101
        not a and b: 0100
        not (a and b): 1110
        a nand b nand c: 11111110
        1 and a: 01
        ");
    }

    #[test]
    fn expressions_are_spoken_with_labels() {
        let spoken = |text: &str| Expression::read(text).expect("well formed").spoken(&str::to_uppercase);
        insta::assert_snapshot!(["not a and b", "not (a or b) xor c", "a or (b and c) or 0"].map(spoken).join("\n"), @"
        NOT A AND B
        NOT (A OR B) XOR C
        A OR (B AND C) OR 0
        ");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let texts = ["", "a and", "a b", "(a", "a + b", "and a", "a and b nand c", "a)"];
        insta::assert_snapshot!(texts.map(|text| format!("{text}: {}", column(text))).join("\n"), @"
        : ? the expression ends too early
        a and: ? the expression ends too early
        a b: ? `b` stands where `a b` should end
        (a: ? a `)` is missing
        a + b: ? `+` means nothing in `a + b`
        and a: ? `and` stands where a name is wanted
        a and b nand c: ? `nand` beside another operator needs parentheses
        a): ? `)` stands where `a)` should end
        ");
    }
}
