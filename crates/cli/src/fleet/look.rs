//! A look at a whole fleet: hosts, runs, limits, and who stewards.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quintain_fleet::steward::leader;
use quintain_fleet::{Host, limits, waiting};
use quintain_runner::Engine;
use quintain_runner::engine::RunDirection;
use quintain_runner::engine::steered::{Priority, RunStanding, SteeredEngine};

use super::Fleet;
use super::status::{HostStatus, LimitStatus, RunStatus, Status, WaitStatus};

/// Over how long outcomes are counted to tell how many come in a second.
const WINDOW: Duration = Duration::from_secs(30);

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
            let run = self.run(fleet, &standing).await?;
            if standing.direction == RunDirection::Go && run.n_done < run.n_trials {
                waiting.extend(unplayable(fleet, &run.name, &hosts).await?);
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
            limits: limits(fleet).await?,
        })
    }

    async fn run(&mut self, fleet: &Fleet, standing: &RunStanding) -> anyhow::Result<RunStatus> {
        let name = standing.run.clone();
        let progress = fleet.engine.progress(&name).await?;
        let offered = fleet.engine.on_offer(&name).await?;
        let n_out: u64 = offered.iter().map(|range| u64::from(range.end - range.start)).sum();
        let n_retried = fleet.engine.n_attempts(&name).await?.len() as u64;
        Ok(RunStatus {
            direction: direction(standing, progress.n_done),
            priority: priority(standing),
            n_trials: progress.n_units,
            n_done: progress.n_done,
            n_leased: progress.n_leased,
            n_on_offer: n_out.saturating_sub(progress.n_leased),
            n_retried,
            per_sec: self.rate(&name, progress.n_done, Instant::now()),
            name,
        })
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

/// Trials of a run that no host can play.
async fn unplayable(fleet: &Fleet, run: &str, hosts: &[Host]) -> anyhow::Result<Vec<WaitStatus>> {
    let waiting = waiting(&fleet.engine, run, hosts).await?;
    let status = |(class, n_trials)| WaitStatus { run: run.to_owned(), class, n_trials };
    Ok(waiting.into_iter().map(status).collect())
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
    HostStatus {
        name: host.name,
        classes: host.classes,
        slots: host.slots,
        plays,
        draining: host.draining,
        up_secs: u64::try_from((now_ms - host.since) / 1000).unwrap_or(0),
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

#[cfg(test)]
mod tests {
    use super::*;

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
