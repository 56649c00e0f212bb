//! Every environment variable with a name of ours: what it says and who reads it.
//!
//! Only the names are here; whoever needs a value reads it. `docs/environment.md` is made of this table.

/// Whom a variable is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableReader {
    /// The command and the Python package.
    Product,
    /// An agent that we start; we set it.
    Agent,
    /// The files in `deploy`.
    Deployment,
    /// Tests and measurements of this project.
    Tests,
    /// A test or a measurement that starts itself again; nobody else sets it.
    Child,
}

/// A variable, as the documentation tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvironmentVariable {
    /// Its name in the environment.
    pub name: &'static str,
    /// Whom it is meant for.
    pub reader: VariableReader,
    /// What it says, as a sentence in Markdown.
    pub says: &'static str,
}

/// What every name begins with. A constant is called like its variable, without this.
macro_rules! named {
    ($name:ident) => {
        concat!("QUINTAIN_", stringify!($name))
    };
}

macro_rules! variables {
    ($($reader:ident { $($name:ident: $says:literal,)* })*) => {
        $($(#[doc = $says] pub const $name: &str = named!($name);)*)*

        /// All variables, in the order of the documentation.
        pub const ALL: &[EnvironmentVariable] = &[
            $($(EnvironmentVariable { name: $name, reader: VariableReader::$reader, says: $says },)*)*
        ];
    };
}

variables! {
    Product {
        SUITES: "A folder of suites, instead of the built-in ones (`--suites`).",
        PHOTOS: "A folder of photographs, instead of generated scenes (`--photos`).",
        LABELS: "A label file in COCO or LVIS format, instead of generated pictures (`--labels`).",
        MESHES: "A folder of OBJ or glTF files, instead of generated toys (`--meshes`).",
        CLIPS: "A folder of clips, instead of generated happenings (`--clips`).",
        MODELS: "A file that says what is known of models, before what is built in (`--models`).",
        RUNS: "Where runs are kept (`--runs`).",
        DATA: "The folder that fetched data is kept in (`quintain data --into`).",
        TREES: "The folder that root trees are kept in (`quintain tree --trees`).",
        NO_SANDBOX: "Runs browsers without Chromium's own sandbox (`--no-sandbox`); `0`, `false`, `no` and `off` do not.",
        CHROMIUM: "The headless Chromium to use, instead of the one that is found.",
        BWRAP: "The bubblewrap to make sandboxes with, instead of the one that is found.",
        NGSPICE: "The ngspice to use, instead of the one that is found.",
        MUJOCO: "The library of MuJoCo, or the folder that holds it, instead of the one that is found.",
        NATS: "The server of a fleet, or several with commas between (`--nats`).",
        STORE: "The archive of a fleet: a folder that all hosts see, or `s3://bucket/prefix` (`--store`).",
        FLEET: "The name of a fleet (`--fleet`).",
        CREDENTIALS: "A file with a seed of a NATS key, or a `.creds` file (`--credentials`).",
        CA: "A file with the certificates of those who vouch for the server (`--ca`).",
        LEASE: "Seconds after which the trials of a silent worker are given to others (`--lease`).",
        REPLICAS: "On how many servers of a cluster everything is kept (`--replicas`).",
    }
    Agent {
        URL: "The address of the trial: [outside-agents.md](outside-agents.md).",
        MCP_URL: "The same trial as an MCP server.",
    }
    Deployment {
        CAN: "The kinds of worlds that a worker under systemd takes; the unit gives it to `--can`.",
    }
    Tests {
        FULL: "With any value: the long forms of the tests that have one.",
        WRITE: "With any value: generated files are written anew instead of being compared (`just gen`).",
        PAGES: "A folder into which a test of sites writes pages of sixteen worlds, to be looked at.",
        SAMPLES: "A folder of sample data, for the tests that read real files.",
        REQUIRE_MUJOCO: "With any value: tests of physics fail where MuJoCo is not found, instead of being passed over.",
        NATS_SERVER: "The program `nats-server`, instead of the one on the path.",
        WEED: "The program `weed` of `SeaweedFS`, instead of the one on the path.",
        DUCKDB_PYTHON: "A Python that has `duckdb`, to read exported outcomes with.",
        METRICS_PYTHON: "A Python that has `prometheus_client`, to read metrics with.",
        HARBOR_PYTHON: "A Python that has `harbor`, to read tasks and rewards with.",
        LITELLM_PYTHON: "A Python that has `litellm`, to compare what calls cost with.",
        OPENENV_PYTHON: "A Python that has `openenv`, to look at our server for trainers with.",
        OTLP_PYTHON: "A Python that has `opentelemetry-proto`, to read traces with.",
        SDK_PYTHON: "A Python that has `anthropic`, `openai` and `google-genai`, to talk to the simulator and to read requests with.",
        SAID: "A file to which the test of limits writes what it measured.",
    }
    Child {
        WORKSPACE_KILL_TEST: "The folder of the run of workspaces that is killed again and again.",
        KILL_TEST_RUN: "The folder of the run that is killed again and again.",
        KILL_PART: "The part that a process has in the ordeals of a fleet.",
        LARGE_TEST: "The part that a process has in the test of large files.",
        WORKER_TEST: "The settings of a worker that is killed.",
        TEST_COMPACT: "The archive of a compactor that is killed.",
        BENCH_PROVIDER: "Makes the measurement of loops the provider that it asks.",
    }
}
