//! What an `OpenAI` model of which name refuses. Names that are none of `OpenAI`'s refuse nothing.

use super::PlacedValue;
use crate::wire::WrongRequest;

/// How hard any model may be asked to think. Source: `ReasoningEffort` of the package `openai` 3.51.0.
pub(in crate::wire) const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// Models that are gone. Source: the deprecations page of the provider, read 2026-11-15.
const RETIRED: [&str; 1] = ["computer-use-preview"];

/// How a model may be asked to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReasoningRule {
    /// Nobody knows the name.
    Unknown,
    /// It does not reason.
    Never,
    /// With one of these efforts.
    With(&'static [&'static str]),
}

/// Refuses a model that is gone.
pub(in crate::wire) fn check_there(model: &str) -> Result<(), WrongRequest> {
    if !RETIRED.iter().any(|gone| bare(model).starts_with(gone)) {
        return Ok(());
    }
    let message = format!("The model `{model}` does not exist or you do not have access to it.");
    Err(WrongRequest { status: 404, message })
}

/// Reads an effort, which has to be one that the model has. The words are those of openai/codex issue 6647.
pub(in crate::wire) fn effort<'a>(at: &PlacedValue<'a>, model: &str) -> Result<&'a str, WrongRequest> {
    let effort = at.one_of(EFFORTS)?;
    match rule(bare(model)) {
        ReasoningRule::Never => Err(WrongRequest::request(format!(
            "Unsupported parameter: '{}' is not supported with this model.",
            at.path()
        ))),
        ReasoningRule::With(efforts) if !efforts.contains(&effort) => Err(WrongRequest::request(format!(
            "Unsupported value: '{effort}' is not supported with the '{model}' model. Supported values are: {}.",
            listed(efforts)
        ))),
        _ => Ok(effort),
    }
}

/// Whether the model counts its thoughts among what it may write, and takes the limit only under the name that says so.
pub(in crate::wire) fn reasons(model: &str) -> bool {
    matches!(rule(bare(model)), ReasoningRule::With(_))
}

/// Sources: <https://developers.openai.com/api/docs/guides/reasoning> for the lines, and for those without `none` or `low`
/// the supported efforts in the price table of litellm 1.108.4.
fn rule(name: &str) -> ReasoningRule {
    let is_line = |line: &str| name == line || name.starts_with(&format!("{line}-"));
    let is_small = name.starts_with('o') && name[1..].starts_with(|letter: char| letter.is_ascii_digit());
    let Some(generation) = name.strip_prefix("gpt-").and_then(|rest| rest.chars().next()) else {
        return if is_small { ReasoningRule::With(&["low", "medium", "high"]) } else { ReasoningRule::Unknown };
    };
    if name.contains("chat") || generation < '5' {
        return if generation.is_ascii_digit() { ReasoningRule::Never } else { ReasoningRule::Unknown };
    }
    if !generation.is_ascii_digit() {
        return ReasoningRule::Unknown;
    }
    ReasoningRule::With(match name {
        _ if is_line("gpt-5-pro") => &["high"],
        _ if is_line("gpt-5.5-pro") => &["medium", "high", "xhigh"],
        _ if name.split('-').any(|part| part == "pro" || part == "codex") => &["low", "medium", "high", "xhigh"],
        _ if is_line("gpt-6-astra") || is_line("gpt-6.1-sol") => &["low", "medium", "high", "xhigh", "max"],
        _ if is_line("gpt-5") => &["minimal", "low", "medium", "high"],
        _ => &["none", "low", "medium", "high", "xhigh", "max"],
    })
}

/// The name without what resellers put before it.
fn bare(model: &str) -> &str {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.find("gpt-").map_or(name, |at| &name[at..])
}

fn listed(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{}, and {last}", before.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn efforts_are_those_that_a_model_has() {
        let asked = |model: &str, word: &str| {
            let body = json!({ "effort": word });
            let at = PlacedValue::body(&body).field("effort").unwrap();
            effort(&at, model).map(str::to_owned).map_err(|wrong| wrong.message)
        };
        let names = [
            "gpt-4.1",
            "gpt-5-chat-latest",
            "o3",
            "gpt-5",
            "gpt-5-pro",
            "gpt-5.1-codex",
            "gpt-5.4",
            "gpt-5.5-pro",
            "openai/gpt-6-astra",
            "us.openai.gpt-6.1-sol",
            "gpt-6-luna",
            "gpt-oss-120b",
            "sim-1",
        ];
        let line = |name: &str| {
            let taken: Vec<&str> = EFFORTS.iter().copied().filter(|word| asked(name, word).is_ok()).collect();
            format!("{name}: {} {}", taken.len(), taken.join(" ")).trim_end().to_owned()
        };
        insta::assert_snapshot!(names.map(line).join("\n"), @"
        gpt-4.1: 0
        gpt-5-chat-latest: 0
        o3: 3 low medium high
        gpt-5: 4 minimal low medium high
        gpt-5-pro: 1 high
        gpt-5.1-codex: 4 low medium high xhigh
        gpt-5.4: 6 none low medium high xhigh max
        gpt-5.5-pro: 3 medium high xhigh
        openai/gpt-6-astra: 5 low medium high xhigh max
        us.openai.gpt-6.1-sol: 5 low medium high xhigh max
        gpt-6-luna: 6 none low medium high xhigh max
        gpt-oss-120b: 7 none minimal low medium high xhigh max
        sim-1: 7 none minimal low medium high xhigh max
        ");
        let wrong = [asked("gpt-6.1-sol", "none"), asked("gpt-4.1", "low")].map(Result::unwrap_err);
        insta::assert_snapshot!(wrong.join("\n"), @"
        Unsupported value: 'none' is not supported with the 'gpt-6.1-sol' model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.
        Unsupported parameter: 'effort' is not supported with this model.
        ");
    }

    #[test]
    fn models_that_are_gone_are_not_found() {
        assert_eq!(check_there("gpt-5.4"), Ok(()));
        assert_eq!(check_there("computer-use-preview-2025-03-11").map_err(|wrong| wrong.status), Err(404));
    }
}
