//! The expressions that are expected somewhere, and which of them an expression that was found is.

use std::collections::BTreeMap;

use super::meaning::means_same;
use super::normal::with_strict_equality;
use super::parser::parse;
use super::tree::ExpressionTree;
use super::{OutcomeReading, normalised};

/// How many pairs of expressions are tried on items. Beyond that only normal forms are compared: no document that a
/// person makes comes near, and none can take long to be judged.
const MAX_TRIED: usize = 400;

/// The expressions that are expected.
pub(crate) struct KnownExpressions {
    expected: Vec<KnownExpression>,
    keys: BTreeMap<(OutcomeReading, String), String>,
    n_left: usize,
}

struct KnownExpression {
    reading: OutcomeReading,
    key: String,
    tree: ExpressionTree,
}

impl Default for KnownExpressions {
    fn default() -> Self {
        Self { expected: Vec::new(), keys: BTreeMap::new(), n_left: MAX_TRIED }
    }
}

impl KnownExpressions {
    /// The key of an expression that is expected: its normal form.
    pub(crate) fn expect(&mut self, text: &str, reading: OutcomeReading) -> String {
        let key = normalised(text, reading);
        let is_known = self.expected.iter().any(|known| known.reading == reading && known.key == key);
        if let Some(tree) = parse(text).filter(|_| !is_known) {
            self.expected.push(KnownExpression { reading, key: key.clone(), tree: with_strict_equality(tree) });
        }
        key
    }

    /// The key of an expression that was found: that of an expected one where it means the same.
    pub(crate) fn key(&mut self, text: &str, reading: OutcomeReading) -> String {
        let asked = (reading, text.to_owned());
        if let Some(key) = self.keys.get(&asked) {
            return key.clone();
        }
        let own = normalised(text, reading);
        let key = self.meant(text, &own, reading).unwrap_or(own);
        self.keys.insert(asked, key.clone());
        key
    }

    fn meant(&mut self, text: &str, own: &str, reading: OutcomeReading) -> Option<String> {
        let known: Vec<&KnownExpression> = self.expected.iter().filter(|known| known.reading == reading).collect();
        if known.iter().any(|known| known.key == own) {
            return None;
        }
        let tree = with_strict_equality(parse(text)?);
        for known in known {
            self.n_left = self.n_left.checked_sub(1)?;
            if means_same(&known.tree, &tree, reading) {
                return Some(known.key.clone());
            }
        }
        None
    }
}
