#!/bin/bash
python3 -c '
primes = [n for n in range(2, 200) if all(n % d for d in range(2, n))]
try:
    found = [int(line) for line in open("/root/primes.txt")]
except (OSError, ValueError):
    found = []
print(1 if found == primes else 0)
' > /logs/verifier/reward.txt
