//! A program, started on a computer of its own and ready to be worked with.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::world::WorldError;
use quintain_machine::{Machine, MachineFault, MachinePlan, MachineProvider as _, SandboxedDesktop};
use quintain_process::sandbox::{Binding, SandboxCommand, SandboxLimits, SandboxPlan, StartedNumber, WorkFolder};
use quintain_process::{SweptFolder, give_away};
use quintain_workspace::fault_of;

use crate::HOME;
use crate::app::{AppLaunch, DesktopApp};
use crate::world::seen_of;

/// What the folder of a computer is called on the host.
const FOLDER: &str = "quintain-desktop-";
/// How long a program may take until it is ready. One that takes longer is started anew.
const READY_LIMIT: Duration = Duration::from_mins(1);
/// How long one look may take while it starts.
const LOOK_LIMIT: Duration = Duration::from_secs(20);
/// So often it is tried: some starts hang for no reason that anybody knows.
const MOST_STARTS: u32 = 3;
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
    let mut last = None;
    for _ in 0..MOST_STARTS {
        match try_open(app, launch, size) {
            Ok(opened) => return Ok(opened),
            Err(MachineFault::Guest(fault)) => return Err(fault_of(&fault)),
            Err(fault) => last = Some(fault),
        }
    }
    let why = last.map(|fault| fault.to_string()).unwrap_or_default();
    Err(WorldError::setup(format!("`{}` was started {MOST_STARTS} times and never was ready: {why}", app.name())))
}

fn try_open(app: &dyn DesktopApp, launch: &AppLaunch, size: (u32, u32)) -> Result<OpenedApp, MachineFault> {
    let broken = |error: io::Error| MachineFault::Display(format!("the home of the computer: {error}"));
    let folder = SweptFolder::new(FOLDER).map_err(broken)?;
    let home = folder.inner("home").map_err(broken)?;
    put_files(&folder, &launch.files).map_err(broken)?;
    let plan = MachinePlan { sandbox: sandbox_plan(&home, launch), size };
    let mut machine = SandboxedDesktop.open(&plan)?;
    let program = machine.guest.start(&SandboxCommand::of(launch.argv.iter().cloned()))?;
    let process = machine.guest.look(program)?.process;
    let process = u32::try_from(process).unwrap_or(u32::MAX);
    let mut opened = OpenedApp { machine, program, process, folder: Arc::new(folder) };
    opened.wait_until_ready(app)?;
    Ok(opened)
}

impl OpenedApp {
    /// Waits until the program is painted, quiet and shows what it should, twice the same.
    fn wait_until_ready(&mut self, app: &dyn DesktopApp) -> Result<(), MachineFault> {
        let deadline = Instant::now() + READY_LIMIT;
        let mut before = None;
        while Instant::now() < deadline {
            let state = self.machine.guest.look(self.program)?;
            if let Some(end) = state.end {
                let said = state.printed.text();
                return Err(MachineFault::Display(format!("`{}` has left ({end:?}): {}", app.name(), said.trim())));
            }
            let is_quiet = self.machine.display.settle(LOOK_LIMIT)?;
            let windows = self.machine.display.windows()?;
            if windows.is_empty() {
                continue;
            }
            // A program that is busy starting tells late: that is no reason to start it anew.
            let elements = match self.machine.display.elements(LOOK_LIMIT) {
                Err(MachineFault::Stuck(_)) => continue,
                told => told?.unwrap_or_default(),
            };
            let seen = seen_of(self.process, &windows, &elements, true);
            let count = seen.elements.map(quintain_machine::AccessibleElement::count);
            if is_quiet && app.is_ready(&seen) && before == count {
                return Ok(());
            }
            before = count;
        }
        Err(MachineFault::Stuck(format!("`{}` does not get ready", app.name())))
    }
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
