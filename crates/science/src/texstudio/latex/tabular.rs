//! Tables as cells.

use super::plain::plain;
use super::{LatexNode, LatexNodes};

/// How often a part of a column format is repeated at most.
const MOST_REPEATS: usize = 20;

/// The cells of a tabular, row by row; rules are no rows.
pub(super) fn rows(body: &[LatexNode]) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<LatexNodes>> = vec![vec![Vec::new()]];
    for node in body {
        match node {
            LatexNode::Text(text) => {
                for (idx, piece) in text.split('&').enumerate() {
                    if idx > 0 {
                        last(&mut rows).push(Vec::new());
                    }
                    cell(&mut rows).push(LatexNode::Text(piece.to_owned()));
                }
            }
            LatexNode::Command { name, .. } if name == "\\" || name == "tabularnewline" => rows.push(vec![Vec::new()]),
            LatexNode::Command { name, .. } if is_rule(name) => {}
            LatexNode::Command { name, arguments, .. } if name == "multicolumn" => {
                cell(&mut rows).extend(arguments.get(2).cloned().unwrap_or_default());
            }
            other => cell(&mut rows).push(other.clone()),
        }
    }
    let rows = rows.iter().map(|row| row.iter().map(|cell| plain(cell)).collect::<Vec<String>>());
    rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect()
}

fn last(rows: &mut [Vec<LatexNodes>]) -> &mut Vec<LatexNodes> {
    rows.last_mut().expect("there is a row from the start")
}

fn cell(rows: &mut [Vec<LatexNodes>]) -> &mut LatexNodes {
    last(rows).last_mut().expect("every row begins with a cell")
}

fn is_rule(name: &str) -> bool {
    matches!(name, "hline" | "cline" | "toprule" | "midrule" | "bottomrule" | "centering")
}

/// How the columns are aligned, one letter each: `lrr`. Lines and spaces between them do not count.
pub(super) fn columns(format: &str) -> String {
    let mut letters = String::new();
    let mut rest = format;
    while let Some(next) = rest.chars().next() {
        rest = &rest[next.len_utf8()..];
        match next {
            'l' | 'c' | 'r' => letters.push(next),
            'p' | 'm' | 'b' | 'X' => {
                letters.push('p');
                rest = group(rest).1;
            }
            '@' | '!' | '>' | '<' => rest = group(rest).1,
            '*' => {
                let (count, after) = group(rest);
                let (repeated, after) = group(after);
                let count = count.trim().parse::<usize>().unwrap_or(0).min(MOST_REPEATS);
                // Only plain letters are repeated: what is repeated within has no place in a paper.
                let plain: String = repeated.chars().filter(|letter| "lcr".contains(*letter)).collect();
                letters.push_str(&plain.repeat(count));
                rest = after;
            }
            _ => {}
        }
    }
    letters
}

/// What is in the braces that begin a text, and what follows them.
fn group(text: &str) -> (&str, &str) {
    let Some(inside) = text.trim_start().strip_prefix('{') else { return ("", text) };
    let mut n_open = 1_usize;
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => n_open += 1,
            '}' => n_open -= 1,
            _ => {}
        }
        if n_open == 0 {
            return (&inside[..at], &inside[at + 1..]);
        }
    }
    (inside, "")
}
