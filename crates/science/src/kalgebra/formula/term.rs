//! An expression as it is built up.

use std::collections::BTreeSet;
use std::fmt::{Display, Formatter, Result};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AlgebraTerm {
    Number(f64),
    Name(String),
    Negative(Box<AlgebraTerm>),
    /// Left, `+`, right.
    Pair(Box<AlgebraTerm>, &'static str, Box<AlgebraTerm>),
    /// What is called, and with what.
    Call(Box<AlgebraTerm>, Vec<AlgebraTerm>),
    /// `(x, y)->x*y`.
    Lambda(Vec<String>, Box<AlgebraTerm>),
    /// `vector { 1, 2 }`.
    Collection(String, Vec<AlgebraTerm>),
    /// `piecewise { x<0 ? -x, ? x }`: conditions and what holds under them; none is anything else.
    Piecewise(Vec<(Option<AlgebraTerm>, AlgebraTerm)>),
    /// `sum(x^2 : x=1..10)`: what is done, to what, over which name, from where to where.
    Bounded(String, Box<AlgebraTerm>, String, Option<Box<(AlgebraTerm, AlgebraTerm)>>),
    /// The slope of an expression in a name, at the value that the name has.
    Slope(Box<AlgebraTerm>, String),
}

impl AlgebraTerm {
    /// Two with an operator between them.
    pub(crate) fn pair(left: Self, operator: &'static str, right: Self) -> Self {
        Self::Pair(Box::new(left), operator, Box::new(right))
    }

    /// The names in it that nothing in it gives a value to.
    pub(crate) fn free_names(&self) -> BTreeSet<String> {
        match self {
            Self::Number(_) => BTreeSet::new(),
            Self::Name(name) => [name.clone()].into(),
            Self::Lambda(names, body) => without(body.free_names(), names),
            // What is called is a function and has no value.
            Self::Call(called, given) if matches!(**called, Self::Name(_)) => {
                given.iter().flat_map(Self::free_names).collect()
            }
            Self::Bounded(_, body, name, bounds) => {
                let mut names = without(body.free_names(), std::slice::from_ref(name));
                for (from, to) in bounds.iter().map(|bounds| (&bounds.0, &bounds.1)) {
                    names.extend(from.free_names());
                    names.extend(to.free_names());
                }
                names
            }
            _ => self.parts().into_iter().flat_map(Self::free_names).collect(),
        }
    }

    /// What it is directly made of.
    fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Number(_) | Self::Name(_) => Vec::new(),
            Self::Negative(inner) | Self::Lambda(_, inner) | Self::Slope(inner, _) => vec![inner],
            Self::Pair(left, _, right) => vec![left, right],
            Self::Call(called, given) => std::iter::once(&**called).chain(given).collect(),
            Self::Collection(_, items) => items.iter().collect(),
            Self::Piecewise(cases) => cases.iter().flat_map(|(when, then)| when.iter().chain([then])).collect(),
            Self::Bounded(_, body, _, bounds) => {
                let bounds = bounds.iter().flat_map(|bounds| [&bounds.0, &bounds.1]);
                std::iter::once(&**body).chain(bounds).collect()
            }
        }
    }

    fn parts_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Number(_) | Self::Name(_) => Vec::new(),
            Self::Negative(inner) | Self::Lambda(_, inner) | Self::Slope(inner, _) => vec![inner],
            Self::Pair(left, _, right) => vec![left, right],
            Self::Call(called, given) => std::iter::once(&mut **called).chain(given).collect(),
            Self::Collection(_, items) => items.iter_mut().collect(),
            Self::Piecewise(cases) => cases.iter_mut().flat_map(|(when, then)| when.iter_mut().chain([then])).collect(),
            Self::Bounded(_, body, _, bounds) => {
                let bounds = bounds.iter_mut().flat_map(|bounds| [&mut bounds.0, &mut bounds.1]);
                std::iter::once(&mut **body).chain(bounds).collect()
            }
        }
    }

    /// The numbers that are written in it, in order.
    pub(crate) fn numbers_mut(&mut self) -> Vec<&mut f64> {
        if let Self::Number(number) = self {
            return vec![number];
        }
        self.parts_mut().into_iter().flat_map(Self::numbers_mut).collect()
    }

    /// It with another name in the place of one.
    pub(crate) fn renamed(&self, from: &str, to: &str) -> Self {
        let mut renamed = self.clone();
        renamed.rename(from, to);
        renamed
    }

    fn rename(&mut self, from: &str, to: &str) {
        let change = |name: &mut String| {
            if name == from {
                to.clone_into(name);
            }
        };
        match self {
            Self::Name(name) | Self::Bounded(_, _, name, _) | Self::Slope(_, name) => change(name),
            Self::Lambda(names, _) => names.iter_mut().for_each(change),
            _ => {}
        }
        self.parts_mut().into_iter().for_each(|part| part.rename(from, to));
    }
}

fn without(mut names: BTreeSet<String>, bound: &[String]) -> BTreeSet<String> {
    names.retain(|name| !bound.contains(name));
    names
}

/// As KAlgebra would read it again, with more parentheses than are needed.
impl Display for AlgebraTerm {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::Number(number) => write!(out, "{number}"),
            Self::Name(name) => write!(out, "{name}"),
            Self::Negative(inner) => write!(out, "(-{inner})"),
            Self::Pair(left, "=", right) => write!(out, "{left}={right}"),
            Self::Pair(left, operator, right) => write!(out, "({left}{operator}{right})"),
            Self::Call(called, given) => match &**called {
                Self::Name(name) => write!(out, "{name}({})", listed(given)),
                other => write!(out, "({other})({})", listed(given)),
            },
            Self::Lambda(names, body) => match &names[..] {
                [name] => write!(out, "{name}->{body}"),
                names => write!(out, "({})->{body}", names.join(", ")),
            },
            Self::Collection(kind, items) => write!(out, "{kind} {{ {} }}", listed(items)),
            Self::Piecewise(cases) => {
                let case = |(when, then): &(Option<Self>, Self)| match when {
                    Some(when) => format!("{when} ? {then}"),
                    None => format!("? {then}"),
                };
                write!(out, "piecewise {{ {} }}", cases.iter().map(case).collect::<Vec<_>>().join(", "))
            }
            Self::Bounded(what, body, name, bounds) => match bounds.as_deref() {
                Some((from, to)) => write!(out, "{what}({body}:{name}={from}..{to})"),
                None => write!(out, "{what}({body}:{name})"),
            },
            Self::Slope(body, name) => write!(out, "(diff({body}:{name}))({name})"),
        }
    }
}

fn listed(terms: &[AlgebraTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
