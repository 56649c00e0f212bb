//! The scenarios of what services do with requests: errors and slowness, by service and with the owner's team.

use super::policy::AlertPolicy;
use super::scenario::{AlertScenario, ONSET, fires};
use super::series::{counter, steady};

pub(super) const BOUNDS: [&str; 7] = ["0.1", "0.25", "0.5", "1", "2.5", "5", "+Inf"];

/// What an instance of a service does in a minute, before things change and after.
#[derive(Clone, Copy)]
struct RequestFlow {
    service: usize,
    instance: usize,
    handler: &'static str,
    /// Requests that went well each minute.
    good: i64,
    /// Requests that failed each minute, before the onset and after.
    failed: (i64, i64),
    /// What the counters stand at when the test begins: good and failed.
    start: (i64, i64),
}

impl RequestFlow {
    fn of(service: usize, instance: usize, good: i64, failed: i64) -> Self {
        Self { service, instance, handler: "/", good, failed: (0, failed), start: (1000, 0) }
    }
}

/// Two registries tell who owns a service.
fn owned(scenario: AlertScenario, policy: &AlertPolicy, owners: &[(usize, usize)]) -> AlertScenario {
    owned_by(scenario, policy, owners, ["registry-1", "registry-2"])
}

/// Registries of these names tell who owns a service.
pub(super) fn owned_by(
    mut scenario: AlertScenario,
    policy: &AlertPolicy,
    owners: &[(usize, usize)],
    registries: [&str; 2],
) -> AlertScenario {
    for (service, team) in owners {
        for registry in registries {
            let labels = [
                ("job", "registry"),
                ("instance", registry),
                ("service", policy.services[*service]),
                ("team", policy.teams[*team]),
            ];
            scenario = scenario.with("service_owner", &labels, steady(1));
        }
    }
    scenario
}

fn with_flow(scenario: AlertScenario, policy: &AlertPolicy, flow: RequestFlow) -> AlertScenario {
    let service = policy.services[flow.service];
    let instance = format!("{service}-{}:8080", flow.instance + 1);
    let labels = |code: &'static str| {
        [
            ("job", "web"),
            ("instance", instance.as_str()),
            ("service", service),
            ("handler", flow.handler),
            ("code", code),
        ]
    };
    let missing = flow.good / 10;
    let mut scenario = scenario
        .with("http_requests_total", &labels("200"), counter(flow.start.0, &[], flow.good - missing))
        .with("http_requests_total", &labels("404"), counter(flow.start.0 / 10, &[], missing));
    let (before, after) = flow.failed;
    if (before, after, flow.start.1) == (0, 0, 0) {
        return scenario;
    }
    // Both codes are failures; halves of odd numbers go to the second.
    for (code, of) in [("500", 0), ("503", 1)] {
        let half = |n: i64| n / 2 + of * (n % 2);
        let values = counter(half(flow.start.1), &[(half(before), ONSET)], half(after));
        scenario = scenario.with("http_requests_total", &labels(code), values);
    }
    scenario
}

pub(super) fn error_ratio(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "HighErrorRatio";
    let fire =
        |service: usize, team: &str| fires(policy, alert, &[("service", policy.services[service]), ("team", team)]);
    let team = |at: usize| policy.teams[at];
    let late = ONSET + policy.window + policy.error_for + 4;
    let (percent, rps) = (policy.error_percent, policy.error_min_rps);
    // Fifteen times the least traffic, spread over three instances.
    let each = 300 * rps;
    let share = |good: i64, tenths: i64| good * percent * tenths / 1000;
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let all = |scenario: AlertScenario, flows: &[RequestFlow]| {
        flows.iter().fold(scenario, |scenario, flow| with_flow(scenario, policy, *flow))
    };
    let bad = |service: usize| [0, 1, 2].map(|n| RequestFlow::of(service, n, each, share(each, 22)));
    let health =
        |service: usize, good: i64| RequestFlow { handler: "/healthz", ..RequestFlow::of(service, 3, good, 0) };
    let one_bad =
        [RequestFlow::of(1, 0, each, share(each, 22)), RequestFlow::of(1, 1, each, 0), RequestFlow::of(1, 2, each, 0)];
    let quiet = [RequestFlow::of(2, 0, 18 * rps, 9 * rps), health(2, 600 * rps)];
    let long_ago = RequestFlow { failed: (each, 0), ..RequestFlow::of(4, 0, each, 0) };
    let busy_once = RequestFlow { start: (90_000_000, 0), ..RequestFlow::of(5, 0, each, share(each, 22)) };
    vec![
        owned(all(case(1), &[&bad(0)[..], &one_bad].concat()), policy, &[(0, 0), (1, 1)])
            .at(ONSET - 3, &[])
            .at(late, &[fire(0, team(0))]),
        owned(all(case(2), &[&bad(3)[..], &[health(3, 12 * each)], &quiet].concat()), policy, &[(2, 2), (3, 3)])
            .at(late, &[fire(3, team(3))]),
        owned(all(case(3), &[&bad(6)[..], &[long_ago, busy_once]].concat()), policy, &[(4, 4), (5, 5)])
            .at(late + 10, &[fire(6, "unowned"), fire(5, team(5))]),
    ]
}

/// An instance of a service of whose thousand requests a minute so many are slow from the onset on, and how slow.
fn with_durations(
    scenario: AlertScenario,
    policy: &AlertPolicy,
    of: [usize; 2],
    slow: i64,
    slow_seconds: i64,
) -> AlertScenario {
    let service = policy.services[of[0]];
    let instance = format!("{service}-{}:8080", of[1] + 1);
    let labels = [("job", "web"), ("instance", instance.as_str()), ("service", service)];
    let name = "http_request_duration_seconds";
    let mut scenario = scenario;
    for (at, bound) in BOUNDS.iter().enumerate() {
        // Slow ones take up to five seconds, or longer than any bound.
        let first_slow = if slow_seconds <= 5 { 5 } else { 6 };
        let after = if at >= first_slow { 1000 } else { 1000 - slow };
        let labels = [&labels[..], &[("le", *bound)]].concat();
        let values = counter(0, &[(1000, ONSET)], after);
        scenario = scenario.with(&format!("{name}_bucket"), &labels, values);
    }
    scenario.with(&format!("{name}_sum"), &labels, counter(0, &[(50, ONSET)], 50 + slow * slow_seconds)).with(
        &format!("{name}_count"),
        &labels,
        counter(0, &[(1000, ONSET)], 1000),
    )
}

pub(super) fn slow_requests(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "SlowRequests";
    let fire =
        |service: usize, team: &str| fires(policy, alert, &[("service", policy.services[service]), ("team", team)]);
    let team = |at: usize| policy.teams[at];
    let late = ONSET + policy.window + policy.slow_for + 4;
    // How many of a thousand may be slow.
    let limit = 10 * (100 - policy.quantile_percent);
    let case = |number: usize| AlertScenario::of(policy, alert, number, &[]);
    let service = |scenario: AlertScenario, service: usize, slow: [i64; 3], seconds: i64| {
        slow.iter()
            .enumerate()
            .fold(scenario, |scenario, (n, slow)| with_durations(scenario, policy, [service, n], *slow, seconds))
    };
    let (many, few) = (limit * 16 / 10, limit / 2);
    let first = service(case(1), 0, [many; 3], 3);
    let first = service(first, 1, [few; 3], 3);
    let second = service(case(2), 2, [2 * limit, 0, 0], 3);
    let second = service(second, 3, [many; 3], 3);
    let third = service(case(3), 4, [many; 3], 3);
    let third = service(third, 5, [few; 3], 900);
    vec![
        owned(first, policy, &[(0, 3), (1, 2)]).at(ONSET - 3, &[]).at(late, &[fire(0, team(3))]),
        owned(second, policy, &[(2, 1), (3, 0)]).at(late, &[fire(3, team(0))]),
        owned(third, policy, &[(5, 4)]).at(late, &[fire(4, "unowned")]),
    ]
}
