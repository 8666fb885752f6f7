"""The client of the admin API, for operators of a service."""

from __future__ import annotations

import ssl
import time
from types import TracebackType
from typing import Any, AsyncIterator, Dict, Sequence

import httpx

from .. import _platform_async as platform
from .._connection import TIMEOUT, operator_key_of
from .._request import build, path_id
from .._retry import RetryPolicy
from ..types import (
    AdminAccount,
    AdminAccountState,
    AdminAccountSummary,
    AdminApproval,
    AdminBatchWeight,
    AdminBudget,
    AdminBusiestAccounts,
    AdminCreatedAccount,
    AdminCreatedKey,
    AdminCredits,
    AdminDelivery,
    AdminDrain,
    AdminEmailLimits,
    AdminKey,
    AdminKeyUse,
    AdminLifted,
    AdminPauses,
    AdminQuarantine,
    AdminQueues,
    AdminReseal,
    AdminRetry,
    AdminRevokedKey,
    AdminRotatedKey,
    AdminSubscription,
    AdminTemplatePin,
    AdminUsage,
    AdminWorkers,
    AuditEntry,
    CreatedOperatorKey,
    Erasure,
    OperatorKey,
    RevokedOperatorKey,
)
from .transport import AsyncTransport

_PAUSE_SECONDS = 2.0


class AsyncAdminAccounts:
    """`client.accounts`: accounts with their limits, usage and e-mails."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, name: str, *, idempotency_key: str | None = None) -> AdminCreatedAccount:
        """Creates an account without quota and keys."""
        path = "/v1/admin/accounts"
        body = {"name": name}
        answer: AdminCreatedAccount = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def list(self, *, page_size: int | None = None) -> AsyncIterator[AdminAccountSummary]:
        """All accounts in order of creation."""
        query = {"limit": page_size}
        async for entry in self._transport.pages("/v1/admin/accounts", query):
            yield entry

    async def get(self, account_id: str) -> AdminAccount:
        """An account with its keys and quotas."""
        path = f"/v1/admin/accounts/{path_id(account_id)}"
        answer: AdminAccount = await self._transport.json(build("GET", path))
        return answer

    async def suspend(self, account_id: str, *, idempotency_key: str | None = None) -> AdminAccountState:
        """Refuses all requests of the account."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/suspend"
        answer: AdminAccountState = await self._transport.json(build("POST", path, idempotency_key=idempotency_key))
        return answer

    async def resume(self, account_id: str, *, idempotency_key: str | None = None) -> AdminAccountState:
        """Accepts the requests of the account again."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/resume"
        answer: AdminAccountState = await self._transport.json(build("POST", path, idempotency_key=idempotency_key))
        return answer

    async def set_email_limits(self, account_id: str, *, recipients_per_day: int | None = None, messages_per_recipient_per_day: int | None = None) -> AdminEmailLimits:
        """Replaces the limits of e-mails; None for those of the service."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/email-limits"
        body = {
            "recipientsPerDay": recipients_per_day,
            "messagesPerRecipientPerDay": messages_per_recipient_per_day,
        }
        answer: AdminEmailLimits = await self._transport.json(build("PUT", path, json_body=body))
        return answer

    async def set_approval(self, account_id: str, needs_approval: bool) -> AdminApproval:
        """Sets whether a new version of a template is a draft until another person approves it."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/approval"
        body = {"needsApproval": needs_approval}
        answer: AdminApproval = await self._transport.json(build("PUT", path, json_body=body))
        return answer

    async def set_batch_weight(self, account_id: str, weight: int) -> AdminBatchWeight:
        """Sets the share of the batches of the account."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/batch-weight"
        body = {"weight": weight}
        answer: AdminBatchWeight = await self._transport.json(build("PUT", path, json_body=body))
        return answer

    async def usage(self, account_id: str, *, first_day: str | None = None, last_day: str | None = None, by: str | None = None) -> AdminUsage:
        """Documents, pages and failures of a period."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/usage"
        query = {"from": first_day, "to": last_day, "by": by}
        answer: AdminUsage = await self._transport.json(build("GET", path, query=query))
        return answer

    async def deliveries(self, account_id: str, *, status: str | None = None, page_size: int | None = None) -> AsyncIterator[AdminDelivery]:
        """The e-mails of the account, newest first."""
        query = {"status": status, "limit": page_size}
        async for entry in self._transport.pages(f"/v1/admin/accounts/{path_id(account_id)}/deliveries", query):
            yield entry

    async def key_use(self, account_id: str, *, since: str | None = None, page_size: int | None = None) -> AsyncIterator[AdminKeyUse]:
        """The requests of its keys by day, key and scope."""
        query = {"since": since, "limit": page_size}
        async for entry in self._transport.pages(f"/v1/admin/accounts/{path_id(account_id)}/key-use", query):
            yield entry

    async def set_subscription(self, account_id: str, *, docs: int, templates: int, anchor_day: int | None = None) -> AdminSubscription:
        """Sets the monthly quota."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/subscription"
        body = {"docs": docs, "templates": templates, "anchorDay": anchor_day}
        answer: AdminSubscription = await self._transport.json(build("PUT", path, json_body=body))
        return answer

    async def grant_credits(self, account_id: str, *, docs: int, templates: int, expires_at: str | None = None, idempotency_key: str | None = None) -> AdminCredits:
        """Grants credits in addition to the monthly quota."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/credits"
        body = {"docs": docs, "templates": templates, "expiresAt": expires_at}
        answer: AdminCredits = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def erase(self, account_id: str, confirm: str, *, idempotency_key: str | None = None) -> Erasure:
        """Deletes the account for good. `confirm` is its name. Wait for the end with `erasures.wait`."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/erase"
        body = {"confirm": confirm}
        answer: Erasure = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer


class AsyncAdminKeys:
    """`client.keys`: the API keys of accounts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, account_id: str, *, name: str | None = None, scopes: Sequence[str] | None = None, kind: str | None = None, expires_at: str | None = None, idempotency_key: str | None = None) -> AdminCreatedKey:
        """Creates a key. Store `apiKey`: only this response has it."""
        path = f"/v1/admin/accounts/{path_id(account_id)}/keys"
        body = {
            "name": name,
            "scopes": None if scopes is None else list(scopes),
            "kind": kind,
            "expiresAt": expires_at,
        }
        answer: AdminCreatedKey = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def list(self, account_id: str, *, page_size: int | None = None) -> AsyncIterator[AdminKey]:
        """The keys of an account, oldest first."""
        query = {"limit": page_size}
        async for entry in self._transport.pages(f"/v1/admin/accounts/{path_id(account_id)}/keys", query):
            yield entry

    async def rotate(self, key_id: str, *, overlap_hours: float | None = None, force: bool = False, idempotency_key: str | None = None) -> AdminRotatedKey:
        """Gives a key a new secret. Store `apiKey`: only this response has it."""
        path = f"/v1/admin/keys/{path_id(key_id)}/rotate"
        body = {"overlapHours": overlap_hours, "force": force}
        answer: AdminRotatedKey = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def revoke(self, key_id: str, *, idempotency_key: str | None = None) -> AdminRevokedKey:
        """Revokes a key."""
        path = f"/v1/admin/keys/{path_id(key_id)}/revoke"
        answer: AdminRevokedKey = await self._transport.json(build("POST", path, idempotency_key=idempotency_key))
        return answer

    async def set_budget(self, key_id: str, docs_per_month: int | None) -> AdminBudget:
        """Sets how many documents a key may request in a month; None for no budget."""
        path = f"/v1/admin/keys/{path_id(key_id)}/budget"
        body = {"docsPerMonth": docs_per_month}
        answer: AdminBudget = await self._transport.json(build("PUT", path, json_body=body))
        return answer


class AsyncAdminOperations:
    """`client.operations`: queues, workers, retries, quarantine, pins and secrets."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def queues(self, *, account: str | None = None, top: int | None = None) -> AdminQueues:
        """Backlog, age, throughput and workers of each queue."""
        path = "/v1/admin/queues"
        query = {"account": account, "top": top}
        answer: AdminQueues = await self._transport.json(build("GET", path, query=query))
        return answer

    async def busiest_accounts(self, *, minutes: int | None = None, limit: int | None = None) -> AdminBusiestAccounts:
        """The accounts that occupied engines longest."""
        path = "/v1/admin/busiest-accounts"
        query = {"minutes": minutes, "limit": limit}
        answer: AdminBusiestAccounts = await self._transport.json(build("GET", path, query=query))
        return answer

    async def pauses(self) -> AdminPauses:
        """The queues and accounts that are paused."""
        path = "/v1/admin/pauses"
        answer: AdminPauses = await self._transport.json(build("GET", path))
        return answer

    async def pause(self, *, queue: str | None = None, account: str | None = None, all_queues: bool = False, refuse: bool = False, idempotency_key: str | None = None) -> AdminPauses:
        """Pauses a queue, an account or all queues."""
        path = "/v1/admin/pause"
        body = {**_target(queue, account, all_queues), "refuse": refuse}
        answer: AdminPauses = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def resume(self, *, queue: str | None = None, account: str | None = None, all_queues: bool = False, idempotency_key: str | None = None) -> AdminPauses:
        """Resumes a queue, an account or everything."""
        path = "/v1/admin/resume"
        body = _target(queue, account, all_queues)
        answer: AdminPauses = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def workers(self) -> AdminWorkers:
        """The worker processes."""
        path = "/v1/admin/workers"
        answer: AdminWorkers = await self._transport.json(build("GET", path))
        return answer

    async def drain(self, *, worker: str | None = None, all_workers: bool = False, idempotency_key: str | None = None) -> AdminDrain:
        """Asks one or all workers to finish their jobs and exit."""
        path = "/v1/admin/workers/drain"
        body = {"worker": worker, "all": True if all_workers else None}
        answer: AdminDrain = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def retry(self, *, document: str | None = None, batch: str | None = None, delivery: str | None = None, idempotency_key: str | None = None) -> AdminRetry:
        """Produces failed documents of a batch, or sends an e-mail, again. Raises ConflictError if refused."""
        path = "/v1/admin/retry"
        body = {"document": document, "batch": batch, "delivery": delivery}
        answer: AdminRetry = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def quarantine(self, *, account: str | None = None) -> AdminQuarantine:
        """Documents that crashed or hung LibreOffice, and suspended templates."""
        path = "/v1/admin/quarantine"
        query = {"account": account}
        answer: AdminQuarantine = await self._transport.json(build("GET", path, query=query))
        return answer

    async def lift_quarantine(self, *, fingerprint: str | None = None, template: str | None = None, idempotency_key: str | None = None) -> AdminLifted:
        """Allows a quarantined document or a suspended template again."""
        path = "/v1/admin/quarantine/lift"
        body = {"fingerprint": fingerprint, "template": template}
        answer: AdminLifted = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def pin_template(self, template_id: str, engine: str | None, *, without_worker: bool = False) -> AdminTemplatePin:
        """Pins the PDFs of a template to a version of LibreOffice; None removes the pin."""
        path = f"/v1/admin/templates/{path_id(template_id)}/engine"
        body = {"engine": engine, "withoutWorker": without_worker}
        answer: AdminTemplatePin = await self._transport.json(build("PUT", path, json_body=body))
        return answer

    async def reseal_webhooks(self, *, check: bool = False, idempotency_key: str | None = None) -> AdminReseal:
        """Encrypts the secrets of all webhooks with the current key; with `check`, only reports."""
        path = "/v1/admin/webhooks/reseal"
        body = {"check": check}
        answer: AdminReseal = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer


class AsyncErasures:
    """`client.erasures`: what is erased for good, after the request."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, *, document: str | None = None, recipient: str | None = None, account: str | None = None, idempotency_key: str | None = None) -> Erasure:
        """Erases a document or an address for good."""
        path = "/v1/admin/erasures"
        body = {"document": document, "recipient": recipient, "account": account}
        answer: Erasure = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def list(self, *, page_size: int | None = None) -> AsyncIterator[Erasure]:
        """All erasures, newest first."""
        query = {"limit": page_size}
        async for entry in self._transport.pages("/v1/admin/erasures", query):
            yield entry

    async def get(self, erasure_id: str) -> Erasure:
        """The state of an erasure."""
        path = f"/v1/admin/erasures/{path_id(erasure_id)}"
        answer: Erasure = await self._transport.json(build("GET", path))
        return answer

    async def wait(self, erasure_id: str, *, timeout_seconds: float | None = None) -> Erasure:
        """Waits until an erasure has ended and returns it. Check `state`, which can also be `failed`.

        Raises TimeoutError when the time is up; the erasure continues.
        """
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while (erasure := await self.get(erasure_id))["state"] in ("waiting", "running"):
            left = _PAUSE_SECONDS if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"erasure {erasure_id} has not ended within {timeout_seconds} seconds; it continues")
            await platform.sleep(min(_PAUSE_SECONDS, left))
        return erasure


class AsyncOperatorKeys:
    """`client.operator_keys`: keys of operators."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, name: str, *, scopes: Sequence[str] | None = None, address_ranges: Sequence[str] | None = None, requests_per_minute: int | None = None, expires_at: str | None = None, idempotency_key: str | None = None) -> CreatedOperatorKey:
        """Creates an operator key. Store `operatorKey`: only this response has it."""
        path = "/v1/admin/operator-keys"
        body = {
            "name": name,
            "scopes": None if scopes is None else list(scopes),
            "addressRanges": None if address_ranges is None else list(address_ranges),
            "requestsPerMinute": requests_per_minute,
            "expiresAt": expires_at,
        }
        answer: CreatedOperatorKey = await self._transport.json(build("POST", path, json_body=body, idempotency_key=idempotency_key))
        return answer

    async def list(self, *, page_size: int | None = None) -> AsyncIterator[OperatorKey]:
        """All operator keys, newest first."""
        query = {"limit": page_size}
        async for entry in self._transport.pages("/v1/admin/operator-keys", query):
            yield entry

    async def revoke(self, operator_key_id: str, *, idempotency_key: str | None = None) -> RevokedOperatorKey:
        """Revokes an operator key at once."""
        path = f"/v1/admin/operator-keys/{path_id(operator_key_id)}/revoke"
        answer: RevokedOperatorKey = await self._transport.json(build("POST", path, idempotency_key=idempotency_key))
        return answer


class AsyncAudit:
    """`client.audit`: what operators changed."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, *, account: str | None = None, action: str | None = None, since: str | None = None, page_size: int | None = None) -> AsyncIterator[AuditEntry]:
        """What operators changed, newest first."""
        query = {
            "account": account,
            "action": action,
            "since": since,
            "limit": page_size,
        }
        async for entry in self._transport.pages("/v1/admin/audit", query):
            yield entry


class AsyncDocmillAdmin:
    """A client of the admin API.

    `operator_key` and `base_url` default to DOCMILL_OPERATOR_KEY and DOCMILL_URL. The other arguments are those of
    `AsyncDocmill`.
    """

    def __init__(
        self,
        operator_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        retry: RetryPolicy = RetryPolicy(),
        verify: ssl.SSLContext | bool = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        key = operator_key_of(operator_key)
        self._transport = AsyncTransport(key, base_url, timeout, retry, transport, verify)
        self.accounts = AsyncAdminAccounts(self._transport)
        self.keys = AsyncAdminKeys(self._transport)
        self.operations = AsyncAdminOperations(self._transport)
        self.erasures = AsyncErasures(self._transport)
        self.operator_keys = AsyncOperatorKeys(self._transport)
        self.audit = AsyncAudit(self._transport)

    def __repr__(self) -> str:
        return f"AsyncDocmillAdmin(base_url={self._transport.base_url!r})"

    async def __aenter__(self) -> AsyncDocmillAdmin:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()


def _target(queue: str | None, account: str | None, all_queues: bool) -> Dict[str, Any]:
    return {"queue": queue, "account": account, "all": True if all_queues else None}
