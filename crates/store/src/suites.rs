//! Suites of tasks, from a directory or from the copy in the binary.

mod ignored;
mod selector;
mod source;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use quintain_core::task::{TaskProblem, TaskProblems};
use quintain_core::{Digest, Pick, Stretch, Task, suggest};

use selector::Selector;
use source::{EMBEDDED, FolderFiles, SuiteSource};

pub use source::BuiltInFiles;

/// The folder of suites beside whoever works on tasks of their own.
pub const OWN_SUITES: &str = "suites";

/// Suites of tasks. Names are looked up at once, files are read when tasks are asked for.
#[derive(Clone, Debug)]
pub struct Suites {
    source: SuiteSource,
}

/// A task that was asked for, and what was asked of its instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The task.
    pub task: Task,
    /// The only preset that was asked for.
    pub preset: Option<String>,
    /// The only seed that was asked for.
    pub seed: Option<u64>,
    /// The only stretch of the task that was asked for.
    pub stretch: Option<Stretch>,
}

/// A task whose folder has something wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenTask {
    /// The path of its folder.
    pub folder: String,
    /// Everything that is wrong.
    pub problems: TaskProblems,
}

/// Why tasks could not be found or read.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// No such suite or task.
    #[error("there is no suite or task `{selector}`\nhint: {hint}")]
    Unknown {
        /// What was asked for.
        selector: String,
        /// What was probably meant.
        hint: String,
    },
    /// No such preset.
    #[error("`{selector}`: there is no preset `{preset}`\nhint: {hint}")]
    UnknownPreset {
        /// What was asked for.
        selector: String,
        /// The preset.
        preset: String,
        /// What was probably meant.
        hint: String,
    },
    /// No such milestones.
    #[error("`{selector}`: {why}\nhint: `quintain show TASK` lists a task's milestones")]
    NoSuchStretch {
        /// What was asked for.
        selector: String,
        /// Why there is none.
        why: String,
    },
    /// Not in the form of a selector.
    #[error(
        "`{selector}` cannot be read as a choice of tasks: {why}\nhint: for example `puzzles`, `puzzles/maze-*` or \
         `puzzles/maze-2d@easy#7`"
    )]
    BadSelector {
        /// What was asked for.
        selector: String,
        /// What is wrong with it.
        why: String,
    },
    /// Tasks with something wrong in their folders: all of them, with everything that is wrong.
    #[error("{}", list(.0))]
    Broken(Vec<BrokenTask>),
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Suites {
    /// The suites in the binary.
    pub fn embedded() -> Self {
        Self::embedded_with(&[])
    }

    /// The suites in the binary, and those that a program brings beside them.
    pub fn embedded_with(more: &[BuiltInFiles]) -> Self {
        Self { source: SuiteSource::Embedded([&[EMBEDDED], more].concat()) }
    }

    /// The suites in a directory: `<suite>/<task>/task.toml`.
    pub fn from_dir(path: impl Into<PathBuf>) -> Result<Self, SuiteError> {
        let suites = Self { source: SuiteSource::Dir(path.into()) };
        suites.source.folders()?;
        Ok(suites)
    }

    /// Where they are read from, as a run's header says it: `embedded` or a path.
    pub fn origin(&self) -> String {
        match &self.source {
            SuiteSource::Embedded(_) => "embedded".to_owned(),
            SuiteSource::Dir(path) => path.display().to_string(),
        }
    }

    /// The names of the suites.
    pub fn names(&self) -> Result<Vec<String>, SuiteError> {
        Ok(self.source.folders()?.into_keys().collect())
    }

    /// The names of all tasks, as `suite/task`.
    pub fn task_names(&self) -> Result<Vec<String>, SuiteError> {
        let folders = self.source.folders()?;
        let named = |(suite, tasks): (&String, &Vec<String>)| {
            tasks.iter().map(|task| format!("{suite}/{task}")).collect::<Vec<_>>()
        };
        Ok(folders.iter().flat_map(named).collect())
    }

    /// The tasks that a selector names, whatever it says of presets and seeds.
    pub fn tasks(&self, selector: &str) -> Result<Vec<Task>, SuiteError> {
        Ok(self.select(selector)?.into_iter().map(|selection| selection.task).collect())
    }

    /// What a selector names: `suite`, `suite/task`, `suite/task@preset#seed+2`, `suite/maze-*`, or the path of a task's
    /// or a suite's folder. A path that does not begin with `.` or `/` counts only where no suite or task is meant.
    /// So does a path within [`OWN_SUITES`], where `quintain new` puts tasks.
    pub fn select(&self, selector: &str) -> Result<Vec<Selection>, SuiteError> {
        if selector.starts_with(['.', '/']) {
            return from_path(selector, selector);
        }
        let own = format!("{OWN_SUITES}/{selector}");
        match self.by_name(selector) {
            Err(SuiteError::Unknown { .. } | SuiteError::BadSelector { .. }) if is_path(selector) => {
                from_path(selector, selector)
            }
            Err(SuiteError::Unknown { .. }) if is_path(&own) => from_path(selector, &own),
            other => other,
        }
    }

    /// The folder that a selector leads to, where it is one on disk: of a task, of a suite, or of all suites.
    pub fn folder_of(&self, selector: &str) -> Option<PathBuf> {
        let is_unknown =
            |error: &SuiteError| matches!(error, SuiteError::Unknown { .. } | SuiteError::BadSelector { .. });
        let known = !selector.starts_with(['.', '/']) && !self.by_name(selector).as_ref().is_err_and(is_unknown);
        let own = format!("{OWN_SUITES}/{selector}");
        let path = match &self.source {
            SuiteSource::Dir(root) if known => return Some(root.clone()),
            _ if known => return None,
            _ if is_path(selector) => selector,
            _ => own.as_str(),
        };
        let folder = Path::new(if Path::new(path).is_dir() { path } else { folder_and_rest(path).0 });
        folder.is_dir().then(|| folder.to_owned())
    }

    fn by_name(&self, text: &str) -> Result<Vec<Selection>, SuiteError> {
        let selector = Selector::parse(text)?;
        let folders = self.source.folders()?;
        let meant: Vec<(&str, &str)> = folders
            .iter()
            .flat_map(|(suite, tasks)| tasks.iter().map(|task| (suite.as_str(), task.as_str())))
            .filter(|(suite, task)| selector.takes(suite, task))
            .collect();
        if meant.is_empty() {
            return Err(self.unknown(text, &selector));
        }
        let read = |(suite, task): &(&str, &str)| {
            let folder = self.source.folder(suite, task)?;
            Ok(read_task(suite, task, folder).map_err(|problems| broken(self.source.path_of(suite, task), problems)))
        };
        let tasks = all_or_problems(meant.iter().map(read).collect::<Result<_, SuiteError>>()?)?;
        narrowed(text, &selector, tasks)
    }

    fn unknown(&self, text: &str, selector: &Selector<'_>) -> SuiteError {
        let names = match selector.task {
            Some(_) => self.task_names(),
            None => self.names(),
        };
        let names = names.unwrap_or_default();
        let asked = selector.task.map_or(selector.suite.to_owned(), |task| format!("{}/{task}", selector.suite));
        let mut hint = suggest::hint_of_many(&asked, names.iter().map(String::as_str));
        if hint.ends_with(" more") {
            hint += "; `quintain list tasks` lists them";
        }
        SuiteError::Unknown { selector: text.to_owned(), hint }
    }
}

impl Selection {
    /// The instances that were asked for: every preset with every seed, unless the selector said which.
    pub fn picks(&self, seeds: &[u64]) -> Vec<Pick> {
        let seed = self.seed.map(|seed| [seed]);
        let mut picks = self.task.picks(seed.as_ref().map_or(seeds, |seed| &seed[..]));
        if self.preset.is_some() {
            picks.retain(|pick| pick.preset == self.preset);
        }
        let stretch = self.stretch.unwrap_or_default();
        picks.into_iter().map(|pick| pick.over(stretch)).collect()
    }
}

/// Whether a selector is the path of a folder, with or without a preset, a seed and a stretch behind it.
fn is_path(selector: &str) -> bool {
    Path::new(selector).is_dir() || Path::new(folder_and_rest(selector).0).is_dir()
}

/// A path, and what stands behind it: `@preset#seed+stretch`.
fn folder_and_rest(selector: &str) -> (&str, &str) {
    let last = selector.rfind('/').map_or(0, |slash| slash + 1);
    match selector[last..].find(['@', '#', '+']) {
        Some(mark) => selector.split_at(last + mark),
        None => (selector, ""),
    }
}

/// Tasks from a folder anywhere, with what was asked of their instances.
fn from_path(text: &str, path: &str) -> Result<Vec<Selection>, SuiteError> {
    let (folder, rest) = if Path::new(path).is_dir() { (path, "") } else { folder_and_rest(path) };
    let tasks = tasks_at(text, Path::new(folder))?;
    if rest.is_empty() {
        return Ok(whole(tasks));
    }
    // Where one task is named, it must have what is asked for; of many, those without are not meant.
    let named = if let [task] = tasks.as_slice() { format!("{}{rest}", task.id) } else { format!("all/*{rest}") };
    narrowed(text, &Selector::parse(&named)?, tasks)
}

/// The tasks of a folder. A lone task belongs to the suite it says it belongs to.
fn tasks_at(text: &str, path: &Path) -> Result<Vec<Task>, SuiteError> {
    let unknown = |hint: &str| SuiteError::Unknown { selector: text.to_owned(), hint: hint.to_owned() };
    if !path.is_dir() {
        return Err(unknown("there is no such folder"));
    }
    let full = path.canonicalize().map_err(SuiteError::io(path))?;
    if source::is_task(&full) {
        let folder = source::read_folder(&full)?;
        let suite = suite_of(&folder).unwrap_or_else(|| name_of(full.parent().unwrap_or(&full)));
        let read = read_task(&suite, &name_of(&full), folder);
        let task = read.map_err(|problems| broken(path.display().to_string(), problems));
        return all_or_problems(vec![task]);
    }
    let tasks = source::tasks_in(&full)?;
    if tasks.is_empty() {
        return Err(unknown("the folder holds neither a task.toml nor folders with one"));
    }
    let read = |task: &String| {
        let folder = source::read_folder(&full.join(task))?;
        let named = |problems| broken(path.join(task).display().to_string(), problems);
        Ok(read_task(&name_of(&full), task, folder).map_err(named))
    };
    all_or_problems(tasks.iter().map(read).collect::<Result<_, SuiteError>>()?)
}

/// The digest of a suite, or of the part of it that a run uses: the hash of its tasks' names and digests.
pub fn digest_of<'a>(tasks: impl IntoIterator<Item = &'a Task>) -> Digest {
    let mut parts: Vec<(&str, &[u8])> =
        tasks.into_iter().map(|task| (task.id.as_str(), &task.digest.bytes()[..])).collect();
    parts.sort_unstable();
    Digest::of_parts(parts)
}

fn read_task(suite: &str, folder_name: &str, folder: FolderFiles) -> Result<Task, TaskProblems> {
    let mut problems = folder.problems;
    match Task::from_folder(suite, &folder.files) {
        Ok(task) => {
            problems.extend(misnamed(&task, folder_name));
            if problems.is_empty() { Ok(task) } else { Err(TaskProblems(problems)) }
        }
        Err(found) => {
            problems.extend(found.0);
            Err(TaskProblems(problems))
        }
    }
}

/// A task is looked up by its folder, so the two names must agree.
fn misnamed(task: &Task, folder: &str) -> Option<TaskProblem> {
    (task.id.name() != folder).then(|| TaskProblem {
        file: "task.toml".to_owned(),
        place: None,
        what: format!("the task calls itself `{}` but lies in the folder `{folder}`", task.id.name()),
        hint: Some(format!("rename the folder, or write id = \"{}/{folder}\"", task.id.suite())),
    })
}

/// No `task.toml` is longer than this.
const LONGEST_TASK: u64 = 16 << 20;

/// The suite that a task says it belongs to, if that much of it can be read.
fn suite_of(folder: &FolderFiles) -> Option<String> {
    let text = String::from_utf8(folder.files.get("task.toml")?.whole(LONGEST_TASK).ok()?).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let id = table.get("task")?.get("id")?.as_str()?;
    Some(id.split_once('/')?.0.to_owned())
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// All tasks, or everything that is wrong with any of them.
fn all_or_problems(read: Vec<Result<Task, BrokenTask>>) -> Result<Vec<Task>, SuiteError> {
    let mut tasks = Vec::new();
    let mut broken = Vec::new();
    for one in read {
        match one {
            Ok(task) => tasks.push(task),
            Err(problems) => broken.push(problems),
        }
    }
    if broken.is_empty() { Ok(tasks) } else { Err(SuiteError::Broken(broken)) }
}

fn broken(folder: String, problems: TaskProblems) -> BrokenTask {
    BrokenTask { folder, problems }
}

fn whole(tasks: Vec<Task>) -> Vec<Selection> {
    tasks.into_iter().map(|task| Selection { task, preset: None, seed: None, stretch: None }).collect()
}

/// Applies the preset and the seed. Where many tasks are named at once, those without the preset are not meant.
fn narrowed(text: &str, selector: &Selector<'_>, tasks: Vec<Task>) -> Result<Vec<Selection>, SuiteError> {
    let has = |task: &Task| selector.preset.is_none_or(|preset| task.spec.presets.contains_key(preset));
    let (meant, rest): (Vec<Task>, Vec<Task>) = tasks.into_iter().partition(has);
    let Some(preset) = selector.preset.filter(|_| meant.is_empty() || !(selector.is_wide() || rest.is_empty())) else {
        let preset = selector.preset.map(str::to_owned);
        let Selector { seed, stretch, .. } = *selector;
        let selection = |task| Selection { task, preset: preset.clone(), seed, stretch };
        return Ok(long_enough(text, selector, meant)?.into_iter().map(selection).collect());
    };
    let known: std::collections::BTreeSet<&str> =
        rest.iter().flat_map(|task| task.spec.presets.keys().map(String::as_str)).collect();
    let hint = suggest::hint(preset, known);
    Err(SuiteError::UnknownPreset { selector: text.to_owned(), preset: preset.to_owned(), hint })
}

/// The tasks that have the stretch. Where many are named at once, those without are not meant.
fn long_enough(text: &str, selector: &Selector<'_>, tasks: Vec<Task>) -> Result<Vec<Task>, SuiteError> {
    let Some(stretch) = selector.stretch else { return Ok(tasks) };
    let (mut meant, mut why) = (Vec::new(), None);
    for task in tasks {
        match task.covers(stretch) {
            Ok(()) => meant.push(task),
            Err(problem) => why = why.or(Some(problem)),
        }
    }
    match why.filter(|_| meant.is_empty() || !selector.is_wide()) {
        Some(why) => Err(SuiteError::NoSuchStretch { selector: text.to_owned(), why }),
        None => Ok(meant),
    }
}

impl SuiteError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

impl fmt::Display for BrokenTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.problems.0.iter().map(|problem| format!("{}/{problem}", self.folder)).collect();
        f.write_str(&texts.join("\n"))
    }
}

fn list(tasks: &[BrokenTask]) -> String {
    tasks.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
