"""Reads the compose file with an implementation of the Compose specification and checks that what it names is there."""

import sys

import compose_spec
import yaml

path, secrets = sys.argv[1:]
text = open(path).read().replace("${STORE_KEY:?see the head of this file}", "key")
options = compose_spec.PyOptions()
options.apply_merge(True)
compose = options.from_yaml(text)
compose.validate()
services = yaml.safe_load(text)["services"]
for name, service in services.items():
    assert "image" in service, f"{name} has no image"
    for secret in service.get("secrets", []):
        assert secret in yaml.safe_load(text)["secrets"], f"{name} wants the secret {secret}"
for name, secret in yaml.safe_load(text)["secrets"].items():
    open(secret["file"].replace("./secrets", secrets)).close()
print(f"compose: {len(services)} services are in order")
