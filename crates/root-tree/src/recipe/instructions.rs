//! Instructions, one after the other.

use std::collections::BTreeMap;

use super::logical_lines::{LogicalLine, is_blank, split_flags};
use super::substitution::{expanded, raw_words};
use super::{CopyStep, RecipeAction, RecipeProblem, RecipeProblems, RecipeStep, SHELL, TreeRecipe, bases, fetching};

/// What is known so far.
#[derive(Default)]
pub(super) struct RecipeReader {
    problems: Vec<RecipeProblem>,
    base: Option<String>,
    steps: Vec<RecipeStep>,
    command: Option<Vec<String>>,
    entry_point: Option<Vec<String>>,
    remarks: Vec<String>,
    /// The variables that are put in, by their names.
    variables: BTreeMap<String, String>,
    folder: Option<String>,
    shell: Option<Vec<String>>,
    line: usize,
}

type Refusable = Result<(), String>;

impl RecipeReader {
    /// One who has found these problems already.
    pub(super) fn after(problems: Vec<RecipeProblem>) -> Self {
        Self { problems, ..Self::default() }
    }

    pub(super) fn instruction(&mut self, line: &LogicalLine) {
        self.line = line.line;
        if let Err(what) = self.read(&line.name, &line.text) {
            self.problems.push(RecipeProblem { line: line.line, what });
        }
    }

    pub(super) fn finish(mut self) -> Result<TreeRecipe, RecipeProblems> {
        if self.base.is_none() && self.problems.is_empty() {
            self.problems.push(RecipeProblem { line: 1, what: "it has no FROM".to_owned() });
        }
        self.problems.sort_by_key(|problem| problem.line);
        let Self { problems, base, steps, command, entry_point, remarks, .. } = self;
        match base {
            Some(base) if problems.is_empty() => Ok(TreeRecipe { base, steps, command, entry_point, remarks }),
            _ => Err(RecipeProblems(problems)),
        }
    }

    fn read(&mut self, name: &str, text: &str) -> Refusable {
        if self.base.is_none() && self.problems.is_empty() && !["FROM", "ARG"].contains(&name) {
            return Err(format!("{name} stands before FROM"));
        }
        match name {
            "FROM" => self.from(text),
            "RUN" => self.run(text),
            "COPY" => self.copy(text),
            "ADD" => self.add(text),
            "ENV" => self.env(text),
            "ARG" => self.arg(text),
            "WORKDIR" => self.workdir(text),
            "USER" => user(text),
            "SHELL" => {
                let words = exec_form(text).filter(|words| !words.is_empty());
                self.shell = Some(words.ok_or("SHELL takes a list such as [\"/bin/bash\", \"-c\"]")?);
                Ok(())
            }
            "CMD" => self.command(text).map(|words| self.command = Some(words)),
            "ENTRYPOINT" => self.command(text).map(|words| self.entry_point = Some(words)),
            "EXPOSE" | "LABEL" | "VOLUME" | "HEALTHCHECK" | "STOPSIGNAL" | "MAINTAINER" => Ok(()),
            "ONBUILD" => Err("ONBUILD is for those who build on an image; here is none".to_owned()),
            other => Err(format!("`{}` is no instruction", other.escape_debug())),
        }
    }

    fn from(&mut self, text: &str) -> Refusable {
        if self.base.is_some() {
            return Err("a second stage is not built; write one that makes the whole".to_owned());
        }
        let (flags, rest) = split_flags(text);
        if let Some((flag, _)) = flags.iter().find(|(name, _)| *name != "platform") {
            return Err(format!("FROM --{flag} is not read"));
        }
        let words: Vec<&str> = rest.split(is_blank).filter(|word| !word.is_empty()).collect();
        let image = match words.as_slice() {
            [image] => image,
            [image, as_word, _name] if as_word.eq_ignore_ascii_case("as") => image,
            _ => return Err("FROM takes one image".to_owned()),
        };
        let image = expanded(image, &self.variables)?;
        // What was set for FROM is not there for what follows.
        self.variables.clear();
        // Even where it cannot be had: what follows is then not told to stand before it.
        self.base = Some(image.clone());
        self.remarks.extend(bases::examined(&image)?);
        Ok(())
    }

    fn run(&mut self, text: &str) -> Refusable {
        let (flags, rest) = split_flags(text);
        for (name, value) in flags {
            let is_cache = name == "mount" && value.split(',').any(|part| part == "type=cache");
            if !is_cache && (name, value) != ("network", "default") {
                return Err(format!("RUN --{name}={value} is not read; only mounts of type=cache are passed over"));
            }
        }
        let words = self.command(rest)?;
        if words.is_empty() {
            return Err("RUN without a command".to_owned());
        }
        let fetched = fetching::fetched(&words);
        self.step(RecipeAction::Run(words));
        fetched.map_or(Ok(()), Err)
    }

    /// Words as they are, or a line for the shell.
    fn command(&self, text: &str) -> Result<Vec<String>, String> {
        let words = exec_form(text).unwrap_or_else(|| {
            let shell = self.shell.clone().unwrap_or_else(|| SHELL.map(str::to_owned).into());
            shell.into_iter().chain((!text.is_empty()).then(|| text.to_owned())).collect()
        });
        let has_zero = words.iter().any(|word| word.contains('\0'));
        if has_zero || text.is_empty() { Err("there is no command in it".to_owned()) } else { Ok(words) }
    }

    fn copy(&mut self, text: &str) -> Refusable {
        let (flags, rest) = split_flags(text);
        let mut mode = None;
        for (name, value) in flags {
            match name {
                "chmod" => mode = Some(octal(value)?),
                "chown" => self.remark(&format!("--chown={value} is passed over: all files are root's")),
                "link" => {}
                "from" => return Err("COPY --from needs a second stage or another image; there is none".to_owned()),
                other => return Err(format!("--{other} is not read")),
            }
        }
        let words = exec_form(rest)
            .unwrap_or_else(|| rest.split(is_blank).filter(|word| !word.is_empty()).map(str::to_owned).collect());
        let words: Result<Vec<String>, String> = words.iter().map(|word| expanded(word, &self.variables)).collect();
        let mut words = words?;
        let Some(target) = words.pop().filter(|_target| !words.is_empty()) else {
            return Err("what is copied and where to are both to be said".to_owned());
        };
        for source in &mut words {
            *source = source_path(source)?;
        }
        let target = self.target(&target, words.len())?;
        if target.starts_with("/tmp/") {
            self.remark(&format!("what is in {target} is there for RUN alone: a sandbox has an empty /tmp"));
        }
        self.step(RecipeAction::Copy(CopyStep { sources: words, target, mode }));
        Ok(())
    }

    /// Like COPY, where it does the same.
    fn add(&mut self, text: &str) -> Refusable {
        let rest = split_flags(text).1;
        if ["://", "git@"].iter().any(|sign| rest.contains(sign)) {
            return Err("ADD of an address fetches something from elsewhere; put the file into the context".to_owned());
        }
        let packed = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst"];
        self.copy(text)?;
        let unpacked = self.steps.last().and_then(|step| match &step.action {
            RecipeAction::Copy(copy) => {
                copy.sources.iter().find(|source| packed.iter().any(|ending| source.ends_with(ending)))
            }
            _ => None,
        });
        unpacked.map_or(Ok(()), |name| Err(format!("ADD would unpack {name}; COPY it and RUN tar")))
    }

    /// Where files go, from the top.
    fn target(&self, target: &str, n_sources: usize) -> Result<String, String> {
        let is_folder = target.ends_with('/') || [".", ".."].iter().any(|end| target.rsplit('/').next() == Some(end));
        if n_sources > 1 && !is_folder {
            return Err(format!("several files are copied into a folder: write `{target}/`"));
        }
        let path = joined_path(self.folder.as_deref().unwrap_or("/"), target)?;
        Ok(if is_folder && path != "/" { format!("{path}/") } else { path })
    }

    fn env(&mut self, text: &str) -> Refusable {
        for (name, value) in pairs(text)? {
            let value = expanded(&value, &self.variables)?;
            self.variables.insert(name.clone(), value.clone());
            self.step(RecipeAction::Variable(name, value));
        }
        Ok(())
    }

    fn arg(&mut self, text: &str) -> Refusable {
        let words = raw_words(text);
        if words.is_empty() {
            return Err("ARG names nothing".to_owned());
        }
        for word in &words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let name = variable_name(name)?;
            if !word.contains('=') {
                self.remark(&format!("ARG {name} has no value here"));
                continue;
            }
            let value = expanded(value, &self.variables)?;
            // What ENV says stands before what ARG says.
            let is_set =
                self.steps.iter().any(|step| matches!(&step.action, RecipeAction::Variable(set, _) if *set == name));
            if !is_set {
                self.variables.insert(name.clone(), value.clone());
            }
            if self.base.is_some() && !is_set {
                self.step(RecipeAction::Argument(name, value));
            }
        }
        Ok(())
    }

    fn workdir(&mut self, text: &str) -> Refusable {
        let folder = joined_path(self.folder.as_deref().unwrap_or("/"), &expanded(text, &self.variables)?)?;
        if text.is_empty() {
            return Err("WORKDIR names no folder".to_owned());
        }
        self.folder = Some(folder.clone());
        self.step(RecipeAction::Folder(folder));
        Ok(())
    }

    fn step(&mut self, action: RecipeAction) {
        self.steps.push(RecipeStep { line: self.line, action });
    }

    fn remark(&mut self, what: &str) {
        self.remarks.push(format!("line {}: {what}", self.line));
    }
}

/// A list of words, if that is what it is. What looks like one and is none goes to the shell.
fn exec_form(text: &str) -> Option<Vec<String>> {
    if text.starts_with('[') { serde_json::from_str(text).ok() } else { None }
}

fn user(text: &str) -> Refusable {
    let (user, group) = text.split_once(':').unwrap_or((text, "root"));
    let is_root = [user, group].iter().all(|name| ["root", "0"].contains(name));
    if is_root { Ok(()) } else { Err(format!("USER {text}: there is only root in a tree")) }
}

/// `NAME=value` as often as wanted, or `NAME value with blanks`.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let words = raw_words(text);
    let Some(first) = words.first() else { return Err("ENV names nothing".to_owned()) };
    if !first.contains('=') {
        let (name, value) = text.split_once(is_blank).ok_or_else(|| format!("ENV {text} gives no value"))?;
        return Ok(vec![(variable_name(name)?, value.trim_matches(is_blank).to_owned())]);
    }
    let pair = |word: &String| {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is no NAME=value"))?;
        Ok((variable_name(name)?, value.to_owned()))
    };
    words.iter().map(pair).collect()
}

fn variable_name(name: &str) -> Result<String, String> {
    let is_name = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { Ok(name.to_owned()) } else { Err(format!("`{}` is no name of a variable", name.escape_debug())) }
}

fn octal(text: &str) -> Result<u32, String> {
    let mode = u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o7777);
    mode.ok_or_else(|| format!("--chmod={text}: rights are read as numbers, such as 755"))
}

/// A path below the context, without anything that leads out of it.
fn source_path(source: &str) -> Result<String, String> {
    if source.contains("://") {
        return Err(format!("`{source}` is fetched from elsewhere; put it into the context"));
    }
    if source.contains('[') {
        return Err(format!("`{source}`: of patterns only `*` and `?` are read"));
    }
    if source.contains('\0') {
        return Err("there is a zero byte in a path".to_owned());
    }
    let parts: Vec<&str> = source.split('/').filter(|part| !["", "."].contains(part)).collect();
    if parts.contains(&"..") {
        return Err(format!("`{source}` leads out of the context"));
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

/// A path from the top, seen from a folder.
fn joined_path(folder: &str, path: &str) -> Result<String, String> {
    if path.contains('\0') {
        return Err("there is a zero byte in a path".to_owned());
    }
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    Ok(format!("/{}", parts.join("/")))
}
