#!/bin/bash
# Every step brings its own cases; what judges them is the same.
python3 /tests/judge.py
