"""Tells a file of rules as JSON. Values stay the texts that they are written as; keys are merged as YAML says."""

import json
import re
import sys
from typing import ClassVar

import yaml


class PlainLoader(yaml.SafeLoader):
    yaml_implicit_resolvers: ClassVar = {"<": [("tag:yaml.org,2002:merge", re.compile("^<<$"))]}


with open(sys.argv[1], encoding="utf-8-sig") as file:
    print(json.dumps(yaml.load(file, PlainLoader)))
