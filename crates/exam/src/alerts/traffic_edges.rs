//! The edges of what is reckoned of requests: shares, quantiles and traffic just above and just below their limits, moments
//! just before and after an alert begins, counters that begin anew, and nothing at all.

use super::policy::AlertPolicy;
use super::scenario::{AlertScenario, ONSET, fires};
use super::series::{counter, steady};
use super::traffic::{BOUNDS, owned_by};

/// Requests of a service in a minute where nothing else is said.
const EACH: i64 = 100_000;
/// The bounds of durations in seconds, without the last.
const SECONDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
/// Registries that are not in the sample.
const REGISTRIES: [&str; 2] = ["registry-5", "registry-6"];

/// Requests of an instance of a service that went to a handler and ended in a status.
fn requests(
    scenario: AlertScenario,
    policy: &AlertPolicy,
    (service, instance): (usize, usize),
    [handler, code]: [&str; 2],
    values: String,
) -> AlertScenario {
    let service = policy.services[service];
    let instance = format!("{service}-{}:8080", instance + 1);
    let labels =
        [("job", "web"), ("instance", instance.as_str()), ("service", service), ("handler", handler), ("code", code)];
    scenario.with("http_requests_total", &labels, values)
}

/// A service of whose requests so many fail each minute, at a handler.
fn failing(
    scenario: AlertScenario,
    policy: &AlertPolicy,
    service: usize,
    (each, failed): (i64, i64),
    [handler, code]: [&str; 2],
) -> AlertScenario {
    let scenario = requests(scenario, policy, (service, 0), ["/", "200"], counter(70, &[], each - failed));
    requests(scenario, policy, (service, 1), [handler, code], counter(9, &[], failed))
}

pub(super) fn error_ratio(policy: &AlertPolicy) -> Vec<AlertScenario> {
    vec![near_the_threshold(policy), waits_and_restarts(policy)]
}

fn erring(policy: &AlertPolicy, service: usize, team: Option<usize>) -> String {
    let team = team.map_or("unowned", |team| policy.teams[team]);
    fires(policy, "HighErrorRatio", &[("service", policy.services[service]), ("team", team)])
}

/// One service errs for so long that it fires for five minutes; others are just above and just below their limits all the time.
fn near_the_threshold(policy: &AlertPolicy) -> AlertScenario {
    let (percent, rps) = (policy.error_percent, policy.error_min_rps);
    let (above, below) = (1060 * percent, 940 * percent);
    let begins = ONSET + policy.window + policy.error_for;
    let burst = || counter(40, &[(0, ONSET), (above / 2, begins + 4 - ONSET)], 0);
    let case = AlertScenario::of(policy, "HighErrorRatio", 4, &[]);
    let case = requests(case, policy, (0, 0), ["/", "200"], counter(5000, &[], EACH - above));
    let case = requests(case, policy, (0, 1), ["/", "502"], burst());
    let case = requests(case, policy, (0, 2), ["/cart", "504"], burst());
    let case = failing(case, policy, 1, (EACH, above), ["/health", "502"]);
    let case = failing(case, policy, 2, (EACH, below), ["/", "500"]);
    let case = requests(case, policy, (2, 1), ["/healthz", "500"], counter(0, &[], EACH));
    let case = failing(case, policy, 3, (64 * rps, 32 * rps), ["/api", "507"]);
    let case = failing(case, policy, 4, (56 * rps, 28 * rps), ["/api", "500"]);
    let case = requests(case, policy, (5, 0), ["/", "499"], counter(0, &[], EACH));
    let always = [erring(policy, 1, None), erring(policy, 3, Some(3))];
    owned_by(case, policy, &[(0, 0), (2, 2), (3, 3), (4, 4), (5, 5)], REGISTRIES)
        .at(begins - 2, &always)
        .at(begins + 2, &[&always[..], &[erring(policy, 0, Some(0))]].concat())
        .at(begins + 8, &always)
}

/// One service errs so much that its condition holds a minute later. Of another one instance begins anew all the time, beside
/// one that erred a lot long ago.
fn waits_and_restarts(policy: &AlertPolicy) -> AlertScenario {
    let begins = ONSET + 1 + policy.error_for;
    let case = AlertScenario::of(policy, "HighErrorRatio", 5, &[]);
    let case = requests(case, policy, (6, 0), ["/", "200"], counter(0, &[], EACH));
    let case = requests(case, policy, (6, 0), ["/", "503"], counter(0, &[(0, ONSET)], EACH));
    let case = requests(case, policy, (7, 0), ["/", "200"], steady(90_000_000));
    let case = requests(case, policy, (7, 0), ["/", "500"], steady(90_000_000));
    let case = requests(case, policy, (7, 1), ["/", "200"], "0 20000 40000 ".repeat(40).trim().to_owned());
    let case = requests(case, policy, (7, 1), ["/", "500"], "0 20 40 ".repeat(40).trim().to_owned());
    owned_by(case, policy, &[(6, 1), (7, 2)], REGISTRIES)
        .at(begins - 2, &[])
        .at(begins + 2, &[erring(policy, 6, Some(1))])
}

/// The durations of a service: what the counter of each bound does.
fn durations(
    mut scenario: AlertScenario,
    policy: &AlertPolicy,
    service: usize,
    of: impl Fn(usize) -> String,
) -> AlertScenario {
    let service = policy.services[service];
    let instance = format!("{service}-1:8080");
    let labels = [("job", "web"), ("instance", instance.as_str()), ("service", service)];
    let name = "http_request_duration_seconds";
    for (at, bound) in BOUNDS.iter().enumerate() {
        scenario = scenario.with(&format!("{name}_bucket"), &[&labels[..], &[("le", *bound)]].concat(), of(at));
    }
    let sums = counter(0, &[], EACH / 10);
    scenario.with(&format!("{name}_sum"), &labels, sums).with(&format!("{name}_count"), &labels, of(6))
}

/// How many requests a minute end within each bound where the quantile of the policy is so many hundredths of its threshold: all
/// others are faster than the bounds around that, and none is slower.
fn near(policy: &AlertPolicy, hundredths: i64) -> [i64; 7] {
    let value = policy.slow_tenths as f64 * hundredths as f64 / 1000.0;
    let upper = SECONDS.iter().position(|bound| *bound >= value).unwrap_or(5).max(1);
    let within = (value - SECONDS[upper - 1]) / (SECONDS[upper] - SECONDS[upper - 1]);
    let quantile = policy.quantile_percent as f64 / 100.0;
    let faster = ((quantile - within) / (1.0 - within) * EACH as f64).round() as i64;
    std::array::from_fn(|at| if at < upper { faster } else { EACH })
}

pub(super) fn slow_requests(policy: &AlertPolicy) -> Vec<AlertScenario> {
    let alert = "SlowRequests";
    let fire =
        |service: usize, team: &str| fires(policy, alert, &[("service", policy.services[service]), ("team", team)]);
    let may_be_slow = 100 - policy.quantile_percent;
    let begins = ONSET + policy.window + policy.slow_for;
    let (above, below) = (near(policy, 106), near(policy, 94));
    let slow = |at: usize, n: i64| if at < 5 { EACH - n } else { EACH };
    let case = AlertScenario::of(policy, alert, 4, &[]);
    let case = durations(case, policy, 0, |at| {
        counter(0, &[(EACH, ONSET), (slow(at, 1060 * may_be_slow), begins + 4 - ONSET)], EACH)
    });
    let case = durations(case, policy, 1, |at| counter(0, &[], above[at]));
    let case = durations(case, policy, 2, |at| counter(0, &[], below[at]));
    let case = durations(case, policy, 3, |at| steady(1000 * (at as i64 + 1)));
    let case = durations(case, policy, 4, |at| counter(0, &[], slow(at, 940 * may_be_slow)));
    let always = fire(1, "unowned");
    vec![
        owned_by(case, policy, &[(0, 1), (2, 2), (3, 3), (4, 4)], REGISTRIES)
            .at(begins - 2, std::slice::from_ref(&always))
            .at(begins + 2, &[always.clone(), fire(0, policy.teams[1])])
            .at(begins + 8, &[always]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quantile of counts within bounds, reckoned as Prometheus does.
    fn quantile(policy: &AlertPolicy, within: [i64; 7]) -> f64 {
        let wanted = policy.quantile_percent as f64 / 100.0 * within[6] as f64;
        let at = within.iter().position(|n| *n as f64 >= wanted).unwrap();
        let (low, n_low) = if at == 0 { (0.0, 0) } else { (SECONDS[at - 1], within[at - 1]) };
        low + (SECONDS[at] - low) * (wanted - n_low as f64) / (within[at] - n_low) as f64
    }

    #[test]
    fn quantiles_are_a_twentieth_away_from_their_threshold() {
        for seed in 0..100 {
            let policy = AlertPolicy::drawn(seed, 9);
            let limit = policy.slow_tenths as f64 / 10.0;
            let [above, below] = [106, 94].map(|hundredths| quantile(&policy, near(&policy, hundredths)) / limit);
            assert!((1.05..1.07).contains(&above) && (0.93..0.95).contains(&below), "{seed}: {above} {below}");
        }
    }
}
