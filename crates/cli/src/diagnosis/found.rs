//! What came of a diagnosis, from the run's record.

use std::path::Path;

use quintain_core::TrialId;
use quintain_report::diagnosis::{page, svg};
use quintain_report::{Diagnosis, DiagnosisQuestion, QuestionSide, TrialRow, diagnosis};
use quintain_store::{RunDir, RunHeader};

use crate::disk;
use crate::printer::Printer;

/// What came of a run that is a diagnosis; nothing where it is none.
pub(crate) fn found(run: &RunDir, rows: &[TrialRow]) -> anyhow::Result<Option<Diagnosis>> {
    let header = run.header();
    let Some(study) = &header.diagnosis else { return Ok(None) };
    let planned: Vec<TrialId> = run.plan()?.into_iter().map(|planned| planned.trial).collect();
    let players = header.agents.iter().filter(|agent| !study.variations.contains_key(&agent.label));
    let mut questions = Vec::new();
    for (agent, factor) in players.flat_map(|agent| study.factors.iter().map(move |factor| (agent, factor))) {
        let labels = factor.levels.iter().map(|level| (level.name.clone(), level.label(&agent.label)));
        if labels.clone().any(|(_, label)| header.agent(&label).is_none()) {
            continue; // It means nothing to this agent.
        }
        let side = |(level, label): (String, String)| {
            let planned = planned.iter().filter(|trial| trial.agent == label).cloned().collect();
            QuestionSide { level, label, planned }
        };
        let levels = labels.map(side).collect();
        questions.push(DiagnosisQuestion { agent: agent.label.clone(), factor: factor.name.clone(), levels });
    }
    Ok(Some(diagnosis(&questions, rows)))
}

/// Draws it beside the run's report: a page, and a plot for each agent.
pub(crate) fn draw(header: &RunHeader, found: &Diagnosis, report: &Path, printer: Printer) -> anyhow::Result<()> {
    for said in found.warnings() {
        printer.say(format!("warning: {said}"));
    }
    let beside = |name: &str| report.with_file_name(name);
    let path = beside("diagnosis.html");
    disk::write(&path, page(&header.name, &about(header), found).as_bytes())?;
    printer.say(format!("diagnosis: {}", path.display()));
    for (idx, agent) in found.agents.iter().enumerate() {
        let number = if found.agents.len() == 1 { String::new() } else { format!("-{}", idx + 1) };
        disk::write(&beside(&format!("diagnosis{number}.svg")), svg(agent).as_bytes())?;
    }
    Ok(())
}

/// What was played, and how, in a line.
fn about(header: &RunHeader) -> String {
    let shown: Vec<String> = header.settings.show.iter().map(ToString::to_string).collect();
    format!("{} · shown: {} · {}", header.selectors.join(" "), shown.join(", "), header.created)
}
