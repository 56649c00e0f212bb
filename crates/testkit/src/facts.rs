//! A verifier that looks into files.

use std::fs::File;
use std::io::Read;
use std::time::{Duration, Instant};

use quintain_core::task::DeriveSpec;
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use serde_json::{Value, json};

/// So many bytes of a line are told.
const LONGEST_LINE: u64 = 64;

/// Tells the first line of `out/report.txt`, and how many mebibytes `out/large.bin` has, of which it makes a copy in its
/// scratch directory first: what was left is looked at as a program would look at it.
#[derive(Clone, Debug)]
pub struct FileFacts {
    name: String,
}

impl FileFacts {
    /// The verifier that a task declares.
    pub fn new(spec: &DeriveSpec) -> Self {
        Self { name: spec.name.clone() }
    }
}

impl VerifierRunner for FileFacts {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let began = Instant::now();
        let report = case.files.get("out/report.txt").map(first_line).transpose()?;
        let large = case.files.get("out/large.bin").map(|file| copied(file, case)).transpose()?;
        if began.elapsed() > case.within.max(Duration::from_secs(1)) {
            return Err("there was no time to look at the files".to_owned());
        }
        Ok(vec![(self.name.clone(), json!({ "report": report, "large": large }))])
    }
}

fn first_line(file: &FileHandle) -> Result<String, String> {
    let mut bytes = Vec::new();
    let opened = file.open().map_err(|error| error.to_string())?;
    opened.take(LONGEST_LINE).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().to_owned())
}

fn copied(file: &FileHandle, case: VerifierCase<'_>) -> Result<u64, String> {
    let path = case.scratch.folder()?.join("copy");
    let mut copy = File::create(&path).map_err(|error| error.to_string())?;
    file.copy_to(&mut copy).map_err(|error| error.to_string())?;
    Ok(copy.metadata().map_err(|error| error.to_string())?.len() >> 20)
}
