#!/bin/bash
python3 /tests/compare.py > /logs/verifier/reward.txt
