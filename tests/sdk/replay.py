"""A server on the loopback interface that answers requests with a recording."""

from __future__ import annotations

import select
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from tests.recorded_events import Recording

SLOW = 0.01
"""Seconds between two events of a slow answer."""


class _QuietServer(ThreadingHTTPServer):
    # Nobody waits for a client that keeps its connection open, or complains of one
    # that drops it.
    daemon_threads = True
    block_on_close = False

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent."""


class Replay:
    """Serves a recording, either in odd pieces or event by event and slowly.

    Args:
        recording: The answer to the first request.
        slow: Whether events come one by one, again and again, until the client goes.

    Attributes:
        url: Of the server.
        recording: The answer to the next request.
        others: Answers to requests whose path has one of these ends.
        gone: Set as soon as the client has closed the connection of a slow answer.
    """

    def __init__(self, recording: Recording, *, slow: bool = False) -> None:
        self.recording = recording
        self.others: dict[str, Recording] = {}
        self._slow = slow
        self.gone = threading.Event()
        replay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            @override
            def log_message(self, format: str, *args: object) -> None:
                """Stay silent."""

            def do_POST(self) -> None:
                replay._answer(self)

        self._server = _QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        self._server.serve_forever(poll_interval=0.01)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        request.rfile.read(int(request.headers.get("content-length") or 0))
        recording = self.recording
        for end, other in self.others.items():
            if request.path.endswith(end):
                recording = other
        request.send_response(200)
        request.send_header("content-type", recording.content_type)
        request.send_header("transfer-encoding", "chunked")
        request.end_headers()
        try:
            for piece in self._pieces(recording.body):
                if self._slow and _has_left(request.connection):
                    raise ConnectionResetError
                request.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            request.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.gone.set()
            request.close_connection = True

    def _pieces(self, body: bytes) -> Iterator[bytes]:
        if self._slow:
            while True:
                yield from pieces_of(body)
        # Odd sizes, so that characters are cut on the wire.
        size = 61 if len(body) < 20_000 else 997
        for at in range(0, len(body), size):
            yield body[at : at + size]


def pieces_of(body: bytes) -> list[bytes]:
    """Return the events of *body*, each with what separates it from the next."""
    if body.startswith(b"\0\0"):
        frames = []
        while body:
            size = int.from_bytes(body[:4], "big")
            frames.append(body[:size])
            body = body[size:]
        return frames
    for separator in (b"\r\n\r\n", b"\n\n", b"\n"):
        if separator in body:
            break
    else:
        return [body]
    return [piece + separator for piece in body.split(separator) if piece]


def _has_left(connection: socket.socket) -> bool:
    """Wait a little, and return whether the other side has closed meanwhile."""
    if not select.select([connection], [], [], SLOW)[0]:
        return False
    return connection.recv(1, socket.MSG_PEEK) == b""
