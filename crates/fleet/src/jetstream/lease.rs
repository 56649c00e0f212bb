//! Leasing: parcels are taken from the queues, and those that were given out before are looked into.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};
use quintain_core::Backoff;
use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::{EngineError, Hold, Lease, LeaseOrder, RunDirection};

use super::NatsEngine;
use super::handle::LeaseHandle;
use super::holdings::{ClockMoment, UnitHistory};
use super::pull::{Delivery, PulledParcels, pull};
use super::wire::{HandedIn, PastAttempt, WorkUnit};
use crate::ask::{MessageSource, StreamMessage, UnitClaim};
use crate::server_failure::failed;

/// How long a pull waits at least: a node that lags behind must have the time to learn what was offered just now.
const LEAST: Duration = Duration::from_millis(250);

/// How long a pull waits at most before the order is looked at again.
const MOST: Duration = Duration::from_secs(30);

/// How long a pull for one of several classes waits at most: the others have to wait meanwhile.
const TURN: Duration = Duration::from_secs(2);

/// How long turns get while nothing is found.
const TURNS: Backoff = Backoff { first: LEAST, longest: TURN };

/// What was on its way when a run was stopped is there by then. What comes later was offered after it was let go again.
const CROSSING: Duration = Duration::from_secs(5);

/// How many units are looked into at once.
const AT_ONCE: usize = 32;

/// What a look into the queues brought.
#[derive(Default)]
struct TakenLeases {
    leases: Vec<Lease>,
    /// Whether all came that was asked for: there may be more.
    was_shy: bool,
    /// Whether any of the classes has a queue.
    has_queue: bool,
    /// What went wrong with parcels that are tried again later.
    trouble: Option<EngineError>,
}

impl TakenLeases {
    /// How long to wait on. Parcels that could not be looked into are tried again soon, not after a wait for others.
    fn patience(&self, order: &LeaseOrder, started: Instant) -> Duration {
        let wait = if self.trouble.is_some() { Duration::ZERO } else { order.wait };
        wait.saturating_sub(started.elapsed())
    }
}

impl NatsEngine {
    pub(super) async fn take(&self, order: &LeaseOrder) -> Result<Vec<Lease>, EngineError> {
        self.put_down_turned().await?;
        let kept = self.holdings().open(&order.classes, order.max, ClockMoment::now(), self.options.lease_for);
        let mut taken = TakenLeases { leases: kept, ..TakenLeases::default() };
        let strays = std::mem::take(&mut *self.strays.lock().always());
        self.look_into_all(strays, order.max, &mut taken).await;
        let (started, mut turns) = (Instant::now(), TURNS.begin());
        while taken.leases.len() < order.max && !order.classes.is_empty() {
            let n_before = taken.leases.len();
            self.go_round(order, taken.patience(order, started), turns.next_wait(), &mut taken).await?;
            let is_idle = taken.leases.len() == n_before;
            let is_content = !taken.leases.is_empty() && !order.wait.is_zero() && !taken.was_shy;
            if is_content || is_idle && (!taken.leases.is_empty() || taken.patience(order, started).is_zero()) {
                break;
            }
        }
        match taken.trouble {
            Some(trouble) if taken.leases.is_empty() => Err(trouble),
            _ => Ok(taken.leases),
        }
    }

    /// Looks into the queue of each class once, the scarcest first.
    async fn go_round(
        &self,
        order: &LeaseOrder,
        left: Duration,
        turn: Duration,
        taken: &mut TakenLeases,
    ) -> Result<(), EngineError> {
        (taken.was_shy, taken.has_queue) = (false, false);
        for class in &order.classes {
            let wait = match order.classes.len() {
                _ if order.wait.is_zero() => LEAST,
                _ if !taken.leases.is_empty() => Duration::ZERO,
                1 => left.clamp(LEAST, MOST),
                _ => left.clamp(LEAST, turn),
            };
            self.take_class(class, order.max, wait, taken).await?;
        }
        if !taken.has_queue && taken.leases.is_empty() && !left.is_zero() {
            tokio::time::sleep(left.min(TURN)).await;
        }
        Ok(())
    }

    async fn take_class(
        &self,
        class: &str,
        max: usize,
        wait: Duration,
        taken: &mut TakenLeases,
    ) -> Result<(), EngineError> {
        let room = max.saturating_sub(taken.leases.len());
        if room == 0 {
            return Ok(());
        }
        let size = self.parcel_sizes.lock().always().get(class).copied();
        let n_parcels = size.map_or(1, |size| room.div_ceil(size));
        let PulledParcels::Parcels(parcels) = pull(&self.server, &self.names, class, n_parcels, wait).await? else {
            return Ok(());
        };
        taken.has_queue = true;
        taken.was_shy |= parcels.len() == n_parcels;
        if let Some(newest) = parcels.last() {
            self.parcel_sizes.lock().always().insert(class.to_owned(), newest.work.units.len().max(1));
        }
        self.look_into_all(parcels, max, taken).await;
        Ok(())
    }

    /// Makes leases of parcels. What is more than was asked for is kept for later; parcels of which something could not
    /// be learnt are kept too, and tried again.
    async fn look_into_all(&self, parcels: Vec<Delivery>, max: usize, taken: &mut TakenLeases) {
        let lease_for = self.options.lease_for;
        let parcels = parcels.into_iter().filter(|parcel| parcel.received.age(ClockMoment::now()) < lease_for);
        let looks = parcels.map(|parcel| async move { (self.look_into(&parcel).await, parcel) });
        let mut looks = stream::iter(looks).buffered(AT_ONCE);
        while let Some((looked, parcel)) = looks.next().await {
            match looked {
                Ok(mut leases) => {
                    let room = max.saturating_sub(taken.leases.len()).min(leases.len());
                    let rest = leases.split_off(room);
                    taken.leases.extend(leases);
                    self.holdings().keep_unopened(&parcel.work.class, rest);
                }
                Err(trouble) => {
                    self.strays.lock().always().push(parcel);
                    taken.trouble = Some(trouble);
                }
            }
        }
    }

    /// The leases of a parcel's units that are not settled.
    async fn look_into(&self, parcel: &Delivery) -> Result<Vec<Lease>, EngineError> {
        self.see_that_it_goes(parcel);
        let looks: Vec<_> = parcel.work.units.iter().map(|unit| self.look_at(parcel, unit)).collect();
        let units: Vec<Option<(Lease, UnitHistory)>> = stream::iter(looks).buffered(AT_ONCE).try_collect().await?;
        let units: Vec<(Lease, UnitHistory)> = units.into_iter().flatten().collect();
        if units.is_empty() {
            self.server.ack(&parcel.ack).await?;
        }
        self.holdings().receive(&parcel.ack, &units, parcel.received, self.options.lease_for);
        Ok(units.into_iter().map(|(lease, _)| lease).collect())
    }

    /// A lease of a unit, unless it is settled. Of a unit that was never given out before there is nothing to know.
    async fn look_at(&self, parcel: &Delivery, unit: &WorkUnit) -> Result<Option<(Lease, UnitHistory)>, EngineError> {
        let mut lease = self.lease_of(parcel, unit);
        if lease.attempt == 1 {
            return Ok(Some((lease, UnitHistory::default())));
        }
        let claim = UnitClaim { run: parcel.work.run.clone(), idx: unit.idx, ticket: unit.ticket.clone() };
        if let Some(settled) = self.look(&claim, MessageSource::Outcome).await? {
            self.account_for_rest(&claim, unit, &settled, lease.attempt).await?;
            return Ok(None);
        }
        let mut known = self.read_history(&claim).await?;
        let lost: Vec<PastAttempt> =
            known.1.unaccounted(unit.n_before, lease.attempt).into_iter().map(PastAttempt::lost).collect();
        if !lost.is_empty() {
            known = self.note(&claim, &unit.id, Some(known), &lost).await?;
        }
        (lease.n_faults, lease.n_lost) = (known.1.n_faults(), known.1.n_lost());
        Ok(Some((lease, known)))
    }

    /// Notes attempts at a settled unit that were lost after it had been given out again. In most cases there was only the
    /// one that settled it.
    async fn account_for_rest(
        &self,
        claim: &UnitClaim,
        unit: &WorkUnit,
        settled: &StreamMessage,
        before: u32,
    ) -> Result<(), EngineError> {
        let settled: HandedIn = serde_json::from_str(&settled.body).map_err(failed("read an outcome"))?;
        if (unit.n_before + 1..before).all(|attempt| attempt == settled.attempt) {
            return Ok(());
        }
        let known = self.read_history(claim).await?;
        let unaccounted = known.1.unaccounted(unit.n_before, before).into_iter();
        let lost: Vec<PastAttempt> =
            unaccounted.filter(|attempt| *attempt != settled.attempt).map(PastAttempt::lost).collect();
        if !lost.is_empty() {
            self.note(claim, &unit.id, Some(known), &lost).await?;
        }
        Ok(())
    }

    /// Who was cut off when a run was let go again has not heard of it; but nobody offers units of runs that do not go.
    fn see_that_it_goes(&self, parcel: &Delivery) {
        let mut turned = self.turned.lock().always();
        let heard = turned.get(&parcel.work.run).map(|(_, heard)| *heard);
        if heard.is_some_and(|heard| parcel.received.at.saturating_duration_since(heard) > CROSSING) {
            turned.remove(&parcel.work.run);
        }
    }

    fn lease_of(&self, parcel: &Delivery, unit: &WorkUnit) -> Lease {
        let handle = LeaseHandle {
            ack: parcel.ack.clone(),
            ticket: unit.ticket.clone(),
            nonce: self.new_nonce(),
            n_units: parcel.work.units.len(),
        };
        Lease {
            run: parcel.work.run.clone(),
            unit: unit.id.clone(),
            key: u64::from(unit.idx),
            attempt: unit.n_before + parcel.n_delivered,
            n_faults: 0,
            n_lost: 0,
            deadline_ms: parcel.received.wall_ms + self.options.lease_for.as_millis() as i64,
            handle: handle.to_string(),
        }
    }

    /// Leases that were kept for later are not handed out when their run was paused meanwhile.
    async fn put_down_turned(&self) -> Result<(), EngineError> {
        let runs = self.holdings().unopened_runs();
        for run in runs {
            if self.direction_heard(&run) != RunDirection::Go {
                let unopened = self.holdings().take_unopened(Some(&run));
                self.put_down(&unopened).await?;
            }
        }
        Ok(())
    }

    /// Tells the server of all parcels that are held, and says which leases are still sure.
    pub(super) async fn keep_alive(&self, leases: &[Lease]) -> Vec<Hold> {
        let (sent, lease_for) = (ClockMoment::now(), self.options.lease_for);
        let mut acks = self.holdings().unopened_parcels();
        acks.extend(self.strays.lock().always().iter().map(|parcel| parcel.ack.clone()));
        let held = leases.iter().filter(|lease| self.hold(lease, sent) == Hold::Still);
        acks.extend(held.map(|lease| LeaseHandle::of(lease).ack));
        let beats = acks.into_iter().map(|ack| async move {
            if self.server.tell(&ack, "+WPI".to_owned(), lease_for / 3).await.is_ok() {
                self.heard(&ack, sent);
            }
        });
        stream::iter(beats).buffer_unordered(AT_ONCE * 8).collect::<Vec<()>>().await;
        let now = ClockMoment::now();
        leases.iter().map(|lease| self.hold(lease, now)).collect()
    }

    fn heard(&self, ack: &str, at: ClockMoment) {
        self.holdings().heard(ack, at);
        for stray in self.strays.lock().always().iter_mut().filter(|stray| stray.ack == ack) {
            stray.received = at;
        }
    }

    pub(super) fn hold(&self, lease: &Lease, now: ClockMoment) -> Hold {
        if self.direction_heard(&lease.run) == RunDirection::Cancel {
            return Hold::Lost;
        }
        self.holdings().hold(lease, now, self.options.lease_for)
    }
}
