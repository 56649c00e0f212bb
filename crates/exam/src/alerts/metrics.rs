//! A sample of the metrics, as exporters show them.

use super::policy::AlertPolicy;
use super::scenario::target;

/// What exporters show now: names, types, labels and some values.
pub(super) fn sample(policy: &AlertPolicy) -> String {
    let all = [
        up(policy),
        MAINTENANCE.replace("TARGET", &target(policy.jobs[0], 1)),
        requests(policy),
        FILESYSTEMS.replace("TARGET", &target(policy.jobs[0], 0)),
        BACKUPS.to_owned(),
        QUEUES.to_owned(),
        CERTIFICATES.to_owned(),
    ];
    all.join("\n")
}

fn up(policy: &AlertPolicy) -> String {
    let mut out = String::from("# HELP up Whether the target answered the last scrape.\n# TYPE up gauge\n");
    for job in &policy.jobs {
        for n in 0..3 {
            out.extend([
                "up{job=\"",
                job,
                "\",instance=\"",
                &target(job, n),
                "\",zone=\"z",
                &(n + 1).to_string(),
                "\"} 1\n",
            ]);
        }
    }
    out
}

fn requests(policy: &AlertPolicy) -> String {
    REQUESTS
        .replace("SERVICE", policy.services[0])
        .replace("OTHER", policy.services[1])
        .replace("TEAM", policy.teams[0])
}

const MAINTENANCE: &str = r#"# HELP maintenance_active 1 while somebody works on the instance, from the planner.
# TYPE maintenance_active gauge
maintenance_active{job="planner",instance="TARGET"} 0
"#;
const REQUESTS: &str = r#"# HELP service_owner Which team owns a service.
# TYPE service_owner gauge
service_owner{job="registry",instance="registry-1",service="SERVICE",team="TEAM"} 1
service_owner{job="registry",instance="registry-2",service="SERVICE",team="TEAM"} 1
# HELP http_requests_total Requests by handler and status code.
# TYPE http_requests_total counter
http_requests_total{job="web",instance="SERVICE-1:8080",service="SERVICE",handler="/",code="200"} 183402
http_requests_total{job="web",instance="SERVICE-1:8080",service="SERVICE",handler="/",code="404"} 9120
http_requests_total{job="web",instance="SERVICE-1:8080",service="SERVICE",handler="/",code="500"} 12
http_requests_total{job="web",instance="SERVICE-1:8080",service="SERVICE",handler="/",code="503"} 3
http_requests_total{job="web",instance="SERVICE-1:8080",service="SERVICE",handler="/healthz",code="200"} 51840
http_requests_total{job="web",instance="SERVICE-2:8080",service="SERVICE",handler="/",code="200"} 180077
http_requests_total{job="web",instance="OTHER-1:8080",service="OTHER",handler="/",code="200"} 2210
# HELP http_request_duration_seconds Duration of requests.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="0.1"} 150044
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="0.25"} 171300
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="0.5"} 183990
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="1"} 189001
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="2.5"} 191702
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="5"} 192411
http_request_duration_seconds_bucket{job="web",instance="SERVICE-1:8080",service="SERVICE",le="+Inf"} 192537
http_request_duration_seconds_sum{job="web",instance="SERVICE-1:8080",service="SERVICE"} 19871.2
http_request_duration_seconds_count{job="web",instance="SERVICE-1:8080",service="SERVICE"} 192537
"#;
const FILESYSTEMS: &str = r#"# HELP node_filesystem_avail_bytes Bytes available to users.
# TYPE node_filesystem_avail_bytes gauge
node_filesystem_avail_bytes{instance="TARGET",device="/dev/vd4",mountpoint="/srv",fstype="ext4"} 6.1e+10
node_filesystem_avail_bytes{instance="TARGET",device="tmpfs",mountpoint="/run",fstype="tmpfs"} 8.1e+08
# HELP node_filesystem_size_bytes Size in bytes.
# TYPE node_filesystem_size_bytes gauge
node_filesystem_size_bytes{instance="TARGET",device="/dev/vd4",mountpoint="/srv",fstype="ext4"} 1e+11
node_filesystem_size_bytes{instance="TARGET",device="tmpfs",mountpoint="/run",fstype="tmpfs"} 8.3e+08
# HELP node_filesystem_readonly 1 if mounted read-only.
# TYPE node_filesystem_readonly gauge
node_filesystem_readonly{instance="TARGET",device="/dev/vd4",mountpoint="/srv",fstype="ext4"} 0
node_filesystem_readonly{instance="TARGET",device="tmpfs",mountpoint="/run",fstype="tmpfs"} 0
"#;
const BACKUPS: &str = r#"# HELP backup_last_success_timestamp_seconds When the last good backup ended, in seconds since 1970.
# TYPE backup_last_success_timestamp_seconds gauge
backup_last_success_timestamp_seconds{database="orders",instance="bk-1"} 1.7404848e+09
backup_last_success_timestamp_seconds{database="orders",instance="bk-2"} 1.7404021e+09
"#;
const QUEUES: &str = r#"# HELP queue_messages Messages that a broker holds for a queue.
# TYPE queue_messages gauge
queue_messages{queue="invoices",broker="mq-1"} 12
queue_messages{queue="invoices",broker="mq-2"} 0
# HELP queue_processed_total Messages of a queue that a worker has processed.
# TYPE queue_processed_total counter
queue_processed_total{queue="invoices",worker="w-1"} 48113
"#;
const CERTIFICATES: &str = r#"# HELP probe_ssl_earliest_cert_expiry When the certificate ends, in seconds since 1970.
# TYPE probe_ssl_earliest_cert_expiry gauge
probe_ssl_earliest_cert_expiry{domain="shop.example",probe="eu"} 1.7452319e+09
probe_ssl_earliest_cert_expiry{domain="shop.example",probe="us"} 1.7452319e+09
"#;
