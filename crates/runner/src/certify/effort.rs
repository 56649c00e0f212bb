//! How much is done to prove a task sound.

use quintain_core::WorldKind;
use serde::{Deserialize, Serialize};

/// How often things are repeated. The more thorough form is the greater one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CertificateForm {
    /// Two repeats, 40 blind guesses a preset: for every change.
    Quick,
    /// Ten repeats, 200 blind guesses a preset: for a release.
    Full,
}

/// What a form comes to in a world: where a trial is costly, there are fewer of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateEffort {
    /// How often the oracle plays the same instance.
    pub n_repeats: u32,
    /// How many blind trials there are for each preset.
    pub n_guesses: u32,
    /// How much is played that only repeats what another trial has shown.
    pub breadth: Breadth,
}

/// How much is played that only repeats what another trial has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// No waiting until the steps run out, no repeat of a random trial, no pictures for replies that never reach the
    /// world, a dozen of the near misses where a program has to verify each, and in the first instance of a preset alone
    /// the cheats and what is hidden.
    Narrow,
    /// All of it, but no pictures for replies that never reach the world, and in the first instance of a preset alone the
    /// cheats that no instance answers differently, and what is hidden.
    Wide,
    /// All of it in every instance.
    Whole,
}

impl CertificateForm {
    /// The form as one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// How many seeds are drawn to count different instances.
    pub fn n_twins(self) -> u32 {
        match self {
            Self::Quick => 100,
            Self::Full => 1000,
        }
    }

    /// What it comes to in a world. In a costly one the quick form has one repeat after the oracle and one blind guess,
    /// the full form three repeats after the oracle and five guesses.
    pub fn effort(self, world: &dyn WorldKind) -> CertificateEffort {
        let (n_repeats, n_guesses, breadth) = match (self, world.is_costly()) {
            (Self::Quick, false) => (2, 40, Breadth::Whole),
            (Self::Full, false) => (10, 200, Breadth::Whole),
            (Self::Quick, true) => (2, 1, Breadth::Narrow),
            (Self::Full, true) => (4, 5, Breadth::Wide),
        };
        CertificateEffort { n_repeats, n_guesses, breadth }
    }
}
