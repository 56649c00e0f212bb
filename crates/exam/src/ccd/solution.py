"""Reduces a night of CCD frames and measures the stars of a list."""

import csv
import glob
import sys

import numpy as np

WAY = sys.argv[1] if len(sys.argv) > 1 else "right"


def read(path):
    raw = open(path, "rb").read()
    header, at = {}, 0
    while True:
        card = raw[at : at + 80].decode("ascii")
        at += 80
        if card.startswith("END"):
            break
        if card[8:10] == "= ":
            header[card[:8].strip()] = card[10:].split("/")[0].strip().strip("'").strip()
    at = -(-at // 2880) * 2880
    shape = int(header["NAXIS2"]), int(header["NAXIS1"])
    data = np.frombuffer(raw, ">i2", shape[0] * shape[1], at).reshape(shape).astype(float)
    return header, data * float(header["BSCALE"]) + float(header["BZERO"])


frames = [read(path) for path in sorted(glob.glob("input/night/*.fits"))]


def of(kind, **wanted):
    return [
        (header, data)
        for header, data in frames
        if header["IMAGETYP"].startswith(kind) and all(header[key] == value for key, value in wanted.items())
    ]


science = of("Light")
temperature = float(science[0][0]["CCD-TEMP"])
biases = [data for _, data in of("Bias")]
bias = np.median(biases, axis=0)
broken = np.zeros(bias.shape, bool) | (np.median(np.ptp(biases, axis=0), axis=0) > 1000)
if WAY == "no-bias":
    bias = np.zeros_like(bias)
off = 100 if WAY == "warm-darks-kept" else 1
cold = [(header, data) for header, data in of("Dark") if abs(float(header["CCD-TEMP"]) - temperature) <= off]
longest = max(float(header["EXPTIME"]) for header, _ in cold)
rate = np.median([(data - bias) for header, data in cold if float(header["EXPTIME"]) == longest], axis=0)
rate = rate / (float(science[0][0]["EXPTIME"]) if WAY == "dark-not-scaled" else longest)


def master_flat(name):
    flats = []
    for header, data in of("Flat") if WAY == "flats-mixed" else of("Flat", FILTER=name):
        if np.median(data) > 55000 and WAY not in ("all-flats", "saturated-flats-kept"):
            continue
        data = data - bias - (0 if WAY == "no-dark-of-flats" else rate * float(header["EXPTIME"]))
        flats.append(data if WAY == "all-flats" else data / np.median(data[~broken]))
    flat = np.mean(flats, axis=0) if WAY == "all-flats" else np.median(flats, axis=0)
    return flat / np.median(flat[~broken])


height, width = science[0][1].shape
first = 0 if WAY == "counted-from-zero" else 1
rows, columns = np.mgrid[first : height + first, first : width + first]
radius = 5 if WAY == "five-pixels" else 6
middle = np.nanmean if WAY == "mean-sky" else np.nanmedian
stars = list(csv.DictReader(open("input/stars.csv", encoding="utf-8")))
with open("output/photometry.csv", "w", encoding="utf-8") as out:
    print("star,filter,mag", file=out)
    for name in sorted({header["FILTER"] for header, _ in science}):
        flat = np.ones((height, width)) if WAY == "no-flat" else master_flat(name)
        if WAY != "broken-counted":
            flat[broken] = np.nan
        reduced = []
        for header, data in of("Light", FILTER=name):
            seconds = float(header["EXPTIME"])
            reduced.append((data - bias - rate * seconds) / flat / seconds)
        for star in stars:
            far = np.hypot(columns - float(star["x"]), rows - float(star["y"]))
            inside, around = far <= radius, (far >= 9) & (far <= 13)
            fluxes = [np.nansum(data[inside] - middle(data[around])) for data in reduced]
            flux = np.mean(fluxes) if WAY == "cosmics-kept" else np.median(fluxes)
            print(f"{star['star']},{name},{25 - 2.5 * np.log10(flux):.4f}", file=out)
