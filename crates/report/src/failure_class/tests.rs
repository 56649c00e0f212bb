use insta::assert_snapshot;

use super::*;
use crate::label::Label;
use crate::opinion::Opinion;
use crate::row::TaskSubject;
use crate::row::tests::row;
use crate::text::table;

/// A failed trial of professional work with labels by rule and, where a model was asked, by it.
fn trial(text: &str, labels: &[LabelKind], said: Option<&[LabelKind]>) -> TrialRow {
    let mut row = row(text);
    row.subject = Some(TaskSubject { field: "1.2 Circuits".to_owned(), tier: None });
    row.labels = labels.iter().map(|kind| Label { kind: *kind, from: 0, to: 0 }).collect();
    let opinion = |kind: &LabelKind| Opinion { kind: *kind, step: 0, quote: "so".to_owned(), why: "so".to_owned() };
    if let Some(said) = said {
        row.opinions.insert("model".to_owned(), said.iter().map(opinion).collect());
    }
    row
}

fn counted(rows: &[TrialRow]) -> String {
    let rows: Vec<&TrialRow> = rows.iter().collect();
    FailureClasses::of(&rows).map(|it| table(&FAILURES_HEAD, &it.lines())).unwrap_or_default()
}

#[test]
fn each_failed_trial_counts_once_by_rules_and_once_by_models() {
    use LabelKind::{EarlyStop, Fabrication, FormatError, GroundingMiss, KnowledgeGap, Looping};
    let rows = [
        trial("exam/a@easy#1~one~0 steps 0.5 60", &[FormatError], None),
        trial("exam/a@easy#2~one~0 done 0.0 3", &[EarlyStop], Some(&[Fabrication, KnowledgeGap])),
        trial("exam/a@easy#3~one~0 done 0.5 3", &[EarlyStop], Some(&[KnowledgeGap])),
        trial("exam/a@easy#4~one~0 done 0.5 9", &[FormatError, GroundingMiss], Some(&[Looping])),
        trial("exam/a@easy#5~one~0 done 1.0 9", &[GroundingMiss], None),
        trial("exam/a@easy#6~one~0 provider 0.0 9", &[], None),
    ];
    assert_snapshot!(counted(&rows), @"
    why trials failed                 by rules  by models
    understanding: knowledge gap             0          1
    understanding: fabrication               0          1
    approach: incomplete                     1          0
    execution: output format                 1          0
    infrastructure: out of resources         1          0
    no class                                 1          1
    ");
}

#[test]
fn where_nobody_was_asked_that_is_said() {
    assert_snapshot!(counted(&[trial("exam/a@easy#1~one~0 done 0.5 9", &[], None)]), @"
    why trials failed  by rules  by models
    no class                  1  not asked
    ");
}

#[test]
fn puzzles_are_not_classed() {
    assert_eq!(counted(&[row("puzzles/maze@easy#1~one~0 done 0.5 9")]), "");
}
