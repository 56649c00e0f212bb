//! The hand of somebody who edits a source in TeXstudio: lines are gone to by their numbers.

use quintain_desktop::{HOME, PlannedStep};

use super::project::FOLDER;

/// KAlgebra's command line, which needs no screen: it tells what comes out where others tell errors. Numbers alone are kept.
pub(super) const CALGEBRA: &str =
    "QT_QPA_PLATFORM=offscreen calgebra 2>&1 >/dev/null | grep -E '^-?[0-9.]+(e[-+]?[0-9]+)?$'";

/// Builds the paper, twice: numbers of tables are known the second time.
pub(super) const BUILD: &str = "for i in 1 2; do pdflatex -interaction=nonstopmode paper.tex | tail -n 2; done";

/// A source that is being edited, as it stands in the editor, and what was done for that.
pub(super) struct SourceEditing {
    lines: Vec<String>,
    steps: Vec<PlannedStep>,
}

impl SourceEditing {
    pub(super) fn new(source: &str) -> Self {
        Self { lines: source.lines().map(str::to_owned).collect(), steps: Vec::new() }
    }

    /// The number of the first line that has this in it.
    fn line(&self, having: &str) -> Result<usize, String> {
        self.lines.iter().position(|line| line.contains(having)).ok_or_else(|| format!("no line has `{having}`"))
    }

    fn go_to(&mut self, idx: usize) {
        self.steps.push(PlannedStep::keys(["ctrl", "g"]));
        self.steps.push(PlannedStep::text(format!("{}\n", idx + 1)));
    }

    /// Writes another line in place of the first that has this in it.
    pub(super) fn replace(&mut self, having: &str, with: &str) -> Result<(), String> {
        let idx = self.line(having)?;
        self.go_to(idx);
        self.steps.push(PlannedStep::keys(["Home"]));
        self.steps.push(PlannedStep::keys(["shift", "End"]));
        self.steps.push(PlannedStep::text(with));
        self.lines.splice(idx..=idx, with.lines().map(str::to_owned));
        Ok(())
    }

    /// Writes lines below the first that has this in it.
    pub(super) fn add_below(&mut self, having: &str, text: &str) -> Result<(), String> {
        let idx = self.line(having)?;
        self.go_to(idx);
        self.steps.push(PlannedStep::keys(["End"]));
        self.steps.push(PlannedStep::text(format!("\n{text}")));
        let below = idx + 1;
        self.lines.splice(below..below, text.lines().map(str::to_owned));
        Ok(())
    }

    /// Cuts so many lines from the first that has this in it, and puts them before another.
    pub(super) fn move_before(&mut self, having: &str, n_lines: usize, before: &str) -> Result<(), String> {
        let from = self.line(having)?;
        self.go_to(from);
        self.steps.push(PlannedStep::keys(["Home"]));
        self.steps.extend((0..n_lines).map(|_| PlannedStep::keys(["shift", "Down"])));
        self.steps.push(PlannedStep::keys(["ctrl", "x"]));
        let cut: Vec<String> = self.lines.splice(from..from + n_lines, []).collect();
        let to = self.line(before)?;
        self.go_to(to);
        self.steps.push(PlannedStep::keys(["Home"]));
        self.steps.push(PlannedStep::keys(["ctrl", "v"]));
        self.lines.splice(to..to, cut);
        Ok(())
    }

    /// What was done, with the last of it in the editor alone.
    pub(super) fn unsaved(self) -> Vec<PlannedStep> {
        self.steps
    }

    /// Saves it and is done.
    pub(super) fn saved(mut self) -> Vec<PlannedStep> {
        self.steps.push(PlannedStep::keys(["ctrl", "s"]));
        self.steps
    }
}

/// Command lines, each begun in the folder of the paper.
pub(super) fn shell_steps(lines: &[String]) -> Vec<PlannedStep> {
    lines.iter().map(|line| PlannedStep::shell(format!("cd {HOME}/{FOLDER} && {line}"))).collect()
}

/// A command line that makes the file `table`: a table with a heading, and below it what is in the file `rows`.
pub(super) fn table_of_rows(caption: &str, label: &str, columns: &str, heading: &str) -> String {
    format!(
        "{{ printf '%s\\n' '\\begin{{table}}[ht]' '\\centering' '\\caption{{{caption}}}' '\\label{{{label}}}' \
         '\\begin{{tabular}}{{{columns}}}' '\\hline' '{heading} \\\\' '\\hline'; cat rows; \
         printf '%s\\n' '\\hline' '\\end{{tabular}}' '\\end{{table}}'; }} > table"
    )
}
