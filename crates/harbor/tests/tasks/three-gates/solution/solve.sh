#!/bin/bash
cp "$(dirname "$0")/calc.py" /app/calc.py
