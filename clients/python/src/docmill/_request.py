"""The requests that the transports send, and their bodies."""

from __future__ import annotations

import json
import os
import re
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Mapping, Union

import httpx

FileSource = Union[str, "os.PathLike[str]", bytes, BinaryIO]
"""A path, the bytes themselves, or a file opened for reading bytes."""

MAX_UPLOAD_BYTES = 32 * 1024 * 1024
"""The largest upload that is read; the service's limits are lower (10 MB for a template)."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass
class Request:
    """A request that can be sent repeatedly with the same bytes."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: Union[bytes, BinaryIO, Path, None] = field(default=None, repr=False)
    """Bytes, a file positioned at its beginning, or a path that is opened for each attempt."""
    read_timeout: float | None = None
    changes_nothing: bool = False

    @property
    def can_repeat(self) -> bool:
        """Whether sending it twice has the effect of sending it once: reads, and requests with an idempotency key."""
        return self.method == "GET" or self.changes_nothing or "Idempotency-Key" in self.headers


def build(
    method: str,
    path: str,
    *,
    query: Mapping[str, Any] | None = None,
    headers: Mapping[str, str | None] | None = None,
    json_body: Any = None,
    body: Union[bytes, BinaryIO, Path, None] = None,
    content_type: str | None = None,
    idempotency_key: str | None = None,
    read_timeout: float | None = None,
    changes_nothing: bool = False,
) -> Request:
    """Builds a request. Every POST that changes something gets an idempotency key, which all its attempts share."""
    every = {name: value for name, value in (headers or {}).items() if value is not None}
    if method == "POST" and not changes_nothing:
        every["Idempotency-Key"] = check_header(idempotency_key) if idempotency_key is not None else f"py-{uuid.uuid4()}"
    if json_body is not None:
        # NaN is not valid JSON; without this check, the service would report a position instead of a name.
        body = json.dumps(json_body, ensure_ascii=False, allow_nan=False).encode("utf-8")
        content_type = "application/json"
    if content_type is not None:
        every["Content-Type"] = content_type
    parameters = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return Request(method, path, parameters, every, body, read_timeout, changes_nothing)


def check_header(value: str) -> str:
    """Checks that a value can be sent in a header."""
    if not value or not value.isascii() or not value.isprintable():
        raise ValueError("the idempotency key must be 1 to 255 printable ASCII characters")
    return value


def path_id(value: str) -> str:
    """Checks an id for use in a path. Raises ValueError for anything else, which could change the address."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError("an id has 1 to 64 letters, digits, '_' and '-': pass the id, not the name")
    return value


def form(fields: Mapping[str, str | None], file: FileSource | None, filename: str) -> tuple[bytes, str]:
    """The bytes and the content type of a form, encoded once, so that every attempt sends the same bytes."""
    texts = {name: value for name, value in fields.items() if value is not None}
    files = {} if file is None else {"file": (filename, read_file(file), "application/octet-stream")}
    request = httpx.Request("POST", "http://localhost", data=texts, files=files)
    return request.read(), request.headers["Content-Type"]


def read_file(file: FileSource) -> bytes:
    """The bytes of a file to upload."""
    if isinstance(file, (bytes, bytearray, memoryview)):
        content = bytes(file)
    elif isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            content = opened.read(MAX_UPLOAD_BYTES + 1)
    else:
        content = file.read(MAX_UPLOAD_BYTES + 1)
    if not isinstance(content, bytes):
        raise TypeError("the file must be open for reading bytes: open(path, 'rb')")
    if len(content) > MAX_UPLOAD_BYTES:
        raise ValueError(f"the file has more than {MAX_UPLOAD_BYTES} bytes; see the limits of the service")
    return content


def file_name(file: FileSource, name: str | None) -> str:
    """The name to upload a file under: the given one, or that of the path."""
    if name is not None:
        return name
    path = file if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    if not isinstance(path, (str, os.PathLike)):
        raise ValueError("name: is missing; bytes have no name of their own")
    return Path(path).name


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
