//! What `FROM` may name.

/// What the base is.
pub(super) const OWN: &str = "debian:12";
/// Its name.
pub(super) const OWN_NAME: &str = "Debian 12";
/// What it can stand in for.
const KNOWN: [&str; 3] = ["debian", "ubuntu", "python"];
/// Tags of Debian that are the base itself.
const OWN_TAGS: [&str; 4] = ["12", "12-slim", "bookworm", "bookworm-slim"];

/// What is to be remarked on a base, if anything; or why it cannot be had.
pub(super) fn examined(image: &str) -> Result<Option<String>, String> {
    let plain = image.strip_prefix("docker.io/").unwrap_or(image);
    let plain = plain.strip_prefix("library/").unwrap_or(plain);
    let (name, tag) = plain.split_once([':', '@']).unwrap_or((plain, "latest"));
    let is_tag = |c: char| c.is_ascii_alphanumeric() || "._-:@".contains(c);
    if !KNOWN.contains(&name) || tag.is_empty() || !tag.chars().all(is_tag) {
        return Err(format!("FROM {image}: only debian, ubuntu and python can be played, all on {OWN_NAME}"));
    }
    let is_own = name == "debian" && OWN_TAGS.contains(&tag);
    Ok((!is_own).then(|| format!("FROM {image} is played on {OWN_NAME}")))
}
