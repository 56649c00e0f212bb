//! The verifier `latex-paper`: typesets the paper that was left in a clean sandbox, and the one that it should be beside it, and
//! tells how it is built up, and where it says something else. A PDF that was left is only compared with what its source gives.

use std::collections::BTreeMap;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileSet, VerifierCase, VerifierRunner};
use quintain_workspace::VerifierRoom;
use serde_json::{Value, json};

use super::latex;
use super::project::{PaperProject, TEXT_ENDINGS};
use super::typesetting::{TEX_FOLDER, Typesetting, shown_words, typeset};

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
    told["pdf"] = json!(built(&mut room, project, files, &is)?);
    told["pages"] = json!(is.n_pages);
    told["error"] = json!(is.error);
    Ok(Ok(told))
}

/// Whether the PDF that was left says what a build of the sources that were left says. Nothing else is taken from it.
fn built(room: &mut VerifierRoom, project: &PaperProject, files: &FileSet, is: &Typesetting) -> Result<String, String> {
    let Some(pdf) = files.get(&format!("{}/{}.pdf", project.folder, project.name)) else {
        return Ok("there is none".to_owned());
    };
    if let Err(problem) = room.put_left("shown.pdf", pdf, LARGEST)? {
        return Ok(problem);
    }
    let shown = shown_words(room, "shown.pdf")?;
    Ok(shown.map_or_else(|| "it cannot be read".to_owned(), |shown| differing(&shown, &is.words)))
}

/// The sources that were left, by their paths in the folder of the paper. What a build made is not looked at, and neither are
/// graphics that do not belong to the paper: what they say was not typeset from its source.
fn left(project: &PaperProject, files: &FileSet) -> Result<BTreeMap<String, String>, String> {
    let main = format!("{}.tex", project.name);
    let mut left = BTreeMap::new();
    for (path, file) in files {
        let Some(inner) = path.strip_prefix(&format!("{}/", project.folder)) else { continue };
        let is_text = inner.rsplit_once('.').is_some_and(|(_, ending)| TEXT_ENDINGS.contains(&ending));
        if !is_text && !project.found.contains_key(path) {
            continue;
        }
        let text = file.whole(LARGEST).map_err(|error| error.to_string());
        let text = text.and_then(|bytes| String::from_utf8(bytes).map_err(|_error| "it is not UTF-8".to_owned()));
        match text {
            Ok(text) => drop(left.insert(inner.to_owned(), text)),
            Err(problem) if inner == main => return Err(format!("{path}: {problem}")),
            // A source that takes it in does not build; others have no need of it.
            Err(_) => {}
        }
    }
    if left.len() > MOST_FILES {
        return Err(format!("there are {} sources", left.len()));
    }
    if !left.contains_key(&main) {
        return Err(format!("there is no {main} in {}", project.folder));
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

#[cfg(test)]
mod tests {
    use quintain_core::FileHandle;

    use super::super::plotted::plotted;
    use super::*;

    const FOUND: &str = "\\documentclass{article}\n\\begin{document}\nThe number is NUMBER.\n\\end{document}\n";

    fn right() -> String {
        FOUND.replace("NUMBER", "4")
    }

    /// What is told of a paper with these files beside it.
    fn judged(source: &str, beside: &[(&str, &[u8])]) -> Value {
        let project = PaperProject::new(FOUND.to_owned(), right(), BTreeMap::new());
        let mut files = FileSet::default();
        files.insert("paper/paper.tex".to_owned(), FileHandle::held(source.as_bytes().to_vec()));
        files.extend(beside.iter().map(|(path, bytes)| ((*path).to_owned(), FileHandle::held(bytes.to_vec()))));
        told(&project, &files).expect("there is a sandbox").expect("there is a paper")
    }

    #[test]
    fn only_what_was_built_from_the_source_counts_as_built() {
        assert_eq!(judged(&right(), &[])["pdf"], "there is none");
        assert_eq!(judged(&right(), &[("paper/paper.pdf", b"no PDF")])["pdf"], "it cannot be read");
        let another = plotted(&[1, 2, 3]);
        let told = judged(&right(), &[("paper/paper.pdf", another.as_bytes())]);
        assert_eq!(told["pdf"], "missing: 4. The is number; too many: ");
        assert_eq!(told["state"]["words"], AS_EXPECTED);
    }

    #[test]
    fn graphics_that_are_no_part_of_the_paper_are_not_taken_in() {
        let mine = right().replace("\\begin{document}", "\\usepackage{graphicx}\n\\begin{document}");
        let mine = mine.replace("\\end{document}", "\\includegraphics{mine}\n\\end{document}");
        let graphic = plotted(&[1, 2, 3]);
        assert_eq!(judged(&mine, &[("paper/mine.pdf", graphic.as_bytes())])["state"]["builds"], false);
    }

    #[test]
    fn bullets_are_printed_although_their_font_has_to_be_drawn_first() {
        let list = "\\begin{itemize}\\item One\\end{itemize}\n\\end{document}";
        let told = judged(&right().replace("\\end{document}", list), &[]);
        assert_eq!((&told["error"], &told["state"]["builds"]), (&Value::Null, &json!(true)));
    }

    #[test]
    fn what_lies_beside_a_paper_does_not_matter() {
        let told = judged(&right(), &[("paper/try.pdf", b"\xff\xfe"), ("paper/old.tex", b"\xff"), ("more.txt", b"x")]);
        let state = &told["state"];
        let words = ["words", "prose", "labels", "others"].map(|name| state[name].as_str().unwrap_or_default());
        assert_eq!((&state["builds"], words), (&json!(true), [AS_EXPECTED; 4]));
    }
}
