#!/bin/bash
for n in $(seq 2 199); do
    [ "$(factor "$n" | wc -w)" = 2 ] && echo "$n"
done > /root/primes.txt
