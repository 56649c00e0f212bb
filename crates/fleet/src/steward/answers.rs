//! Answering what workers ask.
//!
//! A worker is believed to be who the subject of its question says: the server lets nobody ask in another's name. What it
//! asks about it must have been given, which the ticket shows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::{Client, Message as Question};
use futures_util::StreamExt;
use quintain_core::TaskId;
use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::{EngineError, SystemClock, WallClock as _};
use quintain_store::StoreError;
use quintain_store::archive::{Archive, paths, slice_of};

use super::election::Tenure;
use super::grants::Grants;
use crate::ask::{ArchivePiece, Namesake, StewardAnswer, StewardRequest, UnitClaim};
use crate::bond::ArchiveBond;
use crate::hosts::Hosts;
use crate::jetstream::NatsEngine;
use crate::metrics::Metrics;
use crate::names::{FleetNames, text, token};

/// How many questions are answered at once.
const AT_ONCE: usize = 128;

/// How long an address is good.
const GOOD_FOR: Duration = Duration::from_mins(15);

/// How long the address of a reference is good: it is used at once.
const REFERENCE_GOOD_FOR: Duration = Duration::from_mins(1);

/// How many slices of plans are remembered.
const N_SLICES: usize = 64;

/// Why there is no answer: neither yes nor no can be said now. Who asks will ask again.
#[derive(Debug, thiserror::Error)]
enum NoAnswerYet {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Archive(#[from] StoreError),
}

/// The tasks of the trials of slices, by run and slice.
type Slices = BTreeMap<(String, u32), Arc<[TaskId]>>;

/// Answers what workers ask.
pub(super) struct AnswerService {
    pub(super) engine: Arc<NatsEngine>,
    pub(super) archive: Archive,
    pub(super) bond: ArchiveBond,
    pub(super) hosts: Hosts,
    pub(super) grants: Arc<dyn Grants>,
    pub(super) metrics: Arc<Metrics>,
    /// The tasks of slices of plans, by run and slice.
    pub(super) slices: Mutex<Slices>,
}

impl AnswerService {
    /// Answers for as long as the tenure holds and the connection is there.
    pub(super) async fn serve(&self, client: &Client, names: &FleetNames, tenure: &Tenure) -> Result<(), EngineError> {
        let asked = client.subscribe(names.ask("*").replace("=2a", "*")).await;
        let failed = |error: async_nats::SubscribeError| EngineError::Server {
            doing: "listen to workers",
            why: error.to_string(),
        };
        let asked = asked.map_err(failed)?.take_while(|_| async { tenure.holds() });
        asked.for_each_concurrent(AT_ONCE, |question| self.reply(client, question)).await;
        Ok(())
    }

    async fn reply(&self, client: &Client, question: Question) {
        let Some(to) = question.reply else { return };
        let worker = question.subject.rsplit('.').next().and_then(text);
        let (Some(worker), Ok(ask)) = (worker, serde_json::from_slice::<StewardRequest>(&question.payload)) else {
            return;
        };
        let Ok(answer) = self.answer(&worker, &ask).await else {
            self.metrics.engine_error();
            return;
        };
        let answer = fitting(answer, client.server_info().max_payload);
        self.metrics.answered(&ask, &answer);
        let Ok(body) = serde_json::to_vec(&answer) else { return };
        if client.publish(to, body.into()).await.is_err() {
            self.metrics.engine_error();
        }
    }

    /// What a worker is answered.
    async fn answer(&self, worker: &str, ask: &StewardRequest) -> Result<StewardAnswer, NoAnswerYet> {
        if let Some(of) = claim(ask)
            && self.engine.ticket(&of.run, of.idx).await? != of.ticket
        {
            return Ok(refused(format!("unit {} of run `{}` was not given to you", of.idx, of.run)));
        }
        Ok(match ask {
            StewardRequest::Last { of, kind } => StewardAnswer::Message { message: self.engine.last(of, *kind).await? },
            StewardRequest::Half { of } => StewardAnswer::Messages { messages: self.engine.halves(of).await? },
            StewardRequest::Read { of, piece } => self.read(of, piece).await?,
            StewardRequest::Write { of, pack } => self.write(worker, of, pack).await?,
            StewardRequest::WriteFile { of, file } => self.write_file(worker, of, file).await?,
            StewardRequest::Grant(request) => StewardAnswer::Granted(self.grants.grant(worker, request)),
            StewardRequest::Join {} => self.join(worker).await?,
        })
    }

    async fn join(&self, worker: &str) -> Result<StewardAnswer, NoAnswerYet> {
        let listed = self.hosts.list().await?.into_iter().find(|host| host.name == worker);
        let ago_ms = |heard_ms: i64| u64::try_from(SystemClock.now_ms() - heard_ms).unwrap_or_default();
        let namesake = listed.map(|host| Namesake { heard_ms: ago_ms(host.heard_ms), session: host.session });
        Ok(StewardAnswer::Joined { archive: Some(self.bond.clone()), namesake })
    }

    async fn read(&self, of: &UnitClaim, piece: &ArchivePiece) -> Result<StewardAnswer, NoAnswerYet> {
        if !self.archive.can_sign() {
            return Ok(cannot_sign());
        }
        let (path, good_for) = match piece {
            ArchivePiece::Header => (paths::HEADER.to_owned(), GOOD_FOR),
            ArchivePiece::Tasks => (paths::TASKS.to_owned(), GOOD_FOR),
            ArchivePiece::Plan { slice } => (paths::slice(*slice), GOOD_FOR),
            ArchivePiece::Reference => (paths::reference(&self.task_of(of).await?), REFERENCE_GOOD_FOR),
            ArchivePiece::Input { digest } => (paths::input(*digest), GOOD_FOR),
            ArchivePiece::ReferenceFile { digest } => {
                (paths::reference_file(&self.task_of(of).await?, *digest), REFERENCE_GOOD_FOR)
            }
        };
        let url = self.archive.run(&of.run)?.sign_read(&path, good_for).await?;
        Ok(StewardAnswer::Addresses { urls: vec![url] })
    }

    async fn write(&self, worker: &str, of: &UnitClaim, pack: &str) -> Result<StewardAnswer, NoAnswerYet> {
        if !is_by(worker, pack) {
            return Ok(refused(format!("`{pack}` is not the name of a pack by `{worker}`")));
        }
        if !self.archive.can_sign() {
            return Ok(cannot_sign());
        }
        let (Ok(pack), Ok(manifest)) = (paths::pack(pack), paths::manifest(pack)) else {
            return Ok(refused(format!("`{pack}` is not the name of a pack")));
        };
        let run = self.archive.run(&of.run)?;
        let urls = vec![run.sign_write(&pack, GOOD_FOR).await?, run.sign_write(&manifest, GOOD_FOR).await?];
        Ok(StewardAnswer::Addresses { urls })
    }

    async fn write_file(&self, worker: &str, of: &UnitClaim, file: &str) -> Result<StewardAnswer, NoAnswerYet> {
        let Some(path) = paths::large_named(file).ok().filter(|_| is_by(worker, file)) else {
            return Ok(refused(format!("`{file}` is not the name of a file by `{worker}`")));
        };
        if !self.archive.can_sign() {
            return Ok(cannot_sign());
        }
        let url = self.archive.run(&of.run)?.sign_write(&path, GOOD_FOR).await?;
        Ok(StewardAnswer::Addresses { urls: vec![url] })
    }

    /// The task of a unit.
    async fn task_of(&self, of: &UnitClaim) -> Result<TaskId, NoAnswerYet> {
        let (slice, place) = slice_of(of.idx);
        let key = (of.run.clone(), slice);
        let known = self.slices.lock().always().get(&key).cloned();
        let tasks = match known {
            Some(tasks) => tasks,
            None => self.tasks_of(&key).await?,
        };
        let missing =
            || EngineError::Unreadable { unit: format!("{} {}", of.run, of.idx), why: "it is not planned".to_owned() };
        Ok(tasks.get(place).cloned().ok_or_else(missing)?)
    }

    async fn tasks_of(&self, key: &(String, u32)) -> Result<Arc<[TaskId]>, NoAnswerYet> {
        let slice = self.archive.run(&key.0)?.slice(key.1).await?;
        let tasks: Arc<[TaskId]> = slice.into_iter().map(|planned| planned.trial.instance.task).collect();
        let mut slices = self.slices.lock().always();
        if slices.len() >= N_SLICES {
            slices.pop_first();
        }
        slices.insert(key.clone(), Arc::clone(&tasks));
        Ok(tasks)
    }
}

/// The unit that a question is about.
fn claim(ask: &StewardRequest) -> Option<&UnitClaim> {
    match ask {
        StewardRequest::Last { of, .. }
        | StewardRequest::Half { of }
        | StewardRequest::Read { of, .. }
        | StewardRequest::Write { of, .. }
        | StewardRequest::WriteFile { of, .. } => Some(of),
        StewardRequest::Grant(_) | StewardRequest::Join {} => None,
    }
}

/// Whether a pack is named as this worker names its own: `<worker>-<session>-<number>`, neither of the latter with a `-`.
fn is_by(worker: &str, pack: &str) -> bool {
    let mut parts = pack.rsplitn(3, '-');
    let (_number, _session) = (parts.next(), parts.next());
    parts.next() == Some(&token(worker))
}

fn refused(why: String) -> StewardAnswer {
    StewardAnswer::Refused { why }
}

fn cannot_sign() -> StewardAnswer {
    refused(
        "the archive is a directory, which has no addresses: give the worker --store, or use an S3 bucket".to_owned(),
    )
}

/// The answer, or a refusal if it is too long for a message.
fn fitting(answer: StewardAnswer, max_bytes: usize) -> StewardAnswer {
    let StewardAnswer::Messages { messages } = &answer else { return answer };
    let n_bytes: usize =
        messages.iter().map(|message| serde_json::to_string(message).map_or(0, |text| text.len() + 1)).sum();
    if n_bytes + 100 < max_bytes { answer } else { refused(format!("{n_bytes} bytes do not fit in a message")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_writes_only_packs_of_its_own_name() {
        for (worker, pack, is_its_own) in [
            ("lab", "lab-0a1b-000001", true),
            ("lab-7", "lab-7-0a1b-000001", true),
            ("lab.7", "lab=2e7-0a1b-000001", true),
            ("lab", "lab-7-0a1b-000001", false),
            ("lab-7", "lab-0a1b-000001", false),
            ("lab", "lab-000001", false),
            ("lab", "", false),
            ("", "-0a1b-000001", true),
        ] {
            assert_eq!(is_by(worker, pack), is_its_own, "{worker} {pack}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let answer = |n: usize| StewardAnswer::Messages { messages: vec!["\"".repeat(n)] };
        assert_eq!(fitting(answer(100), 1_000), answer(100));
        assert!(matches!(fitting(answer(500), 1_000), StewardAnswer::Refused { .. }), "quotes take two bytes each");
    }
}
