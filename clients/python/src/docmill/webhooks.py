"""Verification of webhooks (Standard Webhooks, https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Sequence, Union, cast

from .errors import WebhookVerificationError
from .types import (
    BatchCompletedEvent,
    DocumentFailedEvent,
    DocumentSucceededEvent,
    EmailFailedEvent,
    QuotaWarningEvent,
    WebhookTestEvent,
)


class DocumentSucceeded(DocumentSucceededEvent):
    id: str


class DocumentFailed(DocumentFailedEvent):
    id: str


class BatchCompleted(BatchCompletedEvent):
    id: str


class EmailFailed(EmailFailedEvent):
    id: str


class QuotaWarning(QuotaWarningEvent):
    id: str


class WebhookTest(WebhookTestEvent):
    id: str


WebhookEvent = Union[DocumentSucceeded, DocumentFailed, BatchCompleted, EmailFailed, QuotaWarning, WebhookTest]
"""An event; `type` says what its `data` is, and a newer service may send further types. `id` is the same for every
attempt: store it, so that you handle the event once."""


def verify_webhook(
    payload: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies the signature and the timestamp of a webhook and returns its event.

    Pass the raw body as received, before parsing. Pass several secrets while you rotate them; the service signs with
    the old and the new secret for 24 hours. `now` is in seconds and defaults to the current time.

    Raises WebhookVerificationError if no signature is valid or the timestamp is outside the tolerance, and
    ValueError for an invalid secret.
    """
    body = payload.encode("utf-8") if isinstance(payload, str) else bytes(payload)
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("the secret is missing")
    lower = {name.lower(): value for name, value in headers.items()}
    identity, timestamp, signatures = (lower.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not identity or not signatures or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("The headers webhook-id, webhook-timestamp and webhook-signature are missing or invalid")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("The webhook is too old, or the clocks differ: its time is outside of the tolerance")
    signed = f"{identity}.{timestamp}.".encode("utf-8", "replace") + body
    expected = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    offered = [part[3:].encode("utf-8", "replace") for part in signatures.split(" ")[:32] if part.startswith("v1,")]
    matches = [hmac.compare_digest(one, other) for one in expected for other in offered]
    if not any(matches):
        raise WebhookVerificationError("No signature of the webhook is valid: check the secret, and that the body is unchanged")
    try:
        event: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise WebhookVerificationError("The body of the webhook is not JSON") from None
    if not isinstance(event, dict):
        raise WebhookVerificationError("The body of the webhook is not a JSON object")
    return cast(WebhookEvent, {**event, "id": identity})


def _key(secret: str) -> bytes:
    text = secret.strip()
    try:
        key = base64.b64decode(text[6:] if text.startswith("whsec_") else text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("the secret must be the one of the webhook: whsec_ and base64")
    return key
