//! Computers inside the sandbox of this host: an X server without a screen, a window manager, the buses of a session.

mod waiting;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_process::sandbox::{Binding, Sandbox, SandboxCommand, SandboxProvider as _, StartedNumber, this_host};

use crate::accessibility::AccessibilityBus;
use crate::machine::{Machine, MachineFault, MachinePlan, MachineProvider};
use crate::x11::XDisplay;
use waiting::wait_for;

/// How long the parts of a session may take to stand, each.
const START_LIMIT: Duration = Duration::from_secs(20);
/// Where the server keeps its picture.
const PICTURES: &str = "/tmp/run/screen";
/// Where the server listens.
const X_SOCKET: &str = "/tmp/.X11-unix/X0";
/// Where the accessibility bus listens.
const BUS_SOCKET: &str = "/tmp/run/at-spi/bus_0";
/// Where the accessibility bus finds how it is meant to be.
const BUS_SETTINGS: &str = "/etc/at-spi2/accessibility.conf";
/// Where the window manager does.
const WINDOW_SETTINGS: &str = "/etc/xdg/openbox/desktop.xml";
/// How programs find the screen and the buses.
const BUS_VARIABLES: [(&str, &str); 3] =
    [("DISPLAY", ":0"), ("XDG_RUNTIME_DIR", "/tmp/run"), ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/tmp/run/bus")];
/// Where fonts are listed that have been looked through: without it the first program spends seconds on that.
const FONT_LISTS: &str = "/var/cache/fontconfig";

/// Makes computers inside the sandbox of this host.
#[derive(Clone, Copy, Debug, Default)]
pub struct SandboxedDesktop;

/// A program that a session needs.
struct SessionProgram {
    name: &'static str,
    started: StartedNumber,
}

impl MachineProvider for SandboxedDesktop {
    fn open(&self, plan: &MachinePlan) -> Result<Machine, MachineFault> {
        let host = this_host()?;
        let mut guest = host.provider.open(&with_session(plan).sandbox)?;
        let display = session(&mut *guest, plan.size)?;
        Ok(Machine { display: Box::new(display), guest })
    }
}

/// With everything that a session finds in place.
fn with_session(plan: &MachinePlan) -> MachinePlan {
    let mut plan = plan.clone();
    let files = [
        (BUS_SETTINGS, include_str!("sandboxed_desktop/accessibility.conf")),
        (WINDOW_SETTINGS, include_str!("sandboxed_desktop/openbox.xml")),
    ];
    for (path, text) in files {
        plan.sandbox.files.insert(PathBuf::from(path), text.as_bytes().to_vec());
    }
    for (name, value) in BUS_VARIABLES {
        plan.sandbox.variables.insert(name.to_owned(), value.to_owned());
    }
    if PathBuf::from(FONT_LISTS).is_dir() {
        plan.sandbox.bindings.push(Binding::in_place(FONT_LISTS));
    }
    plan
}

/// Starts a session, and waits until its screen and its buses are there.
fn session(guest: &mut dyn Sandbox, size: (u32, u32)) -> Result<XDisplay, MachineFault> {
    let deadline = Instant::now() + START_LIMIT;
    let folders = format!("mkdir -p -m 1777 /tmp/.X11-unix && mkdir -p -m 700 /tmp/run {PICTURES}");
    guest.exec(&SandboxCommand::of(["sh", "-c", &folders]))?;
    let screen = format!("{}x{}x24", size.0, size.1);
    let server =
        ["Xvfb", ":0", "-screen", "0", &screen, "-fbdir", PICTURES, "-nolisten", "tcp", "-noreset", "-dpi", "96"];
    let server = start(guest, "Xvfb", &server)?;
    let address = "--address=unix:path=/tmp/run/bus";
    let bus = start(guest, "dbus-daemon", &["dbus-daemon", "--session", "--nofork", "--nopidfile", address])?;
    let socket = wait_for(deadline, guest, &server, |guest| guest.connect(X_SOCKET).ok())?;
    wait_for(deadline, guest, &bus, |guest| guest.connect("/tmp/run/bus").ok())?;
    start(guest, "openbox", &["openbox", "--sm-disable", "--config-file", WINDOW_SETTINGS])?;
    let launcher = ["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"];
    let launcher = start(guest, "at-spi-bus-launcher", &launcher)?;
    let picture = wait_for(deadline, guest, &server, |guest| {
        let file = guest.watch(&format!("{PICTURES}/Xvfb_screen0")).ok()?;
        let is_whole = file.metadata().ok()?.len() > u64::from(size.0) * u64::from(size.1) * 4;
        is_whole.then_some(file)
    })?;
    let bus = wait_for(deadline, guest, &launcher, |guest| guest.connect(BUS_SOCKET).ok())?;
    let bus = AccessibilityBus::over(bus, START_LIMIT)?;
    XDisplay::new(socket, picture, bus)
}

fn start(guest: &mut dyn Sandbox, name: &'static str, argv: &[&str]) -> Result<SessionProgram, MachineFault> {
    let started = guest.start(&SandboxCommand::of(argv.iter().copied()))?;
    Ok(SessionProgram { name, started })
}
