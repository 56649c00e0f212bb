"""Environments, in Gymnasium's shape."""

from __future__ import annotations

import os
import string
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from quintain._quintain import Lanes, Session, built_in_tasks

Frame = NDArray[np.uint8]
Path = str | os.PathLike[str]

ACTIONS = spaces.Text(max_length=4096, min_length=0, charset=string.printable)
"""Actions are texts: one call, such as ``('move', 2)``. Any text may be said; what cannot be read costs a step."""


class Env(gymnasium.Env[Frame, str]):
    """One environment. Made by :func:`make`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        task: str,
        *,
        preset: str | None = None,
        seed: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        observe: Sequence[str] | None = None,
        canvas: tuple[int, int] | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
        suites: Path | None = None,
        photos: Path | None = None,
        **sources: Path | None,
    ) -> None:
        given = {"suites": suites, "photos": photos, **sources}
        self._session = Session(task, preset, seed, parameters, observe, canvas, max_steps, given)
        self.render_mode = render_mode
        self.action_space = ACTIONS
        self.observation_space = spaces.Box(0, 255, self._session.shape, np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Frame, dict[str, Any]]:
        """Begins an episode: of this seed, else of the seed after the last one. Options are not used.

        The first reset without a seed begins the episode that :func:`make` was asked for.
        """
        super().reset(seed=seed)
        frame, info = self._session.reset(seed)
        if frame.shape != self.observation_space.shape:
            self.observation_space = spaces.Box(0, 255, frame.shape, np.uint8)
        return frame, info

    def step(self, action: str) -> tuple[Frame, float, bool, bool, dict[str, Any]]:
        """Carries out an action. The reward is the judge's score, given when the episode ends.

        ``terminated``: the agent ended the episode itself. ``truncated``: a limit did, or something broke. ``info`` has
        ``feedback`` (what came of the action, in words), ``effect`` (changed, unchanged, refused or misread),
        ``remaining_steps``, ``seed`` and the other parts that are observed; at the end ``solved``, ``ending`` and
        ``measures`` as well. It never has the answer.
        """
        return self._session.step(action)

    def render(self) -> Frame | None:
        """The picture that is shown, in render mode ``rgb_array``."""
        return self._session.picture() if self.render_mode == "rgb_array" else None

    def instructions(self) -> str:
        """What an agent is told to do."""
        return self._session.instructions()

    def actions(self) -> list[dict[str, Any]]:
        """The actions: name, meaning, arguments with their ranges, and an example of each."""
        return self._session.actions()

    def solve(self, strategy: str | None = None, length: int | None = None, seed: int = 0) -> list[str]:
        """A solution of this episode from its start, the closing action included. An error where the steps do not suffice.

        ``strategy`` is one of the puzzle's own (``quintain list puzzles``), ``length`` asks for at least so many actions,
        ``seed`` varies what the strategy leaves open.
        """
        return self._session.solve(strategy, length, seed)

    def digest(self) -> str | None:
        """The hash of the picture that is shown, as a recorded run names it."""
        return self._session.digest()


class VectorEnv(gymnasium.vector.VectorEnv[Frame, Sequence[str], NDArray[Any]]):
    """Many environments of one task, stepped by a pool of threads while Python's lock is free. Made by :func:`make_vec`.

    The observations are one array of shape ``(n, height, width, 3)`` that is allocated once: every ``reset`` and ``step``
    writes it anew and gives it back. Copy what is to be kept.

    Autoreset is of mode ``NEXT_STEP``: the step after the end of an episode begins the next one, whatever its action, with
    a reward of 0. Seeds never repeat: environment ``i`` of ``n`` plays ``seed + i``, then ``seed + i + n``, and so on.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        threads: int | None = None,
        preset: str | None = None,
        seed: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        canvas: tuple[int, int] | None = None,
        max_steps: int | None = None,
        suites: Path | None = None,
        photos: Path | None = None,
        **sources: Path | None,
    ) -> None:
        given = {"suites": suites, "photos": photos, **sources}
        self._lanes = Lanes(task, num_envs, threads, preset, seed, parameters, canvas, max_steps, given)
        self.num_envs = num_envs
        self.single_action_space = ACTIONS
        self.action_space = batch_space(ACTIONS, num_envs)
        self.observation_space = spaces.Box(0, 255, self._lanes.shape, np.uint8)
        self.single_observation_space = spaces.Box(0, 255, self._lanes.shape[1:], np.uint8)

    @property
    def threads(self) -> int:
        """Threads in the pool."""
        return self._lanes.threads

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Frame, dict[str, Any]]:
        """Begins an episode everywhere: of ``seed + i``, of these seeds, or of those after the last. Options are not used."""
        return self._lanes.reset(seed)

    def step(
        self, actions: Sequence[str]
    ) -> tuple[Frame, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Carries out an action in each environment."""
        return self._lanes.step(actions)


def make(task: str, **options: Any) -> Env:
    """An environment of a task: ``make("puzzles/maze-2d", preset="easy", seed=7)``.

    Args:
        task: The task's name, as :func:`tasks` lists it; ``puzzles/maze-2d@easy`` names a preset too, and
            ``puzzles/maze-legs+2`` begins every episode after two milestones.
        options: ``preset`` (the first one if not given); ``seed`` of the first episode (seeds of trainers if not given,
            see :data:`TRAINING_SEEDS_FROM`); ``parameters`` that replace the preset's; ``observe``, the parts that are
            shown (``("screen",)`` if not given; others, such as ``goal`` and ``ascii``, come in ``info``); ``canvas``, rows
            and columns that every picture is put on, for the few puzzles whose instances differ in size; ``max_steps``
            instead of the task's limit; ``render_mode``; ``suites``, a folder of tasks; ``photos`` and other sources of
            what puzzles are made of, by the names of the command line's options.
    """
    return Env(task, **options)


def make_vec(task: str, n: int, *, threads: int | None = None, **options: Any) -> VectorEnv:
    """Many environments of a task: ``make_vec("puzzles/maze-2d", 256, preset="easy")``.

    Args:
        task: The task's name.
        n: How many.
        threads: Threads that step them; as many as there are cores if not given.
        options: As for :func:`make`, without ``observe`` and ``render_mode``.
    """
    return VectorEnv(task, n, threads=threads, **options)


def register() -> None:
    """Makes the built-in puzzles known to Gymnasium: ``gymnasium.make("quintain/maze-2d-easy-v1")``. Done on import."""
    for task in built_in_tasks():
        for preset in task["presets"]:
            gymnasium.register(
                id=f"quintain/{task['id'].split('/')[1]}-{preset}-v{task['version']}",
                entry_point="quintain:Env",
                vector_entry_point="quintain:VectorEnv",
                kwargs={"task": task["id"], "preset": preset},
            )
