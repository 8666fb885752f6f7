"""Responses: errors, links and headers."""

from __future__ import annotations

import json
import re
from email.message import Message
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Mapping, cast
from urllib.parse import parse_qs, urlsplit

import httpx

from .errors import DocmillError, UnexpectedResponseError, error_class
from .types import ErrorDetail

MAX_ERROR_BYTES = 1024 * 1024
MAX_JSON_BYTES = 256 * 1024 * 1024


def error_from(status: int, headers: Mapping[str, str], content: bytes) -> DocmillError:
    """The error for a 4xx or 5xx response, including one that a proxy wrote."""
    code = headers.get("Error-Code")
    kind = error_class(status, code)
    body: Any = None
    try:
        body = json.loads(content).get("error")
    except (ValueError, AttributeError, RecursionError):
        pass
    if not isinstance(body, dict):
        body = {"message": f"The answer has status {status} and is not one of the service"}
    details = body.get("details")
    return kind(
        str(body.get("message", f"status {status}")),
        status=status,
        code=code,
        details=[cast(ErrorDetail, one) for one in details if isinstance(one, dict)] if isinstance(details, list) else [],
        request_id=headers.get("X-Request-Id"),
        document_id=headers.get("Document-Id"),
        retry_after=retry_after(headers),
    )


def json_from(response: httpx.Response, content: bytes) -> Any:
    """The JSON of a success. Raises UnexpectedResponseError for anything else, such as a proxy's page."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise UnexpectedResponseError(
            "The answer is not JSON: check base_url",
            status=response.status_code,
            request_id=response.headers.get("X-Request-Id"),
        ) from None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of `Retry-After`, which is a number or a date; None if missing or invalid."""
    value = (headers.get("Retry-After") or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def next_page(response: httpx.Response) -> dict[str, str] | None:
    """The query of the next page, from `Link`. Ignores its host, so that the key is only sent to `base_url`."""
    link = response.links.get("next", {}).get("url")
    if link is None:
        return None
    return {name: values[-1] for name, values in parse_qs(urlsplit(link).query).items()}


def attachment_name(headers: Mapping[str, str]) -> str | None:
    """The file name from `Content-Disposition`, without folders."""
    message = Message()
    message["Content-Disposition"] = headers.get("Content-Disposition", "")
    return safe_name(message.get_filename())


def safe_name(name: str | None) -> str | None:
    """The last part of a name, or None. A name sent by the server must never select a folder."""
    last = re.split(r"[/\\]", name or "")[-1].replace("\0", "")
    return None if last in ("", ".", "..") else last


def server_timing(headers: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds by stage, from `Server-Timing`."""
    stages = re.findall(r"([\w-]{1,40});dur=([0-9]{1,12}(?:\.[0-9]{1,6})?)", headers.get("Server-Timing", ""))
    return {name: float(duration) for name, duration in stages}


def count(value: str | None) -> int:
    """A numeric header; 0 if missing."""
    return int(value) if value is not None and re.fullmatch(r"[0-9]{1,9}", value) else 0
