"""Holds what Cargo.lock brings in against deny.toml: licences, sources, duplicate versions. Takes a second.

cargo-deny does the same and looks for advisories besides, but has to be compiled for minutes first. Advisories and yanked
versions are not looked for here: their databases come over the network.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parent.parent
METADATA = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]


def main():
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    told = subprocess.run(METADATA, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    metadata = json.loads(told)
    packages, own = metadata["packages"], set(metadata["workspace_members"])
    errors = [*licence_errors(packages, rules["licenses"]), *source_errors(packages, own, rules["sources"])]
    warnings = [*unused_licences(packages, rules["licenses"]), *duplicates(packages, rules["bans"]["skip"])]
    for line in warnings:
        print(f"warning: {line}")
    for line in errors:
        print(f"error: {line}")
    print(f"{len(packages)} packages: {len(errors)} errors, {len(warnings)} warnings; advisories not looked for")
    sys.exit(1 if errors else 0)


def name_of(package):
    return f"{package['name']} {package['version']}"


def licence_errors(packages, rules):
    for package in packages:
        licence = package["license"]
        if licence is None:
            yield f"{name_of(package)} names no licence"
        elif not is_allowed(licence, set(rules["allow"])):
            yield f"{name_of(package)} is under `{licence}`, which deny.toml does not allow"


def is_allowed(expression, allowed):
    """Whether an SPDX expression can be met by allowed licences alone. Old manifests write `/` for OR."""
    words = re.findall(r"\(|\)|[^\s()]+(?: WITH [^\s()]+)?", expression.replace("/", " OR "))

    def any_of():
        found = all_of()
        while words and words[0] == "OR":
            words.pop(0)
            found = all_of() or found
        return found

    def all_of():
        found = one()
        while words and words[0] == "AND":
            words.pop(0)
            found = one() and found
        return found

    def one():
        word = words.pop(0)
        if word != "(":
            return word in allowed
        found = any_of()
        assert words.pop(0) == ")", expression
        return found

    met = any_of()
    assert not words, f"`{expression}` is not understood"
    return met


def unused_licences(packages, rules):
    named = " ".join(package["license"] or "" for package in packages).replace("/", " ")
    for licence in rules["allow"]:
        if not re.search(rf"(?<![\w.-]){re.escape(licence)}(?![\w.-])", named):
            yield f"no package is under `{licence}`: deny.toml need not allow it"


def source_errors(packages, own, rules):
    registries = {f"registry+{url}" for url in rules["allow-registry"]}
    for package in packages:
        source = package["source"]
        if package["id"] not in own and source not in registries:
            yield f"{name_of(package)} comes from {source or package['manifest_path']}, and not from the registry"


def duplicates(packages, skipped):
    versions = defaultdict(set)
    for package in packages:
        versions[package["name"]].add(package["version"])
    skipped = {entry["crate"] for entry in skipped}
    used = set()
    for name, found in sorted(versions.items()):
        reasons = {version: reason for version in found if (reason := skip_of(name, version, skipped))}
        used.update(reasons.values())
        if len(found) - len(reasons) > 1:
            yield f"{name} is there in versions {', '.join(sorted(found))}"
        elif len(found) == 1 and reasons:
            yield f"deny.toml skips {next(iter(reasons.values()))}, which is there only once"
    for entry in sorted(skipped - used):
        yield f"deny.toml skips {entry}, which is not there"


def skip_of(name, version, skipped):
    """The line of deny.toml that a version falls under: `rand@0.8` covers every 0.8."""
    parts = version.split(".")
    lines = (f"{name}@{'.'.join(parts[:n])}" for n in range(1, len(parts) + 1))
    return next((line for line in lines if line in skipped), None)


if __name__ == "__main__":
    main()
