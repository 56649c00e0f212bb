//! Certificates that are kept beside suites, and whether they still hold.

use std::path::Path;

use quintain_core::{CertificateKey, Digest, Task};
use quintain_runner::certify::KeptCertificate;
use quintain_store::{KeptFiles, OWN_SUITES};

use crate::workshop::Workshop;

/// What is kept of a task's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptState {
    /// Nothing.
    Missing,
    /// One that holds for what is here.
    Fits(KeptCertificate),
    /// One that was made for something else.
    Misfits {
        /// What is kept.
        kept: KeptCertificate,
        /// What it was made for, in words: `another judge`.
        made_for: Vec<&'static str>,
    },
    /// Something that cannot be read, and why.
    Unreadable(String),
}

impl Workshop {
    /// What a certificate of a task would hold for, here and now.
    pub fn certificate_key(&self, task: &Task) -> anyhow::Result<CertificateKey> {
        let offering = self.offerings()?.of(task)?;
        let own = offering.code_of(task);
        let code = Digest::of_parts([("own", &own.bytes()[..]), ("checks", &quintain_checks::CODE.shared[..])]);
        Ok(CertificateKey { task: task.digest, world: offering.world.digest(task), code })
    }

    /// Where the certificate of a task is kept: in the program for what is built in, else in the folder `certificates` beside
    /// that of the suites.
    pub fn kept_files(&self, task: &Task) -> anyhow::Result<KeptFiles> {
        let beside = |suites: &Path| KeptFiles::Folder(suites.join("../certificates"));
        Ok(match &self.setup().suites {
            Some(suites) => beside(suites),
            None if self.suites()?.task_names()?.iter().any(|name| *name == task.id.as_str()) => {
                self.parts().kept_files()
            }
            None => beside(Path::new(OWN_SUITES)),
        })
    }

    /// What is kept of a task's certificate among some files.
    pub fn kept(&self, task: &Task, files: &KeptFiles) -> anyhow::Result<KeptState> {
        let Some(bytes) = files.read(&task.id)? else { return Ok(KeptState::Missing) };
        let kept: KeptCertificate = match serde_json::from_slice(&bytes) {
            Ok(kept) => kept,
            Err(why) => return Ok(KeptState::Unreadable(why.to_string())),
        };
        let made_for = kept.misfits(&task.id, &self.certificate_key(task)?);
        Ok(if made_for.is_empty() { KeptState::Fits(kept) } else { KeptState::Misfits { kept, made_for } })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::worlds;

    #[test]
    fn every_app_that_is_built_in_tells_the_code_it_rests_on() {
        let offerings = worlds::built_in().unwrap();
        let apps: Vec<_> = offerings.iter().flat_map(|offering| &offering.apps).collect();
        let silent: Vec<&str> = apps.iter().filter(|app| app.code.is_none()).map(|app| app.name).collect();
        assert!(silent.is_empty(), "{silent:?}");
        let different: BTreeSet<_> = apps.iter().map(|app| app.code).collect();
        assert_eq!(different.len(), apps.len(), "each has files of its own");
    }
}
