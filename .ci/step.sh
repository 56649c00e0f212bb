# Sourced by the gate's scripts: names a step, after how many seconds of the gate it begins, and how many of processor time this
# script took until then.
export GATE_BEGAN="${GATE_BEGAN:-$(date +%s)}"
step() {
    times >"$work/times.$$" # In a pipe, `times` would tell of the pipe's own children.
    printf '\n== %s (%ss, %s of CPU)\n' "$1" "$(($(date +%s) - GATE_BEGAN))" \
        "$(tail -1 "$work/times.$$" | awk -F'[ms ]+' '{ printf "%ds", $1 * 60 + $2 + $3 * 60 + $4 }')"
}
