//! Files that are texts.

use quintain_workspace::InputFiles;

/// Files by their paths.
pub(crate) fn texts<'a>(files: impl IntoIterator<Item = (&'a str, String)>) -> InputFiles {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes())).collect()
}
