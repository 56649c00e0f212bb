//! The edges of what is watched: targets that come and go, lines through an hour, dates of our days, counts just below their
//! limit. Rules with another window, wait or limit do something else here.

use super::cases::disk;
use super::policy::AlertPolicy;
use super::scenario::{AlertScenario, ONSET, TODAY_SECONDS, TODAY_YEARS, fires, target};
use super::series::{falling, steady, stepped, toggled};

/// What lies below every share of a filesystem of 100 GB that policies name, by more than a twentieth.
const LOW: i64 = 12_000_000_000;
/// When the filesystems are looked at, in minutes, and since when one of them falls.
const FILLED_AT: i64 = 100;
const FALLS_FOR: i64 = 24;
/// How long one filesystem had more, before something large was written, in minutes.
const ROOMY_FOR: i64 = 25;

/// A target that was not there at first, does not answer from the first time on, and then does.
pub(super) fn instance_down(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "InstanceDown";
    let (d, first) = (policy.down_for, ONSET + 5);
    let labels = [("job", "bastion"), ("instance", "bastion-1.int:9100")];
    let values = format!("_x{first} {}", stepped(&[(0, d + 4)], 1));
    let fire = fires(policy, alert, &labels);
    vec![
        AlertScenario::of(policy, alert, 4, &[])
            .with("up", &labels, values)
            .at(first + 2, &[])
            .at(first + d - 2, &[])
            .at(first + d + 2, &[fire])
            .at(first + d + 7, &[]),
    ]
}

/// A job that comes back, and one whose targets are there but do not answer.
pub(super) fn job_absent(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "JobAbsent";
    let d = policy.absent_for;
    let back = format!("1x{} stale _x{} {}", ONSET - 1, d + 3, steady(1));
    let down = steady(0);
    let jobs = [(0, &back), (1, &down)];
    let changed: Vec<(usize, usize, &str)> =
        jobs.iter().flat_map(|(job, values)| [0, 1, 2].map(|n| (*job, n, values.as_str()))).collect();
    let dead =
        |n: usize| fires(policy, "InstanceDown", &[("job", policy.jobs[1]), ("instance", &target(policy.jobs[1], n))]);
    let dead = [0, 1, 2].map(dead);
    let absent = fires(policy, alert, &[("job", policy.jobs[0])]);
    vec![
        AlertScenario::of(policy, alert, 4, &changed)
            .at(ONSET + d + 2, &[&dead[..], &[absent]].concat())
            .at(ONSET + d + 7, &dead),
    ]
}

/// What falls so fast that nothing of it is left after a share of the horizon, in hundredths.
fn each_minute(policy: &AlertPolicy, left: i64, hundredths: i64) -> i64 {
    left * 100 / (60 * policy.fill_hours * hundredths)
}

/// A filesystem that has so much left when it is looked at, and falls towards 0 at a share of the horizon.
fn towards_zero(policy: &AlertPolicy, left: i64, hundredths: i64) -> String {
    let each = each_minute(policy, left, hundredths);
    falling(left + each * FILLED_AT, each, FILLED_AT + 10)
}

/// Falls for a while only, fast enough to be full in time.
fn late_fall(policy: &AlertPolicy) -> String {
    let flat = FILLED_AT - FALLS_FOR;
    format!("{LOW}x{} {}", flat - 1, falling(LOW, each_minute(policy, LOW, 60), FALLS_FOR + 10))
}

/// How much more there was before something large was written. The line of least squares rises above 0 at the horizon while the
/// window still begins before that; one through its first and last value does not.
fn was_more(policy: &AlertPolicy) -> i64 {
    LOW * 10 / (8 * policy.fill_hours)
}

pub(super) fn filesystem_fills(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "FilesystemFills";
    let hosts: Vec<String> = (0..3).map(|n| target(policy.jobs[1], n)).collect();
    let fire = |host: usize, mount: &str| fires(policy, alert, &[("instance", &hosts[host]), ("mountpoint", mount)]);
    let above_share = 1_070_000_000 * policy.fill_free_percent;
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let fourth = disk(case(4), [&hosts[0], "/srv", "ext4"], towards_zero(policy, LOW, 90), 0);
    let fourth = disk(fourth, [&hosts[1], "/srv", "ext4"], towards_zero(policy, LOW, 110), 0);
    let fourth = disk(fourth, [&hosts[2], "/data", "xfs"], towards_zero(policy, above_share, 80), 0);
    let fourth = disk(fourth, [&hosts[0], "/var/lib", "xfs"], late_fall(policy), 0);
    let written = stepped(&[(LOW + was_more(policy), ROOMY_FOR)], LOW);
    let fifth = disk(case(5), [&hosts[1], "/var/spool", "btrfs"], written, 0);
    vec![fourth.at(FILLED_AT, &[fire(0, "/srv")]), fifth.at(60, &[fire(1, "/var/spool")]).at(82, &[])]
}

/// Backups of our days.
pub(super) fn backup_stale(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "BackupStale";
    let fire = |database: &str| fires(policy, alert, &[("database", database)]);
    let ended = |scenario: AlertScenario, database: &str, minutes_ago: i64| {
        let labels = [("database", database), ("instance", "bk-3")];
        scenario.with("backup_last_success_timestamp_seconds", &labels, steady(TODAY_SECONDS - 60 * minutes_ago))
    };
    let limit = policy.backup_minutes;
    let case = AlertScenario::of(policy, alert, 4, &[]).in_years();
    let case = ended(ended(ended(case, "orders", limit + 6), "users", limit - 6), "audit", 40 * limit);
    vec![case.at(TODAY_YEARS, &[fire("orders"), fire("audit")])]
}

/// A single message that nobody takes, and a queue of which a message is taken now and then.
pub(super) fn queue_stuck(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "QueueStuck";
    let held = |scenario: AlertScenario, queue: &str, n: i64| {
        scenario.with("queue_messages", &[("queue", queue), ("broker", "mq-3")], steady(n))
    };
    let now_and_then: Vec<String> = (0..15).map(|n| format!("{n}x{}", if n == 0 { 1 } else { 7 })).collect();
    let labels = [("queue", "reports"), ("worker", "w-9")];
    let case = held(held(AlertScenario::of(policy, alert, 4, &[]), "mandates", 1), "reports", 3);
    let case = case.with("queue_processed_total", &labels, now_and_then.join(" "));
    let fire = fires(policy, alert, &[("queue", "mandates")]);
    vec![case.at(policy.stuck_for - 2, &[]).at(policy.stuck_for + 2, std::slice::from_ref(&fire)).at(60, &[fire])]
}

/// Certificates of our days, one of which has ended.
pub(super) fn certificate_expires(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "CertificateExpires";
    let fire = |domain: &str, severity: &str| fires(policy, alert, &[("domain", domain), ("severity", severity)]);
    let ends = |scenario: AlertScenario, domain: &str, days: i64| {
        let labels = [("domain", domain), ("probe", "ap")];
        scenario.with("probe_ssl_earliest_cert_expiry", &labels, steady(TODAY_SECONDS + 86_400 * days))
    };
    let case = AlertScenario::of(policy, alert, 4, &[]).in_years();
    let case = ends(ends(case, "old.example", -3), "wiki.example", policy.warn_days + 2);
    let case = ends(ends(case, "jobs.example", policy.page_days - 1), "blog.example", policy.warn_days - 2);
    let firing = [("old.example", "page"), ("jobs.example", "page"), ("blog.example", "warning")];
    vec![case.at(TODAY_YEARS, &firing.map(|(domain, severity)| fire(domain, severity)))]
}

/// A target that changes so many times, evenly over so many minutes from the onset. It answers in the end.
fn flapping(n_changes: i64, minutes: i64) -> String {
    let changes: Vec<i64> = (0..n_changes).map(|n| ONSET + n * minutes / (n_changes - 1)).collect();
    if n_changes % 2 == 0 { toggled((0, 1), &changes) } else { toggled((ONSET - 2, 0), &changes) }
}

/// As many changes as count, early and late in a window, spread over more than one, and one too few.
pub(super) fn target_flaps(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "TargetFlaps";
    let (n, window) = (policy.flap_changes, policy.flap_window);
    let last = window - 6;
    let enough = flapping(n, last);
    let too_slow = flapping(n, window + 2);
    let few: Vec<i64> = (0..n - 1).map(|at| ONSET + at * last / (n - 2)).collect();
    // What falls last answers again when the first change is out of the window.
    let answers = [few.clone(), if n % 2 == 0 { vec![ONSET + window] } else { vec![] }].concat();
    let few = toggled((0, 1), &answers);
    let fire = fires(policy, alert, &[("job", policy.jobs[0]), ("instance", &target(policy.jobs[0], 0))]);
    vec![
        AlertScenario::of(policy, alert, 4, &[(0, 0, &enough), (1, 1, &few), (2, 2, &too_slow)])
            .at(ONSET + last + 2, &[fire])
            .at(ONSET + window + 4, &[]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line of least squares through the last hour is at the horizon, from the end of the values.
    fn at_horizon(policy: &AlertPolicy, values: &[f64]) -> f64 {
        let hour = &values[values.len().saturating_sub(61)..];
        let n = hour.len() as f64;
        let (mean_x, mean_y) = ((n - 1.0) / 2.0, hour.iter().sum::<f64>() / n);
        let (mut up, mut down) = (0.0, 0.0);
        for (at, value) in hour.iter().enumerate() {
            let x = at as f64 - mean_x;
            (up, down) = (up + x * (value - mean_y), down + x * x);
        }
        mean_y + up / down * (n - 1.0 - mean_x + 60.0 * policy.fill_hours as f64)
    }

    #[test]
    fn lines_through_an_hour_say_other_things_than_short_ones_and_two_points() {
        for seed in 0..60 {
            let policy = AlertPolicy::drawn(seed, 9);
            let hours = policy.fill_hours as f64;
            let low = LOW as f64;
            let each = each_minute(&policy, LOW, 60) as f64;
            let fallen = |minute: i64| low - each * (minute - (FILLED_AT - FALLS_FOR)).max(0) as f64;
            let late: Vec<f64> = (0..=FILLED_AT).map(fallen).collect();
            assert!(at_horizon(&policy, &late) > 0.05 * low, "{seed}");
            assert!(late[late.len() - 1] - each * 60.0 * hours < -0.05 * low, "{seed}");
            let more = was_more(&policy) as f64;
            let roomy = |until: i64| -> Vec<f64> {
                (0..=until).map(|minute| if minute < ROOMY_FOR { low + more } else { low }).collect()
            };
            assert!(at_horizon(&policy, &roomy(82)) > 0.05 * low && at_horizon(&policy, &roomy(60)) < -0.05 * low);
            assert!(low - more * hours < -0.05 * low, "{seed}");
        }
    }
}
