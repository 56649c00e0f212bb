//! Lines that fetch something from elsewhere: what they get tomorrow is not what they get today, and sandboxes that are built
//! behind a mirror do not reach it at all. Packages of Debian and of Python by their names are fine.

use super::command_words::{base_name, commands};

/// Programs that are there to fetch, whatever they are told.
const FETCHERS: [&str; 27] = [
    "curl",
    "wget",
    "aria2c",
    "scp",
    "sftp",
    "ftp",
    "svn",
    "hg",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "bun",
    "corepack",
    "conda",
    "mamba",
    "micromamba",
    "gem",
    "bundle",
    "composer",
    "rustup",
    "uv",
    "uvx",
    "poetry",
    "snap",
    "add-apt-repository",
    "apt-key",
];
/// Programs that fetch when they are told this.
const SOMETIMES: [(&str, &[&str]); 5] = [
    ("git", &["clone", "fetch", "pull", "submodule", "ls-remote"]),
    ("cargo", &["install", "fetch", "add", "update"]),
    ("go", &["get", "install", "mod"]),
    ("cpan", &["install"]),
    ("huggingface-cli", &["download"]),
];
/// Programs that only say what they are given.
const TELLERS: [&str; 5] = ["echo", "printf", "cat", "grep", "test"];
/// What makes `pip` look elsewhere than it would.
const PIP_SOURCES: [&str; 5] = ["-i", "--index-url", "--extra-index-url", "-f", "--find-links"];

/// What a program fetches, if it does.
pub(super) fn fetched(argv: &[String]) -> Option<String> {
    let script = match argv {
        [_shell, flag, script] if flag.starts_with('-') && flag.ends_with('c') => script.clone(),
        // A line that could not be quoted has a zero in it and was refused.
        _ => shlex::try_join(argv.iter().map(String::as_str)).unwrap_or_default(),
    };
    if script.contains("/etc/apt/") && (script.contains("://") || script.contains("sources.list")) {
        return Some("it changes where packages come from".to_owned());
    }
    commands(&script).iter().find_map(|words| of_command(words))
}

fn of_command(words: &[String]) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let program = base_name(program);
    let only_asks =
        !arguments.is_empty() && arguments.iter().all(|word| ["--version", "-V", "--help"].contains(&word.as_str()));
    if FETCHERS.contains(&program) && !only_asks {
        return Some(format!("`{program}` fetches something from elsewhere"));
    }
    let fetching = SOMETIMES
        .iter()
        .find(|(name, _)| *name == program)
        .and_then(|(_, told)| arguments.iter().find(|word| told.contains(&word.as_str())));
    if let Some(told) = fetching {
        return Some(format!("`{program} {told}` fetches something from elsewhere"));
    }
    if let Some(words) = pip_words(program, arguments) {
        return of_pip(words);
    }
    let is_told = TELLERS.contains(&program);
    let address = arguments.iter().find(|word| !is_told && has_address(word))?;
    Some(format!("`{program}` is given the address `{}`", shortened(address)))
}

/// What `pip` is told, in any of the ways in which it is started.
fn pip_words<'a>(program: &str, arguments: &'a [String]) -> Option<&'a [String]> {
    if program.starts_with("pip") {
        return Some(arguments);
    }
    match arguments {
        [flag, module, rest @ ..] if program.starts_with("python") && flag == "-m" && module == "pip" => Some(rest),
        _ => None,
    }
}

fn of_pip(words: &[String]) -> Option<String> {
    let source = words.iter().find(|word| PIP_SOURCES.contains(&word.split('=').next().unwrap_or(word)));
    if let Some(source) = source {
        return Some(format!("`pip` is given a source of its own (`{}`)", shortened(source)));
    }
    let address = words.iter().find(|word| has_address(word) || word.starts_with("git+"))?;
    Some(format!("`pip` is given the address `{}`", shortened(address)))
}

fn has_address(word: &str) -> bool {
    ["http://", "https://", "ftp://", "git://", "ssh://"].iter().any(|scheme| word.contains(scheme))
}

fn shortened(word: &str) -> String {
    let short: String = word.chars().take(60).collect();
    if short.len() < word.len() { format!("{short}…") } else { short }
}
