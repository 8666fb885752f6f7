# Made from the file of the same name in _async by `npm run generate`.
"""Sends requests, retries them where that is safe, and reads responses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Callable, TypeVar, Union

import httpx

from .. import _platform_sync as platform
from .._answer import MAX_ERROR_BYTES, MAX_JSON_BYTES, error_from, json_from, next_page
from .._connection import HEADERS, KeyAuth, service_address
from .._request import Request, build
from .._retry import RetryPolicy, may_repeat_failure, may_repeat_status
from ..documents import File, PathLike, Target, describe_file
from ..errors import ConnectionError, DocmillError, UnexpectedResponseError

Result = TypeVar("Result")


@dataclass
class _Failure:
    error: DocmillError
    may_repeat: bool


class Transport:
    """A connection pool with the key, the timeouts and the retry policy."""

    def __init__(
        self,
        api_key: str | None,
        base_url: str | None,
        timeout: httpx.Timeout | float,
        retry: RetryPolicy,
        transport: httpx.BaseTransport | None,
        verify: Any,
    ) -> None:
        self.base_url = service_address(base_url)
        self._retry = retry
        self._timeout = httpx.Timeout(timeout)
        self._http = httpx.Client(
            auth=KeyAuth(api_key),
            headers=HEADERS,
            timeout=self._timeout,
            # A redirect could send the request, and even the key, to another address.
            follow_redirects=False,
            transport=transport,
            verify=verify,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def json(self, request: Request) -> Any:
        """The JSON of the response; None for 204."""
        return (self.json_and_headers(request))[0]

    def json_and_headers(self, request: Request) -> tuple[Any, httpx.Headers]:
        """The JSON of the response, and its headers."""

        def receive(response: httpx.Response) -> tuple[Any, httpx.Headers]:
            content = _read(response, MAX_JSON_BYTES)
            return (None if response.status_code == 204 else json_from(response, content)), response.headers

        return self._exchange(request, receive)

    def text(self, request: Request) -> str:
        """The text of the response."""

        def receive(response: httpx.Response) -> str:
            return (_read(response, MAX_JSON_BYTES)).decode("utf-8")

        return self._exchange(request, receive)

    def pages(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        """The entries of all pages of a list."""

        def receive(response: httpx.Response) -> tuple[Any, dict[str, str] | None]:
            return json_from(response, _read(response, MAX_JSON_BYTES)), next_page(response)

        request: Request | None = build("GET", path, query=query)
        seen: dict[str, str] | None = None
        while request is not None:
            entries, following = self._exchange(request, receive)
            for entry in entries:
                yield entry
            # A link to the same page would cause an endless loop.
            request = None if following is None or following == seen else build("GET", path, query=following)
            seen = following

    def file(self, request: Request, to: PathLike | None) -> tuple[File, httpx.Headers]:
        """The file of the response, in memory or at a path.

        Resumes an interrupted download if the file is still the same. A generated document is requested again with
        the same idempotency key.
        """
        target = platform.run(Target, to)
        try:

            def receive(response: httpx.Response) -> tuple[File, httpx.Headers]:
                is_part = response.status_code == 206
                if is_part and not _begins_at(response, target.file.tell()):
                    request.headers.pop("Range", None)
                    raise httpx.RemoteProtocolError("the answer is a part of the file that was not asked for")
                if not is_part:
                    target.restart()
                if request.method == "GET" and (etag := response.headers.get("ETag")):
                    request.headers["If-Range"] = etag
                try:
                    for chunk in response.iter_bytes():
                        platform.run(target.file.write, chunk)
                finally:
                    if "If-Range" in request.headers and target.file.tell() > 0:
                        request.headers["Range"] = f"bytes={target.file.tell()}-"
                size = target.file.tell()
                return describe_file(response, target, size, platform.run(target.finish)), response.headers

            if "Accept-Encoding" not in request.headers:
                # Byte ranges refer to the unencoded file.
                request.headers["Accept-Encoding"] = "identity"
            return self._exchange(request, receive)
        finally:
            platform.run(target.discard)

    def lines(self, request: Request) -> Iterator[str]:
        """The lines of a stream until it ends. Ends without an error if the connection breaks after the first line."""
        has_begun, failure = False, None
        try:
            with self._http.stream(**self._arguments(request)) as response:
                if response.status_code >= 300:
                    content = _read(response, MAX_ERROR_BYTES)
                    raise error_from(response.status_code, response.headers, content)
                for line in response.iter_lines():
                    has_begun = True
                    yield line.rstrip("\r\n")
        except httpx.TransportError as error:
            if not has_begun:
                failure = ConnectionError(f"No answer from {self.base_url}: {type(error).__name__}: {error}")
        if failure is not None:
            raise failure

    def _exchange(self, request: Request, receive: Callable[[httpx.Response], Result]) -> Result:
        retried = 0
        while True:
            outcome = self._attempt(request, receive)
            if not isinstance(outcome, _Failure):
                return outcome
            pause = self._retry.pause(retried, outcome.error.retry_after) if outcome.may_repeat else None
            if pause is None:
                raise outcome.error
            retried += 1
            platform.sleep(pause)

    def _attempt(
        self, request: Request, receive: Callable[[httpx.Response], Result]
    ) -> Union[Result, _Failure]:
        try:
            with self._http.stream(**self._arguments(request)) as response:
                status = response.status_code
                if status < 300:
                    return receive(response)
                content = _read(response, MAX_ERROR_BYTES)
                if status < 400:
                    message = f"The service redirects (status {status}): pass the address that it redirects to as base_url"
                    return _Failure(UnexpectedResponseError(message, status=status), False)
                return _Failure(error_from(status, response.headers, content), may_repeat_status(request, status))
        except httpx.TransportError as error:
            # httpx's error holds the request with its key, so it is not kept.
            failure = ConnectionError(f"No complete answer from {self.base_url}: {type(error).__name__}: {error}")
            return _Failure(failure, may_repeat_failure(request, error))
        except (httpx.DecodingError, UnicodeDecodeError):
            return _Failure(ConnectionError(f"The answer from {self.base_url} is damaged"), request.can_repeat)

    def _arguments(self, request: Request) -> dict[str, Any]:
        content: Any = request.body
        headers = dict(request.headers)
        if content is not None and not isinstance(content, bytes):
            if isinstance(content, Path):
                headers["Content-Length"] = str(os.stat(content).st_size)
            content = platform.chunks(content)
        timeout = httpx.Timeout(
            connect=self._timeout.connect,
            read=self._timeout.read if request.read_timeout is None else request.read_timeout,
            write=self._timeout.write,
            pool=self._timeout.pool,
        )
        url = f"{self.base_url}{request.path}"
        query = dict(request.query)
        return {
            "method": request.method,
            "url": url,
            "params": query or None,
            "headers": headers,
            "content": content,
            "timeout": timeout,
        }


def _read(response: httpx.Response, limit: int) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > limit:
            raise UnexpectedResponseError(f"The answer has more than {limit} bytes", status=response.status_code)
    return bytes(content)


def _begins_at(response: httpx.Response, position: int) -> bool:
    found: str = response.headers.get("Content-Range", "")
    return found.startswith(f"bytes {position}-")
