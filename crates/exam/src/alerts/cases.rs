//! The scenarios of each alert: in each something fires, beside things that only look as if they should.

use super::policy::AlertPolicy;
use super::scenario::{AlertScenario, ONSET, fires, target};
use super::series::{counter, falling, steady, stepped};
use super::{edges, traffic, traffic_edges};

/// Makes scenarios of one alert.
type ScenarioMaker = fn(&AlertPolicy) -> Vec<AlertScenario>;

/// All scenarios of a policy: three for each alert, and those of its edges.
pub(super) fn of(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let all: [[ScenarioMaker; 2]; 9] = [
        [instance_down, edges::instance_down],
        [job_absent, edges::job_absent],
        [traffic::error_ratio, traffic_edges::error_ratio],
        [traffic::slow_requests, traffic_edges::slow_requests],
        [filesystem_fills, edges::filesystem_fills],
        [backup_stale, edges::backup_stale],
        [queue_stuck, edges::queue_stuck],
        [certificate_expires, edges::certificate_expires],
        [target_flaps, edges::target_flaps],
    ];
    all[..policy.n_alerts].iter().flatten().flat_map(|cases| cases(policy)).collect()
}

fn instance_down(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "InstanceDown";
    let d = policy.down_for;
    let fire = |job: usize, n: usize| {
        fires(policy, alert, &[("job", policy.jobs[job]), ("instance", &target(policy.jobs[job], n))])
    };
    let down = stepped(&[(1, ONSET)], 0);
    let soon_up = stepped(&[(1, ONSET), (0, d - 2)], 1);
    let broken = stepped(&[(1, ONSET), (0, d - 2), (1, 1)], 0);
    let maintained = |job: usize, n: usize| target(policy.jobs[job], n);
    let (held, free) = (maintained(1, 0), maintained(2, 1));
    vec![
        AlertScenario::of(policy, alert, 1, &[(0, 0, &down), (1, 1, &soon_up)])
            .at(ONSET + d - 2, &[])
            .at(ONSET + d + 2, &[fire(0, 0)]),
        AlertScenario::of(policy, alert, 2, &[(0, 2, &down), (1, 0, &down), (2, 1, &down)])
            .with("maintenance_active", &[("job", "planner"), ("instance", &held)], steady(1))
            .with("maintenance_active", &[("job", "planner"), ("instance", &free)], steady(0))
            .at(ONSET + d + 2, &[fire(0, 2), fire(2, 1)]),
        AlertScenario::of(policy, alert, 3, &[(2, 0, &broken), (1, 2, &down)])
            .at(ONSET + d + 2, &[fire(1, 2)])
            .at(ONSET + 2 * d + 4, &[fire(1, 2), fire(2, 0)]),
    ]
}

fn job_absent(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "JobAbsent";
    let d = policy.absent_for;
    let fire = |job: usize| fires(policy, alert, &[("job", policy.jobs[job])]);
    let gone = format!("1x{} stale", ONSET - 1);
    let back = format!("1x{} stale _x4 {}", ONSET - 1, steady(1));
    let all_of = |job: usize, values: &'static str| [(job, 0, values), (job, 1, values), (job, 2, values)];
    let all_gone = |job: usize| [(job, 0, gone.as_str()), (job, 1, gone.as_str()), (job, 2, gone.as_str())];
    let some_gone = [(1, 0, gone.as_str()), (1, 2, gone.as_str())];
    let all_back = [(0, 0, back.as_str()), (0, 1, back.as_str()), (0, 2, back.as_str())];
    vec![
        AlertScenario::of(policy, alert, 1, &[&all_gone(0)[..], &some_gone].concat())
            .at(ONSET + d - 2, &[])
            .at(ONSET + d + 2, &[fire(0)]),
        AlertScenario::of(policy, alert, 2, &all_of(2, "")).at(d - 2, &[]).at(d + 2, &[fire(2)]),
        AlertScenario::of(policy, alert, 3, &[&all_back[..], &all_gone(1)].concat()).at(ONSET + d + 8, &[fire(1)]),
    ]
}

/// A filesystem of 100 GB and what is available of it.
pub(super) fn disk(scenario: AlertScenario, labels: [&str; 3], available: String, is_readonly: i64) -> AlertScenario {
    let [instance, mountpoint, fstype] = labels;
    let device = format!("/dev/vd{}", mountpoint.len());
    let labels = [("instance", instance), ("device", device.as_str()), ("mountpoint", mountpoint), ("fstype", fstype)];
    scenario
        .with("node_filesystem_avail_bytes", &labels, available)
        .with("node_filesystem_size_bytes", &labels, steady(100_000_000_000))
        .with("node_filesystem_readonly", &labels, steady(is_readonly))
}

fn filesystem_fills(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "FilesystemFills";
    let hosts: Vec<String> = (0..3).map(|n| target(policy.jobs[0], n)).collect();
    let fire = |host: usize, mount: &str| fires(policy, alert, &[("instance", &hosts[host]), ("mountpoint", mount)]);
    let fills = || falling(30_000_000_000, 300_000_000, 95);
    let slowly = falling(10_000_000_000, 5_000_000, 95);
    let roomy = falling(95_000_000_000, 500_000_000, 95);
    let cleaned = format!("{} {}", falling(30_000_000_000, 300_000_000, 60), steady(60_000_000_000));
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let first = disk(case(1), [&hosts[0], "/srv", "ext4"], fills(), 0);
    let first = disk(first, [&hosts[1], "/srv", "ext4"], slowly, 0);
    let first = disk(first, [&hosts[2], "/data", "xfs"], roomy, 0);
    let second = disk(case(2), [&hosts[1], "/var/lib", "xfs"], fills(), 0);
    let second = disk(second, [&hosts[1], "/run", "tmpfs"], fills(), 0);
    let second = disk(second, [&hosts[2], "/mnt/image", "ext4"], fills(), 1);
    let third = disk(case(3), [&hosts[2], "/", "ext4"], fills(), 0);
    let third = disk(third, [&hosts[0], "/data", "xfs"], cleaned, 0);
    let third = disk(third, [&hosts[0], "/", "ext4"], steady(5_000_000_000), 0);
    vec![
        first.at(10, &[]).at(80, &[fire(0, "/srv")]),
        second.at(80, &[fire(1, "/var/lib")]),
        third.at(80, &[fire(2, "/")]),
    ]
}

fn backup_stale(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "BackupStale";
    let limit = policy.backup_minutes;
    let fire = |database: &str| fires(policy, alert, &[("database", database)]);
    // The first backups ended five minutes after the start.
    let (early, late) = (limit + 2, limit + 8);
    let name = "backup_last_success_timestamp_seconds";
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let again = |minute: i64| stepped(&[(300, minute)], minute * 60);
    vec![
        case(1)
            .with(name, &[("database", "orders"), ("instance", "bk-1")], steady(300))
            .with(name, &[("database", "users"), ("instance", "bk-1")], again(40))
            .at(early, &[])
            .at(late, &[fire("orders")]),
        case(2)
            .with(name, &[("database", "users"), ("instance", "bk-1")], steady(300))
            .with(name, &[("database", "users"), ("instance", "bk-2")], again(30))
            .with(name, &[("database", "stock"), ("instance", "bk-1")], steady(300))
            .with(name, &[("database", "stock"), ("instance", "bk-2")], steady(120))
            .at(late, &[fire("stock")]),
        case(3)
            .with(name, &[("database", "audit"), ("instance", "bk-1")], again(late + 10))
            .with(name, &[("database", "orders"), ("instance", "bk-2")], steady(240))
            .at(late, &[fire("audit"), fire("orders")])
            .at(late + 20, &[fire("orders")]),
    ]
}

fn queue_stuck(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "QueueStuck";
    let fire = |queue: &str| fires(policy, alert, &[("queue", queue)]);
    // What was processed last was at the onset.
    let late = ONSET + policy.stuck_window + policy.stuck_for + 2;
    let (stops, moves) = (counter(100, &[(30, ONSET)], 0), counter(700, &[], 30));
    let fills = stepped(&[(0, ONSET)], 8);
    let held = |scenario: AlertScenario, queue: &str, broker: &str, values: String| {
        scenario.with("queue_messages", &[("queue", queue), ("broker", broker)], values)
    };
    let done = |scenario: AlertScenario, queue: &str, worker: &str, values: &str| {
        scenario.with("queue_processed_total", &[("queue", queue), ("worker", worker)], values.to_owned())
    };
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let first = done(held(case(1), "invoices", "mq-1", steady(12)), "invoices", "w-1", &stops);
    let first = done(held(first, "images", "mq-1", steady(40)), "images", "w-2", &moves);
    let second = held(case(2), "exports", "mq-2", fills);
    let second = done(held(second, "invoices", "mq-1", steady(0)), "invoices", "w-1", &stops);
    let third = done(held(case(3), "images", "mq-1", steady(40)), "images", "w-1", &stops);
    let third = done(third, "images", "w-2", &moves);
    let third = held(held(third, "letters", "mq-1", steady(0)), "letters", "mq-2", steady(5));
    let third = done(third, "letters", "w-3", &stops);
    vec![
        first.at(late - 4, &[]).at(late, &[fire("invoices")]),
        second.at(ONSET + 3, &[]).at(late, &[fire("exports")]),
        third.at(late, &[fire("letters")]),
    ]
}

fn certificate_expires(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "CertificateExpires";
    let fire = |domain: &str, severity: &str| fires(policy, alert, &[("domain", domain), ("severity", severity)]);
    let seen = |scenario: AlertScenario, domain: &str, probe: &str, seconds: i64| {
        scenario.with("probe_ssl_earliest_cert_expiry", &[("domain", domain), ("probe", probe)], steady(seconds))
    };
    let (day, warn, page) = (86_400, policy.warn_days, policy.page_days);
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let first = seen(case(1), "shop.example", "eu", (page + 3) * day);
    let first = seen(first, "api.example", "eu", (page - 2) * day);
    let first = seen(first, "docs.example", "eu", (warn + 4) * day);
    let second = seen(case(2), "shop.example", "eu", (warn + 40) * day);
    let second = seen(second, "shop.example", "us", (warn - 3) * day);
    let second = seen(second, "api.example", "us", (page + 1) * day);
    let second = seen(second, "api.example", "eu", (page - 1) * day);
    let third = seen(case(3), "docs.example", "us", warn * day + 1800);
    let third = seen(third, "api.example", "us", page * day + 1800);
    let (shop, api) = ("shop.example", "api.example");
    vec![
        first.at(30, &[fire(shop, "warning"), fire(api, "page")]),
        second.at(30, &[fire(shop, "warning"), fire(api, "page")]),
        third.at(28, &[fire(api, "warning")]).at(33, &[fire("docs.example", "warning"), fire(api, "page")]),
    ]
}

fn target_flaps(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "TargetFlaps";
    let window = policy.flap_window;
    let fire = |job: usize, n: usize| {
        fires(policy, alert, &[("job", policy.jobs[job]), ("instance", &target(policy.jobs[job], n))])
    };
    let flapping = |n: usize| format!("1x{} {}", ONSET - 1, "0 1 ".repeat(n));
    let calm = |n: usize| flapping(n) + &steady(1);
    let once = stepped(&[(1, ONSET), (0, 3)], 1);
    let slow = stepped(&[(1, ONSET), (0, 4), (1, 14), (0, 4)], 1);
    let (long, short) = (calm(30), calm(10));
    vec![
        AlertScenario::of(policy, alert, 1, &[(0, 1, &long), (1, 0, &once)])
            .at(ONSET - 4, &[])
            .at(ONSET + window, &[fire(0, 1)]),
        AlertScenario::of(policy, alert, 2, &[(2, 2, &short)])
            .at(ONSET + 18, &[fire(2, 2)])
            .at(ONSET + 20 + window + 4, &[]),
        AlertScenario::of(policy, alert, 3, &[(1, 1, &slow), (2, 0, &long)]).at(ONSET + window + 4, &[fire(2, 0)]),
    ]
}
