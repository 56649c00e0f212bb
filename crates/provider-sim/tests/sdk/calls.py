"""Lets the official packages talk to our simulator, with their own clients and computer tools.

    python calls.py NAME=URL...

Each name is that of a script beside this file; the simulator at the address says its lines. What the packages understood
is printed, and every answer is read again by their own types: whatever those do not know, or miss, is an error.
"""

import base64
import struct
import sys
import warnings
import zlib

import anthropic
import google.genai
import openai
import pydantic
from anthropic.tools.computer import (
    BetaAbstractComputerToolset20260801,
    BetaComputerCursorPositionResult,
    BetaScreenshotResult,
)
from google.genai import types
from openai.lib.computer import ComputerToolset

SIZE = (1280, 720)
QUESTION = "What does the button say?"
ANSWER = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}


def png():
    """A grey picture."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", *SIZE, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\x80" * SIZE[0]) * SIZE[1]
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PICTURE = png()
ENCODED = base64.b64encode(PICTURE).decode()
DATA_URL = f"data:image/png;base64,{ENCODED}"


def strict(model):
    """The same, read again by its own type: their clients themselves take whatever comes."""
    again = type(model).model_validate(model.model_dump(by_alias=True, exclude_unset=True, warnings=False))
    unknown(again, type(model).__name__)
    return model


def unknown(value, at):
    """Says where a value has fields that its type does not know."""
    if isinstance(value, pydantic.BaseModel):
        assert not value.model_extra, f"{at} does not know {sorted(value.model_extra)}"
        for name in value.model_fields_set:
            unknown(getattr(value, name), f"{at}.{name}")
    elif isinstance(value, list):
        for idx, item in enumerate(value):
            unknown(item, f"{at}[{idx}]")


def shown(name, fields):
    said = ", ".join(f"{key}={value!r}" for key, value in sorted(fields.items()) if value is not None)
    print(f"  {name}({said})")


class AnthropicDesktop(BetaAbstractComputerToolset20260801):
    """Serves every member of the toolset."""

    def execute(self, context, name, input):
        shown(name, input.model_dump(exclude_unset=True))
        if name in ("screenshot", "zoom"):
            return BetaScreenshotResult(data=ENCODED)
        return BetaComputerCursorPositionResult(x=1, y=2) if name == "cursor_position" else None


def of_anthropic(url):
    client = anthropic.Anthropic(base_url=url, api_key="any", max_retries=0)
    for stream in (False, True):
        print(f"anthropic, computer_toolset_20260801, stream={stream}")
        runner = client.beta.messages.tool_runner(
            model="claude-opus-5-5",
            max_tokens=4096,
            thinking={"type": "adaptive", "display": "summarized"},
            tools=[AnthropicDesktop(confirm=lambda context: True)],
            messages=[{"role": "user", "content": QUESTION}],
            stream=stream,
            thread=False,
        )
        for message in runner:
            if stream:
                for _event in message:
                    pass
                message = message.get_final_message()
            told_by_anthropic(message)
    one_tool(client, "claude-opus-4-6", "computer_20251124", "computer-use-2025-11-24")
    one_tool(client, "claude-sonnet-4-5", "computer_20250124", "computer-use-2025-01-24")
    print("anthropic, errors")
    error("no tokens", anthropic.BadRequestError, lambda: ask_anthropic(client, max_tokens=-1))
    error("no beta", anthropic.BadRequestError, lambda: ask_anthropic(client, tools=[computer("computer_20251124")]))


def computer(kind):
    return {"type": kind, "name": "computer", "display_width_px": SIZE[0], "display_height_px": SIZE[1]}


def one_tool(client, model, kind, beta):
    """A turn with the computer as one tool, and the events of its stream one by one."""
    print(f"anthropic, {kind}")
    messages = [{"role": "user", "content": [{"type": "text", "text": QUESTION}, picture_block()]}]
    for _turn in range(2):
        asked = {"model": model, "max_tokens": 2048, "tools": [computer(kind)], "messages": messages, "betas": [beta]}
        for event in client.beta.messages.create(**asked, stream=True):
            strict(event)
        message = client.beta.messages.create(**asked)
        told_by_anthropic(message)
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": [picture_block()]}
            for block in message.content
            if block.type == "tool_use"
        ]
        for block in message.content:
            if block.type == "tool_use":
                shown(block.name, block.input)
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]


def picture_block():
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ENCODED}}


def told_by_anthropic(message):
    strict(message)
    words = [block.text for block in message.content if block.type == "text"]
    thoughts = [block.thinking for block in message.content if block.type == "thinking"]
    print(f"{message.stop_reason}: {words + thoughts}")
    assert message.usage.input_tokens >= 0 and message.usage.output_tokens > 0


def ask_anthropic(client, **fields):
    asked = {"model": "claude-opus-4-6", "max_tokens": 16, "messages": [{"role": "user", "content": QUESTION}]}
    return client.beta.messages.create(**{**asked, **fields})


def error(name, kind, call):
    try:
        call()
    except kind as refused:
        print(f"  {name}: {type(refused).__name__} {getattr(refused, 'status_code', None) or refused.code}")
        return
    raise AssertionError(f"{name}: nothing was refused")


class OpenAiDesktop:
    """Serves every action."""

    def __getattr__(self, name):
        if name not in ("click", "double_click", "drag", "keypress", "move", "scroll", "type", "wait"):
            raise AttributeError(name)
        return lambda action: shown(name, action.model_dump(exclude={"type"}))

    def screenshot(self):
        return {"type": "computer_screenshot", "image_url": DATA_URL}


def of_openai(url):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="any", max_retries=0)
    asked = {
        "model": "gpt-5.4",
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": QUESTION},
                    {"type": "input_image", "image_url": DATA_URL, "detail": "original"},
                ],
            }
        ],
        "reasoning": {"effort": "low", "summary": "auto"},
    }
    print("openai, the computer tool, run by their own loop")
    final = ComputerToolset(OpenAiDesktop()).run(client, asked, approve_safety_checks=lambda call: True)
    strict(final)
    print(f"{final.status}: {final.output_text}")
    print("openai, the computer tool, streamed and linked")
    link = {}
    for _turn in range(3):
        with client.responses.stream(**asked, **link, tools=[{"type": "computer"}]) as events:
            for event in events:
                strict(event)
            response = events.get_final_response()
        calls = [item for item in response.output if item.type == "computer_call"]
        for call in calls:
            print(f"  {[action.type for action in call.actions]}")
        link = {"previous_response_id": response.id}
        output = {"type": "computer_screenshot", "image_url": DATA_URL}
        asked["input"] = [{"type": "computer_call_output", "call_id": call.call_id, "output": output} for call in calls]
    print("openai, errors")
    error("no text", openai.BadRequestError, lambda: client.responses.create(model="gpt-5.4", input=1))
    error("a link", openai.BadRequestError, lambda: client.responses.create(input=QUESTION, previous_response_id="x"))


def of_functions(url):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="any", max_retries=0)
    function = {"name": "answer", "description": "Answers.", "parameters": ANSWER, "strict": True}
    print("openai, functions over responses")
    items = [{"role": "user", "content": QUESTION}]
    for _turn in range(3):
        response = strict(
            client.responses.create(model="gpt-5.4", input=items, tools=[{"type": "function", **function}])
        )
        calls = [item for item in response.output if item.type == "function_call"]
        for call in calls:
            print(f"  {call.name}({call.arguments})")
        items += response.output
        items += [{"type": "function_call_output", "call_id": call.call_id, "output": "noted"} for call in calls]
    print(f"{response.status}: {response.output_text}")
    print("openai, functions over chat")
    content = [{"type": "text", "text": QUESTION}, {"type": "image_url", "image_url": {"url": DATA_URL}}]
    messages = [{"role": "user", "content": content}]
    for _turn in range(3):
        asked = {"model": "gpt-5.4", "messages": messages, "tools": [{"type": "function", "function": function}]}
        whole = strict(client.chat.completions.create(**asked)).choices[0].message
        with client.chat.completions.stream(**asked, stream_options={"include_usage": True}) as events:
            for event in events:
                if event.type == "chunk":
                    strict(event.chunk)
            streamed = events.get_final_completion()
        assert streamed.usage.total_tokens > 0
        calls = streamed.choices[0].message.tool_calls or []
        said = [f"{call.function.name}({call.function.arguments})" for call in calls]
        assert said == [f"{call.function.name}({call.function.arguments})" for call in whole.tool_calls or []]
        print(f"  {said or streamed.choices[0].message.content}")
        messages.append(whole.model_dump(exclude_none=True))
        messages += [{"role": "tool", "tool_call_id": call.id, "content": "noted"} for call in whole.tool_calls or []]


def of_google(url):
    options = types.HttpOptions(base_url=url, retry_options=types.HttpRetryOptions(attempts=1))
    client = google.genai.Client(api_key="any", http_options=options)
    answer = types.FunctionDeclaration(name="answer", description="Answers.", parameters_json_schema=ANSWER)
    browser = types.ComputerUse(environment=types.Environment.ENVIRONMENT_BROWSER)
    config = types.GenerateContentConfig(
        system_instruction="You use a computer.",
        max_output_tokens=4096,
        tools=[types.Tool(computer_use=browser), types.Tool(function_declarations=[answer])],
        thinking_config=types.ThinkingConfig(include_thoughts=True),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    seen = types.Part.from_bytes(data=PICTURE, mime_type="image/png")
    contents = [types.Content(role="user", parts=[types.Part(text=QUESTION), seen])]
    print("google, computer use")
    for _turn in range(5):
        asked = {"model": "gemini-2.5-computer-use-preview-10-2025", "contents": contents, "config": config}
        whole = strict(client.models.generate_content(**asked))
        parts = [part for chunk in client.models.generate_content_stream(**asked) for part in strict(chunk).parts or []]
        calls = [part.function_call for part in parts if part.function_call]
        for call in calls:
            shown(call.name, call.args)
        assert [call.name for call in calls] == [call.name for call in whole.function_calls or []]
        text = "".join(part.text for part in parts if part.text)
        print(f"{whole.candidates[0].finish_reason.name}: {text}")
        assert whole.usage_metadata.total_token_count > 0
        results = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call.id,
                    name=call.name,
                    response={"url": "about:blank"},
                    parts=[types.FunctionResponsePart.from_bytes(data=PICTURE, mime_type="image/png")],
                )
            )
            for call in whole.function_calls or []
        ]
        contents += [whole.candidates[0].content, types.Content(role="user", parts=results)]
    print("google, errors")
    empty = {"model": "gemini-3.5-flash", "contents": types.Content(role="robot", parts=[seen])}
    error("a role", google.genai.errors.ClientError, lambda: client.models.generate_content(**empty))


def main():
    warnings.simplefilter("ignore", DeprecationWarning)  # Models that are retired one day; theirs is the older tool.
    names = ", ".join(
        f"{package.__name__} {package.__version__}" for package in (anthropic, openai, google.genai, pydantic)
    )
    print(names, file=sys.stderr)
    places = dict(place.split("=", 1) for place in sys.argv[1:])
    for name, talk in (
        ("anthropic", of_anthropic),
        ("openai", of_openai),
        ("functions", of_functions),
        ("google", of_google),
    ):
        talk(places[name])


main()
