//! A task of ours as a Harbor task: its files in an image of Debian 12, its judge in the tests.

use quintain_core::{Action, FileSet};
use toml::{Table, Value};

use crate::import::plain_name;
use crate::solution::quoted;
use crate::task::{DOCKERFILE, INSTRUCTION_FILE, TASK_FILE};

/// Where work is done.
const WORK: &str = "/work";
/// Seconds that judging may take.
const JUDGE_SEC: f64 = 900.0;
/// Seconds that building may take.
const BUILD_SEC: f64 = 1800.0;

/// What a Harbor task is made of.
#[derive(Clone, Copy, Debug)]
pub struct HarborOutline<'a> {
    /// Whose it is: the first half of the name that it has in Harbor.
    pub org: &'a str,
    /// The instance: `suite/task@preset#seed`.
    pub instance: &'a str,
    /// A short title.
    pub title: &'a str,
    /// How hard it is, in a word.
    pub difficulty: &'a str,
    /// What the agent reads, with everything filled in.
    pub instruction: &'a str,
    /// The files that it works on, by their paths in `/work/input`.
    pub input: &'a FileSet,
    /// Packages of Debian 12 that it works with.
    pub apt: &'a [String],
    /// A solution, as the text of a shell script.
    pub solve: Option<&'a str>,
    /// What the judge needs, by paths in `/tests`: the program `quintain` at least, unless the packages bring it.
    pub judge: &'a FileSet,
    /// Minutes that an agent has.
    pub minutes: Option<f64>,
}

/// The files of a Harbor task's folder, schema version 1.4, by their paths from it.
pub fn out_of_task(outline: &HarborOutline<'_>) -> Result<FileSet, toml::ser::Error> {
    let texts = [
        (TASK_FILE, Some(toml::to_string(&declaration(outline))?)),
        (INSTRUCTION_FILE, Some(outline.instruction.to_owned())),
        (DOCKERFILE, Some(dockerfile(outline))),
        ("tests/test.sh", Some(test_script(outline))),
        ("solution/solve.sh", outline.solve.map(str::to_owned)),
    ];
    let texts = texts.into_iter().filter_map(|(path, text)| Some((path.to_owned(), text?.into_bytes().into())));
    let mut files: FileSet = texts.collect();
    let named = |folder: &'static str, from: &FileSet| -> FileSet {
        from.iter().map(|(path, file)| (format!("{folder}/{path}"), file.clone())).collect()
    };
    files.extend(named("environment/input", outline.input));
    // The script that judges is ours, whatever else is called so.
    let judge = named("tests", outline.judge).into_iter().filter(|(path, _)| path != "tests/test.sh");
    files.extend(judge);
    Ok(files)
}

fn table<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Table {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn declaration(outline: &HarborOutline<'_>) -> Table {
    let name = format!("{}/{}", plain_name(outline.org), plain_name(outline.instance));
    let package = table([
        ("name", name.into()),
        ("description", outline.title.into()),
        ("keywords", Value::Array(vec!["quintain".into()])),
    ]);
    let metadata = table([("difficulty", outline.difficulty.into()), ("instance", outline.instance.into())]);
    let agent = table(outline.minutes.map(|minutes| ("timeout_sec", (minutes * 60.0).into())));
    let verifier = table([("environment_mode", "separate".into()), ("timeout_sec", JUDGE_SEC.into())]);
    let environment = table([
        ("build_timeout_sec", BUILD_SEC.into()),
        ("network_mode", "no-network".into()),
        ("workdir", WORK.into()),
    ]);
    table([
        ("schema_version", "1.4".into()),
        ("artifacts", Value::Array(vec![format!("{WORK}/output").into()])),
        ("task", package.into()),
        ("metadata", metadata.into()),
        ("agent", agent.into()),
        ("verifier", verifier.into()),
        ("environment", environment.into()),
    ])
}

fn dockerfile(outline: &HarborOutline<'_>) -> String {
    let install = "RUN apt-get update \\\n    && apt-get install -y --no-install-recommends";
    let apt = match outline.apt {
        [] => String::new(),
        packages => format!("{install} {} \\\n    && rm -rf /var/lib/apt/lists/*\n", packages.join(" ")),
    };
    let input = if outline.input.is_empty() { String::new() } else { format!("COPY input/ {WORK}/input/\n") };
    format!("FROM debian:12\n{apt}{input}RUN mkdir -p {WORK}/input {WORK}/output\nWORKDIR {WORK}\n")
}

/// A judge that breaks leaves no reward, which is an error in Harbor and no 0.
fn test_script(outline: &HarborOutline<'_>) -> String {
    format!(
        "#!/bin/bash\n\
         # What the agent left in {WORK}/output is judged by the program that judges this task everywhere.\n\
         chmod +x /tests/quintain 2>/dev/null\n\
         export PATH=\"/tests:$PATH\"\n\
         mkdir -p /logs/verifier\n\
         cd \"$(mktemp -d)\"\n\
         quintain submit {} --files {WORK}/output --reward /logs/verifier/reward.json\n",
        quoted(outline.instance)
    )
}

/// Actions of a workspace as a shell script that does the same; nothing where one of them is neither a command nor a file that
/// is written.
pub fn solve_script(actions: &[Action]) -> Option<String> {
    let lines: Option<Vec<String>> = actions.iter().filter(|action| !action.completes()).map(line).collect();
    Some(format!("#!/bin/bash\ncd {WORK}\n{}", lines?.concat()))
}

fn line(action: &Action) -> Option<String> {
    match action {
        Action::Shell { command } => Some(format!("bash -c {}\n", quoted(command))),
        Action::Call(call) if call.name == "write_file" => {
            let path = quoted(call.args.first()?.as_str()?);
            let text = quoted(call.args.get(1)?.as_str()?);
            Some(format!("mkdir -p \"$(dirname {path})\"\nprintf '%s' {text} > {path}\n"))
        }
        _ => None,
    }
}
