"""What a user writes is checked by mypy in its strict form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SAMPLE = """
import numpy as np
from numpy.typing import NDArray
import quintain

env: quintain.Env = quintain.make("puzzles/maze-2d", preset="easy", seed=1)
frame, info = env.reset(seed=3)
pixels: NDArray[np.uint8] = frame
words: list[str] = env.solve(length=20)
frame, reward, terminated, truncated, info = env.step(words[0])
total: float = reward
many: quintain.VectorEnv = quintain.make_vec("puzzles/maze-2d", 4, threads=2)
frames, rewards, ends, cuts, infos = many.step(["('move', 0)"] * 4)

def agent(turn: quintain.Turn) -> str:
    return f"('move', {turn.step % 4})"

run: quintain.Run = quintain.run(["puzzles/maze-2d"], agent, seeds=range(3))
solved: float = float(run.trials()["solved"].mean())
"""

WRONG = """
import quintain

env = quintain.make("puzzles/maze-2d")
env.step(3)
"""


def mypy(path: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(path.parent / "cache"), str(path)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_a_sample_passes_the_strict_check(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(SAMPLE)
    done = mypy(tmp_path / "sample.py")
    assert done.returncode == 0, done.stdout


def test_a_wrong_action_does_not(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    assert 'expected "str"' in mypy(tmp_path / "wrong.py").stdout
