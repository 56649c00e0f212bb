"""Steps per second of a vector of environments, pictures included: 1, 2, 16 and 256 of them, with one thread and with all.

    python bench/vector.py [--task puzzles/maze-2d] [--seconds 2] [--rounds 3] [--threads 2]

The two sides are measured in turns, one thread, many threads, one thread, and so on, so that a machine that is busy with
something else is busy for both. Of each side the median is shown. CPU time is that of this process, all threads together:
steps per CPU second do not suffer from what else runs. Actions are drawn from the published ones; an episode that ends is
followed by the next seed, and the resets count as steps.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time

import quintain

SIZES = (1, 2, 16, 256)


def actions(task: str, n: int, rng: random.Random) -> list[list[str]]:
    """Some rounds of actions for `n` environments, drawn from what the task publishes."""
    schemas = quintain.make(task).actions()

    def value(of: dict[str, object]) -> object:
        match of["type"]:
            case "integer":
                return rng.randint(int(str(of["min"])), int(str(of["max"])))
            case "number":
                return rng.uniform(float(str(of["min"])), float(str(of["max"])))
            case "choice":
                return rng.choice(list(of["of"]))  # type: ignore[call-overload]
            case _:
                return [value(of["of"]) for _ in range(int(str(of["len"])))]  # type: ignore[arg-type]

    def action() -> str:
        schema = rng.choice(schemas)
        values = [value(arg["value"]) for arg in schema["args"]]
        said = values[0] if len(values) == 1 else values
        return f"({schema['name']!r}, {said!r})"

    return [[action() for _ in range(n)] for _ in range(32)]


class Side:
    """One side of the comparison."""

    def __init__(self, task: str, n: int, threads: int) -> None:
        self.env = quintain.make_vec(task, n, threads=threads)
        self.n = n
        self.env.reset()
        self.actions = actions(task, n, random.Random(n))
        self.per_second: list[float] = []
        self.per_cpu_second: list[float] = []

    def measure(self, seconds: float) -> None:
        """Steps for a while."""
        n_steps, started, cpu = 0, time.perf_counter(), time.process_time()
        while (took := time.perf_counter() - started) < seconds:
            for said in self.actions[:8]:
                self.env.step(said)
                n_steps += self.n
        self.per_second.append(n_steps / took)
        self.per_cpu_second.append(n_steps / (time.process_time() - cpu))

    def row(self) -> str:
        """What came of it: the median, and from the least to the most."""
        low, high = min(self.per_second), max(self.per_second)
        cpu_us = 1e6 / statistics.median(self.per_cpu_second)
        return f"{statistics.median(self.per_second):>9,.0f}  {low:>9,.0f}..{high:<9,.0f}  {cpu_us:>8.1f}"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", default="puzzles/maze-2d")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    shape = quintain.make(given.task).observation_space.shape
    print(f"{given.task}, pictures of {shape}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("environments  threads  steps/s    least..most           CPU us/step  times one thread")
    for n in SIZES:
        one, many = Side(given.task, n, 1), Side(given.task, n, given.threads)
        for _ in range(given.rounds):
            one.measure(given.seconds)
            many.measure(given.seconds)
        one.measure(given.seconds)
        times = statistics.median(many.per_second) / statistics.median(one.per_second)
        print(f"{n:>12}  {1:>7}  {one.row()}")
        print(f"{n:>12}  {given.threads:>7}  {many.row()}     {times:.2f}")


if __name__ == "__main__":
    main()
