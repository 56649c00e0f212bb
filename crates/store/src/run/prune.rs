//! Fewer pictures of a run that is over: verdicts, replies and evidence stay as they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use quintain_core::{Digest, TrialEvent};

use super::attempt::AttemptRecord;
use super::dir::RunDir;
use super::frame_keeper::KeptPictures;
use super::header::RunHeader;
use crate::error::StoreError;

/// What pruning takes away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrunedPictures {
    /// The files of the pictures that go.
    pub files: Vec<PathBuf>,
    /// How many bytes they take.
    pub n_bytes: u64,
    /// How many pictures stay.
    pub n_left: u64,
}

impl RunDir {
    /// The pictures that would go if only these were kept. What a picture that stays is laid over stays too.
    pub fn prunable(&self, kept: KeptPictures) -> Result<PrunedPictures, StoreError> {
        let wanted = self.wanted_pictures(kept)?;
        let mut pruned = PrunedPictures::default();
        for (digest, path) in self.frames().stored()? {
            if wanted.contains(&digest) {
                pruned.n_left += 1;
                continue;
            }
            pruned.n_bytes += fs::metadata(&path).map_or(0, |found| found.len());
            pruned.files.push(path);
        }
        Ok(pruned)
    }

    /// Takes them away. The run says from then on which pictures it keeps, before the first one goes.
    pub fn prune(&mut self, kept: KeptPictures, pruned: &PrunedPictures) -> Result<(), StoreError> {
        self.set_header(RunHeader { pictures: kept, ..self.header().clone() })?;
        for path in &pruned.files {
            fs::remove_file(path).map_err(StoreError::io("remove", path))?;
        }
        Ok(())
    }

    fn wanted_pictures(&self, kept: KeptPictures) -> Result<BTreeSet<Digest>, StoreError> {
        let (mut wanted, mut between) = (BTreeSet::new(), BTreeSet::new());
        for attempt in self.salvaged_attempts()? {
            let Some(record) = self.salvaged(&attempt.place)? else { continue };
            let shown = shown(&record);
            let ends = shown.first().into_iter().chain(shown.last()).flatten();
            wanted.extend(ends.copied().chain(record.evidence().and_then(|evidence| evidence.screen)));
            between.extend(shown.into_iter().flatten());
        }
        for digest in between {
            let is_kept = match kept {
                KeptPictures::All => true,
                // Those that are stored whole: the others differ little from one of them.
                KeptPictures::Key => self.frames().below(digest)?.is_none(),
                KeptPictures::Ends => false,
            };
            wanted.extend(is_kept.then_some(digest));
        }
        self.add_below(&mut wanted);
        Ok(wanted)
    }

    fn add_below(&self, wanted: &mut BTreeSet<Digest>) {
        let mut open: Vec<Digest> = wanted.iter().copied().collect();
        while let Some(digest) = open.pop() {
            // One that cannot be read goes or stays as it was wanted.
            if let Ok(Some(below)) = self.frames().below(digest)
                && wanted.insert(below)
            {
                open.push(below);
            }
        }
    }
}

/// The pictures of each turn.
fn shown(record: &AttemptRecord) -> Vec<Vec<Digest>> {
    let turns = record.events.iter().filter_map(|event| match event {
        TrialEvent::Turn { shown, .. } => Some(shown.pictures.values().copied().collect()),
        _ => None,
    });
    turns.collect()
}
