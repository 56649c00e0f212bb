#!/bin/bash
grep '^# ' /app/book.md | cut -c3- > /tmp/titles
if cmp -s /tmp/titles /app/contents.txt; then
    echo '{"reward": 1}' > /logs/verifier/reward.json
elif [ -s /app/contents.txt ] && [ "$(sort /tmp/titles)" = "$(sort /app/contents.txt)" ]; then
    echo '{"reward": 0.5}' > /logs/verifier/reward.json
else
    echo '{"reward": 0}' > /logs/verifier/reward.json
fi
