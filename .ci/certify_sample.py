"""Makes certificates again, in quick form, of as many tasks as fit into a time: the gate's time must not grow with
the number of tasks. First come those whose kept files changed since the parent commit, then a sample: which come first
in it rotates with `--turn`, so that all have their turn. Says what it left out. All together take at most `--minutes`;
after `--sample` minutes only changed ones are begun.

    QUINTAIN=target/debug/quintain python3 .ci/certify_sample.py --turn 41 --minutes 8 --sample 4 --repository .
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

QUINTAIN = os.environ.get("QUINTAIN", "quintain")
APART = ("chains/", "science/")  # Suites that have steps of their own: not in the sample.
CHUNK = 4  # Tasks that are certified by one command: two at a time on two cores.


def tasks() -> list[str]:
    listed = subprocess.run([QUINTAIN, "--json", "list", "tasks"], check=True, capture_output=True, text=True)
    return [row["task"] for row in json.loads(listed.stdout)]


def changed(repository: str) -> list[str]:
    """The tasks whose kept files changed since the parent commit; none where there is no parent."""
    git = ["git", "-C", repository]
    parent = subprocess.run([*git, "rev-parse", "--quiet", "--verify", "HEAD~1"], check=False, capture_output=True)
    if parent.returncode != 0:
        return []
    named = subprocess.run(
        [*git, "diff", "--name-only", "HEAD~1", "--", "certificates"], check=True, capture_output=True, text=True
    )
    paths = [Path(line) for line in named.stdout.splitlines() if line.endswith(".json")]
    return [f"{path.parent.name}/{path.stem}" for path in paths]


def rotated(names: list[str], turn: int) -> list[str]:
    """All of them, beginning elsewhere each turn; suites take turns, since tasks of one are alike in cost."""
    suites: dict[str, list[str]] = {}
    for name in names:
        suites.setdefault(name.split("/")[0], []).append(name)
    turned = [suite[turn * CHUNK % len(suite) :] + suite[: turn * CHUNK % len(suite)] for suite in suites.values()]
    longest = max(map(len, turned))
    return [suite[idx] for idx in range(longest) for suite in turned if idx < len(suite)]


def in_order(names: list[str], first: list[str], turn: int) -> list[str]:
    """Those that come first, then the others in the order of their turn. Many that come first take turns too."""
    known = [name for name in names if name in set(first)]
    others = [name for name in names if name not in set(first)]
    return (rotated(known, turn) if known else []) + (rotated(others, turn) if others else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turn", type=int, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--sample", type=float, required=True)
    parser.add_argument("--repository", default=".")
    options = parser.parse_args()
    known = tasks()
    first = [name for name in changed(options.repository) if name in known]
    names = [name for name in known if name in first or not name.startswith(APART)]
    left, began, n_made = in_order(names, first, options.turn), time.monotonic(), 0
    unplayable: list[str] = []
    while left and (within := began + options.minutes * 60 - time.monotonic()) > 0:
        if not set(first) & set(left) and time.monotonic() - began > options.sample * 60:
            break
        chunk, rest = left[:CHUNK], left[CHUNK:]
        command = [QUINTAIN, "--quiet", "check", *chunk, "--quick", "--seeds", "2"]
        try:
            made = subprocess.run(command, check=False, timeout=within, stderr=subprocess.PIPE, text=True)
        except subprocess.TimeoutExpired:
            break
        missing = [name for name in chunk if f"{name} cannot be played here" in made.stderr]
        print(made.stderr, end="", flush=True)
        if missing:  # The others of the chunk are tried again without it.
            unplayable, left = unplayable + missing, [name for name in left if name not in missing]
            continue
        if made.returncode != 0:
            print(f"refused: one of {', '.join(chunk)}")
            return made.returncode
        left, n_made = rest, n_made + len(chunk)
    n_first = len([name for name in first if name not in left])
    print(f"{n_made} tasks certified in quick form, {n_first} of {len(first)} whose kept files changed among them")
    print(f"{len(left)} left out: {', '.join(left) or 'none'}")
    print(f"{len(unplayable)} need software that is not here: {', '.join(unplayable) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
