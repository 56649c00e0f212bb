//! Which commands fetch something.

use super::commands::{ShellCommand, ShellWord};

/// What a command fetches, in a phrase; nothing where it fetches nothing.
pub(super) fn fetched_by(command: &ShellCommand) -> Option<String> {
    let (program, rest) = command.program();
    let words: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let does = match program {
        "curl" | "wget" => !is_local(rest) && !has(&["--version", "--help", "-V"]),
        "apt-get" | "apt" | "aptitude" => has(&["install", "update", "upgrade", "dist-upgrade", "build-dep"]),
        "apk" => has(&["add", "update"]),
        "pip" | "pip3" | "pipx" => has(&["install", "download", "run"]) && !has(&["--no-index"]),
        "python" | "python3" => has(&["pip"]) && has(&["install", "download"]) && !has(&["--no-index"]),
        "npm" | "yarn" | "pnpm" | "bun" => has(&["install", "ci", "add", "i", "update", "exec", "dlx"]),
        "npx" | "uvx" | "conda" | "mamba" | "playwright" | "dnf" | "yum" | "zypper" | "pacman" => true,
        "uv" => !has(&["--version", "cache", "version"]),
        "gem" | "bundle" | "poetry" | "cpanm" | "luarocks" | "composer" => has(&["install", "update", "add"]),
        "cargo" => has(&["install", "fetch", "add", "update"]) && !has(&["--offline"]),
        "go" => has(&["get", "install", "download"]),
        "git" => has(&["clone", "fetch", "pull", "submodule"]) && words.iter().any(|word| is_remote(word)),
        _ => false,
    };
    let what = words.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    let address = words.iter().find(|word| is_remote(word)).copied();
    does.then(|| format!("it runs `{}`", format!("{program} {}", address.unwrap_or(what)).trim_end()))
}

/// Whether a command speaks to this machine alone.
fn is_local(words: &[ShellWord]) -> bool {
    let local = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];
    let is_here = |word: &str| local.iter().any(|name| host_of(word).is_some_and(|host| host.starts_with(name)));
    let named: Vec<&str> = words.iter().map(|word| word.text.as_str()).filter(|word| host_of(word).is_some()).collect();
    !named.is_empty() && named.iter().all(|word| is_here(word))
}

/// What stands where the host of an address does: behind `//`, or at the start of `localhost:8000/`.
fn host_of(word: &str) -> Option<&str> {
    let behind = word.split_once("://").map(|(_, behind)| behind);
    behind.or_else(|| ["localhost", "127.0.0.1"].iter().any(|name| word.starts_with(name)).then_some(word))
}

fn is_remote(word: &str) -> bool {
    word.contains("://") && !word.starts_with("file://") || word.starts_with("git@")
}
