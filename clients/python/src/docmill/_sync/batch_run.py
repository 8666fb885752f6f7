# Made from the file of the same name in _async by `npm run generate`.
"""A started batch."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Callable, List

from .. import _platform_sync as platform
from .._answer import safe_name
from .._request import build, path_id
from ..documents import File, PathLike
from ..types import Batch, BatchManifestEntry, BatchRow, JobStatus
from .transport import Transport

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 5.0


@dataclass
class BatchDocument:
    """A succeeded row; its file is downloaded on demand."""

    row: int
    job_id: str
    filename: str
    _transport: Transport

    def download(self, to: PathLike | None = None) -> File:
        """The file, in memory or at a path."""
        return (self._transport.file(build("GET", f"/v1/jobs/{path_id(self.job_id)}/content"), to))[0]

    def __repr__(self) -> str:
        return f"BatchDocument(row={self.row}, job_id={self.job_id!r}, filename={self.filename!r})"


class BatchRun:
    """A batch; `state` is the last state that the service reported."""

    def __init__(self, transport: Transport, state: Batch) -> None:
        self._transport = transport
        self.state = state

    def __repr__(self) -> str:
        return f"BatchRun(id={self.id!r}, status={self.state['status']!r})"

    @property
    def id(self) -> str:
        """The id of the batch."""
        return self.state["id"]

    @property
    def has_ended(self) -> bool:
        """Whether the batch is completed, failed or cancelled."""
        return self.state["status"] not in ("accepted", "running")

    def refresh(self) -> Batch:
        """Refreshes the state."""
        self.state = self._transport.json(build("GET", self._path))
        return self.state

    def wait(
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
            platform.sleep(min(pause, left))
            pause = min(_LONGEST_PAUSE_SECONDS, pause * 1.5)
            self.refresh()

    def rows(self, *, status: JobStatus | None = None, page_size: int | None = None) -> Iterator[BatchRow]:
        """The rows in order, with their errors."""
        for row in self._transport.pages(f"{self._path}/items", {"status": status, "limit": page_size}):
            yield row

    def documents(self) -> Iterator[BatchDocument]:
        """The rows that have succeeded so far. Their file names contain no folders."""
        for row in self.rows(status="succeeded"):
            filename = safe_name(row["filename"]) or row["jobId"]
            yield BatchDocument(row["row"], row["jobId"], filename, self._transport)

    def download(self, *, to: PathLike | None = None, volume: int | None = None) -> File:
        """The zip, or a volume of the merged PDF. Raises ConflictError while the batch runs, and NotFoundError if it has no
        bundle."""
        request = build("GET", f"{self._path}/content", query={"volume": volume})
        return (self._transport.file(request, to))[0]

    def download_all(self, folder: PathLike) -> List[File]:
        """Writes all files of the bundle into a folder, one by one."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        files = []
        for index, file in enumerate((self.refresh())["files"]):
            name = safe_name(file["name"]) or f"{self.id}-{index + 1}"
            files.append(self.download(to=target / name, volume=index + 1 if index > 0 else None))
        return files

    def manifest(self) -> List[BatchManifestEntry]:
        """Every row with its file, status, checksum and error."""
        answer: List[BatchManifestEntry] = self._transport.json(build("GET", f"{self._path}/manifest"))
        return answer

    def manifest_csv(self) -> str:
        """The manifest as CSV."""
        return self._transport.text(build("GET", f"{self._path}/manifest", headers={"Accept": "text/csv"}))

    def cancel(self) -> Batch:
        """Cancels the batch and refunds the rows that have not started."""
        self.state = self._transport.json(build("DELETE", self._path))
        return self.state

    def retry(self, *, idempotency_key: str | None = None) -> Batch:
        """Runs the failed rows again."""
        request = build("POST", f"{self._path}/retry", idempotency_key=idempotency_key)
        self.state = self._transport.json(request)
        return self.state

    @property
    def _path(self) -> str:
        return f"/v1/batches/{path_id(self.id)}"
