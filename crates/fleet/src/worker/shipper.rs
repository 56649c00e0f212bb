//! Records on their way to the archive: many cheap trials in a pack, a dear one in a pack of its own.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use quintain_core::FileHandle;
use quintain_core::lock::LockAlways as _;
use quintain_runner::HandInForm;
use quintain_store::archive::{BookPlace, LARGE, PackWriter, ShippedAttempt};
use quintain_store::{Book, DiskFile, LineRange, RunDir, StoreError};

use super::ArchiveTrouble;
use super::context::WorkerContext;
use super::hand_in_queue::FinishedTrial;
use super::holdings::TrackedLease;
use super::retry::WORKER_BACKOFF;
use super::source::RunSource;
use super::trace;
use crate::ask::UnitClaim;

/// A pack that has grown beyond this is closed and another one begun.
const BIG: usize = 64 << 20;

/// How long one tries to ship what no outcome waits for, before a room is left.
const REST_WITHIN: Duration = Duration::from_mins(5);

/// Ships what is recorded of one run.
pub(super) struct Shipper<'a> {
    context: &'a WorkerContext<'a>,
    run: &'a RunDir,
    source: &'a RunSource,
    session: &'a str,
    /// One pack at a time: whatever a pack does not hold of what its records name is in the archive already.
    shipped: Mutex<ShipProgress>,
    n_bytes: AtomicU64,
    /// A unit of the run that was given to this worker: whoever names it may ship.
    claim: OnceLock<UnitClaim>,
}

/// How far one is.
#[derive(Default)]
struct ShipProgress {
    n_packs: u32,
    /// How many bytes of each book are shipped, in the order of [`Book::ALL`].
    books: [u64; Book::ALL.len()],
}

/// Lines of a book that are to be shipped.
struct NewLines {
    place: BookPlace,
    lines: Vec<u8>,
}

impl<'a> Shipper<'a> {
    pub(super) fn new(
        context: &'a WorkerContext<'a>,
        run: &'a RunDir,
        source: &'a RunSource,
        session: &'a str,
    ) -> Self {
        let (shipped, n_bytes, claim) = (Mutex::default(), AtomicU64::new(0), OnceLock::new());
        Self { context, run, source, session, shipped, n_bytes, claim }
    }

    /// Notes a unit of the run that is played here.
    pub(super) fn plays(&self, held: &TrackedLease) {
        self.claim.get_or_init(|| self.context.engine.claim(&held.lease));
    }

    /// How many bytes were shipped so far.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes.load(Ordering::Relaxed)
    }

    /// Ships records with all they name, however long it takes. An error means that they cannot be read from the disk, or
    /// that nobody will have them any more.
    pub(super) fn ship(&self, brought: &[&FinishedTrial]) -> Result<(), StoreError> {
        let Some(first) = brought.first() else { return Ok(()) };
        let claim = self.context.engine.claim(&first.held.lease);
        let mut shipped = self.shipped.lock().always();
        let news = self.news(&shipped)?;
        let mut pack = PackWriter::new();
        for place in places(brought) {
            pack.lines(&place, &self.run.lines(&place)?)?;
        }
        pack = self.add_files(pack, &claim, &mut shipped)?;
        for brought in brought {
            pack.attempt(attempt_of(brought, self.context.engine.claim(&brought.finish.lease).ticket));
        }
        add_books(&mut pack, &news)?;
        self.put(pack, &claim, &mut shipped)?;
        shipped.know(&news);
        for brought in brought {
            trace::offer(self.context, self.run, brought);
        }
        Ok(())
    }

    /// Ships pictures and files alone, ahead of the records that name them.
    pub(super) fn ship_files(&self, claim: &UnitClaim) -> Result<(), StoreError> {
        let mut shipped = self.shipped.lock().always();
        let news = self.news(&shipped)?;
        let mut pack = self.add_files(PackWriter::new(), claim, &mut shipped)?;
        if !pack.is_empty() {
            add_books(&mut pack, &news)?;
            self.put(pack, claim, &mut shipped)?;
            shipped.know(&news);
        }
        Ok(())
    }

    /// Ships what is left in the books once nobody plays any more, with the files that it names. Nothing waits for it, so
    /// it is given up after a while.
    pub(super) fn ship_rest(&self) -> Result<(), StoreError> {
        let Some(claim) = self.claim.get() else { return Ok(()) };
        let mut shipped = self.shipped.lock().always();
        let news = self.news(&shipped)?;
        if news.is_empty() {
            return Ok(());
        }
        let mut pack = self.add_files(PackWriter::new(), claim, &mut shipped)?;
        add_books(&mut pack, &news)?;
        let (put, within) = (self.putting(pack, claim, &mut shipped), REST_WITHIN);
        let in_time = self.context.block_on(async { tokio::time::timeout(within, put).await });
        shipped.know(&news);
        in_time.unwrap_or_else(|_elapsed| {
            self.context.log("the last lines of the books could not be shipped and are lost");
            Ok(())
        })
    }

    /// What is new in the books. To be asked before the files: a line is written after the files that it names.
    fn news(&self, shipped: &ShipProgress) -> Result<Vec<NewLines>, StoreError> {
        let mut news = Vec::new();
        for (file, start) in Book::ALL.into_iter().zip(shipped.books) {
            let lines = self.run.book_lines(file, start)?;
            let end = start + lines.len() as u64;
            if end > start {
                news.push(NewLines { place: BookPlace { file, session: self.session.to_owned(), start, end }, lines });
            }
        }
        Ok(news)
    }

    /// Adds the pictures and files that are new, and ships in between what has grown too big.
    fn add_files(
        &self,
        mut pack: PackWriter,
        claim: &UnitClaim,
        shipped: &mut ShipProgress,
    ) -> Result<PackWriter, StoreError> {
        let fresh = self.run.take_fresh();
        for digest in fresh.frames {
            pack.frame(digest, &whole(&self.run.frame_file(digest))?);
            pack = self.put_if_big(pack, claim, shipped)?;
        }
        for digest in fresh.blobs {
            let file = self.run.blob_file(digest);
            let n_bytes = fs::metadata(&file).map_err(|source| unread(&file, source))?.len();
            if n_bytes > LARGE {
                self.context.block_on(self.put_large(DiskFile::at(file).known_as(digest, n_bytes), claim))?;
                pack.large(digest, n_bytes);
            } else {
                pack.blob(digest, &whole(&file)?);
                pack = self.put_if_big(pack, claim, shipped)?;
            }
        }
        Ok(pack)
    }

    /// What to go on with: the same pack, or an empty one where it was big enough to be shipped.
    fn put_if_big(
        &self,
        pack: PackWriter,
        claim: &UnitClaim,
        shipped: &mut ShipProgress,
    ) -> Result<PackWriter, StoreError> {
        if pack.n_bytes() <= BIG {
            return Ok(pack);
        }
        self.put(pack, claim, shipped)?;
        Ok(PackWriter::default())
    }

    /// Puts a large file into the archive by itself, as patiently as a pack.
    async fn put_large(&self, file: FileHandle, claim: &UnitClaim) -> Result<(), StoreError> {
        let (began, what) = (Instant::now(), format!("file {}", file.digest().short()));
        let put = || self.source.put_large(claim.clone(), self.session, &file);
        self.until_put(&what, put).await?;
        self.context.options.metrics.shipped(file.n_bytes(), began.elapsed());
        self.n_bytes.fetch_add(file.n_bytes(), Ordering::Relaxed);
        Ok(())
    }

    /// Tries until it is done, or until the steward has gone on refusing it for too long.
    async fn until_put<F>(&self, what: &str, mut put: impl FnMut() -> F) -> Result<(), StoreError>
    where
        F: Future<Output = Result<(), ArchiveTrouble>>,
    {
        let (mut waits, mut refused_since) = (WORKER_BACKOFF.begin(), None::<Instant>);
        while let Err(trouble) = put().await {
            let is_refused = matches!(trouble, ArchiveTrouble::Refused(_));
            refused_since = is_refused.then(|| refused_since.unwrap_or_else(Instant::now));
            if refused_since.is_some_and(|since| since.elapsed() >= trouble.worth_waiting()) {
                return Err(trouble.into_store_error(what));
            }
            self.context.log(&format!("cannot ship {what}: {trouble}"));
            tokio::time::sleep(waits.next_wait()).await;
        }
        Ok(())
    }

    /// Puts a pack into the archive, however long it takes; only where the steward goes on refusing it, it is given up.
    fn put(&self, pack: PackWriter, claim: &UnitClaim, shipped: &mut ShipProgress) -> Result<(), StoreError> {
        self.context.block_on(self.putting(pack, claim, shipped))
    }

    async fn putting(&self, pack: PackWriter, claim: &UnitClaim, shipped: &mut ShipProgress) -> Result<(), StoreError> {
        let name = format!("{}-{:06}", self.session, shipped.n_packs);
        shipped.n_packs += 1;
        let (bytes, manifest) = pack.finish();
        let began = Instant::now();
        let put = || self.source.put_pack(claim.clone(), &name, bytes.clone(), &manifest);
        self.until_put(&format!("pack {name}"), put).await?;
        self.context.options.metrics.shipped(bytes.len() as u64, began.elapsed());
        self.context.tally.packs(bytes.len() as u64);
        self.n_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

impl ShipProgress {
    /// Notes what was shipped of the books.
    fn know(&mut self, news: &[NewLines]) {
        for (file, end) in Book::ALL.into_iter().zip(&mut self.books) {
            news.iter().filter(|news| news.place.file == file).for_each(|news| *end = news.place.end);
        }
    }
}

fn add_books(pack: &mut PackWriter, news: &[NewLines]) -> Result<(), StoreError> {
    for NewLines { place, lines } in news {
        pack.book(place.clone(), lines)?;
    }
    Ok(())
}

fn unread(file: &Path, source: io::Error) -> StoreError {
    StoreError::Io { doing: "read", path: file.to_owned(), source }
}

fn whole(file: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(file).map_err(|source| unread(file, source))
}

/// Where the records stand, in order; what follows each other or overlaps is one.
fn places(brought: &[&FinishedTrial]) -> Vec<LineRange> {
    let own = brought.iter().filter_map(|brought| brought.place()?.parse::<LineRange>().ok());
    let recalled = brought.iter().flat_map(|brought| brought.recalled.iter().cloned());
    joined(own.chain(recalled).collect())
}

fn joined(mut places: Vec<LineRange>) -> Vec<LineRange> {
    places.sort();
    let mut joined: Vec<LineRange> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if last.segment == place.segment && place.start <= last.end => {
                last.end = last.end.max(place.end);
            }
            _ => joined.push(place),
        }
    }
    joined
}

fn attempt_of(brought: &FinishedTrial, ticket: String) -> ShippedAttempt {
    let (trial, lease) = (brought.finish.trial.clone(), &brought.finish.lease);
    let (outcome, end) = match &brought.finish.how {
        HandInForm::Ended(outcome) => (Some(outcome.as_ref().clone().finished()), None),
        HandInForm::Released(release) => (None, serde_json::to_value(&release.end).ok()),
    };
    let place = brought.place().unwrap_or_default().to_owned();
    let idx = u32::try_from(lease.key).unwrap_or(u32::MAX);
    ShippedAttempt { idx, trial, attempt: lease.attempt, ticket, place, outcome, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_read_at_once() {
        let cases = [
            ("b:0-5 a:5-9 a:0-5", "a:0-9 b:0-5"),
            ("a:0-5 a:6-9", "a:0-5 a:6-9"),
            ("a:0-5 a:0-5 a:2-4 a:5-5", "a:0-5"),
            ("", ""),
        ];
        for (given, expected) in cases {
            let places = given.split_whitespace().map(|place| place.parse().unwrap()).collect();
            let found: Vec<String> = joined(places).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), expected);
        }
    }
}
