//! The address field: a line of text that can be written, with a caret and a selection.

/// The field; it is being written in, or it shows where the tab is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::sites) struct AddressField {
    edit: Option<FieldEdit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldEdit {
    text: Vec<char>,
    /// Where the selection begins; it goes to the caret, either way.
    anchor: usize,
    caret: usize,
}

/// What a key did in the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sites) enum FieldOutcome {
    /// It was written, or nothing happened.
    Stayed,
    /// What stands in the field is to be gone to.
    Submitted(String),
    /// The field is left.
    Left,
    /// This was copied.
    Copied(String),
    /// What was copied last is to be written.
    Pasting,
}

impl AddressField {
    /// Begins to write, with the whole address selected.
    pub(in crate::sites) fn begin(&mut self, address: &str) {
        let text: Vec<char> = address.chars().collect();
        self.edit = Some(FieldEdit { anchor: 0, caret: text.len(), text });
    }

    /// Shows the tab's address again.
    pub(in crate::sites) fn leave(&mut self) {
        self.edit = None;
    }

    pub(in crate::sites) fn is_active(&self) -> bool {
        self.edit.is_some()
    }

    /// What has been written, while it is being written.
    pub(in crate::sites) fn text(&self) -> Option<String> {
        self.edit.as_ref().map(|edit| edit.text.iter().collect())
    }

    /// The caret and the selection, in characters.
    pub(super) fn caret_and_selection(&self) -> Option<(usize, std::ops::Range<usize>)> {
        self.edit.as_ref().map(|edit| (edit.caret, edit.selection()))
    }

    /// Selects everything.
    pub(in crate::sites) fn select_all(&mut self) {
        if let Some(edit) = &mut self.edit {
            (edit.anchor, edit.caret) = (0, edit.text.len());
        }
    }

    /// Puts the caret before a character.
    pub(in crate::sites) fn put_caret(&mut self, idx: usize) {
        if let Some(edit) = &mut self.edit {
            edit.move_to(idx, Extent::Nothing);
        }
    }

    /// Writes a text in place of what is selected.
    pub(in crate::sites) fn write(&mut self, text: &str) {
        if let Some(edit) = &mut self.edit {
            edit.replace(text.chars().filter(|c| !c.is_control()));
        }
    }

    /// Does what keys do that are pressed together, by their canonical names.
    pub(in crate::sites) fn press(&mut self, chord: &[String]) -> FieldOutcome {
        let Some(edit) = &mut self.edit else { return FieldOutcome::Left };
        let extent = if chord.iter().any(|key| key == "shift") { Extent::Selection } else { Extent::Nothing };
        let has_ctrl = chord.iter().any(|key| key == "ctrl");
        let Some(key) = chord.last() else { return FieldOutcome::Stayed };
        match key.as_str() {
            "Enter" => return FieldOutcome::Submitted(edit.text.iter().collect()),
            "Escape" | "Tab" => return FieldOutcome::Left,
            "a" if has_ctrl => (edit.anchor, edit.caret) = (0, edit.text.len()),
            "c" if has_ctrl => return FieldOutcome::Copied(edit.selected()),
            "x" if has_ctrl => {
                let selected = edit.selected();
                edit.replace(std::iter::empty());
                return FieldOutcome::Copied(selected);
            }
            "v" if has_ctrl => return FieldOutcome::Pasting,
            "Backspace" => edit.delete(edit.caret.saturating_sub(1)),
            "Delete" => edit.delete(edit.caret + 1),
            "ArrowLeft" if !edit.selection().is_empty() && extent == Extent::Nothing => {
                edit.move_to(edit.selection().start, extent);
            }
            "ArrowRight" if !edit.selection().is_empty() && extent == Extent::Nothing => {
                edit.move_to(edit.selection().end, extent);
            }
            "ArrowLeft" => edit.move_to(edit.caret.saturating_sub(1), extent),
            "ArrowRight" => edit.move_to(edit.caret + 1, extent),
            "Home" | "ArrowUp" => edit.move_to(0, extent),
            "End" | "ArrowDown" => edit.move_to(usize::MAX, extent),
            only if only.chars().count() == 1 && !has_ctrl => edit.replace(only.chars()),
            _ => {}
        }
        FieldOutcome::Stayed
    }
}

/// What moving the caret does to the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// It ends.
    Nothing,
    /// It grows to where the caret is.
    Selection,
}

impl FieldEdit {
    fn selection(&self) -> std::ops::Range<usize> {
        self.anchor.min(self.caret)..self.anchor.max(self.caret)
    }

    fn selected(&self) -> String {
        self.text[self.selection()].iter().collect()
    }

    fn replace(&mut self, by: impl Iterator<Item = char>) {
        let selection = self.selection();
        let end = self.text.len() - selection.end;
        self.text.splice(selection, by);
        self.caret = self.text.len() - end;
        self.anchor = self.caret;
    }

    /// Deletes what is selected, or everything between the caret and another place.
    fn delete(&mut self, to: usize) {
        if self.selection().is_empty() {
            self.anchor = to.min(self.text.len());
        }
        self.replace(std::iter::empty());
    }

    fn move_to(&mut self, idx: usize, extent: Extent) {
        self.caret = idx.min(self.text.len());
        if extent == Extent::Nothing {
            self.anchor = self.caret;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(field: &mut AddressField, keys: &str) -> FieldOutcome {
        let mut outcome = FieldOutcome::Stayed;
        for chord in keys.split(' ') {
            let chord: Vec<String> = chord.split('+').map(str::to_owned).collect();
            outcome = field.press(&chord);
        }
        outcome
    }

    #[test]
    fn a_line_is_written_as_in_any_browser() {
        let cases = [
            ("", "x"),
            ("ArrowLeft", "xabc"),
            ("ArrowRight", "abcx"),
            ("End Backspace", "abx"),
            ("Home Delete", "xbc"),
            ("Home shift+ArrowRight shift+ArrowRight", "xc"),
            ("End shift+Home", "x"),
            ("End ArrowLeft shift+End Delete", "abx"),
            ("ctrl+x", "x"),
            ("Home ctrl+a", "x"),
        ];
        for (keys, expected) in cases {
            let mut field = AddressField::default();
            field.begin("abc");
            if !keys.is_empty() {
                pressed(&mut field, keys);
            }
            field.write("x\n");
            assert_eq!(field.text().as_deref(), Some(expected), "{keys}");
        }
    }

    #[test]
    fn enter_goes_there_and_escape_leaves() {
        let mut field = AddressField::default();
        assert_eq!(pressed(&mut field, "Enter"), FieldOutcome::Left);
        field.begin("abc");
        assert_eq!(pressed(&mut field, "ctrl+c"), FieldOutcome::Copied("abc".to_owned()));
        assert_eq!(pressed(&mut field, "End / x Enter"), FieldOutcome::Submitted("abc/x".to_owned()));
        assert_eq!(pressed(&mut field, "ctrl+v"), FieldOutcome::Pasting);
        assert_eq!(pressed(&mut field, "Escape"), FieldOutcome::Left);
        field.leave();
        assert_eq!(field.text(), None);
    }
}
