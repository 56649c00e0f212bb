"""A trainer's episode over the OpenEnv protocol, with nothing but Python's standard library.

Serve a world, then name the address that it prints and a seed:

    quintain bridge serve puzzles/maze-2d@easy --show ascii,feedback,remaining --port 8700
    python3 examples/openenv_client.py http://127.0.0.1:8700/env/... 3
"""

import json
import random
import sys
import urllib.request


def post(url: str, body: dict) -> dict:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def main(base: str, seed: int) -> None:
    begun = post(f"{base}/reset", {"seed": seed})
    episode, seen = begun["observation"]["episode_id"], begun
    actions = {action["name"]: action["arguments"] for action in begun["observation"]["actions"]}
    print(begun["observation"]["instruction"])
    print("actions:", ", ".join(actions))
    policy = random.Random(seed)
    for _ in range(10):
        action = {"name": "move", "arguments": {"direction": policy.randrange(4)}}
        seen = post(f"{base}/step", {"action": action, "episode_id": episode})
        print(seen["observation"]["text"].splitlines()[:2], "reward", seen["reward"], "done", seen["done"])
    seen = post(f"{base}/step", {"action": {"name": "done"}, "episode_id": episode})
    print("reward", seen["reward"], "done", seen["done"], seen["metadata"])


if len(sys.argv) < 2:
    sys.exit(__doc__)
main(sys.argv[1].rstrip("/"), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
