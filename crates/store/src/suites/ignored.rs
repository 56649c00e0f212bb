//! Files that belong to editors and systems, not to tasks. The build uses the same rule, so that the suites in the
//! binary have the same digests as those on disk.

/// Whether a file or folder of this name is passed over.
pub(crate) fn is_ignored(name: &str) -> bool {
    let backup = name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'));
    let ending = [".bak", ".orig", ".rej", ".swp", ".tmp"].iter().any(|ending| name.ends_with(ending));
    name.starts_with('.') || backup || ending || name == "__pycache__"
}
