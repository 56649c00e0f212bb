#!/usr/bin/env bash
# Checks the deployment examples with their own tools, and runs what the systemd units start.
#   QUINTAIN=target/release/quintain deploy/check.sh
# QUINTAIN_NATS_SERVER and QUINTAIN_WEED name the servers. Python packages go to a throw-away environment.
set -euo pipefail
cd "$(dirname "$0")/.."
quintain="$(realpath "${QUINTAIN:-target/release/quintain}")"
find_program() { command -v "$1" || echo "/opt/fleet/bin/$1"; }
nats="${QUINTAIN_NATS_SERVER:-$(find_program nats-server)}"
work="$(mktemp -d)"
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
wait_for() { # wait_for WHAT COMMAND...: for up to a minute
    local what="$1" && shift
    for _ in $(seq 240); do "$@" >/dev/null 2>&1 && return; sleep 0.25; done
    echo "waited in vain for $what" && tail -n 30 "$work"/*.log && exit 1
}

echo "keys and the servers' configuration"
QUINTAIN="$quintain" deploy/keys.sh "$work/secrets" "$(hostname -s)=puzzles" desk-1=browser,puzzles desk-2=puzzles
export NATS_NODE=nats-0 NATS_STORE="$work/store" NATS_ROUTES='[tls://nats-0:6222, tls://nats-1:6222]'
(cd "$work/secrets/nats" && "$nats" -t -c nats-server.conf)

echo "systemd units"
for unit in deploy/systemd/*.service; do
    sed "s|/usr/local/bin/quintain|$quintain|" "$unit" >"$work/$(basename "$unit")"
    if command -v systemd-analyze >/dev/null; then systemd-analyze verify "$work/$(basename "$unit")"; fi
done

echo "what the units start, on a server with TLS and keys"
port="$(free_port)"
sed "s|0.0.0.0:4222|127.0.0.1:$port|; s|0.0.0.0:8222|127.0.0.1:$(free_port)|; /^cluster/,/^}/d" \
    "$work/secrets/nats/nats-server.conf" >"$work/secrets/nats/alone.conf"
(cd "$work/secrets/nats" && exec "$nats" -c alone.conf) >"$work/nats.log" 2>&1 & pids+=($!)
export QUINTAIN_NATS="tls://127.0.0.1:$port" QUINTAIN_STORE="$work/archive" QUINTAIN_FLEET=quintain QUINTAIN_CAN=puzzles
export CREDENTIALS_DIRECTORY="$work/credentials" STATE_DIRECTORY="$work/state"
mkdir "$CREDENTIALS_DIRECTORY" "$STATE_DIRECTORY" "$QUINTAIN_STORE"
cp "$work/secrets/nats/tls/ca.crt" "$CREDENTIALS_DIRECTORY/ca"
start() { # start UNIT SEED PORT: runs the line of a unit; $! is its process
    local line
    cp "$work/secrets/seeds/$2.nk" "$CREDENTIALS_DIRECTORY/key-$1"
    line="$(sed -n 's/^ExecStart=//p' "$work/quintain-$1.service")"
    line="${line//%l/$(hostname -s)}" && line="${line//--replicas 3/--replicas 1}"
    line="$(sed "s|--metrics [^ ]*|--metrics 127.0.0.1:$3|; s|CREDENTIALS_DIRECTORY}/key|&-$1|" <<<"$line")"
    eval "exec $line" >"$work/$1.log" 2>&1 &
}
steward_port="$(free_port)" worker_port="$(free_port)"
start steward steward "$steward_port" && steward=$! && pids+=("$steward")
wait_for "a steward that leads" sh -c "curl -sf 127.0.0.1:$steward_port/metrics | grep -q '^quintain_steward_leading 1'"
start worker "worker-$(hostname -s)" "$worker_port" && worker=$! && pids+=("$worker")
wait_for "a worker that is ready" curl -sf "127.0.0.1:$worker_port/readyz"
QUINTAIN_CREDENTIALS="$work/secrets/seeds/submitter.nk" QUINTAIN_CA="$CREDENTIALS_DIRECTORY/ca" \
    "$quintain" fleet status | grep -q "$(hostname -s)"
curl -sf "127.0.0.1:$steward_port/metrics" >"$work/steward.prom"
curl -sf "127.0.0.1:$worker_port/metrics" >"$work/worker.prom"
kill -TERM "$worker" && wait "$worker"
kill -TERM "$steward" && wait "$steward"
echo "steward and worker came up, were seen by a submitter, and went down when asked"

echo "Kubernetes manifests and the compose file"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check kubernetes-validate compose-spec pyyaml
"$work/venv/bin/kubernetes-validate" --strict deploy/kubernetes/*.yaml
"$work/venv/bin/python" deploy/compose_check.py deploy/compose/compose.yaml "$work/secrets"

echo "the dashboard and the alert rules"
"$work/venv/bin/python" deploy/metrics_check.py "$work/steward.prom" "$work/worker.prom"
echo "deployment examples are in order"
