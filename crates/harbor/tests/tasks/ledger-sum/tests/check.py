"""Compares the sums and tells for each account whether it is right."""

import json
import pathlib

EXPECTED = {"rent": 95000, "food": 2130, "books": 2399, "refunds": -2399, "total": 97130}

try:
    found = json.loads(pathlib.Path("/data/sums.json").read_text())
except (OSError, ValueError):
    found = {}
right = {name: int(found.get(name) == cents) for name, cents in EXPECTED.items()} if isinstance(found, dict) else {}
rewards = {"reward": int(found == EXPECTED), "accounts": sum(right.values()) / len(EXPECTED)}
pathlib.Path("/logs/verifier/reward.json").write_text(json.dumps(rewards))
