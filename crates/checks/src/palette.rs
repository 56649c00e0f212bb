//! The kinds of checks that tasks can declare, by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use quintain_core::check::{Check, CheckKind, CheckManual};
use quintain_core::suggest;
use quintain_core::task::CheckSpec;

use crate::kinds;

/// The kinds of checks that tasks can declare, by name.
#[derive(Clone, Default)]
pub struct Palette {
    kinds: BTreeMap<String, Arc<dyn CheckKind>>,
}

impl Palette {
    /// The kinds that need no particular world. See [`kinds`].
    pub fn standard() -> Self {
        Self::default()
            .with(Arc::new(kinds::Exact))
            .with(Arc::new(kinds::SetCheck))
            .with(Arc::new(kinds::Numeric))
            .with(Arc::new(kinds::Text))
            .with(Arc::new(kinds::JsonFields))
            .with(Arc::new(kinds::TypedValue))
            .with(Arc::new(kinds::FileCheck))
    }

    /// One kind more. A kind of the same name is replaced.
    #[must_use]
    pub fn with(mut self, kind: Arc<dyn CheckKind>) -> Self {
        self.kinds.insert(kind.kind().to_owned(), kind);
        self
    }

    /// The names of the kinds, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.kinds.keys().map(String::as_str)
    }

    /// What can be written of each kind, in the order of their names.
    pub fn manuals(&self) -> impl Iterator<Item = (&str, CheckManual)> {
        self.kinds.iter().map(|(name, kind)| (name.as_str(), kind.manual()))
    }

    /// A check as declared, or what is wrong with the declaration.
    pub fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        let said = |why: String| format!("check `{}`: {why}", spec.name);
        let Some(kind) = self.kinds.get(&spec.kind) else {
            let hint = suggest::hint(&spec.kind, self.names());
            return Err(said(format!("there is no kind of check called `{}`; {hint}", spec.kind)));
        };
        kind.make(spec).map_err(said)
    }
}

impl fmt::Debug for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
