"""The bodies of batches: rows as JSON in a temporary file, or a file sent unchanged."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Literal, Mapping, Union, cast

from .types import BatchOutput

MAX_BODY_BYTES = 1024**3
"""The service's limit for a body."""
_MEMORY_BYTES = 8 * 1024**2
_TYPES = {".csv": "text/csv", ".ndjson": "application/x-ndjson", ".jsonl": "application/x-ndjson"}
_QUERY = {"format", "filename", "locale", "timezone", "onMissing", "documentDate", "onMissingGlyph"}

Bundle = Literal["zip", "pdf", "none"]
CellFormat = Literal["text", "decimalPoint", "decimalComma", "dayFirst", "monthFirst", "excelDate", "yesNo"]


@dataclass(frozen=True)
class BatchOptions:
    """The options of a batch, without its rows."""

    output: BatchOutput
    bundle: Bundle | None = None
    max_failures: int | None = None
    callback_url: str | None = None
    column_formats: Mapping[str, CellFormat] | None = None

    def as_json(self) -> dict[str, Any]:
        """The options as members of a JSON batch."""
        if self.column_formats is not None:
            raise ValueError("column_formats: is only for a .csv file")
        named = {"bundle": self.bundle, "maxFailures": self.max_failures, "callbackUrl": self.callback_url}
        return {"output": self.output, **{name: value for name, value in named.items() if value is not None}}

    def as_query(self) -> dict[str, Any]:
        """The options as query parameters. Raises ValueError for options that only JSON supports."""
        output: dict[str, Any] = {name: value for name, value in self.output.items() if value is not None}
        query = {name: output.pop(name) for name in list(output) if name in _QUERY}
        docx, email = dict(output.pop("docx", {})), dict(output.pop("email", {}))
        pdf, xml = dict(output.pop("pdf", {})), dict(output.pop("xml", {}))
        invoice = dict(pdf.pop("invoice", None) or {})
        profiles = [made.pop("profile", None) for made in (xml, invoice)]
        query["invoiceProfile"] = next((profile for profile in profiles if profile is not None), None)
        query["invoiceFormat"] = invoice.pop("format", None)
        query["invoiceRelationship"] = invoice.pop("relationship", None)
        query["invoiceOnDifference"] = invoice.pop("onDifference", None)
        query["invoiceSyntax"] = xml.pop("syntax", None)
        query["externalContent"] = docx.pop("externalContent", None)
        query["contentControls"] = docx.pop("contentControls", None)
        if email:
            receivers = email.pop("to", [])
            if len(receivers) != 1:
                raise ValueError("output.email.to: a batch from a file has one receiver a row; pass rows for several")
            query.update(emailTo=receivers[0], emailSubject=email.pop("subject", None), emailBody=email.pop("body", None))
        rest = {"docx": docx, "pdf": pdf, "pdf.invoice": invoice, "xml": xml, "email": email}
        nested = [f"{of}.{name}" for of, fields in rest.items() for name, value in fields.items() if value is not None]
        for name in (*output, *nested):
            raise ValueError(f"output.{name}: is not possible for a batch from a file; pass rows")
        if self.column_formats:
            query["columnFormats"] = ",".join(f"{column}:{format}" for column, format in self.column_formats.items())
        return {**query, "bundle": self.bundle, "maxFailures": self.max_failures, "callbackUrl": self.callback_url}


class Spool:
    """A temporary file that holds a JSON batch, so that it can be sent again; in memory up to 8 MB, then on disk."""

    def __init__(self, options: BatchOptions) -> None:
        self.file = cast(BinaryIO, SpooledTemporaryFile(max_size=_MEMORY_BYTES))
        self._rows = 0
        self._bytes = 0
        self._write(_encode(options.as_json())[:-1] + b',"items":[')

    def add(self, row: Any, is_item: bool) -> None:
        """Adds a row, or a whole item. Raises TypeError or ValueError, with the row's number, if it is not valid
        JSON."""
        self._rows += 1
        try:
            if not isinstance(row, Mapping):
                raise TypeError("must be a mapping")
            encoded = _encode(row if is_item else {"data": row})
        except (TypeError, ValueError, RecursionError) as error:
            kind = ValueError if isinstance(error, ValueError) else TypeError
            raise kind(f"row {self._rows}: {error}") from None
        self._write((b"\n" if self._rows == 1 else b",\n") + encoded)

    def finish(self) -> None:
        """Completes the batch."""
        if self._rows == 0:
            raise ValueError("rows: must not be empty")
        self._write(b"]}")

    def _write(self, content: bytes) -> None:
        self._bytes += len(content)
        if self._bytes > MAX_BODY_BYTES:
            raise ValueError(f"row {self._rows}: the batch has more than {MAX_BODY_BYTES} bytes; send several batches")
        self.file.write(content)


def copy_file(source: BinaryIO) -> BinaryIO:
    """Copies the rest of an open file, because it may not be readable a second time."""
    copy = cast(BinaryIO, SpooledTemporaryFile(max_size=_MEMORY_BYTES))
    try:
        size = 0
        while chunk := source.read(1024 * 1024):
            if not isinstance(chunk, bytes):
                raise TypeError("the file must be open for reading bytes: open(path, 'rb')")
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise ValueError(f"the file has more than {MAX_BODY_BYTES} bytes; send several batches")
            copy.write(chunk)
        return copy
    except BaseException:
        copy.close()
        raise


def is_file(rows: Any) -> bool:
    """Whether the rows come from a file, which is a path, bytes, or an open file."""
    return isinstance(rows, (str, os.PathLike, bytes)) or hasattr(rows, "read")


def content_type_of(rows: Any, content_type: str | None) -> str:
    """The content type of a file of rows: the given one, or that of the file name."""
    name: Union[str, "os.PathLike[str]", Any] = rows if isinstance(rows, (str, os.PathLike)) else getattr(rows, "name", "")
    found = content_type or _TYPES.get(Path(name).suffix.lower() if isinstance(name, (str, os.PathLike)) else "")
    if found is None:
        raise ValueError("content_type: pass text/csv or application/x-ndjson; the name of the file does not say")
    return found


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
