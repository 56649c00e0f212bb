//! What a model of Google's can do by its name: the functions that come with its computer, and how little it can think.
//!
//! `google-gemini/computer-use-preview`, `agent.py`: three models have the older functions, `gemini-3.5-flash` and later
//! ones the newer. litellm's table, `supports_minimal_reasoning_effort`: not from Gemini 3.7 on.

/// The models that have the older functions.
const OLDER_MODELS: [&str; 3] =
    ["gemini-2.5-computer-use-preview-10-2025", "gemini-3-flash-preview", "gemini-3.1-pro-preview"];
const OLDER: [&str; 13] = [
    "open_web_browser",
    "wait_5_seconds",
    "go_back",
    "go_forward",
    "search",
    "navigate",
    "click_at",
    "hover_at",
    "type_text_at",
    "key_combination",
    "scroll_document",
    "scroll_at",
    "drag_and_drop",
];
const NEWER: [&str; 20] = [
    "click",
    "double_click",
    "triple_click",
    "middle_click",
    "right_click",
    "mouse_down",
    "mouse_up",
    "move",
    "type",
    "drag_and_drop",
    "wait",
    "press_key",
    "key_down",
    "key_up",
    "hotkey",
    "take_screenshot",
    "scroll",
    "go_back",
    "navigate",
    "go_forward",
];

/// The functions that come with the computer of a model; nothing where it has no computer. The simulator's own models
/// have the older ones.
pub(crate) fn predefined(model: &str) -> Option<&'static [&'static str]> {
    match version(model) {
        _ if !model.starts_with("gemini") || OLDER_MODELS.contains(&model) => Some(&OLDER),
        Some(version) if version < (3, 5) => None,
        _ => Some(&NEWER),
    }
}

/// Whether a model can be told to think as little as `minimal` says.
pub(super) fn thinks_minimally(model: &str) -> bool {
    let is_newest = |version| version >= (3, 7);
    !model.starts_with("gemini") || !(model.contains("pro") || version(model).is_none_or(is_newest))
}

fn version(model: &str) -> Option<(u32, u32)> {
    model.split('-').find_map(|part| {
        let (major, minor) = part.split_once('.').unwrap_or((part, "0"));
        Some((major.parse().ok()?, minor.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_tells_what_it_can_do() {
        let told = |model: &str| {
            let clicks = predefined(model).map(|names| names.contains(&"click_at"));
            let computer = match clicks {
                Some(true) => "older functions",
                Some(false) => "newer functions",
                None => "no computer",
            };
            format!("{model}: {computer}, {}", if thinks_minimally(model) { "minimal" } else { "low" })
        };
        let models = [
            "sim-1",
            "gemini-2.5-pro",
            "gemini-2.5-computer-use-preview-10-2025",
            "gemini-3-flash-preview",
            "gemini-3.1-pro-preview",
            "gemini-3.5-flash",
            "gemini-3.8-flash",
            "gemini-4-argon",
            "gemini-flash-latest",
        ];
        insta::assert_snapshot!(models.map(told).join("\n"), @r"
        sim-1: older functions, minimal
        gemini-2.5-pro: no computer, low
        gemini-2.5-computer-use-preview-10-2025: older functions, minimal
        gemini-3-flash-preview: older functions, minimal
        gemini-3.1-pro-preview: older functions, low
        gemini-3.5-flash: newer functions, minimal
        gemini-3.8-flash: newer functions, low
        gemini-4-argon: newer functions, low
        gemini-flash-latest: newer functions, low
        ");
    }
}
