//! The kinds of verifiers that tasks can declare, and several of them as one.

use serde_json::Value;

use crate::judge::{VerifierCase, VerifierRunner};
use crate::task::DeriveSpec;

/// What runs the verifiers of a task.
pub type VerifierHook = Box<dyn VerifierRunner + Send + Sync>;

/// A kind of verifier that tasks can declare.
pub trait VerifierKind: Send + Sync {
    /// The word for it in `task.toml`.
    fn kind(&self) -> &str;

    /// A verifier of this kind, or why the declaration is wrong.
    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String>;
}

/// The verifiers of a task, run in the order in which it declares them. None at all derive nothing.
#[derive(Default)]
pub struct VerifierChain(Vec<VerifierHook>);

impl VerifierChain {
    /// These, in this order.
    pub fn of(verifiers: Vec<VerifierHook>) -> Self {
        Self(verifiers)
    }
}

impl VerifierRunner for VerifierChain {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let mut all: Vec<(String, Value)> = Vec::new();
        for verifier in &self.0 {
            for (name, value) in verifier.derive(case)? {
                if all.iter().any(|(known, _)| *known == name) {
                    return Err(format!("two verifiers derive `{name}`"));
                }
                all.push((name, value));
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Evidence;
    use crate::reference::Reference;

    struct Says(&'static str, u32);

    impl VerifierRunner for Says {
        fn derive(&self, _case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
            if self.1 == 0 {
                Err(format!("{} is broken", self.0))
            } else {
                Ok(vec![(self.0.to_owned(), self.1.into())])
            }
        }
    }

    fn derived(all: &[(&'static str, u32)]) -> String {
        let chain = VerifierChain::of(all.iter().map(|(name, n)| Box::new(Says(name, *n)) as VerifierHook).collect());
        match chain.derive(VerifierCase::of(&Evidence::default(), &Reference::default())) {
            Ok(derived) => derived.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "),
            Err(why) => why,
        }
    }

    #[test]
    fn verifiers_run_in_order_and_what_they_derive_is_merged() {
        assert_eq!(derived(&[]), "");
        assert_eq!(derived(&[("b", 2), ("a", 1)]), "b=2 a=1");
        assert_eq!(derived(&[("a", 1), ("b", 0), ("c", 1)]), "b is broken");
        assert_eq!(derived(&[("a", 1), ("a", 2)]), "two verifiers derive `a`");
    }
}
