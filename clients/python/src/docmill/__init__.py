"""Client for Docmill, which turns Word templates and data into .docx and PDF files."""

from . import errors, types
from ._async.admin import AsyncDocmillAdmin
from ._async.batch_run import AsyncBatchDocument, AsyncBatchRun
from ._async.client import AsyncDocmill
from ._retry import RetryPolicy
from ._sync.admin import DocmillAdmin
from ._sync.batch_run import BatchDocument, BatchRun
from ._sync.client import Docmill
from ._version import __version__
from .documents import Document, File, Preview
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    DataError,
    DocmillError,
    InvalidRequestError,
    NotFoundError,
    PermissionError,
    QuotaError,
    RateLimitError,
    ServiceError,
    TemplateError,
    UnexpectedResponseError,
    WebhookVerificationError,
)
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AsyncBatchDocument",
    "AsyncBatchRun",
    "AsyncDocmill",
    "AsyncDocmillAdmin",
    "AuthenticationError",
    "BatchDocument",
    "BatchRun",
    "ConflictError",
    "ConnectionError",
    "DataError",
    "Docmill",
    "DocmillAdmin",
    "DocmillError",
    "Document",
    "File",
    "InvalidRequestError",
    "NotFoundError",
    "PermissionError",
    "Preview",
    "QuotaError",
    "RateLimitError",
    "RetryPolicy",
    "ServiceError",
    "TemplateError",
    "UnexpectedResponseError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "errors",
    "types",
    "verify_webhook",
]
