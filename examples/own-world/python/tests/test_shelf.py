"""The world of one's own, seen from Python."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import pytest

import quintain

TASKS = ["shelf/by-height", "shelf/by-title"]


@pytest.mark.parametrize("task", TASKS)
def test_an_environment_is_solved_by_its_solution(task: str) -> None:
    env = quintain.make(task, preset="easy", seed=7, observe=("screen", "text"))
    frame, info = env.reset()
    assert frame.std() > 0 and "cm" in info["text"]
    for action in env.solve():
        _, reward, terminated, _, info = env.step(action)
    assert terminated and info["solved"] and reward == 1.0


def test_it_stands_beside_what_is_built_in() -> None:
    assert quintain.BROUGHT_BY == "own-world"
    names = [task["id"] for task in quintain.tasks()]
    assert set(TASKS) < set(names) and "puzzles/maze-2d" in names
    assert gymnasium.make("quintain/by-height-easy-v1").reset(seed=1)


def test_an_agent_in_python_plays_it(tmp_path: Path) -> None:
    def idle(turn: quintain.Turn) -> str:
        assert turn.texts["text"].startswith("1: ")
        return "('stop', 'stop')"

    run = quintain.run(TASKS, idle, seeds=2, out=tmp_path / "night")
    assert run.n_planned() == 8
