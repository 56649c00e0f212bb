//! Programs that tasks work with, and the versions of them that a host has.

use std::fs;
use std::sync::Arc;

use quintain_core::offering::{NeedScope, WorldNeed};
use quintain_process::on_search_path;

/// Where Debian and its kin keep what is installed.
const INSTALLED: &str = "/var/lib/dpkg/status";

/// The Python of sandboxes, a link to the one that has a version in its name.
const SYSTEM_PYTHON: &str = "/usr/bin/python3";

/// A program that tasks work with. Agents find it in their sandbox, and verifiers in theirs.
#[derive(Clone, Copy, Debug)]
pub struct Software {
    /// What is started.
    pub program: &'static str,
    /// The package that has to be there: the one that brings it, or one that it is used with. Several with `|` between them
    /// where any of them will do.
    pub package: &'static str,
    /// How to get it: `apt install bcftools`.
    pub mend: &'static str,
}

impl Software {
    /// What has to be there for the tasks of an assignment. It is named by its package, since one program may be needed with
    /// different ones.
    pub fn need(self, assignment: &'static str) -> WorldNeed {
        WorldNeed {
            name: self.package.split('|').next().unwrap_or(self.program),
            label: self.program,
            purpose: "for workspaces",
            look: Arc::new(move || self.found()),
            mend: self.mend,
            scope: NeedScope::App(assignment),
        }
    }

    /// What there is of it here, or what is missing.
    fn found(self) -> Result<String, String> {
        let place = on_search_path(self.program).ok_or_else(|| format!("`{}` is not installed", self.program))?;
        let installed = fs::read_to_string(INSTALLED).unwrap_or_default();
        match self.package.split('|').find_map(|package| version_in(&installed, package)) {
            Some(version) => Ok(version),
            // The system knows all that is in its own folders; what lies elsewhere was put there by somebody.
            None if !installed.is_empty() && place.starts_with("/usr/bin") => {
                Err(format!("`{}` is there, but the package {} is not", self.program, self.package))
            }
            None => Ok(place.display().to_string()),
        }
    }
}

/// A distribution that pip put where the system's own Python finds it, which is the one that agents and verifiers have.
#[derive(Clone, Copy, Debug)]
pub struct PythonDistribution {
    /// What pip calls it.
    pub name: &'static str,
    /// How to get it: `/usr/bin/python3 -m pip install --break-system-packages swmm-toolkit`.
    pub mend: &'static str,
}

impl PythonDistribution {
    /// What has to be there for the tasks of an assignment.
    pub fn need(self, assignment: &'static str) -> WorldNeed {
        WorldNeed {
            name: self.name,
            label: self.name,
            purpose: "for workspaces",
            look: Arc::new(move || self.found()),
            mend: self.mend,
            scope: NeedScope::App(assignment),
        }
    }

    /// What there is of it here, or what is missing.
    fn found(self) -> Result<String, String> {
        let version = fs::read_link(SYSTEM_PYTHON).map_err(|_error| format!("`{SYSTEM_PYTHON}` is not installed"))?;
        let version = version.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folders = [
            format!("/usr/local/lib/{version}/dist-packages"),
            format!("/usr/local/lib/{version}/site-packages"),
            format!("/usr/lib/{version}/site-packages"),
            "/usr/lib/python3/dist-packages".to_owned(),
        ];
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let mut versions = entries.filter_map(|entry| version_told(entry.file_name().to_str()?, self.name));
        let version = versions.next().ok_or_else(|| format!("the system's Python has no `{}`", self.name))?;
        Ok(format!("{} {version}", self.name))
    }
}

/// The version in the name of a folder that tells of a distribution, if it tells of this one.
fn version_told(folder: &str, distribution: &str) -> Option<String> {
    let (name, version) = folder.strip_suffix(".dist-info")?.split_once('-')?;
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '.'], "_");
    (plain(name) == plain(distribution)).then(|| version.to_owned())
}

fn version_in(installed: &str, package: &str) -> Option<String> {
    let wanted = format!("Package: {package}");
    let is_meant = |paragraph: &&str| paragraph.lines().next() == Some(wanted.as_str());
    let paragraph = installed.split("\n\n").find(is_meant)?;
    // A package that was removed may have left its settings, and is still listed.
    paragraph.lines().find(|line| *line == "Status: install ok installed")?;
    let version = paragraph.lines().find_map(|line| line.strip_prefix("Version: "))?;
    Some(format!("{package} {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_systems_own_list() {
        let installed = "Package: bwa\nStatus: install ok installed\nVersion: 0.7.17-7+b2\n\nPackage: bwa-doc\nStatus: deinstall ok config-files\nVersion: 2\n";
        assert_eq!(version_in(installed, "bwa").as_deref(), Some("bwa 0.7.17-7+b2"));
        assert_eq!((version_in(installed, "bw"), version_in(installed, "bwa-doc")), (None, None));
    }

    #[test]
    fn distributions_are_known_by_the_folders_that_tell_of_them() {
        let told = |folder: &str| version_told(folder, "swmm-toolkit");
        assert_eq!(told("swmm_toolkit-0.17.0.dist-info").as_deref(), Some("0.17.0"));
        assert_eq!(told("SWMM.toolkit-1.dist-info").as_deref(), Some("1"));
        assert_eq!((told("swmm_toolkit.libs"), told("swmm-0.1.dist-info"), told("swmm_toolkit")), (None, None, None));
    }
}
