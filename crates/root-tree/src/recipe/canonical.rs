//! A recipe as a text that reads as the same recipe, however it was written.

use std::fmt::{self, Write as _};

use super::substitution::{bare, quoted};
use super::{RecipeAction, TreeRecipe};

impl TreeRecipe {
    /// The recipe with its variables put in, an instruction to a line.
    pub fn canonical(&self) -> String {
        let mut text = format!("FROM {}\n", self.base);
        for step in &self.steps {
            // Writing to a text cannot fail.
            writeln!(text, "{}", step.action).ok();
        }
        for (name, words) in [("CMD", &self.command), ("ENTRYPOINT", &self.entry_point)] {
            if let Some(words) = words {
                writeln!(text, "{name} {}", json(words)).ok();
            }
        }
        text
    }
}

impl fmt::Display for RecipeAction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(words) => write!(out, "RUN {}", json(words)),
            Self::Copy(copy) => {
                let words: Vec<String> = copy.sources.iter().chain([&copy.target]).map(|word| bare(word)).collect();
                let mode = copy.mode.map(|mode| format!("--chmod={mode:o} ")).unwrap_or_default();
                write!(out, "COPY {mode}{}", json(&words))
            }
            Self::Variable(name, value) => write!(out, "ENV {name}={}", quoted(value)),
            Self::Argument(name, value) => write!(out, "ARG {name}={}", quoted(value)),
            Self::Folder(folder) => write!(out, "WORKDIR {}", quoted(folder)),
        }
    }
}

/// Words as a list, which is the same for everybody who reads it.
fn json(words: &[String]) -> String {
    serde_json::Value::from(words).to_string()
}
