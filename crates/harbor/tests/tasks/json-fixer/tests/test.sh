#!/bin/bash
python3 - > /logs/verifier/reward.txt <<'EOF'
import json

expected = {"comma": {"name": "Ada", "age": 36}, "quotes": {"name": "Bo"}, "open": [1, 2, 3]}


def is_mended(name, value):
    try:
        with open(f"/app/mended/{name}.json") as file:
            return json.load(file) == value
    except (OSError, ValueError):
        return False


print(sum(is_mended(name, value) for name, value in expected.items()) / len(expected))
EOF
