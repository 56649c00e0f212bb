//! The rules of a fleet and what is kept of its allocator, in the bucket `limits`.

use std::collections::BTreeMap;

use async_nats::Client;
use async_nats::jetstream::kv::{Config, Entry, Operation, Store, UpdateErrorKind};
use futures_util::{StreamExt as _, TryStreamExt as _};
use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use quintain_runner::engine::EngineError;
use serde::{Deserialize, Serialize};

use super::rule::{Rule, budget, rules_of};
use crate::names::{FleetNames, text, token};
use crate::server_failure::failed;

/// What begins the key of a rule.
const RULE: &str = "rule.";

/// What begins the key of what is kept of the allocator.
pub(super) const STATE: &str = "state.";

/// The rules of a fleet.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(super) store: Store,
}

/// A limit with what is known of its use, as it is kept elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptLimit {
    /// The rule.
    pub rule: Rule,
    /// What was kept of the allocator.
    #[serde(default)]
    pub state: Option<String>,
}

/// What a key of the bucket stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RuleChange {
    /// A limit is set.
    Set(String, Rule),
    /// A limit is lifted.
    Lifted(String),
}

impl Rules {
    /// The rules of a fleet. Where they do not exist yet, their bucket is made.
    pub async fn open(client: Client, names: FleetNames) -> Result<Self, EngineError> {
        let context = async_nats::jetstream::new(client);
        let bucket = names.bucket("limits");
        if let Ok(store) = context.get_key_value(&bucket).await {
            return Ok(Self { store });
        }
        let config = Config { bucket: bucket.clone(), history: 1, ..Config::default() };
        let store = match context.create_key_value(config).await {
            Ok(store) => store,
            // Somebody else may have made it meanwhile.
            Err(error) => context.get_key_value(&bucket).await.map_err(|_gone| failed("make the limits")(error))?,
        };
        Ok(Self { store })
    }

    /// Sets a limit, or changes it. What was used under it counts on.
    pub async fn set(&self, limit: &str, rule: &Rule) -> Result<(), EngineError> {
        if let Some(problem) = rule.problem() {
            return Err(failed("set a limit")(problem));
        }
        let body = serde_json::to_vec(rule).map_err(failed("write a limit"))?;
        self.store.put(key(RULE, limit), body.into()).await.map(drop).map_err(failed("set a limit"))
    }

    /// Sets what a run may use on all hosts together, as its header says.
    pub async fn set_budget(&self, run: &str, budget: &Budget) -> Result<(), EngineError> {
        for (limit, rule) in rules_of(run, budget) {
            self.set(&limit, &rule).await?;
        }
        Ok(())
    }

    /// The limits of a run's budget, with what is known of their use.
    pub async fn kept_of(&self, run: &str) -> Result<BTreeMap<String, KeptLimit>, EngineError> {
        let mut kept = BTreeMap::new();
        for part in [Exhausted::Cost, Exhausted::Tokens, Exhausted::Steps] {
            let limit = budget(run, part);
            if let Some(rule) = self.rule(&limit).await? {
                let state = self.read(&key(STATE, &limit)).await?.map(|(_revision, text)| text);
                kept.insert(limit, KeptLimit { rule, state });
            }
        }
        Ok(kept)
    }

    /// Sets limits again that were lost, with what was known of their use. Those that are there are left as they are.
    pub async fn bring_back(&self, limits: &BTreeMap<String, KeptLimit>) -> Result<(), EngineError> {
        for (limit, kept) in limits {
            if self.rule(limit).await?.is_some() {
                continue;
            }
            // What was used comes first: whoever hears of the rule looks for it.
            if let Some(state) = &kept.state {
                self.write(&key(STATE, limit), state, 0).await?;
            }
            self.set(limit, &kept.rule).await?;
        }
        Ok(())
    }

    async fn rule(&self, limit: &str) -> Result<Option<Rule>, EngineError> {
        let found = self.read(&key(RULE, limit)).await?;
        Ok(found.and_then(|(_revision, text)| serde_json::from_str(&text).ok()))
    }

    /// All limits, by name.
    pub async fn list(&self) -> Result<BTreeMap<String, Rule>, EngineError> {
        let mut rules = BTreeMap::new();
        let keys = self.store.keys().await.map_err(failed("list the limits"))?;
        let keys: Vec<String> = keys.try_collect().await.map_err(failed("list the limits"))?;
        for name in keys.iter().filter(|key| key.starts_with(RULE)) {
            let entry = self.store.entry(name).await.map_err(failed("read a limit"))?;
            if let Some(RuleChange::Set(limit, rule)) = entry.as_ref().and_then(change) {
                rules.insert(limit, rule);
            }
        }
        Ok(rules)
    }

    /// Lifts a limit, and forgets what was used under it.
    pub async fn remove(&self, limit: &str) -> Result<(), EngineError> {
        self.store.delete(key(RULE, limit)).await.map_err(failed("lift a limit"))?;
        self.store.delete(key(STATE, limit)).await.map_err(failed("lift a limit"))
    }

    /// Every change of the rules from now on, after all that hold now.
    pub(super) async fn changes(
        &self,
    ) -> Result<impl futures_util::Stream<Item = Option<RuleChange>> + Unpin + use<>, EngineError> {
        let watch = self.store.watch_with_history(format!("{RULE}>")).await.map_err(failed("follow the limits"))?;
        Ok(watch.map(|entry| entry.ok().as_ref().and_then(change)))
    }

    /// What is kept under a key, and its revision.
    pub(super) async fn read(&self, key: &str) -> Result<Option<(u64, String)>, EngineError> {
        let entry = self.store.entry(key).await.map_err(failed("read the state of the limits"))?;
        let is_there = |entry: &Entry| entry.operation == Operation::Put;
        Ok(entry.filter(is_there).map(|entry| (entry.revision, String::from_utf8_lossy(&entry.value).into_owned())))
    }

    /// The revision of whatever was written last under a key, even that it is no more; 0 if nothing ever was.
    pub(super) async fn revision(&self, key: &str) -> Result<u64, EngineError> {
        let entry = self.store.entry(key).await.map_err(failed("read the state of the limits"))?;
        Ok(entry.map_or(0, |entry| entry.revision))
    }

    /// Keeps a text under a key if nobody else has written there since the revision; the new revision, or nothing if
    /// somebody has. The server's refusal is no proof of that: it is read back.
    pub(super) async fn write(&self, key: &str, text: &str, since: u64) -> Result<Option<u64>, EngineError> {
        let error = match self.store.update(key, text.to_owned().into(), since).await {
            Ok(revision) => return Ok(Some(revision)),
            Err(error) => error,
        };
        if error.kind() != UpdateErrorKind::WrongLastRevision {
            return Err(failed("keep the state of the limits")(error));
        }
        let entry = self.store.entry(key).await.map_err(failed("read the state of the limits"))?;
        match entry {
            Some(entry) if entry.value.as_ref() == text.as_bytes() => Ok(Some(entry.revision)),
            Some(entry) if entry.revision == since => Err(failed("keep the state of the limits")(error)),
            None if since == 0 => Err(failed("keep the state of the limits")(error)),
            _ => Ok(None),
        }
    }
}

fn change(entry: &Entry) -> Option<RuleChange> {
    let limit = text(entry.key.strip_prefix(RULE)?)?;
    match entry.operation {
        Operation::Put => Some(RuleChange::Set(limit, serde_json::from_slice(&entry.value).ok()?)),
        Operation::Delete | Operation::Purge => Some(RuleChange::Lifted(limit)),
    }
}

/// A limit's name as a key: what keys may not hold is written as in subjects.
pub(super) fn key(kind: &str, limit: &str) -> String {
    format!("{kind}{}", token(limit).replace('+', "=2b").replace('~', "=7e"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_key_and_comes_back() {
        let name = "rate/chat/a model~1+2/requests";
        let made = key(RULE, name);
        assert!(made.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-/_=.".contains(&byte)), "{made}");
        assert_eq!(text(made.strip_prefix(RULE).unwrap()).as_deref(), Some(name));
    }
}
