//! What is kept of a task's certificate, in words.

use quintain_workshop::KeptState;

/// Whether something is kept and fits.
pub(crate) fn in_words(state: &KeptState) -> String {
    match state {
        KeptState::Missing => "none kept".to_owned(),
        KeptState::Fits(kept) => format!("kept: {}, fits", kept.form.name()),
        KeptState::Misfits { kept, made_for } => {
            format!("kept: {}, made for {}", kept.form.name(), made_for.join(" and "))
        }
        KeptState::Unreadable(why) => format!("kept, and cannot be read: {why}"),
    }
}

/// The same as one word.
pub(crate) fn state_name(state: &KeptState) -> &'static str {
    match state {
        KeptState::Missing => "none",
        KeptState::Fits(_) => "fits",
        KeptState::Misfits { .. } => "misfits",
        KeptState::Unreadable(_) => "unreadable",
    }
}
