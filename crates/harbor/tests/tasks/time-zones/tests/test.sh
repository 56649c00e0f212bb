#!/bin/bash
printf '2031-03-29T23:30Z\n2032-01-01T05:15Z\n2032-02-29T00:10Z\n' > /tmp/expected
if cmp -s /tmp/expected /data/utc.txt; then reward=1; else reward=0; fi
echo "$reward" > /logs/verifier/reward.txt
