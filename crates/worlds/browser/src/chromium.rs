//! One Chromium: found, started without privileges, told apart from others by its own profile, and taken down with us.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use std::{env, fs, io};

use quintain_core::variables;
use quintain_process::{NOBODY, ProcessGroup, SpawnOptions, SweptFolder, on_search_path};
use rustix::process::geteuid;
use serde::Deserialize;
use serde_json::json;

use crate::cdp::{CdpConnection, CdpDeadline, CdpError};

/// Where a headless shell is usually found.
const USUAL_PLACES: [&str; 3] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/opt/chrome-headless-shell/chrome-headless-shell",
];
/// What it is called on the search path. Wrappers add flags of their own, so they come last.
const USUAL_NAMES: [&str; 3] = ["chrome-headless-shell", "headless_shell", "chromium-headless-shell"];
const START_LIMIT: Duration = Duration::from_secs(30);
/// What the folder of a browser is called: its profile, its log.
const PROFILE: &str = "quintain-chromium-";

/// Frames and time are ours; nothing runs by itself, nothing phones home, nothing resolves. Scrollbars are hidden
/// because dragging one makes frames go missing; the wheel scrolls.
const FLAGS: [&str; 32] = [
    "--headless",
    "--remote-debugging-pipe",
    "--enable-begin-frame-control",
    "--run-all-compositor-stages-before-draw",
    "--disable-threaded-animation",
    "--disable-threaded-scrolling",
    "--disable-checker-imaging",
    "--disable-image-animation-resync",
    "--disable-new-content-rendering-timeout",
    "--disable-smooth-scrolling",
    "--hide-scrollbars",
    "--disable-gpu",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--lang=en-US",
    "--no-first-run",
    "--no-startup-window",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    "--password-store=basic",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// Why there is no browser.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoChromium {
    /// It is not installed.
    #[error(
        "no headless Chromium was found; install `chromium-headless-shell`, or name one in {}",
        variables::CHROMIUM
    )]
    NotFound,
    /// It is installed and does not start.
    #[error("{program} does not start: {why}")]
    DoesNotStart {
        /// The program.
        program: String,
        /// Why.
        why: String,
    },
}

/// Whether Chromium's own sandbox surrounds the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrowserSandbox {
    /// It does.
    #[default]
    On,
    /// It does not: for hosts where it cannot.
    Off,
}

/// The headless shell of this machine, if there is one.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os(variables::CHROMIUM) {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    let usual = USUAL_PLACES.iter().map(PathBuf::from).find(|path| path.is_file());
    usual.or_else(|| USUAL_NAMES.iter().find_map(|name| on_search_path(name)))
}

/// A running browser. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Chromium {
    /// First, so that it is gone before its pipes and its profile are.
    process: ProcessGroup,
    pub(crate) connection: CdpConnection,
    pub(crate) version: String,
    _profile: SweptFolder,
}

impl Chromium {
    /// Starts one.
    pub(crate) fn start(sandbox: BrowserSandbox) -> Result<Self, NoChromium> {
        let program = find().ok_or(NoChromium::NotFound)?;
        let failed = |why: String| NoChromium::DoesNotStart { program: program.display().to_string(), why };
        let profile = SweptFolder::new(PROFILE).map_err(|error| failed(error.to_string()))?;
        let (process, connection) =
            spawn(&program, profile.path(), sandbox).map_err(|error| failed(error.to_string()))?;
        let mut chromium = Self { process, connection, version: String::new(), _profile: profile };
        chromium.version = chromium.ask_version().map_err(|error| failed(hint(&error)))?;
        Ok(chromium)
    }

    fn ask_version(&mut self) -> Result<String, CdpError> {
        #[derive(Deserialize)]
        struct ChromiumVersion {
            product: String,
        }
        let deadline = CdpDeadline::after(START_LIMIT);
        let version: ChromiumVersion = self.connection.call(None, "Browser.getVersion", json!({}), deadline)?;
        Ok(version.product)
    }

    /// Whether the process still runs.
    pub(crate) fn is_alive(&self) -> bool {
        self.process.status().is_none()
    }

    /// The process, for those who want to see it die.
    #[cfg(test)]
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }
}

fn hint(error: &CdpError) -> String {
    format!("{error}; if this host allows no sandbox, set QUINTAIN_NO_SANDBOX=1")
}

fn spawn(program: &Path, profile: &Path, sandbox: BrowserSandbox) -> io::Result<(ProcessGroup, CdpConnection)> {
    let (commands_out, commands_in) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let (answers_out, answers_in) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let mut profile_flag = OsString::from("--user-data-dir=");
    profile_flag.push(profile);
    let options = SpawnOptions::new(program).args(FLAGS).args([profile_flag]);
    let home = [("HOME", profile.as_os_str()), ("TMPDIR", profile.as_os_str())];
    let place = [("TZ", OsStr::new("UTC")), ("LANG", OsStr::new("C.UTF-8"))];
    let options = options.only_env(home.into_iter().chain(place)).errors(log_of(profile)?).folder("/");
    let options = match sandbox {
        BrowserSandbox::Off => options.args(["--no-sandbox"]),
        BrowserSandbox::On if geteuid().is_root() => options.user(NOBODY),
        BrowserSandbox::On => options,
    };
    let process = options.descriptors([(commands_out, 3), (answers_in, 4)])?.spawn()?;
    Ok((process, CdpConnection::new(commands_in, answers_out)))
}

/// What the browser has to say goes where its profile is, and away with it.
fn log_of(profile: &Path) -> io::Result<Stdio> {
    fs::File::create(profile.join("chromium.log")).map(Stdio::from)
}
