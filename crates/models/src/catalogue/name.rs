//! Names of models: which of them a name in the catalogue describes.

use std::cmp::Reverse;

/// Whether what is known under this name holds for a model. Without `*` it is that model or a version of it; `*` stands
/// for anything, and then capitals make no difference, since compatible servers write names as they like.
pub(super) fn describes(name: &str, model: &str) -> bool {
    if name.contains('*') {
        return matches(&name.to_lowercase(), &model.to_lowercase());
    }
    model.strip_prefix(name).is_some_and(is_version)
}

/// The most particular names come first: those with the most letters, and of those one that leaves nothing open.
pub(super) fn generality(name: &str) -> (Reverse<usize>, usize) {
    let n_open = name.matches('*').count();
    (Reverse(name.len() - n_open), n_open)
}

fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(head) else { return false };
    text.char_indices().map(|(at, _)| at).chain([text.len()]).any(|at| matches(rest, &text[at..]))
}

/// Whether this, behind a model's name, tells a version of the same model: a date, or the newest.
fn is_version(rest: &str) -> bool {
    let is_date = |rest: &str| rest.chars().take_while(char::is_ascii_digit).count() >= 4;
    rest.is_empty() || rest == "-latest" || rest.strip_prefix('-').is_some_and(is_date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_describes_a_model_its_versions_or_a_family() {
        let cases = [
            ("chat/a", "chat/a", true),
            ("chat/a", "chat/a-latest", true),
            ("chat/a", "chat/a-20260205", true),
            ("chat/a", "chat/a-5", false),
            ("chat/a", "chat/A", false),
            ("chat/qwen*", "chat/qwen3", true),
            ("chat/*qwen3-vl*", "chat/Qwen/Qwen3-VL-8B-Instruct", true),
            ("chat/*qwen3-vl*", "chat/qwen3", false),
            ("chat/*qwen3-vl*", "openai/qwen3-vl", false),
            ("chat/*doubao*ui-tars*", "chat/doubao-1-5-ui-tars-250428", true),
            ("chat/*doubao*ui-tars*", "chat/ui-tars-doubao", false),
            ("chat/*-mini", "chat/gpt-mini", true),
            ("chat/*-mini", "chat/gpt-mini-2", false),
        ];
        for (name, model, is_so) in cases {
            assert_eq!(describes(name, model), is_so, "{name} {model}");
        }
    }
}
