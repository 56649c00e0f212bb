#!/bin/bash
for file in /app/poems/*.txt; do
    echo "$(basename "$file"): $(wc -w < "$file" | tr -d ' ')"
done > /tmp/expected.txt
if diff /tmp/expected.txt /app/counts.txt; then
    echo 1 > /logs/verifier/reward.txt
else
    echo 0 > /logs/verifier/reward.txt
fi
