//! What is counted with: plain atomic numbers that write themselves down as lines of a page for Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper ends of a histogram's buckets, in seconds; the last bucket has none.
pub const BOUNDS_SECS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// So many more.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Relaxed);
    }

    /// How many so far.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A number that stands for how things are now.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    /// It is so many now.
    pub fn set(&self, n: i64) {
        self.0.store(n, Relaxed);
    }

    /// How many now.
    pub fn get(&self) -> i64 {
        self.0.load(Relaxed)
    }
}

/// How long something took, each time.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS_SECS.len() + 1],
    sum_us: AtomicU64,
}

impl Histogram {
    /// It took so long, once more.
    pub fn observe(&self, took: Duration) {
        let secs = took.as_secs_f64();
        let place = BOUNDS_SECS.partition_point(|bound| *bound < secs);
        self.buckets[place].fetch_add(1, Relaxed);
        self.sum_us.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    fn lines(&self, name: &str) -> String {
        let (mut lines, mut below) = (String::new(), 0);
        for (place, bucket) in self.buckets.iter().enumerate() {
            below += bucket.load(Relaxed);
            let bound = BOUNDS_SECS.get(place).map_or("+Inf".to_owned(), f64::to_string);
            push(&mut lines, &format!("{name}_bucket{{le=\"{bound}\"}} {below}"));
        }
        let sum_secs = Duration::from_micros(self.sum_us.load(Relaxed)).as_secs_f64();
        push(&mut lines, &format!("{name}_sum {sum_secs}"));
        push(&mut lines, &format!("{name}_count {below}"));
        lines
    }
}

/// The page that is written, family by family.
#[derive(Debug, Default)]
pub(super) struct MetricsText(String);

impl MetricsText {
    /// One number that only grows.
    pub(super) fn counter(&mut self, name: &str, help: &str, counter: &Counter) {
        self.family(name, help, "counter");
        push(&mut self.0, &format!("{name} {}", counter.get()));
    }

    /// One number of now.
    pub(super) fn gauge(&mut self, name: &str, help: &str, gauge: &Gauge) {
        self.family(name, help, "gauge");
        push(&mut self.0, &format!("{name} {}", gauge.get()));
    }

    /// One histogram, in seconds.
    pub(super) fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.family(name, help, "histogram");
        self.0.push_str(&histogram.lines(name));
    }

    /// One number for each combination of labels.
    pub(super) fn labelled<'a>(
        &mut self,
        name: &str,
        (kind, help): (&str, &str),
        rows: impl IntoIterator<Item = (Vec<(&'a str, &'a str)>, u64)>,
    ) {
        self.family(name, help, kind);
        for (labels, value) in rows {
            let labels: Vec<String> = labels.iter().map(|(key, text)| format!("{key}=\"{}\"", quoted(text))).collect();
            push(&mut self.0, &format!("{name}{{{}}} {value}", labels.join(",")));
        }
    }

    /// The page as text.
    pub(super) fn text(self) -> String {
        self.0
    }

    fn family(&mut self, name: &str, help: &str, kind: &str) {
        push(&mut self.0, &format!("# HELP {name} {help}\n# TYPE {name} {kind}"));
    }
}

fn push(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes what is written");
}

/// What a label says, with what would end it written so that it does not.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
