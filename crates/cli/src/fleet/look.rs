//! A look at a whole fleet: hosts, runs, limits, and who stewards.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quintain_fleet::hosts::RefusedRun;
use quintain_fleet::steward::{RunTroubles, leader};
use quintain_fleet::{Host, WaitingTrials, limits, waiting};
use quintain_runner::Engine;
use quintain_runner::engine::RunDirection;
use quintain_runner::engine::steered::{Priority, RunStanding, SteeredEngine};

use super::Fleet;
use super::status::{HostStatus, LimitStatus, RunStatus, Status, TroubleStatus, WaitStatus};

/// Over how long outcomes are counted to tell how many come in a second.
const WINDOW: Duration = Duration::from_secs(30);

/// Over how long the server counts them for one who looks for the first time.
const LATELY: Duration = Duration::from_mins(1);

/// Someone who looks again and again, and so knows how fast runs go.
#[derive(Default)]
pub(crate) struct FleetWatcher {
    seen: BTreeMap<String, Vec<(Instant, u64)>>,
}

impl FleetWatcher {
    /// Looks once.
    pub(crate) async fn look(&mut self, fleet: &Fleet) -> anyhow::Result<Status> {
        let hosts = fleet.hosts.list().await?;
        let (mut runs, mut waiting) = (Vec::new(), Vec::new());
        for standing in fleet.engine.runs().await? {
            let mut run = self.run(fleet, &standing, &hosts).await?;
            if standing.direction == RunDirection::Go && run.n_done < run.n_trials {
                let unplayable = unplayable(fleet, &run.name, &hosts).await?;
                let n_unplayable: u64 = unplayable.iter().map(|wait| wait.n_trials).sum();
                run.n_on_offer = run.n_on_offer.saturating_sub(n_unplayable);
                waiting.extend(unplayable);
            }
            runs.push(run);
        }
        let now_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
        Ok(Status {
            fleet: fleet.names.fleet().to_owned(),
            steward: leader(&fleet.client, &fleet.names).await?,
            hosts: hosts.into_iter().map(|host| host_status(host, now_ms)).collect(),
            runs,
            waiting,
            troubles: troubles(fleet).await?,
            limits: limits(fleet).await?,
        })
    }

    async fn run(&mut self, fleet: &Fleet, standing: &RunStanding, hosts: &[Host]) -> anyhow::Result<RunStatus> {
        let name = standing.run.clone();
        // As the hosts say it, so that the two tables agree.
        let n_leased = hosts.iter().flat_map(|host| &host.held).filter(|held| held.run == name).count() as u64;
        let progress = fleet.engine.progress(&name).await?;
        let offered = fleet.engine.on_offer(&name).await?;
        let n_out: u64 = offered.iter().map(|range| u64::from(range.end - range.start)).sum();
        let n_retried = fleet.engine.n_attempts(&name).await?.len() as u64;
        let n_left = progress.n_units.saturating_sub(progress.n_done);
        let goes = standing.direction == RunDirection::Go && n_left > 0;
        let per_sec = if goes { self.pace(fleet, &name, progress.n_done).await? } else { None };
        Ok(RunStatus {
            direction: direction(standing, progress.n_done),
            priority: priority(standing),
            n_trials: progress.n_units,
            n_done: progress.n_done,
            n_leased,
            n_on_offer: n_out.saturating_sub(n_leased),
            n_retried,
            per_sec,
            left_secs: per_sec.map(|per_sec| (n_left as f64 / per_sec).ceil() as u64),
            name,
        })
    }

    /// Outcomes a second, as they were counted here or, at the first look, by the server. Nothing where none came.
    async fn pace(&mut self, fleet: &Fleet, run: &str, n_done: u64) -> anyhow::Result<Option<f64>> {
        if let Some(rate) = self.rate(run, n_done, Instant::now()) {
            return Ok(Some(rate).filter(|rate| *rate > 0.0));
        }
        let (n, elapsed_ms) = fleet.engine.settled_lately(run, LATELY).await?;
        Ok((n > 0).then(|| n as f64 / (elapsed_ms.max(1_000) as f64 / 1_000.0)))
    }

    /// Outcomes a second over the last while, once there are two looks to compare.
    fn rate(&mut self, run: &str, n_done: u64, now: Instant) -> Option<f64> {
        let seen = self.seen.entry(run.to_owned()).or_default();
        seen.push((now, n_done));
        seen.retain(|(at, _)| now.duration_since(*at) <= WINDOW);
        let (first_at, first) = *seen.first()?;
        let secs = now.duration_since(first_at).as_secs_f64();
        (secs > 0.0).then(|| n_done.saturating_sub(first) as f64 / secs)
    }
}

/// What is wrong with single runs, as the steward tells it.
async fn troubles(fleet: &Fleet) -> anyhow::Result<Vec<TroubleStatus>> {
    let told = RunTroubles::of(&fleet.client, &fleet.names).await?.words();
    Ok(told.into_iter().map(|(run, why)| TroubleStatus { run, why }).collect())
}

/// Trials of a run that no host can play.
async fn unplayable(fleet: &Fleet, run: &str, hosts: &[Host]) -> anyhow::Result<Vec<WaitStatus>> {
    let waiting = waiting(&fleet.engine, run, hosts).await?;
    Ok(wait_statuses(run, waiting))
}

/// Trials that wait, as they are shown.
pub(crate) fn wait_statuses(run: &str, waiting: BTreeMap<String, WaitingTrials>) -> Vec<WaitStatus> {
    let status = |(class, trials): (String, WaitingTrials)| {
        let WaitingTrials { n_trials, refused_by } = trials;
        WaitStatus { run: run.to_owned(), class, n_trials, refused_by }
    };
    waiting.into_iter().map(status).collect()
}

fn direction(standing: &RunStanding, n_done: u64) -> &'static str {
    match standing.direction {
        _ if standing.n_units > 0 && n_done >= u64::from(standing.n_units) => "done",
        RunDirection::Go => "goes",
        RunDirection::Pause => "paused",
        RunDirection::Cancel => "cancelled",
    }
}

fn priority(standing: &RunStanding) -> &'static str {
    match standing.terms.priority {
        Priority::Low => "low",
        Priority::Normal => "normal",
        Priority::High => "high",
    }
}

fn host_status(host: Host, now_ms: i64) -> HostStatus {
    let mut plays = BTreeMap::new();
    for held in &host.held {
        *plays.entry(held.run.clone()).or_default() += 1;
    }
    let secs_since = |at_ms: i64| u64::try_from((now_ms - at_ms) / 1000).unwrap_or(0);
    let heard_secs = secs_since(host.heard_ms);
    let willing = if host.draining { "draining" } else { "working" };
    let state = if host.is_silent(now_ms) { "silent" } else { willing };
    HostStatus {
        name: host.name,
        classes: host.classes,
        slots: host.slots,
        plays,
        draining: host.draining,
        state,
        heard_secs,
        refuses: refusals(host.refuses),
        up_secs: secs_since(host.since),
        version: host.version,
    }
}

/// The limits that were set, in words.
pub(crate) async fn limits(fleet: &Fleet) -> anyhow::Result<Vec<LimitStatus>> {
    let rules = limits::Rules::open(fleet.client.clone(), fleet.names.clone()).await?.list().await?;
    Ok(rules.into_iter().map(|(name, rule)| LimitStatus { says: words(&rule), name }).collect())
}

/// A rule in words.
pub(crate) fn words(rule: &limits::Rule) -> String {
    match rule {
        limits::Rule::Rate { amount, window_ms: limits::rule::MINUTE_MS } => format!("{amount} a minute"),
        limits::Rule::Rate { amount, window_ms } => format!("{amount} in {} s", *window_ms as f64 / 1000.0),
        limits::Rule::Budget { amount } => format!("{amount} in all"),
    }
}

/// What a host does not play, by run. Of one run it may refuse several classes.
fn refusals(refused: Vec<RefusedRun>) -> BTreeMap<String, String> {
    let mut by_run: BTreeMap<String, String> = BTreeMap::new();
    for RefusedRun { run, why, .. } in refused {
        by_run.entry(run).and_modify(|told| *told = format!("{told}; {why}")).or_insert(why);
    }
    by_run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_not_heard_of_is_silent_whatever_it_said_last() {
        let told = |draining, heard_ms| {
            let host = Host { draining, heard_ms, since: 1_000, ..Host::default() };
            let HostStatus { state, heard_secs, up_secs, .. } = host_status(host, 100_000);
            (state, heard_secs, up_secs)
        };
        assert_eq!(told(false, 97_000), ("working", 3, 99));
        assert_eq!(told(true, 80_000), ("draining", 20, 99));
        assert_eq!(told(true, 79_000), ("silent", 21, 99));
        assert_eq!(told(false, 101_000), ("working", 0, 99), "another clock may be ahead");
    }

    #[test]
    fn the_rate_is_that_of_the_last_while() {
        let (mut looker, start) = (FleetWatcher::default(), Instant::now());
        let mut at = |secs: u64, n_done| looker.rate("night", n_done, start + Duration::from_secs(secs));
        assert_eq!(at(0, 1_000), None);
        assert_eq!(at(10, 1_050), Some(5.0));
        assert_eq!(at(60, 1_050), None, "what was seen a minute ago says nothing of now");
        assert_eq!(at(62, 1_052), Some(1.0));
    }
}
