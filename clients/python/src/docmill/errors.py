"""Errors raised by the client. Some have the names of built-in ones, as in the TypeScript client. None of them contains the key, the request body or the body of a success."""

from __future__ import annotations

from typing import Any, Mapping

from .types import ErrorDetail


class DocmillError(Exception):
    """The base class of all errors: a failed request.

    `status` is the HTTP status, or None if no response arrived. `code` is the header `Error-Code`, `details` the
    list from the error body, `request_id` the id to quote when you report a problem, `document_id` the job of a
    failed document.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        details: list[ErrorDetail] | None = None,
        request_id: str | None = None,
        document_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details: list[ErrorDetail] = details or []
        self.request_id = request_id
        self.document_id = document_id
        self.retry_after = retry_after
        """The seconds that the service asks to wait."""

    def __str__(self) -> str:
        facts = [f"status {self.status}" if self.status else "", f"request {self.request_id}" if self.request_id else ""]
        suffix = ", ".join(fact for fact in facts if fact)
        return f"{self.message} ({suffix})" if suffix else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions with keyword arguments cannot be pickled by default, and task queues pickle them.
        return (_restore, (type(self), self.message, self.__dict__))

    def _first(self, field: str) -> str | None:
        return next((value for detail in self.details if isinstance(value := detail.get(field), str)), None)


def _restore(kind: type[DocmillError], message: str, state: dict[str, Any]) -> DocmillError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class ConnectionError(DocmillError):
    """No complete response arrived after all attempts. Whether the request was processed is unknown."""


class UnexpectedResponseError(DocmillError):
    """The response does not come from the service: often from a proxy, or because of a wrong `base_url`."""


class WebhookVerificationError(DocmillError):
    """The webhook does not come from the service, was changed, or is too old."""


class InvalidRequestError(DocmillError):
    """400: `details` names the invalid fields."""


class TemplateError(InvalidRequestError):
    """400: the template has errors, or its documents cannot be made. The properties describe the first error; `details`
    lists all."""

    @property
    def tag(self) -> str | None:
        """The offending tag, such as `{#items}`."""
        return self._first("tag")

    @property
    def part(self) -> str | None:
        """The part of the document, such as `word/document.xml`."""
        return self._first("part")

    @property
    def context(self) -> str | None:
        """The text around the tag."""
        return self._first("context")

    @property
    def hint(self) -> str | None:
        """What to do."""
        return self._first("hint")


class DataError(InvalidRequestError):
    """400 `data_invalid`: the data does not fit the template."""

    @property
    def paths(self) -> list[str]:
        """The paths of the invalid values, such as `data.customer.name`."""
        return [detail["path"] for detail in self.details if isinstance(detail.get("path"), str)]


class AuthenticationError(DocmillError):
    """401: the key is missing, unknown, expired or revoked."""


class QuotaError(DocmillError):
    """402: the quota or the budget of the key is used up."""


class PermissionError(DocmillError):
    """403: the key lacks a scope, is a test key, or the account is suspended; `code` says which."""


class NotFoundError(DocmillError):
    """404: it does not exist in this account."""


class ConflictError(DocmillError):
    """409 and 412: the request conflicts with the state, another client changed it first, or the idempotency key belongs
    to another request; nothing was changed."""


class RateLimitError(DocmillError):
    """429 after all attempts: `retry_after` holds the seconds to wait."""


class ServiceError(DocmillError):
    """5xx: the service failed or is overloaded; nothing was charged. After 504 the job of `document_id` continues."""


_TEMPLATE_CODES = (
    "template_invalid",
    "missing_glyph",
    "render_limit",
    "conversion_failed",
    "conversion_timeout",
    "document_quarantined",
    "template_suspended",
)
_BY_CODE: Mapping[str, type[DocmillError]] = {"data_invalid": DataError, **dict.fromkeys(_TEMPLATE_CODES, TemplateError)}
_BY_STATUS: Mapping[int, type[DocmillError]] = {
    401: AuthenticationError,
    402: QuotaError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    429: RateLimitError,
}


def error_class(status: int, code: str | None) -> type[DocmillError]:
    """The error class for a response."""
    return _BY_CODE.get(code or "") or _BY_STATUS.get(status) or (ServiceError if status >= 500 else InvalidRequestError)
