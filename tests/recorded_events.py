"""The events of recorded bodies, as dictionaries, taken apart without any SDK."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(os.environ.get("CHUNKWISE_DATA", "../shared/data"), "streams", "raw")


class Recording(NamedTuple):
    """A recorded answer of a service.

    Attributes:
        id: Of the stream; begins with ``x`` where there is no text.
        api: The form of its events.
        path: Of the request.
        content_type: Of the body.
        body: The answer.
        text: All text of its first choice.
        finish: The service's word for the end, as whoever recorded it noted it.
    """

    id: str
    api: str
    path: str
    content_type: str
    body: bytes
    text: str
    finish: str | None


def recordings(*apis: str) -> list[Recording]:
    """Return all recordings of these forms, or all; none without the data."""
    found = []
    for file in sorted(FOLDER.glob("*.json")):
        fixture = json.loads(file.read_text("utf-8"))
        if apis and fixture["api"] not in apis:
            continue
        if "body_base64" in fixture:
            body = base64.b64decode(fixture["body_base64"])
        else:
            body = fixture["body"].encode()
        found.append(
            Recording(
                fixture["id"],
                fixture["api"],
                fixture["path"],
                fixture["content_type"],
                body,
                fixture["expected_text"],
                fixture["finish"],
            )
        )
    return found


def events_of(recording: Recording) -> Iterator[dict[str, Any]]:
    """Yield the events of a recording, as a client without an SDK would read them."""
    if "eventstream" in recording.content_type:
        yield from _frames(recording.body, invoke="invoke" in recording.api)
        return
    body = recording.body.decode().replace("\r\n", "\n")
    for line in body.split("\n"):
        data = line
        if "ndjson" not in recording.content_type:
            if not line.startswith("data:"):
                continue
            data = line.removeprefix("data:")
        if data.strip() not in {"", "[DONE]"}:
            yield json.loads(data)


def _frames(body: bytes, *, invoke: bool) -> Iterator[dict[str, Any]]:
    """Yield the messages of an AWS event stream as boto3 gives them.

    Each begins with its length and that of its headers, and ends with a checksum.
    """
    at = 0
    while at < len(body):
        size = int.from_bytes(body[at : at + 4], "big")
        start = at + 12 + int.from_bytes(body[at + 4 : at + 8], "big")
        headers = body[at + 12 : start]
        payload = json.loads(body[start : at + size - 4])
        at += size
        if invoke:
            data = base64.b64decode(payload["bytes"])
            yield {"chunk": {"bytes": data}}
        else:
            name = headers.partition(b":event-type")[2][3:].partition(b"\r")[0]
            yield {name.decode("ascii"): payload}
