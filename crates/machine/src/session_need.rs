//! What a host must have for a screen in a sandbox.

use std::sync::Arc;

use quintain_core::offering::{NeedScope, WorldNeed};
use quintain_process::on_search_path;
use quintain_process::sandbox::this_host;

/// The programs of a session, and the packages that bring them.
const SESSION: [(&str, &str); 4] = [
    ("Xvfb", "xvfb"),
    ("openbox", "openbox"),
    ("dbus-daemon", "dbus-daemon"),
    ("/usr/libexec/at-spi-bus-launcher", "at-spi2-core"),
];

/// A screen in a sandbox, for whoever needs one.
pub fn session_need(purpose: &'static str, scope: NeedScope) -> WorldNeed {
    WorldNeed {
        name: "desktop",
        label: "a desktop",
        purpose,
        look: Arc::new(|| {
            this_host().map_err(|fault| fault.to_string())?;
            let is_missing = |program: &str| {
                if program.starts_with('/') {
                    !std::path::Path::new(program).exists()
                } else {
                    on_search_path(program).is_none()
                }
            };
            let missing: Vec<&str> =
                SESSION.iter().filter(|(program, _)| is_missing(program)).map(|(_, package)| *package).collect();
            if missing.is_empty() {
                Ok("X in a sandbox".to_owned())
            } else {
                Err(format!("{} missing", missing.join(", ")))
            }
        }),
        mend: "apt install bubblewrap xvfb openbox dbus-daemon at-spi2-core",
        scope,
    }
}
