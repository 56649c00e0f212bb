"""Steps a second of the chains as text, from Python: one thread and two, beside the same calls on one environment.

`python python/bench/text.py [--seconds 5]`. Every environment walks over pages at random: it opens a link of the page it
sees, and begins anew at the home of search where a page has none. One environment in a thread is what a program without
vectors has.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time

import quintain

TASK = "chains/science-lineage"
LINK = re.compile(r"\]\((\d+)\)")


def wander(text: str, rng: random.Random) -> str:
    links = LINK.findall(text)
    target = rng.choice(links) if links else "https://find.web/"
    return json.dumps({"do": "call", "name": "open", "args": [target]})


def measure(n: int, threads: int, seconds: float) -> tuple[float, float, float]:
    vector = quintain.make_text_vec(TASK, n, threads=threads, preset="medium", seed=1, max_steps=1_000_000)
    texts, _ = vector.reset(seed=[1] * n)
    rng = random.Random(7)
    steps, characters = 0, 0
    start, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        texts, *_ = vector.step([wander(text, rng) for text in texts])
        steps += n
        characters += sum(map(len, texts))
    return steps / (time.perf_counter() - start), steps / (time.process_time() - cpu), characters / steps


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0)
    seconds = parser.parse_args().seconds
    print("environments  threads  steps/s  steps/CPU s  characters a page")
    for n, threads in [(1, 1), (64, 1), (64, 2), (64, 1), (64, 2)]:
        by_wall, by_cpu, characters = measure(n, threads, seconds)
        print(f"{n:>12}  {threads:>7}  {by_wall:>7.0f}  {by_cpu:>11.0f}  {characters:>17.0f}")


if __name__ == "__main__":
    main()
