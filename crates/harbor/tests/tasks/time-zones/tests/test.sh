#!/bin/bash
printf '2031-03-29T23:30Z\n2032-01-01T05:15Z\n2032-02-29T00:10Z\n' > /tmp/expected
cmp -s /tmp/expected /data/utc.txt
echo "$((1 - $?))" > /logs/verifier/reward.txt
