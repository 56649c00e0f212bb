//! A program, started on a computer of its own and ready to be worked with.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::world::WorldError;
use quintain_machine::{
    AccessibleElement, AwaitedProgram, Machine, MachineFault, MachinePlan, MachineProvider as _, ReadyLook,
    SandboxedDesktop,
};
use quintain_process::sandbox::{Binding, SandboxCommand, SandboxLimits, SandboxPlan, StartedNumber, WorkFolder};
use quintain_process::{SweptFolder, give_away};
use quintain_workspace::started_again;

use crate::HOME;
use crate::app::{AppLaunch, DesktopApp};
use crate::world::seen_of;

/// What the folder of a computer is called on the host.
const FOLDER: &str = "quintain-desktop-";
/// How long a program may take until it is ready. One that takes longer is started anew.
const READY_LIMIT: Duration = Duration::from_mins(1);
/// How many bytes and files may be in the home.
const MOST_BYTES: u64 = 2 << 30;
const MOST_FILES: u64 = 100_000;

/// A computer with a program on it that is ready.
pub(crate) struct OpenedApp {
    pub(crate) machine: Machine,
    pub(crate) program: StartedNumber,
    /// The number of its process on the computer.
    pub(crate) process: u32,
    pub(crate) folder: Arc<SweptFolder>,
}

/// Starts a program, again where a start hangs or breaks.
pub(crate) fn open(app: &dyn DesktopApp, launch: &AppLaunch, size: (u32, u32)) -> Result<OpenedApp, WorldError> {
    started_again(&format!("`{}`", app.name()), || Ok(try_open(app, launch, size)))
}

/// Opens a computer with nothing on it and closes it again, to see whether that can be done.
pub(crate) fn rehearse(size: (u32, u32)) -> Result<(), String> {
    let opened = started_again("a desktop", || Ok(try_open_empty(&AppLaunch::default(), size)));
    opened.map(drop).map_err(|error| format!("a desktop is found and does not start: {error}"))
}

/// A computer on whose screen nothing is open yet, and the folder that its home is in.
fn try_open_empty(launch: &AppLaunch, size: (u32, u32)) -> Result<(SweptFolder, Machine), MachineFault> {
    let broken = |error: io::Error| MachineFault::Display(format!("the home of the computer: {error}"));
    let folder = SweptFolder::new(FOLDER).map_err(broken)?;
    let home = folder.inner("home").map_err(broken)?;
    put_files(&folder, &launch.files).map_err(broken)?;
    let plan = MachinePlan { sandbox: sandbox_plan(&home, launch), size };
    let machine = SandboxedDesktop.open(&plan)?;
    Ok((folder, machine))
}

fn try_open(app: &dyn DesktopApp, launch: &AppLaunch, size: (u32, u32)) -> Result<OpenedApp, MachineFault> {
    let (folder, mut machine) = try_open_empty(launch, size)?;
    let program = machine.guest.start(&SandboxCommand::of(launch.argv.iter().cloned()))?;
    let process = machine.guest.look(program)?.process;
    let process = u32::try_from(process).unwrap_or(u32::MAX);
    let awaited =
        AwaitedProgram { program, name: app.name(), within: READY_LIMIT, n_windows_before: 0, may_leave: false };
    awaited.wait(&mut machine, |windows, elements| {
        let no_files = BTreeMap::new();
        let seen = seen_of(process, (windows, elements), &no_files, true);
        ReadyLook { is_ready: app.is_ready(&seen), n_elements: seen.elements.map(AccessibleElement::count) }
    })?;
    Ok(OpenedApp { machine, program, process, folder: Arc::new(folder) })
}

fn sandbox_plan(home: &Path, launch: &AppLaunch) -> SandboxPlan {
    let inside = PathBuf::from(HOME);
    let mut plan = SandboxPlan {
        work: Some(WorkFolder {
            host: home.to_owned(),
            inside: inside.clone(),
            max_bytes: MOST_BYTES,
            max_files: MOST_FILES,
        }),
        folder: inside,
        variables: launch.variables.clone(),
        bindings: launch.folders.iter().map(Binding::in_place).collect(),
        limits: SandboxLimits::default(),
        ..SandboxPlan::default()
    };
    plan.hide_ourselves();
    plan
}

/// Puts files into the home, as whoever works there would have.
fn put_files(folder: &SweptFolder, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for (path, bytes) in files {
        let whole = PathBuf::from("home").join(path);
        let mut above = PathBuf::new();
        for part in whole.parent().into_iter().flat_map(Path::components) {
            above.push(part);
            folder.inner(&above.to_string_lossy())?;
        }
        let place = folder.path().join(&whole);
        fs::write(&place, bytes)?;
        give_away(&place)?;
    }
    Ok(())
}
