"""What pages name in passing, in code between words: recipes of the justfile, commands and options of `quintain`.

Such code is not run, since most of it has gaps to be filled in; but what it names has to be there.
"""

import functools
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
NESTED = {"bridge", "fleet", "seeds", "data", "import", "models", "tree"}


def unknown_names(text: str) -> Iterator[tuple[int, str]]:
    """What a page names and nobody has, with the number of its line."""
    for number, code in named(text):
        recipe = re.match(r"just ([a-z][\w-]*)", code)
        if recipe and recipe[1] not in recipes():
            yield number, f"`just {recipe[1]}` is no recipe of the justfile"
        elif recipe and recipe[1].startswith("bench-") and recipe[1] not in recipes()["figures"]:
            yield number, f"`just figures` leaves out `{recipe[1]}`, which a page names"
        if code.startswith("quintain "):
            yield from ((number, what) for what in unknown_options(code))


def named(text: str) -> Iterator[tuple[int, str]]:
    """The code between words and the lines of commands; a span may be broken at the end of a line, and goes by its last."""
    commands = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*```(.*)$", line)
        commands = fence[1].strip() == "sh" if fence else commands
        if commands and not fence:
            yield number, line.strip()
    prose = re.sub(
        r"^\s*```.*?^\s*```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL
    )
    for span in re.finditer(r"`([^`]+)`", prose):
        yield 1 + prose[: span.end()].count("\n"), " ".join(span[1].replace("\\|", "|").split())


def unknown_options(code: str) -> Iterator[str]:
    """Options that a command does not have. What stands for a command in capitals is none."""
    said = re.split(r"\s#\s|[|;&]", re.sub(r"'[^']*('|$)|\"[^\"]*(\"|$)", "TEXT", code))[0].split()[1:]
    words = [word for word in said if not word.startswith("-")]
    command = words[: 2 if words and words[0] in NESTED else 1]
    if not command or not all(re.fullmatch("[a-z-]+", word) for word in command):
        return
    known = options(*command)
    if not known:
        yield f"`quintain {' '.join(command)}` is no command"
    for word in said:
        option = re.match(r"\[?(--[a-z-]+)", word)
        if known and option and option[1] not in known:
            yield f"`quintain {' '.join(command)}` has no option `{option[1]}`"


@functools.cache
def options(*command: str) -> frozenset[str]:
    """The options that a command tells of; none where there is no such command."""
    quintain = os.environ.get("QUINTAIN", "quintain")
    told = subprocess.run([quintain, *command, "--help"], check=False, capture_output=True, text=True)
    return frozenset(re.findall(r"--[a-z-]+", told.stdout)) if told.returncode == 0 else frozenset()


@functools.cache
def recipes() -> dict[str, list[str]]:
    """The recipes of the justfile, each with those that it runs first."""
    justfile = (REPOSITORY / "justfile").read_text()
    found = re.findall(r"^([a-z][\w-]*)[^\n:=]*(?:=[^\n]*)?:(?!=)(.*)$", justfile, re.MULTILINE)
    return {name: first.split() for name, first in found}
