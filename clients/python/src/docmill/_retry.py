"""When and after which pause a request is retried."""

from __future__ import annotations

import random
from dataclasses import dataclass

import httpx

from ._request import Request


@dataclass(frozen=True)
class RetryPolicy:
    """The retry policy.

    `retries` counts the attempts after the first. Pauses start at `first_pause` seconds, double up to
    `longest_pause`, and vary by half. A longer `Retry-After` takes precedence; one above `longest_wait` ends the
    attempts.
    """

    retries: int = 4
    first_pause: float = 0.5
    longest_pause: float = 8.0
    longest_wait: float = 60.0

    def __post_init__(self) -> None:
        if not 0 <= self.retries <= 20:
            raise ValueError("retries must be 0 to 20")
        if min(self.first_pause, self.longest_pause, self.longest_wait) < 0:
            raise ValueError("pauses must not be negative")

    def pause(self, retried: int, retry_after: float | None) -> float | None:
        """Seconds before the next attempt; None if there is none."""
        if retried >= self.retries or (retry_after is not None and retry_after > self.longest_wait):
            return None
        backoff = min(self.longest_pause, self.first_pause * 2.0**retried) * random.uniform(0.5, 1.0)
        # Jitter on top of the service's own time keeps clients from returning all at once.
        return backoff if retry_after is None else retry_after + min(backoff, 1.0)


# Without an idempotency key, a change is retried only if the request cannot have arrived.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def may_repeat_failure(request: Request, error: httpx.TransportError) -> bool:
    """Whether a request is retried after its connection failed."""
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.LocalProtocolError)):
        return False
    return request.can_repeat or isinstance(error, _NOT_SENT)


def may_repeat_status(request: Request, status: int) -> bool:
    """Whether a response allows a retry.

    429 means that nothing was done. 502, 503 and 504 may come from a proxy after the request arrived, so only
    requests that are safe to repeat are retried. After a 504 of the service, the retry waits for the same document.
    """
    return status == 429 or (status in (502, 503, 504) and request.can_repeat)
