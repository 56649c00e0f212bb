use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use insta::assert_snapshot;
use quintain_core::variables;

use super::*;
use crate::ask::{ArchivePiece, Grant, LimitShare, ShareRequest, UnitClaim};

#[test]
fn the_page_says_what_was_counted() {
    assert_snapshot!(busy().text().replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

/// Runs only where `QUINTAIN_METRICS_PYTHON` (or `QUINTAIN_DUCKDB_PYTHON`) names a Python that has `prometheus_client`.
#[test]
fn the_official_parser_reads_the_page() {
    let named =
        [variables::METRICS_PYTHON, variables::DUCKDB_PYTHON].into_iter().find_map(|name| std::env::var(name).ok());
    let Some(python) = named else { return };
    assert_snapshot!(parsed(&python, &busy().text()), @r#"
    quintain_asks counter
    quintain_build_info gauge
    quintain_commit_seconds histogram
    quintain_engine_errors counter
    quintain_hosts gauge
    quintain_leases_lost counter
    quintain_offers counter
    quintain_outcomes_archived counter
    quintain_pack_bytes counter
    quintain_packs_shipped counter
    quintain_refusals gauge
    quintain_runs_troubled gauge
    quintain_shares counter
    quintain_ship_seconds histogram
    quintain_slots gauge
    quintain_slots_busy gauge
    quintain_steward_leading gauge
    quintain_trials_committed counter
    quintain_trials_faulted counter
    quintain_trials_late counter
    quintain_trials_leased counter
    quintain_trials_outstanding gauge
    quintain_trials_put_down counter
    run 'nightly "7"\\\n' 41
    ship le=0.025 2 count 3 sum 32.02
    "#);
}

#[tokio::test]
async fn the_page_is_served_with_health_and_readiness() {
    let metrics = Arc::new(busy());
    let served = serve("0", Arc::clone(&metrics)).await.unwrap();
    let at = served.address.to_string();
    assert!(served.address.ip().is_loopback());
    assert_eq!(fetch(&at, "/healthz").await, "200 alive");
    assert_eq!(fetch(&at, "/readyz").await, "503 not ready");
    metrics.ready();
    assert_eq!(fetch(&at, "/readyz").await, "200 ready");
    assert_eq!(fetch(&at, "/metrics").await, format!("200 {}", metrics.text().trim_end()));
    assert_eq!(fetch(&at, "/").await, "404 ");
    let error = serve(&at, metrics).await.unwrap_err().to_string();
    assert!(error.starts_with("cannot serve metrics at 127.0.0.1:"), "{error}");
}

fn busy() -> Metrics {
    let metrics = Metrics::default();
    metrics.leased(16);
    metrics.committed();
    metrics.late();
    metrics.faulted();
    metrics.put_down();
    metrics.lease_lost();
    for (bytes, ms) in [(1000, 10), (2000, 10), (3000, 32_000)] {
        metrics.shipped(bytes, Duration::from_millis(ms));
    }
    metrics.commit_took(Duration::from_micros(2500));
    metrics.slots(3, 4);
    metrics.offered(7);
    metrics.compacted(5);
    metrics.outstanding(BTreeMap::from([("nightly \"7\"\\\n".to_owned(), 41), ("demo".to_owned(), 0)]));
    metrics.leads();
    metrics.engine_error();
    ask_around(&metrics);
    metrics
}

fn ask_around(metrics: &Metrics) {
    let of = UnitClaim { run: "demo".to_owned(), idx: 3, ticket: "00".to_owned() };
    let read = StewardRequest::Read { of, piece: ArchivePiece::Reference };
    metrics.answered(&read, &StewardAnswer::Addresses { urls: Vec::new() });
    metrics.answered(&read, &StewardAnswer::Refused { why: "wrong ticket".to_owned() });
    let grant = StewardRequest::Grant(ShareRequest::default());
    let share = |amount| LimitShare { amount, for_ms: 1000, again_ms: Some(10) };
    let shares = BTreeMap::from([("a".to_owned(), share(2.0)), ("b".to_owned(), share(0.0))]);
    metrics.answered(&grant, &StewardAnswer::Granted(Grant { shares }));
}

async fn fetch(at: &str, path: &str) -> String {
    // The certificate provider is named even where nothing is encrypted.
    drop(rustls::crypto::ring::default_provider().install_default());
    let response = reqwest::get(format!("http://{at}{path}")).await.unwrap();
    let status = response.status().as_u16();
    format!("{status} {}", response.text().await.unwrap().trim_end())
}

fn parsed(python: &str, page: &str) -> String {
    let program = r#"
import sys
from prometheus_client.parser import text_string_to_metric_families as families
found = {family.name: family for family in families(sys.stdin.read())}
print("\n".join(f"{name} {found[name].type}" for name in sorted(found)))
(run,) = [s for s in found["quintain_trials_outstanding"].samples if s.labels["run"] != "demo"]
print("run", repr(run.labels["run"]), run.value)
ship = found["quintain_ship_seconds"].samples
(bucket,) = [s.value for s in ship if s.labels.get("le") == "0.025"]
(count,) = [s.value for s in ship if s.name.endswith("_count")]
(total,) = [s.value for s in ship if s.name.endswith("_sum")]
print("ship le=0.025", bucket, "count", count, "sum", total)
"#;
    let mut child =
        Command::new(python).args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the parser refused the page:\n{page}");
    String::from_utf8(output.stdout).unwrap()
}
