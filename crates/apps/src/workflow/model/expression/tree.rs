//! An expression as a tree, and its text.

use super::token::is_name;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExpressionTree {
    /// A name, or one of the words `true`, `false`, `null` and `undefined`.
    Name(String),
    /// A text.
    Text(String),
    /// A number: finite and not negative.
    Number(f64),
    /// A list of values in brackets.
    List(Vec<ExpressionTree>),
    /// What is got from something: `of.name`, `of[by]`, `of(with)`.
    Access { of: Box<ExpressionTree>, link: AccessMark, what: MemberAccess },
    /// A sign before something.
    Unary { sign: Sign, of: Box<ExpressionTree> },
    /// An operator between two things.
    Binary { by: BinaryOperator, left: Box<ExpressionTree>, right: Box<ExpressionTree> },
    /// `test ? yes : no`.
    Choice { test: Box<ExpressionTree>, yes: Box<ExpressionTree>, no: Box<ExpressionTree> },
    /// Parentheses that mean something: they end an optional chain, as in `(a?.b).c`.
    Group(Box<ExpressionTree>),
}

/// What is got from something.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MemberAccess {
    Member(String),
    Index(Box<ExpressionTree>),
    Call(Vec<ExpressionTree>),
}

/// How something is got: `.` or `?.`, which stands only before a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessMark {
    Plain,
    Optional,
}

/// A sign before something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Not,
    Minus,
    Plus,
}

/// An operator between two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOperator {
    Coalesce,
    Or,
    And,
    LooseEqual,
    LooseUnequal,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Sign {
    pub(super) const ALL: [Self; 3] = [Self::Not, Self::Minus, Self::Plus];

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Not => "!",
            Self::Minus => "-",
            Self::Plus => "+",
        }
    }
}

impl BinaryOperator {
    /// Every operator with its text and how tightly it binds.
    pub(super) const ALL: [(Self, &'static str, u8); 16] = [
        (Self::Coalesce, "??", 3),
        (Self::Or, "||", 3),
        (Self::And, "&&", 4),
        (Self::LooseEqual, "==", 5),
        (Self::LooseUnequal, "!=", 5),
        (Self::Equal, "===", 5),
        (Self::Unequal, "!==", 5),
        (Self::Less, "<", 6),
        (Self::LessEqual, "<=", 6),
        (Self::Greater, ">", 6),
        (Self::GreaterEqual, ">=", 6),
        (Self::Add, "+", 7),
        (Self::Subtract, "-", 7),
        (Self::Multiply, "*", 8),
        (Self::Divide, "/", 8),
        (Self::Remainder, "%", 8),
    ];

    fn entry(self) -> (Self, &'static str, u8) {
        Self::ALL.into_iter().find(|(operator, ..)| *operator == self).expect("the table has every operator")
    }

    pub(super) fn text(self) -> &'static str {
        self.entry().1
    }

    pub(super) fn level(self) -> u8 {
        self.entry().2
    }

    /// Whether JavaScript forbids two operators to stand side by side without parentheses. The app reads them from left
    /// to right; what is written here has parentheses.
    pub(super) fn clashes(self, other: Self) -> bool {
        let is_logical = |operator| matches!(operator, Self::And | Self::Or);
        (self == Self::Coalesce && is_logical(other)) || (other == Self::Coalesce && is_logical(self))
    }

    /// The operator that says the same with the sides exchanged, for comparisons.
    pub(super) fn mirrored(self) -> Option<Self> {
        match self {
            Self::Less => Some(Self::Greater),
            Self::LessEqual => Some(Self::GreaterEqual),
            Self::Greater => Some(Self::Less),
            Self::GreaterEqual => Some(Self::LessEqual),
            Self::Equal | Self::Unequal | Self::LooseEqual | Self::LooseUnequal => Some(self),
            _ => None,
        }
    }

    /// The operator that says the opposite. Only equality has one: `!(a < b)` is not `a >= b` where either is no number.
    pub(super) fn denied(self) -> Option<Self> {
        match self {
            Self::Equal => Some(Self::Unequal),
            Self::Unequal => Some(Self::Equal),
            Self::LooseEqual => Some(Self::LooseUnequal),
            Self::LooseUnequal => Some(Self::LooseEqual),
            _ => None,
        }
    }
}

const CHOICE: u8 = 1;
const UNARY: u8 = 9;
const ACCESS: u8 = 10;
const PRIMARY: u8 = 11;

/// How a tree is written down.
#[derive(Clone, Copy, Debug)]
pub(super) struct WritingStyle {
    /// What stands around operators and after commas.
    pub(super) gap: &'static str,
    /// The quotes of texts: `"` or `'`.
    pub(super) quote: char,
    /// Whether the sides of operators are put in parentheses, needed or not.
    pub(super) wraps: bool,
}

impl WritingStyle {
    /// The one way in which normalised trees are written.
    pub(super) const PLAIN: Self = Self { gap: " ", quote: '"', wraps: false };
}

impl ExpressionTree {
    pub(super) fn binary(by: BinaryOperator, left: Self, right: Self) -> Self {
        Self::Binary { by, left: Box::new(left), right: Box::new(right) }
    }

    pub(super) fn unary(sign: Sign, of: Self) -> Self {
        Self::Unary { sign, of: Box::new(of) }
    }

    pub(super) fn access(of: Self, link: AccessMark, what: MemberAccess) -> Self {
        Self::Access { of: Box::new(of), link, what }
    }

    /// The text of the tree, with as few parentheses as may be.
    pub(super) fn text(&self) -> String {
        self.written(WritingStyle::PLAIN)
    }

    /// The text of the tree in some style.
    pub(super) fn written(&self, style: WritingStyle) -> String {
        let mut out = String::new();
        self.write(style, &mut out);
        out
    }

    fn level(&self) -> u8 {
        match self {
            Self::Choice { .. } => CHOICE,
            Self::Binary { by, .. } => by.level(),
            Self::Unary { .. } => UNARY,
            Self::Access { .. } => ACCESS,
            _ => PRIMARY,
        }
    }

    fn write(&self, style: WritingStyle, out: &mut String) {
        match self {
            Self::Name(name) => out.push_str(name),
            Self::Text(text) => out.push_str(&quoted(text, style.quote)),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::List(items) => write_list(('[', ']'), items, style, out),
            Self::Group(inner) => inner.write_within(true, style, out),
            Self::Access { of, link, what } => {
                of.write_within(of.level() < ACCESS || matches!(**of, Self::Number(_)), style, out);
                write_access(*link, what, style, out);
            }
            Self::Unary { sign, of } => {
                out.push_str(sign.text());
                let steps = *sign != Sign::Not && matches!(**of, Self::Unary { sign: inner, .. } if inner != Sign::Not);
                of.write_within(of.level() < UNARY || steps, style, out);
            }
            Self::Binary { by, left, right } => write_binary(*by, (left, right), style, out),
            Self::Choice { test, yes, no } => {
                test.write_within(test.level() <= CHOICE || style.wraps, style, out);
                // A gap is kept on both sides: `a ? .5 : 1` must not become an optional chain.
                out.push_str(" ? ");
                yes.write(style, out);
                out.push_str(" : ");
                no.write(style, out);
            }
        }
    }

    fn write_within(&self, parentheses: bool, style: WritingStyle, out: &mut String) {
        if !parentheses {
            return self.write(style, out);
        }
        out.push('(');
        self.write(style, out);
        out.push(')');
    }
}

fn write_binary(
    by: BinaryOperator,
    (left, right): (&ExpressionTree, &ExpressionTree),
    style: WritingStyle,
    out: &mut String,
) {
    let clashes =
        |side: &ExpressionTree| matches!(side, ExpressionTree::Binary { by: inner, .. } if by.clashes(*inner));
    left.write_within(left.level() < by.level() || clashes(left) || style.wraps, style, out);
    out.push_str(style.gap);
    out.push_str(by.text());
    out.push_str(style.gap);
    let wrapped = right.level() <= by.level() || clashes(right) || style.wraps;
    // `a - -b` must not become `a--b`.
    if style.gap.is_empty() && !wrapped && matches!(right, ExpressionTree::Unary { .. }) {
        out.push(' ');
    }
    right.write_within(wrapped, style, out);
}

fn write_access(link: AccessMark, what: &MemberAccess, style: WritingStyle, out: &mut String) {
    match what {
        MemberAccess::Member(name) => {
            out.push_str(if link == AccessMark::Optional { "?." } else { "." });
            out.push_str(name);
        }
        MemberAccess::Index(by) => {
            out.push('[');
            by.write(style, out);
            out.push(']');
        }
        MemberAccess::Call(with) => write_list(('(', ')'), with, style, out),
    }
}

fn write_list((open, close): (char, char), items: &[ExpressionTree], style: WritingStyle, out: &mut String) {
    out.push(open);
    for (idx, item) in items.iter().enumerate() {
        if idx > 0 {
            out.push(',');
            out.push_str(style.gap);
        }
        item.write(style, out);
    }
    out.push(close);
}

/// A text in quotes. Only what the app reads back is written with a backslash.
fn quoted(text: &str, quote: char) -> String {
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if c == quote => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// The member or index that gets this by name.
pub(super) fn by_name(name: String) -> MemberAccess {
    if is_name(&name) { MemberAccess::Member(name) } else { MemberAccess::Index(Box::new(ExpressionTree::Text(name))) }
}
