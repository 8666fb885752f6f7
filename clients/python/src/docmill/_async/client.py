"""The asynchronous client."""

from __future__ import annotations

import ssl
from types import TracebackType

import httpx

from .._connection import TIMEOUT
from .._retry import RetryPolicy
from .account import AsyncAccount, AsyncDeliveries, AsyncJobs
from .batches import AsyncBatches
from .library import AsyncAccountDictionary, AsyncAssets, AsyncFonts, AsyncInvoices
from .templates import AsyncTemplates
from .transport import AsyncTransport
from .webhooks import AsyncWebhooks


class AsyncDocmill:
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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._transport = AsyncTransport(api_key, base_url, timeout, retry, transport, verify)
        self.templates = AsyncTemplates(self._transport)
        self.batches = AsyncBatches(self._transport)
        self.jobs = AsyncJobs(self._transport)
        self.deliveries = AsyncDeliveries(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.assets = AsyncAssets(self._transport)
        self.fonts = AsyncFonts(self._transport)
        self.invoices = AsyncInvoices(self._transport)
        self.dictionary = AsyncAccountDictionary(self._transport)
        self.account = AsyncAccount(self._transport)

    def __repr__(self) -> str:
        return f"AsyncDocmill(base_url={self._transport.base_url!r})"

    async def __aenter__(self) -> AsyncDocmill:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()
