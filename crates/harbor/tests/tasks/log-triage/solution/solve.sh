#!/bin/bash
awk '$4 >= 500 { n[$2]++ } END { for (id in n) if (n[id] > 1) print id }' /srv/access.log | sort > /srv/failed.txt
