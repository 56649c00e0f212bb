#!/usr/bin/env bash
# What tasks are proven by: kept certificates, chains, a sample of certificates; beside it deployments and documentation.
#   .ci/proofs.sh DIR QUINTAIN
# DIR is the gate's folder with its tools, QUINTAIN the program that it built.
set -euo pipefail
cd "$(dirname "$0")/.."
work="$1" quintain="$2"
source .ci/step.sh

step "deployment examples"
QUINTAIN="$quintain" deploy/check.sh

step "kept certificates: whether each still fits"
"$quintain" check --kept certificates

step "chains: eleven proven and played without a browser, one of each family in one from its start and from its last step"
turn="$(git rev-list --count HEAD)" # Samples begin elsewhere with every commit.
mapfile -t chains < <(ls suites/chains | awk -v turn="$turn" '{ all[NR - 1] = $1 }
    END { for (idx = 0; idx < 11; idx++) print "chains/" all[(turn + int(idx * NR / 11)) % NR] }')
(cd "$work" && timeout 600 "$quintain" check "${chains[@]}" --dry --seeds 1 >chains.txt || { cat chains.txt; exit 1; })
(cd "$work" && "$quintain" --quiet run "${chains[@]/%/@easy}" --seeds 1..2 --agent oracle --surface text --name text >/dev/null
    "$quintain" --json --quiet report text --no-html |
        python3 -c 'import json, sys; s = json.load(sys.stdin)["summary"]["total"]["success"]; assert s["hits"] == s["n"] == 11, s')
(cd "$work" && for chain in science-lineage finance-restated-growth-board finance-rates-race-limited policy-emissions-and-growth-slow; do
    last="$(("$(grep -c '^\[\[step\]\]' "$OLDPWD/suites/chains/$chain/chain.toml")" - 1))"
    "$quintain" --quiet run "chains/$chain@easy#1" --after "0,$last" --agent oracle --name "$chain" >/dev/null
    "$quintain" --json --quiet report "$chain" --no-html |
        python3 -c 'import json, sys; s = json.load(sys.stdin)["summary"]["total"]["success"]; assert s["hits"] == s["n"] == 2, s'
done)

step "certificates, quick form: those that changed, then a sample that rotates"
(cd "$work" && QUINTAIN="$quintain" python3 "$OLDPWD/.ci/certify_sample.py" --repository "$OLDPWD" \
    --turn "$turn" --minutes 5 --sample 2)

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
