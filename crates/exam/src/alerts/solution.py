"""Writes the rules that input/alerts.md asks for. The first argument says how; everything but `right` is wrong."""

import os
import re
import sys

how = sys.argv[1]
text = open("input/alerts.md").read().split("\n# Owners")[0]
wanted = {}
for section in text.split("\n## ")[1:]:
    name, rest = section.split("\n", 1)
    wanted[name.strip()] = dict(re.findall(r"^- (\w+): (.+)$", rest, re.MULTILINE))


def number(alert, key):
    if how == "short-windows" and key == "window":
        return "3"
    return re.match(r"[\d.]+", wanted[alert][key])[0]


rules = []


def alert(name, expr, severity=None):
    rule = [f"      - alert: {name}", "        expr: |"]
    rule += ["          " + line.strip() for line in expr.strip().splitlines()]
    if "for" in wanted[name] and how != "no-waiting":
        rule.append(f"        for: {number(name, 'for')}m")
    rule += ["        labels:", f"          severity: {severity or wanted[name]['severity']}"]
    rules.append("\n".join(rule))


def with_owner(expr):
    if how == "owners-by-hand":
        sample = re.search(r'service_owner\{.*service="(\w+)",team="(\w+)"', open("input/metrics.txt").read())
        owned = f'label_replace(({expr}), "team", "{sample[2]}", "service", "{sample[1]}")'
        return f'label_replace({owned}, "team", "unowned", "team", "")'
    return f"""
        ({expr}) * on (service) group_left (team) max by (service, team) (service_owner)
        or on (service)
        label_replace(({expr}) unless on (service) service_owner, "team", "unowned", "", "")
    """


def instance_down(name):
    alert(name, "max by (job, instance) (up == 0) unless on (instance) maintenance_active == 1")


def job_absent(name):
    for job in wanted[name]["jobs"].split(", "):
        if how == "dead-jobs-unseen":
            alert(name, f'sum by (job) (up{{job="{job}"}}) == 0')
        else:
            alert(name, f'absent(up{{job="{job}"}})')


def error_ratio(name):
    window, share = number(name, "window"), float(number(name, "threshold")) / 100
    by = "service, instance" if how == "by-instance" else "service"
    span = (lambda series: series) if how == "raw-counters" else (lambda series: f"rate({series}[{window}m])")
    real = 'handler!~"/health.*"' if how == "health-by-prefix" else 'handler!="/healthz"'
    codes = "500|503" if how == "seen-codes-only" else "5.."
    failed = span(f'http_requests_total{{{real},code=~"{codes}"}}')
    every = span(f"http_requests_total{{{real}}}")
    traffic = f"sum by (service) (rate(http_requests_total{{{real}}}[{window}m]))"
    ratio = f"sum by ({by}) ({failed}) / sum by ({by}) ({every}) > {share}"
    if how == "by-instance":
        ratio = f"max by (service) ({ratio})"
    alert(name, with_owner(f"({ratio}) and on (service) {traffic} >= {number(name, 'minimum')}"))


def slow_requests(name):
    window, limit = number(name, "window"), number(name, "threshold")
    metric = "http_request_duration_seconds"
    quantile = float(number(name, "quantile")) / 100
    by = "service, instance, le" if how == "by-instance" else "service, le"
    expr = f"histogram_quantile({quantile}, sum by ({by}) (rate({metric}_bucket[{window}m]))) > {limit}"
    if how == "by-instance":
        expr = f"max by (service) ({expr})"
    if how == "average-latency":
        expr = f"sum by (service) (rate({metric}_sum[{window}m])) / sum by (service) (rate({metric}_count[{window}m])) > {limit}"
    alert(name, with_owner(expr))


def filesystem_fills(name):
    real = '{fstype!="tmpfs"}'
    alert(
        name,
        f"""
        max by (instance, mountpoint) (
        node_filesystem_avail_bytes{real} / node_filesystem_size_bytes{real} < {float(number(name, "share")) / 100}
        and predict_linear(node_filesystem_avail_bytes{real}[{number(name, "window")}m], {number(name, "horizon")} * 3600) < 0
        unless node_filesystem_readonly == 1
        )
    """,
    )


def backup_stale(name):
    alert(name, f"time() - max by (database) (backup_last_success_timestamp_seconds) > {number(name, 'limit')} * 60")


def queue_stuck(name):
    alert(
        name,
        f"""
        sum by (queue) (queue_messages) > 0
        unless on (queue) sum by (queue) (increase(queue_processed_total[{number(name, "window")}m])) > 0
    """,
    )


def certificate_expires(name):
    left = "min by (domain) (probe_ssl_earliest_cert_expiry) - time()"
    page, warning = (f"{number(name, key)} * 86400" for key in ("page", "warning"))
    alert(name, f"{left} < {page}", "page")
    alert(name, f"({left} < {warning}) >= {page}", "warning")


def target_flaps(name):
    alert(name, f"max by (job, instance) (changes(up[{number(name, 'window')}m])) >= {number(name, 'changes')}")


writers = {
    "InstanceDown": instance_down,
    "JobAbsent": job_absent,
    "HighErrorRatio": error_ratio,
    "SlowRequests": slow_requests,
    "FilesystemFills": filesystem_fills,
    "BackupStale": backup_stale,
    "QueueStuck": queue_stuck,
    "CertificateExpires": certificate_expires,
    "TargetFlaps": target_flaps,
}
for name in wanted:
    writers[name](name)
os.makedirs("output", exist_ok=True)
with open("output/rules.yml", "w") as file:
    file.write("groups:\n  - name: policy\n    rules:\n" + "\n".join(rules) + "\n")
