//! What of a source is typeset: without comments, and without what is shown as it stands.

/// Environments whose body is no LaTeX, or is left out.
const RAW: [&str; 4] = ["verbatim", "verbatim*", "lstlisting", "comment"];

/// A source without its comments, its verbatim paragraphs and what is switched off. What is verbatim in a line stands there as
/// LaTeX that prints the same.
pub(in super::super) fn cleaned(source: &str) -> String {
    let source = source.replace("\r\n", "\n");
    let mut kept = String::new();
    let mut rest = source.as_str();
    while let Some(next) = rest.chars().next() {
        if let Some((shown, after)) = shown_verbatim(rest) {
            kept.push_str(&escaped(shown));
            rest = after;
            continue;
        }
        if let Some(after) = after_raw(rest) {
            // Two ends of lines around it are no blank line.
            rest = if kept.ends_with('\n') { after.strip_prefix('\n').unwrap_or(after) } else { after };
            continue;
        }
        let n_bytes = match next {
            '%' => {
                rest = after_comment(rest);
                continue;
            }
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            other => other.len_utf8(),
        };
        kept.push_str(&rest[..n_bytes]);
        rest = &rest[n_bytes..];
    }
    kept
}

/// A comment takes the end of its line and the blanks before the next with it.
fn after_comment(rest: &str) -> &str {
    rest.split_once('\n').map_or("", |(_, after)| after.trim_start_matches([' ', '\t']))
}

/// What comes after something that is left out as a whole, if that is what begins here.
fn after_raw(rest: &str) -> Option<&str> {
    if let Some(after) = rest.strip_prefix("\\iffalse") {
        return Some(after.split_once("\\fi").map_or("", |(_, after)| after));
    }
    if let Some(after) = rest.strip_prefix("\\endinput") {
        return Some(&after[after.len()..]);
    }
    let after = rest.strip_prefix("\\begin{")?;
    let name = RAW.iter().find(|name| after.starts_with(&format!("{name}}}")))?;
    let end = format!("\\end{{{name}}}");
    Some(after.split_once(end.as_str()).map_or("", |(_, after)| after))
}

/// What is shown in a line as it stands, and what comes after it, if that is what begins here.
fn shown_verbatim(rest: &str) -> Option<(&str, &str)> {
    let after = rest.strip_prefix("\\verb")?;
    let after = after.strip_prefix('*').unwrap_or(after);
    let mark = after.chars().next().filter(|mark| !mark.is_alphanumeric() && !mark.is_whitespace())?;
    after[mark.len_utf8()..].split_once(mark)
}

fn escaped(shown: &str) -> String {
    let letter = |letter: char| match letter {
        '\\' => "\\textbackslash{}".to_owned(),
        '%' | '&' | '#' | '_' | '$' | '{' | '}' => format!("\\{letter}"),
        other => other.to_string(),
    };
    shown.chars().map(letter).collect()
}
