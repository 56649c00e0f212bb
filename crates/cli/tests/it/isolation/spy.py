"""Looks for whatever could tell it the solution, writes what it found to standard error, and leaves."""

import glob
import json
import os
import subprocess
import sys

suites, runs, program = sys.argv[1:]


def runs_here(name: str) -> bool:
    try:
        return subprocess.run([name, "--version"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def is_parent_seen() -> bool:
    lines = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as line:
                lines.append(line.read())
        except OSError:  # It has gone meanwhile.
            continue
    return any(b"--agent-access" in line for line in lines)


def has_package() -> bool:
    try:
        import quintain  # noqa: F401
    except ImportError:
        return False
    return True


found = {
    "suites": os.path.exists(suites),
    "runs": os.path.exists(runs),
    "program": runs_here(program),
    "parent": is_parent_seen(),
    "home": os.path.exists("/etc/shadow"),
    "variables": sorted(name for name in os.environ if name.endswith("_KEY")),
}
print("found:", json.dumps(found), "package:", has_package(), file=sys.stderr)
sys.exit(1)
