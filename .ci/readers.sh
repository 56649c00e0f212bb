#!/usr/bin/env bash
# What people and programs meet who use the product: the Python package, the pages, demonstrations, bridges, a desktop.
#   .ci/readers.sh DIR QUINTAIN
# DIR is the gate's folder with its tools, QUINTAIN the program that it built.
set -euo pipefail
cd "$(dirname "$0")/.."
work="$1" quintain="$2"
source .ci/step.sh

step "Python package: the wheel, its tests, the start from the wheel alone"
(cd python && "$work/venv/bin/maturin" build --quiet --interpreter python3 --out "$work/wheels")
.ci/environment.sh "$work/wheel" "$work"/wheels/quintain-*.whl pandas pandas-stubs pytest mypy datasets pillow
# Only the wheel's own programs and the system's are on the path: no cargo.
alone() { env PATH="$work/wheel/bin:/usr/bin:/bin" "$@"; }
(cd python && alone QUINTAIN="$quintain" pytest tests -q -p no:cacheprovider | tail -3)
(cd "$work" && time alone timeout 300 quintain demo --name wheel && test -s runs/wheel/report.html)

step "commands of README and docs"
QUINTAIN="$quintain" python3 .ci/docs.py --slow 4 --python "$work/wheel/bin/python"

step "a world of somebody else's, seen from Python"
(cd examples/own-world/python && "$work/venv/bin/maturin" build --quiet --interpreter python3 --out "$work/own-wheels")
.ci/environment.sh "$work/own" "$work"/wheels/quintain-*.whl "$work"/own-wheels/*.whl pytest
"$work/own/bin/pytest" examples/own-world/python/tests -q -p no:cacheprovider | tail -3

step "demonstrations, read by their readers"
(cd "$work" && "$quintain" --quiet demos puzzles/maze-2d puzzles/jigsaw@easy --n 20 --evaluation 20 \
    --format sharegpt,openai,atif,parquet --out demos)
"$work/venv/bin/python" crates/cli/tests/loaders/check_demos.py "$work/demos"

step "bridges, with the official Python client"
(cd "$work" && QUINTAIN="$quintain" timeout 120 "$work/venv/bin/python" "$OLDPWD/examples/mcp_client.py")
(cd "$work" && "$quintain" --json --quiet report bridge --no-html |
    python3 -c 'import json, sys; assert json.load(sys.stdin)["summary"]["total"]["success"]["hits"] == 1, "not solved"')

step "desktops: tasks of KAlgebra certified in quick form, one of each other program played"
(cd "$work" && timeout 900 "$quintain" --quiet check science/kalgebra-define-value science/kalgebra-plot-two science/kalgebra-surface --quick --seeds 1)
(cd "$work" && "$quintain" --quiet run science/grass-coarser science/texstudio-model-report --agent oracle --workers 1 --name desktops >/dev/null
    "$quintain" --json --quiet report desktops --no-html |
        python3 -c 'import json, sys; s = json.load(sys.stdin)["summary"]["total"]["success"]; assert s["hits"] == s["n"] == 2, s')
