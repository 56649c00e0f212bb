//! How the providers' computer tools spell keys.

/// As the X window system does, for Anthropic: `ctrl+Return`.
pub(super) fn of_x(keys: &[String]) -> String {
    let name = |key: &String| match key.as_str() {
        "Enter" => "Return".to_owned(),
        "Backspace" => "BackSpace".to_owned(),
        "PageUp" => "Page_Up".to_owned(),
        "PageDown" => "Page_Down".to_owned(),
        "CapsLock" => "Caps_Lock".to_owned(),
        "ContextMenu" => "Menu".to_owned(),
        "meta" => "super".to_owned(),
        " " => "space".to_owned(),
        "+" => "plus".to_owned(),
        other => other.strip_prefix("Arrow").unwrap_or(other).to_owned(),
    };
    keys.iter().map(name).collect::<Vec<_>>().join("+")
}

/// In capitals, for `OpenAI`; a character is itself.
pub(super) fn in_capitals(keys: &[String]) -> Vec<String> {
    let name = |key: &String| match key.as_str() {
        " " => "SPACE".to_owned(),
        one if one.chars().count() == 1 => one.to_owned(),
        named => named.to_ascii_uppercase(),
    };
    keys.iter().map(name).collect()
}

/// Joined, for Google: `control+a`.
pub(super) fn joined(keys: &[String]) -> String {
    let name = |key: &String| match key.as_str() {
        "ctrl" => "control".to_owned(),
        " " => "space".to_owned(),
        "+" => "plus".to_owned(),
        one if one.chars().count() == 1 => one.to_owned(),
        named => named.to_ascii_lowercase(),
    };
    keys.iter().map(name).collect::<Vec<_>>().join("+")
}
