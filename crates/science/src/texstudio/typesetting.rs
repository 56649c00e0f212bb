//! A paper, typeset in a clean sandbox.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_workspace::VerifierRoom;

/// Far more than it takes, for a machine that has much else to do.
const WITHIN: Duration = Duration::from_mins(1);
/// The largest log and the largest list of references that are read.
const LARGEST: u64 = 8 << 20;
/// The day on which everything is typeset, whole lines in logs, no programs started by a source, and where fonts are drawn
/// that the system's TeX has no outlines of.
const VARIABLES: [&str; 8] = [
    "SOURCE_DATE_EPOCH=1700000000",
    "FORCE_SOURCE_DATE=1",
    "max_print_line=10000",
    "shell_escape=f",
    "openout_any=p",
    "HOME=/work",
    "TEXMFVAR=/work/texmf-var",
    "VARTEXFONTS=/work/texmf-var/fonts",
];
/// How often a paper is typeset at most, until what it refers to does not change any more.
const MOST_ROUNDS: usize = 5;
/// Where the formats, maps and lists of the system's TeX are.
pub(super) const TEX_FOLDER: &str = "/var/lib/texmf";

/// What became of a paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Typesetting {
    /// The first error, if there is one.
    pub(super) error: Option<String>,
    /// References, citations and labels that lead nowhere, or to several places.
    pub(super) undefined: Vec<String>,
    pub(super) n_pages: usize,
    /// Every word of it, and how often it is there.
    pub(super) words: BTreeMap<String, usize>,
}

/// Typesets `<folder>/<name>.tex` of a room, with its list of references.
pub(super) fn typeset(room: &mut VerifierRoom, folder: &str, name: &str) -> Result<Typesetting, String> {
    let source = format!("{name}.tex");
    let latex = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", &source];
    let mut references = String::new();
    for round in 0..MOST_ROUNDS {
        let report = run(room, folder, &latex)?;
        if !report.0 {
            let log = read(room, &format!("{folder}/{name}.log"))?;
            let why = log.lines().find_map(|line| line.strip_prefix("! ")).unwrap_or(&report.1);
            return Ok(failed(why));
        }
        let found = read(room, &format!("{folder}/{name}.aux"))?;
        let has_list = round == 0 && found.contains("\\bibdata{");
        if has_list && !run(room, folder, &["bibtex", name])?.0 {
            let log = read(room, &format!("{folder}/{name}.blg"))?;
            return Ok(failed(&format!("bibtex: {}", log.lines().nth(3).unwrap_or("it fails"))));
        }
        if !has_list && found == references {
            break;
        }
        references = found;
    }
    let log = read(room, &format!("{folder}/{name}.log"))?;
    let Some(text) = pdf_text(room, &format!("{folder}/{name}.pdf"))? else {
        return Ok(failed("no pages come out of it"));
    };
    Ok(Typesetting {
        error: None,
        undefined: undefined(&log),
        n_pages: text.matches('\u{c}').count(),
        words: words(&text),
    })
}

/// The words of a PDF file, if it is one.
pub(super) fn shown_words(room: &mut VerifierRoom, path: &str) -> Result<Option<BTreeMap<String, usize>>, String> {
    Ok(pdf_text(room, path)?.map(|text| words(&text)))
}

fn pdf_text(room: &mut VerifierRoom, path: &str) -> Result<Option<String>, String> {
    let (is_read, text) = run(room, ".", &["pdftotext", "-enc", "UTF-8", path, "-"])?;
    Ok(is_read.then_some(text))
}

fn failed(why: &str) -> Typesetting {
    Typesetting { error: Some(why.chars().take(200).collect()), ..Typesetting::default() }
}

fn run(room: &mut VerifierRoom, folder: &str, argv: &[&str]) -> Result<(bool, String), String> {
    let line = [&["env", "-C", folder], &VARIABLES[..], argv].concat();
    let report = room.run(&line, WITHIN)?;
    Ok(if report.succeeded { (true, report.output) } else { (false, report.errors) })
}

fn read(room: &mut VerifierRoom, path: &str) -> Result<String, String> {
    let bytes = room.get(path, LARGEST)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a log warns of that leads nowhere.
fn undefined(log: &str) -> Vec<String> {
    let quoted =
        |line: &str| line.split_once('`').and_then(|(_, rest)| rest.split_once('\'')).map(|(key, _)| key.to_owned());
    let mut found = Vec::new();
    for line in log.lines() {
        let kind =
            ["Reference", "Citation", "Label"].into_iter().find(|kind| line.contains(&format!("Warning: {kind} `")));
        let Some((kind, key)) = kind.zip(quoted(line)) else { continue };
        found.push(format!("{kind} {key}"));
    }
    found.sort();
    found.dedup();
    found
}

/// The words of pages without their numbers, however lines were broken.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for page in text.split('\u{c}') {
        let lines: Vec<&str> = page.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let n_lines = match lines.last() {
            Some(last) if last.chars().all(|digit| digit.is_ascii_digit()) => lines.len() - 1,
            _ => lines.len(),
        };
        let joined = lines[..n_lines].join("\n").replace(['\u{2212}', '\u{2013}'], "-").replace("-\n", "-");
        for word in joined.split_whitespace() {
            *counted.entry(without_hyphens(word)).or_insert(0) += 1;
        }
    }
    counted
}

/// A word without the hyphens between its letters: those at ends of lines come and go.
fn without_hyphens(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let is_letter = |at: usize| letters.get(at).is_some_and(|letter| letter.is_alphabetic());
    let is_kept = |at: &usize| letters[*at] != '-' || *at == 0 || !is_letter(at - 1) || !is_letter(at + 1);
    (0..letters.len()).filter(is_kept).map(|at| letters[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_however_lines_are_broken() {
        let one = "A well-known character-\nisation of \u{2212}3.5 and x-1\n\n1\n\u{c}Next page\n\n2\n\u{c}";
        let other = "A wellknown characterisation\nof -3.5 and x-1 Next\npage\n\n1\n\u{c}";
        assert_eq!(words(one), words(other));
        assert_ne!(words(one), words(&one.replace("3.5", "3.6")));
        assert_ne!(words(one), words(&one.replace('\u{2212}', "")));
        assert_ne!(words("4 of 7\n\u{c}"), words("4 of 4\n\u{c}"));
    }

    #[test]
    fn what_leads_nowhere_is_read_from_the_log() {
        let log = "LaTeX Warning: Reference `tab:x' on page 1 undefined on input line 3.\n\
                   LaTeX Warning: Citation `b' on page 1 undefined on input line 4.\n\
                   LaTeX Warning: Label `a' multiply defined.\nLaTeX Warning: There were undefined references.\n";
        assert_eq!(undefined(log), ["Citation b", "Label a", "Reference tab:x"]);
    }
}
