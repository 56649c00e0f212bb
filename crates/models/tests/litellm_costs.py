"""Prices calls as litellm does: reads models and calls as JSON from standard input, writes the costs in US dollars."""

import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm.llms.anthropic.chat.transformation import AnthropicConfig
from litellm.llms.vertex_ai.gemini.vertex_and_google_ai_studio_gemini import VertexGeminiConfig
from litellm.responses.utils import ResponseAPILoggingUtils
from litellm.types.utils import Choices, Message, ModelResponse, Usage


def usage_of(provider, body):
    """What a provider's own answer says it used, as litellm reads it."""
    if provider == "anthropic":
        return AnthropicConfig().calculate_usage(usage_object=body["usage"], reasoning_content=None)
    if provider == "gemini":
        return VertexGeminiConfig._calculate_usage(completion_response=body)
    if provider == "openai":
        return ResponseAPILoggingUtils._transform_response_api_usage_to_chat_usage(body["usage"])
    return Usage(**body["usage"])


def cost_of(call):
    usage = usage_of(call["provider"], call["body"])
    choices = [Choices(message=Message(content="Done.", role="assistant"))]
    answer = ModelResponse(model=call["model"], choices=choices, usage=usage)
    return litellm.completion_cost(answer, model=call["model"], custom_llm_provider=call["provider"])


litellm.suppress_debug_info = True
asked = json.load(sys.stdin)
litellm.register_model(asked["models"])
json.dump([cost_of(call) for call in asked["calls"]], sys.stdout)
