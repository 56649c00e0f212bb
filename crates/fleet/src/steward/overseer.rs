//! Sees to it that whatever is outstanding is on offer, on any engine with a [`SteeredEngine`] and by any clock.

mod book;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_runner::engine::steered::{Parcel, RunStanding, SettledUnit, SteeredEngine};
use quintain_runner::engine::{EngineError, RunDirection};

use self::book::{OutUnits, RunKnowledge};
use super::bits::UnitBits;
use super::feeder::{Feeder, FeederPick, QueueDepth};

/// How an overseer goes about it.
#[derive(Clone, Copy, Debug)]
pub struct OverseerOptions {
    /// How much is kept on offer.
    pub depth: QueueDepth,
    /// How often it looks for new runs and changed directions, in milliseconds.
    pub look_every_ms: i64,
    /// How often it compares what should be on offer with what is, in milliseconds.
    pub audit_every_ms: i64,
    /// How long it leaves new units to whoever registered them and offers the first ones, in milliseconds.
    pub patience_ms: i64,
    /// How many outcomes it reads at once, and how many parcels of a class it offers at once.
    pub batch: usize,
}

impl Default for OverseerOptions {
    fn default() -> Self {
        let depth = QueueDepth::default();
        Self { depth, look_every_ms: 1_000, audit_every_ms: 60_000, patience_ms: 1_000, batch: 4_096 }
    }
}

/// What came of a round.
#[derive(Debug, Default)]
pub struct OverseerRound {
    /// Outcomes that came in, in their order. An outcome may come twice after a takeover, never not at all.
    pub settled: Vec<SettledUnit>,
    /// How many parcels were put on offer.
    pub n_offered: u64,
    /// How many units were found to be neither on offer nor held, and are offered again.
    pub n_reoffered: u64,
    /// Whether all outcomes that there were have been read. If not, the next round should follow at once.
    pub is_caught_up: bool,
}

/// Decides and does what a leading steward does about offers. A new one takes over whatever it finds.
///
/// All it knows it has read from the engine, so that any number of them may follow each other; if two act at once, work
/// may be offered twice, which costs time and changes no result.
pub struct Overseer<F> {
    floor: Arc<F>,
    feeder: Feeder,
    options: OverseerOptions,
    books: BTreeMap<String, RunKnowledge>,
    /// Outcomes of runs that are not known.
    strays: BTreeMap<String, UnitBits>,
    /// The sequence number from which outcomes are still to be read.
    from: u64,
    next_look_ms: i64,
    next_audit_ms: i64,
    /// Runs to be audited, and from when on.
    suspects: BTreeMap<String, i64>,
    /// Runs of which something cannot be read, and why. They are tried again at the next look.
    troubles: BTreeMap<String, String>,
    /// What was seen to be out, and waits until the outcomes that came meanwhile have been read.
    sightings: Vec<(String, OutUnits)>,
}

impl<F: SteeredEngine> Overseer<F> {
    /// An overseer of this floor that knows nothing yet.
    pub fn new(floor: Arc<F>, options: OverseerOptions) -> Self {
        Self {
            floor,
            feeder: Feeder::new(options.depth),
            options,
            books: BTreeMap::new(),
            strays: BTreeMap::new(),
            from: 0,
            next_look_ms: i64::MIN,
            next_audit_ms: i64::MIN,
            suspects: BTreeMap::new(),
            troubles: BTreeMap::new(),
            sightings: Vec::new(),
        }
    }

    /// Tells of outcomes that are known from elsewhere, so that only those from a sequence number on need be read.
    pub fn recall(&mut self, done: impl IntoIterator<Item = (String, Vec<u32>)>, from: u64) {
        for (run, units) in done {
            let strays = self.strays.entry(run).or_default();
            for idx in units {
                strays.put(idx);
            }
        }
        self.from = from;
    }

    /// Asks for an audit of a run in the next round.
    pub fn suspect(&mut self, run: &str) {
        self.suspects.insert(run.to_owned(), i64::MIN);
        self.next_look_ms = i64::MIN;
    }

    /// What is known about offers.
    pub fn feeder(&self) -> &Feeder {
        &self.feeder
    }

    /// The runs as they were last seen.
    pub fn runs(&self) -> impl Iterator<Item = &RunStanding> {
        self.books.values().map(|book| &book.standing)
    }

    /// Runs of which nothing is put on offer because something cannot be read, and why.
    pub fn troubles(&self) -> &BTreeMap<String, String> {
        &self.troubles
    }

    /// How many units of each run have no outcome yet.
    pub fn outstanding(&self) -> BTreeMap<String, u64> {
        let left = |book: &RunKnowledge| book.standing.n_units.saturating_sub(self.feeder.n_done(&book.standing.run));
        self.books.iter().map(|(run, book)| (run.clone(), left(book).into())).collect()
    }

    /// Takes note of what has happened and offers what should be. `n_slots` says for each class how many slots the
    /// living workers have. After an error the next round makes up for whatever this one did not do.
    pub async fn round(&mut self, now_ms: i64, n_slots: &BTreeMap<String, u64>) -> Result<OverseerRound, EngineError> {
        if now_ms >= self.next_look_ms {
            self.look(now_ms).await?;
            self.next_look_ms = now_ms.saturating_add(self.options.look_every_ms);
        }
        if now_ms >= self.next_audit_ms {
            self.suspects.extend(self.books.keys().map(|run| (run.clone(), now_ms)));
            self.next_audit_ms = now_ms.saturating_add(self.options.audit_every_ms);
        }
        // What is out is read before the outcomes are, and used after them: a unit that is handed in between is then in the
        // outcomes. The other way round it would be in neither, and be offered again although it is done.
        self.sight(now_ms).await?;
        let mut round = self.follow().await?;
        // Until all outcomes have been read, what looks free may be done.
        if !round.is_caught_up {
            return Ok(round);
        }
        round.n_reoffered = self.audit().await?;
        self.feeder.muster(n_slots);
        round.n_offered = self.offer(now_ms).await?;
        Ok(round)
    }

    /// Looks which runs there are, learns their new units, and notices those that were told to go.
    async fn look(&mut self, now_ms: i64) -> Result<(), EngineError> {
        // The first look is a takeover: whoever registered the units may be long gone.
        let is_takeover = self.next_audit_ms == i64::MIN;
        self.troubles.clear();
        for standing in self.floor.runs().await? {
            let run = standing.run.clone();
            self.feeder.stand(&standing);
            let book = self.books.entry(run.clone()).or_insert_with(|| RunKnowledge::of(standing.clone()));
            let is_let_go = book.standing.direction != RunDirection::Go && standing.direction == RunDirection::Go;
            book.standing = standing;
            if let Some(strays) = self.strays.remove(&run) {
                for idx in strays.all() {
                    self.feeder.settle(&run, idx);
                }
            }
            let n_new = match book.learn(self.floor.as_ref(), &mut self.feeder).await {
                Err(EngineError::Unreadable { why, .. }) => {
                    self.troubles.insert(run, why);
                    continue;
                }
                learnt => learnt?,
            };
            let patience_ms = if is_let_go || is_takeover { 0 } else { self.options.patience_ms };
            if is_let_go || n_new > 0 {
                let due_ms = self.suspects.entry(run).or_insert(i64::MAX);
                *due_ms = now_ms.saturating_add(patience_ms).min(*due_ms);
            }
        }
        Ok(())
    }

    /// Reads what is out, of runs that are to be audited.
    async fn sight(&mut self, now_ms: i64) -> Result<(), EngineError> {
        let due = self.suspects.iter().filter(|(_, due_ms)| **due_ms <= now_ms).map(|(run, _)| run.clone());
        for run in due.collect::<Vec<_>>() {
            let book = self.books.get(&run).filter(|book| !book.is_over && book.standing.direction == RunDirection::Go);
            if book.is_some() {
                let sighting = OutUnits::take(self.floor.as_ref(), &run).await?;
                self.sightings.push((run.clone(), sighting));
            }
            self.suspects.remove(&run);
        }
        Ok(())
    }

    /// Reads outcomes that have come.
    async fn follow(&mut self) -> Result<OverseerRound, EngineError> {
        let settled = self.floor.settled(self.from, self.options.batch).await?;
        for outcome in &settled {
            self.from = outcome.recorded.seq + 1;
            self.settle(&outcome.run, outcome.idx);
        }
        let is_caught_up = settled.len() < self.options.batch;
        Ok(OverseerRound { settled, is_caught_up, ..OverseerRound::default() })
    }

    fn settle(&mut self, run: &str, idx: u32) {
        let Some(book) = self.books.get_mut(run) else {
            self.strays.entry(run.to_owned()).or_default().put(idx);
            self.next_look_ms = i64::MIN;
            return;
        };
        self.feeder.settle(run, idx);
        book.close(idx, &mut self.feeder);
    }

    /// Frees what was not seen to be out, now that outcomes that came before it was seen have been read.
    async fn audit(&mut self) -> Result<u64, EngineError> {
        let mut n_freed = 0;
        while let Some((run, sighting)) = self.sightings.last() {
            let Some(book) = self.books.get_mut(run) else {
                self.sightings.pop();
                continue;
            };
            book.note(sighting.held.iter().map(|(idx, attempt)| (*idx, *attempt)));
            let held = sighting.held.keys().copied();
            let n_freed_here = self.feeder.audit(run, &sighting.on_offer, held);
            if n_freed_here > 0 || !book.knows_attempts {
                book.note(self.floor.n_attempts(run).await?);
                book.knows_attempts = true;
            }
            n_freed += u64::from(n_freed_here);
            self.sightings.pop();
        }
        Ok(n_freed)
    }

    /// Offers what the feeder picks, until enough is out.
    async fn offer(&mut self, now_ms: i64) -> Result<u64, EngineError> {
        let mut n_offered = 0;
        loop {
            let picks = self.feeder.feed(now_ms, self.options.batch);
            if picks.is_empty() {
                return Ok(n_offered);
            }
            match self.hand_out(&picks).await {
                Ok(n) => n_offered += n,
                Err(error) => {
                    // Whether they are on offer is not known. Offering them again does no harm.
                    for pick in &picks {
                        self.feeder.give_back(pick);
                    }
                    return Err(error);
                }
            }
        }
    }

    async fn hand_out(&mut self, picks: &[FeederPick]) -> Result<u64, EngineError> {
        let mut parcels = Vec::with_capacity(picks.len());
        for pick in picks {
            let Some(book) = self.books.get_mut(&pick.run) else { continue };
            let units = match book.units(self.floor.as_ref(), pick.units.clone()).await {
                // Others are offered all the same.
                Err(EngineError::Unreadable { why, .. }) => {
                    self.feeder.stand(&RunStanding { direction: RunDirection::Pause, ..book.standing.clone() });
                    self.feeder.give_back(pick);
                    self.troubles.insert(pick.run.clone(), why);
                    continue;
                }
                units => units?,
            };
            parcels.push(Parcel { run: pick.run.clone(), units });
        }
        self.floor.offer(&parcels).await
    }
}
