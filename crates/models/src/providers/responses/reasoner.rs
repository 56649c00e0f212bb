//! What is known of an OpenAI model by its name, wherever it is: `o3`, `openai/gpt-6-sol` at a router,
//! `us.openai.gpt-5.6-sol` on Bedrock, `team-gpt-5.4` as somebody called it on Azure.

use quintain_core::agent::Effort;

/// The most tokens that an answer of any of them may have, reasoning included.
pub(in crate::providers) const MOST_OUTPUT: u32 = 100_000;

/// Whether it reasons: `o3`, `gpt-5.4`, `gpt-6-sol`, but neither `gpt-4.1` nor `gpt-5-chat-latest`.
pub(in crate::providers) fn is(name: &str) -> bool {
    let name = bare(name);
    is_numbered(name) || generation(name).is_some_and(|generation| generation >= 5 && !name.contains("chat"))
}

/// Whether it is known not to reason, so that it refuses to be told how hard to.
pub(in crate::providers) fn is_not(name: &str) -> bool {
    generation(bare(name)).is_some() && !is(name)
}

/// What an effort is called. The least that a model can do is named differently from line to line, and some have no little
/// effort at all.
pub(in crate::providers) fn effort(name: &str, effort: Effort) -> &'static str {
    let name = bare(name);
    let is_line = |line: &str| name == line || name.starts_with(&format!("{line}-"));
    match effort {
        _ if is_line("gpt-5-pro") => "high",
        Effort::None | Effort::Low if is_line("gpt-5.5-pro") => "medium",
        Effort::None if is_numbered(name) || is_line("gpt-6-astra") || is_line("gpt-6.1-sol") => "low",
        Effort::None if name.split('-').any(|part| part == "pro" || part == "codex") => "low",
        Effort::None if is_line("gpt-5") => "minimal",
        Effort::None => "none",
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
    }
}

/// Whether it is one of the line before: `o3`, `o4-mini`.
fn is_numbered(name: &str) -> bool {
    name.strip_prefix('o').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
}

/// The generation of a GPT: 5 for `gpt-5.4`. There is none in `gpt-oss-120b`.
fn generation(name: &str) -> Option<u32> {
    let digits: String = name.strip_prefix("gpt-")?.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The name without what resellers and teams put before it.
fn bare(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    let begins = |at: &usize| !name[..*at].ends_with(|letter: char| letter.is_ascii_alphanumeric());
    let gpt = name.match_indices("gpt-").map(|(at, _)| at).find(begins);
    let own = gpt.or_else(|| name.find("openai.").map(|at| at + "openai.".len()));
    own.map_or(name, |at| &name[at..])
}
