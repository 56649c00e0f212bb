import collections
import csv
import json

sums = collections.Counter()
with open("/data/ledger.csv", newline="") as file:
    for row in csv.DictReader(file):
        sums[row["account"]] += int(row["cents"] or 0)
with open("/data/sums.json", "w") as file:
    json.dump({**sums, "total": sum(sums.values())}, file)
