//! A judge for files.

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judgement};
use quintain_core::{Finding, Judge, Reference, Score};

/// Judges whether every file of the reference was left under `out/`, byte by byte, the canary aside.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilesJudge;

impl Judge for FilesJudge {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let wanted = reference.files.iter().filter(|(name, _)| *name != "canary.txt");
        let left = |name: &String| ended.evidence.files.get(&format!("out/{name}"));
        let wrong: Vec<&String> =
            wanted.filter(|(name, file)| left(name) != Some(&file.digest())).map(|(name, _)| name).collect();
        let finding = Finding::of("files", wrong.is_empty(), format!("not as they should be: {wrong:?}"));
        Ok(Judgement { score: Score::of(wrong.is_empty()), findings: vec![finding], milestones: Vec::new() })
    }
}
