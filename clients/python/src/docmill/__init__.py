"""Client for Docmill, which turns Word templates and data into .docx and PDF files."""

from . import errors, types
from ._async.batch_run import AsyncBatchDocument, AsyncBatchRun
from ._async.client import AsyncDocmill
from ._retry import RetryPolicy
from ._sync.batch_run import BatchDocument, BatchRun
from ._sync.client import Docmill
from ._version import __version__
from .documents import Document, File, Preview
from .errors import (
    Conflict,
    ConnectionFailed,
    DataError,
    DocmillError,
    Forbidden,
    InvalidRequest,
    NotFound,
    PreconditionFailed,
    QuotaExceeded,
    RateLimited,
    ServerError,
    ServiceUnavailable,
    TemplateError,
    Unauthorized,
    UnexpectedAnswer,
    WaitTimeout,
    WebhookVerificationError,
)
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AsyncBatchDocument",
    "AsyncBatchRun",
    "AsyncDocmill",
    "BatchDocument",
    "BatchRun",
    "Conflict",
    "ConnectionFailed",
    "DataError",
    "Docmill",
    "DocmillError",
    "Document",
    "File",
    "Forbidden",
    "InvalidRequest",
    "NotFound",
    "PreconditionFailed",
    "Preview",
    "QuotaExceeded",
    "RateLimited",
    "RetryPolicy",
    "ServerError",
    "ServiceUnavailable",
    "TemplateError",
    "Unauthorized",
    "UnexpectedAnswer",
    "WaitTimeout",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "errors",
    "types",
    "verify_webhook",
]
