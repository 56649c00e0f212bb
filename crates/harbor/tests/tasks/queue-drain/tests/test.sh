#!/bin/bash
cd /var/spool/jobs || exit 1
good=1
[ "$(ls done 2>/dev/null | wc -l)" = "$EXPECTED_DONE" ] || good=0
[ -f failed/a2.job ] && [ -f waiting/c3.job ] && [ -f d4.job ] || good=0
[ "$(ls *.job | wc -l)" = 1 ] || good=0
echo "$good" > /logs/verifier/reward.txt
