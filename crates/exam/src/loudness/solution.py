"""Delivers the idents of input/delivery.json. The first argument says how; everything but `right` is wrong."""

import array
import json
import math
import re
import subprocess
import sys

how = sys.argv[1]
sheet = json.load(open("input/delivery.json"))
target, ceiling = sheet["integrated_loudness_lufs"], sheet["highest_true_peak_dbtp"]
DELIVERED = {2: ["L", "R"], 6: ["L", "R", "C", "LFE", "Ls", "Rs"]}


def ffmpeg(arguments, data=None):
    done = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", *arguments], input=data, capture_output=True, check=True
    )
    return done.stdout, done.stderr.decode()


def floats(data):
    values = array.array("d")
    values.frombytes(data)
    return values


def raw(channels):
    n = len(channels)
    mixed = array.array("d", bytes(8 * n * len(channels[0])))
    for at, channel in enumerate(channels):
        mixed[at::n] = channel
    return mixed.tobytes()


def piped(channels):
    return ["-f", "f64le", "-ar", "48000", "-ac", str(len(channels)), "-i", "-"]


def scaled(channels, decibels):
    gain = 10 ** (decibels / 20)
    return [array.array("d", [gain * sample for sample in channel]) for channel in channels]


def loudness(channels):
    said = ffmpeg([*piped(channels), "-af", "ebur128", "-f", "null", "-"], raw(channels))[1]
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", said)[-1])


def power(channel):
    return sum(sample * sample for sample in channel)


def repaired(channels, order):
    channels = [channels[order.index(name)] for name in DELIVERED[len(order)]]
    if len(channels) == 2:
        left, right = channels
        if max(map(abs, left)) < 1e-4:
            return [right, right]
        if max(map(abs, right)) < 1e-4:
            return [left, left]
        product = sum(a * b for a, b in zip(left, right))
        if product / math.sqrt(power(left) * power(right)) < -0.5:
            return [left, array.array("d", [-sample for sample in right])]
    return channels


def peaks(channels):
    """The highest true peak at each frame, or nothing if none can come near the ceiling."""
    n = len(channels)
    if max(max(map(abs, channel)) for channel in channels) < 0.5 * 10 ** (ceiling / 20):
        return []
    if how == "sample-peak":
        return [max(map(abs, frame)) for frame in zip(*channels)]
    over = floats(ffmpeg([*piped(channels), "-ar", "192000", "-f", "f64le", "-"], raw(channels))[0])
    sizes = [abs(value) for value in over]
    return list(map(max, *(sizes[k :: 4 * n] for k in range(4 * n))))


def limited(channels):
    """Dips of a few milliseconds around every peak that is too high."""
    most = 10 ** ((ceiling - 0.4) / 20)
    heights = peaks(channels)
    runs = []
    for at, height in enumerate(heights):
        if height > most:
            if runs and at - runs[-1][1] < 480:
                runs[-1][1], runs[-1][2] = at, max(runs[-1][2], height)
            else:
                runs.append([at, at, height])
    for first, last, height in runs:
        for at in range(max(0, first - 288), min(len(channels[0]), last + 289)):
            away = max(first - 48 - at, at - last - 48, 0) / 240
            dip = (1 - most / height) * (0.5 + 0.5 * math.cos(math.pi * away))
            for channel in channels:
                channel[at] *= 1 - dip
    return channels


def mastered(channels):
    if how == "rms":
        mean = 10 * math.log10(sum(map(power, channels)) / len(channels) / len(channels[0]))
        return limited(scaled(channels, target - mean))
    gain = target - loudness(channels)
    if how == "gain-only":
        return scaled(channels, gain)
    for _ in range(4):
        out = limited(scaled(channels, gain))
        off = target - loudness(out)
        if abs(off) < 0.05:
            break
        gain += off
    return out


for ident in sheet["idents"]:
    order = ident["channels"].split()
    values = floats(ffmpeg(["-i", "input/studio/" + ident["file"], "-f", "f64le", "-"])[0])
    channels = [values[at :: len(order)] for at in range(len(order))]
    if how != "no-repair":
        channels = repaired(channels, order)
    out = ["-c:a", "pcm_s24le", "-ar", "48000", "-y", "output/" + ident["file"]]
    if how == "one-pass":
        ffmpeg([*piped(channels), "-af", f"loudnorm=I={target}:TP={ceiling}", *out], raw(channels))
    else:
        channels = mastered(channels)
        ffmpeg([*piped(channels), *out], raw(channels))
