# Made from the file of the same name in _async by `npm run generate`.
"""The synchronous client."""

from __future__ import annotations

import ssl
from types import TracebackType

import httpx

from .._connection import TIMEOUT
from .._retry import RetryPolicy
from .account import Account, Deliveries, Jobs
from .batches import Batches
from .library import AccountDictionary, Assets, Fonts, Invoices
from .templates import Templates
from .transport import Transport
from .webhooks import Webhooks


class Docmill:
    """A client for one account.

    `api_key` and `base_url` default to DOCMILL_API_KEY and DOCMILL_URL. `timeout` limits each wait for the network,
    in seconds. `verify` is a TLS context for a private certificate authority. `transport` replaces httpx's
    connections.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        retry: RetryPolicy = RetryPolicy(),
        verify: ssl.SSLContext | bool = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._transport = Transport(api_key, base_url, timeout, retry, transport, verify)
        self.templates = Templates(self._transport)
        self.batches = Batches(self._transport)
        self.jobs = Jobs(self._transport)
        self.deliveries = Deliveries(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.assets = Assets(self._transport)
        self.fonts = Fonts(self._transport)
        self.invoices = Invoices(self._transport)
        self.dictionary = AccountDictionary(self._transport)
        self.account = Account(self._transport)

    def __repr__(self) -> str:
        return f"Docmill(base_url={self._transport.base_url!r})"

    def __enter__(self) -> Docmill:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()
