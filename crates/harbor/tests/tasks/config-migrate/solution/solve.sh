#!/bin/bash
cat > /tmp/migrate.py <<'EOF'
import json

settings = {}
for line in open("/etc/relay/relay.conf"):
    if line.startswith(";") or "=" not in line:
        continue
    key, value = (part.strip() for part in line.split("=", 1))
    if key == "timeout":
        settings["timeout_ms"] = round(float(value) * 1000)
    elif key == "peers":
        settings[key] = [peer.strip() for peer in value.split(",")]
    elif value in ("yes", "no"):
        settings[key] = value == "yes"
    else:
        settings[key] = int(value) if value.isdigit() else value
json.dump(settings, open("/etc/relay/relay.json", "w"))
EOF
python3 /tmp/migrate.py
