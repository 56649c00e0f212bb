//! What alerts a firm wants: drawn from a seed, and told in words.

use std::fmt::Write as _;

use quintain_core::Rng;

const JOBS: [&str; 7] = ["edge", "storage", "scheduler", "mailer", "indexer", "gateway", "cachepool"];
const SERVICES: [&str; 9] =
    ["checkout", "search", "ledger", "profile", "shipping", "catalog", "notify", "billing", "reports"];
const TEAMS: [&str; 6] = ["tern", "heron", "kestrel", "plover", "wren", "siskin"];
const SEVERITIES: [&str; 3] = ["page", "ticket", "critical"];

/// The alerts in the order in which policies take them up.
pub(super) const ALERTS: [&str; 9] = [
    "InstanceDown",
    "JobAbsent",
    "HighErrorRatio",
    "SlowRequests",
    "FilesystemFills",
    "BackupStale",
    "QueueStuck",
    "CertificateExpires",
    "TargetFlaps",
];

const OWNERS: &str = "
# Owners

`service_owner` is 1 for every service and the team that owns it, never more than one team. Two registries report the same. A service for which neither
reports anything has the team `unowned`. Owners change; rules must not.
";

/// What is wanted. Times are in minutes unless they say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AlertPolicy {
    pub(super) n_alerts: usize,
    /// Those that must be there.
    pub(super) jobs: Vec<&'static str>,
    pub(super) services: Vec<&'static str>,
    pub(super) teams: Vec<&'static str>,
    /// The severity of each alert.
    pub(super) severities: Vec<&'static str>,
    pub(super) down_for: i64,
    pub(super) absent_for: i64,
    pub(super) error_percent: i64,
    pub(super) error_min_rps: i64,
    pub(super) error_for: i64,
    pub(super) quantile_percent: i64,
    pub(super) slow_tenths: i64,
    pub(super) slow_for: i64,
    /// What rates are reckoned over.
    pub(super) window: i64,
    pub(super) fill_hours: i64,
    pub(super) fill_free_percent: i64,
    pub(super) fill_for: i64,
    pub(super) backup_minutes: i64,
    pub(super) stuck_window: i64,
    pub(super) stuck_for: i64,
    pub(super) warn_days: i64,
    pub(super) page_days: i64,
    pub(super) flap_changes: i64,
    pub(super) flap_window: i64,
}

impl AlertPolicy {
    pub(super) fn drawn(seed: u64, n_alerts: usize) -> Self {
        let mut rng = Rng::new(seed);
        let (mut jobs, mut services, mut teams) = (JOBS, SERVICES, TEAMS);
        rng.shuffle(&mut jobs);
        rng.shuffle(&mut services);
        rng.shuffle(&mut teams);
        Self {
            n_alerts,
            jobs: jobs[..3].to_vec(),
            services: services.to_vec(),
            teams: teams.to_vec(),
            severities: ALERTS.iter().map(|_| *rng.choose(&SEVERITIES)).collect(),
            down_for: rng.between(6, 14),
            absent_for: rng.between(9, 16),
            error_percent: *rng.choose(&[2, 3, 4, 5]),
            error_min_rps: rng.between(1, 6),
            error_for: rng.between(4, 10),
            quantile_percent: *rng.choose(&[90, 95, 99]),
            slow_tenths: *rng.choose(&[5, 6, 8, 10, 12]),
            slow_for: rng.between(4, 10),
            window: rng.between(5, 8),
            fill_hours: *rng.choose(&[3, 4, 6]),
            fill_free_percent: *rng.choose(&[15, 18, 20]),
            fill_for: rng.between(8, 15),
            backup_minutes: rng.between(60, 110),
            stuck_window: rng.between(10, 15),
            stuck_for: rng.between(5, 10),
            warn_days: *rng.choose(&[18, 21, 28, 30]),
            page_days: *rng.choose(&[4, 5, 7]),
            flap_changes: *rng.choose(&[5, 6]),
            flap_window: rng.between(15, 20),
        }
    }

    pub(super) fn alerts(&self) -> &'static [&'static str] {
        &ALERTS[..self.n_alerts]
    }

    pub(super) fn severity(&self, alert: &str) -> &'static str {
        let at = ALERTS.iter().position(|known| *known == alert).unwrap_or_default();
        self.severities[at]
    }

    /// As the people on call wrote it down.
    pub(super) fn in_words(&self) -> String {
        let mut out =
            String::from("# Alerts we want\n\nRates and quantiles are reckoned over the window that an alert names.\n");
        for (alert, (about, settings, labels)) in self.alerts().iter().zip(self.sections()) {
            write!(out, "\n## {alert}\n\n{about}\n\n{settings}").ok();
            if *alert != "CertificateExpires" {
                writeln!(out, "- severity: {}", self.severity(alert)).ok();
            }
            writeln!(out, "- labels: {labels}").ok();
        }
        out + OWNERS
    }

    /// What each alert is about, its settings and its labels.
    fn sections(&self) -> [(&'static str, String, &'static str); 9] {
        let p = self;
        [
            (
                "A target does not answer: its `up` is 0, for the whole time without a break. While `maintenance_active` of the\nsame `instance` is 1 there is no alert for it; a value of 0 means that nobody works on it.",
                format!("- for: {} minutes\n", p.down_for),
                "job, instance, severity",
            ),
            (
                "One of the jobs below has no `up` series at all, neither 0 nor 1: its targets vanished from the service discovery, or\nnever were there. One alert for each such job.",
                format!("- jobs: {}\n- for: {} minutes\n", p.jobs.join(", "), p.absent_for),
                "job, severity",
            ),
            (
                "Too many requests of a service end in a status 5xx: their rate, as a share of the rate of all requests of the service, is\nabove the threshold. Requests to the handler `/healthz` count in neither. It is reckoned for the service as a whole, over all its instances. Services with\nless traffic than the minimum (requests per second, without `/healthz`) never alert. `team` is the owner (see below).",
                format!(
                    "- threshold: {} %\n- minimum: {}\n- window: {} minutes\n- for: {} minutes\n",
                    p.error_percent, p.error_min_rps, p.window, p.error_for
                ),
                "service, team, severity",
            ),
            (
                "The quantile of the duration of a service's requests, over all its instances, from the histogram\n`http_request_duration_seconds`, is above the threshold. `team` is the owner (see below).",
                format!(
                    "- quantile: {} %\n- threshold: {} s\n- window: {} minutes\n- for: {} minutes\n",
                    p.quantile_percent,
                    seconds(p.slow_tenths),
                    p.window,
                    p.slow_for
                ),
                "service, team, severity",
            ),
            (
                "A filesystem has less than the share below of its size available, and the straight line of least squares through what was available in the\nwindow (as `predict_linear` draws it) falls below 0 within the horizon. `tmpfs` and filesystems that are mounted read-only (`node_filesystem_readonly` is 1) do not count.",
                format!(
                    "- share: {} %\n- window: 60 minutes\n- horizon: {} hours\n- for: {} minutes\n",
                    p.fill_free_percent, p.fill_hours, p.fill_for
                ),
                "instance, mountpoint, severity",
            ),
            (
                "The last good backup of a database's log is older than the limit. Several hosts may report the same database; the latest backup of any\nof them counts. There is nothing to wait for: the alert fires at once.",
                format!("- limit: {} minutes\n", p.backup_minutes),
                "database, severity",
            ),
            (
                "A queue holds messages, summed over all brokers, but no worker has processed any of that queue within the window. A queue for which no worker\nreports anything at all is not being processed either.",
                format!("- window: {} minutes\n- for: {} minutes\n", p.stuck_window, p.stuck_for),
                "queue, severity",
            ),
            (
                "The certificate of a domain ends soon. Several probes may see different certificates of a domain; the one that ends first counts. With less\nthan the first number of days left the severity is `warning`, with less than the second it is `page` and no `warning` fires for the domain. Both fire at once.",
                format!("- warning: {} days\n- page: {} days\n", p.warn_days, p.page_days),
                "domain, severity",
            ),
            (
                "The `up` of a target has changed its value at least so many times within the window. It fires at once.",
                format!("- changes: {}\n- window: {} minutes\n", p.flap_changes, p.flap_window),
                "job, instance, severity",
            ),
        ]
    }
}

pub(super) fn seconds(tenths: i64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}
