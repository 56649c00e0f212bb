"""Pressures, flows and available fire flows of a network in the format of EPANET."""

import csv
import sys

import numpy as np

WAY = sys.argv[1] if len(sys.argv) > 1 else "right"


def sections(path):
    found, name = {}, None
    for line in open(path, encoding="utf-8"):
        line = line.split(";")[0].strip()
        if line.startswith("["):
            name = line.strip("[]").upper()
            found[name] = []
        elif line:
            found[name].append(line.split())
    return found


book = sections("input/network.inp")
brief = {row[0]: row[1] for row in csv.reader(open("input/fire_service.csv", encoding="utf-8"))}
hydrants = [row["junction"] for row in csv.DictReader(open("input/hydrants.csv", encoding="utf-8"))]
hour = int(brief["hour"].split(":")[0])
options = {" ".join(words[:-1]).upper(): words[-1] for words in book["OPTIONS"]}
times = {" ".join(words[:-1]).upper(): words[-1] for words in book["TIMES"]}
step = int(times["PATTERN TIMESTEP"].split(":")[0])
patterns = {}
for name, *numbers in book["PATTERNS"]:
    patterns.setdefault(name, []).extend(map(float, numbers))


def multiplier(name):
    pattern = patterns[name]
    return 1.0 if WAY == "average-day" else pattern[hour // step % len(pattern)] * float(options["DEMAND MULTIPLIER"])


names = [words[0] for words in book["JUNCTIONS"]]
index = {name: at for at, name in enumerate(names)}
elevation = np.array([float(words[1]) for words in book["JUNCTIONS"]])
usual = options["PATTERN"]
demand = np.array([float(words[2]) * multiplier(words[3] if len(words) > 3 else usual) for words in book["JUNCTIONS"]])
replaced = set()
for name, base, *pattern in book["DEMANDS"]:
    if name not in replaced:
        replaced.add(name)
        demand[index[name]] = 0.0
    demand[index[name]] += float(base) * multiplier(pattern[0] if pattern else usual)
demand /= 1000.0
fixed = {words[0]: float(words[1]) for words in book["RESERVOIRS"]}
fixed |= {words[0]: float(words[1]) + float(words[2]) for words in book["TANKS"]}

shut = {name for name, state in book["STATUS"] if state.upper() == "CLOSED"}
links = []
for name, one, other, length, diameter, roughness, minor, state in book["PIPES"]:
    metres = float(diameter) / 1000
    friction = 10.667 * float(length) / (float(roughness) ** 1.852 * metres**4.871)
    loss = float(minor) / (2 * 9.81 * (np.pi * metres**2 / 4) ** 2)
    closed = state.upper() == "CLOSED" or name in shut
    if WAY == "valves-open":
        closed = False
    links.append((name, one, other, "closed" if closed else state.lower(), friction, loss))
curves = {name: (float(x) / 1000, float(y)) for name, x, y in book["CURVES"]}
for name, one, other, _, curve in book["PUMPS"]:
    flow, head = curves[curve]
    links.append((name, one, other, "pump", 4 / 3 * head, head / 3 / flow**2))

n_nodes, n_links = len(names), len(links)
incidence = np.zeros((n_links, n_nodes))
outside = np.zeros(n_links)
for at, (_, one, other, *_rest) in enumerate(links):
    for node, sign in ((one, 1.0), (other, -1.0)):
        if node in index:
            incidence[at, index[node]] = sign
        else:
            outside[at] += sign * fixed[node]
kinds = np.array([link[3] for link in links])
first, second = np.array([link[4] for link in links]), np.array([link[5] for link in links])


def losses(flow):
    size = np.maximum(np.abs(flow), 1e-9)
    pump = kinds == "pump"
    loss = np.where(pump, second * flow * size - first, flow * (first * size**0.852 + second * size))
    slope = np.where(pump, 2 * second * size, 1.852 * first * size**0.852 + 2 * second * size)
    idle = slope < 0.01
    return np.where(idle, 0.01 * flow, loss), np.where(idle, 0.01, slope)


def solve(drawn):
    is_open = kinds != "closed"
    flow = np.where(is_open, 0.01, 0.0)
    for _ in range(20):
        for _ in range(60):
            loss, slope = losses(flow)
            weight = np.where(is_open, 1 / slope, 0.0)
            carried = np.where(is_open, flow, 0.0) - weight * (loss - outside)
            head = np.linalg.solve(incidence.T @ (weight[:, None] * incidence), -drawn - incidence.T @ carried)
            new = np.where(is_open, flow - weight * (loss - incidence @ head - outside), 0.0)
            change, flow = np.abs(new - flow).sum(), new
            if change < 1e-9:
                break
        back = (kinds == "cv") & is_open & (flow < 0)
        on = (kinds == "cv") & ~is_open & (incidence @ head + outside > 1e-7)
        if not back.any() and not on.any():
            return head, flow
        is_open = (is_open & ~back) | on
        flow = np.where(is_open, np.where(on, 0.01, flow), 0.0)
    raise SystemExit("check valves do not settle")


def margins(at, extra):
    drawn = demand.copy()
    drawn[at] += extra
    needed = np.full(n_nodes, float(brief["pressure_elsewhere_m"]))
    needed[at] = float(brief["pressure_at_hydrant_m"])
    margin = solve(drawn)[0] - elevation - needed
    if WAY == "hydrant-only":
        margin[np.arange(n_nodes) != at] = 1e9
    return margin


def available(at):
    if WAY == "extrapolated":
        # One test flow, and the rule of thumb.
        static, residual = margins(at, 0.0)[at], margins(at, 0.02)[at]
        return 0.02 * (static / (static - residual)) ** 0.54, at
    low, high = (0.0, margins(at, 0.0).min()), (0.02, margins(at, 0.02).min())
    while high[1] > 0:
        low, high = high, (2 * high[0], margins(at, 2 * high[0]).min())
    while True:
        extra = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1])
        margin = margins(at, extra)
        if abs(margin.min()) < 1e-5:
            return extra, int(margin.argmin())
        if margin.min() > 0:
            low, high = (extra, margin.min()), (high[0], high[1] / 2)
        else:
            low, high = (low[0], low[1] / 2), (extra, margin.min())


head, flow = solve(demand)
with open("output/junctions.csv", "w", encoding="utf-8") as out:
    print("junction,head_m,pressure_m", file=out)
    for name, level, ground in zip(names, head, elevation):
        print(f"{name},{level:.4f},{level - ground:.4f}", file=out)
with open("output/links.csv", "w", encoding="utf-8") as out:
    print("link,flow_lps", file=out)
    for link, litres in zip(links, flow * 1000):
        print(f"{link[0]},{litres:.4f}", file=out)
with open("output/hydrants.csv", "w", encoding="utf-8") as out:
    print("junction,static_pressure_m,available_flow_lps,limiting_junction", file=out)
    for name in hydrants:
        litres, limiting = available(index[name])
        print(
            f"{name},{head[index[name]] - elevation[index[name]]:.4f},{litres * 1000:.4f},{names[limiting]}", file=out
        )
