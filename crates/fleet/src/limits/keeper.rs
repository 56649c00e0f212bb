//! The allocator at work: takes over what is kept of the one before, answers, and keeps its own state.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_nats::Client;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::{EngineError, SystemClock, WallClock as _};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::allocator::{Allocator, LimitDraft, LimitStanding};
use super::rule::Rule;
use super::rules::{RuleChange, Rules, STATE, key};
use crate::ask::{Grant, LimitShare, ShareRequest};
use crate::names::FleetNames;
use crate::steward::grants::Grants;

/// Where every keeper writes first: whoever finds somebody else's mark there is no longer the one.
const MARK: &str = "state";
/// When to ask again while nobody leads here.
const AGAIN_MS: u64 = 300;
/// The state is not kept more often than this, however many wait for it.
const LEAST_BETWEEN: Duration = Duration::from_millis(20);

/// How a keeper keeps.
#[derive(Clone, Copy, Debug)]
pub struct KeeperOptions {
    /// How often the state is kept.
    pub every: Duration,
    /// For how long rates are granted without. Whoever takes over waits as long.
    pub fence: Duration,
}

impl Default for KeeperOptions {
    fn default() -> Self {
        Self { every: Duration::from_secs(1), fence: Duration::from_secs(2) }
    }
}

/// Shares out a fleet's limits while it leads.
#[derive(Debug)]
pub struct Keeper {
    rules: Rules,
    options: KeeperOptions,
    allocator: Mutex<Option<Allocator>>,
    short: Notify,
}

/// What a keeper has written, by key: the revision and the text.
type WrittenKeys = BTreeMap<String, (u64, String)>;

impl Keeper {
    /// A keeper that does not lead yet. Makes the bucket of the limits where there is none.
    pub async fn open(client: Client, names: FleetNames, options: KeeperOptions) -> Result<Self, EngineError> {
        let rules = Rules::open(client, names).await?;
        Ok(Self { rules, options, allocator: Mutex::new(None), short: Notify::new() })
    }

    /// How a limit stands; nothing where it is not set or nobody leads here.
    pub fn standing(&self, limit: &str) -> Option<LimitStanding> {
        self.allocator().as_ref()?.standing(limit)
    }

    fn allocator(&self) -> MutexGuard<'_, Option<Allocator>> {
        self.allocator.lock().always()
    }

    async fn lead_until(&self, mut stop: watch::Receiver<bool>) -> Result<(), EngineError> {
        let mut written = self.take_over().await?;
        let mut changes = self.rules.changes().await?;
        let mut due = Instant::now();
        while !*stop.borrow() {
            tokio::select! {
                told = stop.changed() => if told.is_err() { break },
                change = changes.next() => match change {
                    Some(change) => self.follow(change).await,
                    None => changes = self.rules.changes().await?,
                },
                () = self.short.notified() => due = due.min(Instant::now() + LEAST_BETWEEN),
                () = sleep_until(due) => {
                    due = Instant::now() + self.options.every;
                    if self.keep(&mut written).await == KeepResult::Deposed {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Leaves a mark, so that the one before notices, and takes over its state.
    async fn take_over(&self) -> Result<WrittenKeys, EngineError> {
        let mut written = WrittenKeys::new();
        let (revision, mark) = self.rules.read(MARK).await?.unwrap_or_default();
        let mark = (mark.parse::<u64>().unwrap_or_default() + 1).to_string();
        let revision = self.rules.write(MARK, &mark, revision).await?.ok_or_else(deposed)?;
        written.insert(MARK.to_owned(), (revision, mark));
        let mut allocator = Allocator::kept(now_ms(), self.fence_ms());
        for (limit, rule) in self.rules.list().await? {
            let key = key(STATE, &limit);
            match self.rules.read(&key).await? {
                Some((revision, text)) if allocator.restore(&limit, rule, &text, now_ms()).is_ok() => {
                    written.insert(key, (revision, text));
                }
                _ => allocator.set(&limit, rule, now_ms()),
            }
        }
        *self.allocator() = Some(allocator);
        Ok(written)
    }

    async fn follow(&self, change: Option<RuleChange>) {
        match change {
            Some(RuleChange::Set(limit, rule)) => self.follow_set(&limit, rule).await,
            Some(RuleChange::Lifted(limit)) => {
                if let Some(allocator) = self.allocator().as_mut() {
                    allocator.remove(&limit);
                }
            }
            None => {}
        }
        self.short.notify_one();
    }

    /// Of a limit that is new here something may be kept: a server that lost everything was told of it again.
    async fn follow_set(&self, limit: &str, rule: Rule) {
        let is_new = self.standing(limit).is_none();
        let kept = if is_new { self.rules.read(&key(STATE, limit)).await.ok().flatten() } else { None };
        if let Some(allocator) = self.allocator().as_mut() {
            let text = kept.as_ref().map(|(_revision, text)| text.as_str());
            let is_restored = text.is_some_and(|text| allocator.restore(limit, rule, text, now_ms()).is_ok());
            if !is_restored {
                allocator.set(limit, rule, now_ms());
            }
        }
    }

    /// Keeps the state, within the fence. What cannot be kept now is kept the next time; grants wait.
    async fn keep(&self, written: &mut WrittenKeys) -> KeepResult {
        let at_ms = now_ms();
        let drafts = self.allocator().as_mut().map(|allocator| allocator.propose(at_ms)).unwrap_or_default();
        let kept = timeout(self.options.fence, self.write(&drafts, written)).await;
        let Ok(Ok(kept)) = kept else { return KeepResult::Later };
        if let (KeepResult::All, Some(allocator)) = (kept, self.allocator().as_mut()) {
            allocator.confirm(&drafts, at_ms);
        }
        kept
    }

    async fn write(&self, drafts: &[LimitDraft], written: &mut WrittenKeys) -> Result<KeepResult, EngineError> {
        let mark = written.get(MARK).map(|(_revision, mark)| mark.clone()).unwrap_or_default();
        let states = drafts.iter().map(|draft| (key(STATE, &draft.limit), draft.text.clone()));
        for (key, text) in std::iter::once((MARK.to_owned(), mark)).chain(states) {
            let (revision, before) = written.get(&key).cloned().unwrap_or_default();
            if key != MARK && before == text {
                continue;
            }
            match self.rules.write(&key, &text, revision).await? {
                Some(revision) => written.insert(key, (revision, text)),
                None if key == MARK => return Ok(KeepResult::Deposed),
                // The limit was lifted and set anew: it is kept the next time.
                None => {
                    let revision = self.rules.revision(&key).await?;
                    written.insert(key, (revision, String::new()));
                    return Ok(KeepResult::Later);
                }
            };
        }
        Ok(KeepResult::All)
    }

    fn fence_ms(&self) -> u64 {
        self.options.fence.as_millis() as u64
    }
}

impl Grants for Keeper {
    fn lead(&self, stop: watch::Receiver<bool>) -> BoxFuture<'_, Result<(), EngineError>> {
        Box::pin(async move {
            let led = self.lead_until(stop).await;
            *self.allocator() = None;
            led
        })
    }

    fn grant(&self, worker: &str, request: &ShareRequest) -> Grant {
        let mut allocator = self.allocator();
        let Some(allocator) = allocator.as_mut() else { return not_here(request) };
        let grant = allocator.grant(worker, request, now_ms());
        if allocator.is_short() {
            self.short.notify_one();
        }
        grant
    }

    fn spent_runs(&self) -> Vec<String> {
        self.allocator().as_ref().map(|allocator| allocator.spent_runs(now_ms())).unwrap_or_default()
    }
}

/// What came of keeping the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeepResult {
    All,
    Later,
    /// Somebody else has taken over.
    Deposed,
}

fn not_here(request: &ShareRequest) -> Grant {
    let share = LimitShare { amount: 0.0, for_ms: 0, again_ms: Some(AGAIN_MS) };
    Grant { shares: request.want.keys().map(|limit| (limit.clone(), share)).collect() }
}

fn deposed() -> EngineError {
    EngineError::Server { doing: "take over the limits", why: "somebody else has just done so".to_owned() }
}

fn now_ms() -> u64 {
    u64::try_from(SystemClock.now_ms()).unwrap_or_default()
}
