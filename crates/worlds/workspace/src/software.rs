//! Programs that tasks work with, and the versions of them that a host has.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use quintain_core::offering::{HostFact, NeedScope, WorldNeed};
use quintain_process::on_search_path;

use crate::installed_packages::InstalledPackages;

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
        let installed = InstalledPackages::now();
        match self.package.split('|').find_map(|package| installed.told(package)) {
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

/// What has to be equal on every host that plays tasks with these needs: the version of each, once where several have one
/// name.
pub fn version_facts(needs: &[WorldNeed]) -> Vec<HostFact> {
    let mut told = BTreeSet::new();
    needs.iter().filter(|need| told.insert(need.name)).map(|need| need.fact(version_of)).collect()
}

/// The version in what was found of a program, without the package that brings it, of which there may be several. What was
/// put there by somebody has none that we know, and its place may tell who that was.
fn version_of(found: &str) -> Option<String> {
    let version = found.split_once(' ').map_or(found, |(_package, version)| version);
    (!found.starts_with('/')).then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_the_version_alone() {
        let found = ["bwa 0.7.17-7+b2", "libreoffice-calc 4:7.4.7-1", "/home/anna/bin/bwa", "/opt/a b/bwa", "7.8"];
        let told: Vec<String> = found.map(|found| format!("{found}: {:?}", version_of(found))).into();
        insta::assert_snapshot!(told.join("\n"), @r#"
        bwa 0.7.17-7+b2: Some("0.7.17-7+b2")
        libreoffice-calc 4:7.4.7-1: Some("4:7.4.7-1")
        /home/anna/bin/bwa: None
        /opt/a b/bwa: None
        7.8: Some("7.8")
        "#);
    }

    #[test]
    fn every_need_is_a_fact_once_and_what_is_not_there_has_no_version() {
        let absent = Software { program: "no-such-program", package: "no-such-package", mend: "write it" };
        let here = WorldNeed { look: Arc::new(|| Ok("yosys 0.23-6".to_owned())), name: "yosys", ..absent.need("rtl") };
        let facts = version_facts(&[absent.need("a"), here, absent.need("b")]);
        let told: Vec<_> = facts.iter().map(|fact| (fact.name, (fact.value)())).collect();
        assert_eq!(told, [("no-such-package", None), ("yosys", Some("0.23-6".to_owned()))]);
    }

    #[test]
    fn distributions_are_known_by_the_folders_that_tell_of_them() {
        let told = |folder: &str| version_told(folder, "swmm-toolkit");
        assert_eq!(told("swmm_toolkit-0.17.0.dist-info").as_deref(), Some("0.17.0"));
        assert_eq!(told("SWMM.toolkit-1.dist-info").as_deref(), Some("1"));
        assert_eq!((told("swmm_toolkit.libs"), told("swmm-0.1.dist-info"), told("swmm_toolkit")), (None, None, None));
    }
}
