#!/bin/bash
python3 "$(dirname "$0")/sums.py"
