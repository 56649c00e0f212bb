//! What a reader would see of some text: its words without their markup.

use super::{LatexNode, LatexNodes};

/// The words of nodes, with one blank between them. References and citations are told by their keys.
pub(super) fn plain(nodes: &[LatexNode]) -> String {
    one_line(&spelled(nodes))
}

/// A text with every stretch of white space as one blank.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first argument, as its words.
pub(super) fn first(arguments: &[LatexNodes]) -> String {
    arguments.first().map(|nodes| plain(nodes)).unwrap_or_default()
}

/// A formula as it is compared: blanks and room do not count in it, and neither do braces around a single letter that is raised or lowered.
pub(super) fn formula(raw: &str) -> String {
    let raw = ["\\,", "\\;", "\\:", "\\!"].iter().fold(raw.to_owned(), |raw, room| raw.replace(room, ""));
    let letters: Vec<char> = raw.chars().filter(|letter| !letter.is_whitespace()).collect();
    let is_raised = |at: usize| at > 0 && matches!(letters[at - 1], '^' | '_');
    let is_around = |at: usize| is_raised(at) && letters[at] == '{' && letters.get(at + 2) == Some(&'}');
    let is_needless = |at: usize| is_around(at) || at.checked_sub(2).is_some_and(is_around);
    (0..letters.len()).filter(|at| !is_needless(*at)).map(|at| letters[at]).collect()
}

fn spelled(nodes: &[LatexNode]) -> String {
    nodes.iter().map(node).collect()
}

fn node(node: &LatexNode) -> String {
    match node {
        LatexNode::Text(text) => text.replace('~', " "),
        LatexNode::Group(nodes) => spelled(nodes),
        LatexNode::Math(raw) => formula(raw),
        LatexNode::Environment { body, .. } => spelled(body),
        LatexNode::Command { name, arguments, .. } => command(name, arguments),
    }
}

fn command(name: &str, arguments: &[LatexNodes]) -> String {
    let inner = || arguments.iter().map(|nodes| spelled(nodes)).collect::<String>();
    match name {
        "%" | "&" | "#" | "_" | "$" | "{" | "}" => name.to_owned(),
        " " | "," | ";" | ":" | "\\" | "\n" | "quad" | "qquad" | "newline" => " ".to_owned(),
        "textunderscore" => "_".to_owned(),
        "textbackslash" => "\\".to_owned(),
        "and" => " \\and ".to_owned(),
        "label" | "/" | "-" | "!" => String::new(),
        "ref" | "pageref" | "eqref" | "autoref" => format!("[{name} {}]", first(arguments)),
        "cite" | "citep" | "citet" => format!("[cite {}]", keys(arguments).join(",")),
        _ if is_silent(name) => inner(),
        _ => format!("\\{name}{}", inner()),
    }
}

/// The keys of a citation.
pub(super) fn keys(arguments: &[LatexNodes]) -> Vec<String> {
    first(arguments).split(',').map(|key| key.trim().to_owned()).filter(|key| !key.is_empty()).collect()
}

/// Whether a command changes how things look and not what they say.
pub(super) fn is_silent(name: &str) -> bool {
    matches!(
        name,
        "textbf"
            | "textit"
            | "emph"
            | "texttt"
            | "textrm"
            | "text"
            | "textsc"
            | "mathrm"
            | "underline"
            | "mbox"
            | "centering"
            | "small"
            | "footnotesize"
            | "large"
            | "bfseries"
            | "itshape"
            | "hline"
            | "toprule"
            | "midrule"
            | "bottomrule"
            | "noindent"
            | "raggedright"
            | "par"
            | "protect"
            | "maketitle"
            | "hfill"
            | "newpage"
            | "clearpage"
            | "pagebreak"
            | "bigskip"
            | "medskip"
            | "smallskip"
    )
}
