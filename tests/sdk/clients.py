"""How each client is asked for a stream; nothing here knows what it will give."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

anthropic: Any = pytest.importorskip("anthropic")
boto3: Any = pytest.importorskip("boto3")
cohere: Any = pytest.importorskip("cohere")
config: Any = pytest.importorskip("botocore.config")
genai: Any = pytest.importorskip("google.genai")
mistralai: Any = pytest.importorskip("mistralai.client")
ollama: Any = pytest.importorskip("ollama")
openai: Any = pytest.importorskip("openai")

if TYPE_CHECKING:
    from collections.abc import Callable

MESSAGES: Any = [{"role": "user", "content": "Hello"}]


class Client(NamedTuple):
    """How streams of one form are asked for.

    Attributes:
        stream: Returns a stream, given the URL of a server.
        astream: Returns an async one, or what has to be awaited to get it; ``None``
            where the client has none.
        on_trio: Whether the async client runs on Trio, too.
    """

    stream: Callable[[str], Any]
    astream: Callable[[str], Any] | None
    on_trio: bool = True


_KEPT: list[Any] = []


def _made(make: Callable[..., Any], url: str) -> Any:
    """Return a client for a server; kept, as one that is collected ends its streams.

    Always a new one: another test may have had a server at the same port, and a client
    keeps to the event loop that it was first used on.
    """
    client = make(url)
    _KEPT.append(client)
    return client


def _openai(cls: Any) -> Callable[[str], Any]:
    return lambda url: cls(base_url=url, api_key="none", max_retries=0)


_PLAIN_OPENAI, _ASYNC_OPENAI = _openai(openai.OpenAI), _openai(openai.AsyncOpenAI)


def openai_client(url: str) -> Any:
    """Return OpenAI's client."""
    return _made(_PLAIN_OPENAI, url)


def _openai_client(ask: Callable[[Any], Any]) -> Client:
    return Client(
        lambda url: ask(_made(_PLAIN_OPENAI, url)),
        lambda url: ask(_made(_ASYNC_OPENAI, url)),
    )


def _anthropic_messages(api: Any) -> Any:
    return api.messages.create(model="m", max_tokens=9, messages=MESSAGES, stream=True)


def _anthropic(cls: Any) -> Callable[[str], Any]:
    return lambda url: cls(base_url=url, api_key="none", max_retries=0)


PLAIN_ANTHROPIC = _anthropic(anthropic.Anthropic)
ASYNC_ANTHROPIC = _anthropic(anthropic.AsyncAnthropic)


def anthropic_helper(url: str, make: Callable[[str], Any] = PLAIN_ANTHROPIC) -> Any:
    """Return the context manager of the helper stream."""
    api = _made(make, url)
    return api.messages.stream(model="m", max_tokens=9, messages=MESSAGES)


def _google(url: str) -> Any:
    options = genai.types.HttpOptions(base_url=url)
    return genai.Client(api_key="none", vertexai=False, http_options=options)


def _gemini(models: Any) -> Any:
    return models.generate_content_stream(model="m", contents="Hello")


def _interactions(api: Any) -> Any:
    return api.interactions.create(model="m", input="Hello", stream=True)


def _mistral(url: str) -> Any:
    return mistralai.Mistral(api_key="none", server_url=url)


def _cohere(cls: Any, **options: Any) -> Callable[[str], Any]:
    return lambda url: cls("none", base_url=url).chat_stream(**options)


def _ollama(cls: Any) -> Callable[[str], Any]:
    return lambda url: cls(host=url)


_PLAIN_OLLAMA, _ASYNC_OLLAMA = _ollama(ollama.Client), _ollama(ollama.AsyncClient)


def _ollama_chat(api: Any) -> Any:
    return api.chat(model="m", messages=MESSAGES, stream=True)


def _ollama_generate(api: Any) -> Any:
    return api.generate(model="m", prompt="Hello", stream=True)


def _bedrock(url: str) -> Any:
    return boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=url,
        aws_access_key_id="none",
        aws_secret_access_key="none",  # noqa: S106 - none is needed
        config=config.Config(retries={"total_max_attempts": 1}),
    )


def _converse(url: str) -> Any:
    messages = [{"role": "user", "content": [{"text": "Hello"}]}]
    response = _made(_bedrock, url).converse_stream(modelId="m", messages=messages)
    return response["stream"]


def _invoke(url: str) -> Any:
    api = _made(_bedrock, url)
    return api.invoke_model_with_response_stream(modelId="m", body="{}")["body"]


CLIENTS: dict[str, Client] = {
    "openai-chat": _openai_client(
        lambda api: api.chat.completions.create(
            model="m", messages=MESSAGES, stream=True
        )
    ),
    "openai-completions": _openai_client(
        lambda api: api.completions.create(model="m", prompt="Hello", stream=True)
    ),
    "openai-responses": _openai_client(
        lambda api: api.responses.create(model="m", input="Hello", stream=True)
    ),
    "openai-assistants": _openai_client(
        lambda api: api.beta.threads.runs.create("t", assistant_id="a", stream=True)
    ),
    "anthropic-messages": Client(
        lambda url: _anthropic_messages(_made(PLAIN_ANTHROPIC, url)),
        lambda url: _anthropic_messages(_made(ASYNC_ANTHROPIC, url)),
    ),
    "gemini": Client(
        lambda url: _gemini(_made(_google, url).models),
        lambda url: _gemini(_made(_google, url).aio.models),
        on_trio=False,
    ),
    "gemini-interactions": Client(
        lambda url: _interactions(_made(_google, url)),
        lambda url: _interactions(_made(_google, url).aio),
        on_trio=False,
    ),
    "mistral": Client(
        lambda url: _made(_mistral, url).chat.stream(model="m", messages=MESSAGES),
        lambda url: _made(_mistral, url).chat.stream_async(
            model="m", messages=MESSAGES
        ),
        on_trio=False,
    ),
    "cohere-v1": Client(
        _cohere(cohere.Client, message="Hello"),
        _cohere(cohere.AsyncClient, message="Hello"),
    ),
    "cohere-v2": Client(
        _cohere(cohere.ClientV2, model="m", messages=MESSAGES),
        _cohere(cohere.AsyncClientV2, model="m", messages=MESSAGES),
    ),
    "ollama-chat": Client(
        lambda url: _ollama_chat(_made(_PLAIN_OLLAMA, url)),
        lambda url: _ollama_chat(_made(_ASYNC_OLLAMA, url)),
    ),
    "ollama-generate": Client(
        lambda url: _ollama_generate(_made(_PLAIN_OLLAMA, url)),
        lambda url: _ollama_generate(_made(_ASYNC_OLLAMA, url)),
    ),
    "bedrock-converse": Client(_converse, None),
    "bedrock-invoke": Client(_invoke, None),
}


async def awaited(stream: Any) -> Any:
    """Return *stream* itself, or what it gives when awaited."""
    return await stream if isawaitable(stream) else stream
