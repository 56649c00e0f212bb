//! Sentences that become lists.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::SourceEditing;
use super::project::{PaperProject, main_source};
use crate::parameters::Parameters;

const THINGS: [&str; 12] = [
    "a data logger",
    "a spare battery",
    "two cables",
    "a steel mast",
    "a rain gauge",
    "a field book",
    "a solar panel",
    "three pegs",
    "a folding rule",
    "a tarpaulin",
    "a hand pump",
    "a signal lamp",
];

/// What a sentence counts up is told as a list.
pub(super) struct MakeList;

impl DesktopScenario for MakeList {
    fn name(&self) -> &'static str {
        "make-list"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let mut things = THINGS;
        rng.shuffle(&mut things);
        let things = &things[..4];
        let is_numbered = rng.chance(0.5);
        let kind = if is_numbered { "enumerate" } else { "itemize" };
        let at = 1 + rng.below(3);
        let start = "The kit of every station has these parts:";
        let sentence = format!("{start} {}, {}, {}, and {}.", things[0], things[1], things[2], things[3]);
        let mut after = before.clone();
        before.sections[at].lines.push(sentence.clone());
        let items = things.iter().map(|thing| format!("\\item {thing}")).collect::<Vec<_>>().join("\n");
        after.sections[at].lines.push(format!("{start}\n\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}"));
        let asked = json!({ "section": before.sections[at].title, "is_numbered": is_numbered, "start": start });
        let project = PaperProject::new(before.source(), after.source(), [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked, "things": things, "sentence": sentence })),
            expected: json!({ "lists": [{ "kind": kind, "items": things }] }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let given = &plan["solution"];
        let is_numbered = given["asked"]["is_numbered"] == (wrong_way != Some("other-kind"));
        let kind = if is_numbered { "enumerate" } else { "itemize" };
        let mut lines =
            vec![given["asked"]["start"].as_str().unwrap_or_default().to_owned(), format!("\\begin{{{kind}}}")];
        let things = given["things"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mark = if wrong_way == Some("punctuation-kept") { "," } else { "" };
        lines.extend(things.map(|thing| format!("\\item {thing}{mark}")));
        lines.push(format!("\\end{{{kind}}}"));
        let mut editing = SourceEditing::new(main_source(plan)?);
        editing.replace(given["sentence"].as_str().unwrap_or_default(), &lines.join("\n"))?;
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["other-kind", "punctuation-kept"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("an item lost", "\\item ", "% \\item "),
                        ("an item too many", "\\item ", "\\item a box\n\\item "),
                        ("an item that goes on", "\n\\item ", "\n\\item and "),
                    ],
                ),
                right: replaced(left, &[("items that are moved in", "\n\\item ", "\n\n  \\item  ")]),
            },
        )
    }
}
