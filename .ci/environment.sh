#!/usr/bin/env bash
# Makes a Python environment of its own with some packages.
#   PYTHON=python3.12 .ci/environment.sh FOLDER PACKAGE...
# It is filled by uv, which stands beside the folder and is several times as fast as pip; pip is for hosts whose mirrors or
# certificates only pip knows.
set -euo pipefail
folder="$1" uv="$(dirname "$1")/uv"
[ -x "$uv/bin/uv" ] || { python3 -m venv "$uv" && "$uv/bin/pip" install --quiet --disable-pip-version-check uv; }
"${PYTHON:-python3}" -m venv "$folder"
"$uv/bin/uv" pip install --quiet --python "$folder/bin/python" "${@:2}" ||
    "$folder/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
