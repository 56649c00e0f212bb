//! Keys as the browser wants them: name, place on the keyboard, number, and the text they write.

use serde_json::{Value, json};

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyboardKey {
    name: String,
    code: String,
    number: u32,
    text: Option<String>,
    /// Whether a person would hold shift for it.
    is_shifted: bool,
}

/// The keys that are held while others are pressed, as the browser counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modifiers(u32);

impl Modifiers {
    const SHIFT: u32 = 8;

    /// What holding a key changes; nothing for ordinary keys.
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name {
            "alt" => Some(Self(1)),
            "ctrl" => Some(Self(2)),
            "meta" => Some(Self(4)),
            "shift" => Some(Self(Self::SHIFT)),
            _ => None,
        }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Whether a key pressed now writes nothing.
    fn silences(self) -> bool {
        self.0 & !Self::SHIFT != 0
    }
}

/// Keys with names: canonical name, key, place, number, text.
const NAMED: [(&str, &str, &str, u32, Option<&str>); 20] = [
    ("ctrl", "Control", "ControlLeft", 17, None),
    ("shift", "Shift", "ShiftLeft", 16, None),
    ("alt", "Alt", "AltLeft", 18, None),
    ("meta", "Meta", "MetaLeft", 91, None),
    ("Enter", "Enter", "Enter", 13, Some("\r")),
    ("Tab", "Tab", "Tab", 9, None),
    ("Escape", "Escape", "Escape", 27, None),
    ("Backspace", "Backspace", "Backspace", 8, None),
    ("Delete", "Delete", "Delete", 46, None),
    ("Insert", "Insert", "Insert", 45, None),
    ("Home", "Home", "Home", 36, None),
    ("End", "End", "End", 35, None),
    ("PageUp", "PageUp", "PageUp", 33, None),
    ("PageDown", "PageDown", "PageDown", 34, None),
    ("ArrowLeft", "ArrowLeft", "ArrowLeft", 37, None),
    ("ArrowRight", "ArrowRight", "ArrowRight", 39, None),
    ("ArrowUp", "ArrowUp", "ArrowUp", 38, None),
    ("ArrowDown", "ArrowDown", "ArrowDown", 40, None),
    ("CapsLock", "CapsLock", "CapsLock", 20, None),
    ("ContextMenu", "ContextMenu", "ContextMenu", 93, None),
];

/// The other keys of a US keyboard: plain and shifted character, place, number.
const SIGNS: [(char, char, &str, u32); 22] = [
    ('`', '~', "Backquote", 192),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    (' ', ' ', "Space", 32),
];

impl KeyboardKey {
    /// The key of a canonical name: a named key, a function key, or one character.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if let Some((_, key, code, number, text)) = NAMED.iter().find(|entry| entry.0 == name) {
            return Some(Self::new(key, code, *number, text.map(str::to_owned)));
        }
        if let Some(number) = name.strip_prefix('F').and_then(|digits| digits.parse::<u32>().ok()) {
            return (1..=12).contains(&number).then(|| Self::new(name, name, 111 + number, None));
        }
        let mut chars = name.chars();
        let only = chars.next().filter(|_| chars.next().is_none())?;
        Self::writing(only).or_else(|| Some(Self::new(name, "", 0, Some(name.to_owned()))))
    }

    /// The key that writes a character, where a US keyboard has one.
    pub(crate) fn writing(character: char) -> Option<Self> {
        let text = Some(character.to_string());
        if character.is_ascii_alphabetic() {
            let upper = character.to_ascii_uppercase();
            let key = Self::new(&character.to_string(), &format!("Key{upper}"), upper.into(), text);
            return Some(Self { is_shifted: character == upper, ..key });
        }
        match character {
            '\n' => return Self::named("Enter"),
            '\t' => return Self::named("Tab"),
            _ => {}
        }
        let (_, shifted, code, number) =
            SIGNS.iter().find(|(plain, shifted, ..)| [*plain, *shifted].contains(&character))?;
        let key = Self::new(&character.to_string(), code, *number, text);
        Some(Self { is_shifted: *shifted == character && character != ' ', ..key })
    }

    fn new(key: &str, code: &str, number: u32, text: Option<String>) -> Self {
        Self { name: key.to_owned(), code: code.to_owned(), number, text, is_shifted: false }
    }

    /// The same key with shift held, where that writes something else.
    fn shifted(&self) -> Self {
        let mut chars = self.name.chars();
        let (Some(only), None) = (chars.next(), chars.next()) else { return self.clone() };
        let sign = || SIGNS.iter().find(|(plain, ..)| *plain == only).map(|(_, shifted, ..)| *shifted);
        let upper = only.is_ascii_lowercase().then(|| only.to_ascii_uppercase());
        upper.or_else(sign).and_then(Self::writing).unwrap_or_else(|| self.clone())
    }

    /// The event of pushing it down.
    pub(crate) fn down(&self, held: Modifiers) -> Value {
        let is_shift_held = held.bits() & Modifiers::SHIFT != 0;
        let key = if is_shift_held { self.shifted() } else { self.clone() };
        let mut event = key.event(held, "rawKeyDown");
        if let Some(text) = key.text.as_deref().filter(|_| !held.silences()) {
            event["type"] = "keyDown".into();
            event["text"] = text.into();
            event["unmodifiedText"] = text.into();
        }
        event
    }

    /// The event of letting it go.
    pub(crate) fn up(&self, held: Modifiers) -> Value {
        self.event(held, "keyUp")
    }

    fn event(&self, held: Modifiers, kind: &str) -> Value {
        let shift = if self.is_shifted { Modifiers::SHIFT } else { 0 };
        json!({
            "type": kind, "key": self.name, "code": self.code, "windowsVirtualKeyCode": self.number,
            "nativeVirtualKeyCode": self.number, "modifiers": held.bits() | shift,
        })
    }
}

/// Keys that belong to a browser rather than to a page: what they would do, where they would do anything.
pub(crate) fn browser_shortcut(keys: &[String]) -> Option<&'static str> {
    let mut sorted: Vec<String> = keys.iter().map(|key| key.to_lowercase()).collect();
    sorted.sort();
    let chord: Vec<&str> = sorted.iter().map(String::as_str).collect();
    match chord.as_slice() {
        ["f12"] | ["ctrl", "i" | "j", "shift"] | ["c", "ctrl", "shift"] => Some("developer tools"),
        ["ctrl", "u"] => Some("the source of the page"),
        ["f5"] | ["ctrl", "r" | "f5"] | ["ctrl", "r", "shift"] => Some("loading the page again"),
        ["ctrl", "t" | "n" | "w"] | ["ctrl", "n" | "t" | "w", "shift"] => Some("tabs and windows"),
        ["ctrl", "l" | "o" | "p" | "s"] | ["f11" | "f1"] => Some("the browser's own commands"),
        ["alt", "arrowleft" | "arrowright"] => Some("the history"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(text: &str) -> Vec<String> {
        quintain_core::action::keys::chord(text).expect("keys")
    }

    #[test]
    fn characters_have_their_keys() {
        let told = ["a", "A", "5", "%", " ", "Enter", "F3", "ArrowUp", "é"].map(|name| {
            let key = KeyboardKey::named(name).expect("a key");
            let down = key.down(Modifiers::default());
            format!(
                "{name}: {} {} {} {} {}",
                down["type"], down["code"], down["windowsVirtualKeyCode"], down["modifiers"], down["text"]
            )
        });
        insta::assert_snapshot!(told.join("\n"), @r#"
        a: "keyDown" "KeyA" 65 0 "a"
        A: "keyDown" "KeyA" 65 8 "A"
        5: "keyDown" "Digit5" 53 0 "5"
        %: "keyDown" "Digit5" 53 8 "%"
         : "keyDown" "Space" 32 0 " "
        Enter: "keyDown" "Enter" 13 0 "\r"
        F3: "rawKeyDown" "F3" 114 0 null
        ArrowUp: "rawKeyDown" "ArrowUp" 38 0 null
        é: "keyDown" "" 0 0 "é"
        "#);
    }

    #[test]
    fn every_printable_ascii_character_has_a_key() {
        for character in ' '..='~' {
            let key = KeyboardKey::writing(character).unwrap_or_else(|| panic!("{character}"));
            assert_eq!(key.down(Modifiers::default())["text"], character.to_string());
        }
    }

    #[test]
    fn modifiers_change_what_is_written() {
        let shift = Modifiers::of("shift").expect("a modifier");
        let ctrl = Modifiers::of("ctrl").expect("a modifier");
        let a = KeyboardKey::named("a").expect("a key");
        assert_eq!(a.down(shift)["text"], "A");
        assert_eq!(a.down(ctrl)["text"], Value::Null);
        assert_eq!(KeyboardKey::named("2").expect("a key").down(shift)["text"], "@");
    }

    #[test]
    fn the_browsers_own_keys_are_known() {
        for text in ["F12", "ctrl+shift+i", "ctrl+shift+J", "ctrl+u", "ctrl+r", "ctrl+t", "ctrl+shift+n", "alt+Left"] {
            assert!(browser_shortcut(&chord(text)).is_some(), "{text}");
        }
        for text in ["ctrl+c", "ctrl+a", "ctrl+z", "ctrl+shift+z", "Delete", "i", "shift+i", "F2"] {
            assert!(browser_shortcut(&chord(text)).is_none(), "{text}");
        }
    }
}
