"""Files returned by the service."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, List, Mapping, Union
from uuid import uuid4

import httpx

from ._answer import attachment_name, count, server_timing
from .types import DocumentWarning

PathLike = Union[str, "os.PathLike[str]"]


@dataclass
class File:
    """A file from the service, in memory or written to a path."""

    filename: str | None
    content_type: str
    size: int
    etag: str | None
    path: Path | None = None
    _content: bytes | None = field(default=None, repr=False)

    @property
    def content(self) -> bytes:
        """The bytes; if the file was written to a path, read from there."""
        if self._content is not None:
            return self._content
        if self.path is None:
            raise ValueError("the file has no content")
        return self.path.read_bytes()

    def save(self, path: PathLike) -> Path:
        """Writes the bytes to a path atomically."""
        target = Target(path)
        try:
            target.file.write(self.content)
            target.finish()
        finally:
            target.discard()
        return Path(path)


@dataclass
class Document(File):
    """A generated document."""

    id: str = ""
    """The id of the document and of its job."""
    warning_count: int = 0
    warnings: List[DocumentWarning] = field(default_factory=list)
    """Warnings about the document; also empty if the key may not read jobs."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds by stage: queue, render, convert, total."""
    email_delivery_id: str | None = None


@dataclass
class Preview(File):
    """The first pages of a document, with a watermark: a PDF, or one page as PNG."""

    page_count: int = 0
    """The page count of the whole document."""
    warning_count: int = 0
    warning_codes: List[str] = field(default_factory=list)
    timings: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds by stage: queue, render, convert, total."""


class Target:
    """The destination of a response: memory, or a temporary file next to the path that is renamed when complete."""

    def __init__(self, path: PathLike | None) -> None:
        self.path = None if path is None else Path(path)
        self._partial = None if self.path is None else self.path.with_name(f".{self.path.name[:200]}.{uuid4().hex[:8]}.part")
        self.file: BinaryIO = io.BytesIO() if self._partial is None else open(self._partial, "xb")

    def restart(self) -> None:
        """Discards what was written."""
        self.file.seek(0)
        self.file.truncate()

    def finish(self) -> bytes | None:
        """Completes the file; returns its bytes if they are in memory."""
        if isinstance(self.file, io.BytesIO):
            return self.file.getvalue()
        self.file.close()
        if self._partial is not None and self.path is not None:
            os.replace(self._partial, self.path)
            self._partial = None
        return None

    def discard(self) -> None:
        """Closes the file; removes it unless it is complete."""
        self.file.close()
        if self._partial is not None:
            self._partial.unlink(missing_ok=True)
            self._partial = None


def describe_file(response: httpx.Response, target: Target, size: int, content: bytes | None) -> File:
    """A file described by the headers of its response."""
    headers = response.headers
    kind = headers.get("Content-Type", "")
    return File(attachment_name(headers), kind, size, headers.get("ETag"), target.path, content)


def as_document(file: File, headers: Mapping[str, str]) -> Document:
    """The response of generate."""
    return Document(
        **vars(file),
        id=headers.get("Document-Id", ""),
        warning_count=count(headers.get("Warnings")),
        timings=server_timing(headers),
        email_delivery_id=headers.get("Email-Delivery-Id"),
    )


def as_preview(file: File, headers: Mapping[str, str]) -> Preview:
    """The response of preview."""
    return Preview(
        **vars(file),
        page_count=count(headers.get("Page-Count")),
        warning_count=count(headers.get("Warnings")),
        warning_codes=[code.strip() for code in headers.get("Warning-Codes", "").split(",") if code.strip()],
        timings=server_timing(headers),
    )
