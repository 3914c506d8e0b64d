"""The examples of the how-tos for clients, with recorded answers."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser

from chunkwise import iter_chunks, text_deltas
from tests.recorded_events import events_of, recordings
from tests.sdk.replay import Replay
from tests.sdk.test_replays import answers
from tests.test_docs import ROOT

PAGES = {
    "read-anthropic": {"/messages": "anthropic-messages"},
    "read-bedrock": {"/converse-stream": "bedrock-converse"},
    "read-frameworks": {"/chat/completions": "openai-chat"},
    "read-google": {":streamGenerateContent?alt=sse": "gemini"},
    "read-openai": {
        "/chat/completions": "openai-chat",
        "/responses": "openai-responses",
    },
    "read-other-clients": {
        "/completions": "mistral",
        "/v2/chat": "cohere-v2",
        "/api/chat": "ollama-chat",
    },
}
"""The forms of the answers that a page's clients get, by the ends of their requests."""

SETTINGS = {
    "OPENAI_BASE_URL": "{}",
    "ANTHROPIC_BASE_URL": "{}",
    "GOOGLE_GEMINI_BASE_URL": "{}",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "{}",
    "MISTRAL_URL": "{}",
    "CO_API_URL": "{}",
    "OLLAMA_HOST": "{}",
    "OPENAI_API_KEY": "none",
    "ANTHROPIC_API_KEY": "none",
    "GEMINI_API_KEY": "none",
    "AWS_ACCESS_KEY_ID": "none",
    "AWS_SECRET_ACCESS_KEY": "none",
    "MISTRAL_API_KEY": "none",
    "CO_API_KEY": "none",
}
"""What tells the clients which server to ask; ``{}`` is its address."""

pytestmark = [
    pytest.mark.skipif(not recordings(), reason="the recorded answers are not there"),
    pytest.mark.filterwarnings("ignore"),  # of the clients, about themselves
]


def test_every_page_for_a_client_is_run() -> None:
    pages = Path(ROOT, "docs", "howto").glob("read-*.md")
    assert {page.stem for page in pages} == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Sybil(parsers=[PythonCodeBlockParser()]).parse(
        ROOT / "docs" / "howto" / f"{page}.md"
    )
    document.namespace["__name__"] = "example"
    forms = PAGES[page]
    given = {end: answers(api)[0] for end, api in forms.items()}
    printed = io.StringIO()
    with Replay(next(iter(given.values()))) as replay:
        replay.others = given
        for name, value in SETTINGS.items():
            monkeypatch.setenv(name, value.format(replay.url))
        with contextlib.redirect_stdout(printed):
            for example in document.examples():
                example.evaluate()
    for recording in given.values():
        first = next(iter_chunks(text_deltas(events_of(recording))))
        assert f"{first}\n" in printed.getvalue()
