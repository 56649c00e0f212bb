//! A look at every file of a run, and mending what can be mended.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use quintain_core::{Digest, TrialEvent};

use super::dir::RunDir;
use super::header::PlannedTrial;
use super::{header_file, plan};
use crate::damage::Damage;
use crate::error::StoreError;
use crate::file::{is_draft_of_the_dead, make_dir, write_whole};

/// Where broken files are put, so that nothing is ever thrown away.
const ASIDE: &str = "damaged";

/// What a frame or file that is gone is told to be cured by.
const PULL_AGAIN: &str = "where the run came from a fleet, `quintain pull` brings it back";

/// How far a look is: what is looked at, and how much of it is done.
pub type ExamineProgress<'a> = &'a mut dyn FnMut(&str, usize);

impl RunDir {
    /// Looks at everything: header, plan, every line, every picture and file, those that are named and those that are
    /// there. What is broken is noted.
    pub fn examine(&self, tell: ExamineProgress<'_>) -> Result<(), StoreError> {
        self.readable_plan()?;
        self.calls()?;
        self.lasted()?;
        self.opinions()?;
        self.exchanges()?;
        self.note_gone_segments()?;
        let named = self.examine_record(tell)?;
        self.examine_frames(named.frames, tell)?;
        self.examine_blobs(named.blobs, tell)?;
        for draft in self.left_drafts()? {
            let cure = "`quintain doctor RUN --mend` removes it";
            self.damage().note(Damage::of_file(draft, "a process was killed while it wrote this", cure));
        }
        Ok(())
    }

    /// Reads every attempt, and returns the pictures and files that they name.
    fn examine_record(&self, tell: ExamineProgress<'_>) -> Result<NamedFiles, StoreError> {
        let mut named = NamedFiles::default();
        for (n, attempt) in self.salvaged_attempts()?.iter().enumerate() {
            tell("attempts", n);
            if let Some(record) = self.salvaged(&attempt.place)? {
                record.events.iter().for_each(|event| named.add(event));
            }
        }
        Ok(named)
    }

    /// Looks at the pictures that are named, those that are there, whoever named them, and those that they lie over.
    fn examine_frames(&self, named: BTreeSet<Digest>, tell: ExamineProgress<'_>) -> Result<(), StoreError> {
        let mut known = named;
        for (digest, _file) in self.frames().stored()? {
            // One that does not say what it lies over is broken, and is told to be when its turn comes.
            known.extend(self.frames().below(digest).ok().flatten());
            known.insert(digest);
        }
        for (n, digest) in known.into_iter().enumerate() {
            tell("pictures", n);
            self.note_broken_picture(digest)?;
        }
        Ok(())
    }

    /// The same for files.
    fn examine_blobs(&self, named: BTreeSet<Digest>, tell: ExamineProgress<'_>) -> Result<(), StoreError> {
        let mut known = named;
        known.extend(self.blobs().stored(&[""])?.into_iter().map(|(digest, _file)| digest));
        for (n, digest) in known.into_iter().enumerate() {
            tell("files", n);
            self.note_broken_file(digest, PULL_AGAIN)?;
        }
        Ok(())
    }

    /// Files that killed processes were writing.
    fn left_drafts(&self) -> Result<Vec<String>, StoreError> {
        let mut folders = vec![self.path().to_owned()];
        let mut drafts = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(StoreError::io("read", &folder))?.flatten() {
                let path = entry.path();
                if is_draft_of_the_dead(&path) {
                    drafts.push(self.name_within(&path));
                } else if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        drafts.sort();
        Ok(drafts)
    }

    /// Mends what can be mended, after [`Self::examine`], and says what was done: the header is written anew, the plan
    /// gets the trials that are on record and not in it, broken pictures and files make way for whole ones, what killed
    /// processes left is removed.
    pub fn mend(&self, on_record: &[PlannedTrial]) -> Result<Vec<String>, StoreError> {
        let mut done = Vec::new();
        let broken: BTreeSet<String> = self.damage().list().into_iter().map(|damage| damage.file).collect();
        if broken.contains(header_file::FILE) || broken.contains(header_file::COPY) {
            header_file::write(self.path(), self.header())?;
            done.push("run.json and its copy are whole again".to_owned());
        }
        if broken.contains(plan::FILE) {
            done.push(self.mend_plan(on_record)?);
        }
        for file in broken.iter().filter(|file| file.starts_with("frames/") || file.starts_with("blobs/")) {
            if self.put_aside(file)? {
                done.push(format!("{file} was moved to {ASIDE}/, to make way for a whole one"));
            }
        }
        for draft in self.left_drafts()? {
            let path = self.path().join(&draft);
            fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
            done.push(format!("{draft} was removed"));
        }
        Ok(done)
    }

    fn mend_plan(&self, on_record: &[PlannedTrial]) -> Result<String, StoreError> {
        let mut trials = self.plan()?;
        let known: BTreeSet<_> = trials.iter().map(|planned| planned.trial.clone()).collect();
        let lost: Vec<&PlannedTrial> = on_record.iter().filter(|planned| !known.contains(&planned.trial)).collect();
        let n_lost = lost.len();
        trials.extend(lost.into_iter().cloned());
        self.put_aside(plan::FILE)?;
        let lines: Vec<u8> = trials.iter().flat_map(plan::line).collect();
        write_whole(&self.path().join(plan::FILE), &lines)?;
        Ok(format!("plan.jsonl was written anew, with {n_lost} trials from the record; the old one is in {ASIDE}/"))
    }

    /// Moves a file of the run aside, where it is there.
    fn put_aside(&self, file: &str) -> Result<bool, StoreError> {
        let (from, folder) = (self.path().join(file), self.path().join(ASIDE));
        if !from.exists() {
            return Ok(false);
        }
        make_dir(&folder).map_err(StoreError::io("create", &folder))?;
        let to = folder.join(file.replace('/', "-"));
        fs::rename(&from, to).map_err(StoreError::io("move", &from))?;
        Ok(true)
    }

    /// The name of a file of the run, from its directory.
    pub(super) fn name_within(&self, path: &Path) -> String {
        path.strip_prefix(self.path()).map_or_else(|_| PathBuf::from(path), PathBuf::from).display().to_string()
    }
}

/// What events name.
#[derive(Default)]
struct NamedFiles {
    frames: BTreeSet<Digest>,
    blobs: BTreeSet<Digest>,
}

impl NamedFiles {
    fn add(&mut self, event: &TrialEvent) {
        match event {
            TrialEvent::Turn { shown, .. } => self.frames.extend(shown.pictures.values()),
            TrialEvent::Collected { evidence } => {
                self.frames.extend(evidence.screen);
                self.blobs.extend(evidence.files.values());
            }
            TrialEvent::Snapshot { evidence, .. } => self.blobs.extend(evidence.files.values()),
            TrialEvent::Kept { state, .. } => self.blobs.extend(state.files.values()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quintain_core::{Picture, Screen};

    use super::*;
    use crate::frames::KeyFrame;
    use crate::run::RunHeader;

    #[test]
    fn a_picture_that_is_gone_is_missed_by_those_that_lie_over_it() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(&folder.path().join("run"), &RunHeader::new("test", "now"), &[]).unwrap();
        let [below, top] = [0, 200].map(|shade| {
            let rgba = (0..64 * 64 * 4).map(|idx| if idx == 0 { shade } else { 255 }).collect();
            Arc::new(Picture::from_rgba(64, 64, rgba).unwrap())
        });
        let key = KeyFrame { digest: below.digest(), picture: Arc::clone(&below) };
        run.shelves().put_frame(key.digest, &Screen::Raw(below), None).unwrap();
        run.shelves().put_frame(top.digest(), &Screen::Raw(Arc::clone(&top)), Some(&key)).unwrap();
        fs::remove_file(run.frame_file(key.digest)).unwrap();
        run.examine(&mut |_what, _n| ()).unwrap();
        let told: BTreeSet<String> = run.damage().list().into_iter().map(|damage| damage.file).collect();
        let files = [key.digest, top.digest()].map(|digest| run.name_within(&run.frame_file(digest)));
        assert_eq!(told, files.into());
    }
}
