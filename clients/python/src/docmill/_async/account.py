"""Jobs, e-mail deliveries, quotas, usage and keys."""

from __future__ import annotations

import time
from typing import AsyncIterator, List, Literal, Sequence

from .. import _platform_async as platform
from .._request import build, path_id
from ..documents import File, PathLike
from ..types import (
    AccountKey,
    Delivery,
    DeliveryStatus,
    DocumentFormat,
    Job,
    JobRequest,
    JobStatus,
    Quotas,
    SignedReceipt,
    TimelineEntry,
    Usage,
)
from .transport import AsyncTransport

_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0


class AsyncJobs:
    """`client.jobs`: the documents of the account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, job_id: str) -> Job:
        """Returns a job."""
        job: Job = await self._transport.json(build("GET", _job(job_id)))
        return job

    async def request(self, job_id: str) -> JobRequest:
        """The request for a document: template, options and, if stored, the data as JSON text."""
        request: JobRequest = await self._transport.json(build("GET", f"{_job(job_id)}/request"))
        return request

    async def timeline(self, job_id: str) -> List[TimelineEntry]:
        """The history of a document in order: waiting, rendering, converting, e-mail and webhooks."""
        entries: List[TimelineEntry] = await self._transport.json(build("GET", f"{_job(job_id)}/timeline"))
        return entries

    async def receipt(self, job_id: str) -> SignedReceipt:
        """The signed proof of how a document was made."""
        receipt: SignedReceipt = await self._transport.json(build("GET", f"{_job(job_id)}/receipt"))
        return receipt

    async def list(
        self,
        *,
        status: JobStatus | None = None,
        template_id: str | None = None,
        batch_id: str | None = None,
        format: DocumentFormat | None = None,
        test: bool | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> List[Job]:
        """One page of jobs, newest first. A page of a search can be short although more pages follow."""
        query = {
            "status": status,
            "templateId": template_id,
            "batchId": batch_id,
            "format": format,
            "test": test,
            "from": created_from,
            "to": created_to,
            "search": search,
            "limit": limit,
        }
        answer: List[Job] = await self._transport.json(build("GET", "/v1/jobs", query=query))
        return answer

    async def iterate(
        self,
        *,
        status: JobStatus | None = None,
        template_id: str | None = None,
        batch_id: str | None = None,
        format: DocumentFormat | None = None,
        test: bool | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        search: str | None = None,
        page_size: int | None = None,
    ) -> AsyncIterator[Job]:
        """All jobs, newest first; `search` matches any part of the id, file name or recipient."""
        query = {
            "status": status,
            "templateId": template_id,
            "batchId": batch_id,
            "format": format,
            "test": test,
            "from": created_from,
            "to": created_to,
            "search": search,
            "limit": page_size,
        }
        async for entry in self._transport.pages("/v1/jobs", query):
            yield entry

    async def wait(self, job_id: str, *, timeout_seconds: float | None = None) -> Job:
        """Waits until the job ends and returns it. Check `status`, which can also be `failed` or `cancelled`.

        Raises TimeoutError when the time is up; the job continues.
        """
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        pause = _FIRST_PAUSE_SECONDS
        while (job := await self.get(job_id))["status"] in ("queued", "running"):
            left = pause if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"job {job_id} has not ended within {timeout_seconds} seconds; it continues")
            await platform.sleep(min(pause, left))
            pause = min(_LONGEST_PAUSE_SECONDS, pause * 1.5)
        return job

    async def download(self, job_id: str, *, to: PathLike | None = None) -> File:
        """The file of a succeeded job, in memory or at a path."""
        return (await self._transport.file(build("GET", f"{_job(job_id)}/content"), to))[0]

    async def cancel(self, job_id: str) -> None:
        """Cancels a job and refunds it. Raises ConflictError if it has ended."""
        await self._transport.json(build("DELETE", _job(job_id)))


class AsyncDeliveries:
    """`client.deliveries`: e-mails."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, delivery_id: str) -> Delivery:
        """A delivery, with the state of each recipient."""
        delivery: Delivery = await self._transport.json(build("GET", f"/v1/deliveries/{path_id(delivery_id)}"))
        return delivery

    async def list(
        self,
        *,
        status: DeliveryStatus | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> List[Delivery]:
        """One page of deliveries, newest first. With a status or a search, it can be short although more pages
        follow."""
        query = {"status": status, "from": created_from, "to": created_to, "search": search, "limit": limit}
        answer: List[Delivery] = await self._transport.json(build("GET", "/v1/deliveries", query=query))
        return answer

    async def iterate(
        self,
        *,
        status: DeliveryStatus | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        search: str | None = None,
        page_size: int | None = None,
    ) -> AsyncIterator[Delivery]:
        """All deliveries, newest first; `search` matches any part of the id, document or recipient."""
        query = {"status": status, "from": created_from, "to": created_to, "search": search, "limit": page_size}
        async for entry in self._transport.pages("/v1/deliveries", query):
            yield entry

    async def create(
        self,
        document_id: str,
        *,
        to: Sequence[str],
        cc: Sequence[str] = (),
        bcc: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Delivery:
        """Sends the e-mail of a document again, to these recipients, as a new delivery."""
        body = {"documentId": document_id, "to": list(to), "cc": list(cc), "bcc": list(bcc)}
        delivery: Delivery = await self._transport.json(
            build("POST", "/v1/deliveries", json_body=body, idempotency_key=idempotency_key)
        )
        return delivery

    async def resend(self, delivery_id: str, *, idempotency_key: str | None = None) -> Delivery:
        """Sends again to the recipients that were not reached."""
        path = f"/v1/deliveries/{path_id(delivery_id)}/resend"
        delivery: Delivery = await self._transport.json(build("POST", path, idempotency_key=idempotency_key))
        return delivery


class AsyncAccount:
    """`client.account`: quotas, usage and keys."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def quotas(self) -> Quotas:
        """The allocated and the remaining quota."""
        quotas: Quotas = await self._transport.json(build("GET", "/v1/account/quotas"))
        return quotas

    async def usage(
        self,
        *,
        first_day: str | None = None,
        last_day: str | None = None,
        group_by: Literal["day", "template", "key", "dayAndTemplate"] | None = None,
        template_id: str | None = None,
    ) -> Usage:
        """The usage from `first_day` to `last_day`, such as `2026-11-22`, both inclusive; optionally of one
        template."""
        query = {"from": first_day, "to": last_day, "groupBy": group_by, "templateId": template_id}
        usage: Usage = await self._transport.json(build("GET", "/v1/account/usage", query=query))
        return usage

    async def key(self) -> AccountKey:
        """The key of this client: its scopes, kind, expiry and budget. Every key may read its own."""
        key: AccountKey = await self._transport.json(build("GET", "/v1/account/key"))
        return key

    async def keys(self, *, page_size: int | None = None) -> AsyncIterator[AccountKey]:
        """All API keys of the account without their secrets, newest first."""
        async for entry in self._transport.pages("/v1/account/keys", {"limit": page_size}):
            yield entry


def _job(job_id: str) -> str:
    return f"/v1/jobs/{path_id(job_id)}"
