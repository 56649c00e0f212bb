//! `quintain doctor`

use std::path::PathBuf;
use std::process::Command;

use quintain_puzzles::sources::clips::{ClipFolder, find_ffmpeg};
use quintain_puzzles::sources::labels::LabelFile;
use quintain_puzzles::sources::meshes::MeshFolder;
use serde::Serialize;

use crate::args::{Common, FleetArgs};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{cast, files, fleet};

#[derive(Serialize)]
struct Finding {
    what: &'static str,
    fine: bool,
    needed: bool,
    detail: String,
    mend: Option<&'static str>,
}

pub(crate) fn doctor(common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let mut findings = vec![
        suites(common),
        photos(common),
        labels(common),
        clips(common),
        meshes(common),
        runs(common),
        python(),
        chromium(),
        ngspice(),
        mujoco(),
    ];
    findings.extend(of_fleet()?);
    printer.data(&findings, || findings.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    let broken = findings.iter().any(|finding| finding.needed && !finding.fine);
    Ok(if broken { Exit::Refused } else { Exit::Success })
}

/// What a fleet needs, where the environment names one.
fn of_fleet() -> anyhow::Result<Vec<Finding>> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let reached = FleetArgs {
        nats: variable("QUINTAIN_NATS"),
        store: variable("QUINTAIN_STORE"),
        fleet: variable("QUINTAIN_FLEET").unwrap_or_else(|| "quintain".to_owned()),
        credentials: variable("QUINTAIN_CREDENTIALS").map(PathBuf::from),
        ca: variable("QUINTAIN_CA").map(PathBuf::from),
        ..FleetArgs::default()
    };
    let runtime = fleet::runtime()?;
    let server = reached.nats.is_some().then(|| runtime.block_on(server(&reached)));
    let archive = reached.store.is_some().then(|| runtime.block_on(archive(&reached)));
    Ok(server.into_iter().chain(archive).collect())
}

async fn server(reached: &FleetArgs) -> Finding {
    let connected = async { fleet::connect(&fleet::link(reached, &fleet::here())?).await };
    let (fine, detail) = match connected.await {
        Ok(client) => (true, format!("version {}", client.server_info().version)),
        Err(error) => (false, first_line_of(&error)),
    };
    let mend = Some("docs/fleet.md tells how to start one; QUINTAIN_NATS names it");
    Finding { what: "the NATS server (for fleets)", fine, needed: true, detail, mend }
}

async fn archive(reached: &FleetArgs) -> Finding {
    let checked = async { anyhow::Ok(fleet::archive(reached)?.check().await?) };
    let (fine, detail) = match checked.await {
        Ok(()) => (true, "can be written, and keeps what is there".to_owned()),
        Err(error) => (false, first_line_of(&error)),
    };
    let mend = Some("QUINTAIN_STORE names a folder, or s3://... with AWS_* variables");
    Finding { what: "the archive (for fleets)", fine, needed: true, detail, mend }
}

fn first_line_of(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}

fn line(finding: &Finding) -> String {
    let mark = match (finding.fine, finding.needed) {
        (true, _) => "ok      ",
        (false, true) => "broken  ",
        (false, false) => "missing ",
    };
    let mend = finding.mend.filter(|_| !finding.fine).map_or(String::new(), |mend| format!("\n        hint: {mend}"));
    format!("{mark}{}: {}{mend}", finding.what, finding.detail)
}

fn suites(common: &Common) -> Finding {
    let counted = cast::suites(common).and_then(|suites| Ok((suites.origin(), suites.task_names()?.len())));
    let (fine, detail) = match counted {
        Ok((origin, n_tasks)) => (true, format!("{n_tasks} tasks ({origin})")),
        Err(error) => (false, error.to_string()),
    };
    Finding { what: "suites", fine, needed: true, detail, mend: Some("point --suites at a folder of suites") }
}

fn photos(common: &Common) -> Finding {
    let (fine, detail) = match (cast::worlds(common), &common.photos) {
        (Ok(_), None) => (true, "generated scenes".to_owned()),
        (Ok(_), Some(path)) => (true, path.display().to_string()),
        (Err(error), _) => (false, format!("{error:#}")),
    };
    Finding {
        what: "photographs",
        fine,
        needed: true,
        detail,
        mend: Some("point --photos at a folder of JPEG or PNG files"),
    }
}

fn clips(common: &Common) -> Finding {
    let opened = common.clips.as_ref().map(|path| (path, ClipFolder::open(path)));
    let (fine, detail) = match (opened, find_ffmpeg()) {
        (Some((path, Ok(_))), _) => (true, path.display().to_string()),
        (Some((_, Err(error))), _) => (false, error.to_string()),
        (None, Some(ffmpeg)) => (true, format!("generated happenings ({} for your own)", ffmpeg.display())),
        (None, None) => {
            (true, "generated happenings (your own need the program ffmpeg: apt install ffmpeg)".to_owned())
        }
    };
    let mend = Some("point --clips at a folder of video files, and install ffmpeg (apt install ffmpeg)");
    Finding { what: "clips", fine, needed: true, detail, mend }
}

fn meshes(common: &Common) -> Finding {
    let opened = common.meshes.as_ref().map(|path| (path, MeshFolder::open(path)));
    let (fine, detail) = match opened {
        None => (true, "generated toys".to_owned()),
        Some((path, Ok(_))) => (true, path.display().to_string()),
        Some((_, Err(error))) => (false, error.to_string()),
    };
    let mend = Some("point --meshes at a folder of OBJ or glTF files");
    Finding { what: "meshes", fine, needed: true, detail, mend }
}

fn labels(common: &Common) -> Finding {
    let (fine, detail) = match common.labels.as_ref().map(LabelFile::open) {
        None => (true, "generated pictures".to_owned()),
        Some(Ok(file)) => (true, told(&file)),
        Some(Err(error)) => (false, first_line_of(&error.into())),
    };
    let mend = Some("point --labels at a file in COCO or LVIS format, with its photographs beside it");
    Finding { what: "labels", fine, needed: true, detail, mend }
}

/// What a label file holds, and under which licences.
fn told(file: &LabelFile) -> String {
    let licences: Vec<String> = file.licences().iter().map(|(licence, n)| format!("{n} under {licence}")).collect();
    format!("{} photographs, {} things; {}", file.n_photos(), file.n_things(), licences.join(", "))
}

fn runs(common: &Common) -> Finding {
    let probe = common.runs.join(".doctor");
    let written = files::write(&probe, b"").and_then(|()| Ok(std::fs::remove_file(&probe)?));
    let (fine, detail) = match written {
        Ok(()) => (true, format!("{} can be written", common.runs.display())),
        Err(error) => (false, format!("{error:#}")),
    };
    Finding { what: "runs", fine, needed: true, detail, mend: Some("point --runs at a folder you may write to") }
}

fn python() -> Finding {
    let version = version_of("python3");
    let detail = version.clone().unwrap_or_else(|| "not found".to_owned());
    Finding {
        what: "python3 (for agents written in Python)",
        fine: version.is_some(),
        needed: false,
        detail,
        mend: Some("apt install python3"),
    }
}

fn chromium() -> Finding {
    let version = chromium_version();
    let place = quintain_browser::find_chromium().map(|path| path.display().to_string());
    Finding {
        what: "a headless Chromium (for browser worlds)",
        fine: version.is_some(),
        needed: false,
        detail: version.or(place).unwrap_or_else(|| "not found".to_owned()),
        mend: Some("apt install chromium-headless-shell chromium-sandbox, or name one in QUINTAIN_CHROMIUM"),
    }
}

/// The name and build of the browser, as it tells them.
pub(crate) fn chromium_version() -> Option<String> {
    first_line(Command::new(quintain_browser::find_chromium()?).arg("--version"))
}

fn ngspice() -> Finding {
    let found = quintain_browser::find_ngspice();
    Finding {
        what: "ngspice (for the Circuit Designer)",
        fine: found.is_some(),
        needed: false,
        detail: found.map_or_else(|| "not found".to_owned(), |path| path.display().to_string()),
        mend: Some("apt install ngspice"),
    }
}

fn mujoco() -> Finding {
    let (fine, detail) = match quintain_physics::found() {
        Ok(path) => (true, path.display().to_string()),
        Err(missing) => (false, missing.plainly()),
    };
    let what = "MuJoCo 3.17.0 (for fetch-reach and fetch-pick-and-place)";
    Finding { what, fine, needed: false, detail, mend: Some(quintain_physics::HINT) }
}

/// The first line a program prints of its own version.
fn version_of(program: &str) -> Option<String> {
    if !files::is_program(program) {
        return None;
    }
    first_line(Command::new(program).arg("--version"))
}

fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    text.lines().next().map(str::to_owned)
}
