//! Programs that tasks work with, and the versions of them that a host has.

use std::fs;
use std::sync::Arc;

use quintain_core::offering::{NeedScope, WorldNeed};
use quintain_process::on_search_path;

/// Where Debian and its kin keep what is installed.
const INSTALLED: &str = "/var/lib/dpkg/status";

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
}
