//! The text that names an agent, on the command line and in the header of a run.

mod models;

use std::fmt;
use std::str::FromStr;

use quintain_core::world::OracleStyle;
use quintain_core::{AgentIsolation, Digest, suggest};
use quintain_models::providers::NotAModel;
use quintain_process::sandbox::ProgramAccess;
use serde::{Deserialize, Serialize};

pub use models::{LoopKind, LoopSpec};

/// Which agent plays, and how. Its text form reads back as the same value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AgentSpec {
    /// `oracle`, `oracle:strategy=padded,length=20,seed=3`: the world's or the task's own solution.
    Oracle(OracleStyle),
    /// `idle`: ends the trial at once.
    Idle,
    /// `idle:endless`: never does anything and never ends.
    Endless,
    /// `random`, `random:seed=3`: blind draws from what the world publishes.
    Random {
        /// The seed of its draws, mixed with the trial's own.
        seed: u64,
    },
    /// `replay:RUN`: says again what was said in a recorded run.
    Replay {
        /// The run, as the command line names it.
        run: String,
    },
    /// `cmd:python3 my_agent.py`: a program that speaks JSON lines. No shell is involved.
    Command {
        /// The program and its arguments. Invariant of everything parsed: at least one word, no NUL.
        argv: Vec<String>,
    },
    /// `outside:claude -p {instruction}`: an unmodified program that finds the trial's addresses in its environment.
    Outside {
        /// The program and its arguments. Invariant of everything parsed: at least one word, no NUL.
        argv: Vec<String>,
    },
    /// `react:anthropic/claude-opus-4-6,pictures=5`: a model in a loop.
    Model(Box<LoopSpec>),
}

/// A text that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAgent {
    /// The first word is unknown.
    #[error("there is no agent `{name}`; {hint}")]
    Kind {
        /// The word used.
        name: String,
        /// What was probably meant.
        hint: String,
    },
    /// An option is unknown.
    #[error("agent `{kind}` takes no option `{option}`; {hint}")]
    Option {
        /// The agent.
        kind: String,
        /// The option used.
        option: String,
        /// What was probably meant.
        hint: String,
    },
    /// An option stands there twice.
    #[error("option `{0}` is given twice")]
    Twice(String),
    /// An option has no sensible value.
    #[error("option `{option}` must be {wanted}, not `{given}`")]
    Value {
        /// The option.
        option: String,
        /// What it should be.
        wanted: &'static str,
        /// What it was.
        given: String,
    },
    /// What follows the colon is missing.
    #[error("agent `{kind}` needs {what}; write `{example}`")]
    Missing {
        /// The agent.
        kind: &'static str,
        /// What is missing.
        what: &'static str,
        /// How it looks.
        example: &'static str,
    },
    /// A command line that cannot be split into words.
    #[error("the command `{0}` cannot be split into words; is a quote left open?")]
    Words(String),
    /// What should name a model does not.
    #[error(transparent)]
    Model(#[from] NotAModel),
    /// What should name the variable that holds a key does not. It is not repeated: it may be the key itself.
    #[error(
        "option `key` must be the name of an environment variable, such as OPENAI_API_KEY, and never the key itself"
    )]
    NotAVariable,
}

impl AgentSpec {
    /// What the first word of a spec can be.
    pub const KINDS: [&str; 10] =
        ["oracle", "idle", "random", "replay", "cmd", "outside", "turns", "react", "generalist", "planner"];

    /// A short name for trials: letters, digits and `. _ - :` only, the same for ever, different for different specs.
    pub fn label(&self) -> String {
        match self {
            Self::Oracle(_) | Self::Idle | Self::Endless | Self::Random { .. } => {
                self.to_string().replace('=', "-").replace(',', ":")
            }
            Self::Replay { run } => tagged("replay", run, run),
            Self::Command { argv } => tagged("cmd", program(argv), &self.to_string()),
            Self::Outside { argv } => tagged("outside", program(argv), &self.to_string()),
            Self::Model(spec) => tagged(spec.kind.name(), &spec.model.full_name().replace('/', "-"), &self.to_string()),
        }
    }

    /// Whether it is a program of the agent's own, which we start.
    pub fn is_program(&self) -> bool {
        match self {
            Self::Command { .. } | Self::Outside { .. } => true,
            Self::Oracle(_)
            | Self::Idle
            | Self::Endless
            | Self::Random { .. }
            | Self::Replay { .. }
            | Self::Model(_) => false,
        }
    }

    /// What keeps it from the solution, where its own program may see so much.
    pub fn isolation(&self, access: &ProgramAccess) -> AgentIsolation {
        match (self.is_program(), access) {
            (false, _) => AgentIsolation::OurCode,
            (true, ProgramAccess::Sandbox { .. }) => AgentIsolation::Sandboxed,
            (true, ProgramAccess::Host) => AgentIsolation::Unconfined,
        }
    }
}

/// The word of a command line that tells most: the script rather than its interpreter.
fn program(argv: &[String]) -> &str {
    let script = argv.iter().skip(1).find(|word| !word.starts_with('-') && word.contains(['.', '/']));
    script.or(argv.first()).map_or("", String::as_str)
}

/// The last name of a path, with a hash of the whole text so that no two share a label.
fn tagged(kind: &str, path: &str, whole: &str) -> String {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name.chars().take(40).map(|c| if allowed(c) { c } else { '_' }).collect();
    format!("{kind}:{name}-{}", &Digest::of(whole.as_bytes()).short()[..8])
}

impl FromStr for AgentSpec {
    type Err = NotAnAgent;

    fn from_str(text: &str) -> Result<Self, NotAnAgent> {
        let (kind, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let rest = rest.trim();
        match kind {
            "oracle" => oracle(rest),
            "idle" => idle(rest),
            "random" => random(rest),
            "replay" if rest.is_empty() => {
                Err(NotAnAgent::Missing { kind: "replay", what: "a run", example: "replay:runs/last" })
            }
            "replay" => Ok(Self::Replay { run: rest.to_owned() }),
            "cmd" => Ok(Self::Command { argv: command("cmd", "cmd:python3 my_agent.py", rest)? }),
            "outside" => Ok(Self::Outside { argv: command("outside", "outside:my-agent -p {instruction}", rest)? }),
            other => match models::kind(other) {
                Some(kind) => Ok(Self::Model(Box::new(LoopSpec::read(kind, rest)?))),
                None => Err(NotAnAgent::Kind { name: other.to_owned(), hint: what_was_meant(other, text) }),
            },
        }
    }
}

fn what_was_meant(kind: &str, text: &str) -> String {
    if let Some(hint) = models::hint(text) {
        return hint;
    }
    if kind.contains(['/', ' ', '.']) {
        return format!("to run a program, write `cmd:{}`", text.trim());
    }
    suggest::hint(kind, AgentSpec::KINDS)
}

fn oracle(rest: &str) -> Result<AgentSpec, NotAnAgent> {
    let options = Options::read("oracle", rest, &["strategy", "length", "seed"])?;
    let strategy = options.get("strategy").map(word).transpose()?;
    let length = options.get("length").map(|given| whole("length", given)).transpose()?;
    let seed = options.get("seed").map_or(Ok(0), |given| whole("seed", given))?;
    Ok(AgentSpec::Oracle(OracleStyle { strategy, length, seed }))
}

fn idle(rest: &str) -> Result<AgentSpec, NotAnAgent> {
    match rest {
        "" => Ok(AgentSpec::Idle),
        "endless" => Ok(AgentSpec::Endless),
        other => Err(NotAnAgent::Option {
            kind: "idle".to_owned(),
            option: other.to_owned(),
            hint: suggest::hint(other, ["endless"]),
        }),
    }
}

fn random(rest: &str) -> Result<AgentSpec, NotAnAgent> {
    let options = Options::read("random", rest, &["seed"])?;
    Ok(AgentSpec::Random { seed: options.get("seed").map_or(Ok(0), |given| whole("seed", given))? })
}

fn command(kind: &'static str, example: &'static str, rest: &str) -> Result<Vec<String>, NotAnAgent> {
    let unsplit = || NotAnAgent::Words(rest.to_owned());
    let argv = shlex::split(rest).filter(|words| words.iter().all(|word| !word.contains('\0'))).ok_or_else(unsplit)?;
    if argv.first().is_none_or(String::is_empty) {
        return Err(NotAnAgent::Missing { kind, what: "a program", example });
    }
    Ok(argv)
}

/// `key=value,key=value`
struct Options<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Options<'a> {
    fn read(kind: &str, text: &'a str, known: &[&str]) -> Result<Self, NotAnAgent> {
        let mut options = Self(Vec::new());
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let (key, value) = (key.trim(), value.trim());
            if !known.contains(&key) {
                let hint = suggest::hint(key, known.iter().copied());
                return Err(NotAnAgent::Option { kind: kind.to_owned(), option: key.to_owned(), hint });
            }
            if options.get(key).is_some() {
                return Err(NotAnAgent::Twice(key.to_owned()));
            }
            options.0.push((key, value));
        }
        Ok(options)
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }
}

fn whole<T: FromStr>(option: &str, given: &str) -> Result<T, NotAnAgent> {
    given.parse().map_err(|_cause| NotAnAgent::Value {
        option: option.to_owned(),
        wanted: "a whole number",
        given: given.to_owned(),
    })
}

fn word(given: &str) -> Result<String, NotAnAgent> {
    let is_word = !given.is_empty() && given.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    is_word.then(|| given.to_owned()).ok_or_else(|| NotAnAgent::Value {
        option: "strategy".to_owned(),
        wanted: "a name of letters, digits, `.`, `_` and `-`",
        given: given.to_owned(),
    })
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Oracle(style) => with_options(f, "oracle", &described(style)),
            Self::Idle => f.write_str("idle"),
            Self::Endless => f.write_str("idle:endless"),
            Self::Random { seed: 0 } => f.write_str("random"),
            Self::Random { seed } => write!(f, "random:seed={seed}"),
            Self::Replay { run } => write!(f, "replay:{run}"),
            Self::Command { argv } => write!(f, "cmd:{}", joined(argv)?),
            Self::Outside { argv } => write!(f, "outside:{}", joined(argv)?),
            Self::Model(spec) => write!(f, "{spec}"),
        }
    }
}

fn joined(argv: &[String]) -> Result<String, fmt::Error> {
    shlex::try_join(argv.iter().map(String::as_str)).map_err(|_nul| fmt::Error)
}

fn described(style: &OracleStyle) -> Vec<String> {
    let strategy = style.strategy.as_ref().map(|strategy| format!("strategy={strategy}"));
    let length = style.length.map(|length| format!("length={length}"));
    let seed = (style.seed != 0).then(|| format!("seed={}", style.seed));
    [strategy, length, seed].into_iter().flatten().collect()
}

fn with_options(f: &mut fmt::Formatter<'_>, kind: &str, options: &[String]) -> fmt::Result {
    f.write_str(kind)?;
    if options.is_empty() { Ok(()) } else { write!(f, ":{}", options.join(",")) }
}

impl TryFrom<String> for AgentSpec {
    type Error = NotAnAgent;

    fn try_from(text: String) -> Result<Self, NotAnAgent> {
        text.parse()
    }
}

impl From<AgentSpec> for String {
    fn from(spec: AgentSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests;
