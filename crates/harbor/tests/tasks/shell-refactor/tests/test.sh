#!/bin/bash
room="$(mktemp -d)"
printf 'a\nb\n' > "$room/plain.txt"
printf 'a\n' > "$room/with two spaces.txt"
printf '' > "$room/empty.txt"
printf 'empty.txt\t0\nplain.txt\t2\nwith two spaces.txt\t1\n' > /tmp/expected
if /app/collect.sh "$room" | diff - /tmp/expected; then reward=1; else reward=0; fi
echo "$reward" > /logs/verifier/reward.txt
