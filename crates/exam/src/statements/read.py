"""read.py WANTED: what the sheet Model came to in every case, as JSON on standard output.

WANTED is a JSON file: { cases, lines, years }. A cell that holds no number is told as its text.
"""

import csv
import json
import math
import sys


def told(text):
    try:
        number = float(text)
    except ValueError:
        return text[:40]
    return round(number, 6) if math.isfinite(number) else text[:40]


def read(case, lines, years):
    with open(f"told/{case}-Model.csv", newline="", encoding="utf-8") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file)]
    names = rows[0] if rows else []
    found = {}
    for line in lines:
        same = [row for row in rows[1:] if row and row[0] == line]
        for year in years:
            if len(same) == 1 and names.count(year) == 1 and names.index(year) < len(same[0]):
                found[f"{line} {year}"] = told(same[0][names.index(year)])
    return found


with open(sys.argv[1], encoding="utf-8") as file:
    wanted = json.load(file)
try:
    print(json.dumps({case: read(case, wanted["lines"], wanted["years"]) for case in wanted["cases"]}))
except (OSError, ValueError, csv.Error) as error:
    sys.exit(f"there is no sheet Model that can be read: {type(error).__name__}")
