import json
import os

EXPECTED = {
    "port": 8411,
    "timeout_ms": 2500,
    "peers": ["pier-a", "pier-b", "pier-c"],
    "verbose": False,
    "keepalive": True,
    "label": "North Pier",
}

try:
    with open("/etc/relay/relay.json") as file:
        found = json.load(file)
except (OSError, ValueError):
    found = None
print(int(found == EXPECTED and os.path.exists("/etc/relay/relay.conf")))
