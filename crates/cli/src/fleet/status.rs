//! What a fleet is doing, as data and as text.

use std::collections::BTreeMap;

use quintain_core::offering::class_in_words;
use quintain_core::words::count;
use serde::Serialize;

use crate::table::table;

/// What a fleet is doing.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Status {
    /// The fleet's name.
    pub(crate) fleet: String,
    /// Who stewards, where anybody does.
    pub(crate) steward: Option<String>,
    /// The hosts that are alive.
    pub(crate) hosts: Vec<HostStatus>,
    /// The runs on the server.
    pub(crate) runs: Vec<RunStatus>,
    /// Trials that no host can play.
    pub(crate) waiting: Vec<WaitStatus>,
    /// What is wrong with single runs.
    pub(crate) troubles: Vec<TroubleStatus>,
    /// What the whole fleet may use.
    pub(crate) limits: Vec<LimitStatus>,
}

/// What is wrong with a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TroubleStatus {
    /// The run.
    pub(crate) run: String,
    /// What is wrong.
    pub(crate) why: String,
}

/// Trials of a run that wait for a host that is not there.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WaitStatus {
    /// The run.
    pub(crate) run: String,
    /// What such a host must be able to do.
    pub(crate) class: String,
    /// How many trials.
    pub(crate) n_trials: u64,
    /// The hosts that could play them but for something, and what that is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) refused_by: BTreeMap<String, String>,
}

impl WaitStatus {
    /// Which trials wait for what kind of host.
    pub(crate) fn words(&self) -> String {
        let Self { class, n_trials, refused_by, .. } = self;
        let verb = if *n_trials == 1 { "waits" } else { "wait" };
        let why = if refused_by.is_empty() { "none is there" } else { "every one that is there refuses them" };
        format!("{} {verb} for a host {} (class {class}): {why}", count(*n_trials, "trial"), class_in_words(class))
    }

    /// Why each host that could play them does not, a line each.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = String> {
        self.refused_by.iter().map(|(host, why)| refusal_words(host, &self.run, why))
    }
}

fn refusal_words(host: &str, run: &str, why: &str) -> String {
    format!("host `{host}` does not play run `{run}`: {why}")
}

/// One host.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HostStatus {
    /// Its name.
    pub(crate) name: String,
    /// The kinds of world it plays.
    pub(crate) classes: Vec<String>,
    /// Trials at once.
    pub(crate) slots: usize,
    /// Trials that it holds, by run.
    pub(crate) plays: BTreeMap<String, usize>,
    /// Whether it takes nothing new.
    pub(crate) draining: bool,
    /// How it is, as far as is known: `working`, `draining`, `silent`.
    pub(crate) state: &'static str,
    /// Seconds since it was last heard of.
    pub(crate) heard_secs: u64,
    /// Runs that it does not play for now, and why.
    pub(crate) refuses: BTreeMap<String, String>,
    /// Seconds that it has been at work.
    pub(crate) up_secs: u64,
    /// The version of its program.
    pub(crate) version: String,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RunStatus {
    /// Its name.
    pub(crate) name: String,
    /// Whether it is handed out: `goes`, `paused`, `cancelled`, `done`.
    pub(crate) direction: &'static str,
    /// How it stands to others.
    pub(crate) priority: &'static str,
    /// Trials in all.
    pub(crate) n_trials: u64,
    /// Trials with an outcome.
    pub(crate) n_done: u64,
    /// Trials being played.
    pub(crate) n_leased: u64,
    /// Trials that workers could take now.
    pub(crate) n_on_offer: u64,
    /// Trials of which an attempt brought no outcome: a fault, a lost host, a late result.
    pub(crate) n_retried: u64,
    /// Outcomes a second over the last while, where there were any.
    pub(crate) per_sec: Option<f64>,
    /// Seconds until all trials have an outcome, if they go on coming as they do.
    pub(crate) left_secs: Option<u64>,
}

/// One limit.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LimitStatus {
    /// Its name.
    pub(crate) name: String,
    /// What it says.
    pub(crate) says: String,
}

impl Status {
    /// Everything as tables.
    pub(crate) fn text(&self) -> String {
        let steward = match &self.steward {
            Some(name) => format!("steward: {name}"),
            None => "nobody stewards: nothing new is put on offer; start `quintain steward`".to_owned(),
        };
        let mut blocks = vec![format!("fleet `{}`, {steward}", self.fleet), self.hosts_text(), self.runs_text()];
        let obstacles = self.obstacles();
        if !obstacles.is_empty() {
            blocks.push(obstacles.join("\n"));
        }
        if !self.limits.is_empty() {
            let rows: Vec<_> = self.limits.iter().map(|limit| vec![limit.name.clone(), limit.says.clone()]).collect();
            blocks.push(titled(["limit", ""], rows));
        }
        blocks.join("\n\n")
    }

    /// What keeps trials from being played, a line each.
    fn obstacles(&self) -> Vec<String> {
        let waiting = self.waiting.iter().map(|wait| format!("run `{}`: {}", wait.run, wait.words()));
        let refusals = self
            .hosts
            .iter()
            .flat_map(|host| host.refuses.iter().map(|(run, why)| refusal_words(&host.name, run, why)));
        let troubles = self.troubles.iter().map(|trouble| format!("run `{}`: {}", trouble.run, trouble.why));
        waiting.chain(refusals).chain(troubles).collect()
    }

    fn hosts_text(&self) -> String {
        if self.hosts.is_empty() {
            return "no hosts: start `quintain worker` on some".to_owned();
        }
        titled(["host", "plays", "slots", "playing", "state", "heard", "up"], self.hosts.iter().map(HostStatus::row))
    }

    fn runs_text(&self) -> String {
        if self.runs.is_empty() {
            return "no runs".to_owned();
        }
        let title = ["run", "state", "priority", "done", "playing", "on offer", "tried again", "rate", "time left"];
        titled(title, self.runs.iter().map(RunStatus::row))
    }
}

impl HostStatus {
    fn row(&self) -> Vec<String> {
        let n_busy: usize = self.plays.values().sum();
        let playing: Vec<String> = self.plays.iter().map(|(run, n)| format!("{run} ({n})")).collect();
        vec![
            self.name.clone(),
            self.classes.join(", "),
            format!("{n_busy}/{}", self.slots),
            if playing.is_empty() { "-".to_owned() } else { playing.join(", ") },
            self.state.to_owned(),
            format!("{} s ago", self.heard_secs),
            lasting(self.up_secs),
        ]
    }
}

impl RunStatus {
    fn row(&self) -> Vec<String> {
        vec![
            self.name.clone(),
            self.direction.to_owned(),
            self.priority.to_owned(),
            format!("{}/{}", self.n_done, self.n_trials),
            self.n_leased.to_string(),
            self.n_on_offer.to_string(),
            self.n_retried.to_string(),
            self.per_sec.map_or_else(|| "-".to_owned(), rate_words),
            self.left_secs.map_or_else(|| "-".to_owned(), lasting),
        ]
    }
}

/// How fast outcomes come, told by the second or, where they are rare, by the minute or the hour.
fn rate_words(per_sec: f64) -> String {
    match per_sec {
        fast if fast >= 1.0 => format!("{fast:.1}/s"),
        slow if slow * 60.0 >= 1.0 => format!("{:.1}/min", slow * 60.0),
        rare => format!("{:.1}/h", rare * 3600.0),
    }
}

/// A table with its first line.
fn titled<const N: usize>(title: [&str; N], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut lines = vec![title.map(str::to_owned).to_vec()];
    lines.extend(rows);
    table(&lines)
}

/// A time in its two largest units.
pub(crate) fn lasting(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => count(seconds, "second"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {minutes} min"),
        _ => format!("{} {hours} h", count(days, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> Status {
        let host = HostStatus {
            name: "atlas".to_owned(),
            classes: vec!["browser".to_owned(), "puzzles".to_owned()],
            slots: 4,
            plays: BTreeMap::from([("night".to_owned(), 3)]),
            draining: false,
            state: "working",
            heard_secs: 3,
            refuses: BTreeMap::new(),
            up_secs: 7_800,
            version: "0.1.0".to_owned(),
        };
        let idle = HostStatus { name: "b".to_owned(), plays: BTreeMap::new(), state: "draining", ..host.clone() };
        let run = RunStatus {
            name: "night".to_owned(),
            direction: "goes",
            priority: "normal",
            n_trials: 4000,
            n_done: 120,
            n_leased: 3,
            n_on_offer: 64,
            n_retried: 2,
            per_sec: Some(13.25),
            left_secs: Some(292),
        };
        let limit = LimitStatus { name: "opus".to_owned(), says: "100 requests a minute".to_owned() };
        Status {
            fleet: "quintain".to_owned(),
            steward: Some("atlas-17".to_owned()),
            hosts: vec![host, idle],
            runs: vec![run],
            waiting: Vec::new(),
            troubles: Vec::new(),
            limits: vec![limit],
        }
    }

    #[test]
    fn a_fleet_fits_on_a_screen() {
        insta::assert_snapshot!(status().text(), @"
        fleet `quintain`, steward: atlas-17

        host   plays             slots  playing    state     heard    up
        atlas  browser, puzzles  3/4    night (3)  working   3 s ago  2 h 10 min
        b      browser, puzzles  0/4    -          draining  3 s ago  2 h 10 min

        run    state  priority  done      playing  on offer  tried again  rate    time left
        night  goes   normal    120/4000  3        64        2            13.2/s  4 min 52 s

        limit
        opus   100 requests a minute
        ");
    }

    #[test]
    fn an_empty_fleet_says_what_is_missing() {
        let empty = Status {
            fleet: "quintain".to_owned(),
            steward: None,
            hosts: Vec::new(),
            runs: Vec::new(),
            waiting: Vec::new(),
            troubles: Vec::new(),
            limits: Vec::new(),
        };
        insta::assert_snapshot!(empty.text(), @"
        fleet `quintain`, nobody stewards: nothing new is put on offer; start `quintain steward`

        no hosts: start `quintain worker` on some

        no runs
        ");
    }

    #[test]
    fn trials_that_nobody_can_play_are_told() {
        let wait = |class: &str, n_trials| WaitStatus {
            run: "night".to_owned(),
            class: class.to_owned(),
            n_trials,
            refused_by: BTreeMap::new(),
        };
        let told = [wait("browser+ngspice", 12), wait("browser", 1)].map(|wait| wait.words());
        insta::assert_snapshot!(told.join("\n"), @"
        12 trials wait for a host with ngspice (class browser+ngspice): none is there
        1 trial waits for a host that plays browser (class browser): none is there
        ");
        let waiting = vec![wait("browser+ngspice", 12)];
        let shown = Status { hosts: Vec::new(), waiting, limits: Vec::new(), ..status() }.text();
        insta::assert_snapshot!(shown, @"
        fleet `quintain`, steward: atlas-17

        no hosts: start `quintain worker` on some

        run    state  priority  done      playing  on offer  tried again  rate    time left
        night  goes   normal    120/4000  3        64        2            13.2/s  4 min 52 s

        run `night`: 12 trials wait for a host with ngspice (class browser+ngspice): none is there
        ");
    }

    #[test]
    fn a_host_that_cannot_read_a_run_is_told_with_the_reason() {
        let mut status = status();
        let why = "`runs/night/run.json` is not in the archive; hint: is `typo` the archive that the run was put in?";
        status.hosts[0].refuses.insert("night".to_owned(), why.to_owned());
        let refused_by = BTreeMap::from([("atlas".to_owned(), why.to_owned())]);
        let (run, class) = ("night".to_owned(), "browser".to_owned());
        let wait = WaitStatus { run, class, n_trials: 6, refused_by };
        let reasons: Vec<String> = wait.reasons().collect();
        status.waiting.push(wait);
        assert_eq!(status.obstacles()[1..], reasons[..]);
        insta::assert_snapshot!(status.obstacles().join("\n"), @"
        run `night`: 6 trials wait for a host that plays browser (class browser): every one that is there refuses them
        host `atlas` does not play run `night`: `runs/night/run.json` is not in the archive; hint: is `typo` the archive that the run was put in?
        ");
    }

    #[test]
    fn rates_are_told_by_what_makes_them_readable() {
        assert_eq!([13.25, 0.05, 0.001].map(rate_words), ["13.2/s", "3.0/min", "3.6/h"]);
    }

    #[test]
    fn times_are_told_in_two_units() {
        let told = [5, 65, 3_700, 90_000].map(lasting);
        assert_eq!(told, ["5 seconds", "1 min 5 s", "1 h 1 min", "1 day 1 h"]);
    }
}
