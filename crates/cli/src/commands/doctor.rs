//! `quintain doctor`

mod ask;
mod of_models;
mod of_run;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::offering::{BrokenSources, Offering, WorldNeed, WorldSource};
use quintain_core::variables;
use quintain_core::words::count;
use quintain_process::SpawnOptions;
use quintain_process::sandbox::{HostExamination, SandboxHost, this_host};
use quintain_workshop::{HostTrees, Workshop, is_program};
use serde::Serialize;

use crate::args::{DEFAULT_FLEET, DoctorArgs, FleetArgs};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{disk, fleet};

/// How long a program is waited for that tells its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// As many bytes as are kept of what it tells.
const LONGEST_VERSION: usize = 4 << 10;

#[derive(Serialize)]
struct DoctorFinding {
    what: String,
    fine: bool,
    needed: bool,
    detail: String,
    mend: Option<&'static str>,
}

pub(crate) fn doctor(args: &DoctorArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    match (&args.run, &args.ask) {
        (Some(run), _) => of_run::doctor(run, args.mend, workshop, printer),
        (None, Some(model)) => ask::doctor(model, workshop, printer),
        (None, None) => of_machine(workshop, printer),
    }
}

fn of_machine(workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let offered = workshop.offered();
    let mut findings = vec![suites(workshop)];
    findings.extend(offered.iter().flat_map(sources).map(source));
    findings.extend([runs(workshop), sandbox(), trees(), python()]);
    findings.extend(of_models::findings(workshop));
    let mut told = BTreeSet::new();
    let needs = offered.iter().flatten().flat_map(|offering| &offering.needs);
    findings.extend(needs.filter(|need| told.insert(need.name)).map(need));
    findings.extend(of_fleet()?);
    printer.data(&findings, || findings.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    let broken = findings.iter().any(|finding| finding.needed && !finding.fine);
    Ok(if broken { Exit::Refused } else { Exit::Success })
}

/// What a fleet needs, where the environment names one.
fn of_fleet() -> anyhow::Result<Vec<DoctorFinding>> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let reached = FleetArgs {
        nats: variable(variables::NATS),
        store: variable(variables::STORE),
        fleet: variable(variables::FLEET).unwrap_or_else(|| DEFAULT_FLEET.to_owned()),
        credentials: variable(variables::CREDENTIALS).map(PathBuf::from),
        ca: variable(variables::CA).map(PathBuf::from),
        ..FleetArgs::default()
    };
    let runtime = fleet::runtime()?;
    let server = reached.nats.is_some().then(|| runtime.block_on(server(&reached)));
    let archive = reached.store.is_some().then(|| runtime.block_on(archive(&reached)));
    Ok(server.into_iter().chain(archive).collect())
}

async fn server(reached: &FleetArgs) -> DoctorFinding {
    let connected = async { fleet::connect(&fleet::link(reached, &fleet::here())?).await };
    let (fine, detail) = match connected.await {
        Ok(client) if !client.server_info().jetstream => {
            (false, "it is there, but runs without JetStream (-js)".to_owned())
        }
        Ok(client) => (true, format!("version {}", client.server_info().version)),
        Err(error) => (false, first_line_of(&error)),
    };
    let mend = Some("docs/fleet.md tells how to start one; QUINTAIN_NATS names it");
    DoctorFinding { what: "the NATS server (for fleets)".to_owned(), fine, needed: true, detail, mend }
}

async fn archive(reached: &FleetArgs) -> DoctorFinding {
    let checked = async { anyhow::Ok(fleet::archive(reached)?.check().await?) };
    let (fine, detail) = match checked.await {
        Ok(()) => (true, "can be written, and keeps what is there".to_owned()),
        Err(error) => (false, first_line_of(&error)),
    };
    let mend = Some("name a folder in QUINTAIN_STORE, or s3://... with AWS_* variables");
    DoctorFinding { what: "the archive (for fleets)".to_owned(), fine, needed: true, detail, mend }
}

fn first_line_of(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}

fn line(finding: &DoctorFinding) -> String {
    let mark = match (finding.fine, finding.needed) {
        (true, _) => "ok      ",
        (false, true) => "broken  ",
        (false, false) => "missing ",
    };
    let mend = finding.mend.filter(|_| !finding.fine).map_or(String::new(), |mend| format!("\n        hint: {mend}"));
    format!("{mark}{}: {}{mend}", finding.what, finding.detail)
}

fn suites(workshop: &Workshop) -> DoctorFinding {
    let counted = workshop.suites().and_then(|suites| Ok((suites.origin(), suites.task_names()?.len())));
    let (fine, detail) = match counted {
        Ok((origin, n_tasks)) => (true, format!("{} ({origin})", count(n_tasks, "task"))),
        Err(error) => (false, error.to_string()),
    };
    DoctorFinding {
        what: "suites".to_owned(),
        fine,
        needed: true,
        detail,
        mend: Some("point --suites at a folder of suites"),
    }
}

/// What a kind of world is made of, whether it can be opened or not.
fn sources(offered: &Result<Offering, BrokenSources>) -> &[WorldSource] {
    match offered {
        Ok(offering) => &offering.sources,
        Err(broken) => &broken.sources,
    }
}

fn source(source: &WorldSource) -> DoctorFinding {
    let (fine, detail) = match &source.opened {
        Ok(detail) => (true, detail.clone()),
        Err(broken) => (false, first_line_of(&anyhow::Error::new(Arc::clone(&broken.why)))),
    };
    DoctorFinding { what: source.name.to_owned(), fine, needed: true, detail, mend: Some(source.mend) }
}

fn need(need: &WorldNeed) -> DoctorFinding {
    let (fine, detail) = match (need.look)() {
        Ok(detail) => (true, detail),
        Err(why) => (false, why),
    };
    let what = format!("{} ({})", need.label, need.purpose);
    DoctorFinding { what, fine, needed: false, detail, mend: Some(need.mend) }
}

fn runs(workshop: &Workshop) -> DoctorFinding {
    let probe = workshop.runs().join(".doctor");
    let written = disk::write(&probe, b"").and_then(|()| Ok(std::fs::remove_file(&probe)?));
    let (fine, detail) = match written {
        Ok(()) => (true, format!("{} can be written", workshop.runs().display())),
        Err(error) => (false, format!("{error:#}")),
    };
    DoctorFinding {
        what: "runs".to_owned(),
        fine,
        needed: true,
        detail,
        mend: Some("point --runs at a folder you may write to"),
    }
}

/// What this host gives for sandboxes.
fn sandbox() -> DoctorFinding {
    let (fine, detail) = match this_host() {
        Ok(SandboxHost { examination: found, .. }) => {
            let calls = if found.filters_calls { "calls filtered" } else { "calls not filtered" };
            let user = found.user.map_or_else(|| "as you".to_owned(), |user| format!("as user {user}"));
            let HostExamination { provider, enforcement, start_millis, .. } = found;
            (true, format!("{provider}, limits by {enforcement}, {calls}, {user}, {start_millis} ms to start"))
        }
        Err(fault) => (false, fault.to_string()),
    };
    DoctorFinding {
        what: "sandbox (for agents' own programs and verifiers)".to_owned(),
        fine,
        needed: false,
        detail,
        mend: Some("apt install bubblewrap; docs/isolation.md says what it needs of the kernel"),
    }
}

/// Whether systems to work in can be built here.
fn trees() -> DoctorFinding {
    let (fine, detail) = match HostTrees::check_building() {
        Ok(()) => (true, "can be built".to_owned()),
        Err(fault) => (false, fault.to_string()),
    };
    DoctorFinding {
        what: "root trees (systems that agents work in as root)".to_owned(),
        fine,
        needed: false,
        detail,
        mend: Some("it takes root, mmdebstrap, bubblewrap and the kernel's overlayfs: docs/trees.md"),
    }
}

fn python() -> DoctorFinding {
    let version = version_of("python3");
    let detail = version.clone().unwrap_or_else(|| "not found".to_owned());
    DoctorFinding {
        what: "python3 (for agents written in Python)".to_owned(),
        fine: version.is_some(),
        needed: false,
        detail,
        mend: Some("apt install python3"),
    }
}

/// The first line a program prints of its own version.
fn version_of(program: &str) -> Option<String> {
    if !is_program(program) {
        return None;
    }
    let answer = SpawnOptions::new(program).args(["--version"]).ask(PATIENCE, LONGEST_VERSION).ok()?;
    answer.output.trim().lines().next().map(str::to_owned)
}
