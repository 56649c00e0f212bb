"""One environment: Gymnasium's contract, rewards by the judge, the same pixels as the command's."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from conftest import puzzles
from gymnasium.utils.env_checker import check_env

import quintain

MAZE = "puzzles/maze-2d"


@pytest.mark.parametrize("task", puzzles())
def test_gymnasium_is_content(task: str) -> None:
    check_env(quintain.make(task, seed=3, render_mode="rgb_array"))


@pytest.mark.parametrize("task", puzzles())
def test_the_solver_solves(task: str) -> None:
    for preset in next(about for about in quintain.tasks() if about["id"] == task)["presets"]:
        env = quintain.make(task, preset=preset, seed=5)
        env.reset()
        rewards = [env.step(action) for action in env.solve()]
        _, reward, terminated, truncated, info = rewards[-1]
        assert (reward, terminated, truncated) == (1.0, True, False), (preset, info)
        assert info["solved"] and info["ending"] == "done"
        assert all(step[1] == 0.0 and not step[2] and not step[3] for step in rewards[:-1])


def test_episodes_may_begin_and_end_at_milestones() -> None:
    moves = {}
    for stretch in ["", "+1", "+2", "+1..2"]:
        env = quintain.make(f"puzzles/maze-legs@easy{stretch}", seed=5)
        env.reset()
        steps = [env.step(action) for action in env.solve()]
        assert steps[-1][1] == 1.0 and steps[-1][4]["solved"], stretch
        moves[stretch] = len(steps) - 1
    assert moves[""] >= 12 and [moves["+1"], moves["+2"], moves["+1..2"]] == [8, 4, 4]
    with pytest.raises(quintain.QuintainError, match="is too far"):
        quintain.make("puzzles/maze-legs@easy+3")


def test_a_strategy_a_length_and_a_seed_are_heard() -> None:
    env = quintain.make(MAZE, seed=2)
    env.reset()
    assert len(env.solve(length=40)) >= 40
    with pytest.raises(quintain.QuintainError, match="has no strategy `nonsense`"):
        env.solve(strategy="nonsense")


def test_what_runs_out_of_steps_is_no_solution() -> None:
    env = quintain.make(MAZE, seed=7, max_steps=3)
    env.reset()
    with pytest.raises(quintain.QuintainError, match="the solver did not finish: out of steps"):
        env.solve()


def test_giving_up_on_a_solved_board_earns_nothing() -> None:
    env = quintain.make("puzzles/maze-2d@easy", seed=3)
    env.reset()
    *way, _end = env.solve()
    for action in way:
        env.step(action)
    _, reward, terminated, truncated, info = env.step("give_up()")
    assert (reward, info["score"], terminated, truncated) == (0.0, 0.0, True, False), info
    assert info["ending"] == "gave up" and not info["solved"]


def test_stopping_unsolved_is_terminated_without_reward() -> None:
    env = quintain.make(MAZE, seed=2)
    env.reset()
    _, reward, terminated, truncated, info = env.step("('stop', 'stop')")
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert not info["solved"]
    assert info["measures"]["goal.moves_left"] > 0
    with pytest.raises(quintain.QuintainError, match="the episode is over"):
        env.step("('stop', 'stop')")


def test_running_out_of_steps_is_truncated() -> None:
    env = quintain.make(MAZE, seed=2, max_steps=2)
    _, info = env.reset()
    assert info["remaining_steps"] == 2
    *_, info = env.step("this is no action")
    assert (info["effect"], info["remaining_steps"]) == ("misread", 1)
    assert "one action" in info["feedback"]
    _, reward, terminated, truncated, info = env.step("('move', 0)")
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["ending"] == "out of steps"


def test_parts_that_are_observed_come_in_the_info() -> None:
    env = quintain.make(MAZE, seed=2, observe=("screen", "ascii", "goal"))
    frame, info = env.reset()
    assert info["goal"].shape == frame.shape and (info["goal"] != frame).any()
    assert "#" in info["ascii"]
    _, bare = quintain.make(MAZE, seed=2).reset()
    assert set(bare) == {"seed", "feedback", "effect", "remaining_steps"}


def test_parameters_replace_those_of_the_preset() -> None:
    wide, _ = quintain.make(MAZE, preset="easy", seed=1, parameters={"width": 15}).reset()
    usual, _ = quintain.make(MAZE, preset="easy", seed=1).reset()
    assert wide.shape[1] > usual.shape[1] and wide.shape[0] == usual.shape[0]
    numpys, _ = quintain.make(MAZE, preset="easy", seed=1, parameters={"width": np.int64(15)}).reset()
    assert (numpys == wide).all()
    with pytest.raises(quintain.QuintainError, match="has no parameter `widht`; did you mean `width`"):
        quintain.make(MAZE, parameters={"widht": 15})


def test_what_is_not_there_is_said() -> None:
    for wrong, told in [
        ({"task": "puzzles/maze-4d"}, "did you mean `puzzles/maze-3d`"),
        ({"task": MAZE, "preset": "eazy"}, "did you mean `easy`"),
        ({"task": f"{MAZE}@easy#7"}, "names a seed; give seed=7 instead"),
        ({"task": MAZE, "observe": ("ascii",)}, "observe must name `screen`"),
        ({"task": MAZE, "observe": ("screen", "tree")}, "does not show `tree`"),
        ({"task": MAZE, "photos": "/nowhere"}, "/nowhere"),
    ]:
        with pytest.raises(quintain.QuintainError, match=told):
            quintain.make(**wrong)  # type: ignore[arg-type]


def test_seeds_count_up_and_start_far_from_evaluations() -> None:
    env = quintain.make(MAZE)
    seeds = [env.reset()[1]["seed"] for _ in range(3)]
    assert seeds == [quintain.TRAINING_SEEDS_FROM + i for i in range(3)]
    assert env.reset(seed=9)[1]["seed"] == 9
    assert env.reset()[1]["seed"] == 10


@pytest.mark.parametrize("task", puzzles())
def test_the_pixels_are_those_of_a_recorded_run(task: str, binary: Callable[..., str], tmp_path: Path) -> None:
    binary("run", f"{task}@easy#11", "--agent", "oracle", "--name", "seen", "--quiet")
    trajectory = quintain.Run(tmp_path / "runs/seen").trajectory(f"{task}@easy#11~oracle~0")
    env = quintain.make(task, preset="easy", seed=11)
    frame, _ = env.reset()
    for i, step in enumerate(trajectory.steps):
        assert env.digest() == step["shown"]["pictures"]["screen"], f"step {i}"
        assert (frame == trajectory.frame(i)).all(), f"step {i}"
        frame, reward, *_ = env.step(step["reply"]["raw"])
    assert trajectory.verdict is not None and reward == trajectory.verdict["score"] == 1.0


def test_gymnasium_knows_the_puzzles() -> None:
    env = gymnasium.make("quintain/maze-2d-hard-v1", seed=4)
    frame, info = env.reset()
    assert env.observation_space.contains(frame) and info["seed"] == 4
    vector = gymnasium.make_vec("quintain/maze-2d-easy-v1", num_envs=2, vectorization_mode="vector_entry_point")
    assert isinstance(vector.unwrapped, quintain.VectorEnv)


def alone(script: str, **variables: str) -> None:
    """Runs a script in a process of its own, which must come to its end."""
    words = [sys.executable, "-c", script]
    env = {**os.environ, **variables}
    # Not in the folder of the package's own source, which would be found before the wheel.
    done = subprocess.run(words, env=env, cwd="/", capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_the_import_does_without_the_suites_of_the_user() -> None:
    script = "import gymnasium, quintain; gymnasium.spec('quintain/maze-2d-easy-v1')"
    alone(script, QUINTAIN_SUITES="/nowhere")


def test_two_threads_may_use_one_environment() -> None:
    """One is told pictures beside the screen while the other asks what it is about: neither waits for the other for ever."""
    alone("""
import threading, quintain

env = quintain.make("puzzles/maze-2d", seed=2, observe=("screen", "goal"))
over = threading.Event()

def ask():
    while not over.is_set():
        env._session.seed, env._session.shape, env.actions()

thread = threading.Thread(target=ask)
thread.start()
for _ in range(300):
    env.reset()
over.set()
thread.join()
assert len(env.solve()) > 1
""")


def test_instructions_and_actions_are_those_of_the_task() -> None:
    env = quintain.make(MAZE, seed=4)
    assert "maze" in env.instructions().lower()
    (move,) = (action for action in env.actions() if action["name"] == "move")
    assert move["args"] and move["about"]


def test_pictures_that_differ_in_size_have_one_canvas() -> None:
    task, canvas = "puzzles/matchstick-equation", (400, 800)
    bare, framed = quintain.make(task, seed=0), quintain.make(task, seed=0, canvas=canvas)
    sizes = set()
    for _ in range(12):
        (small, _), (large, _) = bare.reset(), framed.reset()
        rows, columns, _ = small.shape
        assert bare.observation_space.contains(small) and framed.observation_space.contains(large)
        assert large.shape == (*canvas, 3) and (large[:rows, :columns] == small).all()
        assert not large[rows:].any() and not large[:, columns:].any()
        sizes.add(small.shape)
    assert len(sizes) > 1
    with pytest.raises(quintain.QuintainError, match="give a larger canvas"):
        quintain.make(task, canvas=(10, 10)).reset()
