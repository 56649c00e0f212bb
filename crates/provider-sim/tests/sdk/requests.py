"""Reads our requests with the types of the official packages; a field that they do not know is an error.

    python requests.py FILE

The file holds a JSON object a line: `name` for messages, `path`, `headers` (names in lower case) and `body`.
"""

import json
import sys
import typing
from collections.abc import Iterable

import anthropic
import google.genai
import openai
import pydantic
from anthropic.types.anthropic_beta_param import AnthropicBetaParam
from anthropic.types.beta.message_create_params import MessageCreateParamsStreaming as Messages
from google.genai import types
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming as Chat
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming as Responses

# What compatible servers add to Chat Completions, by the names under which they sent it to us before. OpenAI itself never
# sends it, so that it never gets it.
# vLLM: https://docs.vllm.ai/en/stable/features/reasoning_outputs/
# OpenRouter: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
ADDED_BY_SERVERS = ("reasoning", "reasoning_content", "reasoning_details")


# What OpenAI's guide sends with a screenshot and the types do not have: without it the picture may be made smaller, and the
# model would point at another place. https://developers.openai.com/api/docs/guides/tools-computer-use
SCREENSHOT_DETAIL = "detail"


def reader(kind):
    """Reads a `TypedDict` with everything in it, and nothing besides."""
    config = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    # A list of them: pydantic takes settings only for what is no class of its own.
    adapter = pydantic.TypeAdapter(list[kind], config=config)
    return lambda body: walked(adapter.validate_python([body]))


def walked(value):
    """Goes through all of it: what is an `Iterable` in the types is only looked at on the way."""
    if isinstance(value, dict):
        for item in value.values():
            walked(item)
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for item in value:
            walked(item)


read_messages, read_responses, read_chat = reader(Messages), reader(Responses), reader(Chat)


def of_anthropic(request):
    betas = [beta for beta in request["headers"].get("anthropic-beta", "").split(",") if beta]
    known = {beta for beta in anthropic_betas() if isinstance(beta, str)}
    assert set(betas) <= known, f"the package knows no beta {sorted(set(betas) - known)}"
    read_messages({**request["body"], "betas": betas})


def anthropic_betas():
    for part in typing.get_args(AnthropicBetaParam):
        yield from typing.get_args(part)


def of_responses(request):
    items = [
        {**item, "output": {name: value for name, value in item["output"].items() if name != SCREENSHOT_DETAIL}}
        if item["type"] == "computer_call_output"
        else item
        for item in request["body"]["input"]
    ]
    read_responses({**request["body"], "input": items})


def of_chat(request):
    messages = [
        {name: value for name, value in message.items() if name not in ADDED_BY_SERVERS}
        for message in request["body"]["messages"]
    ]
    read_chat({**request["body"], "messages": messages})


def of_google(request):
    """Their package has no type for the whole body: it is taken apart as their own client puts it together."""
    body = dict(request["body"])
    for content in body.pop("contents"):
        types.Content.model_validate_json(json.dumps(content))
    types.Content.model_validate_json(json.dumps(body.pop("systemInstruction", {})))
    for tool in body.pop("tools", []):
        types.Tool.model_validate(tool)
    types.ToolConfig.model_validate(body.pop("toolConfig", {}))
    types.GenerationConfig.model_validate(body.pop("generationConfig", {}))
    assert not body, f"unknown: {sorted(body)}"


READERS = (
    ("/messages", of_anthropic),
    ("/responses", of_responses),
    ("/chat/completions", of_chat),
    (":streamGenerateContent", of_google),
)


def read(request):
    path = request["path"].split("?")[0]
    [of] = [of for ending, of in READERS if path.endswith(ending)]
    of(request)
    return of.__name__.removeprefix("of_")


def told(error):
    """What is wrong, without what only says that it is none of the other kinds that could stand in its place."""
    found = error.errors(include_url=False, include_input=False)
    others = [one["loc"][:-1] for one in found if one["type"] == "literal_error" and one["loc"][-1] in ("type", "role")]
    real = [one for one in found if not any(one["loc"][: len(other)] == other for other in others)]
    for one in real or found:
        yield f"{'.'.join(str(part) for part in one['loc'] if '[' not in str(part))}: {one['msg']}"


def main():
    packages = (anthropic, openai, google.genai, pydantic)
    print(", ".join(f"{package.__name__} {package.__version__}" for package in packages), file=sys.stderr)
    n_read, wrong = {}, []
    with open(sys.argv[1]) as file:
        for request in map(json.loads, file):
            try:
                name = read(request)
                n_read[name] = n_read.get(name, 0) + 1
            except pydantic.ValidationError as error:
                wrong += [f"{request['name']} {request['path']}: {line}" for line in told(error)]
            except AssertionError as error:
                wrong.append(f"{request['name']} {request['path']}: {error}")
    for name, n in sorted(n_read.items()):
        print(f"{name}: {n} read")
    sys.exit("\n".join(dict.fromkeys(wrong)) or None)


main()
