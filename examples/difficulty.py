"""Tells from certificates how hard the presets of puzzles are, as a table.

Make the certificates first, then name their folder:

    quintain check puzzles            # writes certificates/
    python3 examples/difficulty.py certificates/puzzles
"""

import json
import sys
from math import sqrt
from pathlib import Path

STEPS = "solver's steps: mean (least to most)"
HEAD = ["puzzle", "preset", STEPS, "random agent solved", "95 % interval", "declared chance"]


def wilson(hits, n, z=1.959964):
    """Wilson's interval of a share."""
    if n == 0:
        return 0.0, 1.0
    share, room = hits / n, z * z / n
    middle, half = share + room / 2, z * sqrt(share * (1 - share) / n + room / (4 * n))
    return max(0.0, (middle - half) / (1 + room)), min(1.0, (middle + half) / (1 + room))


def rows(certificate):
    for chance in certificate["chance"]:
        preset, n, hits = chance["preset"], chance["n_guesses"], chance["n_solved"]
        steps = [pick["oracle_steps"] for pick in certificate["picks"] if f"@{preset}#" in pick["instance"]]
        low, high = wilson(hits, n)
        yield [
            f"`{certificate['task'].split('/')[1]}`",
            preset,
            f"{sum(steps) / len(steps):.1f} ({min(steps)} to {max(steps)})",
            f"{hits} of {n}",
            f"{100 * low:.1f} to {100 * high:.1f} %",
            f"{100 * chance['declared']:.2g} %",
        ]


def main():
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for path in sorted(Path(sys.argv[1]).glob("*.whole.json")):
        for row in rows(json.loads(path.read_text())["certificate"]):
            print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
