"""The differences between the two clients: pauses and reading files. This is the asynchronous side."""

from __future__ import annotations

from pathlib import Path
from typing import Any, AsyncIterable, AsyncIterator, BinaryIO, Callable, Iterable, TypeVar, Union

import anyio
import anyio.to_thread

Result = TypeVar("Result")
CHUNK_BYTES = 256 * 1024
Rows = Union[Iterable[Any], AsyncIterable[Any]]


async def sleep(seconds: float) -> None:
    """Waits."""
    await anyio.sleep(seconds)


async def run(function: Callable[..., Result], *args: Any) -> Result:
    """Runs a function that may wait for the disk, outside the event loop."""
    return await anyio.to_thread.run_sync(function, *args)


async def chunks(body: BinaryIO | Path) -> AsyncIterator[bytes]:
    """The bytes of a file from its beginning; a path is opened first."""
    file: BinaryIO = await run(body.open, "rb") if isinstance(body, Path) else body
    try:
        await run(file.seek, 0)
        while chunk := await run(file.read, CHUNK_BYTES):
            yield chunk
    finally:
        if isinstance(body, Path):
            file.close()


async def each(rows: Rows) -> AsyncIterator[Any]:
    """The rows of any iterable."""
    if isinstance(rows, AsyncIterable):
        async for row in rows:
            yield row
    else:
        for row in rows:
            yield row
