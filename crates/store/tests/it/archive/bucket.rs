//! The same on a real S3-compatible server, and what a directory cannot do: signed addresses.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use quintain_store::archive::{Address, Archive, PackWriter, WriteResult, paths};
use quintain_store::{ArchiveError, RunDir, StoreError};
use quintain_testkit::servers::Weed;

use super::pulling::same;
use super::{Scratch, new_run, row};

const MINUTE: Duration = Duration::from_mins(1);

fn bucket(weed: &Weed) -> Archive {
    Archive::open_with(&format!("s3://{}/team/a", weed.bucket), weed.environment()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_keeps_a_run_through_the_death_of_its_server() {
    let mut weed = Weed::start();
    let archive = bucket(&weed);
    archive.check().await.unwrap();
    let run = new_run(&archive).await;
    new_run(&archive).await;
    assert_eq!(archive.runs().await.unwrap(), ["tuesday"]);
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::played(folder.path(), "w-s1");
    scratch.ship(&run, "w-s1").await;
    let (other, its) = PackWriter::new().finish();
    assert!(run.put_pack("w-s1-0", other, &its).await.is_err(), "a pack is written once");
    let segments: Vec<_> = (0..8).map(|n| vec![row(7, 0, 1), row(8 + n, 1, 1)]).collect();
    let wrote = join_all(segments.iter().map(|rows| run.put_outcomes(rows))).await;
    let winners: Vec<usize> = (0..8).filter(|n| *wrote[*n].as_ref().unwrap() == WriteResult::New).collect();
    assert_eq!(winners.len(), 1, "{wrote:?}");
    weed.kill();
    let (restarted, pulled) = tokio::join!(
        tokio::task::spawn_blocking(move || {
            weed.restart();
            weed
        }),
        patiently(|| async { run.pull(&folder.path().join("pulled"), &mut |_| {}).await }),
    );
    assert_eq!(pulled.progress.n_in, 3);
    same(&RunDir::open(&folder.path().join("pulled")).unwrap(), &scratch);
    assert_eq!(run.outcomes().await.unwrap(), segments[winners[0]]);
    assert_eq!(run.recovered(&[0, 1].into()).await.unwrap().len(), 1);
    drop(restarted);
}

/// Tries for as long as the server may need to be there again.
async fn patiently<T, F: Future<Output = Result<T, StoreError>>>(mut job: impl FnMut() -> F) -> T {
    let started = Instant::now();
    loop {
        match job().await {
            Ok(done) => return done,
            Err(StoreError::Archive(error)) if error.may_pass() && started.elapsed() < MINUTE => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_address_opens_one_object_for_one_purpose_and_a_while() {
    let weed = Weed::start();
    let run = new_run(&bucket(&weed)).await;
    let address = Address::new();
    let tasks = run.sign_read(paths::TASKS, MINUTE).await.unwrap();
    assert!(!tasks.contains(&weed.secret));
    assert_eq!(quintain_store::archive::read_tasks(&address.read(&tasks).await.unwrap()).unwrap().len(), 1);
    let elsewhere = tasks.replace(paths::TASKS, &paths::reference(&super::task().id));
    refused(address.read(&elsewhere).await);
    refused(address.read(tasks.split('?').next().unwrap()).await);
    refused(address.write(&tasks, Bytes::from_static(b"x")).await);

    let (bytes, manifest) = PackWriter::new().finish();
    let pack = run.sign_write(&paths::pack("w-s1-0").unwrap(), MINUTE).await.unwrap();
    let list = run.sign_write(&paths::manifest("w-s1-0").unwrap(), MINUTE).await.unwrap();
    refused(address.read(&pack).await);
    refused(address.write(&pack.replace("w-s1-0", "v-s1-0"), bytes.clone()).await);
    refused_status(without_condition(&pack).await);
    assert_eq!(address.write(&pack, bytes.clone()).await.unwrap(), WriteResult::New);
    assert_eq!(address.write(&pack, Bytes::from_static(b"other")).await.unwrap(), WriteResult::AlreadyThere);
    assert_eq!(address.write(&list, Bytes::from(manifest.to_bytes())).await.unwrap(), WriteResult::New);
    assert_eq!(run.pack("w-s1-0").await.unwrap(), bytes);
    assert_eq!(run.manifests(None, 9).await.unwrap(), [("w-s1-0".to_owned(), manifest)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_address_runs_out_and_half_an_upload_is_nothing() {
    let weed = Weed::start();
    let run = new_run(&bucket(&weed)).await;
    let address = Address::new();
    let short = run.sign_read(paths::TASKS, Duration::from_secs(3)).await.unwrap();
    address.read(&short).await.unwrap();

    let path = paths::pack("w-s1-0").unwrap();
    let url = run.sign_write(&path, MINUTE).await.unwrap();
    send_half(&weed.endpoint, &url);
    assert!(run.pack("w-s1-0").await.unwrap_err().to_string().contains("not in the archive"));
    assert_eq!(address.write(&url, Bytes::from_static(b"whole")).await.unwrap(), WriteResult::New);
    assert_eq!(run.pack("w-s1-0").await.unwrap(), "whole");

    let started = Instant::now();
    while address.read(&short).await.is_ok() {
        assert!(started.elapsed() < MINUTE, "the address never ran out");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    refused(address.read(&short).await);
}

fn refused<T: std::fmt::Debug>(done: Result<T, StoreError>) {
    match done {
        Err(StoreError::Archive(ArchiveError::Address { why, what, .. })) => {
            assert!(why.starts_with("403"), "{why}");
            assert!(!what.contains("Signature"), "{what}");
        }
        other => panic!("{other:?} where a refusal was due"),
    }
}

fn refused_status(status: u16) {
    assert!((400..500).contains(&status), "{status}");
}

/// Writes at a signed address without the condition that it was signed with.
async fn without_condition(url: &str) -> u16 {
    let client = reqwest::Client::new();
    client.put(url).body("x").send().await.unwrap().status().as_u16()
}

/// Begins an upload and hangs up in the middle.
fn send_half(endpoint: &str, url: &str) {
    let host = endpoint.strip_prefix("http://").unwrap();
    let target = url.strip_prefix(endpoint).unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "PUT {target} HTTP/1.1\r\nHost: {host}\r\nIf-None-Match: *\r\nContent-Length: 100000\r\n\r\n")
        .unwrap();
    stream.write_all(&vec![b'x'; 50_000]).unwrap();
}
