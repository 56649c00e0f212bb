"""Makes certificates again, in quick form, of as many tasks as fit into a time: the gate's time must not grow with
the number of tasks. Which come first rotates with `--turn`, so that all have their turn. Says what it left out.

    QUINTAIN=target/debug/quintain python3 .ci/certify_sample.py --turn 41 --minutes 6
"""

import argparse
import json
import os
import subprocess
import sys
import time

QUINTAIN = os.environ.get("QUINTAIN", "quintain")
CHUNK = 4  # Tasks that are certified by one command: two at a time on two cores.


def tasks() -> list[str]:
    listed = subprocess.run([QUINTAIN, "--json", "list", "tasks"], check=True, capture_output=True, text=True)
    return [row["task"] for row in json.loads(listed.stdout)]


def rotated(names: list[str], turn: int) -> list[str]:
    """All of them, beginning elsewhere each turn; suites take turns, since tasks of one are alike in cost."""
    suites: dict[str, list[str]] = {}
    for name in names:
        suites.setdefault(name.split("/")[0], []).append(name)
    turned = [suite[turn * CHUNK % len(suite) :] + suite[: turn * CHUNK % len(suite)] for suite in suites.values()]
    longest = max(map(len, turned))
    return [suite[idx] for idx in range(longest) for suite in turned if idx < len(suite)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turn", type=int, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    options = parser.parse_args()
    left, deadline, n_made = rotated(tasks(), options.turn), time.monotonic() + options.minutes * 60, 0
    while left and time.monotonic() < deadline:
        chunk, left = left[:CHUNK], left[CHUNK:]
        made = subprocess.run([QUINTAIN, "--quiet", "check", *chunk, "--quick", "--seeds", "2"], check=False)
        if made.returncode != 0:
            print(f"refused: one of {', '.join(chunk)}")
            return made.returncode
        n_made += len(chunk)
    print(f"{n_made} tasks certified in quick form; {len(left)} left out: {', '.join(left) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
