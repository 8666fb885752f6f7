"""The differences between the two clients: pauses and reading files. This is the synchronous side."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, BinaryIO, Callable, Iterable, Iterator, TypeVar

Result = TypeVar("Result")
CHUNK_BYTES = 256 * 1024
Rows = Iterable[Any]


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


def run(function: Callable[..., Result], *args: Any) -> Result:
    """Runs a function that may wait for the disk."""
    return function(*args)


def chunks(body: BinaryIO | Path) -> Iterator[bytes]:
    """The bytes of a file from its beginning; a path is opened first."""
    file: BinaryIO = body.open("rb") if isinstance(body, Path) else body
    try:
        file.seek(0)
        while chunk := file.read(CHUNK_BYTES):
            yield chunk
    finally:
        if isinstance(body, Path):
            file.close()


def each(rows: Rows) -> Iterator[Any]:
    """The rows of any iterable."""
    yield from rows
