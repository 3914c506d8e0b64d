"""Text out of what the clients of language models stream, recognised by its shape."""

from __future__ import annotations

from ._anthropic import anthropic
from ._bedrock import bedrock_converse
from ._by_choice import AsyncChoiceDeltas, ChoiceDeltas, aby_choice, by_choice
from ._extraction import Extractor
from ._frameworks import langchain, pydantic_ai
from ._google import gemini, gemini_interactions
from ._openai import (
    mistral,
    openai_assistants,
    openai_chat,
    openai_completions,
    openai_responses,
)
from ._part import Ending, Kind, Part
from ._services import cloudflare, cohere, ollama, watsonx
from ._shapes import bedrock_invoke, llama_index
from ._tags import (
    AsyncTagSplit,
    Keep,
    TagDelta,
    TagSplit,
    asplit_tags,
    split_tags,
)
from ._text_deltas import AsyncTextDeltas, TextDeltas, atext_deltas, text_deltas

__all__ = [
    "AsyncChoiceDeltas",
    "AsyncTagSplit",
    "AsyncTextDeltas",
    "ChoiceDeltas",
    "Ending",
    "Extractor",
    "Keep",
    "Kind",
    "Part",
    "TagDelta",
    "TagSplit",
    "TextDeltas",
    "aby_choice",
    "anthropic",
    "asplit_tags",
    "atext_deltas",
    "bedrock_converse",
    "bedrock_invoke",
    "by_choice",
    "cloudflare",
    "cohere",
    "gemini",
    "gemini_interactions",
    "langchain",
    "llama_index",
    "mistral",
    "ollama",
    "openai_assistants",
    "openai_chat",
    "openai_completions",
    "openai_responses",
    "pydantic_ai",
    "split_tags",
    "text_deltas",
    "watsonx",
]
