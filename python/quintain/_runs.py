"""Runs: recorded ones as data frames, new ones with agents written in Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from quintain import _quintain

if TYPE_CHECKING:
    import pandas

    from quintain._quintain import Agent, Task

Path = str | os.PathLike[str]


class Run:
    """A recorded run, by its folder. Data frames need pandas: ``pip install quintain[frames]``."""

    def __init__(self, path: Path | _quintain.Recorded) -> None:
        self._recorded = path if isinstance(path, _quintain.Recorded) else _quintain.Recorded(path)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    @property
    def name(self) -> str:
        """The name of the run."""
        return self._recorded.name

    @property
    def path(self) -> os.PathLike[str]:
        """The folder of the run."""
        return self._recorded.path

    def header(self) -> dict[str, Any]:
        """What the run says of itself: agents, settings, seeds, fingerprint."""
        return self._recorded.header()

    def n_planned(self) -> int:
        """How many trials were planned; ``trials()`` has those that have an outcome."""
        return self._recorded.n_planned()

    def trials(self) -> pandas.DataFrame:
        """What came of each trial, a row each."""
        import pandas

        return pandas.DataFrame(self._recorded.trials())

    def steps(self) -> pandas.DataFrame:
        """What was said in each step of each trial and what came of it, a row each."""
        import pandas

        return pandas.DataFrame(self._recorded.steps())

    def trajectory(self, trial: str) -> _quintain.Trajectory:
        """One trial, step by step, with its pictures."""
        return self._recorded.trajectory(trial)


def run(
    tasks: str | Iterable[str],
    agent: Agent,
    *,
    label: str | None = None,
    seeds: int | str | Sequence[int] | None = None,
    private: Path | None = None,
    repeats: int = 1,
    out: Path | None = None,
    workers: int | None = None,
    attempts: int = 1,
    show: Sequence[str] | None = None,
    steps: int | None = None,
    suites: Path | None = None,
    photos: Path | None = None,
    **sources: Path | None,
) -> Run:
    """Plays a run with an agent of yours, recorded and judged like any run of the command ``quintain run``.

    Ctrl-C puts trials down between two turns; :func:`resume` goes on with them.

    Args:
        tasks: What to play: ``"puzzles"``, ``"puzzles/maze-2d@easy"``, or several.
        agent: A function of a :class:`Turn` that returns a text; an object with ``act(turn)``; or a class of such objects,
            of which every trial has one of its own. Objects may also have ``begin(instruction)``, ``recall(turn, reply)``
            for turns that were taken before an interruption, and ``end()``. Several trials are played at once, each in a
            thread: an object that is shared must bear that.
        label: The agent's name in the records; its own name if not given.
        seeds: ``5`` for 0 to 4, ``range(10, 20)``, ``[3, 7]``.
        private: A key that ``quintain seeds new`` made: ``seeds`` are then the numbers of seeds that are derived from it.
        repeats: How often each instance is played.
        out: The folder of the run; one under ``runs`` with a made-up name if not given.
        workers: Trials at once; as many as there are cores if not given.
        attempts: How often a trial is tried when something breaks that is not the agent's doing.
        show: The parts shown, of those the task allows: screen, ascii, goal, feedback, remaining.
        steps: Steps a trial may take, instead of the task's limit.
        suites: A folder of tasks, instead of the built-in ones.
        photos: A folder of photographs. Other sources go by the names of the command line's options.
    """
    recorded = _quintain.run(
        [tasks] if isinstance(tasks, str) else list(tasks),
        agent,
        label=label,
        seeds=seeds,
        private=private,
        repeats=repeats,
        out=out,
        workers=workers,
        attempts=attempts,
        show=show,
        steps=steps,
        sources={"suites": suites, "photos": photos, **sources},
    )
    return Run(recorded)


def resume(
    run: Path,
    agent: Agent,
    *,
    label: str | None = None,
    workers: int | None = None,
    attempts: int = 1,
    **sources: Path | None,
) -> Run:
    """Goes on with a run of :func:`run` that was interrupted, with the same agent.

    ``label``, ``workers``, ``attempts`` and the sources mean the same as there, and are not kept: give again what was given
    there.
    """
    return Run(_quintain.resume(run, agent, label=label, workers=workers, attempts=attempts, sources=sources))


def tasks(*, suites: Path | None = None) -> list[Task]:
    """Every task: ``id``, ``title``, ``version``, ``world``, ``capabilities``, ``presets``, ``parameters``, ``observe``."""
    return _quintain.tasks({"suites": suites})
