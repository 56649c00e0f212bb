"""Seeded visual puzzles as Gymnasium environments, runs as data frames, agents written in Python.

Everything is done by the Rust side of the package, ``quintain._quintain``, which shares worlds, judges and runs with the
command ``quintain``. What stands in these files only gives it Gymnasium's and pandas' shapes.
"""

from quintain._brought import BROUGHT_BY  # First: it decides which module is `quintain._quintain`.
from quintain._environments import Env, VectorEnv, make, make_vec, register
from quintain._quintain import TRAINING_SEEDS_FROM, QuintainError, Trajectory, Turn, __version__, command
from quintain._runs import Run, resume, run, tasks
from quintain._text_environments import TextEnv, TextVectorEnv, make_text, make_text_vec

__all__ = [
    "BROUGHT_BY",
    "TRAINING_SEEDS_FROM",
    "Env",
    "QuintainError",
    "Run",
    "TextEnv",
    "TextVectorEnv",
    "Trajectory",
    "Turn",
    "VectorEnv",
    "__version__",
    "command",
    "make",
    "make_text",
    "make_text_vec",
    "make_vec",
    "resume",
    "run",
    "tasks",
]

register()
