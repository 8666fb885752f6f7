"""Batches: one document for each row."""

from __future__ import annotations

import json
import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, AsyncIterator, BinaryIO, List, Mapping, Union, cast

from .. import _platform_async as platform
from .._batch_body import BatchOptions, Bundle, CellFormat, Spool, content_type_of, copy_file, is_file
from .._request import FileSource, Request, build, path_id
from ..types import Batch, BatchQuote, BatchOutput, BatchProgress, BatchStatus, BatchSummary, DocumentFormat
from .batch_run import AsyncBatchRun
from .templates import find_id
from .transport import AsyncTransport

Rows = Union[platform.Rows, FileSource]

# The response arrives only after the service has read all rows.
_READ_SECONDS = 600.0


class AsyncBatches:
    """`client.batches`"""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        template: str,
        rows: Rows,
        *,
        format: DocumentFormat | None = None,
        output: BatchOutput | None = None,
        bundle: Bundle | None = None,
        max_failures: int | None = None,
        callback_url: str | None = None,
        version: int | None = None,
        rows_are_items: bool = False,
        content_type: str | None = None,
        column_formats: Mapping[str, CellFormat] | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncBatchRun:
        """Starts a batch of the template with this id or name, and returns once every row is stored and its quota is reserved.

        `rows` is a list or any iterable of mappings, which is read once into a temporary file, so that it can be
        sent again; or a .csv or .ndjson file as a path, bytes, or an open file. With `rows_are_items`, each row is
        `{"data": …, "output": …}`. `column_formats` says how columns of a .csv file are written, where a cell such as
        1.234 has two meanings: `{"total": "decimalComma"}`.

        Raises QuotaError if the quota does not cover all rows, InvalidRequestError for a malformed file, and TypeError
        or ValueError with the number of a row that is not valid JSON.
        """
        options = _options(output, format, bundle, max_failures, callback_url, column_formats)
        query = {"version": version}
        path = _path(await find_id(self._transport, template))
        async with _body(path, rows, options, query, rows_are_items, content_type, idempotency_key) as request:
            state: Batch = await self._transport.json(request)
        return AsyncBatchRun(self._transport, state)

    async def quote(
        self,
        template: str,
        rows: Rows,
        *,
        format: DocumentFormat | None = None,
        output: BatchOutput | None = None,
        bundle: Bundle | None = None,
        max_failures: int | None = None,
        version: int | None = None,
        rows_are_items: bool = False,
        content_type: str | None = None,
        column_formats: Mapping[str, CellFormat] | None = None,
    ) -> BatchQuote:
        """Reports the cost of the batch and its invalid rows, without storing or charging anything."""
        options = _options(output, format, bundle, max_failures, None, column_formats)
        query = {"version": version}
        path = f"{_path(await find_id(self._transport, template))}/quote"
        async with _body(path, rows, options, query, rows_are_items, content_type, None) as request:
            answer: BatchQuote = await self._transport.json(request)
        return answer

    async def get(self, batch_id: str) -> AsyncBatchRun:
        """Returns a batch, which another process may have started."""
        state: Batch = await self._transport.json(build("GET", f"/v1/batches/{path_id(batch_id)}"))
        return AsyncBatchRun(self._transport, state)

    async def list(
        self, *, status: BatchStatus | None = None, template_id: str | None = None, limit: int | None = None
    ) -> List[BatchSummary]:
        """One page of batches, newest first."""
        query = {"status": status, "templateId": template_id, "limit": limit}
        answer: List[BatchSummary] = await self._transport.json(build("GET", "/v1/batches", query=query))
        return answer

    async def iterate(
        self, *, status: BatchStatus | None = None, template_id: str | None = None, page_size: int | None = None
    ) -> AsyncIterator[BatchSummary]:
        """All batches, newest first."""
        query = {"status": status, "templateId": template_id, "limit": page_size}
        async for entry in self._transport.pages("/v1/batches", query):
            yield entry

    async def events(self, batch_id: str) -> AsyncIterator[BatchProgress]:
        """The progress as the service sends it, at most once a second, until the batch ends or the connection
        breaks."""
        request = build("GET", f"/v1/batches/{path_id(batch_id)}/events")
        async for line in self._transport.lines(request):
            if line.startswith("data:"):
                progress: BatchProgress = json.loads(line[5:])
                yield progress


def _path(template_id: str) -> str:
    return f"/v1/templates/{path_id(template_id)}/batches"


def _options(
    output: BatchOutput | None,
    format: DocumentFormat | None,
    bundle: Bundle | None,
    max_failures: int | None,
    callback_url: str | None,
    column_formats: Mapping[str, CellFormat] | None,
) -> BatchOptions:
    every: BatchOutput = {} if output is None else output.copy()
    if format is not None:
        every["format"] = format
    return BatchOptions(every, bundle, max_failures, callback_url, column_formats)


@asynccontextmanager
async def _body(
    path: str,
    rows: Rows,
    options: BatchOptions,
    query: dict[str, Any],
    rows_are_items: bool,
    content_type: str | None,
    idempotency_key: str | None,
) -> AsyncIterator[Request]:
    opened: BinaryIO | None = None
    try:
        body: bytes | BinaryIO | Path
        if is_file(rows):
            content_type, query = content_type_of(rows, content_type), {**query, **options.as_query()}
            if isinstance(rows, bytes):
                body = rows
            elif isinstance(rows, (str, os.PathLike)):
                body = Path(rows)
            else:
                body = opened = await platform.run(copy_file, cast(BinaryIO, rows))
        else:
            spool = Spool(options)
            body, content_type = spool.file, "application/json"
            opened = spool.file
            async for row in platform.each(cast(platform.Rows, rows)):
                spool.add(row, rows_are_items)
            spool.finish()
        yield build(
            "POST",
            path,
            query=query,
            body=body,
            content_type=content_type,
            idempotency_key=idempotency_key,
            read_timeout=_READ_SECONDS,
        )
    finally:
        if opened is not None:
            opened.close()
