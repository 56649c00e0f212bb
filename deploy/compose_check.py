"""Reads the compose file with an implementation of the Compose specification and checks that what it names is there."""

import sys
from pathlib import Path

import compose_spec
import yaml

path, secrets = sys.argv[1:]
text = Path(path).read_text().replace("${STORE_KEY:?see the head of this file}", "key")
whole = yaml.safe_load(text)  # with what is merged in its place
compose_spec.PyCompose.from_yaml(yaml.safe_dump(whole)).validate()
services = whole["services"]
for name, service in services.items():
    assert "image" in service, f"{name} has no image"
    for secret in service.get("secrets", []):
        assert secret in whole["secrets"], f"{name} wants the secret {secret}"
for name, secret in whole["secrets"].items():
    open(secret["file"].replace("./secrets", secrets)).close()
print(f"compose: {len(services)} services are in order")
