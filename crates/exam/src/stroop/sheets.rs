//! The files as the laboratories left them.

use quintain_workspace::InputFiles;

use super::experiment::{COLOURS, StroopLab, StroopSession, StroopStudy, StroopTrial};
use crate::calendar::CivilDate;

const PREREGISTRATION: &str = include_str!("preregistration.md");
const CODEBOOK: &str = include_str!("codebook.md");

/// All files.
pub(super) fn written(study: &StroopStudy) -> InputFiles {
    let fixed = [("preregistration.md", PREREGISTRATION.to_owned()), ("codebook.md", CODEBOOK.to_owned())];
    let fixed = fixed.into_iter().chain([("participants.tsv", participants(study))]);
    let files = fixed.map(|(path, text)| (path.to_owned(), text));
    let sessions = study.sessions.iter().map(|of| (format!("beh/{}_task-stroop_beh.tsv", of.id), session(of)));
    files.chain(sessions).map(|(path, text)| (path, text.into_bytes())).collect()
}

fn participants(study: &StroopStudy) -> String {
    let line = |of: &StroopSession| {
        let cells = [
            of.id.clone(),
            of.person.clone(),
            CivilDate::of(of.day).iso(),
            (if of.lab == StroopLab::Second { "lab2" } else { "lab1" }).to_owned(),
            of.age.to_string(),
            (if of.sees_colours { "normal" } else { "deficient" }).to_owned(),
            (if of.has_music { "music" } else { "silence" }).to_owned(),
            of.keys.word().to_owned(),
        ];
        cells.join("\t") + "\n"
    };
    let lines: String = study.sessions.iter().map(line).collect();
    format!("participant_id\tperson\tdate\tlab\tage\tcolour_vision\tgroup\tkeys\n{lines}")
}

fn session(of: &StroopSession) -> String {
    let keys = of.keys.keys();
    let line = |trial: &StroopTrial| {
        let (key, time) = match trial.pressed {
            None => ("n/a", "n/a".to_owned()),
            Some((colour, tenths)) if of.lab == StroopLab::Second => {
                (keys[colour], format!("{}.{:04}", tenths / 10_000, tenths % 10_000))
            }
            Some((colour, tenths)) => (keys[colour], format!("{}.{}", tenths / 10, tenths % 10)),
        };
        let StroopTrial { block, trial: number, word, colour, .. } = trial;
        format!("{block}\t{number}\t{}\t{}\t{key}\t{time}\n", COLOURS[*word], COLOURS[*colour])
    };
    let lines: String = of.trials.iter().map(line).collect();
    format!("block\ttrial\tword\tcolour\tkey\trt\n{lines}")
}
