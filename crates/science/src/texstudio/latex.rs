//! A small reader of LaTeX: what a source says, as far as judges look at it. It knows no macros but those that papers of
//! tasks are written with; whatever else there is, it keeps as it stands.

mod cleaned;
mod outline;
mod plain;
mod tabular;

pub(super) use cleaned::cleaned;
pub(super) use outline::outline;

/// How deep things may lie in one another: whoever nests deeper is not read further.
const DEEPEST: usize = 60;

/// What follows one another in a source.
pub(super) type LatexNodes = Vec<LatexNode>;

/// One thing in a source.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LatexNode {
    Text(String),
    Group(LatexNodes),
    /// A formula in a line, without its marks.
    Math(String),
    /// A star is part of the name.
    Command {
        name: String,
        option: Option<String>,
        arguments: Vec<LatexNodes>,
    },
    Environment {
        name: String,
        option: Option<String>,
        arguments: Vec<String>,
        body: LatexNodes,
    },
}

/// The outline of a source that takes in no other file, as a document.
pub(super) fn outlined(source: &str) -> serde_json::Value {
    outline(&read(&cleaned(source)))
}

/// Reads a source from which comments were taken out.
pub(super) fn read(source: &str) -> LatexNodes {
    LatexReader { chars: source.chars().collect(), at: 0, depth: 0 }.nodes(Until::End)
}

#[derive(Clone, Copy, PartialEq)]
enum Until {
    End,
    Brace,
    Environment,
}

struct LatexReader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl LatexReader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek();
        self.at += usize::from(found.is_some());
        found
    }

    fn nodes(&mut self, until: Until) -> LatexNodes {
        self.depth += 1;
        let mut nodes = Vec::new();
        let mut text = String::new();
        while let Some(next) = self.next() {
            let node = match next {
                '}' if until == Until::Brace => break,
                '}' => continue,
                '{' if self.depth < DEEPEST => LatexNode::Group(self.nodes(Until::Brace)),
                '$' => {
                    let mark = if self.peek() == Some('$') { "$$" } else { "$" };
                    self.at += mark.len() - 1;
                    LatexNode::Math(self.raw_until(mark))
                }
                '\\' => match self.command(until) {
                    Some(node) => node,
                    None => break,
                },
                other => {
                    text.push(other);
                    continue;
                }
            };
            if !text.is_empty() {
                nodes.push(LatexNode::Text(std::mem::take(&mut text)));
            }
            nodes.push(node);
        }
        if !text.is_empty() {
            nodes.push(LatexNode::Text(text));
        }
        self.depth -= 1;
        nodes
    }

    /// What a backslash begins; nothing where it ends the environment that is being read.
    fn command(&mut self, until: Until) -> Option<LatexNode> {
        let name = self.name();
        match name.as_str() {
            "(" => Some(LatexNode::Math(self.raw_until("\\)"))),
            "[" => Some(self.displayed("displaymath", "\\]")),
            "begin" if self.depth < DEEPEST => {
                let name = self.raw_group();
                Some(self.environment(name))
            }
            "end" => {
                self.raw_group();
                if until == Until::Environment { None } else { Some(LatexNode::Text(String::new())) }
            }
            _ => Some(self.with_arguments(name)),
        }
    }

    fn name(&mut self) -> String {
        let Some(first) = self.next() else { return String::new() };
        let mut name = String::from(first);
        if first.is_ascii_alphabetic() {
            while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
                name.push(letter);
                self.at += 1;
            }
            if self.peek() == Some('*') {
                name.push('*');
                self.at += 1;
            }
        }
        name
    }

    fn with_arguments(&mut self, name: String) -> LatexNode {
        let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic());
        let most = match n_arguments(&name) {
            Some(n) => n,
            None if is_word => usize::MAX,
            None => 0,
        };
        if n_arguments(&name).is_some() {
            self.skip_blanks();
        }
        let option = if is_word || name == "\\" { self.option() } else { None };
        let mut arguments = Vec::new();
        while arguments.len() < most && self.depth < DEEPEST {
            if n_arguments(&name).is_some() {
                self.skip_blanks();
            }
            if self.peek() != Some('{') {
                break;
            }
            self.at += 1;
            arguments.push(self.nodes(Until::Brace));
        }
        LatexNode::Command { name, option, arguments }
    }

    fn environment(&mut self, name: String) -> LatexNode {
        if let "equation" | "equation*" | "displaymath" | "align" | "align*" | "math" = name.as_str() {
            let end = format!("\\end{{{name}}}");
            return self.displayed(&name, &end);
        }
        let option = self.option();
        let n_arguments = match name.as_str() {
            "tabular" | "array" | "longtable" | "minipage" | "thebibliography" => 1,
            "tabular*" | "tabularx" => 2,
            _ => 0,
        };
        let mut arguments = Vec::new();
        while arguments.len() < n_arguments && self.peek() == Some('{') {
            arguments.push(self.raw_group());
        }
        let body = self.nodes(Until::Environment);
        LatexNode::Environment { name, option, arguments, body }
    }

    /// A formula that stands by itself: its body is one text, with its labels taken out as commands.
    fn displayed(&mut self, name: &str, end: &str) -> LatexNode {
        let raw = self.raw_until(end);
        let mut body = Vec::new();
        let mut formula = String::new();
        let mut rest = raw.as_str();
        while let Some((before, after)) = rest.split_once("\\label{") {
            let (label, after) = after.split_once('}').unwrap_or((after, ""));
            formula.push_str(before);
            let argument = vec![LatexNode::Text(label.to_owned())];
            body.push(LatexNode::Command { name: "label".to_owned(), option: None, arguments: vec![argument] });
            rest = after;
        }
        formula.push_str(rest);
        body.push(LatexNode::Math(formula));
        LatexNode::Environment { name: name.to_owned(), option: None, arguments: Vec::new(), body }
    }

    /// What is in brackets, if they follow at once.
    fn option(&mut self) -> Option<String> {
        if self.peek() != Some('[') {
            return None;
        }
        self.at += 1;
        Some(self.raw_until("]"))
    }

    /// What is in braces, as it stands.
    fn raw_group(&mut self) -> String {
        self.skip_blanks();
        if self.peek() != Some('{') {
            return String::new();
        }
        self.at += 1;
        self.raw_until("}")
    }

    /// Everything up to an end that is in no braces of its own, and past it.
    fn raw_until(&mut self, end: &str) -> String {
        let end: Vec<char> = end.chars().collect();
        let mut raw = String::new();
        let mut n_open = 0_usize;
        while let Some(next) = self.peek() {
            if n_open == 0 && self.chars[self.at..].starts_with(&end) {
                self.at += end.len();
                break;
            }
            self.at += 1;
            raw.push(next);
            match next {
                '\\' => raw.extend(self.next()),
                '{' => n_open += 1,
                '}' => n_open = n_open.saturating_sub(1),
                _ => {}
            }
        }
        raw
    }

    /// Skips blanks and one end of a line, if an argument follows them.
    fn skip_blanks(&mut self) {
        let rest = &self.chars[self.at..];
        let n_blanks = rest.iter().take_while(|next| next.is_whitespace()).count();
        let n_lines = rest[..n_blanks].iter().filter(|blank| **blank == '\n').count();
        if n_lines < 2 && matches!(rest.get(n_blanks), Some('{' | '[')) {
            self.at += n_blanks;
        }
    }
}

/// How many arguments a command takes, where it is known. Others take those that follow at once.
fn n_arguments(name: &str) -> Option<usize> {
    Some(match name.trim_end_matches('*') {
        "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph" | "caption" | "label" | "ref"
        | "pageref" | "eqref" | "autoref" | "cite" | "citep" | "citet" | "nocite" | "includegraphics" | "input"
        | "include" | "title" | "author" | "date" | "textbf" | "textit" | "emph" | "texttt" | "textrm" | "text"
        | "footnote" | "url" | "documentclass" | "usepackage" | "bibliography" | "bibliographystyle" | "cline" => 1,
        "href" => 2,
        "multicolumn" => 3,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
