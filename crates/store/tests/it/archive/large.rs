//! Large files: in parts into the archive, in parts out of it, and never another one than was meant.

use std::fs;
use std::time::Duration;

use quintain_core::{Digest, FileHandle};
use quintain_store::archive::{Address, Archive, LargeFile, PackWriter, WriteResult, paths};
use quintain_store::{BlobStore, RunDir};
use quintain_testkit::servers::Weed;

use super::{new_run, shelf};

/// More than two parts, and no whole number of them.
fn large() -> FileHandle {
    FileHandle::held((0..(17 << 20) + 7).map(|idx: u32| (idx / 13) as u8).collect::<Vec<u8>>())
}

fn named(file: &FileHandle) -> LargeFile {
    LargeFile { digest: file.digest(), len: file.n_bytes() }
}

/// Puts a file in, with the manifest that names it, and pulls it out again.
async fn passes_through(archive: &Archive) {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (new_run(archive).await, large());
    let path = paths::large("w-s1", file.digest()).unwrap();
    assert_eq!(run.put_large(&path, &file).await.unwrap(), WriteResult::New);
    assert_eq!(run.put_large(&path, &file).await.unwrap(), WriteResult::AlreadyThere);
    let mut pack = PackWriter::new();
    pack.large(file.digest(), file.n_bytes());
    let (bytes, manifest) = pack.finish();
    run.put_pack("w-s1-000000", bytes, &manifest).await.unwrap();
    let pulled = run.pull(&folder.path().join("run"), &mut |_| {}).await.unwrap();
    assert!(pulled.progress.n_bytes > file.n_bytes());
    let there = RunDir::open(&folder.path().join("run")).unwrap().blobs().handle(file.digest()).unwrap().unwrap();
    there.copy_to(&mut std::io::sink()).unwrap();
    let again = run.pull(&folder.path().join("run"), &mut |_| {}).await.unwrap();
    assert_eq!(again.progress.n_bytes, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_passes_through_a_directory() {
    passes_through(&shelf().archive).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_passes_through_a_bucket_and_through_addresses() {
    let weed = Weed::start();
    let archive = Archive::open_with(&format!("s3://{}/large", weed.bucket), weed.environment()).unwrap();
    passes_through(&archive).await;
    let (folder, minute) = (tempfile::tempdir().unwrap(), Duration::from_mins(1));
    let (run, file, address) = (archive.run("tuesday").unwrap(), large(), Address::new());
    let path = paths::large("w-s2", file.digest()).unwrap();
    let to = run.sign_write(&path, minute).await.unwrap();
    assert_eq!(address.write_file(&to, &file).await.unwrap(), WriteResult::New);
    assert_eq!(address.write_file(&to, &file).await.unwrap(), WriteResult::AlreadyThere);
    let from = run.sign_read(&path, minute).await.unwrap();
    let blobs = BlobStore::new(folder.path());
    address.fetch(&from, named(&file), &blobs).await.unwrap();
    blobs.handle(file.digest()).unwrap().unwrap().copy_to(&mut std::io::sink()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_what_its_name_says_is_not_taken() {
    let shelf = shelf();
    let (run, file, blobs) = (new_run(&shelf.archive).await, large(), BlobStore::new(shelf.folder.path().join("to")));
    let path = paths::large("w-s1", file.digest()).unwrap();
    let missing = run.fetch_large(&path, named(&file), &blobs).await.unwrap_err().to_string();
    assert!(missing.contains("could not read"), "{missing}");
    run.put_large(&path, &file).await.unwrap();
    fs::write(shelf.file(&path), vec![7; file.n_bytes() as usize]).unwrap();
    let changed = run.fetch_large(&path, named(&file), &blobs).await.unwrap_err().to_string();
    assert!(changed.contains("it was changed meanwhile"), "{changed}");
    assert!(!blobs.has(file.digest()));
    let broken = FileHandle::known(Digest::of(b"other"), file.n_bytes(), file.source().clone());
    let why = run.put_large("files/w-s1-x", &broken).await.unwrap_err().to_string();
    assert!(why.contains("it was changed meanwhile"), "{why}");
    assert!(!shelf.file("files/w-s1-x").exists());
}
