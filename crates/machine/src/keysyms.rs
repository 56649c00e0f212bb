//! Keys as X counts symbols.

/// Keys with names, as actions spell them.
const NAMED: [(&str, u32); 20] = [
    ("ctrl", 0xffe3),
    ("shift", SHIFT),
    ("alt", 0xffe9),
    ("meta", 0xffeb),
    ("Enter", ENTER),
    ("Tab", TAB),
    ("Escape", 0xff1b),
    ("Backspace", 0xff08),
    ("Delete", 0xffff),
    ("Insert", 0xff63),
    ("Home", 0xff50),
    ("End", 0xff57),
    ("PageUp", 0xff55),
    ("PageDown", 0xff56),
    ("ArrowLeft", 0xff51),
    ("ArrowRight", 0xff53),
    ("ArrowUp", 0xff52),
    ("ArrowDown", 0xff54),
    ("CapsLock", 0xffe5),
    ("ContextMenu", 0xff67),
];
/// The left shift key.
pub(crate) const SHIFT: u32 = 0xffe1;
const ENTER: u32 = 0xff0d;
const TAB: u32 = 0xff09;
const F1: u32 = 0xffbe;

/// The symbol of a key of this name; nothing where there is no such key.
pub(crate) fn of_key(name: &str) -> Option<u32> {
    if let Some((_, keysym)) = NAMED.iter().find(|(named, _)| *named == name) {
        return Some(*keysym);
    }
    if let Some(number) = name.strip_prefix('F').and_then(|digits| digits.parse::<u32>().ok()) {
        return (1..=12).contains(&number).then(|| F1 + number - 1);
    }
    let mut characters = name.chars();
    let only = characters.next().filter(|_| characters.next().is_none())?;
    of_character(only)
}

/// The symbol that writes a character; nothing for those that write nothing.
pub(crate) fn of_character(character: char) -> Option<u32> {
    match character {
        '\n' | '\r' => Some(ENTER),
        '\t' => Some(TAB),
        ' '..='~' | '\u{a0}'..='\u{ff}' => Some(character.into()),
        other if other.is_control() => None,
        other => Some(0x0100_0000 + u32::from(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_characters_have_the_symbols_that_x_gives_them() {
        let found = ["Enter", "F1", "F12", "a", "A", "é", "π", "ctrl"].map(of_key);
        let wanted = [0xff0d, 0xffbe, 0xffc9, 0x61, 0x41, 0xe9, 0x0100_03c0, 0xffe3].map(Some);
        assert_eq!(found, wanted);
        assert_eq!(["F13", "F0", "ab", "\u{7}"].map(of_key), [None; 4]);
    }
}
