//! Localization: repair the catalogues of a program, and nothing else in them.

mod drawing;
mod phrases;
mod po;
mod reading;
mod tokens;

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded};
use crate::scripted::scripted;
use crate::software::PYTHON;
use drawing::CatalogueCase;
use phrases::{LANGUAGES, TERMS};
use reading::CatalogueReading;

const NAME: &str = "repair-catalogues";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("catalogues/solution.py");

/// Repair the catalogues of a program.
pub(crate) struct RepairCatalogues;

impl Assignment for RepairCatalogues {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_terms = parameters.number("n_terms", 3..=TERMS.len() as u64)?;
        let n_each = parameters.number("n_each", 1..=3)?;
        let plan = seeded(rng.next_u64(), [("n_terms", n_terms), ("n_each", n_each)]);
        let cases = cases_of(&plan)?;
        let fields: BTreeMap<String, String> = cases.iter().flat_map(|case| reading::told(case, &case.right)).collect();
        Ok(PreparedWork::of(plan, json!({ "catalogues": { "fields": fields } })))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let mut files = InputFiles::new();
        for case in cases_of(plan)? {
            files.insert(format!("po/{}.po", case.code), case.broken.written().into_bytes());
        }
        let mut languages = String::from("language,plural_forms\n");
        let mut glossary = String::from("language,source,wanted,forbidden\n");
        for language in &LANGUAGES {
            languages.extend([language.code, ",\"", language.plural_forms, "\"\n"]);
            for (source, (wanted, forbidden)) in TERMS.iter().zip(language.terms) {
                glossary.extend([language.code, ",", source, ",", wanted, ",", forbidden, "\n"]);
            }
        }
        files.insert("languages.csv".to_owned(), languages.into_bytes());
        files.insert("glossary.csv".to_owned(), glossary.into_bytes());
        Ok(files)
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        let check = "for f in output/*.po; do msgfmt -c -o /dev/null $f; done";
        Ok(scripted(
            "head -5 input/*.csv; head -40 input/po/de.po",
            ("repair.py", SOLUTION),
            format!("python3 repair.py {way}; {check}"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["fuzzy-kept", "glossary-everywhere", "english-plurals", "broken-emptied", "last-one-wins"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let text = |path: &str| alterations::text_of(left, path).unwrap_or_default();
        let (de, fr, pl, ja) = (text("de.po"), text("fr.po"), text("pl.po"), text("ja.po"));
        let without = |text: &str, begin: &str| {
            text.lines().filter(|line| !line.starts_with(begin)).flat_map(|line| [line, "\n"]).collect::<String>()
        };
        let wrong = [
            ("de.po", "one message fuzzy", de.replacen("#, c-format\n", "#, c-format, fuzzy\n", 1)),
            ("de.po", "other references", de.replace("#: src/", "#: source/")),
            ("de.po", "nothing obsolete", without(&de, "#~")),
            ("de.po", "no references", without(&de, "#:")),
            ("de.po", "a fuzzy header", format!("#, fuzzy\n{de}")),
            ("de.po", "a comment on the header", format!("# Repaired.\n{de}")),
            ("de.po", "a byte order mark", format!("\u{feff}{de}")),
            ("pl.po", "a header more", format!("{pl}\nmsgid \"\"\nmsgstr \"Language: de\\n\"\n")),
            ("ja.po", "plurals that are none", without(&ja.replace("msgstr[0]", "msgstr"), "msgid_plural")),
            ("pl.po", "another plural of the source", pl.replace("msgid_plural \"%d files", "msgid_plural \"%d file")),
            ("pl.po", "the plural rule of English", pl.replace("nplurals=3", "nplurals=2")),
            ("pl.po", "blanks in placeholders", pl.replace("%d%%", "%d %%")),
            ("ja.po", "another set of characters", ja.replace("charset=UTF-8", "charset=EUC-JP")),
            ("ja.po", "a message more", format!("{ja}\nmsgid \"More\"\nmsgstr \"more\"\n")),
            ("ja.po", "a quote that does not end", ja.replacen("msgstr \"", "msgstr ", 1)),
        ];
        let right = [
            ("de.po", "lines that end in CRLF", de.replace('\n', "\r\n")),
            ("de.po", "texts on lines of their own", de.replace("\nmsgstr \"", "\nmsgstr \"\"\n\"")),
            ("de.po", "texts below their words", de.replace("\nmsgstr \"", "\nmsgstr\n\"")),
            ("de.po", "texts in pieces", in_pieces(&de)),
            ("fr.po", "octal escapes", fr.replace('é', "\\303\\251")),
            ("fr.po", "no blanks behind words", fr.replace("msgstr \"", "msgstr\"").replace("msgid \"", "msgid\"")),
            ("pl.po", "no blanks in the rule of plurals", pl.replace("; plural=(n==1 ? 0 : ", ";plural=(n==1?0:")),
            (
                "pl.po",
                "the name of a tool",
                pl.replace("MIME-Version: 1.0\\n", "X-Generator: Poedit 3.2\\nMIME-Version: 1.0\\n"),
            ),
            ("ja.po", "another date", ja.replace("PO-Revision-Date: 2025-02-20", "PO-Revision-Date: 2025-03-03")),
        ];
        let made = |(path, how, text): (&str, &str, String)| alterations::with(left, path, how, text.into_bytes());
        altered.wrong.extend(wrong.map(made));
        altered.right.extend(right.map(made));
        altered
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(CatalogueReading)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let gettext = Software { program: "msgfmt", package: "gettext", mend: "apt install gettext" };
        [gettext, PYTHON].map(|software| software.need(NAME)).to_vec()
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("catalogues")
    }
}

/// A catalogue in which several pieces of a text stand on one line.
fn in_pieces(catalogue: &str) -> String {
    let line = |line: &str| {
        let line = if line.starts_with("msgstr") { line.replace(": ", ":\"\t\" ") } else { line.to_owned() };
        line + "\n"
    };
    catalogue.lines().map(line).collect()
}

/// The catalogues of a plan.
fn cases_of(plan: &Value) -> Result<Vec<CatalogueCase>, String> {
    let seed = seed_of(plan)?;
    let number = |name: &str| plan[name].as_u64().ok_or_else(|| format!("the plan has no `{name}`"));
    Ok(drawing::drawn(seed, number("n_terms")? as usize, number("n_each")? as usize))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_terms": 3, "n_each": 1 })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_others_give_others() {
        assert_eq!(RepairCatalogues.inputs(&plan(5)), RepairCatalogues.inputs(&plan(5)));
        let told = |seed: u64| {
            let cases = cases_of(&plan(seed)).unwrap();
            format!("{:?}", cases.iter().map(|case| reading::told(case, &case.right)).collect::<Vec<_>>())
        };
        assert_eq!((0..50).map(told).collect::<BTreeSet<String>>().len(), 50);
        assert!(RepairCatalogues.inputs(&json!({})).is_err());
    }

    /// Nothing that has to be repaired is right in what the agent finds, and everything else is.
    #[test]
    fn what_is_found_is_broken_where_it_should_be() {
        for seed in 0..50 {
            for case in cases_of(&plan(seed)).unwrap() {
                let (right, found) = (reading::told(&case, &case.right), reading::told(&case, &case.broken));
                for (name, text) in &right {
                    let is_else = name.ends_with("everything else");
                    assert_eq!(found[name] == *text, is_else, "seed {seed}: {name}: {text}");
                }
                assert!(right.len() > 12, "seed {seed}: {}", right.len());
                assert_eq!(po::PoFile::read(&case.right.written()).as_ref(), Ok(&case.right));
            }
        }
    }

    /// Every way to go wrong meets what it gets wrong.
    #[test]
    fn wrong_ways_differ_from_the_truth() {
        for seed in 0..50 {
            for case in cases_of(&plan(seed)).unwrap() {
                let fuzzy = case.broken.messages.iter().filter(|message| message.flags.contains("fuzzy")).count();
                assert_eq!(fuzzy, 2, "seed {seed}");
                assert_eq!(case.broken.messages.len(), case.right.messages.len() + 1, "seed {seed}");
                assert!(case.right.messages.iter().any(|message| message.id == phrases::DIRECTORY));
            }
        }
    }
}
