//! Packs of a run in an archive.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::manifest::PackManifest;
use super::pack::Pack;
use super::paths;
use super::run::{AT_ONCE, ArchivedRun};
use crate::error::StoreError;

/// What to do about a pack that is there already.
const ANOTHER: &str = "two workers use one name, or one used a session's name again: give each worker its own";

/// How the names of manifests end.
const ENDING: &str = ".json";

impl ArchivedRun {
    /// Puts in a pack, then its manifest. A pack without a manifest is as good as none, so whoever dies in between may
    /// begin again with the same bytes.
    pub async fn put_pack(&self, name: &str, bytes: Bytes, manifest: &PackManifest) -> Result<(), StoreError> {
        let (pack, list) = (self.at(&paths::pack(name)?), self.at(&paths::manifest(name)?));
        self.objects.create_same(&pack, bytes, ANOTHER).await?;
        self.objects.create_same(&list, Bytes::from(manifest.to_bytes()), ANOTHER).await?;
        Ok(())
    }

    /// The names of all packs that have a manifest and come after one, in order.
    pub async fn pack_names(&self, after: Option<&str>) -> Result<Vec<String>, StoreError> {
        let after = after.map(|name| format!("{name}{ENDING}"));
        let files = self.objects.files(&self.at(paths::PACKS), after.as_deref()).await?;
        Ok(files.iter().filter_map(|file| file.strip_suffix(ENDING)).map(str::to_owned).collect())
    }

    /// Packs that come after one, in order of name, with their manifests; at most so many.
    pub async fn manifests(&self, after: Option<&str>, max: usize) -> Result<Vec<(String, PackManifest)>, StoreError> {
        let names: Vec<String> = self.pack_names(after).await?.into_iter().take(max).collect();
        let with_manifest = |name: String| async move {
            let manifest = self.manifest(&name).await?;
            Ok((name, manifest))
        };
        stream::iter(names).map(with_manifest).buffered(AT_ONCE).try_collect().await
    }

    /// The manifests of these packs that can be read. What a damaged one told is played again, or lost: no other is lost
    /// with it.
    pub async fn readable_manifests(&self, names: &[String]) -> Result<Vec<PackManifest>, StoreError> {
        let mut manifests = stream::iter(names).map(|name| self.manifest(name)).buffered(AT_ONCE);
        let mut readable = Vec::new();
        while let Some(manifest) = manifests.next().await {
            match manifest {
                Ok(manifest) => readable.push(manifest),
                Err(StoreError::Archive(error)) if error.is_of_one_object() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(readable)
    }

    /// The manifest of a pack.
    pub async fn manifest(&self, name: &str) -> Result<PackManifest, StoreError> {
        let path = paths::manifest(name)?;
        Ok(PackManifest::from_bytes(&path, &self.get(&path).await?)?)
    }

    /// The bytes of a pack.
    pub async fn pack(&self, name: &str) -> Result<Bytes, StoreError> {
        self.get(&paths::pack(name)?).await
    }

    /// A pack with its manifest, each checked against the other.
    pub(super) async fn whole_pack(&self, name: &str) -> Result<Pack, StoreError> {
        let manifest = self.manifest(name).await?;
        Ok(Pack::new(name, self.pack(name).await?, manifest)?)
    }
}
