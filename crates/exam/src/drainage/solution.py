"""Enlarges sewers until no street is flooded in any storm of the family, and takes back what is not needed."""

import csv
import json
import math
import os
import sys
import tempfile

from swmm.toolkit import solver

WAY = sys.argv[1] if len(sys.argv) > 1 else "right"

model = open("input/network.inp", encoding="utf-8").read().splitlines()
rules = json.load(open("input/rules.json", encoding="utf-8"))
rain = {int(row["duration_min"]): float(row["depth_mm"]) for row in csv.DictReader(open("input/rainfall.csv"))}
prices = {int(row.pop("diameter_mm")): row for row in csv.DictReader(open("input/prices.csv"))}


def section(name):
    rows, here = [], False
    for line in model:
        line = line.split(";")[0].strip()
        if line.startswith("["):
            here = line == f"[{name}]"
        elif line and here:
            rows.append(line.split())
    return rows


junctions = {row[0]: (float(row[1]), float(row[2])) for row in section("JUNCTIONS")}
bottoms = {name: bottom for name, (bottom, _) in junctions.items()}
bottoms.update((row[0], float(row[1])) for row in section("OUTFALLS"))
pipes = {row[0]: (row[1], row[2], float(row[3]), float(row[4])) for row in section("CONDUITS")}
given = {row[0]: round(1000 * float(row[2])) for row in section("XSECTIONS")}
leaving = {start: pipe for pipe, (start, *_) in pipes.items()}
below = {pipe: leaving.get(end) for pipe, (_, end, *_) in pipes.items()}
above = {pipe: [other for other in pipes if below[other] == pipe] for pipe in pipes}
nodes = [row[0] for row in section("JUNCTIONS") + section("OUTFALLS")]


def room(pipe):
    """The largest diameter that a pipe may get: covered, and no wider than what comes below it may be."""
    start, end, *_ = pipes[pipe]
    own = min(junctions[node][1] for node in (start, end) if node in junctions) - rules["least_cover_m"]
    own = given[pipe] if pipe in rules["keep"] else 1000 * own + 1e-6
    return own if below[pipe] is None else min(own, room(below[pipe]))


rooms = {pipe: room(pipe) for pipe in pipes}


def choices(pipe):
    if pipe in rules["keep"]:
        return [given[pipe]]
    return [given[pipe]] + [mm for mm in sorted(prices) if given[pipe] < mm <= rooms[pipe]]


def price(pipe, mm):
    if mm == given[pipe]:
        return 0
    start, end, length, _ = pipes[pipe]
    depth = (junctions[start][1] + junctions[end][1]) / 2
    limits = [(float(name.split("_")[3]), name) for name in prices[mm] if name.startswith("trench_up_to")]
    column = next((name for limit, name in sorted(limits) if depth <= limit + 1e-9), "trench_deeper")
    return length * float(prices[mm][column])


def cost(design):
    return sum(price(pipe, mm) for pipe, mm in design.items())


def full_flow(pipe, mm):
    start, end, length, roughness = pipes[pipe]
    metres, slope = mm / 1000, (bottoms[start] - bottoms[end]) / length
    return math.pi / 4 * metres**2 * (metres / 4) ** (2 / 3) * math.sqrt(slope) / roughness


def intensities(duration, peak):
    def fallen(share):
        return share**2 / peak if share <= peak else 1 - (1 - share) ** 2 / (1 - peak)

    n = duration // 5
    return [round(rain[duration] * 12 * (fallen((at + 1) / n) - fallen(at / n)), 2) for at in range(n)]


storms = {(duration, peak): intensities(duration, peak) for duration in rain for peak in rules["peak_positions"]}
if WAY == "given-storm":
    storms = {"given": [float(row[-1]) for row in section("TIMESERIES")]}


def written(design, storm=None):
    """The model with these diameters, and with another storm where one is told."""
    out, here = [], ""
    for line in model:
        row = line.split(";")[0].split()
        if line.startswith("["):
            here = line.strip("[]")
        elif row and here == "XSECTIONS":
            line = f"{row[0]:<16} CIRCULAR     {design[row[0]] / 1000:<16g} " + "          ".join(row[3:])
        elif row and here == "TIMESERIES" and storm:
            continue
        out.append(line)
        if storm and here == "TIMESERIES" and line.startswith("["):
            out += [f"STORM {at * 5 // 60}:{at * 5 % 60:02} {value}" for at, value in enumerate(storm)]
    return "\n".join(out) + "\n"


folder = tempfile.mkdtemp()


def run(design, storm, stop_early=False):
    """Flooded volumes by node and peak flows by pipe. What comes half an hour after the rain floods nothing more."""
    files = [os.path.join(folder, f"run.{kind}") for kind in ("inp", "rpt", "out")]
    with open(files[0], "w", encoding="utf-8") as out:
        out.write(written(design, storms[storm]))
    solver.swmm_open(*files)
    solver.swmm_start(0)
    n_steps, end = 0, (5 * len(storms[storm]) + 30) / 1440
    while 0 < solver.swmm_step() < end:
        n_steps += 1
        if stop_early and n_steps % 30 == 0 and solver.system_get_routing_totals().flooding > 0:
            break
    flooded = {name: solver.node_get_stats(at).volFlooded for at, name in enumerate(nodes)}
    peaks = {name: solver.link_get_stats(at).maxFlow for at, name in enumerate(pipes)}
    solver.swmm_end()
    solver.swmm_close()
    return flooded, peaks


def run_all(design, among=storms):
    return {storm: run(design, storm) for storm in among}


def never_narrower(design):
    """Makes every pipe as wide as what runs into it."""
    changed = True
    while changed:
        changed = False
        for pipe in pipes:
            least = max([design[other] for other in above[pipe]], default=0)
            if design[pipe] < least:
                design[pipe] = next(mm for mm in choices(pipe) if mm >= least)
                changed = True
    return design


def enlarged(critical):
    """Every pipe large enough for the flow that comes if nothing holds it back; then larger where it still floods."""
    free = run_all(never_narrower({pipe: choices(pipe)[-1] for pipe in pipes}), critical)
    design = {}
    for pipe in pipes:
        peak = max(peaks[pipe] for _, peaks in free.values())
        fitting = [mm for mm in choices(pipe) if full_flow(pipe, mm) >= peak]
        design[pipe] = (fitting or choices(pipe)[-1:])[0]
    design = never_narrower(design)
    for _ in range(60):
        results = run_all(design, critical)
        wet = {node for flooded, _ in results.values() for node in flooded if flooded[node] > 0}
        if not wet:
            return design
        for node in wet:
            grow(design, leaving[node], {pipe: max(peaks[pipe] for _, peaks in results.values()) for pipe in pipes})
        never_narrower(design)
    sys.exit("no design holds all storms")


def grow(design, first, peaks):
    """Gives the most loaded of the next three pipes the next diameter."""
    near = [first, below[first], below.get(below[first])]
    for pipe in sorted(filter(None, near), key=lambda it: -peaks[it] / full_flow(it, design[it])):
        larger = [mm for mm in choices(pipe) if mm > design[pipe]]
        if larger:
            design[pipe] = larger[0]
            return


def fits(design, pipe, mm):
    wide_enough = all(design[other] <= mm for other in above[pipe])
    return wide_enough and (below[pipe] is None or mm <= design[below[pipe]])


def floods(design, storm):
    return any(volume > 0 for volume in run(design, storm, stop_early=True)[0].values())


def is_dry(design, among):
    for storm in list(among):
        if floods(design, storm):
            # What floods now will be the first to flood again.
            among.remove(storm)
            among.insert(0, storm)
            return False
    return True


def spared(design, critical, pick):
    """Takes back what is not needed, in some order, as long as the critical storms stay in the pipes."""
    refused = set()
    while True:
        tries = []
        for pipe in pipes:
            for mm in choices(pipe):
                saved = price(pipe, design[pipe]) - price(pipe, mm)
                if mm < design[pipe] and saved > 0 and (pipe, mm) not in refused and fits(design, pipe, mm):
                    tries.append((pipe, mm, saved))
        if not tries:
            return design
        pipe, mm, _ = pick(tries)
        other = {**design, pipe: mm}
        if is_dry(other, critical):
            design = other
        else:
            # What floods with this pipe in a larger network floods with it in a smaller one.
            refused.update((pipe, smaller) for smaller in choices(pipe) if smaller <= mm)


def far(pipe):
    """How many pipes lie between a pipe and the outfall."""
    return 0 if below[pipe] is None else 1 + far(below[pipe])


# Which pipe is made smaller next matters: one diameter at a time, from above, or what saves most at once.
ORDERS = [
    lambda tries: max(max(it for it in tries if it[0] == pipe)[::-1] for pipe, _, _ in tries)[::-1],
    lambda tries: max(tries, key=lambda it: (far(it[0]), it[2])),
    lambda tries: max(tries, key=lambda it: it[2]),
]


def designed():
    flooded = {storm: sum(run(given, storm)[0].values()) for storm in storms}
    worst = sorted(storms, key=lambda storm: -flooded[storm])
    critical, found = worst[:2], []
    for pick in ORDERS:
        while True:
            design = spared(enlarged(critical), critical, pick)
            wet = [storm for storm in worst if storm not in critical and floods(design, storm)]
            if not wet:
                break
            critical.append(wet[0])
        found.append(design)
        if cost(design) <= rules["budget"]:
            break
    return min(found, key=cost)


def own_pipes_only():
    """Only the pipes that leave flooded manholes, each large enough for what comes to it."""
    design = dict(given)
    results = run_all(given)
    free = run_all({pipe: choices(pipe)[-1] for pipe in pipes})
    for flooded, _ in results.values():
        for node in (node for node in flooded if flooded[node] > 0):
            pipe = leaving[node]
            peak = max(peaks[pipe] for _, peaks in free.values())
            fitting = [mm for mm in choices(pipe) if full_flow(pipe, mm) >= peak]
            design[pipe] = (fitting or choices(pipe)[-1:])[0]
    return design


if WAY == "largest":
    final = never_narrower({pipe: choices(pipe)[-1] for pipe in pipes})
elif WAY == "own-pipes":
    final = own_pipes_only()
elif WAY == "less-rain":
    final = given
    model = [
        line.rsplit(None, 1)[0] + f"  {float(line.split()[-1]) / 4:.2f}" if line.startswith("STORM ") else line
        for line in model
    ]
else:
    final = designed()

os.makedirs("output", exist_ok=True)
with open("output/network.inp", "w", encoding="utf-8") as out:
    out.write(written(final))
print(f"{sum(final[pipe] != given[pipe] for pipe in pipes)} pipes, cost {cost(final):.0f} of {rules['budget']}")
