//! References under a worker's key, on a real object store: for the unit that was given, by an address that opens nothing
//! else and not for long.

use std::time::{Duration, Instant};

use quintain_fleet::ask::{ArchivePiece, StewardAnswer, StewardRequest, UnitClaim};
use quintain_runner::engine::steered::RunTerms;
use quintain_runner::engine::{Engine, LeaseOrder};
use quintain_store::archive::{Archive, paths};
use quintain_testkit::PATIENCE;
use quintain_testkit::servers::Weed;

use crate::castle::{Castle, hand_in};

const CANARY: &str = "quintain-canary";

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_is_had_with_a_ticket_by_an_address_that_opens_nothing_else() {
    let (castle, weed) = (Castle::build(), Weed::start());
    let archive = Archive::open_with(&format!("s3://{}/team", weed.bucket), weed.environment()).unwrap();
    let (steward, _serving) = castle.steward(archive.clone()).await;
    let units = castle.archived_run("r", RunTerms::default()).await;
    hand_in(&steward, &units).await;
    let desk = castle.engine("desk").await;
    let order = LeaseOrder { classes: vec!["puzzles".to_owned()], max: 1, wait: PATIENCE };
    let of = desk.claim(&desk.lease(&order).await.unwrap()[0]);

    let guessed = UnitClaim { ticket: "0123456789abcdef".to_owned(), ..of.clone() };
    let refused = castle.ask("desk", &StewardRequest::Read { of: guessed, piece: ArchivePiece::Reference }).await;
    assert!(matches!(refused, StewardAnswer::Refused { .. }), "{refused:?}");
    let pack = |name: &str| StewardRequest::Write { of: of.clone(), pack: name.to_owned() };
    let refused = castle.ask("desk", &pack("lab-0a1b-000001")).await;
    assert!(matches!(refused, StewardAnswer::Refused { .. }), "{refused:?}");

    let StewardAnswer::Addresses { urls } =
        castle.ask("desk", &StewardRequest::Read { of: of.clone(), piece: ArchivePiece::Reference }).await
    else {
        panic!("no address was given")
    };
    let (status, reference) = fetch(&urls[0]).await;
    assert!(status == 200 && holds_canary(&reference), "{status} {reference}");
    opens_nothing_else(&archive, &urls[0]).await;
    the_tasks_have_no_references(&castle, &of).await;
    an_address_expires(&archive).await;
}

async fn opens_nothing_else(archive: &Archive, url: &str) {
    let run = archive.run("r").unwrap();
    let plan = run.slice(0).await.unwrap();
    let own = paths::reference(&plan[0].trial.instance.task);
    let other = paths::reference(&plan[3].trial.instance.task);
    assert_ne!(own, other);
    for path in [other.as_str(), paths::HEADER, paths::TASKS, ""] {
        let tried = url.replace(&own, path);
        assert_ne!(tried, url, "the address names what it opens");
        assert_eq!(fetch(&tried).await.0, 403, "{tried}");
    }
    let (unsigned, _) = url.split_once('?').unwrap();
    assert_eq!(fetch(unsigned).await.0, 403);
    let written = client().put(url).body("forged").send().await.unwrap();
    assert_eq!(written.status().as_u16(), 403);
}

async fn the_tasks_have_no_references(castle: &Castle, of: &UnitClaim) {
    for piece in [ArchivePiece::Tasks, ArchivePiece::Header, ArchivePiece::Plan { slice: 0 }] {
        let answer = castle.ask("desk", &StewardRequest::Read { of: of.clone(), piece: piece.clone() }).await;
        let StewardAnswer::Addresses { urls } = answer else { panic!("{answer:?}") };
        let (status, text) = fetch(&urls[0]).await;
        assert!(status == 200 && !text.is_empty() && !holds_canary(&text), "{piece:?}: {status} {text}");
    }
}

async fn an_address_expires(archive: &Archive) {
    let url = archive.run("r").unwrap().sign_read(paths::HEADER, Duration::from_secs(5)).await.unwrap();
    assert_eq!(fetch(&url).await.0, 200);
    let began = Instant::now();
    while fetch(&url).await.0 == 200 {
        assert!(began.elapsed() < PATIENCE, "the address is still good");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(fetch(&url).await.0, 403);
}

/// Files of a task may be kept as text or in some encoding of it.
fn holds_canary(text: &str) -> bool {
    let encoded = ["cXVpbnRhaW4tY2FuYXJ5", "7175696e7461696e2d63616e617279"];
    text.contains(CANARY) || encoded.iter().any(|canary| text.contains(canary))
}

fn client() -> reqwest::Client {
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder().timeout(PATIENCE).build().unwrap()
}

async fn fetch(url: &str) -> (u16, String) {
    let answer = client().get(url).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}
