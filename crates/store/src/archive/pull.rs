//! A run from the archive as a run directory again.

use std::path::Path;
use std::sync::Arc;

use futures_util::{StreamExt, stream};

use super::pull_target::PullTarget;
use super::run::{AT_ONCE, ArchivedRun, read_header};
use super::{aside, paths};
use crate::damage::Damage;
use crate::error::StoreError;
use crate::run::LineRange;

/// How far a pull is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PullProgress {
    /// Packs in all.
    pub n_packs: usize,
    /// Packs that are in.
    pub n_in: usize,
    /// Bytes that were fetched this time.
    pub n_bytes: u64,
}

/// What was pulled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PulledRun {
    /// How far it came: all the way.
    pub progress: PullProgress,
    /// Packs that were in before.
    pub n_before: usize,
    /// Segments.
    pub n_segments: usize,
    /// Packs and slices of the plan that are damaged or gone, and were left out. They are fetched again the next time.
    pub broken: Vec<Damage>,
    /// Lines that no pack holds though later lines of the same segment are there: a blank line stands in their place.
    pub missing: Vec<LineRange>,
}

impl ArchivedRun {
    /// Makes a run directory of what is archived: header, plan, segments, books, pictures and files, each checked
    /// against its name. Whoever is cut off may begin again and goes on where it was; a run that has grown since is pulled again
    /// the same way, and only what is new is fetched. The directory is a run once all is there. Outcomes are not
    /// written: the caller makes the engine's file from [`Self::outcomes`] and [`Self::recovered`].
    pub async fn pull(&self, to: &Path, tell: &mut (dyn FnMut(PullProgress) + Send)) -> Result<PulledRun, StoreError> {
        let header_bytes = self.get(paths::HEADER).await?;
        let header = read_header(&header_bytes)?;
        let landing = Arc::new(PullTarget::open(to, &header)?);
        let mut broken = self.pull_plan(&landing).await?;
        let mut pulled = self.pull_packs(&landing, tell).await?;
        pulled.broken.append(&mut broken);
        let closing = Arc::clone(&landing);
        (pulled.n_segments, pulled.missing) = aside(move || closing.close_segments()).await?;
        let binding = Arc::clone(&landing);
        pulled.missing.extend(aside(move || binding.bind_books()).await?);
        landing.put(paths::HEADER, &header_bytes)?;
        Ok(pulled)
    }

    /// Brings the plan, and says which slices of it cannot be had.
    async fn pull_plan(&self, landing: &PullTarget) -> Result<Vec<Damage>, StoreError> {
        let n_slices = self.n_slices().await?;
        let slice = |slice| async move { (paths::slice(slice), self.get(&paths::slice(slice)).await) };
        let mut slices = stream::iter(0..n_slices).map(slice).buffered(AT_ONCE);
        let (mut plan, mut broken) = (Vec::new(), Vec::new());
        while let Some((name, slice)) = slices.next().await {
            match slice {
                Ok(lines) => plan.extend_from_slice(&lines),
                Err(error) => broken.push(damaged(&name, error)?),
            }
        }
        landing.put("plan.jsonl", &plan)?;
        Ok(broken)
    }

    async fn pull_packs(
        &self,
        landing: &Arc<PullTarget>,
        tell: &mut (dyn FnMut(PullProgress) + Send),
    ) -> Result<PulledRun, StoreError> {
        let (all, before) = (self.pack_names(None).await?, landing.packs());
        let mut progress = PullProgress { n_packs: all.len(), n_in: 0, n_bytes: 0 };
        let wanted: Vec<String> = all.into_iter().filter(|name| !before.contains(name)).collect();
        let n_before = progress.n_packs - wanted.len();
        progress.n_in = n_before;
        tell(progress);
        let named = |name: String| async move { (name.clone(), self.pull_pack(landing, name).await) };
        let mut fetched = stream::iter(wanted).map(named).buffer_unordered(AT_ONCE);
        let mut broken = Vec::new();
        while let Some((name, pack)) = fetched.next().await {
            match pack {
                Ok(n_bytes) => {
                    progress.n_in += 1;
                    progress.n_bytes += n_bytes;
                }
                Err(error) => broken.push(damaged(&name, error)?),
            }
            tell(progress);
        }
        Ok(PulledRun { progress, n_before, broken, ..PulledRun::default() })
    }

    /// Fetches one pack, and returns how many bytes it had.
    async fn pull_pack(&self, landing: &Arc<PullTarget>, name: String) -> Result<u64, StoreError> {
        let pack = self.whole_pack(&name).await?;
        let n_bytes = pack.n_bytes() + self.fetch_left(&name, pack.large(), landing.blobs()).await?;
        let landing = Arc::clone(landing);
        aside(move || landing.take(&name, &pack)).await?;
        Ok(n_bytes)
    }
}

/// What is told of an object of the archive that is damaged or gone. Where the archive itself cannot be reached, there is no use
/// in going on.
pub(super) fn damaged(name: &str, error: StoreError) -> Result<Damage, StoreError> {
    match error {
        StoreError::Archive(error) if error.is_of_one_object() => {
            let cure = "the rest was pulled; `quintain pull` fetches it again once the archive has it whole";
            Ok(Damage::of_file(name, error.to_string(), cure))
        }
        other => Err(other),
    }
}
