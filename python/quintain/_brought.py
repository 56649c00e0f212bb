"""Worlds of other people: an installed package may bring a module in the place of ours."""

import sys
from importlib.metadata import entry_points, version


def _bring() -> str | None:
    """Puts what an installed package names under ``quintain.module`` in the place of ``quintain._quintain``."""
    found = list(entry_points(group="quintain.module"))
    if not found:
        return None
    if len(found) > 1:
        names = ", ".join(sorted(entry.name for entry in found))
        raise ImportError(f"several packages bring worlds of their own: {names}; uninstall all but one")
    module, ours = found[0].load(), version("quintain")
    if module.__version__ != ours:
        made_for = module.__version__
        raise ImportError(
            f"`{found[0].name}` was made for quintain {made_for}, and {ours} is here; install that version"
        )
    sys.modules["quintain._quintain"] = module
    return found[0].name


BROUGHT_BY: str | None = _bring()
"""Which package's worlds are here beside the built-in ones; nothing where there is none."""
