"""A started batch."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import AsyncIterator, Callable, List

from .. import _platform_async as platform
from .._answer import safe_name
from .._request import build, path_id
from ..documents import File, PathLike
from ..types import Batch, BatchManifestEntry, BatchRow, JobStatus
from .transport import AsyncTransport

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 5.0


@dataclass
class AsyncBatchDocument:
    """A succeeded row; its file is downloaded on demand."""

    row: int
    job_id: str
    filename: str
    _transport: AsyncTransport

    async def download(self, to: PathLike | None = None) -> File:
        """The file, in memory or at a path."""
        return (await self._transport.file(build("GET", f"/v1/jobs/{path_id(self.job_id)}/content"), to))[0]

    def __repr__(self) -> str:
        return f"AsyncBatchDocument(row={self.row}, job_id={self.job_id!r}, filename={self.filename!r})"


class AsyncBatchRun:
    """A batch; `state` is the last state that the service reported."""

    def __init__(self, transport: AsyncTransport, state: Batch) -> None:
        self._transport = transport
        self.state = state

    def __repr__(self) -> str:
        return f"AsyncBatchRun(id={self.id!r}, status={self.state['status']!r})"

    @property
    def id(self) -> str:
        """The id of the batch."""
        return self.state["id"]

    @property
    def has_ended(self) -> bool:
        """Whether the batch is completed, failed or cancelled."""
        return self.state["status"] not in ("accepted", "running")

    async def refresh(self) -> Batch:
        """Refreshes the state."""
        self.state = await self._transport.json(build("GET", self._path))
        return self.state

    async def wait(
        self, *, on_progress: Callable[[Batch], None] | None = None, timeout_seconds: float | None = None
    ) -> Batch:
        """Waits until the batch ends and returns its state. Check `status`, which can also be `failed` or `cancelled`.

        Calls `on_progress` with each changed state. Raises TimeoutError when the time is up; the batch continues,
        and you can wait again.
        """
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        pause, reported = _FIRST_PAUSE_SECONDS, None
        while True:
            seen = (self.state["status"], self.state["counts"])
            if on_progress is not None and seen != reported:
                on_progress(self.state)
                reported = seen
            if self.has_ended:
                return self.state
            left = pause if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"batch {self.id} has not ended within {timeout_seconds} seconds; it continues")
            await platform.sleep(min(pause, left))
            pause = min(_LONGEST_PAUSE_SECONDS, pause * 1.5)
            await self.refresh()

    async def rows(self, *, status: JobStatus | None = None, page_size: int | None = None) -> AsyncIterator[BatchRow]:
        """The rows in order, with their errors."""
        async for row in self._transport.pages(f"{self._path}/items", {"status": status, "limit": page_size}):
            yield row

    async def documents(self) -> AsyncIterator[AsyncBatchDocument]:
        """The rows that have succeeded so far. Their file names contain no folders."""
        async for row in self.rows(status="succeeded"):
            filename = safe_name(row["filename"]) or row["jobId"]
            yield AsyncBatchDocument(row["row"], row["jobId"], filename, self._transport)

    async def download(self, *, to: PathLike | None = None, volume: int | None = None) -> File:
        """The zip, or a volume of the merged PDF. Raises ConflictError while the batch runs, and NotFoundError if it has no
        bundle."""
        request = build("GET", f"{self._path}/content", query={"volume": volume})
        return (await self._transport.file(request, to))[0]

    async def download_all(self, folder: PathLike) -> List[File]:
        """Writes all files of the bundle into a folder, one by one."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        files = []
        for index, file in enumerate((await self.refresh())["files"]):
            name = safe_name(file["name"]) or f"{self.id}-{index + 1}"
            files.append(await self.download(to=target / name, volume=index + 1 if index > 0 else None))
        return files

    async def manifest(self) -> List[BatchManifestEntry]:
        """Every row with its file, status, checksum and error."""
        answer: List[BatchManifestEntry] = await self._transport.json(build("GET", f"{self._path}/manifest"))
        return answer

    async def manifest_csv(self) -> str:
        """The manifest as CSV."""
        return await self._transport.text(build("GET", f"{self._path}/manifest", headers={"Accept": "text/csv"}))

    async def cancel(self) -> Batch:
        """Cancels the batch and refunds the rows that have not started."""
        self.state = await self._transport.json(build("DELETE", self._path))
        return self.state

    async def retry(self, *, idempotency_key: str | None = None) -> Batch:
        """Runs the failed rows again."""
        request = build("POST", f"{self._path}/retry", idempotency_key=idempotency_key)
        self.state = await self._transport.json(request)
        return self.state

    @property
    def _path(self) -> str:
        return f"/v1/batches/{path_id(self.id)}"
