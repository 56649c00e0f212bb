//! From questions and rows to what came of them.

use std::collections::BTreeSet;

use quintain_core::instance::InstanceId;
use quintain_core::trial::TrialId;

use super::{Diagnosed, Diagnosis, DiagnosisQuestion, LevelResult, QuestionSide, SettingEffect};
use crate::compare::{RunComparison, compare};
use crate::doubles::wilson_of;
use crate::isolation;
use crate::row::TrialRow;
use crate::told_apart::FindingNames;

/// Answers questions from the rows of a run. Every level is held against the run's own setting on the instances that were
/// planned for both.
pub fn diagnosis(questions: &[DiagnosisQuestion], rows: &[TrialRow]) -> Diagnosis {
    let known = isolation::by_agent(rows.iter().map(TrialRow::place));
    let mut agents: Vec<Diagnosed> = Vec::new();
    for question in questions {
        let effect = SettingEffect { factor: question.factor.clone(), levels: levels(question, rows) };
        if let Some(asked) = agents.iter_mut().find(|asked| asked.agent == question.agent) {
            asked.factors.push(effect);
            continue;
        }
        let agent = question.agent.clone();
        agents.push(Diagnosed { isolation: known.get(&agent).copied(), agent, factors: vec![effect] });
    }
    Diagnosis { agents }
}

fn levels(question: &DiagnosisQuestion, rows: &[TrialRow]) -> Vec<LevelResult> {
    let is_base = |side: &QuestionSide| side.label == question.agent;
    let varied: BTreeSet<&InstanceId> =
        question.levels.iter().filter(|side| !is_base(side)).flat_map(|side| instances(&side.planned)).collect();
    let result = |side: &QuestionSide| {
        let possible: BTreeSet<&InstanceId> =
            if is_base(side) { varied.clone() } else { instances(&side.planned).collect() };
        let own = of(rows, &side.label, &possible);
        let against = (!is_base(side)).then(|| compare(&of(rows, &question.agent, &possible), &own));
        level_result(&side.level, &possible, &own, against)
    };
    question.levels.iter().map(result).collect()
}

fn instances(planned: &[TrialId]) -> impl Iterator<Item = &InstanceId> {
    planned.iter().map(|trial| &trial.instance)
}

/// The rows of an agent on some instances.
fn of(rows: &[TrialRow], label: &str, instances: &BTreeSet<&InstanceId>) -> Vec<TrialRow> {
    let meant = |row: &&TrialRow| row.trial.agent == label && instances.contains(&row.trial.instance);
    rows.iter().filter(meant).cloned().collect()
}

fn level_result(
    level: &str,
    possible: &BTreeSet<&InstanceId>,
    own: &[TrialRow],
    against_base: Option<RunComparison>,
) -> LevelResult {
    let (n_played, n_solved) = (own.len(), own.iter().filter(|row| row.verdict.solved).count());
    let mut result = LevelResult {
        level: level.to_owned(),
        is_base: against_base.is_none(),
        n_instances: possible.len(),
        n_tasks: possible.iter().map(|instance| &instance.task).collect::<BTreeSet<_>>().len(),
        n_played,
        n_faulted: own.iter().filter(|row| row.faulted()).count(),
        n_solved,
        success: (n_played > 0).then(|| n_solved as f64 / n_played as f64),
        wilson: wilson_of(n_solved, own.iter().map(TrialRow::place)),
        against_base,
        conclusion: None,
    };
    result.conclusion = conclusion(&result);
    result
}

/// In one sentence: does it matter?
fn conclusion(result: &LevelResult) -> Option<String> {
    let names = FindingNames {
        more: "more is solved",
        fewer: "less is solved",
        interval: "the paired interval",
        p: "McNemar's p",
    };
    Some(result.finding()?.words(names))
}
