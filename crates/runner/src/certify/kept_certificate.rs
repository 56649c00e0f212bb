//! What is kept of a certificate in a repository: little enough to be read in a review.

use quintain_core::{CertificateKey, TaskId};
use serde::{Deserialize, Serialize};

use super::certificate::{CERTIFICATE_VERSION, Certificate, PickProof};
use super::effort::CertificateForm;

/// The version of the file.
pub const KEPT_FORMAT: u32 = 1;

/// That a task was proven sound, and for which key. The whole certificate can be made again at any time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptCertificate {
    /// The version of the file.
    pub format: u32,
    /// The version of the certificate that was made.
    pub certificate: u32,
    /// The task.
    pub task: TaskId,
    /// What it holds for.
    pub key: CertificateKey,
    /// How thoroughly it was examined.
    pub form: CertificateForm,
    /// Whether it was found sound. No others are kept.
    pub sound: bool,
    /// How many seeds it was examined with.
    pub n_seeds: u32,
    /// How many instances were examined.
    pub n_instances: u32,
    /// How often the oracle played each, every time the same.
    pub n_repeats: u32,
    /// How many blind trials there were.
    pub n_guesses: u32,
    /// How many end states nearly right were judged.
    pub n_near_misses: u32,
    /// How many end states right in another way were judged.
    pub n_variations: u32,
    /// How many ways of cheating were tried, over all instances.
    pub n_cheats: u32,
    /// Of how many seeds it was found out how many different instances they give, over all presets.
    #[serde(default)]
    pub n_twin_seeds: u32,
    /// How many different ones that is.
    #[serde(default)]
    pub n_distinct_twins: u32,
    /// The version of the program that made it.
    pub quintain: String,
}

impl KeptCertificate {
    /// What is kept of a sound certificate; nothing of another.
    pub fn of(certificate: &Certificate, key: CertificateKey, quintain: &str) -> Option<Self> {
        let sum = |count: fn(&PickProof) -> u32| certificate.picks.iter().map(count).sum();
        certificate.is_sound().then(|| Self {
            format: KEPT_FORMAT,
            certificate: certificate.version,
            task: certificate.task.clone(),
            key,
            form: certificate.form,
            sound: true,
            n_seeds: certificate.seeds.len() as u32,
            n_instances: certificate.picks.len() as u32,
            n_repeats: certificate.picks.iter().map(|pick| pick.n_repeats).min().unwrap_or(0),
            n_guesses: certificate.chance.iter().map(|chance| chance.n_guesses).sum(),
            n_near_misses: sum(|pick| pick.n_near_misses),
            n_variations: sum(|pick| pick.n_variations),
            n_cheats: sum(|pick| pick.cheats.len() as u32),
            n_twin_seeds: certificate.twins.iter().map(|twins| twins.seeds).sum(),
            n_distinct_twins: certificate.twins.iter().map(|twins| twins.distinct).sum(),
            quintain: quintain.to_owned(),
        })
    }

    /// Why it does not hold for this task and this key; nothing where it does.
    pub fn misfits(&self, task: &TaskId, key: &CertificateKey) -> Vec<&'static str> {
        let older = self.certificate != CERTIFICATE_VERSION || self.format != KEPT_FORMAT;
        let strange = self.task != *task || !self.sound;
        let others = [("an older form of proof", older), ("another name", strange)];
        let others = others.into_iter().filter(|(_, is_so)| *is_so).map(|(what, _)| what);
        others.chain(self.key.differences(key)).collect()
    }

    /// Whether it proves at least what is asked for.
    pub fn covers(&self, form: CertificateForm, n_seeds: usize) -> bool {
        self.form >= form && self.n_seeds as usize >= n_seeds
    }

    /// Whether it is worth more than another of the same task. The full form is worth more than the quick one, whatever
    /// the seeds; of two in the same form the one with more seeds is.
    pub fn outweighs(&self, other: &Self) -> bool {
        (self.form, self.n_seeds) > (other.form, other.n_seeds)
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a kept certificate has nothing that JSON lacks") + "\n"
    }
}
