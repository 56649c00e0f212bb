"""Impulse responses of Valdoria with gretl. The first argument says how; everything but `right` is wrong."""

import calendar
import csv
import datetime
import math
import os
import re
import subprocess
import sys

how = sys.argv[1]
notes = open("input/sources.md", encoding="utf-8").read()
first, last = re.search(r"sample is (\d{4}-\d\d) to (\d{4}-\d\d)", notes).groups()
reform = re.search(r"first day of (\d{4}-\d\d)", notes).group(1)
new_base = re.search(r"begins in January (\d{4})", notes).group(1)
as_of = re.search(r"known at the end of ([\d-]+):", notes).group(1)
strike = re.search(r"factories in (\d{4}-\d\d)", notes).group(1)


def rows(name):
    with open(f"input/data/{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


months = [f"{year}-{month:02}" for year in range(int(first[:4]), int(last[:4]) + 1) for month in range(1, 13)]
months = [month for month in months if first <= month <= last]

price = {}
for row in rows("commodity_price"):
    if row["price"] != "..":
        old = row["month"] < reform and how != "old-crowns"
        price[row["month"]] = math.log(float(row["price"]) / (1000 if old else 1))
known = [at for at, month in enumerate(months) if month in price]
for before, after in zip(known, known[1:]):
    low, high = price[months[before]], price[months[after]]
    for at in range(before + 1, after):
        price[months[at]] = low + (high - low) * (at - before) / (after - before)

old = {row["month"]: float(row["index"]) for row in rows("ip_old_base")}
new = {row["month"]: float(row["index"]) for row in rows("ip_new_base")}
base = [month for month in months if month.startswith(new_base)]
scale = sum(new[month] for month in base) / sum(old[month] for month in base)
if how == "unspliced":
    scale = 1
production = {month: math.log(new[month] if month in new else old[month] * scale) for month in months}

cpi = {}
for row in sorted(rows("cpi_releases"), key=lambda row: row["released"]):
    if how == "before-the-day" and row["released"] == as_of:
        continue
    if row["released"] <= as_of or how == "latest-release":
        cpi[row["month"]] = math.log(float(row["index"]))

decisions = sorted((row["effective"], float(row["rate"])) for row in rows("policy_rate"))


def rate_on(day):
    return [rate for effective, rate in decisions if effective <= day][-1]


def rate_in(month):
    year, number = map(int, month.split("-"))
    days = [datetime.date(year, number, day + 1).isoformat() for day in range(calendar.monthrange(year, number)[1])]
    if how == "end-of-month":
        return rate_on(days[-1])
    return sum(map(rate_on, days)) / len(days)


names = ["pcom", "ip", "cpi", "rate"]
series = {}
for before, month in zip(months, months[1:]):
    growth = [100 * (level[month] - level[before]) for level in (price, production, cpi)]
    series[month] = [*growth, rate_in(month)]


def write(path, columns, table):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows(table)


os.makedirs("output", exist_ok=True)
write("output/series.csv", ["month", *names], [[month, *values] for month, values in series.items()])
write(
    "model.csv",
    ["obs", *names, "strike"],
    [[month.replace("-", ":"), *map(repr, values), int(month == strike)] for month, values in series.items()],
)


def gretl(commands):
    with open("model.inp", "w", encoding="utf-8") as file:
        file.write("set verbose off\nopen model.csv --quiet\n" + commands)
    done = subprocess.run(["gretlcli", "-b", "-q", "model.inp"], capture_output=True, text=True, check=True)
    return [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("result ")]


order = "rate pcom ip cpi" if how == "rate-first" else " ".join(names)
criteria = gretl(
    f"""smpl +6 ;
loop i=1..6 --quiet
  var i {order} ; strike --silent
  scalar n_coefficients = 4 * (4 * i + 2)
  scalar fit = ln(det($sigma))
  printf "result %d %.12g %.12g\\n", i, fit + n_coefficients * ln($T) / $T, fit + n_coefficients * 2 / $T
endloop
"""
)
write("output/lags.csv", ["lags", "bic"], [row[:2] for row in criteria])
n_lags = min(criteria, key=lambda row: float(row[2 if how == "akaike" else 1]))[0]

place = {name: at + 1 for at, name in enumerate(order.split())}
found = gretl(
    f"""set horizon 24
var {n_lags} {order} ; strike --silent
loop i=1..4 --quiet
  loop j=1..4 --quiet
    matrix response = irf(i, j)
    matrix share = fevd(i, j)
    loop h=1..24 --quiet
      printf "result %d %d %d %.12g %.12g\\n", i, j, h, response[h], share[h]
    endloop
  endloop
endloop
"""
)
response, share = {}, {}
for variable, shock, horizon, one, other in found:
    response[int(variable), int(shock), int(horizon) - 1] = float(one)
    share[int(variable), int(shock), int(horizon)] = float(other)


def responded(name, shock, horizon):
    variable = place[name]
    if name == "rate" or how == "not-cumulated":
        return response[variable, place[shock], horizon]
    return sum(response[variable, place[shock], at] for at in range(horizon + 1))


write(
    "output/irf.csv",
    ["shock", "horizon", *names],
    [[shock, h, *(responded(name, shock, h) for name in names)] for shock in names for h in range(13)],
)
write(
    "output/fevd.csv",
    ["variable", "horizon", *names],
    [[name, h, *(share[place[name], place[shock], h] for shock in names)] for name in names for h in (6, 12, 24)],
)
