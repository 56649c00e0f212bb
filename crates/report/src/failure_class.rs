//! Why trials of professional work failed, in eight classes of four groups that *Agents' Last Exam* uses (its appendix D.3).
//!
//! A class follows from labels. Rules alone tell few of them apart; whether an agent lacked knowledge, made results up or
//! wrote a bug is said by a model that was asked, or by nobody. The two are counted beside each other and never mixed.

use std::fmt;

use quintain_core::ending::Ending;
use serde::Serialize;

use crate::label::LabelKind;
use crate::row::TrialRow;

/// Why a trial failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// An expert of the field would not have made the mistake.
    KnowledgeGap,
    /// Data or results were made up instead of computed.
    Fabrication,
    /// A way that cannot lead there, or that breaks a rule that the task states.
    WrongStrategy,
    /// Given up, or ended early with nothing achieved.
    Incomplete,
    /// A sound way with a mistake in carrying it out.
    ImplementationBug,
    /// The wrong format, place or structure.
    OutputFormat,
    /// The pointer or the keyboard did not do what was meant.
    Interaction,
    /// A limit ended the trial.
    OutOfResources,
}

impl FailureClass {
    /// Every class there is, in order.
    pub const ALL: [Self; 8] = [
        Self::KnowledgeGap,
        Self::Fabrication,
        Self::WrongStrategy,
        Self::Incomplete,
        Self::ImplementationBug,
        Self::OutputFormat,
        Self::Interaction,
        Self::OutOfResources,
    ];

    /// The group that it belongs to.
    pub fn group(self) -> &'static str {
        match self {
            Self::KnowledgeGap | Self::Fabrication => "understanding",
            Self::WrongStrategy | Self::Incomplete => "approach",
            Self::ImplementationBug | Self::OutputFormat => "execution",
            Self::Interaction | Self::OutOfResources => "infrastructure",
        }
    }

    /// The class by fixed rules; nothing where they cannot tell, or where the trial is solved or a fault.
    pub fn by_rules(row: &TrialRow) -> Option<Self> {
        let shows = |kind: LabelKind| row.labels.iter().any(|label| label.kind == kind);
        let nothing_achieved = row.verdict.completion() == 0.0;
        match row.verdict.ending {
            _ if !failed(row) => None,
            Ending::Truncated(_) => Some(Self::OutOfResources),
            _ if shows(LabelKind::FormatError) => Some(Self::OutputFormat),
            Ending::GaveUp => Some(Self::Incomplete),
            _ if shows(LabelKind::EarlyStop) && nothing_achieved => Some(Self::Incomplete),
            _ if shows(LabelKind::GroundingMiss) || shows(LabelKind::NoVisibleEffect) => Some(Self::Interaction),
            _ => None,
        }
    }

    /// The class in the eyes of the models that were asked: that of the first label, for they give the most important one
    /// first.
    pub fn by_models(row: &TrialRow) -> Option<Self> {
        let first = || row.opinions.values().flatten().find_map(|opinion| Self::of_label(opinion.kind));
        failed(row).then(first).flatten()
    }

    fn of_label(kind: LabelKind) -> Option<Self> {
        match kind {
            LabelKind::KnowledgeGap => Some(Self::KnowledgeGap),
            LabelKind::Fabrication => Some(Self::Fabrication),
            LabelKind::WrongStrategy => Some(Self::WrongStrategy),
            LabelKind::EarlyStop => Some(Self::Incomplete),
            LabelKind::ImplementationBug => Some(Self::ImplementationBug),
            LabelKind::FormatError => Some(Self::OutputFormat),
            LabelKind::GroundingMiss | LabelKind::NoVisibleEffect | LabelKind::IgnoredVisualChange => {
                Some(Self::Interaction)
            }
            LabelKind::Timeout => Some(Self::OutOfResources),
            _ => None,
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KnowledgeGap => "knowledge gap",
            Self::Fabrication => "fabrication",
            Self::WrongStrategy => "wrong strategy",
            Self::Incomplete => "incomplete",
            Self::ImplementationBug => "implementation bug",
            Self::OutputFormat => "output format",
            Self::Interaction => "interaction",
            Self::OutOfResources => "out of resources",
        })
    }
}

fn failed(row: &TrialRow) -> bool {
    !row.verdict.solved && !matches!(row.verdict.ending, Ending::Fault(_))
}

/// The head of the table of classes.
pub(crate) const FAILURES_HEAD: [&str; 3] = ["why trials failed", "by rules", "by models"];

/// How many failed trials of professional work fall into each class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureClasses {
    /// How many trials failed, faults apart.
    pub failed: usize,
    /// How many of them a model was asked about.
    pub asked: usize,
    /// The classes that occur, in order.
    pub classes: Vec<FailureCount>,
}

/// How many trials fall into one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// The class.
    pub class: FailureClass,
    /// The group of the class.
    pub group: &'static str,
    /// How many by fixed rules.
    pub by_rules: usize,
    /// How many in the eyes of models.
    pub by_models: usize,
}

impl FailureClasses {
    /// Counts over the trials whose tasks name a field of work; nothing where none of them failed.
    pub(crate) fn of(rows: &[&TrialRow]) -> Option<Self> {
        let rows: Vec<&TrialRow> = rows.iter().copied().filter(|row| row.subject.is_some() && failed(row)).collect();
        let count = |class: FailureClass| {
            let n =
                |of: fn(&TrialRow) -> Option<FailureClass>| rows.iter().filter(|row| of(row) == Some(class)).count();
            let (by_rules, by_models) = (n(FailureClass::by_rules), n(FailureClass::by_models));
            FailureCount { class, group: class.group(), by_rules, by_models }
        };
        let classes = FailureClass::ALL.map(count).into_iter().filter(|count| count.by_rules + count.by_models > 0);
        let asked = rows.iter().filter(|row| !row.opinions.is_empty()).count();
        (!rows.is_empty()).then(|| Self { failed: rows.len(), asked, classes: classes.collect() })
    }

    /// The lines of its table, with what stays without a class as the last one.
    pub(crate) fn lines(&self) -> Vec<Vec<String>> {
        let line = |name: String, by_rules: usize, by_models: usize| {
            let by_models = if self.asked == 0 { "not asked".to_owned() } else { by_models.to_string() };
            vec![name, by_rules.to_string(), by_models]
        };
        let named = |count: &FailureCount| format!("{}: {}", count.group, count.class);
        let n = |of: fn(&FailureCount) -> usize| self.classes.iter().map(of).sum::<usize>();
        let (ruled, said) = (n(|count| count.by_rules), n(|count| count.by_models));
        let classes = self.classes.iter();
        let mut lines: Vec<_> = classes.map(|count| line(named(count), count.by_rules, count.by_models)).collect();
        lines.push(line("no class".to_owned(), self.failed - ruled, self.asked - said));
        lines
    }
}

#[cfg(test)]
mod tests;
