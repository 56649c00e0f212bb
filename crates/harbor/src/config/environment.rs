//! The table `[environment]`, also that of tests.

use std::collections::BTreeMap;

use toml::Value;

use crate::network::{NetworkMode, NetworkPolicy, of_environment};
use crate::table_reader::{TableReader, brief};

/// How long building may take unless told, in seconds.
const BUILD_SEC: f64 = 600.0;

/// Where a task is played, or where its tests run.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentSection {
    /// Seconds that building may take.
    pub build_timeout_sec: f64,
    /// An image that is built already.
    pub docker_image: Option<String>,
    /// The operating system; nothing where it is not told, which means Linux or that of the environment it stands in for.
    pub os: Option<HarborOs>,
    /// Processors.
    pub cpus: Option<i64>,
    /// Memory.
    pub memory_mb: Option<i64>,
    /// Room on the disk.
    pub storage_mb: Option<i64>,
    /// Graphics processors.
    pub gpus: Option<i64>,
    /// Which of them will do.
    pub gpu_types: Option<Vec<String>>,
    /// Tensor processors.
    pub tpu: Option<TpuSlice>,
    /// The network.
    pub network: NetworkPolicy,
    /// Servers of tools for the agent.
    pub mcp_servers: Vec<HarborMcpServer>,
    /// Variables.
    pub env: BTreeMap<String, String>,
    /// A folder of skills for the agent.
    pub skills_dir: Option<String>,
    /// How to find out that everything has started.
    pub healthcheck: Option<HealthcheckSection>,
    /// Where commands begin.
    pub workdir: Option<String>,
}

/// An operating system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HarborOs {
    /// Linux.
    #[default]
    Linux,
    /// Windows.
    Windows,
}

/// A slice of tensor processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TpuSlice {
    /// Which.
    pub kind: String,
    /// How they are laid out: `2x4`.
    pub topology: String,
}

/// A server of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarborMcpServer {
    /// Its name.
    pub name: String,
    /// How it is spoken to: `stdio`, `sse` or `streamable-http`.
    pub transport: &'static str,
    /// Its address.
    pub url: Option<String>,
    /// The program that it is.
    pub command: Option<String>,
    /// What the program is given.
    pub args: Vec<String>,
}

/// A command that succeeds once everything has started.
#[derive(Clone, Debug, PartialEq)]
pub struct HealthcheckSection {
    /// The command line.
    pub command: String,
    /// Seconds between tries.
    pub interval_sec: f64,
    /// Seconds that a try may take.
    pub timeout_sec: f64,
    /// Seconds during which failures do not count.
    pub start_period_sec: f64,
    /// Seconds between tries during that time.
    pub start_interval_sec: f64,
    /// Failures in a row that are too many.
    pub retries: i64,
}

impl Default for EnvironmentSection {
    fn default() -> Self {
        Self {
            build_timeout_sec: BUILD_SEC,
            docker_image: None,
            os: None,
            cpus: None,
            memory_mb: None,
            storage_mb: None,
            gpus: None,
            gpu_types: None,
            tpu: None,
            network: NetworkPolicy { mode: NetworkMode::Public, hosts: Vec::new() },
            mcp_servers: Vec::new(),
            env: BTreeMap::new(),
            skills_dir: None,
            healthcheck: None,
            workdir: None,
        }
    }
}

pub(super) fn environment(reader: &mut TableReader<'_>) -> EnvironmentSection {
    EnvironmentSection {
        build_timeout_sec: reader.number("build_timeout_sec").unwrap_or(BUILD_SEC),
        docker_image: reader.text("docker_image").filter(|image| !image.is_empty()),
        os: reader.field("os", "`linux` or `windows`", system),
        cpus: reader.whole("cpus"),
        memory_mb: size(reader, "memory"),
        storage_mb: size(reader, "storage"),
        gpus: reader.whole("gpus"),
        gpu_types: reader.texts("gpu_types"),
        tpu: reader.nested("tpu", tpu),
        network: of_environment(reader),
        mcp_servers: reader.tables("mcp_servers", mcp_server).unwrap_or_default(),
        env: reader.text_map("env"),
        skills_dir: reader.text("skills_dir"),
        healthcheck: reader.nested("healthcheck", healthcheck),
        workdir: reader.text("workdir"),
    }
}

fn system(value: &Value) -> Option<HarborOs> {
    match value.as_str()?.to_lowercase().as_str() {
        "linux" => Some(HarborOs::Linux),
        "windows" => Some(HarborOs::Windows),
        _ => None,
    }
}

/// A size in megabytes, or by its old name as `2G`. An old size that is no text counts for nothing, as in the package.
fn size(reader: &mut TableReader<'_>, old: &str) -> Option<i64> {
    let new = format!("{old}_mb");
    let told = reader.whole(&new);
    let Some(Value::String(text)) = reader.take(old) else { return told };
    let Some(size) = megabytes(&text) else {
        reader.wrong(old, format!("must be a size such as \"2G\" or \"512M\", not {}", brief(&text.into())));
        return told;
    };
    if told.is_some_and(|told| told != size) {
        reader.wrong(old, format!("is {size} MB, and `{new}` says otherwise"));
    }
    told.or(Some(size))
}

fn megabytes(text: &str) -> Option<i64> {
    let text = text.trim().to_uppercase();
    let unit = text.chars().next_back()?;
    let in_unit = text.strip_suffix(unit)?.trim().parse::<f64>().ok().filter(|size| size.is_finite())?;
    match unit {
        'G' => Some((in_unit * 1024.0) as i64),
        'M' => Some(in_unit as i64),
        'K' => Some((in_unit / 1024.0) as i64),
        _ => None,
    }
}

fn tpu(reader: &mut TableReader<'_>) -> TpuSlice {
    let kind = reader.needed_text("type");
    let topology = reader.needed_text("topology").trim().to_owned();
    if kind.is_empty() {
        reader.wrong("type", "is empty");
    }
    let sides: Vec<&str> = topology.split('x').collect();
    let is_side = |side: &&str| !side.starts_with('0') && side.parse::<u32>().is_ok() && !side.starts_with('+');
    if sides.len() < 2 || !sides.iter().all(is_side) {
        reader.wrong("topology", format!("is `{topology}`: sides such as `2x4` are wanted"));
    }
    TpuSlice { kind, topology }
}

fn mcp_server(reader: &mut TableReader<'_>) -> HarborMcpServer {
    let words =
        [("sse", "sse"), ("stdio", "stdio"), ("streamable-http", "streamable-http"), ("http", "streamable-http")];
    let server = HarborMcpServer {
        name: reader.needed_text("name"),
        transport: reader.choice("transport", &words).unwrap_or("sse"),
        url: reader.text("url").filter(|url| !url.is_empty()),
        command: reader.text("command").filter(|command| !command.is_empty()),
        args: reader.texts("args").unwrap_or_default(),
    };
    if server.transport == "stdio" && server.command.is_none() {
        reader.wrong("command", "is missing: a server over `stdio` is a program");
    }
    if server.transport != "stdio" && server.url.is_none() {
        reader.wrong("url", format!("is missing: a server over `{}` has an address", server.transport));
    }
    server
}

pub(super) fn healthcheck(reader: &mut TableReader<'_>) -> HealthcheckSection {
    HealthcheckSection {
        command: reader.needed_text("command"),
        interval_sec: reader.number("interval_sec").unwrap_or(5.0),
        timeout_sec: reader.number("timeout_sec").unwrap_or(30.0),
        start_period_sec: reader.number("start_period_sec").unwrap_or(0.0),
        start_interval_sec: reader.number("start_interval_sec").unwrap_or(5.0),
        retries: reader.whole("retries").unwrap_or(3),
    }
}
