#!/bin/bash
pip install requests
python3 -c 'import requests; print(1)' > /logs/verifier/reward.txt
