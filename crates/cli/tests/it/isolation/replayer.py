"""Plays a recorded trial again, as `quintain show RUN TRIAL --json` tells it: action by action (`same`), a pixel beside
each place (`beside`), or with keys alone and then gives up (`keys`).
"""

import json
import sys

how, path = sys.argv[1:]
with open(path) as file:
    actions = [step["action"] for step in json.load(file)["steps"]]


def beside(value):
    """The same with every place a pixel to the right."""
    if isinstance(value, dict):
        return {key: it + 1 if key == "x" else beside(it) for key, it in value.items()}
    return [beside(it) for it in value] if isinstance(value, list) else value


if how == "beside":
    actions = beside(actions)
if how == "keys":
    actions = [{"do": "key", "keys": ["Tab"]}] * 8 + [{"do": "give_up", "reason": "no mouse"}]

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        print(json.dumps({"reply": json.dumps(actions[message["step"]]), "dialect": "canonical"}), flush=True)
