//! Works that are cited.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing, other_family, person};
use super::editing::SourceEditing;
use super::project::{FOLDER, PaperProject, main_source};
use crate::parameters::Parameters;

const ABOUT: [&str; 12] = [
    "Drift of Field Sensors",
    "Gaps in Long Records",
    "Notes on Sampling",
    "Storms and Their Traces",
    "A Cheaper Logger",
    "Errors of Observers",
    "Trends in Short Series",
    "Maps from Few Points",
    "Seasons in the Uplands",
    "Limits of Detection",
    "Two Methods Compared",
    "Night Readings",
];
const JOURNALS: [&str; 4] = ["Field Methods", "Upland Science", "Annals of Measurement", "Water and Air"];
/// What stands in the paper where a work is to be cited.
const OPEN: &str = "(???)";

/// Three sentences get their citations, and the paper its list of references.
pub(super) struct CiteWorks;

/// A work in a list of references.
struct CitedWork {
    key: String,
    author: String,
    title: &'static str,
    year: i64,
}

impl CitedWork {
    fn entry(&self, journal: &str, pages: i64) -> String {
        format!(
            "@article{{{},\n  author = {{{}}},\n  title = {{{}}},\n  journal = {{{journal}}},\n  year = {{{}}},\n  pages = {{{pages}--{}}}\n}}\n",
            self.key,
            self.author,
            self.title,
            self.year,
            pages + 9
        )
    }

    fn named(&self) -> String {
        format!("{} ({}), {}", self.author, self.year, self.title)
    }
}

/// Six works: two of one author, and two of one year.
fn works(rng: &mut Rng) -> Vec<CitedWork> {
    let mut titles = ABOUT;
    rng.shuffle(&mut titles);
    let mut authors = vec![person(rng)];
    while authors.len() < 4 {
        let given = person(rng);
        let given = given.split(' ').next().unwrap_or_default().to_owned();
        let author = format!("{given} {}", other_family(rng, &authors));
        authors.push(author);
    }
    let year = rng.between(1996, 2012);
    let whose = [(0, year), (0, year + rng.between(1, 6)), (1, year), (2, year + 3), (3, year - 4), (1, year + 7)];
    let mut numbers: Vec<i64> = (0..6).map(|idx| 10 + idx * 13 + rng.between(0, 9)).collect();
    rng.shuffle(&mut numbers);
    let works = whose.iter().zip(titles).zip(numbers);
    works
        .map(|(((author, year), title), number)| CitedWork {
            key: format!("ref{number}"),
            author: authors[*author].clone(),
            title,
            year: *year,
        })
        .collect()
}

impl DesktopScenario for CiteWorks {
    fn name(&self) -> &'static str {
        "cite-works"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let works = works(rng);
        let mut order: Vec<usize> = (0..works.len()).collect();
        rng.shuffle(&mut order);
        // Two works in the second of three places.
        let wanted: [&[usize]; 3] = [&order[0..1], &order[1..3], &order[3..4]];
        let mut after = before.clone();
        let mut asked = Vec::new();
        for (idx, cited) in wanted.iter().enumerate() {
            let start = ["The method is an old one", "Others have found the same", "This was not expected"][idx];
            let open = format!("{start} {OPEN}.");
            let keys: Vec<&str> = cited.iter().map(|work| works[*work].key.as_str()).collect();
            before.sections[idx + 1].lines.push(open.clone());
            after.sections[idx + 1].lines.push(open.replace(OPEN, &format!("\\cite{{{}}}", keys.join(","))));
            let named: Vec<String> = cited.iter().map(|work| works[*work].named()).collect();
            asked.push(json!({ "sentence": start, "works": named, "keys": keys }));
        }
        after.closing = vec!["\\bibliographystyle{plain}".to_owned(), "\\bibliography{refs}".to_owned()];
        let mut listed: Vec<&CitedWork> = works.iter().collect();
        listed.sort_by(|one, other| one.key.cmp(&other.key));
        let entries = listed.iter().map(|work| work.entry(rng.choose::<&str>(&JOURNALS), rng.between(1, 300)));
        let entries = entries.collect::<Vec<_>>().join("\n");
        let keys: Vec<&str> = order[..4].iter().map(|work| works[*work].key.as_str()).collect();
        let beside = BTreeMap::from([(format!("{FOLDER}/refs.bib"), entries)]);
        let project = PaperProject::new(before.source(), after.source(), beside);
        let told: Vec<Value> =
            asked.iter().map(|one| json!({ "sentence": one["sentence"], "works": one["works"] })).collect();
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked })),
            expected: json!({
                "citations": keys,
                "bibliography": { "bibliography": ["refs"], "bibliographystyle": ["plain"] },
            }),
            words: [("asked".to_owned(), json!(told))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut editing = SourceEditing::new(main_source(plan)?);
        for asked in plan["solution"]["asked"].as_array().into_iter().flatten() {
            let keys: Vec<&str> = asked["keys"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let keys = if wrong_way == Some("first-work-only") { &keys[..1] } else { &keys[..] };
            let sentence = asked["sentence"].as_str().unwrap_or_default();
            editing.replace(sentence, &format!("{sentence} \\cite{{{}}}.", keys.join(", ")))?;
        }
        if wrong_way != Some("no-list") {
            editing.replace("\\end{document}", "\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}")?;
        }
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["first-work-only", "no-list"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("another style", "{plain}", "{alpha}"),
                        ("a citation that is commented out", "\\cite", "%\\cite"),
                        ("all works in the list", "\\bibliography{", "\\nocite{*}\\bibliography{"),
                        ("a work of its own", "\\cite{", "\\cite{mine,"),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("a blank that does not break", " \\cite", "~\\cite"),
                        ("no blank between keys", ", ref", ",ref"),
                        ("a blank line before the list", "\\bibliographystyle", "\n\\bibliographystyle"),
                    ],
                ),
            },
        )
    }
}
