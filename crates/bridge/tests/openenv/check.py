"""Lets the package `openenv` look at a server of ours, and play an episode.

python check.py URL
"""

import importlib.metadata
import json
import subprocess
import sys

import requests
from openenv.core.env_server.types import EnvironmentMetadata, ResetResponse, SchemaResponse, StepResponse
from openenv.core.generic_client import GenericEnvClient

URL = sys.argv[1]


def validate():
    """Their own judgement: `openenv validate`."""
    command = [sys.executable, "-m", "openenv.cli", "validate", "--url", URL, "--json"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    for criterion in report["criteria"]:
        print(f"{criterion['id']}: {'passed' if criterion['passed'] else criterion}")
    print(f"validate: {report['passed']}, {report['mode']}")


def read(kind, answer):
    answer.raise_for_status()
    return kind.model_validate(answer.json())


def shapes():
    """Their own types, which forbid what they do not know."""
    print("metadata:", read(EnvironmentMetadata, requests.get(f"{URL}/metadata", timeout=30)).name)
    read(SchemaResponse, requests.get(f"{URL}/schema", timeout=30))
    begun = read(ResetResponse, requests.post(f"{URL}/reset", json={"index": 0}, timeout=30))
    print("actions:", [action["name"] for action in begun.observation["actions"]][-2:])
    listed = rpc("tools/list", {})["result"]["tools"]
    print("tools:", [tool["name"] for tool in listed][-2:])
    called = rpc("tools/call", {"name": listed[0]["name"], "arguments": {"x": 3, "y": 4}})
    print("call:", called["result"]["structuredContent"])
    ended = requests.post(f"{URL}/step", json={"action": {"name": "done"}}, timeout=30)
    print("step:", read(StepResponse, ended).done)
    print("errors:", rpc("tools/sing", {})["error"]["code"], rpc(None, {})["error"]["code"])


def rpc(method, params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return requests.post(f"{URL}/mcp", json=body, timeout=30).json()


def tasks():
    """The task interface."""
    print("environments:", requests.get(f"{URL}/list_environments", timeout=30).json())
    print("splits:", requests.get(f"{URL}/quintain/splits", timeout=30).json())
    for name, more in (("tasks", {}), ("num_tasks", {}), ("task", {"index": 0}), ("task_range", {"stop": 9})):
        print(f"{name}:", requests.post(f"{URL}/quintain/{name}", json={"split": "test", **more}, timeout=30).json())
    for wrong in ({"split": "train"}, {"split": "test", "index": 9}):
        print("refused:", requests.post(f"{URL}/quintain/task", json=wrong, timeout=30).status_code)


def play():
    """Their own client, over the socket."""
    with GenericEnvClient(base_url=URL).sync() as env:
        begun = env.reset(index=0)
        print("client:", begun.done, begun.observation["turn"])
        print("client:", env.step({"name": "click", "arguments": {"x": 3, "y": 4}}).observation["turn"])
        print("client:", env.step({"name": "done"}).done)


print("openenv", importlib.metadata.version("openenv"), file=sys.stderr)
validate()
shapes()
tasks()
play()
