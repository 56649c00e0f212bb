//! What a tree is made of: a Dockerfile, as far as it can be done here.

mod bases;
mod canonical;
mod command_words;
mod fetching;
mod instructions;
mod logical_lines;
mod substitution;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use instructions::RecipeReader;

/// The longest recipe that is read.
const MAX_BYTES: usize = 1 << 20;
/// The shell that lines are run by unless another is named.
const SHELL: [&str; 2] = ["/bin/sh", "-c"];

/// What a tree is made of, with every variable put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRecipe {
    /// What `FROM` names. It is played on our own base, whatever it is.
    pub base: String,
    /// What is done to the base, in order.
    pub steps: Vec<RecipeStep>,
    /// What `CMD` says.
    pub command: Option<Vec<String>>,
    /// What `ENTRYPOINT` says.
    pub entry_point: Option<Vec<String>>,
    /// What is done otherwise than the recipe says, in sentences.
    pub remarks: Vec<String>,
}

/// One thing that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeStep {
    /// The line of the recipe that says so, from one.
    pub line: usize,
    /// What it is.
    pub action: RecipeAction,
}

/// What can be done to a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecipeAction {
    /// A program is run, by a shell where the recipe leaves it to one.
    Run(Vec<String>),
    /// Files of the context are copied.
    Copy(CopyStep),
    /// A variable is set, for what follows and for whoever works in the tree.
    Variable(String, String),
    /// A variable is set for what follows alone.
    Argument(String, String),
    /// The folder that is worked in from here on. It is made where it is not there.
    Folder(String),
}

/// Files that are copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyStep {
    /// Paths below the context, which may have `*` and `?` in them.
    pub sources: Vec<String>,
    /// Where they are put, from the top; a folder if it ends with a slash.
    pub target: String,
    /// The rights that they get; nothing where they keep theirs.
    pub mode: Option<u32>,
}

/// Why a recipe cannot be built here, by its lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecipeProblems(pub Vec<RecipeProblem>);

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeProblem {
    /// The line, from one.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl TreeRecipe {
    /// Reads a Dockerfile. All problems are told at once.
    pub fn read(text: &str) -> Result<Self, RecipeProblems> {
        if text.len() > MAX_BYTES {
            let what = format!("it is longer than {} kB", MAX_BYTES >> 10);
            return Err(RecipeProblems(vec![RecipeProblem { line: 1, what }]));
        }
        let (lines, problems) = logical_lines::read(text);
        let mut reader = RecipeReader::after(problems);
        for line in &lines {
            reader.instruction(line);
        }
        reader.finish()
    }

    /// The base with packages of Debian.
    pub fn of_packages(packages: &[String]) -> Result<Self, RecipeProblems> {
        let is_name = |name: &&String| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "+-.:=~".contains(c);
            !name.starts_with(|c: char| !c.is_ascii_alphanumeric()) && !name.is_empty() && name.chars().all(plain)
        };
        let strange = packages.iter().filter(|name| !is_name(name));
        let problems: Vec<RecipeProblem> =
            strange.map(|name| RecipeProblem { line: 1, what: format!("`{name}` is no name of a package") }).collect();
        if !problems.is_empty() {
            return Err(RecipeProblems(problems));
        }
        let install = "apt-get update && apt-get install -y --no-install-recommends";
        let run = (!packages.is_empty()).then(|| format!("RUN {install} {}\n", packages.join(" ")));
        Self::read(&format!("FROM {}\n{}", bases::OWN, run.unwrap_or_default()))
    }

    /// The variables of whoever works in the tree.
    pub fn variables(&self) -> BTreeMap<String, String> {
        let set = self.steps.iter().filter_map(|step| match &step.action {
            RecipeAction::Variable(name, value) => Some((name.clone(), value.clone())),
            _ => None,
        });
        set.collect()
    }

    /// The folder that whoever works in the tree begins in.
    pub fn folder(&self) -> &str {
        let folders = self.steps.iter().rev().find_map(|step| match &step.action {
            RecipeAction::Folder(folder) => Some(folder.as_str()),
            _ => None,
        });
        folders.unwrap_or("/")
    }

    /// Whether it says nothing but the base.
    pub fn is_base(&self) -> bool {
        self.steps.is_empty()
    }
}

impl fmt::Display for RecipeProblems {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        out.write_str(&lines.join("\n"))
    }
}

impl fmt::Display for RecipeProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.what)
    }
}
