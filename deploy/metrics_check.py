"""Holds the dashboard and the alert rules to what stewards and workers really print: metrics_check.py PAGE..."""

import json
import re
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).parent
LABELS = {"le", "instance", "job"}  # what histograms and Prometheus itself add


def printed(pages):
    """The names of all series on the pages, and the labels of each."""
    series = {}
    for page in pages:
        for line in Path(page).read_text().splitlines():
            if found := re.match(r"(\w+)(?:\{(.*)\})? \S+$", line):
                series.setdefault(found[1], set()).update(re.findall(r'(\w+)="', found[2] or ""))
    for page in pages:  # families that have no series yet, such as those by run
        for name in re.findall(r"^# TYPE (\w+) (?:gauge|counter)$", Path(page).read_text(), re.MULTILINE):
            series.setdefault(name, set())
    return series


def rules():
    whole = yaml.safe_load((HERE / "prometheus/rules.yaml").read_text())
    for group in whole["groups"]:
        for rule in group["rules"]:
            assert {"alert", "expr", "for", "annotations"} <= set(rule), f"{rule} is not whole"
            yield f"alert {rule['alert']}", rule["expr"]


def panels():
    board = json.loads((HERE / "grafana/quintain.json").read_text())
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids)), "two panels have one id"
    for panel in board["panels"]:
        assert panel["targets"], f"panel {panel['title']} shows nothing"
        for target in panel["targets"]:
            yield f"panel {panel['title']}", target["expr"]


def check(where, expression, series):
    names = re.findall(r"quintain_\w+", expression)
    assert names, f"{where} is about nothing of ours: {expression}"
    for name in names:
        assert name in series, f"{where} names {name}, which nobody prints"
    for name, labels in re.findall(r"(quintain_\w+)\{([^}]*)\}", expression):
        for label in re.findall(r"(\w+)\s*[!=]", labels):
            assert label in series[name] | LABELS, f"{where}: {name} has no label {label}"
    assert expression.count("(") == expression.count(")"), f"{where}: brackets do not match"
    return set(names)


def main():
    series = printed(sys.argv[1:])
    assert series, "no page was given"
    used = set()
    expressions = [*rules(), *panels()]
    for where, expression in expressions:
        used |= check(where, expression, series)
    bare = {
        re.sub(r"_(bucket|sum|count)$", "", name) if name.endswith(("_bucket", "_sum", "_count")) else name
        for name in series
    }
    unseen = bare - {re.sub(r"_bucket$", "", name) for name in used}
    assert not unseen, f"no panel and no rule shows {sorted(unseen)}"
    print(f"metrics: {len(expressions)} expressions over {len(used)} series are in order")


main()
