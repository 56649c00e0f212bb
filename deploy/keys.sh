#!/usr/bin/env bash
# Makes what a fleet needs to trust each other, in a new folder:
#   deploy/keys.sh DIR [WORKER=CLASSES]...      deploy/keys.sh secrets desk-1=browser,puzzles desk-2=puzzles
# DIR/nats/    what nats-server reads: nats-server.conf, accounts.conf, users/*.conf, tls/*
# DIR/seeds/   one secret key a user: steward.nk, submitter.nk, worker-NAME.nk. Give each to its owner and to nobody else.
# HOSTS names the servers for their certificate, FLEET the fleet, QUINTAIN the program.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
dir="${1:?usage: keys.sh DIR [WORKER=CLASSES]...}" && shift
hosts="${HOSTS:-nats-0,nats-1,nats-2,nats,localhost}"
quintain="${QUINTAIN:-quintain}"
export QUINTAIN_FLEET="${FLEET:-quintain}"
umask 077
mkdir "$dir" && mkdir "$dir/seeds" "$dir/nats" "$dir/nats/tls" "$dir/nats/users"

certificates() {
    local tls="$dir/nats/tls" names="DNS:${hosts//,/,DNS:},IP:127.0.0.1"
    openssl req -x509 -newkey ed25519 -nodes -days 3650 -subj "/CN=$QUINTAIN_FLEET fleet CA" \
        -addext "keyUsage=critical,keyCertSign,cRLSign" -keyout "$dir/seeds/ca.key" -out "$tls/ca.crt" 2>/dev/null
    openssl req -newkey ed25519 -nodes -subj "/CN=nats" -keyout "$tls/server.key" -out "$dir/server.csr" 2>/dev/null
    printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n' "$names" >"$dir/ext"
    openssl x509 -req -in "$dir/server.csr" -CA "$tls/ca.crt" -CAkey "$dir/seeds/ca.key" -CAcreateserial -days 365 \
        -extfile "$dir/ext" -out "$tls/server.crt" 2>/dev/null
    rm "$dir/server.csr" "$dir/ext"
}

entry() { # entry SEED KIND...: makes a key and prints its entry
    local seed="$1" && shift
    "$quintain" fleet credentials "$@" --out "$dir/seeds/$seed.nk"
}

users() {
    { echo "users: [" && entry steward steward && entry submitter submitter && echo "]"; } >"$dir/nats/users/fleet.conf"
    {
        echo "users: ["
        for worker in "$@"; do entry "worker-${worker%%=*}" worker --name "${worker%%=*}" --can "${worker#*=}"; done
        echo "]"
    } >"$dir/nats/users/workers.conf"
}

certificates
users "$@"
cp "$here/nats/nats-server.conf" "$dir/nats/"
sed "s/\"quintain/\"$QUINTAIN_FLEET/g; s/\$KV\.quintain-/\$KV.$QUINTAIN_FLEET-/g; s/KV_quintain-/KV_$QUINTAIN_FLEET-/g
    s/\.quintain-work/.$QUINTAIN_FLEET-work/g" "$here/nats/accounts.conf" >"$dir/nats/accounts.conf"
echo "keys of fleet $QUINTAIN_FLEET are in $dir"
