//! Files that must be the reference's.

use quintain_core::FileHandle;
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Finding};
use quintain_core::digest::Digest;
use quintain_core::task::CheckSpec;

use super::{broken, with_bystander};
use crate::options::{self, FILE};

/// A file the agent left is the reference's file of the same name, byte by byte.
#[derive(Clone, Copy, Debug)]
pub struct FileCheck;

impl CheckKind for FileCheck {
    fn kind(&self) -> &'static str {
        "file"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "A file that the agent left is the reference's, byte by byte.",
            options: &[
                (FILE, "Which file under `reference/`."),
                ("left_as", "Its name as the agent leaves it, where that differs."),
            ],
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        if spec.selector.is_some() {
            return Err("a check of kind `file` takes no selector: name the file in `options.file`".to_owned());
        }
        let wanted = options::text(spec, FILE)?.ok_or("`options.file` is missing: which file of the reference?")?;
        let left_as = options::text(spec, "left_as")?.unwrap_or_else(|| wanted.clone());
        Ok(Box::new(SameFile { name: spec.name.clone(), wanted, left_as }))
    }
}

/// Files of the reference up to this length are altered byte by byte for near misses.
const MAX_TWISTED: u64 = 16 << 20;

struct SameFile {
    name: String,
    wanted: String,
    left_as: String,
}

impl SameFile {
    fn wanted(&self, case: Case<'_>) -> Result<Digest, BrokenJudge> {
        let file = case.reference.files.get(&self.wanted);
        file.map(FileHandle::digest).ok_or_else(|| broken(&self.name, format!("there is no reference/{}", self.wanted)))
    }

    fn altered(&self, case: Case<'_>, how: &str, digest: Option<Digest>) -> AlteredState {
        let mut evidence = case.evidence.clone();
        match digest {
            Some(digest) => drop(evidence.files.insert(self.left_as.clone(), digest)),
            None => drop(evidence.files.remove(&self.left_as)),
        }
        AlteredState { how: format!("{}: {how}", self.left_as), evidence }
    }
}

impl Check for SameFile {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let wanted = self.wanted(case)?;
        let left = case.evidence.files.get(&self.left_as);
        let because = match left {
            None => format!("{} was not left", self.left_as),
            Some(left) if *left == wanted => format!("{} is as it should be", self.left_as),
            Some(_) => format!("{} differs from reference/{}", self.left_as, self.wanted),
        };
        Ok(Finding::of(&self.name, left == Some(&wanted), because))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut altered =
            vec![self.altered(case, "not left", None), self.altered(case, "an empty file", Some(Digest::of(b"")))];
        // A large file is not read for this: any other hash is as near as one that is a byte off.
        match case.reference.files.get(&self.wanted).map(|file| file.whole(MAX_TWISTED)) {
            Some(Ok(bytes)) => {
                let (longer, shorter) = ([bytes.as_slice(), b"\n"].concat(), &bytes[..bytes.len().saturating_sub(1)]);
                altered.push(self.altered(case, "one byte too many", Some(Digest::of(&longer))));
                altered.push(self.altered(case, "one byte short", Some(Digest::of(shorter))));
            }
            Some(Err(_)) => altered.push(self.altered(case, "another file", Some(Digest::of(b"another file")))),
            None => {}
        }
        let wanted = self.wanted(case).ok();
        altered.retain(|altered| altered.evidence.files.get(&self.left_as).copied() != wanted);
        altered
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut with_another = case.evidence.clone();
        with_another.files.insert("a-bystander.txt".to_owned(), Digest::of(b"a bystander"));
        vec![
            AlteredState { how: "another file beside it".to_owned(), evidence: with_another },
            AlteredState { how: "something else beside it".to_owned(), evidence: with_bystander(case.evidence) },
        ]
    }
}
