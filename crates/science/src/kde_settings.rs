//! How programs of KDE behave here.

/// Where the settings are in a home.
pub(crate) const PATH: &str = ".config/kdeglobals";
/// No caret blinks, and folders and files open by a double click, as they do nearly everywhere else.
pub(crate) const TEXT: &[u8] = b"[KDE]\nCursorBlinkRate=0\nSingleClick=false\n";
