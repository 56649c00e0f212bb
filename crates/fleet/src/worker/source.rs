//! What a worker reads of a run, and where its records go: straight to the archive, or through signed addresses.

use bytes::Bytes;
use quintain_core::{FileHandle, FileSet, Task, TaskId};
use quintain_store::archive::{
    Address, Archive, LargeFile, MAX_AT_ONCE, PackManifest, paths, read_header, read_reference, read_slice, read_tasks,
};
use quintain_store::{ArchivedRun, BlobStore, PlannedTrial, RunHeader};

use super::ArchiveTrouble;
use super::steward_client::StewardClient;
use crate::ask::{ArchivePiece, StewardRequest, UnitClaim};

/// How a worker reaches the archive.
#[derive(Clone, Debug)]
pub enum ArchiveAccess {
    /// It has the means itself.
    Direct(Archive),
    /// It asks the steward for addresses, one for each thing and only for what it was given.
    Signed,
}

/// One run in the archive, as a worker reaches it.
#[derive(Clone, Debug)]
pub(super) enum RunSource {
    Direct(ArchivedRun),
    Signed { asking: StewardClient, address: Address },
}

impl RunSource {
    pub(super) fn of(run: &str, access: &ArchiveAccess, asking: &StewardClient) -> Result<Self, ArchiveTrouble> {
        Ok(match access {
            ArchiveAccess::Direct(archive) => Self::Direct(archive.run(run)?),
            ArchiveAccess::Signed => Self::Signed { asking: asking.clone(), address: Address::new() },
        })
    }

    /// Whether references may be remembered: one who could read them at any time gains nothing by it.
    pub(super) fn may_remember(&self) -> bool {
        matches!(self, Self::Direct(_))
    }

    /// What the run says of itself.
    pub(super) async fn header(&self, of: UnitClaim) -> Result<RunHeader, ArchiveTrouble> {
        match self {
            Self::Direct(run) => Ok(run.header().await?),
            Self::Signed { .. } => Ok(read_header(&self.read(of, ArchivePiece::Header).await?).map_err(broken)?),
        }
    }

    /// Its tasks, without references.
    pub(super) async fn tasks(&self, of: UnitClaim) -> Result<Vec<Task>, ArchiveTrouble> {
        match self {
            Self::Direct(run) => Ok(run.tasks().await?),
            Self::Signed { .. } => read_tasks(&self.read(of, ArchivePiece::Tasks).await?).map_err(broken),
        }
    }

    /// A slice of its plan.
    pub(super) async fn slice(&self, of: UnitClaim, slice: u32) -> Result<Vec<PlannedTrial>, ArchiveTrouble> {
        match self {
            Self::Direct(run) => Ok(run.slice(slice).await?),
            Self::Signed { .. } => read_slice(&self.read(of, ArchivePiece::Plan { slice }).await?).map_err(broken),
        }
    }

    /// The files of the reference of a unit's task. To be asked for only after the agent has stopped.
    pub(super) async fn reference(&self, of: UnitClaim, task: &TaskId) -> Result<FileSet, ArchiveTrouble> {
        match self {
            Self::Direct(run) => Ok(run.reference(task).await?),
            Self::Signed { .. } => read_reference(&self.read(of, ArchivePiece::Reference).await?).map_err(broken),
        }
    }

    /// Puts in a pack, then its manifest. It may be tried again with the same bytes.
    pub(super) async fn put_pack(
        &self,
        of: UnitClaim,
        name: &str,
        pack: Bytes,
        manifest: &PackManifest,
    ) -> Result<(), ArchiveTrouble> {
        match self {
            Self::Direct(run) => run.put_pack(name, pack, manifest).await?,
            Self::Signed { asking, address } => {
                let [to, list] = asking.addresses(&StewardRequest::Write { of, pack: name.to_owned() }).await?;
                address.write(&to, pack).await?;
                address.write(&list, manifest.to_bytes().into()).await?;
            }
        }
        Ok(())
    }

    /// Puts in a large file that an agent left. It may be tried again.
    pub(super) async fn put_large(
        &self,
        of: UnitClaim,
        session: &str,
        file: &FileHandle,
    ) -> Result<(), ArchiveTrouble> {
        match self {
            Self::Direct(run) => {
                run.put_large(&paths::large(session, file.digest()).map_err(broken)?, file).await?;
            }
            Self::Signed { .. } if file.n_bytes() > MAX_AT_ONCE => {
                let why = format!("{} bytes do not fit through an address; give the worker --store", file.n_bytes());
                return Err(ArchiveTrouble::Refused(why));
            }
            Self::Signed { asking, address } => {
                let name = paths::large_name(session, file.digest());
                let [to] = asking.addresses(&StewardRequest::WriteFile { of, file: name }).await?;
                address.write_file(&to, file).await?;
            }
        }
        Ok(())
    }

    /// Fetches a large file of a task.
    pub(super) async fn fetch(&self, wanted: &TaskFile, to: &BlobStore) -> Result<(), ArchiveTrouble> {
        match self {
            Self::Direct(run) => Ok(run.fetch_large(&wanted.path(), wanted.file, to).await?),
            Self::Signed { asking, address } => {
                let (of, piece) = (wanted.of.clone(), wanted.piece());
                let [from] = asking.addresses(&StewardRequest::Read { of, piece }).await?;
                Ok(address.fetch(&from, wanted.file, to).await?)
            }
        }
    }

    async fn read(&self, of: UnitClaim, piece: ArchivePiece) -> Result<Bytes, ArchiveTrouble> {
        let Self::Signed { asking, address } = self else {
            return Err(ArchiveTrouble::Steward("nobody needs addresses here".to_owned()));
        };
        let [url] = asking.addresses(&StewardRequest::Read { of, piece }).await?;
        Ok(address.read(&url).await?)
    }
}

/// A large file of a task, as a worker asks for it.
#[derive(Clone, Debug)]
pub(super) struct TaskFile {
    /// A unit of the run; of that task, if it is a file of the reference.
    pub(super) of: UnitClaim,
    /// The task.
    pub(super) task: TaskId,
    /// Which folder of the task it is in.
    pub(super) folder: TaskFolder,
    /// The file.
    pub(super) file: LargeFile,
}

/// A folder of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskFolder {
    Input,
    Reference,
}

impl TaskFile {
    fn path(&self) -> String {
        match self.folder {
            TaskFolder::Input => paths::input(self.file.digest),
            TaskFolder::Reference => paths::reference_file(&self.task, self.file.digest),
        }
    }

    fn piece(&self) -> ArchivePiece {
        match self.folder {
            TaskFolder::Input => ArchivePiece::Input { digest: self.file.digest },
            TaskFolder::Reference => ArchivePiece::ReferenceFile { digest: self.file.digest },
        }
    }
}

/// What was read makes no sense to this program.
fn broken(error: quintain_store::ArchiveError) -> ArchiveTrouble {
    ArchiveTrouble::Archive(error.into())
}
