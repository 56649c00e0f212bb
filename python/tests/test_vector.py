"""Many environments: the same as one by one, without copies, without holding Python's lock."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from conftest import puzzles
from numpy.typing import NDArray

import quintain

STOP = "('stop', 'stop')"


def same(canvas: NDArray[np.uint8], frame: NDArray[np.uint8]) -> bool:
    """Whether a canvas holds a picture at its top left and nothing else."""
    rows, columns, _ = frame.shape
    return bool((canvas[:rows, :columns] == frame).all() and not canvas[rows:].any() and not canvas[:, columns:].any())


@pytest.mark.parametrize("task", puzzles())
def test_a_vector_is_its_environments(task: str) -> None:
    n, first = 3, 40
    vector = quintain.make_vec(task, n, threads=2, seed=first)
    alone = [quintain.make(task, seed=first + i) for i in range(n)]
    frames, infos = vector.reset()
    for i, env in enumerate(alone):
        frame, info = env.reset()
        assert same(frames[i], frame) and infos["seed"][i] == info["seed"]
    solutions = [env.solve() for env in alone]
    for step in range(max(map(len, solutions))):
        actions = [said[min(step, len(said) - 1)] for said in solutions]
        frames, rewards, terminated, truncated, infos = vector.step(actions)
        for i, env in enumerate(alone):
            if step < len(solutions[i]):
                frame, reward, ended, cut, info = env.step(actions[i])
                assert same(frames[i], frame)
                assert (rewards[i], terminated[i], truncated[i]) == (reward, ended, cut)
                assert infos["feedback"][i] == info["feedback"]
                assert infos["remaining_steps"][i] == info["remaining_steps"]


def test_the_step_after_an_end_begins_the_next_seed() -> None:
    vector = quintain.make_vec("puzzles/maze-2d", 2, seed=10)
    vector.reset()
    *_, terminated, truncated, infos = vector.step([STOP, "('move', 0)"])
    assert terminated.tolist() == [True, False] and not truncated.any()
    assert infos["_solved"].tolist() == [True, False] and infos["ending"][0] == "done"
    frames, rewards, terminated, truncated, infos = vector.step(["whatever", "('move', 0)"])
    assert infos["seed"].tolist() == [12, 11]
    assert rewards.tolist() == [0.0, 0.0] and not terminated.any()
    frame, _ = quintain.make("puzzles/maze-2d", seed=12).reset()
    assert (frames[0] == frame).all()


def test_pictures_are_one_array() -> None:
    vector = quintain.make_vec("puzzles/maze-2d", 4)
    frames, _ = vector.reset(seed=1)
    assert frames.dtype == np.uint8 and frames.shape == vector.observation_space.shape
    again, *_ = vector.step([STOP] * 4)
    assert again is frames


def test_seeds_can_be_named() -> None:
    vector = quintain.make_vec("puzzles/maze-2d", 2)
    assert vector.reset(seed=5)[1]["seed"].tolist() == [5, 6]
    assert vector.reset(seed=[9, 3])[1]["seed"].tolist() == [9, 3]
    assert vector.reset()[1]["seed"].tolist() == [11, 5]
    with pytest.raises(quintain.QuintainError, match="3 seeds were given for 2 environments"):
        vector.reset(seed=[1, 2, 3])
    with pytest.raises(quintain.QuintainError, match="1 actions were given for 2 environments"):
        vector.step([STOP])


def test_an_environment_that_fails_is_put_down_and_the_others_go_on() -> None:
    task = "puzzles/matchstick-equation"
    env = quintain.make(task)
    widths = [env.reset(seed=seed)[0].shape[1] for seed in range(40)]
    height, widest = env.reset(seed=0)[0].shape[0], max(widths)
    narrow = next(seed for seed, width in enumerate(widths) if width < widest)
    wide = next(seed for seed in range(38) if widths[seed + 2] < widths[seed] == widest)
    vector = quintain.make_vec(task, 2, canvas=(height, widest - 1))
    frames, _ = vector.reset(seed=[narrow, narrow])
    assert frames[0].any() and frames[1].any()
    with pytest.raises(quintain.QuintainError, match="give a larger canvas"):
        vector.reset(seed=[narrow, wide])
    assert same(frames[0], env.reset(seed=narrow)[0]) and not frames[1].any()
    frames, _, terminated, truncated, infos = vector.step([STOP, STOP])
    assert infos["seed"].tolist() == [narrow, wide + 2]
    assert terminated.tolist() == [True, False] and not truncated.any()
    assert same(frames[1], env.reset(seed=wide + 2)[0])
    assert "fault" not in infos


def test_spaces_hold_what_is_given() -> None:
    vector = quintain.make_vec("puzzles/sliding-block", 3, seed=1)
    frames, _ = vector.reset()
    assert vector.observation_space.contains(frames)
    assert vector.single_observation_space.contains(frames[0])
    vector.step(vector.action_space.sample())


def test_python_goes_on_while_environments_are_stepped() -> None:
    """A thread that counts in Python gets on during a step: the lock is released."""
    vector = quintain.make_vec("puzzles/maze-2d", 256, threads=1)
    vector.reset()
    counted, over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1

    def during(work: object) -> int:
        before = counted
        assert callable(work)
        work()
        return counted - before

    thread = threading.Thread(target=count)
    thread.start()
    try:
        started = time.perf_counter()
        stepped = during(lambda: vector.step(["('move', 0)"] * 256))
        took = time.perf_counter() - started
        # What the same time comes to with the lock held throughout but for Python's own switches.
        held = during(lambda: sum(range(int(took * 2e7))))
    finally:
        over.set()
        thread.join()
    assert stepped > 0 and stepped > held / 4, (stepped, held, took)
