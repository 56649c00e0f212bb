"""Runs the commands that README.md, the wheel's and the pages under docs show, so that a page cannot tell what is no longer so.

    QUINTAIN=target/debug/quintain python3 .ci/docs.py --python venv/bin/python

Commands stand in fences of the language `sh`, without a prompt; everything else in a fence names a language of data. The
blocks of a page run in order in one directory, which holds copies of what a checkout has (`examples`, `redteam`), with what
earlier ones exported. What is to be known of a block stands in comments on the lines right above its fence:

    <!-- not run: paid -->                          or: other host, minutes, a person
    <!-- exits 3 -->                                anything but 0 has to be announced
    <!-- in another terminal, until: WORDS -->      a server: goes on beside the page once it has said so

Blocks of Python share one interpreter a page, and run where `--python` names one that has the package. Code between words
is not run; the recipes, commands and options that it names have to be there.
"""

import argparse
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from docs_names import unknown_names

REPOSITORY = Path(__file__).resolve().parent.parent
REASONS = ("paid", "other host", "minutes", "a person")
DATA = {"text", "json", "jsonl", "toml", "yaml", "sql", "rust"}
COPIED = ("examples", "redteam", "suites")
BLOCK_SECONDS = 60
MINUTES = 4
SERVER_GRACE_SECONDS = 5
SHOWN_LINES = 12
CLONE_NEWNET = 0x40000000
# Reads a block a line, and says a word for each on its first output; what blocks print goes where errors go.
INTERPRETER = """
import json, os, sys, traceback
said, told = os.fdopen(os.dup(1), "w"), {"__name__": "__main__"}
os.dup2(2, 1)
for line in sys.stdin:
    try:
        exec(compile(json.loads(line), "block", "exec"), told)
        print("ok", file=said, flush=True)
    except BaseException:
        traceback.print_exc()
        print("failed", file=said, flush=True)
    sys.stdout.flush()
"""


@dataclass
class Block:
    """A fence of a page, and what the comments above it say."""

    page: str
    line: int
    language: str
    text: str
    notes: list[str]
    reason: str | None = None
    exits: int = 0
    until: str | None = None

    def read_notes(self) -> str | None:
        """Takes in the comments; says what is wrong with them."""
        for note in self.notes:
            if note.startswith("not run: ") and note.removeprefix("not run: ") in REASONS:
                self.reason = note.removeprefix("not run: ")
            elif re.fullmatch(r"exits \d+", note):
                self.exits = int(note.split()[1])
            elif note.startswith("in another terminal, until: "):
                self.until = note.removeprefix("in another terminal, until: ")
            else:
                return f"`{note}` says nothing that is known here; reasons are {', '.join(REASONS)}"
        return None

    def fault_of_form(self) -> str | None:
        if self.language in ("sh", "python"):
            return self.read_notes()
        if self.language not in DATA:
            return f"a fence of the language `{self.language}`: sh, python, or data ({', '.join(sorted(DATA))})"
        if re.search(r"^(\$|quintain|just|cargo) ", self.text, re.MULTILINE):
            return f"a command in a fence of `{self.language}`: commands stand in `sh`, without a prompt"
        return None


@dataclass
class Terms:
    """On which terms pages are run: by which Python, how slowly, until when blocks may begin."""

    python: str | None
    slow: float
    ends: float


@dataclass
class Failure:
    where: str
    what: str
    command: str = ""
    said: list[str] = field(default_factory=list)


@dataclass
class Tally:
    """What became of the blocks of a page."""

    ran: int = 0
    python_left: int = 0
    reasons: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))
    failures: list[Failure] = field(default_factory=list)


def pages() -> list[Path]:
    found = [path for path in sorted((REPOSITORY / "docs").rglob("*.md")) if "adr" not in path.parts]
    return [REPOSITORY / "README.md", REPOSITORY / "python/README.md", *found]


def blocks_of(name: str, text: str) -> tuple[list[Block], list[Failure]]:
    """The fences of a page, and code that stands in none."""
    blocks: list[Block] = []
    failures: list[Failure] = []
    notes: list[str] = []
    fence: Block | None = None
    in_list, before = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*```(.*)$", line)
        if fence is not None:
            if mark and not mark[1].strip():
                blocks.append(fence)
                fence = None
            else:
                fence.text += line + "\n"
        elif mark:
            fence = Block(name, number, mark[1].strip(), "", notes)
        elif line.startswith("    ") and not before.strip() and not in_list:
            failures.append(Failure(f"{name}:{number}", "code without a fence that names its language", line.strip()))
        note = re.fullmatch(r"\s*<!-- (.*) -->\s*", line) if fence is None else None
        notes = [*notes, note[1]] if note else []
        in_list = bool(re.match(r"\s*([-*]|\d+\.) ", line)) or (in_list and (not line or line.startswith(" ")))
        before = line if fence is None or not mark else "```"
    return blocks, failures


def own_network() -> None:
    """Leaves the network of the machine, where that is allowed: no page needs it, and its ports meet nobody else's."""
    if shutil.which("ip") and ctypes.CDLL(None).unshare(CLONE_NEWNET) == 0:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def environment(directory: Path) -> dict[str, str]:
    """The environment of a page: nothing of what this machine sets for Quintain but where its tools are."""
    kept = {"QUINTAIN_MUJOCO", "QUINTAIN_CHROMIUM", "QUINTAIN_NGSPICE", "QUINTAIN_NO_SANDBOX"}
    told = {k: v for k, v in os.environ.items() if k in kept or not re.search("QUINTAIN|_API_KEY|_BASE_URL|AWS_", k)}
    (directory / ".bin").mkdir()
    (directory / ".bin/quintain").symlink_to(Path(shutil.which(os.environ.get("QUINTAIN", "quintain"))).resolve())
    servers = [str(Path(os.environ[name]).parent) for name in ["QUINTAIN_NATS_SERVER"] if name in os.environ]
    told["PATH"] = os.pathsep.join([str(directory / ".bin"), *servers, told["PATH"]])
    told["HOME"] = str(directory)
    if os.getuid() == 0:
        told["QUINTAIN_NO_SANDBOX"] = "1"
    return told


class Page:
    """A page that is being run: its directory, what it has exported, and every group of processes it has begun."""

    def __init__(self, directory: Path, python: str | None, slow: float) -> None:
        self.directory, self.python, self.seconds = directory, python, BLOCK_SECONDS * slow
        self.variables = environment(directory)
        self.begun: list[tuple[Block, subprocess.Popen, Path]] = []
        self.interpreter: subprocess.Popen | None = None
        for name in COPIED:
            shutil.copytree(REPOSITORY / name, directory / name)

    def output(self, block: Block) -> Path:
        return self.directory / f".said-{block.line}"

    def begin(self, block: Block) -> subprocess.Popen:
        """Starts a block in a group of its own. What it prints goes to a file, for what stays behind would hold a pipe."""
        state = self.directory / ".exported"
        text = f"trap 'env -0 >{state}' EXIT\n{block.text}"
        with self.output(block).open("wb") as said:
            child = subprocess.Popen(
                ["bash", "-eu", "-o", "pipefail", "-c", block.text if block.until else text],
                cwd=self.directory,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.begun.append((block, child, self.output(block)))
        return child

    def keep_exported(self) -> None:
        state = self.directory / ".exported"
        if state.exists():
            pairs = [pair.split("=", 1) for pair in state.read_text().split("\0") if "=" in pair]
            self.variables = {name: value for name, value in pairs}
            state.unlink()

    def run(self, block: Block) -> str | None:
        """Runs a block of commands; says what went wrong."""
        child = self.begin(block)
        if block.until:
            return self.wait_until_said(block, child)
        try:
            code = child.wait(self.seconds)
        except subprocess.TimeoutExpired:
            end_group(child)
            return f"took more than {self.seconds:.0f} s"
        self.keep_exported()
        if not group_lives(child):
            self.begun.pop()  # Its number may be another's by the end of the page.
        return None if code == block.exits else f"exited with {code} instead of {block.exits}"

    def wait_until_said(self, block: Block, child: subprocess.Popen) -> str | None:
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            if block.until in self.output(block).read_text(errors="replace"):
                return None
            if child.poll() is not None:
                return f"ended with {child.returncode} before it said `{block.until}`"
            time.sleep(0.05)
        return f"did not say `{block.until}` within {self.seconds:.0f} s"

    def run_python(self, block: Block) -> str | None:
        if self.interpreter is None:
            self.interpreter = subprocess.Popen(
                [self.python, "-c", INTERPRETER],
                cwd=self.directory,
                env=self.variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=(self.directory / ".said-python").open("wb"),
                start_new_session=True,
                text=True,
            )
        said = self.directory / ".said-python"
        start = said.stat().st_size
        signal.signal(signal.SIGALRM, lambda *_: end_group(self.interpreter))
        signal.alarm(int(self.seconds))
        try:
            print(json.dumps(block.text), file=self.interpreter.stdin, flush=True)
            answer = self.interpreter.stdout.readline().strip()
        except BrokenPipeError:
            answer = "ended"
        signal.alarm(0)
        self.output(block).write_bytes(said.read_bytes()[start:])
        return None if answer == "ok" else f"Python {answer or 'was ended'}"

    def end(self) -> list[tuple[Block, str]]:
        """Ends what still runs; servers that had ended by themselves, and badly, are told."""
        died = [
            (block, f"the server ended with {child.returncode} while the page went on")
            for block, child, _ in self.begun
            if block.until and child.poll() not in (None, 0)
        ]
        if self.interpreter is not None:
            end_group(self.interpreter)
        for _, child, _ in reversed(self.begun):
            end_group(child)
        return died


def end_group(child: subprocess.Popen) -> None:
    """Asks a group of processes to end, and ends it after a while."""
    for ask in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, ask)
        except ProcessLookupError:
            break
        deadline = time.monotonic() + SERVER_GRACE_SECONDS
        while time.monotonic() < deadline and group_lives(child):
            time.sleep(0.02)
    child.wait(SERVER_GRACE_SECONDS)


def group_lives(child: subprocess.Popen) -> bool:
    child.poll()
    try:
        os.killpg(child.pid, 0)
    except ProcessLookupError:
        return False
    return True


def run_page(blocks: list[Block], terms: Terms) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="docs-", ignore_cleanup_errors=True) as name:
        page = Page(Path(name), terms.python, terms.slow)
        try:
            for block in blocks:
                take_block(page, block, tally, terms.ends)
        finally:
            died = page.end()
        tally.failures += [failed(page, block, what) for block, what in died]
    return tally


def take_block(page: Page, block: Block, tally: Tally, ends: float) -> None:
    if block.reason:
        tally.reasons[block.reason] += 1
    elif block.language == "python" and page.python is None:
        tally.python_left += 1
    elif time.monotonic() > ends:
        tally.failures.append(failed(page, block, "not begun: the time of all pages together is used up"))
    else:
        what = page.run_python(block) if block.language == "python" else page.run(block)
        tally.ran += 1
        if what:
            tally.failures.append(failed(page, block, what))


def failed(page: Page, block: Block, what: str) -> Failure:
    said = page.output(block)
    lines = said.read_text(errors="replace").splitlines()[-SHOWN_LINES:] if said.exists() else []
    return Failure(f"{block.page}:{block.line}", what, block.text.strip(), lines)


def look_at(path: Path, terms: Terms) -> Tally:
    """Checks the form of a page and, where it is in order, runs its blocks."""
    name = str(path.relative_to(REPOSITORY))
    blocks, failures = blocks_of(name, path.read_text())
    failures += [Failure(f"{name}:{line}", what) for line, what in unknown_names(path.read_text())]
    faults = [(block, block.fault_of_form()) for block in blocks]
    failures += [Failure(f"{name}:{block.line}", what) for block, what in faults if what]
    runnable = [block for block, what in faults if not what and block.language in ("sh", "python")]
    tally = run_page(runnable, terms) if runnable else Tally()
    tally.failures = failures + tally.failures
    return tally


def table(tallies: dict[str, Tally]) -> str:
    rows = [("page", "run", *REASONS, "failed")]
    rows += [(name, *figures(tally)) for name, tally in tallies.items() if any(figures(tally))]
    sums = [sum(column) for column in zip(*(figures(tally) for tally in tallies.values()), strict=True)]
    rows.append(("all", *sums))
    return "\n".join(f"{row[0]:<28}" + "".join(f"{cell!s:>12}" for cell in row[1:]) for row in rows)


def figures(tally: Tally) -> tuple[int, ...]:
    return (tally.ran, *tally.reasons.values(), len(tally.failures))


def as_data(tallies: dict[str, Tally]) -> str:
    return json.dumps(
        {
            name: {
                "run": tally.ran,
                "not_run": tally.reasons,
                "python_not_run": tally.python_left,
                "failures": [vars(failure) for failure in tally.failures],
            }
            for name, tally in tallies.items()
        },
        indent=2,
    )


def as_words(tallies: dict[str, Tally], python: str | None) -> str:
    parts = [table(tallies)]
    if python is None:
        parts.append(f"Python blocks: {sum(tally.python_left for tally in tallies.values())} not run without --python")
    for failure in (failure for tally in tallies.values() for failure in tally.failures):
        shown = [f"    {line}" for line in failure.command.splitlines()] + [f"  | {line}" for line in failure.said]
        parts.append("\n".join([f"\n{failure.where}: {failure.what}", *shown]))
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="PAGE", action="append", help="README.md, docs/cli.md; may be repeated")
    parser.add_argument("--python", metavar="PATH", help="a Python in which the package is installed")
    parser.add_argument("--slow", metavar="N", type=float, default=1, help="all deadlines are N times as long")
    parser.add_argument("--json", action="store_true", help="print data")
    told = parser.parse_args()
    python = os.path.abspath(told.python) if told.python else None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # Pages end what they began on the way out.
    own_network()
    chosen = [path for path in pages() if not told.only or str(path.relative_to(REPOSITORY)) in told.only]
    terms = Terms(python, told.slow, time.monotonic() + 60 * MINUTES * told.slow)
    tallies = {}
    for path in chosen:
        start, name = time.monotonic(), str(path.relative_to(REPOSITORY))
        tallies[name] = look_at(path, terms)
        if tallies[name].ran:
            print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    print(as_data(tallies) if told.json else as_words(tallies, python))
    return 1 if any(tally.failures for tally in tallies.values()) or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
