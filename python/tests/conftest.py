"""What the tests share."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import quintain

# Whatever is started in the background ignores Ctrl-C; some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def puzzles() -> list[str]:
    """The names of all puzzles that need nothing but the wheel."""
    return [task["id"] for task in quintain.tasks() if task["world"] == "puzzles"]


@pytest.fixture
def binary(tmp_path: Path) -> Callable[..., str]:
    """Runs the command: the binary of QUINTAIN where that is set, else the one that came with the wheel."""
    program = os.environ.get("QUINTAIN") or shutil.which("quintain")
    assert program, "the wheel installs the command `quintain`"

    def run(*words: str) -> str:
        done = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
