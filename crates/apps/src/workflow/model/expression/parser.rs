//! From tokens to a tree.

use super::token::{Token, tokens};
use super::tree::{Access, Link, Operator, Sign, Tree};

/// How deep parentheses, signs and choices may be nested; what is deeper is taken as mere text.
const MAX_DEPTH: usize = 40;

/// The tree of an expression, or nothing where the text is none in this language.
pub(super) fn parse(text: &str) -> Option<Tree> {
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
    fn choice(&mut self) -> Option<Tree> {
        self.deeper(|parser| {
            let test = parser.binary(0)?;
            if !parser.takes("?") {
                return Some(test);
            }
            let yes = parser.choice()?;
            parser.takes(":").then_some(())?;
            let no = parser.choice()?;
            Some(Tree::Choice { test: Box::new(test), yes: Box::new(yes), no: Box::new(no) })
        })
    }

    /// Everything that binds more tightly than a level. Operators of one level associate to the left.
    fn binary(&mut self, above: u8) -> Option<Tree> {
        let mut left = self.unary()?;
        while let Some((by, level)) = self.operator().filter(|(_, level)| *level > above) {
            self.at += 1;
            let right = self.binary(level)?;
            let clashes = |side: &Tree| matches!(side, Tree::Binary { by: inner, .. } if by.clashes(*inner));
            if clashes(&left) || clashes(&right) {
                return None;
            }
            left = Tree::binary(by, left, right);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Tree> {
        match Sign::ALL.into_iter().find(|sign| self.takes(sign.text())) {
            Some(sign) => self.deeper(|parser| Some(Tree::unary(sign, parser.unary()?))),
            None => self.access(),
        }
    }

    fn access(&mut self) -> Option<Tree> {
        let mut tree = self.primary()?;
        loop {
            let link = if self.takes("?.") { Link::Optional } else { Link::Plain };
            let what = if self.takes("[") {
                Access::Index(Box::new(self.closed("]", Self::choice)?))
            } else if self.takes("(") {
                Access::Call(self.list(")")?)
            } else if link == Link::Optional || self.takes(".") {
                Access::Member(self.name()?)
            } else {
                return Some(tree);
            };
            tree = Tree::access(tree, link, what);
        }
    }

    fn primary(&mut self) -> Option<Tree> {
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        match token {
            Token::Name(name) => Some(Tree::Name(name)),
            Token::Text(text) => Some(Tree::Text(text)),
            Token::Number(number) => Some(Tree::Number(number)),
            Token::Mark("(") => Some(Tree::Group(Box::new(self.closed(")", Self::choice)?))),
            Token::Mark("[") => Some(Tree::List(self.list("]")?)),
            Token::Mark(_) => None,
        }
    }

    fn list(&mut self, close: &str) -> Option<Vec<Tree>> {
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

    fn operator(&self) -> Option<(Operator, u8)> {
        let Some(Token::Mark(next)) = self.tokens.get(self.at) else { return None };
        let (by, _, level) = Operator::ALL.into_iter().find(|(_, text, _)| text == next)?;
        Some((by, level))
    }

    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Option<Tree>) -> Option<Tree> {
        self.depth += 1;
        let tree = if self.depth > MAX_DEPTH { None } else { inner(self) };
        self.depth -= 1;
        tree
    }
}

/// The tree without the parentheses that mean nothing: all but those that end an optional chain which goes on.
fn ungrouped(tree: Tree) -> Tree {
    match tree {
        Tree::Group(inner) => ungrouped(*inner),
        Tree::Access { of, link, what } => {
            let was_grouped = matches!(*of, Tree::Group(_));
            let of = ungrouped(*of);
            let of = if was_grouped && is_optional(&of) { Tree::Group(Box::new(of)) } else { of };
            let what = match what {
                Access::Member(name) => Access::Member(name),
                Access::Index(by) => Access::Index(Box::new(ungrouped(*by))),
                Access::Call(with) => Access::Call(with.into_iter().map(ungrouped).collect()),
            };
            Tree::access(of, link, what)
        }
        Tree::List(items) => Tree::List(items.into_iter().map(ungrouped).collect()),
        Tree::Unary { sign, of } => Tree::unary(sign, ungrouped(*of)),
        Tree::Binary { by, left, right } => Tree::binary(by, ungrouped(*left), ungrouped(*right)),
        Tree::Choice { test, yes, no } => Tree::Choice {
            test: Box::new(ungrouped(*test)),
            yes: Box::new(ungrouped(*yes)),
            no: Box::new(ungrouped(*no)),
        },
        leaf @ (Tree::Name(_) | Tree::Text(_) | Tree::Number(_)) => leaf,
    }
}

/// Whether a chain has an optional link.
pub(super) fn is_optional(tree: &Tree) -> bool {
    match tree {
        Tree::Access { of, link, .. } => *link == Link::Optional || is_optional(of),
        _ => false,
    }
}
