//! An answer to whoever asks for words: the first and the last lines of what was said, as they were.

use crate::asked::ReadRequest;

const N_FIRST: usize = 4;
const N_LAST: usize = 12;
const N_CHARS: usize = 160;

/// A summary that holds nothing but what the request says.
pub(super) fn of(asked: &ReadRequest) -> String {
    let words = asked.last_words();
    let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let n_first = lines.len().min(N_FIRST);
    let last = lines.len().saturating_sub(N_LAST).max(n_first);
    let left_out = (last > n_first).then(|| format!("({} lines are left out.)", last - n_first));
    let line = |line: &&str| format!("- {}", line.chars().take(N_CHARS).collect::<String>());
    let first = lines[..n_first].iter().map(line);
    let told: Vec<String> = first.chain(left_out).chain(lines[last..].iter().map(line)).collect();
    let told = if told.is_empty() { "- nothing".to_owned() } else { told.join("\n") };
    clip(&format!("What was said:\n{told}"), asked.max_output)
}

/// At four characters a token.
fn clip(text: &str, max_output: u64) -> String {
    let n_chars = usize::try_from(max_output.saturating_mul(4)).unwrap_or(usize::MAX);
    text.chars().take(n_chars).collect()
}
