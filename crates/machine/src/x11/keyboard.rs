//! The keyboard of an X server: which key writes what, and spare keys for what no key writes.

use std::collections::{BTreeMap, VecDeque};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Window};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::keysyms::SHIFT;
use crate::machine::MachineFault;

/// A key, and whether it writes the symbol with shift held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct XKey {
    code: u8,
    is_shifted: bool,
}

/// What the keys write.
#[derive(Debug, Default)]
pub(super) struct XKeyboard {
    keys: BTreeMap<u32, XKey>,
    /// Keys that write nothing by themselves, the one that was given a symbol last at the end.
    spare: VecDeque<(u8, Option<u32>)>,
    per_key: u8,
}

impl XKeyboard {
    /// The keys that a server has.
    pub(super) fn of(connection: &RustConnection) -> Result<Self, MachineFault> {
        let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
        let asked = connection.get_keyboard_mapping(first, last - first + 1).map_err(MachineFault::display)?;
        let mapping = asked.reply().map_err(MachineFault::display)?;
        let mut keyboard = Self { per_key: mapping.keysyms_per_keycode, ..Self::default() };
        let rows = mapping.keysyms.chunks(usize::from(mapping.keysyms_per_keycode).max(1));
        for (code, row) in (first..=last).zip(rows) {
            keyboard.add(code, row);
        }
        Ok(keyboard)
    }

    fn add(&mut self, code: u8, row: &[u32]) {
        if row.iter().all(|keysym| *keysym == 0) {
            self.spare.push_back((code, None));
            return;
        }
        for (level, keysym) in row.iter().take(2).enumerate().filter(|(_, keysym)| **keysym != 0) {
            self.keys.entry(*keysym).or_insert(XKey { code, is_shifted: level == 1 });
        }
    }

    /// Gives spare keys to symbols that no key writes; says whether it had to. Those that were given away first are taken.
    pub(super) fn learn(
        &mut self,
        connection: &RustConnection,
        keysyms: impl Iterator<Item = u32>,
    ) -> Result<bool, MachineFault> {
        let mut has_learned = false;
        for keysym in keysyms {
            if !self.keys.contains_key(&keysym) {
                self.give(connection, keysym)?;
                has_learned = true;
            }
        }
        Ok(has_learned)
    }

    fn give(&mut self, connection: &RustConnection, keysym: u32) -> Result<(), MachineFault> {
        let none = || MachineFault::display("its keyboard has no key to spare");
        let (code, before) = self.spare.pop_front().ok_or_else(none)?;
        if let Some(before) = before {
            self.keys.remove(&before);
        }
        let row = vec![keysym; self.per_key.into()];
        let changed = connection.change_keyboard_mapping(1, code, self.per_key, &row).map_err(MachineFault::display)?;
        changed.check().map_err(MachineFault::display)?;
        self.spare.push_back((code, Some(keysym)));
        self.keys.insert(keysym, XKey { code, is_shifted: false });
        Ok(())
    }

    /// Pushes the key of a symbol down or lets it go, with shift where it takes that.
    pub(super) fn stroke(
        &self,
        connection: &RustConnection,
        root: Window,
        keysym: u32,
        is_down: bool,
    ) -> Result<(), MachineFault> {
        let missing = || MachineFault::display(format!("no key writes the symbol {keysym:#x}"));
        let key = *self.keys.get(&keysym).ok_or_else(missing)?;
        let shift = key.is_shifted.then(|| self.keys.get(&SHIFT).map(|shift| shift.code)).flatten();
        let codes: Vec<u8> = match (shift, is_down) {
            (None, _) => vec![key.code],
            (Some(shift), true) => vec![shift, key.code],
            (Some(shift), false) => vec![key.code, shift],
        };
        let kind = if is_down { KEY_PRESS_EVENT } else { KEY_RELEASE_EVENT };
        for code in codes {
            connection.xtest_fake_input(kind, code, 0, root, 0, 0, 0).map_err(MachineFault::display)?;
        }
        Ok(())
    }
}
