"""A server that follows a script of replies, and a proxy that loses responses."""

from __future__ import annotations

import socket
import socketserver
import threading
from dataclasses import dataclass, field
from typing import Callable, Iterator
from urllib.parse import urlsplit
from contextlib import contextmanager


@dataclass
class Received:
    """A request as received."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes = field(repr=False)


Reply = Callable[[Received, socket.socket], None]


class Server:
    """Answers each request on its own connection; the last reply of the script is repeated."""

    def __init__(self, replies: list[Reply]) -> None:
        self.requests: list[Received] = []
        self.failures: list[str] = []
        self._replies = replies
        server = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.settimeout(30)
                try:
                    received = read_request(self.request)
                    server.requests.append(received)
                    replies = server._replies
                    replies[min(len(server.requests), len(replies)) - 1](received, self.request)
                except OSError as error:
                    server.failures.append(repr(error))

        class Threaded(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Threaded(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serve(*replies: Reply) -> Iterator[Server]:
    """Starts a server with a script."""
    server = Server(list(replies))
    try:
        yield server
    finally:
        server.close()


def read_request(connection: socket.socket) -> Received:
    """Reads one request with its whole body."""
    stream = connection.makefile("rb")
    start = stream.readline().decode("latin-1").split(" ")
    if len(start) < 2:
        raise OSError("the client closed the connection")
    headers: dict[str, str] = {}
    while (line := stream.readline().decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while (size := int(stream.readline(), 16)) > 0:
            body += stream.read(size)
            stream.readline()
        stream.readline()
    else:
        body = stream.read(int(headers.get("content-length", "0")))
    return Received(start[0], start[1], headers, body)


def answer(status: int, body: bytes = b"", **headers: str) -> Reply:
    """A complete response; `_` in header names is replaced by `-`."""

    def reply(_: Received, connection: socket.socket) -> None:
        connection.sendall(head(status, len(body), headers) + body)

    return reply


def half(status: int, body: bytes, sent: int, **headers: str) -> Reply:
    """A response that breaks off after some bytes of its body."""

    def reply(_: Received, connection: socket.socket) -> None:
        connection.sendall(head(status, len(body), headers) + body[:sent])

    return reply


def drop(_: Received, connection: socket.socket) -> None:
    """Reads the request and closes the connection without a response."""
    connection.close()


def head(status: int, length: int, headers: dict[str, str]) -> bytes:
    """The status line and the headers."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {length}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def forward(url: str, keep: Callable[[bytes], bytes | None]) -> Reply:
    """Forwards the request to the service, and returns the part of its response that `keep` selects, or nothing."""

    def reply(received: Received, connection: socket.socket) -> None:
        kept = keep(exchange(url, received))
        if kept is not None:
            connection.sendall(kept)

    return reply


def exchange(url: str, received: Received) -> bytes:
    """Sends a request and returns the bytes of the response."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port or 80), timeout=60) as upstream:
        headers = {name: value for name, value in received.headers.items() if name != "transfer-encoding"}
        headers.update({"connection": "close", "content-length": str(len(received.body))})
        lines = [f"{received.method} {received.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        upstream.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + received.body)
        content = b""
        while chunk := upstream.recv(65536):
            content += chunk
        return content
