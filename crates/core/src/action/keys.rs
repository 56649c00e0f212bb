//! The names of keys: one spelling each, and the other spellings that are read as it.
//!
//! Modifiers are `ctrl`, `shift`, `alt` and `meta`; named keys are `Enter`, `Tab`, `Escape`, `Backspace`, `Delete`,
//! `Insert`, `Home`, `End`, `PageUp`, `PageDown`, `ArrowLeft`, `ArrowRight`, `ArrowUp`, `ArrowDown`, `CapsLock`,
//! `ContextMenu` and `F1` to `F12`; every other key is the one character it writes, the space bar being ` `.

/// The keys that change what other keys do.
pub const MODIFIERS: [&str; 4] = ["ctrl", "shift", "alt", "meta"];

/// The keys that have a name, and what else they are called, in lower case without `_`, `-` and spaces.
const NAMED: [(&str, &[&str]); 21] = [
    ("ctrl", &["ctrl", "ctl", "control", "controll", "controlr", "ctrll", "ctrlr", "ctrlleft", "controlormeta"]),
    ("shift", &["shift", "shiftl", "shiftr", "shiftleft", "shiftright"]),
    ("alt", &["alt", "altl", "altr", "altleft", "altright", "option", "isolevel3shift"]),
    ("meta", &["meta", "cmd", "command", "super", "superl", "superr", "metal", "metar", "win", "winleft", "windows"]),
    ("Enter", &["enter", "return", "kpenter", "numpadenter", "linefeed"]),
    ("Tab", &["tab"]),
    ("Escape", &["escape", "esc"]),
    ("Backspace", &["backspace", "bksp"]),
    ("Delete", &["delete", "del", "kpdelete"]),
    ("Insert", &["insert", "ins"]),
    ("Home", &["home"]),
    ("End", &["end"]),
    ("PageUp", &["pageup", "pgup", "prior"]),
    ("PageDown", &["pagedown", "pgdn", "pgdown", "next"]),
    ("ArrowLeft", &["arrowleft", "left", "leftarrow"]),
    ("ArrowRight", &["arrowright", "right", "rightarrow"]),
    ("ArrowUp", &["arrowup", "up", "uparrow"]),
    ("ArrowDown", &["arrowdown", "down", "downarrow"]),
    ("CapsLock", &["capslock"]),
    ("ContextMenu", &["contextmenu", "menu", "apps"]),
    (" ", &["space", "spacebar"]),
];

/// The characters that X names by words.
const WORDS: [(&str, &str); 32] = [
    ("plus", "+"),
    ("minus", "-"),
    ("equal", "="),
    ("comma", ","),
    ("period", "."),
    ("slash", "/"),
    ("backslash", "\\"),
    ("semicolon", ";"),
    ("colon", ":"),
    ("apostrophe", "'"),
    ("quotedbl", "\""),
    ("grave", "`"),
    ("asciitilde", "~"),
    ("bracketleft", "["),
    ("bracketright", "]"),
    ("braceleft", "{"),
    ("braceright", "}"),
    ("parenleft", "("),
    ("parenright", ")"),
    ("underscore", "_"),
    ("asterisk", "*"),
    ("exclam", "!"),
    ("at", "@"),
    ("numbersign", "#"),
    ("dollar", "$"),
    ("percent", "%"),
    ("asciicircum", "^"),
    ("ampersand", "&"),
    ("bar", "|"),
    ("less", "<"),
    ("greater", ">"),
    ("question", "?"),
];

/// The one spelling of a key, whatever it was called; nothing where there is no such key.
pub fn canonical(name: &str) -> Option<String> {
    let mut chars = name.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return match only {
            '\n' | '\r' => Some("Enter".to_owned()),
            '\t' => Some("Tab".to_owned()),
            other => (!other.is_control()).then(|| other.to_string()),
        };
    }
    let folded: String =
        name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect();
    let named = NAMED.iter().find(|(_, names)| names.contains(&folded.as_str())).map(|(key, _)| *key);
    let word = || WORDS.iter().find(|(word, _)| *word == folded).map(|(_, key)| *key);
    named.or_else(word).map(str::to_owned).or_else(|| function_key(&folded))
}

fn function_key(folded: &str) -> Option<String> {
    let number: u8 = folded.strip_prefix('f')?.parse().ok()?;
    (1..=12).contains(&number).then(|| format!("F{number}"))
}

/// The keys of a chord such as `ctrl+shift+a`, each in its one spelling; the name that is none in the error.
pub fn chord(text: &str) -> Result<Vec<String>, String> {
    let text = if text.trim().is_empty() { text } else { text.trim() };
    if let Some(key) = canonical(text) {
        return Ok(vec![key]);
    }
    // In `ctrl++` the last plus is a key.
    let (text, plus) = text.strip_suffix("++").map_or((text, None), |rest| (rest, Some("+")));
    spell(text.split('+').chain(plus))
}

/// The one spelling of each key that is pressed together; the name that is none in the error. With a modifier held a
/// letter is its key, so `ctrl+A` is `ctrl+a`.
pub fn spell<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Vec<String>, String> {
    let keys: Result<Vec<String>, String> =
        names.into_iter().map(|name| canonical(name).ok_or_else(|| name.to_owned())).collect();
    let mut keys = keys?;
    if keys.iter().any(|key| MODIFIERS.contains(&key.as_str())) {
        keys.iter_mut().filter(|key| key.len() == 1).for_each(|key| key.make_ascii_lowercase());
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_spelling() {
        let read = |text: &str| chord(text).map_or_else(|name| format!("? {name}"), |keys| keys.join(" "));
        insta::assert_snapshot!(
            ["Return", "ctrl+A", "Control_L+c", "CMD+shift+z", "KP_Enter", "page down", "Prior", "left", "ctrl++",
             "+", "a", "A", "é", "F12", "f13", "ControlOrMeta", "plus", "space", "Super_L", "alt+F4", "hyper+x", ""]
                .map(|text| format!("{text} -> {}", read(text))).join("\n"),
            @r"
        Return -> Enter
        ctrl+A -> ctrl a
        Control_L+c -> ctrl c
        CMD+shift+z -> meta shift z
        KP_Enter -> Enter
        page down -> PageDown
        Prior -> PageUp
        left -> ArrowLeft
        ctrl++ -> ctrl +
        + -> +
        a -> a
        A -> A
        é -> é
        F12 -> F12
        f13 -> ? f13
        ControlOrMeta -> ctrl
        plus -> +
        space ->  
        Super_L -> meta
        alt+F4 -> alt F4
        hyper+x -> ? hyper
         -> ? 
        "
        );
    }

    #[test]
    fn the_one_spelling_reads_as_itself() {
        for (key, _) in NAMED {
            assert_eq!(canonical(key).as_deref(), Some(key));
        }
    }
}
