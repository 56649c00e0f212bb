//! What KAlgebra writes into files, read again by verifiers: no program is started for it.

mod script;
mod x3d;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use serde_json::{Value, json};

/// The largest file that is read.
const LARGEST: u64 = 8 << 20;

/// What is read from the text of a file; or what is wrong with it.
type FileContent = Result<Value, String>;

/// A kind of verifier that reads one file of KAlgebra's.
#[derive(Clone, Copy)]
pub(super) struct LeftFileKind {
    kind: &'static str,
    read: fn(&str) -> FileContent,
}

/// Scripts: what they define.
pub(super) const SCRIPT: LeftFileKind =
    LeftFileKind { kind: "kalgebra-script", read: |text| Ok(script::definitions(text)) };
/// Surfaces: where they go through.
pub(super) const SURFACE: LeftFileKind = LeftFileKind { kind: "kalgebra-surface", read: x3d::points };

struct LeftFileReading {
    name: String,
    file: String,
    read: fn(&str) -> FileContent,
}

impl VerifierKind for LeftFileKind {
    fn kind(&self) -> &str {
        self.kind
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        let hint = "`options.file` must name a file that is left, for example \"surface.x3d\"";
        let file = spec.options.get("file").and_then(Value::as_str).ok_or(hint)?.to_owned();
        if let Some(other) = spec.options.keys().find(|name| *name != "file") {
            return Err(format!("a verifier of kind `{}` has no option `{other}`", self.kind));
        }
        Ok(Box::new(LeftFileReading { name: spec.name.clone(), file, read: self.read }))
    }
}

impl VerifierRunner for LeftFileReading {
    /// A file that cannot be read is told as a problem: that is the agent's doing.
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let file = case.files.get(&self.file).ok_or_else(|| "it was not left".to_owned());
        let content = file.and_then(text_of).and_then(|text| (self.read)(&text));
        let content = content.unwrap_or_else(|why| json!({ "problem": format!("{}: {why}", self.file) }));
        Ok(vec![(self.name.clone(), content)])
    }
}

fn text_of(file: &FileHandle) -> Result<String, String> {
    let bytes = file.whole(LARGEST).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_not_text| "it is no text".to_owned())
}
