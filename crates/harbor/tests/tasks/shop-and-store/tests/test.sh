#!/bin/bash
[ "$(cat /app/orders.txt)" = "$(wc -l < /tmp/orders.txt)" ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
