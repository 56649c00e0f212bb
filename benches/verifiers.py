"""How long the judges of the exam's tasks take, and how large their software is.

    python3 benches/verifiers.py target/release/quintain [TASK...] [--seeds 3] [--repeats 5]

The oracle plays each instance once; what it left is then handed to `quintain submit` again and again. A time is that of the
whole command: the program starts, the instance is made from its seed, verifiers run in their sandbox, checks judge.
The size of software is what Debian says of the installed package, alone and with all that it depends on.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGES = {
    "active-filter": ["ngspice"],
    "alerting-rules": ["prometheus"],
    "apply-brand": ["inkscape"],
    "capture-triage": ["tshark"],
    "ccd-night": ["python3-numpy"],
    "dirty-variants": ["bwa", "samtools", "bcftools"],
    "hydrant-flow": ["python3-numpy"],
    "impulse-responses": ["gretl"],
    "loudness-delivery": ["ffmpeg"],
    "mail-threads": ["python3"],
    "preregistered-model": ["r-base-core", "r-cran-lme4"],
    "primary-endpoint": ["r-base-core", "r-cran-survival"],
    "reconcile-close": ["hledger"],
    "repair-catalogues": ["gettext"],
    "rtl-funnel": ["yosys"],
    "street-flooding": [],
    "three-statement-model": ["libreoffice-calc-nogui"],
}


def main() -> None:
    options = read_options()
    os.environ["QUINTAIN"] = str(Path(options.quintain).resolve())
    print(f"{'task':24} {'times':>5} {'p50 s':>7} {'p95 s':>7} {'CPU s':>7} {'package':>9} {'with all':>9}")
    for task in options.tasks or PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            took = times_of(task, options.seeds, options.repeats)
        walls, cpus = [wall for wall, _ in took], [cpu for _, cpu in took]
        figures = f"{len(took):5} {at(walls, 0.5):7.2f} {at(walls, 0.95):7.2f} {at(cpus, 0.5):7.2f}"
        print(f"{task:24} {figures} {sizes(PACKAGES.get(task, []))}", flush=True)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Times of the exam's judges and sizes of its software.")
    parser.add_argument("quintain")
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=5)
    return parser.parse_args()


def times_of(task: str, seeds: int, repeats: int) -> list[tuple[float, float]]:
    selector = f"exam/{task}@hard"
    quintain("run", selector, "--seeds", f"1..{seeds + 1}", "--agent", "oracle", "--name", "played")
    trials = json.loads(quintain("--json", "show", "played"))["trials"]
    took = []
    for nth, trial in enumerate(trials):
        if not trial["verdict"]["solved"]:
            sys.exit(f"{trial['trial']}: the oracle did not solve it")
        quintain("show", "played", trial["trial"], "--files", f"left-{nth}")
        instance = trial["trial"].split("~")[0]
        took += [timed("submit", instance, "--files", f"left-{nth}") for _ in range(repeats)]
    return took


def timed(*args: str) -> tuple[float, float]:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    said = quintain(*args)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if not re.search(r"^solved", said, re.MULTILINE):
        sys.exit(f"a right deliverable was refused: {said}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def quintain(*args: str) -> str:
    done = subprocess.run([os.environ["QUINTAIN"], *args], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"quintain {' '.join(args)}: {done.stderr}")
    return done.stdout


def at(values: list[float], share: float) -> float:
    if len(values) < 2:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def sizes(packages: list[str]) -> str:
    if not packages:
        return f"{'pip':>9} {'':>9}"
    listed = ["apt-cache", "depends", "--recurse", "--installed", "--no-recommends", "--no-suggests"]
    listed += ["--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances", *packages]
    named = subprocess.run(listed, check=False, capture_output=True, text=True).stdout
    every = {line for line in named.splitlines() if line and not line.startswith((" ", "<"))}
    return f"{megabytes(packages):>9} {megabytes(sorted(every)):>9}"


def megabytes(packages: list[str]) -> str:
    asked = ["dpkg-query", "-W", "-f", "${Installed-Size}\n", *packages]
    told = subprocess.run(asked, check=False, capture_output=True, text=True).stdout
    return f"{sum(int(size) for size in told.split()) / 1024:.0f} MB"


if __name__ == "__main__":
    main()
