//! From tokens to a tree, as the app reads them (`preview/expression/parse.ts`).

use super::token::{Token, tokens};
use super::tree::{AccessMark, BinaryOperator, ExpressionTree, MemberAccess, Sign};

/// How deep parentheses, signs and choices may be nested; what is deeper is taken as mere text.
const MAX_DEPTH: usize = 40;

/// The tree of an expression, or nothing where the text is none in this language.
pub(super) fn parse(text: &str) -> Option<ExpressionTree> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let tree = parser.choice()?;
    (parser.at == parser.tokens.len()).then(|| ungrouped(tree))
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn choice(&mut self) -> Option<ExpressionTree> {
        self.deeper(|parser| {
            let test = parser.binary(0)?;
            if !parser.takes("?") {
                return Some(test);
            }
            let yes = parser.choice()?;
            parser.takes(":").then_some(())?;
            let no = parser.choice()?;
            Some(ExpressionTree::Choice { test: Box::new(test), yes: Box::new(yes), no: Box::new(no) })
        })
    }

    /// Everything that binds more tightly than a level. Operators of one level associate to the left.
    fn binary(&mut self, above: u8) -> Option<ExpressionTree> {
        let mut left = self.unary()?;
        while let Some((by, level)) = self.operator().filter(|(_, level)| *level > above) {
            self.at += 1;
            let right = self.binary(level)?;
            left = ExpressionTree::binary(by, left, right);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<ExpressionTree> {
        match Sign::ALL.into_iter().find(|sign| self.takes(sign.text())) {
            Some(sign) => self.deeper(|parser| Some(ExpressionTree::unary(sign, parser.unary()?))),
            None => self.access(),
        }
    }

    fn access(&mut self) -> Option<ExpressionTree> {
        let mut tree = self.primary()?;
        loop {
            let (link, what) = if self.takes("?.") {
                (AccessMark::Optional, MemberAccess::Member(self.name()?))
            } else if self.takes(".") {
                (AccessMark::Plain, MemberAccess::Member(self.name()?))
            } else if self.takes("[") {
                (AccessMark::Plain, MemberAccess::Index(Box::new(self.closed("]", Self::choice)?)))
            } else if self.takes("(") {
                (AccessMark::Plain, MemberAccess::Call(self.list(")")?))
            } else {
                return Some(tree);
            };
            tree = ExpressionTree::access(tree, link, what);
        }
    }

    fn primary(&mut self) -> Option<ExpressionTree> {
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        match token {
            Token::Name(name) => Some(ExpressionTree::Name(name)),
            Token::Text(text) => Some(ExpressionTree::Text(text)),
            Token::Number(number) => Some(ExpressionTree::Number(number)),
            Token::Mark("(") => Some(ExpressionTree::Group(Box::new(self.closed(")", Self::choice)?))),
            Token::Mark("[") => Some(ExpressionTree::List(self.list("]")?)),
            Token::Mark(_) => None,
        }
    }

    fn list(&mut self, close: &str) -> Option<Vec<ExpressionTree>> {
        let mut items = Vec::new();
        while !self.takes(close) {
            if !items.is_empty() {
                self.takes(",").then_some(())?;
            }
            items.push(self.choice()?);
        }
        Some(items)
    }

    fn closed<T>(&mut self, close: &str, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let inner = inner(self)?;
        self.takes(close).then_some(inner)
    }

    fn name(&mut self) -> Option<String> {
        let Some(Token::Name(name)) = self.tokens.get(self.at).cloned() else { return None };
        self.at += 1;
        Some(name)
    }

    fn takes(&mut self, mark: &str) -> bool {
        let fits = matches!(self.tokens.get(self.at), Some(Token::Mark(next)) if *next == mark);
        self.at += usize::from(fits);
        fits
    }

    fn operator(&self) -> Option<(BinaryOperator, u8)> {
        let Some(Token::Mark(next)) = self.tokens.get(self.at) else { return None };
        let (by, _, level) = BinaryOperator::ALL.into_iter().find(|(_, text, _)| text == next)?;
        Some((by, level))
    }

    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Option<ExpressionTree>) -> Option<ExpressionTree> {
        self.depth += 1;
        let tree = if self.depth > MAX_DEPTH { None } else { inner(self) };
        self.depth -= 1;
        tree
    }
}

/// The tree without the parentheses that mean nothing: all but those that end an optional chain which goes on.
fn ungrouped(tree: ExpressionTree) -> ExpressionTree {
    match tree {
        ExpressionTree::Group(inner) => ungrouped(*inner),
        ExpressionTree::Access { of, link, what } => {
            let was_grouped = matches!(*of, ExpressionTree::Group(_));
            let of = ungrouped(*of);
            let of = if was_grouped && is_optional(&of) { ExpressionTree::Group(Box::new(of)) } else { of };
            let what = match what {
                MemberAccess::Member(name) => MemberAccess::Member(name),
                MemberAccess::Index(by) => MemberAccess::Index(Box::new(ungrouped(*by))),
                MemberAccess::Call(with) => MemberAccess::Call(with.into_iter().map(ungrouped).collect()),
            };
            ExpressionTree::access(of, link, what)
        }
        ExpressionTree::List(items) => ExpressionTree::List(items.into_iter().map(ungrouped).collect()),
        ExpressionTree::Unary { sign, of } => ExpressionTree::unary(sign, ungrouped(*of)),
        ExpressionTree::Binary { by, left, right } => ExpressionTree::binary(by, ungrouped(*left), ungrouped(*right)),
        ExpressionTree::Choice { test, yes, no } => ExpressionTree::Choice {
            test: Box::new(ungrouped(*test)),
            yes: Box::new(ungrouped(*yes)),
            no: Box::new(ungrouped(*no)),
        },
        leaf @ (ExpressionTree::Name(_) | ExpressionTree::Text(_) | ExpressionTree::Number(_)) => leaf,
    }
}

/// Whether a chain has an optional link.
pub(super) fn is_optional(tree: &ExpressionTree) -> bool {
    match tree {
        ExpressionTree::Access { of, link, .. } => *link == AccessMark::Optional || is_optional(of),
        _ => false,
    }
}
