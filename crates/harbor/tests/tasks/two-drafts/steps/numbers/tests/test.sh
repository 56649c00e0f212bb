#!/bin/bash
sed -n 's/^# //p' /app/book.md | awk '{ print NR ". " $0 }' > /tmp/numbered
n="$(wc -l < /tmp/numbered)"
if [ "$n" = "$WANTED" ] && cmp -s /tmp/numbered /app/contents.txt; then
    echo 1.0 > /logs/verifier/reward.txt
else
    echo 0.0 > /logs/verifier/reward.txt
fi
