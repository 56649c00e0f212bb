//! A word of the user's that names nothing.

use std::{error, fmt};

/// What a user typed names nothing, or cannot be read. Fronts tell it apart from what went wrong with the right words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongWord(pub String);

impl fmt::Display for WrongWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for WrongWord {}
