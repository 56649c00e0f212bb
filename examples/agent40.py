"""A whole agent in 40 lines that knows nothing but two addresses: it reads the task and acts at one, asks its model at
the other, and ends. `quintain run TASK --agent 'outside:python3 examples/agent40.py MODEL'` starts it for every trial."""

import base64
import json
import os
import sys
import urllib.request

BASE, MODELS = os.environ["QUINTAIN_URL"], os.environ["OPENAI_BASE_URL"]
MODEL = sys.argv[1] if len(sys.argv) > 1 else "gpt-5.4"


def http(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        return answer.read()


def look(observation):
    """What is seen, as a chat message holds it: words first, then every picture."""
    parts = [{"type": "text", "text": observation["text"]}]
    for url in observation["pictures"].values():
        png = base64.b64encode(http(url)).decode()
        parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}})
    return {"role": "user", "content": parts}


task = json.loads(http(BASE))
tools = [{"type": "function", "function": tool} for tool in task["tools"]]
system = {"role": "system", "content": task["instruction"] + "\n\nCall exactly one function each turn."}
observation = task["observation"]
while not observation["over"]:
    ask = {"model": MODEL, "messages": [system, look(observation)], "tools": tools, "tool_choice": "required"}
    said = json.loads(http(MODELS + "/chat/completions", ask))["choices"][0]["message"]
    call = (said.get("tool_calls") or [{"function": {"name": "screenshot", "arguments": "{}"}}])[0]["function"]
    deed = {"name": call["name"], "arguments": json.loads(call["arguments"] or "{}")}
    observation = json.loads(http(task["links"]["act"]["url"], deed))
print("the trial is over")
