"""Designs the filter as a cascade of multiple-feedback stages for the op-amp that is really used, and for parts at the ends of
their tolerances: poles first, then all values of the series that come near them, then what fits best together."""

import csv
import math
import re
import subprocess
import sys

WAY = sys.argv[1]
UNITS = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "meg": 1e6, "g": 1e9, "": 1.0}
SERIES = {
    "E12": [1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2],
    "E24": [
        1.0,
        1.1,
        1.2,
        1.3,
        1.5,
        1.6,
        1.8,
        2.0,
        2.2,
        2.4,
        2.7,
        3.0,
        3.3,
        3.6,
        3.9,
        4.3,
        4.7,
        5.1,
        5.6,
        6.2,
        6.8,
        7.5,
        8.2,
        9.1,
    ],
}
DB = 20 / math.log(10)


def number(text):
    digits, unit = re.fullmatch(r"([0-9.eE+-]*[0-9.])(meg|[a-z]?)", text.lower()).groups()
    return float(digits) * UNITS[unit]


def series(name, low, high):
    """All values of a series between two ends."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [float(f"{step}e{decade}") for decade in decades for step in SERIES[name]]
    return [value for value in values if low * 0.999 <= value <= high * 1.001]


mask = {row["band"]: row for row in csv.DictReader(open("input/mask.csv"))}
PASS_HZ, STOP_HZ = float(mask["pass"]["to_hz"]), float(mask["stop"]["from_hz"])
LOW_DB, HIGH_DB, STOP_DB = (float(mask[b][c]) for b, c in [("pass", "min_db"), ("pass", "max_db"), ("stop", "max_db")])
parts = {row["kind"]: row for row in csv.DictReader(open("input/parts.csv"))}
R = series(parts["resistor"]["series"], number(parts["resistor"]["from"]), number(parts["resistor"]["to"]))
C = series(parts["capacitor"]["series"], number(parts["capacitor"]["from"]), number(parts["capacitor"]["to"]))
TOL_R, TOL_C = (float(parts[kind]["tolerance_percent"]) / 100 for kind in ("resistor", "capacitor"))
N = int(parts["opamp"]["most"])
OPAMP = parts["opamp"]["series"]

# The op-amp: one element a line, as its macromodel has them.
model = {
    line.split()[0].lower(): number(line.split()[-1])
    for line in open("input/opamp.lib")
    if line[:1].upper() in "RCGE" and line.strip()
}
bench = {line.split()[0].lower(): line.split()[-1] for line in open("input/bench.cir") if line[:1].upper() in "RC"}
SOURCE_OHM, LOAD_OHM, LOAD_F = number(bench["rs"]), number(bench["rl"]), number(bench["cl"])


def gain(s):
    """What the op-amp amplifies by, without feedback."""
    if WAY == "ideal-opamp":
        return 1e9
    first = model["gm1"] / (1 / model["r1"] + s * model["c1"])
    return first * model["gm2"] / (1 / model["r2"] + s * model["c2"])


def chain(stage, s):
    """The chain matrix of a stage: voltage and current at its input for those at its output."""
    r1, r2, r3, c1, c2 = stage
    g1, g2, g3, go = 1 / r1, 1 / r2, 1 / r3, 1 / model["ro"]
    a, y1, y2 = gain(s) * go, s * c1, s * c2
    ym = g3 + y2 + 1 / model["rid"] + s * (model["cid"] + model["cn"])
    columns = []
    for v, i in ((1, 0), (0, 1)):
        # Node m: ym vm - g3 va = y2 v; output: (a - y2) vm - g2 va = -(g2 + y2 + go) v - i.
        right_m, right_o = y2 * v, -(g2 + y2 + go) * v - i
        det = -ym * g2 + g3 * (a - y2)
        vm, va = (-right_m * g2 + g3 * right_o) / det, (ym * right_o - (a - y2) * right_m) / det
        vin = (va * (g1 + g2 + g3 + y1) - g2 * v - g3 * vm) / g1
        columns.append((vin, (vin - va) * g1))
    return columns


def level(stages, hz):
    """The gain of the whole filter in its bench in dB."""
    s = 2j * math.pi * hz
    v, i = 1, 1 / LOAD_OHM + s * LOAD_F
    for stage in reversed(stages):
        (a, c), (b, d) = chain(stage, s)
        v, i = a * v + b * i, c * v + d * i
    return -DB * math.log(abs(v + SOURCE_OHM * i))


GRID = [
    PASS_HZ * x for x in (0.01, 0.15, 0.3, 0.4, 0.48, 0.56, 0.63, 0.7, 0.75, 0.8, 0.84, 0.88, 0.91, 0.94, 0.97, 1.0)
]
STOPS = [STOP_HZ * x for x in (1.0, 1.15, 3.0, 10.0, 30.0, 100.0)]


def margin(nominal, spread):
    """How far the worst combination stays inside the mask in dB; distances in the stop band count a third."""
    n = len(GRID)
    inside = min(min(HIGH_DB - a - b, a - b - LOW_DB) for a, b in zip(nominal[:n], spread))
    below = min((STOP_DB - a - b) / 3 for a, b in zip(nominal[n:], spread[n:]))
    if WAY == "nominal-only" and inside > 0.02:
        return below + 100
    return min(inside, below)


def alone(stage, is_first, is_last, next_ohm):
    """The gain of one stage at all frequencies, and how far all its tolerances together can bring it."""

    def levels(stage):
        out = []
        for hz in GRID + STOPS:
            s = 2j * math.pi * hz
            load = 1 / LOAD_OHM + s * LOAD_F if is_last else 1 / next_ohm
            (a, c), (b, d) = chain(stage, s)
            v, i = a + b * load, c + d * load
            out.append(-DB * math.log(abs(v + i * SOURCE_OHM if is_first else v)))
        return out

    nominal, spread = levels(stage), [0.0] * len(GRID + STOPS)
    if WAY != "nominal-only":
        for at in range(5):
            moved = list(stage)
            tolerance = TOL_R if at < 3 else TOL_C
            moved[at] *= 1 + tolerance
            spread = [total + abs(a - b) for total, a, b in zip(spread, levels(moved), nominal)]
    return nominal, spread


def poles(ripple_db, edge_hz):
    """Frequency and Q of all pole pairs, the lowest Q first."""
    order = 2 * N
    if WAY == "butterworth":
        # As flat as can be, and down by half the mask at its edge.
        wide = edge_hz * (10 ** ((HIGH_DB - LOW_DB) / 20) - 1) ** (-1 / (2 * order))
        return sorted(
            ((wide, 1 / (2 * math.cos(math.pi * (2 * k + 1) / (2 * order)))) for k in range(N)), key=lambda p: p[1]
        )
    e = math.sqrt(10 ** (ripple_db / 10) - 1)
    u = math.asinh(1 / e) / order
    found = []
    for k in range(N):
        t = math.pi * (2 * k + 1) / (2 * order)
        pole = complex(-math.sinh(u) * math.sin(t), math.cosh(u) * math.cos(t))
        found.append((abs(pole) * edge_hz, abs(pole) / (-2 * pole.real)))
    return sorted(found, key=lambda p: p[1])


def rough(pairs, ripple_db):
    """What margin poles can have before values are known: their frequencies and Qs move with the tolerances."""
    nominal, spread = [], []
    for hz in GRID + STOPS:
        total, moves = (HIGH_DB + LOW_DB + ripple_db) / 2 - ripple_db, 2 * N * TOL_R * DB * 0.8
        for f, q in pairs:

            def biquad(f, q):
                return -DB * math.log(abs(1 - (hz / f) ** 2 + 1j * hz / f / q))

            total += biquad(f, q)
            moves += abs(biquad(f * (1 + TOL_R + TOL_C), q) - biquad(f, q))
            moves += abs(biquad(f, q * (1 + TOL_R + TOL_C)) - biquad(f, q))
        nominal.append(total)
        spread.append(moves)
    return margin(nominal, spread)


def targets():
    """The poles that leave most to all sides, the best first."""
    if WAY == "nominal-only":
        # The narrowest filter that is inside the mask: nothing is left at the edge.
        ripple = 0.3 * (HIGH_DB - LOW_DB)
        down = math.sqrt((10 ** ((HIGH_DB - LOW_DB) / 20) - 1) / (10 ** (ripple / 10) - 1))
        return [poles(ripple, PASS_HZ / math.cosh(math.acosh(down) / (2 * N)))]
    if WAY == "butterworth":
        return [poles(0, PASS_HZ)]
    found = []
    for ripple in (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8):
        for widened in range(16):
            pairs = poles(ripple, PASS_HZ * (1 + widened / 100))
            found.append((rough(pairs, ripple), pairs))
    return [pairs for _, pairs in sorted(found, reverse=True)[:12]]


def real(stage, hz):
    """Frequency and Q of a stage as it really is: what its gain at this frequency tells of them."""
    s = 2j * math.pi * hz
    (a, _), (b, _) = chain(stage, s)
    x = (a + b * 1e-4) * -stage[1] / stage[0]
    if x.real >= 0.99:
        return 1e-9, 1e-9
    f = hz / math.sqrt(1 - x.real)
    return f, (hz / f) / x.imag if x.imag > 0 else 1e9


def nearest(values, wanted, n=1):
    return sorted(values, key=lambda value: abs(math.log(value / wanted)))[:n]


def set_poles(f, q, k, c1, c2):
    """The poles to put into the formulas so that the real ones come out right; nothing if there are none."""
    f_set, q_set = f, q
    for _ in range(80):
        w = 2 * math.pi * f_set
        sum_r, product = 1 / (w * q_set * c2), 1 / (w * w * c1 * c2)
        r2 = (sum_r + math.sqrt(max(0, sum_r * sum_r - 4 * (1 + k) * product))) / 2
        f_real, q_real = real((r2 / k, r2, product / r2, c1, c2), f)
        if abs(f_real / f - 1) + abs(q_real / q - 1) < 0.005:
            return f_set, q_set
        f_set *= min(1.2, max(0.8, f / f_real)) ** 0.4
        q_set *= min(1.2, max(0.8, q / q_real)) ** 0.4
    return None


def candidates(f, q, k):
    """All values of the series that make a stage with these poles, those first that come nearest."""
    found = []
    for c1 in C:
        for c2 in C:
            if not 1500 < 1 / (2 * math.pi * f * math.sqrt(c1 * c2)) < 60e3 or not 1 < c1 / c2 / (q * q * (1 + k)) < 20:
                continue
            centre = set_poles(f, q, k, c1, c2)
            if centre is None:
                continue
            f_set, q_set = centre
            w = 2 * math.pi * f_set
            for r2 in R:
                for r3 in nearest(R, 1 / (w * w * c1 * c2) / r2, 2):
                    width = 1 / (w * q_set * c2) - r2 - r3
                    if width <= 0:
                        continue
                    for r1 in nearest(R, r2 * r3 / width, 3):
                        if 0.5 * k < r2 / r1 < 2 * k:
                            stage = (r1, r2, r3, c1, c2)
                            f_real, q_real = real(stage, f)
                            off = abs(math.log(f_real / f)) * 2 + abs(math.log(q_real / q))
                            found.append((off, stage))
    return [stage for _, stage in sorted(found)[:150]]


def fitted(lists):
    """One of each list, such that all together have the most margin."""
    known = [[alone(stage, at == 0, at == N - 1, 8e3) for stage in found] for at, found in enumerate(lists)]
    best = None
    for start in range(6):
        pick = [min(start * (at + 1), len(found) - 1) for at, found in enumerate(known)]
        score, before = -1e9, -2e9
        while score > before:
            before = score
            for one in range(N):
                others = [known[at][pick[at]] for at in range(N) if at != one]
                rest = [[sum(values) for values in zip(*(other[part] for other in others))] for part in (0, 1)]
                for at, (nominal, spread) in enumerate(known[one]):
                    found = margin([a + b for a, b in zip(rest[0], nominal)], [a + b for a, b in zip(rest[1], spread)])
                    if found > score:
                        score, pick[one] = found, at
        if best is None or score > best[0]:
            best = score, list(pick)
    return best[0], [lists[at][i] for at, i in enumerate(best[1])]


def told(value):
    for unit in ("meg", "k", "", "m", "u", "n", "p"):
        if value >= UNITS[unit] * 0.9999:
            return f"{value / UNITS[unit]:.4g}{unit}"
    raise ValueError(value)


def write(stages):
    lines = ["* low-pass filter, multiple feedback", ".subckt filter in out"]
    node = "in"
    for at, (r1, r2, r3, c1, c2) in enumerate(stages, 1):
        out = "out" if at == N else f"o{at}"
        lines += [
            f"R{at}1 {node} a{at} {told(r1)}",
            f"R{at}2 a{at} {out} {told(r2)}",
            f"R{at}3 a{at} m{at} {told(r3)}",
            f"C{at}1 a{at} 0 {told(c1)}",
            f"C{at}2 m{at} {out} {told(c2)}",
            f"X{at} 0 m{at} {out} {OPAMP}",
        ]
        node = out
    with open("output/filter.cir", "w") as file:
        file.write("\n".join(lines + [".ends"]) + "\n")


def simulated():
    """What the bench says of the file, with nominal parts."""
    out = subprocess.run(
        ["ngspice", "-b", "bench.cir"], cwd="input", capture_output=True, text=True, check=False
    ).stdout
    return [line for line in out.splitlines() if re.match(r"(pass|stop)_", line)]


def designed():
    """The stages with the most margin; the search ends where there is enough of it."""
    k = 10 ** ((HIGH_DB + LOW_DB) / 40 / N)
    best = None
    for pairs in targets():
        # A stage with a high Q has no speed left for gain.
        middle = math.prod(q for _, q in pairs) ** (1 / N)
        lists = [candidates(f, q, k * math.sqrt(middle / q)) for f, q in pairs]
        found = fitted(lists) if all(lists) else None
        if found and (best is None or found[0] > best[0]):
            best = found
        if best and best[0] > 0.1:
            break
    return best


if __name__ == "__main__":
    score, stages = designed()
    write(stages)
    print("margin in dB:", round(score, 3))
    print("\n".join(simulated()))
