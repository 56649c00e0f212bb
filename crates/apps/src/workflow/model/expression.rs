//! The small expression language of settings, and when two expressions mean the same.
//!
//! It is the part of JavaScript that one-line conditions and formulas are made of: names, texts, numbers, lists,
//! `item.a.b`, `item?.a`, `item["a"]`, calls, `!` `-` `+` before something, `*` `/` `%` `+` `-`, comparisons, `&&` `||`
//! `??`, `test ? yes : no` and parentheses. Two expressions are the same when their normal forms are. In these:
//!
//! - White space, the kind of quotes, needless parentheses and the spelling of numbers do not count: `10` is `10.0`.
//!   Parentheses that end an optional chain are not needless: `(a?.b).c` is not `a?.b.c`.
//! - `item["a"]` is `item.a`. `a?.b` is not `a.b`.
//! - `a > b` is `b < a`; the sides of `==`, `===` and their denials may be exchanged.
//! - `==` and `===` are kept apart, except where one side is a text that no number equals: `item.country == "UK"` is
//!   `item.country === "UK"` (they differ only for lists and objects in the place of texts), but `item.n == "3"` is not
//!   `item.n === "3"`, since the number 3 tells them apart.
//! - `!(a === b)` is `a !== b`, but `!(a > b)` is not `a <= b`: both are false where either side is no number.
//! - Factors may stand in any order and grouping. So may summands where each is a number for certain; of others, `+`
//!   may make a text. (How sums and products round is not told apart.)
//! - `&&`, `||` and `??` may be grouped anyhow. The sides of `&&` and `||` may stand in any order where only the truth of
//!   the outcome counts ([`OutcomeReading::Truth`]) or where each side is true or false, unless one side looks at what
//!   another takes for granted: `item.a && item.a.b > 1` keeps its order.
//! - `!!a` is `a` where only the truth of the outcome counts, or where `a` is true or false.
//!
//! What has another normal form is tried: both expressions are evaluated as the app evaluates them, on items made of the
//! fields they look at and the values they speak of (`sample`). Where they agree on all of them, they are the same:
//! `X && true`, `1 + (item.n || 0)` for `(item.n || 0) + 1`, `item.a && item.a.b > 1` for `item.a?.b > 1`. Of an item for
//! which the expected condition cannot be computed, a condition that was found may say no (`meaning`).
//!
//! The language is the app's own, read as the app reads it. What it cannot read (comments, `;`, `0b11`, texts in backticks,
//! names with other letters than ASCII) is no expression, and neither is what is nested beyond measure or very long. Such
//! texts are compared as texts, white space folded.

mod evaluate;
mod known;
mod meaning;
mod normal;
mod parser;
mod respell;
mod sample;
mod token;
mod tree;

pub(crate) use known::KnownExpressions;
pub(crate) use respell::{misjudged, mistaken, respelled, rewritten};

/// What counts of an expression's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OutcomeReading {
    /// The outcome itself.
    Value,
    /// Only whether it counts as true.
    Truth,
}

/// A text that is the same for expressions of the same meaning.
pub(crate) fn normalised(text: &str, reading: OutcomeReading) -> String {
    match parser::parse(text) {
        Some(tree) => normal::normal(tree, reading).text(),
        None => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests;
