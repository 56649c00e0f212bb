#!/bin/bash
python3 - <<'EOF'
import csv
import json

expected = [
    ["number", "name", "town"],
    ["9", "Ida Brandt", "Kessel"],
    ["12", "Jon Marsh", "Lower Fen"],
    ["30", "Okoro, Ada", "Kessel"],
    ["101", "Li Wen", "Kessel"],
]
try:
    with open("/work/merged.csv", newline="") as file:
        rows = list(csv.reader(file))
except OSError:
    rows = []
with open("/logs/verifier/reward.json", "w") as file:
    json.dump({"reward": 1.0 if rows == expected else 0.0}, file)
EOF
