//! The one way of installing tools that is known: `uv`, and `pytest` by it.

use std::ops::RangeInclusive;

use super::commands::{ShellCommand, ShellWord};

/// A call of `uv` that runs `pytest`.
pub(super) struct UvCall {
    /// The word `uv` or `uvx`.
    pub(super) first_idx: usize,
    /// The word `pytest`.
    pub(super) last_idx: usize,
    /// Words behind it that mean something to a plug-in alone.
    pub(super) dropped: Vec<RangeInclusive<usize>>,
    /// The packages that it asks for, as it writes them.
    pub(super) packages: Vec<String>,
}

/// Packages that `uv` may be asked for: `pytest`, and its plug-in that writes a report nobody reads here.
const KNOWN: [&str; 2] = ["pytest", REPORT_PLUGIN];
const REPORT_PLUGIN: &str = "pytest-json-ctrf";
/// The option of that plug-in.
const REPORT_OPTION: &str = "--ctrf";
/// Packages of the system that are installed to fetch `uv` with.
const TO_FETCH_WITH: [&str; 3] = ["curl", "wget", "ca-certificates"];
/// Options of `uv` that have a value.
const VALUED: [&str; 6] = ["-p", "--python", "--index", "--index-url", "--directory", "--project"];
const WITH: [&str; 3] = ["-w", "--with", "--from"];

/// Whether a command is there only to get `uv` and `pytest`.
pub(super) fn is_installer(command: &ShellCommand, has_venv: bool) -> bool {
    let (program, rest) = command.program();
    let words: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let plain = || words.iter().copied().filter(|word| !word.starts_with('-'));
    match program {
        "apt-get" | "apt" => match plain().next() {
            Some("update") => true,
            Some("install") => plain().skip(1).all(|package| TO_FETCH_WITH.contains(&package)),
            _ => false,
        },
        "curl" | "wget" => words.iter().any(|word| word.contains("astral.sh/uv")),
        "sh" | "bash" => command.is_bare_shell(),
        "source" | "." => words.iter().any(|word| is_of_uv(word, has_venv)),
        "pip" | "pip3" => words.first() == Some(&"install") && plain().skip(1).all(|package| name_of(package) == "uv"),
        "uv" => match words.as_slice() {
            ["init" | "venv" | "sync" | "lock", ..] => true,
            ["add", packages @ ..] | ["pip", "install", packages @ ..] => {
                let mut named = packages.iter().filter(|word| !word.starts_with('-'));
                named.all(|package| KNOWN.contains(&name_of(package)))
            }
            _ => false,
        },
        _ => false,
    }
}

fn is_of_uv(path: &str, has_venv: bool) -> bool {
    path.ends_with(".local/bin/env") || path.ends_with(".cargo/env") || has_venv && path.ends_with("bin/activate")
}

/// A call of `uv` to run something; nothing where the command is none. What it runs must be `pytest`, and without packages that
/// are not known.
pub(super) fn uv_call(command: &ShellCommand) -> Option<Result<UvCall, String>> {
    let (program, rest) = command.program();
    let first_idx = command.words.len() - rest.len() - 1;
    let n_head = match (program, rest.first().map(|word| word.text.as_str())) {
        ("uvx", _) => 1,
        ("uv", Some("run")) => 2,
        ("uv", Some("tool")) if rest.get(1).is_some_and(|word| word.text == "run") => 3,
        _ => return None,
    };
    Some(read(&command.words, first_idx, first_idx + n_head))
}

fn read(words: &[ShellWord], first_idx: usize, options_idx: usize) -> Result<UvCall, String> {
    let text = |idx: usize| words.get(idx).map_or("", |word| word.text.as_str());
    let (mut idx, mut packages) = (options_idx, Vec::new());
    while text(idx).starts_with('-') {
        let (option, joined) = text(idx).split_once('=').map_or((text(idx), None), |(name, value)| (name, Some(value)));
        let has_value = WITH.contains(&option) || VALUED.contains(&option);
        let value = joined.unwrap_or_else(|| text(idx + 1));
        if option == "--with-requirements" || option == "--with-editable" {
            return Err(format!("it has `uv` install {value}"));
        }
        if WITH.contains(&option) {
            packages.extend(value.split(',').map(|package| package.trim().to_owned()));
        }
        idx += 1 + usize::from(has_value && joined.is_none());
    }
    if text(idx).starts_with("python") && text(idx + 1) == "-m" {
        idx += 2;
    }
    if name_of(text(idx)) != "pytest" {
        return Err(format!("it has `uv` run `{}`", text(idx)));
    }
    let others: Vec<&str> = packages.iter().map(|one| name_of(one)).filter(|name| !KNOWN.contains(name)).collect();
    if !others.is_empty() {
        return Err(format!("it has `uv` install {}", others.join(", ")));
    }
    Ok(UvCall { first_idx, last_idx: idx, dropped: report_options(words, idx + 1), packages })
}

fn report_options(words: &[ShellWord], from_idx: usize) -> Vec<RangeInclusive<usize>> {
    let behind = words.iter().enumerate().skip(from_idx);
    behind
        .filter_map(|(idx, word)| match word.text.strip_prefix(REPORT_OPTION)? {
            "" => Some(idx..=(idx + 1).min(words.len() - 1)),
            rest => rest.starts_with('=').then_some(idx..=idx),
        })
        .collect()
}

/// The name of a package without its version and extras.
fn name_of(package: &str) -> &str {
    package.split(['=', '<', '>', '!', '~', '@', '[', ';', ' ']).next().unwrap_or_default()
}
