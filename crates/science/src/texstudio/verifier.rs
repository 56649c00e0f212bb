//! The verifier `latex-paper`: typesets the paper that was left in a clean sandbox, and the one that it should be beside it, and
//! tells how it is built up, and where it says something else.

use std::collections::BTreeMap;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileSet, VerifierCase, VerifierRunner};
use quintain_workspace::VerifierRoom;
use serde_json::{Value, json};

use super::latex;
use super::project::{PaperProject, SOURCE_ENDINGS};
use super::typesetting::{TEX_FOLDER, Typesetting, typeset};

const KIND: &str = "latex-paper";
/// How large a file may be, and how many there may be of them.
const LARGEST: u64 = 1 << 20;
const MOST_FILES: usize = 60;
/// What is told where there is nothing to tell.
const AS_EXPECTED: &str = "as expected";
/// How many differences are named.
const MOST_NAMED: usize = 8;

/// The kind `latex-paper`.
pub(super) struct LatexPaper;

struct LatexJudging {
    name: String,
}

impl VerifierKind for LatexPaper {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(other) => Err(format!("a verifier of kind `{KIND}` has no option `{other}`")),
            None => Ok(Box::new(LatexJudging { name: spec.name.clone() })),
        }
    }
}

impl VerifierRunner for LatexJudging {
    /// Whatever is wrong with the paper is told as a problem: that is the agent's doing.
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let project = PaperProject::of(&case.reference.start["plan"])?;
        let told = told(&project, case.files)?.unwrap_or_else(|problem| json!({ "problem": problem }));
        Ok(vec![(self.name.clone(), told)])
    }
}

/// What is told of what was left, or what is wrong with it.
fn told(project: &PaperProject, files: &FileSet) -> Result<Result<Value, String>, String> {
    let left = match left(project, files) {
        Ok(left) => left,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut room = VerifierRoom::with_folders(&[TEX_FOLDER])?;
    let is = typeset_in(&mut room, "left", &left, project)?;
    let should = typeset_in(&mut room, "right", &project.right(), project)?;
    if let Some(why) = should.error {
        return Err(format!("the paper as it should be cannot be typeset: {why}"));
    }
    let mut told = outline_of(&left, project);
    let wanted = outline_of(&project.right(), project);
    told["state"] = json!({
        "builds": is.error.is_none(),
        "undefined": is.undefined,
        "words": differing(&is.words, &should.words),
        "prose": moved(&told["prose"], &wanted["prose"]),
        "labels": lost(&told["labels"], &wanted["labels"]),
        "others": altered(project, files),
    });
    told["pages"] = json!(is.n_pages);
    told["error"] = json!(is.error);
    Ok(Ok(told))
}

/// The sources that were left, by their paths in the folder of the paper. What a build made is not looked at.
fn left(project: &PaperProject, files: &FileSet) -> Result<BTreeMap<String, String>, String> {
    let mut left = BTreeMap::new();
    for (path, file) in files {
        let Some(inner) = path.strip_prefix(&format!("{}/", project.folder)) else { continue };
        let is_source = inner.rsplit_once('.').is_some_and(|(_, ending)| SOURCE_ENDINGS.contains(&ending));
        if !is_source || inner == format!("{}.pdf", project.name) {
            continue;
        }
        let bytes = file.whole(LARGEST).map_err(|error| format!("{path}: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|_error| format!("{path}: it is not UTF-8"))?;
        left.insert(inner.to_owned(), text);
    }
    if left.len() > MOST_FILES {
        return Err(format!("there are {} sources", left.len()));
    }
    if !left.contains_key(&format!("{}.tex", project.name)) {
        return Err(format!("there is no {}.tex in {}", project.name, project.folder));
    }
    Ok(left)
}

fn typeset_in(
    room: &mut VerifierRoom,
    folder: &str,
    files: &BTreeMap<String, String>,
    project: &PaperProject,
) -> Result<Typesetting, String> {
    for (path, text) in files {
        room.put(&format!("{folder}/{path}"), text.as_bytes())?;
    }
    typeset(room, folder, &project.name)
}

/// How a paper is built up, with the files that it takes in.
fn outline_of(files: &BTreeMap<String, String>, project: &PaperProject) -> Value {
    let main = files.get(&format!("{}.tex", project.name)).cloned().unwrap_or_default();
    let mut text = latex::cleaned(&main);
    let mut taken = Vec::new();
    for word in ["\\input{", "\\include{"] {
        // A file that takes in itself would go on for ever.
        for _ in 0..MOST_FILES {
            let Some((before, after)) = text.split_once(word) else { break };
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            let name = name.trim().trim_start_matches("./");
            let inner = files.get(name).or_else(|| files.get(&format!("{name}.tex")));
            taken.push(name.trim_end_matches(".tex").to_owned());
            text = format!("{before}{}{after}", inner.map(|inner| latex::cleaned(inner)).unwrap_or_default());
        }
    }
    let mut told = latex::outline(&latex::read(&text));
    told["inputs"] = json!(taken);
    told
}

/// Which words are missing or too many.
fn differing(is: &BTreeMap<String, usize>, should: &BTreeMap<String, usize>) -> String {
    let more = |one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>| {
        let is_more = |(word, n): &(&String, &usize)| other.get(*word).unwrap_or(&0) < *n;
        one.iter().filter(is_more).map(|(word, _)| word.clone()).take(MOST_NAMED).collect::<Vec<_>>().join(" ")
    };
    match (more(should, is), more(is, should)) {
        (missing, extra) if missing.is_empty() && extra.is_empty() => AS_EXPECTED.to_owned(),
        (missing, extra) => format!("missing: {missing}; too many: {extra}"),
    }
}

/// The first paragraph or heading that is another one than it should be.
fn moved(is: &Value, should: &Value) -> String {
    if is == should {
        return AS_EXPECTED.to_owned();
    }
    let lines = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (is, should) = (lines(is), lines(should));
    let at = is.iter().zip(&should).take_while(|(one, other)| one == other).count();
    let shown =
        |lines: &[Value]| lines.get(at).and_then(Value::as_str).unwrap_or("nothing").chars().take(120).collect();
    let (is, should): (String, String) = (shown(&is), shown(&should));
    format!("paragraph {}: `{is}` in place of `{should}`", at + 1)
}

/// The labels that are not there any more. Others may have been added.
fn lost(is: &Value, should: &Value) -> String {
    let labels = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (is, should) = (labels(is), labels(should));
    let lost = should.iter().find(|label| !is.contains(label)).and_then(Value::as_str);
    lost.map_or_else(|| AS_EXPECTED.to_owned(), |label| format!("missing: {label}"))
}

/// Whether what belongs to the paper and is no part of the work is as it was.
fn altered(project: &PaperProject, files: &FileSet) -> String {
    let is_kept = |(path, text): &(&String, &String)| {
        let is = files.get(*path).and_then(|file| file.whole(LARGEST).ok());
        is.is_some_and(|bytes| bytes == text.as_bytes())
    };
    let mut changed = project.kept().filter(|file| !is_kept(file)).map(|(path, _)| path.as_str());
    changed.next().map_or_else(|| AS_EXPECTED.to_owned(), |path| format!("changed: {path}"))
}
