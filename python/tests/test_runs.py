"""Runs: recorded ones as data frames, new ones with agents written in Python."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import quintain

STOP = "('stop', 'stop')"


def stopper(turn: quintain.Turn) -> str:
    """Stops at once."""
    return STOP


def solver_of(tasks: Sequence[str], seeds: Sequence[int]) -> type[Any]:
    """An agent that was told some episodes beforehand: it knows them by their first picture."""
    solutions: dict[bytes, list[str]] = {}
    for task in tasks:
        for seed in seeds:
            env = quintain.make(task, seed=seed)
            frame, _ = env.reset()
            solutions[frame.tobytes()] = env.solve()

    class Solver:
        said: Iterator[str]

        def act(self, turn: quintain.Turn) -> str:
            if turn.step == 0:
                assert turn.screen is not None
                self.said = iter(solutions[turn.screen.tobytes()])
            return next(self.said)

    return Solver


class Waiter:
    """Keeps what it was told; stops in its second turn."""

    ended = 0

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self, instruction: str) -> None:
        self.told.append(instruction)

    def act(self, turn: quintain.Turn) -> str:
        assert self.told == [turn.instruction]
        assert turn.screen is not None and turn.screen.shape[2] == 3
        return STOP if turn.step else f"('move', {turn.actions()[0]['example'][0]})"

    def end(self) -> None:
        type(self).ended += 1


def test_an_agent_in_python_plays_a_run_like_any_other(binary: Callable[..., str], tmp_path: Path) -> None:
    tasks = ["puzzles/maze-2d@easy", "puzzles/sliding-block@easy"]
    solver = solver_of(tasks, [3, 8])
    run = quintain.run(tasks, solver, label="solver", seeds=[3, 8], out=tmp_path / "runs/mine")
    trials = run.trials()
    assert trials["solved"].all() and trials["agent"].eq("solver").all() and len(trials) == run.n_planned() == 4
    binary("run", *tasks, "--agent", "oracle", "--seeds", "3,8", "--name", "theirs", "--quiet")
    theirs = quintain.Run(tmp_path / "runs/theirs")
    same = ["task", "preset", "seed", "score", "solved", "ending", "steps", "measures"]
    assert trials[same].to_dict("records") == theirs.trials()[same].to_dict("records")
    mine, others = run.steps(), theirs.steps()
    assert mine[["reply", "screen", "effect"]].equals(others[["reply", "screen", "effect"]])
    # The command reads it, judges it again and comes to the same.
    assert "4" in binary("rescore", "mine")
    assert "solver" in binary("report", "mine", "--no-html")


def test_a_turn_does_not_tell_which_instance_is_played(tmp_path: Path) -> None:
    told: list[Any] = []

    def curious(turn: quintain.Turn) -> str:
        told.extend(getattr(turn, name) for name in dir(turn) if not name.startswith("_") and name != "actions")
        told.append(turn.actions())
        return STOP

    run = quintain.run("puzzles/maze-2d@easy#987654321", curious, out=tmp_path / "run")
    assert run.trials()["ending"].eq("done").all() and told
    words = " ".join(str(each) for each in told)
    assert "987654321" not in words and "maze-2d@" not in words


def test_a_class_is_made_for_each_trial(tmp_path: Path) -> None:
    Waiter.ended = 0
    run = quintain.run("puzzles/maze-2d@easy", Waiter, seeds=3, out=tmp_path / "run", workers=2)
    trials = run.trials()
    assert trials["steps"].tolist() == [2, 2, 2] and trials["ending"].eq("done").all()
    assert Waiter.ended == 3
    assert run.header()["agents"][0]["version"].endswith("test_runs.Waiter")


def test_an_agent_that_raises_an_exception_has_broken_and_its_traceback_is_told(tmp_path: Path) -> None:
    def clumsy(turn: quintain.Turn) -> str:
        raise KeyError("the map")

    run = quintain.run("puzzles/maze-2d@easy#1", clumsy, out=tmp_path / "run")
    (trial,) = run.trials().to_dict("records")
    assert (trial["ending"], trial["score"], trial["attempts"]) == ("broke: exit", 0.0, 1)
    assert "in clumsy" in trial["fault"] and "KeyError: 'the map'" in trial["fault"]


def test_ctrl_c_puts_trials_down_and_resume_goes_on(tmp_path: Path) -> None:
    asked = threading.Event()
    patient = {"seen": 0}

    def slow(turn: quintain.Turn) -> str:
        patient["seen"] += 1
        if patient["seen"] == 3:
            os.kill(os.getpid(), signal.SIGINT)
            asked.wait(1)
        return STOP if turn.step >= 4 else "('move', 0)"

    with pytest.raises(KeyboardInterrupt):
        quintain.run("puzzles/maze-2d@easy", slow, seeds=4, out=tmp_path / "run", workers=1)
    half = quintain.Run(tmp_path / "run")
    assert len(half.trials()) < half.n_planned() == 4
    done = quintain.resume(tmp_path / "run", slow)
    assert len(done.trials()) == 4 and done.trials()["steps"].eq(5).all()
    assert patient["seen"] == 4 * 5, "no turn is asked for twice"


@pytest.mark.parametrize("given", [{}, {"attempts": 2, "workers": 1}])
def test_an_agent_that_breaks_is_not_given_another_attempt(given: dict[str, Any], tmp_path: Path) -> None:
    never, is_resumed = threading.Event(), threading.Event()
    pressed: list[int] = []

    def clumsy(turn: quintain.Turn) -> str:
        if is_resumed.is_set():
            raise KeyError("the map")
        if not pressed:
            pressed.append(turn.step)
            os.kill(os.getpid(), signal.SIGINT)
        never.wait(1)
        return "('move', 0)"

    with pytest.raises(KeyboardInterrupt):
        quintain.run("puzzles/maze-2d@easy#1", clumsy, out=tmp_path / "run", workers=1)
    is_resumed.set()
    (trial,) = quintain.resume(tmp_path / "run", clumsy, **given).trials().to_dict("records")
    assert (trial["ending"], trial["attempts"]) == ("broke: exit", 1)


def test_a_run_that_waits_for_its_agent_is_not_resumed_without_it(tmp_path: Path) -> None:
    quintain.run("puzzles/maze-2d@easy#1", stopper, out=tmp_path / "run")
    with pytest.raises(quintain.QuintainError, match="is played by stopper, not by `Waiter`"):
        quintain.resume(tmp_path / "run", Waiter)
    assert quintain.command(["--quiet", "resume", str(tmp_path / "run")]) == 1


def test_wrong_wishes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="an agent is a function"):
        quintain.run("puzzles/maze-2d", 3, out=tmp_path / "run")  # type: ignore[arg-type]
    with pytest.raises(quintain.QuintainError, match="cannot name an agent"):
        quintain.run("puzzles/maze-2d", stopper, label="a b", out=tmp_path / "run")
    with pytest.raises(quintain.QuintainError, match="there is no part `scren`"):
        quintain.run("puzzles/maze-2d", stopper, show=["scren"], out=tmp_path / "run")
    with pytest.raises(quintain.QuintainError, match="task `puzzles/jigsaw` does not offer `ascii`"):
        quintain.run(["puzzles/maze-2d", "puzzles/jigsaw@easy"], stopper, show=["ascii"], out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_trajectories_have_their_pictures(binary: Callable[..., str], tmp_path: Path) -> None:
    binary("run", "puzzles/maze-2d@easy#2", "--agent", "oracle", "--name", "run", "--quiet")
    run = quintain.Run(tmp_path / "runs/run")
    (trial,) = run.trials()["trial"]
    trajectory = run.trajectory(trial)
    assert len(trajectory) == len(trajectory.steps) == len(run.steps())
    first, last = trajectory.frame(0), trajectory.last_frame()
    assert first is not None and last is not None and (first != last).any()
    assert trajectory.instruction and "maze" in trajectory.instruction.lower()
    with pytest.raises(quintain.QuintainError, match="has no outcome of trial"):
        run.trajectory(trial.replace("#2", "#3"))
    with pytest.raises(quintain.QuintainError, match="not a run|no run"):
        quintain.Run(tmp_path)


def test_the_command_comes_along(binary: Callable[..., str]) -> None:
    assert quintain.__version__ in binary("--version")
    assert "puzzles/maze-2d" in binary("list", "tasks")


def test_private_seeds_come_from_a_key(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    key = tmp_path / "a.key"
    assert quintain.command(["seeds", "new", str(key)]) == 0
    runs = [
        quintain.run("puzzles/maze-2d@easy", stopper, seeds=2, private=key, out=tmp_path / name) for name in ("a", "b")
    ]
    one, two = (sorted(run.trials()["seed"]) for run in runs)
    assert one == two and len(one) == 2 and min(one) >= 2**62
    assert "without isolation" in capfd.readouterr().err
    with pytest.raises(quintain.QuintainError, match="holds no key"):
        (tmp_path / "torn.key").write_text("no key")
        quintain.run("puzzles/maze-2d@easy", stopper, private=tmp_path / "torn.key", out=tmp_path / "c")
