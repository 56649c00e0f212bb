//! The base that all trees stand on.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use quintain_process::SpawnOptions;

use crate::build_host::{apt_settings, apt_sources, check_mmdebstrap};
use crate::fault::TreeFault;
use crate::watched_run::{BuildListener, run};

/// The release that the base is of.
pub(crate) const SUITE: &str = "bookworm";
/// What is in the base besides what every system has: what lines of recipes and tests take for granted.
pub(crate) const PACKAGES: [&str; 8] = [
    "bash",
    "ca-certificates",
    "procps",
    "python-is-python3",
    "python3",
    "python3-pip",
    "python3-pytest",
    "python3-venv",
];

/// Whoever can make the base.
pub trait BaseMaker {
    /// Makes a whole system in a folder that is there and empty.
    fn make(&self, root: &Path, deadline: Instant, tell: &mut BuildListener<'_>) -> Result<(), TreeFault>;
}

/// Makes it of packages, with `mmdebstrap`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mmdebstrap;

impl BaseMaker for Mmdebstrap {
    fn make(&self, root: &Path, deadline: Instant, tell: &mut BuildListener<'_>) -> Result<(), TreeFault> {
        check_mmdebstrap()?;
        let above = root.parent().unwrap_or(root);
        let options = options(root, above).map_err(TreeFault::io(above))?;
        run(options, deadline, tell)
            .map_err(|failed| TreeFault::Base { what: failed.what, last_words: failed.last_words })
    }
}

fn options(root: &Path, above: &Path) -> io::Result<SpawnOptions> {
    let include = format!("--include={}", PACKAGES.join(","));
    let mut options = SpawnOptions::new("mmdebstrap").args(["--mode=root", "--variant=minbase", &include]);
    for setting in apt_settings()? {
        options = options.args([format!("--aptopt={}", setting.trim_end_matches(';'))]);
    }
    // Of documentation and languages there are the folders alone, as in the images that recipes were written for: packages
    // that put links there do not install without.
    for unread in ["/usr/share/man/*/*", "/usr/share/locale/*/*", "/usr/share/doc/*/*"] {
        options = options.args([format!("--dpkgopt=path-exclude={unread}")]);
    }
    // A tree counts when it is whole: whether half of one would survive a loss of power is of no matter.
    options = options.args(["--dpkgopt=force-unsafe-io", "--dpkgopt=path-include=/usr/share/doc/*/copyright", SUITE]);
    options = options.args([root]);
    let (lines, stanzas) = apt_sources();
    for (name, text) in [("host.list", lines), ("host.sources", stanzas)] {
        if !text.is_empty() {
            let file = above.join(name);
            fs::write(&file, text)?;
            options = options.args([file]);
        }
    }
    Ok(options)
}
