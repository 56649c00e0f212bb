//! Papers that were never left: nearly right ones, and others that are right.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileHandle, FileSet};

use super::plotted::plotted;
use super::project::{FOLDER, NAME};

/// The largest source that is altered.
const LARGEST: u64 = 1 << 20;

/// The paper with one text in place of another, by what that is; left out where there is no such text in it.
pub(super) fn replaced(left: &FileSet, all: &[(&str, &str, &str)]) -> Vec<(String, FileSet)> {
    let source = source(left);
    let altered = all.iter().filter(|(_, from, _)| source.contains(from));
    altered.map(|(how, from, to)| ((*how).to_owned(), with_source(left, &source.replacen(from, to, 1)))).collect()
}

/// These, and those that every paper is altered by.
pub(super) fn with_usual(left: &FileSet, mut altered: AlteredFiles) -> AlteredFiles {
    let source = source(left);
    let is_sentence = |line: &&str| line.ends_with('.') && !line.contains('\\') && line.len() > 20;
    let sentence = source.lines().find(is_sentence).unwrap_or_default().to_owned();
    let next = sentence.replacen(' ', "  ", 1);
    altered.wrong.extend(replaced(
        left,
        &[
            ("a sentence lost", &format!("{sentence}\n"), ""),
            ("a sentence that is commented out", &sentence, &format!("% {sentence}")),
            ("a sentence added", "\\end{document}", "This is all.\n\\end{document}"),
            ("what does not build", "\\end{document}", "\\undefinedword\n\\end{document}"),
            ("a reference that leads nowhere", "\\end{document}", "\\ref{sec:nowhere}\n\\end{document}"),
            ("an end too many", "\\end{document}", "\\end{itemize}\n\\end{document}"),
        ],
    ));
    altered.right.extend(replaced(
        left,
        &[
            ("a comment", "\\begin{document}", "% checked 50% of it \\undefinedword\n\\begin{document}"),
            ("a package that is not used", "\\begin{document}", "\\usepackage{amsmath}\n\\begin{document}"),
            ("more blank lines", "\n\\section", "\n\n\n\\section"),
            ("more blanks in a line", &sentence, &next),
            ("words after the end", "\\end{document}", "\\end{document}\nnot printed"),
            ("no line at the end", "\\end{document}\n", "\\end{document}"),
        ],
    ));
    altered
}

/// The paper without the PDF that was built of it, and with another one in its place.
pub(super) fn without_pdf(left: &FileSet) -> Vec<(String, FileSet)> {
    let pdf = format!("{FOLDER}/{NAME}.pdf");
    let (mut none, mut another) = (left.clone(), left.clone());
    none.remove(&pdf);
    another.insert(pdf, FileHandle::held(plotted(&[10, 50, 30]).into_bytes()));
    vec![("no PDF".to_owned(), none), ("a PDF of something else".to_owned(), another)]
}

fn path() -> String {
    format!("{FOLDER}/{NAME}.tex")
}

fn source(left: &FileSet) -> String {
    let bytes = left.get(&path()).and_then(|file| file.whole(LARGEST).ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn with_source(left: &FileSet, source: &str) -> FileSet {
    let mut files = left.clone();
    files.insert(path(), FileHandle::held(source.as_bytes().to_vec()));
    files
}
