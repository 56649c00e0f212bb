//! End states drawn at random from a grammar of wrong deeds and unusual ways:
//!
//! ```text
//! wrong = near miss, then disguises
//! right = variation, then disguises
//! ```
//!
//! A near miss is wrong by construction, a disguise leaves right what is right and wrong what is wrong, so that nobody
//! has to ask the judge that is put to the test.

use quintain_checks::{Panel, Twist};
use quintain_core::check::Case;
use quintain_core::{Digest, Evidence, Reference, Rng};

/// The most disguises that one end state wears.
const MOST_DISGUISES: usize = 2;

/// What the draws are made from.
pub(super) struct TwistGrammar<'a> {
    pub(super) panel: &'a Panel,
    pub(super) right: &'a Evidence,
    pub(super) reference: &'a Reference,
}

impl TwistGrammar<'_> {
    fn case<'a>(&'a self, evidence: &'a Evidence) -> Case<'a> {
        Case { evidence, reference: self.reference }
    }

    /// So many end states that must fail.
    pub(super) fn wrong(&self, seed: Digest, n: usize) -> Vec<Twist> {
        self.draw(&self.panel.all_near_misses(self.case(self.right)), &mut rng(seed, "wrong"), n)
    }

    /// So many end states that must pass.
    pub(super) fn right(&self, seed: Digest, n: usize) -> Vec<Twist> {
        self.draw(&self.panel.variations(self.case(self.right)), &mut rng(seed, "right"), n)
    }

    fn draw(&self, roots: &[Twist], rng: &mut Rng, n: usize) -> Vec<Twist> {
        if roots.is_empty() || self.panel.disguises(self.case(self.right)).is_empty() {
            return roots.iter().take(n).cloned().collect();
        }
        (0..n).map(|_| self.disguised(rng.choose(roots).clone(), rng)).collect()
    }

    /// The end state in up to so many disguises.
    fn disguised(&self, mut twist: Twist, rng: &mut Rng) -> Twist {
        for _ in 0..rng.below(MOST_DISGUISES + 1) {
            let disguises = self.panel.disguises(self.case(&twist.evidence));
            if disguises.is_empty() {
                break;
            }
            let disguise = rng.choose(&disguises).clone();
            twist = Twist { how: format!("{}, then {}", twist.how, disguise.how), ..disguise };
        }
        twist
    }
}

/// The same draws for the same instance, on every machine.
fn rng(seed: Digest, purpose: &str) -> Rng {
    Rng::for_purpose(0, &format!("{purpose} twists of {seed}"))
}
