//! From the files of a folder to a task, with every problem named by its place.

use std::fmt;

use super::declaration::{self, ReadDeclaration};
use super::{ChainSpec, ComposeHow, Generator, MilestoneHold, ResultKind, Task, TaskId, TaskSpec, is_word};
use crate::digest::{Digest, PartsDigest};
use crate::files::{FileError, FileSet, copy_pieces};
use crate::limits::Limits;
use crate::suggest;
use crate::surface::ActionGroup;

/// Something wrong with a task's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProblem {
    /// The file.
    pub file: String,
    /// Line and column, from 1, where there is a place.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Everything wrong with a task's folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct TaskProblems(pub Vec<TaskProblem>);

impl fmt::Display for TaskProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.what)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\nhint: {hint}"))
    }
}

impl fmt::Display for TaskProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("\n"))
    }
}

/// What the harness reads whole: the longest that such a file may be.
const LONGEST_TEXT: u64 = 16 << 20;

/// The file that makes a task a chain.
const CHAIN_FILE: &str = "chain.toml";

pub(super) fn task(suite: &str, files: &FileSet) -> Result<Task, TaskProblems> {
    let text = text_of(files, "task.toml").map_err(|problem| TaskProblems(vec![problem]))?;
    let ReadDeclaration { mut spec, mut problems } = declaration::read(&text);
    let chain = chain_of(files, &mut problems);
    if let (Some(chain), Some(spec)) = (&chain, &mut spec) {
        chain.spec.complete(spec);
    }
    problems.extend(spec.iter().flat_map(|spec| unsound(spec, &text)));
    let written = || text_of(files, "instruction.md");
    let instruction = chain.as_ref().map_or_else(written, |chain| Ok(chain.spec.instruction()));
    let instruction = instruction.unwrap_or_else(|problem| {
        problems.push(problem);
        String::new()
    });
    if let Err(problem) = template_is_sound(&instruction) {
        problems.push(problem);
    }
    let digest = digest_of(files).unwrap_or_else(|problem| {
        problems.push(problem);
        Digest::of(b"")
    });
    let Some(spec) = spec else { return Err(TaskProblems(problems)) };
    problems.extend(unsound_milestones(&spec, &text));
    problems.extend(unsound_chain(&spec, &text));
    match identity(suite, &spec, &text) {
        Ok(id) if problems.is_empty() => Ok(Task {
            id,
            spec,
            instruction,
            digest,
            reference: under(files, "reference/"),
            input: under(files, "input/"),
            oracle: text_of(files, "oracle.txt").ok(),
            solution: chain.map(|chain| chain.text).or_else(|| text_of(files, "oracle.toml").ok()),
        }),
        Ok(_) => Err(TaskProblems(problems)),
        Err(problem) => {
            problems.insert(0, problem);
            Err(TaskProblems(problems))
        }
    }
}

/// The chain that a folder holds.
struct ReadChain {
    text: String,
    spec: ChainSpec,
}

fn chain_of(files: &FileSet, problems: &mut Vec<TaskProblem>) -> Option<ReadChain> {
    files.get(CHAIN_FILE)?;
    let wrong = |what: String| TaskProblem { file: CHAIN_FILE.to_owned(), place: None, what, hint: None };
    let text = text_of(files, CHAIN_FILE).map_err(|problem| problems.push(problem)).ok()?;
    let spec = ChainSpec::read(&text).map_err(|error| problems.push(from_toml(CHAIN_FILE, &text, &error))).ok()?;
    problems.extend(spec.problems().into_iter().map(wrong));
    Some(ReadChain { text, spec })
}

/// The hash of the whole folder, which is read piece by piece.
fn digest_of(files: &FileSet) -> Result<Digest, TaskProblem> {
    let mut digest = PartsDigest::default();
    for (path, file) in files {
        digest.part(path, file.n_bytes());
        let fed = file.open().and_then(|mut reader| {
            copy_pieces(&mut *reader, &mut |piece| {
                digest.feed(piece);
                Ok(())
            })
        });
        match fed {
            Ok(n_bytes) if n_bytes == file.n_bytes() => {}
            Ok(_) => return Err(unreadable(path, "it was changed while it was read")),
            Err(error) => return Err(unreadable(path, &error.to_string())),
        }
    }
    Ok(digest.finish())
}

fn unreadable(path: &str, what: &str) -> TaskProblem {
    TaskProblem { file: path.to_owned(), place: None, what: what.to_owned(), hint: None }
}

fn under(files: &FileSet, folder: &str) -> FileSet {
    files
        .iter()
        .filter_map(|(path, file)| path.strip_prefix(folder).map(|rest| (rest.to_owned(), file.clone())))
        .collect()
}

fn text_of(files: &FileSet, name: &str) -> Result<String, TaskProblem> {
    let problem = |what: &str, hint: &str| TaskProblem {
        file: name.to_owned(),
        place: None,
        what: what.to_owned(),
        hint: Some(hint.to_owned()),
    };
    let file = files.get(name).ok_or_else(|| {
        problem("the file is missing", "every task folder has task.toml and instruction.md; `quintain new` makes both")
    })?;
    let bytes = file.whole(LONGEST_TEXT).map_err(|error| match error {
        FileError::TooLarge { .. } => problem(&error.to_string(), "large files belong under input/ or reference/"),
        other => unreadable(name, &other.to_string()),
    })?;
    String::from_utf8(bytes).map_err(|_cause| problem("the file is not UTF-8 text", "save it as UTF-8"))
}

/// What is wrong with a TOML file, with its place in it.
pub fn from_toml(file: &str, text: &str, error: &toml::de::Error) -> TaskProblem {
    TaskProblem {
        file: file.to_owned(),
        place: error.span().map(|span| place_of(text, span.start)),
        what: error.message().to_owned(),
        hint: unknown_field_hint(error.message()),
    }
}

/// serde says "unknown field `x`, expected one of `a`, `b`": from that, what was probably meant.
fn unknown_field_hint(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("unknown field `").or_else(|| message.split_once("unknown variant `"))?;
    let (unknown, rest) = rest.split_once('`')?;
    let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    suggest::nearest(unknown, known).map(|meant| format!("did you mean `{meant}`?"))
}

fn place_of(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}

fn template_is_sound(instruction: &str) -> Result<(), TaskProblem> {
    let mut environment = crate::template::environment();
    environment.add_template("instruction", instruction).map_err(|error| TaskProblem {
        file: "instruction.md".to_owned(),
        place: error.line().map(|line| (line, 1)),
        what: format!("the template cannot be read: {error}"),
        hint: Some("write parameters as {{ name }}".to_owned()),
    })
}

fn identity(suite: &str, spec: &TaskSpec, text: &str) -> Result<TaskId, TaskProblem> {
    let wrong = |what: String, hint: String| problem_at(text, "id", what, Some(hint));
    let id: TaskId = spec
        .task
        .id
        .parse()
        .map_err(|error: super::NotATaskId| wrong(error.to_string(), format!("for example `{suite}/my-task`")))?;
    if id.suite() == suite {
        return Ok(id);
    }
    Err(wrong(
        format!("the task says it belongs to suite `{}` but lies in `{suite}`", id.suite()),
        format!("write id = \"{suite}/{}\"", id.name()),
    ))
}

const LIMITS_HINT: &str = "allow at least one step; minutes and money are more than nothing";
const GENERATOR_HINT: &str = "docs/tasks.md tells what a generator may be";
const CHANCE_HINT: &str = "a share from 0 to 0.5: what is guessed more often than not is no test";

fn is_share(chance: f64) -> bool {
    (0.0..=0.5).contains(&chance)
}

/// Rules that the types cannot carry.
fn unsound(spec: &TaskSpec, text: &str) -> Vec<TaskProblem> {
    let mut found = Vec::new();
    let mut say = |key: &str, what: String, hint: &str| {
        found.push(problem_at(text, key, what, Some(hint.to_owned())));
    };
    if spec.checks.is_empty() {
        say("checks", "the task has no checks: nothing could ever fail".to_owned(), "declare at least one [[checks]]");
    }
    if let Some(problem) = spec.limits.problem() {
        say("limits", problem, LIMITS_HINT);
    }
    if !is_share(spec.chance.score) {
        say("chance", format!("chance is {}", spec.chance.score), CHANCE_HINT);
    }
    for (name, parameter) in &spec.parameters {
        if let Some(problem) = parameter.generator.as_ref().and_then(Generator::problem) {
            say(name, format!("the generator of `{name}` cannot draw: {problem}"), GENERATOR_HINT);
        }
    }
    for (name, preset) in &spec.presets {
        for parameter in preset.parameters.keys().filter(|parameter| !spec.parameters.contains_key(*parameter)) {
            let hint = suggest::hint(parameter, spec.parameters.keys().map(String::as_str));
            say(parameter, format!("preset `{name}` sets `{parameter}`, which is no parameter of the task"), &hint);
        }
    }
    for (name, preset) in &spec.presets {
        if !is_word(name) {
            say(name, format!("`{name}` cannot name a preset"), "lower-case letters, digits and hyphens");
        }
        if let Some(problem) = preset.limits.as_ref().and_then(Limits::problem) {
            say(name, format!("preset `{name}`: {problem}"), LIMITS_HINT);
        }
        if let Some(chance) = preset.chance.filter(|chance| !is_share(*chance)) {
            say(name, format!("preset `{name}`: chance is {chance}"), CHANCE_HINT);
        }
    }
    for check in spec.checks.iter().filter(|check| !(check.weight >= 0.0 && check.weight.is_finite())) {
        say("weight", format!("check `{}` has weight {}", check.name, check.weight), "weights are 0 or more");
    }
    found.extend(repeated_names(spec, text));
    found.extend(reserved(spec, text));
    found
}

fn repeated_names(spec: &TaskSpec, text: &str) -> Vec<TaskProblem> {
    let mut seen = std::collections::BTreeSet::new();
    let names = spec.checks.iter().map(|check| &check.name);
    names
        .filter(|name| !seen.insert(name.as_str()))
        .map(|name| {
            let hint = Some("findings are told apart by name: rename one".to_owned());
            problem_at(text, "name", format!("two checks are called `{name}`"), hint)
        })
        .collect()
}

/// What is wrong with the milestones, besides their checks.
fn unsound_milestones(spec: &TaskSpec, text: &str) -> Vec<TaskProblem> {
    let milestones = &spec.milestones;
    let mut found = Vec::new();
    let mut say = |key: &str, what: String, hint: &str| found.push(problem_at(text, key, what, Some(hint.to_owned())));
    let mut seen = std::collections::BTreeSet::new();
    for milestone in milestones.iter().filter(|milestone| !seen.insert(&milestone.name)) {
        let what = format!("two milestones are called `{}`", milestone.name);
        say("milestones", what, "milestones are told apart by name: rename one");
    }
    let silent = milestones.iter().find(|milestone| milestone.instruction.is_none());
    if let Some(milestone) = silent.filter(|_| milestones.iter().any(|milestone| milestone.instruction.is_some())) {
        let what = format!("milestone `{}` has no `instruction`, but others have", milestone.name);
        say("milestones", what, "say for every milestone what it asks, or for none");
    }
    for (idx, milestone) in milestones.iter().enumerate() {
        for need in milestone.needs.iter().filter(|need| !milestones[..idx].iter().any(|before| before.name == **need))
        {
            let what = format!("milestone `{}` needs `{need}`, which is no milestone before it", milestone.name);
            say("needs", what, "name milestones that stand above it");
        }
        if milestone.hold == Some(MilestoneHold::Ever) && milestone.reads_answer() {
            let what = format!("milestone `{}` reads the answer and holds `ever`", milestone.name);
            say(
                "hold",
                what,
                "guesses could be noted one by one until one is right: write hold = \"end\", or leave it out",
            );
        }
        if !(milestone.weight.is_finite() && milestone.weight >= 0.0) {
            let what = format!("the weight of milestone `{}` is {}", milestone.name, milestone.weight);
            say("weight", what, "a weight is 0 or more");
        }
        let template = milestone.instruction.as_deref().map_or(Ok(()), template_is_sound);
        if let Err(problem) = template {
            let what = format!("milestone `{}`: {}", milestone.name, problem.what);
            say("milestones", what, problem.hint.as_deref().unwrap_or_default());
        }
    }
    found
}

/// What is wrong with notes and with milestones that make the score.
fn unsound_chain(spec: &TaskSpec, text: &str) -> Vec<TaskProblem> {
    let notes_in_vain = spec.world.act.contains(&ActionGroup::Note) && spec.result.kind != ResultKind::Fields;
    let no_links = spec.compose.how == ComposeHow::Chain && spec.milestones.is_empty();
    let wrong = [
        (
            notes_in_vain,
            "act",
            "`note` is allowed, and no answer is asked for",
            "write result.kind = \"fields\" and say which, or take `note` out",
        ),
        (
            no_links,
            "how",
            "`chain` makes the score of milestones, and there are none",
            "declare [[milestones]], or compose by `all` or `weighted`",
        ),
    ];
    let wrong = wrong.into_iter().filter(|(is_wrong, ..)| *is_wrong);
    wrong.map(|(_, key, what, hint)| problem_at(text, key, what.to_owned(), Some(hint.to_owned()))).collect()
}

/// Parts of the format that no world supports yet: refused rather than ignored. What some worlds support and others do
/// not is refused where a task meets its world: see [`super::unsupported`].
fn reserved(spec: &TaskSpec, text: &str) -> Vec<TaskProblem> {
    let used = [
        ("os", spec.world.os.is_some()),
        ("resources", spec.world.resources.is_some()),
        ("software", !spec.world.software.is_empty()),
        ("network", spec.world.network != super::spec::Network::None),
        ("start", spec.milestones.iter().any(|milestone| milestone.start.is_some())),
    ];
    used.iter()
        .filter(|(_, used)| *used)
        .map(|(key, _)| {
            let hint = Some("it is reserved; take it out".to_owned());
            problem_at(text, key, format!("`{key}` is not supported yet"), hint)
        })
        .collect()
}

/// A problem at the first place that sets the key: `key = ...`, `[key]`, `[table.key]` or within an inline table.
fn problem_at(text: &str, key: &str, what: String, hint: Option<String>) -> TaskProblem {
    let sets_key = |line: &str, at: usize| {
        let before = line[..at].trim_end().chars().next_back();
        let after = line[at + key.len()..].trim_start().chars().next();
        before.is_none_or(|c| "[{,.".contains(c)) && after.is_some_and(|c| "=].".contains(c))
    };
    let column_of = |line: &str| line.match_indices(key).map(|(at, _)| at).find(|at| sets_key(line, *at));
    let place = text.lines().enumerate().find_map(|(line_idx, line)| Some((line_idx + 1, column_of(line)? + 1)));
    TaskProblem { file: "task.toml".to_owned(), place, what, hint }
}
