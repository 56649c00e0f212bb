"""The command ``quintain``."""

import signal
import sys

from quintain._quintain import command


def main() -> None:
    """Does what the command line asks, and ends the process with its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(command(sys.argv[1:]))
