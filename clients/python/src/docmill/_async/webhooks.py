"""Webhooks and their deliveries. `docmill.verify_webhook` verifies received events."""

from __future__ import annotations

from typing import Any, AsyncIterator, List, Sequence

from .._request import build, path_id
from ..types import EventType, Webhook, WebhookDelivery, WebhookDeliveryStatus
from .transport import AsyncTransport


class AsyncWebhooks:
    """`client.webhooks`. The id `callbacks` refers to the callbacks of single requests."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        url: str,
        events: Sequence[EventType],
        *,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Registers an address. Only this response contains the secret that signs the events."""
        body = {"url": url, "events": [*events], "description": description}
        request = build("POST", "/v1/webhooks", json_body=body, idempotency_key=idempotency_key)
        webhook: Webhook = await self._transport.json(request)
        return webhook

    async def list(self) -> List[Webhook]:
        """All webhooks, at most 20."""
        answer: List[Webhook] = await self._transport.json(build("GET", "/v1/webhooks"))
        return answer

    async def get(self, webhook_id: str) -> Webhook:
        """Returns a webhook."""
        return (await self.get_with_etag(webhook_id))[0]

    async def get_with_etag(self, webhook_id: str) -> tuple[Webhook, str]:
        """A webhook and its entity tag. Pass the tag as `if_match` to change exactly this state."""
        answer, headers = await self._transport.json_and_headers(build("GET", _path(webhook_id)))
        return answer, headers.get("ETag", "")

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        events: Sequence[EventType] | None = None,
        description: str | None = None,
        status: str | None = None,
        if_match: str | None = None,
    ) -> Webhook:
        """Changes the given fields."""
        named: dict[str, Any] = {"url": url, "events": events, "description": description, "status": status}
        body = {name: value for name, value in named.items() if value is not None}
        request = build("PATCH", _path(webhook_id), json_body=body, headers={"If-Match": if_match})
        webhook: Webhook = await self._transport.json(request)
        return webhook

    async def delete(self, webhook_id: str, *, if_match: str | None = None) -> None:
        """Deletes a webhook and its deliveries."""
        await self._transport.json(build("DELETE", _path(webhook_id), headers={"If-Match": if_match}))

    async def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Sends a `webhook.test` event and returns the response of the address."""
        request = build("POST", f"{_path(webhook_id)}/test", idempotency_key=idempotency_key)
        delivery: WebhookDelivery = await self._transport.json(request)
        return delivery

    async def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> Webhook:
        """Creates a new secret; events are also signed with the old one for 24 hours."""
        request = build("POST", f"{_path(webhook_id)}/rotate-secret", idempotency_key=idempotency_key)
        webhook: Webhook = await self._transport.json(request)
        return webhook

    async def deliveries(
        self, webhook_id: str, *, status: WebhookDeliveryStatus | None = None, page_size: int | None = None
    ) -> AsyncIterator[WebhookDelivery]:
        """The deliveries of the last 30 days, newest first."""
        query = {"status": status, "limit": page_size}
        async for entry in self._transport.pages(f"{_path(webhook_id)}/deliveries", query):
            yield entry

    async def delivery(self, webhook_id: str, delivery_id: str) -> WebhookDelivery:
        """Returns a delivery."""
        path = f"{_path(webhook_id)}/deliveries/{path_id(delivery_id)}"
        delivery: WebhookDelivery = await self._transport.json(build("GET", path))
        return delivery

    async def redeliver(
        self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None
    ) -> WebhookDelivery:
        """Sends a finished delivery again."""
        path = f"{_path(webhook_id)}/deliveries/{path_id(delivery_id)}/redeliver"
        delivery: WebhookDelivery = await self._transport.json(build("POST", path, idempotency_key=idempotency_key))
        return delivery


def _path(webhook_id: str) -> str:
    return f"/v1/webhooks/{path_id(webhook_id)}"
