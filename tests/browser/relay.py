"""A connection between a browser and a server that can break."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator


class Relay(ThreadingTCPServer):
    """Passes on bytes in both directions, on an address of its own.

    Args:
        url: Where the server is.
    """

    daemon_threads = True

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        behind = urlsplit(url)
        self.behind = (behind.hostname, behind.port)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self._open: list[socket.socket] = []
        self._swallowed = b""
        self._is_swallowing = False
        self._changed = threading.Condition()

    def join(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on bytes between the two until either ends, or `cut` is called."""
        with self._changed:
            self._open += [client, server]
        back = threading.Thread(target=self._pump, args=(server, client))
        back.start()
        self._pump(client, server)
        back.join()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if not self._swallow(data):
                    target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _swallow(self, data: bytes) -> bool:
        with self._changed:
            if self._is_swallowing:
                self._swallowed += data
                self._changed.notify_all()
            return self._is_swallowing

    def swallow(self) -> None:
        """Lose whatever is sent from now on, in silence, until `cut` is called."""
        with self._changed:
            self._is_swallowing = True

    def has_swallowed(self, data: bytes, seconds: float) -> bool:
        """Wait until that was lost, at most so long, and return whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: data in self._swallowed, seconds)

    def cut(self) -> None:
        """Break all connections; new ones are good again."""
        with self._changed:
            self._is_swallowing = False
            broken, self._open = self._open, []
        for end in broken:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class _Connection(BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection(self.server.behind) as server:
            self.server.join(self.request, server)


@contextmanager
def relayed(url: str) -> Iterator[Relay]:
    """Stand between a browser and the server at *url*."""
    with Relay(url) as relay:
        thread = threading.Thread(target=relay.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            thread.join()
            relay.cut()
