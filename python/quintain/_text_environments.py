"""Environments that are read: pages as text, which are gone through by calls. No browser is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from quintain._environments import ACTIONS, Path
from quintain._quintain import TextLanes


class _AnyText(spaces.Text):
    """Texts of any characters: pages are written in more than ASCII."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


PAGES = _AnyText(max_length=16_384, min_length=0)
"""Observations are texts: the address and the title of a page, and as much of its text as is shown at a time."""


class TextEnv(gymnasium.Env[str, str]):
    """One environment that is read. Made by :func:`make_text`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        task: str,
        *,
        preset: str | None = None,
        seed: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        max_steps: int | None = None,
        suites: Path | None = None,
    ) -> None:
        self._lanes = TextLanes(task, 1, 1, preset, seed, parameters, max_steps, {"suites": suites})
        self._is_over = False
        self.action_space = ACTIONS
        self.observation_space = PAGES

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begins an episode: of this seed, else of the seed after the last one. Options are not used."""
        super().reset(seed=seed)
        (text,), infos = self._lanes.reset(seed)
        self._is_over = False
        return text, _of_first(infos)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carries out an action. The reward is the judge's score, given when the episode ends. An episode that is over
        is not begun anew by a step: call :meth:`reset`."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() first")
        (text,), rewards, terminated, truncated, infos = self._lanes.step([action])
        self._is_over = bool(terminated[0] or truncated[0])
        return text, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _of_first(infos)

    def instructions(self) -> str:
        """What an agent is told to do."""
        return self._lanes.instructions()[0] or ""

    def actions(self) -> list[dict[str, Any]]:
        """The actions: name, meaning, arguments, and an example of each. ``note`` and ``done`` are always there too."""
        return self._lanes.actions()

    def solve(self) -> list[str]:
        """A solution of this episode from its start, the closing action included."""
        return self._lanes.solve(0)


class TextVectorEnv(gymnasium.vector.VectorEnv[tuple[str, ...], Sequence[str], NDArray[Any]]):
    """Many environments of one task that are read, stepped by a pool of threads while Python's lock is free. Made by
    :func:`make_text_vec`. Autoreset and seeds are those of :class:`quintain.VectorEnv`."""

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
        max_steps: int | None = None,
        suites: Path | None = None,
    ) -> None:
        self._lanes = TextLanes(task, num_envs, threads, preset, seed, parameters, max_steps, {"suites": suites})
        self.num_envs = num_envs
        self.single_action_space = ACTIONS
        self.action_space = batch_space(ACTIONS, num_envs)
        self.single_observation_space = PAGES
        self.observation_space = batch_space(PAGES, num_envs)

    @property
    def threads(self) -> int:
        """Threads in the pool."""
        return self._lanes.threads

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Begins an episode everywhere: of ``seed + i``, of these seeds, or of those after the last. Options are not used."""
        texts, infos = self._lanes.reset(seed)
        return tuple(texts), infos

    def step(
        self, actions: Sequence[str]
    ) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Carries out an action in each environment."""
        texts, rewards, terminated, truncated, infos = self._lanes.step(actions)
        return tuple(texts), rewards, terminated, truncated, infos

    def instructions(self) -> list[str | None]:
        """What each agent is told to do; nothing between two episodes."""
        return self._lanes.instructions()

    def actions(self) -> list[dict[str, Any]]:
        """The actions: name, meaning, arguments, and an example of each."""
        return self._lanes.actions()

    def solve(self, environment: int) -> list[str]:
        """A solution of the episode of an environment from its start, the closing action included."""
        return self._lanes.solve(environment)


def _of_first(infos: dict[str, Any]) -> dict[str, Any]:
    """What is told of the only environment; keys that gymnasium adds for vectors are left out."""
    told = {name: values[0] for name, values in infos.items() if not name.startswith("_")}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in told.items()}


def make_text(task: str, **options: Any) -> TextEnv:
    """An environment of a task that can be read: ``make_text("chains/science-lineage", preset="easy", seed=7)``.

    Args:
        task: The task's name, as for :func:`make`.
        options: ``preset``, ``seed``, ``parameters``, ``max_steps`` and ``suites``, as for :func:`make`.
    """
    return TextEnv(task, **options)


def make_text_vec(task: str, n: int, *, threads: int | None = None, **options: Any) -> TextVectorEnv:
    """Many environments of a task that can be read.

    Args:
        task: The task's name.
        n: How many.
        threads: Threads that step them; as many as there are cores if not given.
        options: As for :func:`make_text`.
    """
    return TextVectorEnv(task, n, threads=threads, **options)
