"""Types of requests and responses.

Made from the OpenAPI document by `npm run generate`. Change the schemas of the service there.
"""

# isort: skip_file
from __future__ import annotations

from typing import Any, Literal, TypedDict


#: Something that keeps documents from being accessible.
class AccessibilityNote(TypedDict):
    #: Kind of the finding.
    code: str
    #: What is wrong, what to do, and where it was found first.
    message: str
    #: How often it was found.
    count: int


class AccountFont(TypedDict):
    #: Id of the font.
    id: str
    #: Only documents of the account use the font.
    scope: Literal["account"]
    #: Name given at upload, or the full name.
    name: str
    #: Family, as documents name it.
    family: str
    #: The style of the family that this font is.
    style: Literal["regular", "bold", "italic", "boldItalic"]
    #: Full name inside the font.
    fullName: str
    #: Version inside the font.
    version: str | None
    #: Outline format.
    format: Literal["truetype", "opentype"]
    #: Embedding rights that its licence grants (`fsType`). A restricted font is refused.
    embedding: Literal["installable", "editable", "print"]
    #: Number of glyphs.
    glyphs: int
    #: Number of characters.
    characters: int
    #: Size of the uploaded file in bytes.
    size: int
    #: SHA-256 of the uploaded file, hex.
    checksum: str
    #: When the font was first uploaded.
    createdAt: str
    #: When it was last replaced.
    updatedAt: str


class _AccountKeyRequired(TypedDict):
    #: Id of the key, as in `groupBy=key` of the usage.
    id: str
    account: KeyAccount
    #: How the key begins, to recognise it. It is no secret.
    prefix: str
    #: `test`: its documents are free and have a watermark.
    kind: Literal["live", "test"]
    #: Only an `active` key is accepted.
    status: Literal["active", "expired", "revoked"]
    #: What the key may do.
    scopes: list[Literal["templates:read", "templates:write", "documents:read", "generate", "account:read", "webhooks", "templates:approve", "templates:override"]]
    #: Whether the key was created without a list of scopes: it has all but `templates:approve` and
    #: `templates:override`, those of later releases too.
    hasAllScopes: bool
    #: When it was created.
    createdAt: str


class AccountKey(_AccountKeyRequired, total=False):
    #: The name that the operator gave it. For people who sign in: their name.
    name: str
    person: AccountPerson
    #: The person who is responsible for the key; absent if it has no owner.
    ownerId: str
    budget: AccountKeyBudget
    #: When it expires, or expired; absent for one that does not.
    expiresAt: str
    #: When it was revoked.
    revokedAt: str
    #: Until when the secret before the last rotation works, too.
    previousSecretUntil: str
    #: The last request with the key, recorded within 10 seconds.
    lastUsedAt: str


#: Absent when the quota of the account is the only limit.
class AccountKeyBudget(TypedDict):
    #: Documents it may request in a calendar month (UTC).
    docsPerMonth: int
    #: What is left of them in this month.
    remaining: int


AccountKeyList = list["AccountKey"]


class _AccountPersonRequired(TypedDict):
    #: Id of the provider by which the person signs in.
    provider: str
    #: At the last sign-in; none after a refused one.
    roles: list[Literal["viewer", "author", "approver", "developer", "admin"]]


#: Somebody who signs in to the console; absent for a key.
class AccountPerson(_AccountPersonRequired, total=False):
    #: As the provider has it.
    email: str


class AdminAccount(TypedDict):
    #: Id of the account.
    accountId: str
    #: Its name.
    name: str
    #: When it was created.
    createdAt: str
    #: Since when its keys are refused; null if they are accepted.
    suspendedAt: str | None
    #: Since when it is being deleted, which cannot be undone.
    deletingSince: str | None
    #: Whether a new version of a template is a draft until another person approves it.
    needsApproval: bool
    #: Its own limits of e-mails.
    emailLimits: dict[str, Any]
    #: The monthly quota; null without one.
    subscription: dict[str, Any] | None
    #: Its API keys, oldest first.
    keys: list[AdminKey]
    quotas: Quotas


class AdminAccountErasureRequest(TypedDict):
    #: The name of the account, so that a wrong id deletes nothing.
    confirm: str


class AdminAccountSummary(TypedDict):
    #: Id of the account.
    accountId: str
    #: Its name.
    name: str
    #: When it was created.
    createdAt: str
    #: Since when its keys are refused; null if they are accepted.
    suspendedAt: str | None
    #: Since when it is being deleted, which cannot be undone.
    deletingSince: str | None
    #: Templates it has.
    templates: float
    #: Keys that are neither revoked nor expired.
    keys: float
    #: The monthly quota; null without one.
    subscription: dict[str, Any] | None
    #: The credits.
    credits: dict[str, Any]


AdminAccountList = list["AdminAccountSummary"]


class AdminAccountRequest(TypedDict):
    #: A name for people.
    name: str


class AdminAccountState(TypedDict):
    #: Id of the account.
    accountId: str
    #: Since when its keys are refused; null if they are accepted.
    suspendedAt: str | None


class AdminApproval(TypedDict):
    #: Id of the account.
    accountId: str
    #: Whether a new version of a template is a draft until another person approves it.
    needsApproval: bool


class AdminApprovalRequest(TypedDict):
    #: Whether a new version of a template is a draft until another person approves it.
    needsApproval: bool


class AdminBatchWeight(TypedDict):
    #: Id of the account.
    accountId: str
    #: Its share beside other accounts.
    weight: float


class AdminBatchWeightRequest(TypedDict):
    #: Its share beside other accounts; usually 1.
    weight: int


class AdminBudget(TypedDict):
    #: Id of the key.
    keyId: str
    #: Documents in a calendar month (UTC); null for no budget.
    docsPerMonth: float | None


class AdminBudgetRequest(TypedDict):
    #: Documents in a calendar month (UTC); null removes the budget.
    docsPerMonth: int | None


class AdminBusiestAccounts(TypedDict):
    #: The start of the period.
    since: str
    #: The busiest first.
    accounts: list[dict[str, Any]]


class AdminCreatedAccount(TypedDict):
    #: Id of the account.
    accountId: str
    #: Its name.
    name: str


class AdminCreatedKey(TypedDict):
    #: Id of the API key.
    keyId: str
    #: What the operator called it.
    name: str | None
    #: Its scopes; null for all of them.
    scopes: list[Literal["templates:read", "templates:write", "documents:read", "generate", "account:read", "webhooks", "templates:approve", "templates:override"]] | None
    #: Whether its documents are free and have a watermark.
    isTest: bool
    #: When it expires.
    expiresAt: str | None
    #: The person who is responsible for it; null if it has no owner.
    ownerId: str | None
    #: Id of the account.
    accountId: str
    #: The key itself. Store it: it is shown only now.
    apiKey: str


class _AdminCreditsRequired(TypedDict):
    #: Id of the credits.
    creditsId: str
    #: Id of the account.
    accountId: str
    #: Documents.
    docs: float
    #: Templates.
    templates: float


class AdminCredits(_AdminCreditsRequired, total=False):
    #: When they expire; absent for never.
    expiresAt: str


class _AdminCreditsRequestRequired(TypedDict):
    #: Documents.
    docs: int
    #: Templates.
    templates: int


class AdminCreditsRequest(_AdminCreditsRequestRequired, total=False):
    #: When it expires; by default never.
    expiresAt: str | None


class AdminDelivery(TypedDict):
    #: Id of the delivery.
    deliveryId: str
    #: Id of the document.
    documentId: str
    #: Its status.
    status: Literal["pending", "sending", "transmitting", "sent", "partial", "failed", "unknown", "skipped"]
    #: The recipients, each with its outcome.
    recipients: list[dict[str, Any]]
    #: How often it was tried.
    attempts: float
    #: The last reply of the mail server.
    lastReply: str | None
    #: When it was created.
    createdAt: str
    #: When it is tried next.
    nextAttemptAt: str | None
    #: When it ended.
    finishedAt: str | None


AdminDeliveryList = list["AdminDelivery"]


class AdminDrain(TypedDict):
    #: Workers that finish their jobs and exit.
    asked: list[str]


class AdminDrainRequest(TypedDict, total=False):
    #: One worker.
    worker: str | None
    #: All workers.
    all: Literal[True]


class AdminEmailLimits(TypedDict):
    #: Id of the account.
    accountId: str
    #: Recipients in a day (UTC); null for the limit of the service, 0 for none.
    recipientsPerDay: float | None
    #: E-mails to one address in a day; null and 0 as above.
    messagesPerRecipientPerDay: float | None


class AdminEmailLimitsRequest(TypedDict, total=False):
    #: Recipients in a day (UTC); null for the limit of the service, 0 for none.
    recipientsPerDay: int | None
    #: E-mails to one address in a day; null and 0 as above.
    messagesPerRecipientPerDay: int | None


class _AdminEngineRequestRequired(TypedDict):
    #: A version of LibreOffice; null removes the pin.
    engine: str | None


class AdminEngineRequest(_AdminEngineRequestRequired, total=False):
    #: Pins although no worker has the version.
    withoutWorker: bool | None


class AdminErasureRequest(TypedDict, total=False):
    #: A document.
    document: str | None
    #: Every document sent to this address or naming it.
    recipient: str | None
    #: Only in this account.
    account: str | None


class AdminKey(TypedDict):
    #: Id of the API key.
    keyId: str
    #: What the operator called it.
    name: str | None
    #: Its scopes; null for all of them.
    scopes: list[Literal["templates:read", "templates:write", "documents:read", "generate", "account:read", "webhooks", "templates:approve", "templates:override"]] | None
    #: Whether its documents are free and have a watermark.
    isTest: bool
    #: When it expires.
    expiresAt: str | None
    #: The person who is responsible for it; null if it has no owner.
    ownerId: str | None
    #: When it was created.
    createdAt: str
    #: When it was revoked.
    revokedAt: str | None
    #: Until when the secret before the last rotation works, too.
    previousSecretUntil: str | None
    #: Documents it may request in a calendar month (UTC); null for no budget.
    docsPerMonth: float | None
    #: The provider by which a person signs in; null for a key.
    provider: str | None
    #: The e-mail address of its user, for people who sign in.
    email: str | None
    #: The roles of its user at the last sign-in.
    roles: list[str] | None


AdminKeyList = list["AdminKey"]


class AdminKeyRequest(TypedDict, total=False):
    #: A name for people.
    name: str | None
    #: What it may do; by default everything.
    scopes: list[Literal["templates:read", "templates:write", "documents:read", "generate", "account:read", "webhooks", "templates:approve", "templates:override"]] | None
    #: By default `live`.
    kind: Literal["live", "test", None]
    #: When it expires; by default never.
    expiresAt: str | None
    #: The person who is responsible for it, by the id of their key.
    ownerId: str | None


class AdminKeyRotationRequest(TypedDict, total=False):
    #: How long the previous secret works; by default 24 hours.
    overlapHours: float | None
    #: Ends the overlap of an earlier rotation.
    force: bool | None


class AdminKeyUse(TypedDict):
    #: Id of the key.
    keyId: str
    #: The day (UTC).
    day: str
    #: The scope, or `any`.
    scope: str
    #: Id of the account.
    accountId: str
    #: Requests of that day.
    requests: float
    #: The first of them.
    firstAt: str
    #: The last of them.
    lastAt: str


AdminKeyUseList = list["AdminKeyUse"]


class AdminLiftRequest(TypedDict, total=False):
    #: A document.
    fingerprint: str | None
    #: A template.
    template: str | None


class AdminLifted(TypedDict, total=False):
    #: The document.
    fingerprint: str
    #: The template.
    template: str


class AdminPause(TypedDict):
    #: `queue:` and its name, or `account:` and its id.
    target: str
    #: Whether the API refuses new requests.
    isRefusing: bool
    #: Since when.
    createdAt: str


class AdminPauseRequest(TypedDict, total=False):
    #: A queue.
    queue: Literal["docx", "pdf", "docx-batch", "pdf-batch", "inspect", "mail", "webhook", "bundle", None]
    #: An account.
    account: str | None
    #: All queues.
    all: Literal[True]
    #: The API refuses new requests, too.
    refuse: bool | None


class _AdminPausesRequired(TypedDict):
    #: All pauses.
    paused: list[AdminPause]


class AdminPauses(_AdminPausesRequired, total=False):
    #: The pauses that this request ended.
    resumed: list[str]


class AdminQuarantine(TypedDict):
    #: Documents that crashed or hung LibreOffice.
    documents: list[dict[str, Any]]
    #: Templates with such failures.
    templates: list[dict[str, Any]]


class AdminQueues(TypedDict):
    #: False if more wait than were counted.
    isComplete: bool
    #: `read`, or why Redis was not read.
    redis: str
    #: The queues.
    queues: list[dict[str, Any]]
    #: The accounts with the largest backlogs.
    accounts: list[dict[str, Any]]


class AdminReseal(TypedDict):
    #: Webhooks that were read.
    webhooks: float
    #: Those whose secrets were encrypted anew.
    resealed: float
    #: Those still to be encrypted.
    pending: float
    #: Those with a secret that no key opens.
    unreadable: float
    #: The first 20 of them.
    unreadableIds: list[str]


class AdminResealRequest(TypedDict, total=False):
    #: Only reports; changes nothing.
    check: bool | None


class AdminResumeRequest(TypedDict, total=False):
    #: A queue.
    queue: Literal["docx", "pdf", "docx-batch", "pdf-batch", "inspect", "mail", "webhook", "bundle", None]
    #: An account.
    account: str | None
    #: All queues.
    all: Literal[True]


class _AdminRetryRequired(TypedDict):
    #: It was queued again.
    outcome: Literal["queued"]


class AdminRetry(_AdminRetryRequired, total=False):
    #: How many documents were queued.
    documents: float
    #: The document.
    documentId: str
    #: The batch.
    batchId: str
    #: The e-mail.
    deliveryId: str


class AdminRetryRequest(TypedDict, total=False):
    #: A failed document of a batch.
    document: str | None
    #: All failed documents of a batch.
    batch: str | None
    #: An e-mail.
    delivery: str | None


class AdminRevokedKey(TypedDict):
    #: Id of the key.
    keyId: str
    #: When it was first revoked.
    revokedAt: str | None


class AdminRotatedKey(TypedDict):
    #: Id of the key.
    keyId: str
    #: Until when the previous secret works.
    previousSecretUntil: str | None
    #: The key with its new secret. Store it: it is shown only now.
    apiKey: str


class AdminSubscription(TypedDict):
    #: Id of the account.
    accountId: str
    #: Documents in a month.
    docs: float
    #: Templates that the account may have.
    templates: float
    #: The day on which its month begins.
    anchorDay: float


class _AdminSubscriptionRequestRequired(TypedDict):
    #: Documents in a month.
    docs: int
    #: Templates that the account may have.
    templates: int


class AdminSubscriptionRequest(_AdminSubscriptionRequestRequired, total=False):
    #: The day on which its month begins; by default it stays, at first 1.
    anchorDay: int | None


class AdminTemplatePin(TypedDict):
    #: Id of the template.
    templateId: str
    #: The version of LibreOffice; null for any.
    engine: str | None


AdminUsage = TypedDict("AdminUsage", {
    #: Id of the account.
    "accountId": str,
    #: The first day.
    "from": str,
    #: The last day.
    "to": str,
    #: How it is grouped.
    "by": Literal["day", "template", "key", "dayAndTemplate"],
    #: Of the whole period.
    "totals": dict[str, Any],
    #: The groups.
    "groups": list[dict[str, Any]],
    #: Whether there are more groups.
    "hasMore": bool,
})


class AdminWorker(TypedDict):
    #: Id of the worker.
    workerId: str
    #: Its host.
    host: str
    #: Its process.
    pid: float
    #: Its release.
    release: str
    #: The queues that it serves.
    queues: list[str]
    #: Jobs that it processes, by queue.
    jobs: dict[str, Any]
    #: Jobs that ended within two minutes, by queue.
    recent: dict[str, Any]
    #: When it started.
    startedAt: str
    #: Whether it was asked to finish its jobs and exit.
    isDraining: bool
    #: Whether it reported within 15 seconds.
    isLive: bool


class AdminWorkers(TypedDict):
    #: All workers.
    workers: list[AdminWorker]


class _ApprovalRequired(TypedDict):
    #: Id of the API key.
    keyId: str
    #: When the version became live.
    at: str


#: Who made the version live. Absent if nobody did yet, and for a version that needs no approval.
class Approval(_ApprovalRequired, total=False):
    #: Name of the key.
    name: str
    #: Why it was made live without approval. Absent for a version that was approved.
    overrideReason: str


class Asset(TypedDict):
    #: Id of the asset.
    id: str
    #: Name by which requests can refer to it.
    name: str
    #: Detected from the content, not from the name; `file` if uploaded with `kind` file.
    type: Literal["png", "jpeg", "gif", "svg", "pdf", "file"]
    #: Size of the file in bytes.
    size: int
    #: SHA-256 of the file, hex.
    checksum: str
    #: In pixels; for an SVG, at 96 dpi. 0 unless it is a picture.
    width: int
    #: In pixels. 0 unless it is a picture.
    height: int
    #: When the asset was first uploaded.
    createdAt: str
    #: When its content was last replaced.
    updatedAt: str


AssetList = list["Asset"]


class _AssetUploadRequired(TypedDict):
    #: Name of the file, by which requests can refer to it.
    name: str
    #: A file of at most 5 MB; a picture has at most 50 million pixels.
    file: str


class AssetUpload(_AssetUploadRequired, total=False):
    #: `picture` (the default) stores a picture, or a PDF, and rejects anything else. `file` stores any file, which
    #: requests can attach to documents and e-mails.
    kind: Literal["picture", "file"]


class AuditEntry(TypedDict):
    #: Id of the entry.
    id: str
    #: When it was written.
    at: str
    #: The operator key, or the name that was given to the command.
    actor: str | None
    #: `api`, or the user who ran the command.
    osUser: str
    #: The address of the client, or the host of the command.
    host: str
    #: The name of the command.
    action: str
    #: The account.
    accountId: str | None
    #: What was changed.
    target: str | None
    #: Ids, numbers and choices.
    options: dict[str, Any]
    #: What came of it.
    outcome: Literal["started", "succeeded", "failed"]
    #: How much was changed.
    counts: dict[str, Any] | None
    #: The code of the error.
    error: str | None
    #: The entry of the start, for an act in several steps.
    startId: str | None


AuditEntryList = list["AuditEntry"]


class _BatchSummaryRequired(TypedDict):
    #: Id of the batch.
    id: str
    status: BatchStatus
    #: Id of the template.
    templateId: str
    #: Version of the template.
    templateVersion: int
    format: DocumentFormat
    #: How the files can be downloaded.
    bundle: Literal["zip", "pdf", "none"]
    #: Number of rows.
    rows: int
    #: The finished bundle: one zip, or the volumes of one PDF.
    files: list[BatchFile]
    #: When the batch was accepted.
    createdAt: str


class BatchSummary(_BatchSummaryRequired, total=False):
    #: The batch fails when more rows than this fail.
    maxFailures: int
    error: ErrorBody
    #: The `X-Request-Id` of the request that asked for it.
    requestId: str
    #: When the first row began.
    startedAt: str
    #: When the batch ended.
    finishedAt: str
    #: When the files are deleted.
    expiresAt: str


class _BatchProgressRequired(BatchSummary):
    counts: BatchCounts


class BatchProgress(_BatchProgressRequired, total=False):
    #: Average of the last minute, while the batch runs.
    rowsPerSecond: float
    #: Estimated from `rowsPerSecond`.
    estimatedFinishAt: str


class Batch(BatchProgress):
    #: The most frequent warnings of the documents, with the number of rows.
    warnings: list[BatchWarning]


class _BatchCompletedDataRequired(TypedDict):
    #: Id of the batch.
    id: str
    status: BatchStatus
    #: Id of the template.
    templateId: str
    #: Version of the template.
    templateVersion: int
    format: DocumentFormat
    #: How the files can be downloaded.
    bundle: Literal["zip", "pdf", "none"]
    #: Number of rows.
    rows: int
    #: Number of rows by the status of their documents.
    counts: dict[str, Any]
    #: When the batch was accepted.
    createdAt: str
    #: When it ended.
    finishedAt: str


class BatchCompletedData(_BatchCompletedDataRequired, total=False):
    #: Why the batch failed.
    error: str
    #: Until when its files can be downloaded.
    expiresAt: str


class BatchCompletedEvent(TypedDict):
    #: The kind of the event.
    type: Literal["batch.completed"]
    #: When it happened.
    timestamp: str
    data: BatchCompletedData


#: Number of rows by status.
class BatchCounts(TypedDict):
    #: Rows that wait.
    queued: int
    #: Rows that are being produced.
    running: int
    #: Rows that have a document.
    succeeded: int
    #: Rows without one; they cost nothing.
    failed: int
    #: Rows that were cancelled; they cost nothing.
    cancelled: int


class _BatchEmailRequired(TypedDict):
    #: Addresses, or values of the row: `{customer.email}`.
    to: list[str]


#: Also sends each document by e-mail.
class BatchEmail(_BatchEmailRequired, total=False):
    #: CC recipients.
    cc: list[str] | None
    #: BCC recipients.
    bcc: list[str] | None
    #: May contain values of the row.
    subject: str | None
    #: The same for all rows.
    body: str | None
    #: Files that are sent with the document, at most 10.
    attachments: list[BatchEmailAttachment] | None


#: An asset that is sent with each document.
class BatchEmailAttachment(TypedDict):
    #: Name of the file. It must be unique in the list, ignoring case.
    name: str
    #: Media type of the file, without parameters.
    mediaType: str
    #: Id or name of an asset of the account.
    asset: str


class BatchFile(TypedDict):
    #: Name of the file.
    name: str
    #: Size of the file in bytes.
    size: int
    #: SHA-256 of the file, hex.
    checksum: str
    #: The first row in this file.
    firstRow: int
    #: The last row in this file.
    lastRow: int


class _BatchHybridInvoiceRequired(TypedDict):
    #: The name of the standard. Both names give the same file: Factur-X 1.0 and ZUGFeRD 2.1 are equal.
    format: Literal["factur-x", "zugferd"]
    #: The profile, by extent. `minimum` and `basic-wl` have no lines: in Germany they are not invoices. `xrechnung` is
    #: attached as xrechnung.xml, all others as factur-x.xml.
    profile: Literal["minimum", "basic-wl", "basic", "en16931", "extended", "xrechnung"]


#: An electronic invoice in each PDF/A-3b, made of the data of the row by the invoice mapping of the template.
class BatchHybridInvoice(_BatchHybridInvoiceRequired, total=False):
    #: How the XML relates to the pages (`AFRelationship`). Default: `Data` for `minimum` and `basic-wl`, otherwise
    #: `Alternative`. Set it if the recipient asks for another value.
    relationship: Literal["Data", "Source", "Alternative", None]
    #: What happens if the pages do not show each value of the invoice: the document fails with `invoice_differs`
    #: (`error`, the default), or has a warning for each difference.
    onDifference: Literal["error", "warn", None]


class _BatchItemRequired(TypedDict):
    #: As `data` of generate.
    data: dict[str, Any]


class BatchItem(_BatchItemRequired, total=False):
    #: Overrides the `output` of the batch.
    output: BatchItemOutput | None
    #: Why this row has no document. The row fails alone with this message and costs nothing. For clients that read
    #: tables: an invalid row stays in the batch, so that the others keep their numbers.
    error: str | None


class BatchItemOutput(TypedDict, total=False):
    #: Name of the file; values are not inserted.
    filename: str | None
    #: Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected.
    #: Default: `en`.
    locale: str | None
    #: Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default:
    #: `UTC`.
    timezone: str | None
    #: What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists
    #: every missing path, `highlight` prints the tag in yellow (docx only).
    onMissing: Literal["empty", "error", "highlight", None]
    #: What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning
    #: (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
    onMissingGlyph: Literal["warn", "error", None]
    #: The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of
    #: a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request
    #: always gives the same bytes.
    documentDate: str | None
    #: Options of the .docx; without effect on PDFs.
    docx: DocxOptions | None
    #: Options of the PDF.
    pdf: BatchPdfOptions | None
    #: Replaces the e-mail of the batch.
    email: BatchRowEmail | None


#: A PDF before or after the pages, stored as an asset.
class BatchJoinedPdf(TypedDict):
    #: Id or name of an asset of the account.
    asset: str


BatchList = list["BatchSummary"]


class _BatchManifestEntryRequired(TypedDict):
    #: Counted from 1, in the order of the request.
    row: int
    status: JobStatus
    #: The row as a job: `/v1/jobs/{jobId}`.
    jobId: str


class BatchManifestEntry(_BatchManifestEntryRequired, total=False):
    #: Name of the file, also inside the zip.
    file: str
    #: SHA-256 of the file, hex.
    checksum: str
    #: Size of the file in bytes.
    size: int
    #: Pages of a PDF.
    pages: int
    #: Why the row failed.
    error: str


BatchManifest = list["BatchManifestEntry"]


#: How the documents are made and delivered.
class BatchOutput(TypedDict, total=False):
    #: Format of the files. Default: `docx`.
    format: Literal["docx", "pdf", "xml", None]
    #: Name of each file, with values of the row in braces. Duplicate names get a number.
    filename: str | None
    #: Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected.
    #: Default: `en`.
    locale: str | None
    #: Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default:
    #: `UTC`.
    timezone: str | None
    #: What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists
    #: every missing path, `highlight` prints the tag in yellow (docx only).
    onMissing: Literal["empty", "error", "highlight", None]
    #: What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning
    #: (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
    onMissingGlyph: Literal["warn", "error", None]
    #: The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of
    #: a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request
    #: always gives the same bytes.
    documentDate: str | None
    #: Options of the .docx; without effect on PDFs.
    docx: DocxOptions | None
    #: Options of the PDFs; only with `format` pdf.
    pdf: BatchPdfOptions | None
    #: The electronic invoices; only with `format` xml.
    xml: BatchXmlInvoice | None
    #: Also sends each document by e-mail.
    email: BatchEmail | None


class _BatchPdfAttachmentRequired(TypedDict):
    #: Name of the file. It must be unique in the list, ignoring case.
    name: str
    #: Media type of the file, without parameters.
    mediaType: str
    #: Id or name of an asset of the account.
    asset: str


#: An asset that is embedded in each PDF.
class BatchPdfAttachment(_BatchPdfAttachmentRequired, total=False):
    #: Shown with the name by PDF readers.
    description: str | None
    #: How the file relates to the document (`AFRelationship`). Default: Unspecified.
    relationship: Literal["Source", "Data", "Alternative", "Supplement", "Unspecified", None]


#: Options of the PDF; only with `format` pdf.
class BatchPdfOptions(TypedDict, total=False):
    #: The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of
    #: the PDF needs LibreOffice. Default: auto.
    engine: Literal["auto", "office", None]
    #: Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.
    archive: Literal["PDF/A-1b", "PDF/A-2b", "PDF/A-2u", "PDF/A-3b", None]
    #: Produce a tagged file that conforms to PDF/UA.
    accessible: bool | None
    #: What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the
    #: default), `error` rejects the request with the failures and charges nothing.
    onNonconformance: Literal["warn", "error", None]
    #: Password to open the file, which is encrypted with AES-256. Readers use its first 127 bytes in UTF-8.
    password: str | None
    #: What readers of the file may do. Whatever is not listed is allowed.
    permissions: PdfPermissions | None
    #: Text across every page.
    watermark: str | None
    #: Only these pages, counted from 1.
    pages: str | None
    #: JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution.
    imageQuality: int | None
    #: Files that are embedded in the PDF, at most 20. An archive file with attachments must be PDF/A-3b.
    attachments: list[BatchPdfAttachment] | None
    #: PDFs before the pages, at most 10.
    prepend: list[BatchJoinedPdf] | None
    #: PDFs after the pages, such as terms and conditions, at most 10.
    append: list[BatchJoinedPdf] | None
    #: Embed an electronic invoice.
    invoice: BatchHybridInvoice | None


class _BatchQuoteRequired(TypedDict):
    #: Number of rows.
    rows: int
    #: Documents charged to the quota: one for each valid row.
    cost: int
    #: Documents left in the quota.
    remaining: int
    #: Whether the batch would be accepted: it costs no more than is left, and its e-mails exceed no limit.
    fits: bool
    #: Number of rows that would fail.
    invalidRowCount: int
    #: The first 1000 rows that would fail, counted from 1.
    invalidRows: list[InvalidRow]


class BatchQuote(_BatchQuoteRequired, total=False):
    #: Documents left in the budget of the API key, if it has one.
    budgetRemaining: int
    #: Which limit the e-mails of the batch exceed today. Absent when they exceed none.
    emailProblem: str


class _BatchRequestRequired(TypedDict):
    #: The rows, one document each.
    items: list[BatchItem]


class BatchRequest(_BatchRequestRequired, total=False):
    #: How the documents are made and delivered.
    output: BatchOutput | None
    #: How the files can be downloaded: as a zip (the default), as one PDF (in volumes when it is large), or one by one
    #: only.
    bundle: Literal["zip", "pdf", "none", None]
    #: If more rows than this fail, the batch fails and the remaining rows are released.
    maxFailures: int | None
    #: An https address that is notified when the batch completes or fails.
    callbackUrl: str | None


class _BatchRowRequired(TypedDict):
    #: Counted from 1, in the order of the request.
    row: int
    #: The row as a job: `/v1/jobs/{id}`.
    jobId: str
    status: JobStatus
    #: Name of the file.
    filename: str


class BatchRow(_BatchRowRequired, total=False):
    #: Size of the file in bytes.
    size: int
    error: ErrorBody


class _BatchRowEmailRequired(TypedDict):
    #: Primary recipients.
    to: list[str]


#: Also sends the document by e-mail. `to`, `cc` and `bcc` together name at most 50 recipients; one that is named twice
#: counts once. With a test key nothing is sent: the delivery has the status `skipped`.
class BatchRowEmail(_BatchRowEmailRequired, total=False):
    #: CC recipients.
    cc: list[str] | None
    #: BCC recipients.
    bcc: list[str] | None
    #: Replaces the default subject, which is in the language of the document.
    subject: str | None
    #: Text or HTML that replaces the default body, which is in the language of the document. A plain-text alternative
    #: is added to HTML.
    body: str | None
    #: Files that are sent with the document, at most 10.
    attachments: list[BatchEmailAttachment] | None


BatchRowList = list["BatchRow"]


BatchStatus = Literal["accepted", "running", "completed", "cancelled", "failed"]


class BatchWarning(TypedDict):
    #: Kind of the warning.
    code: str
    #: What differs.
    message: str
    #: Number of rows with this warning.
    rows: int


class _BatchXmlInvoiceRequired(TypedDict):
    #: The specification that the invoice declares. Peppol BIS is `peppol`, which is UBL.
    profile: Literal["en16931", "xrechnung", "peppol"]


#: An electronic invoice of each row, made of its data by the invoice mapping of the template.
class BatchXmlInvoice(_BatchXmlInvoiceRequired, total=False):
    #: Syntax of the XML. Default: `ubl` for `peppol`, otherwise `cii`.
    syntax: Literal["cii", "ubl", None]


class _ConformanceFailureRequired(TypedDict):
    #: Name of the rule, such as `figure-alt`.
    rule: str
    #: Where the standard says it.
    clause: str
    #: What is wrong, and what to do.
    message: str
    #: How often it was found.
    count: int


#: A rule of a standard that the file breaks.
class ConformanceFailure(_ConformanceFailureRequired, total=False):
    #: Where it was found first.
    place: str


class CreatedOperatorKey(TypedDict):
    #: Id of the operator key.
    operatorKeyId: str
    #: Its name.
    name: str
    #: Its scopes; null for all of them.
    scopes: list[Literal["accounts:read", "accounts:write", "billing:write", "keys:write", "operations:read", "operations:write", "erasure:write", "audit:read", "operators:write"]] | None
    #: Where it is accepted from; null for anywhere.
    addressRanges: list[str] | None
    #: Requests in a minute; null for the configured limit.
    requestsPerMinute: float | None
    #: When it expires.
    expiresAt: str | None
    #: The key itself. Store it: it is shown only now.
    operatorKey: str


class _DeliveryRequired(TypedDict):
    #: Id of the delivery.
    id: str
    #: The document that is sent, as a job: `/v1/jobs/{id}`.
    documentId: str
    status: DeliveryStatus
    #: Attempts so far.
    attempts: int
    #: Each recipient once.
    recipients: list[DeliveryRecipient]
    #: When the request was accepted.
    createdAt: str


class Delivery(_DeliveryRequired, total=False):
    #: Last reply of the mail server.
    reply: str
    #: Recipients of the message; only of a single delivery, while the document is kept.
    to: list[str]
    #: CC recipients of the message; only of a single delivery, while the document is kept.
    cc: list[str]
    #: BCC recipients of the message; only of a single delivery, while the document is kept.
    bcc: list[str]
    #: The subject of the request; only of a single delivery. Absent for the default.
    subject: str
    #: The text or HTML of the request; only of a single delivery. Absent for the default.
    body: str
    #: Time of the next attempt.
    nextAttemptAt: str
    #: When the delivery ended.
    finishedAt: str


DeliveryList = list["Delivery"]


class _DeliveryRecipientRequired(TypedDict):
    #: E-mail address.
    address: str
    #: What is known of this recipient.
    status: Literal["pending", "sent", "failed", "deferred", "unknown", "skipped"]


class DeliveryRecipient(_DeliveryRecipientRequired, total=False):
    #: Reply of the mail server.
    reply: str


class _DeliveryRequestRequired(TypedDict):
    #: The document, as a job.
    documentId: str
    #: Primary recipients.
    to: list[str]


#: A document whose e-mail is sent again, and to whom.
class DeliveryRequest(_DeliveryRequestRequired, total=False):
    #: CC recipients.
    cc: list[str] | None
    #: BCC recipients.
    bcc: list[str] | None


#: Status of the whole delivery.
DeliveryStatus = Literal["pending", "sending", "sent", "partial", "failed", "unknown", "skipped"]


class Dictionary(TypedDict):
    #: For each locale, the word of each key.
    words: dict[str, Any]
    #: SHA-256 that identifies the words, hex.
    checksum: str
    #: When the words were last replaced.
    updatedAt: str


class DictionaryRequest(TypedDict):
    #: For each locale (BCP 47), the word of each key. Empty words count as missing. At most 100 locales, 20,000 words
    #: and 1 MB.
    words: dict[str, Any]


class _DocumentFailedDataRequired(TypedDict):
    #: Id of the document and its job.
    id: str
    status: JobStatus
    #: Id of the template.
    templateId: str
    format: DocumentFormat
    #: When the request was accepted.
    createdAt: str
    #: When the document ended.
    finishedAt: str
    error: ErrorBody


class DocumentFailedData(_DocumentFailedDataRequired, total=False):
    #: Version of the template.
    templateVersion: int
    #: Whether a test key requested it.
    test: Literal[True]


class DocumentFailedEvent(TypedDict):
    #: The kind of the event.
    type: Literal["document.failed"]
    #: When it happened.
    timestamp: str
    data: DocumentFailedData


DocumentFormat = Literal["docx", "pdf", "xml"]


class _DocumentSucceededDataRequired(TypedDict):
    #: Id of the document and its job.
    id: str
    status: JobStatus
    #: Id of the template.
    templateId: str
    format: DocumentFormat
    #: When the request was accepted.
    createdAt: str
    #: When the document ended.
    finishedAt: str
    #: Size of the file in bytes.
    size: int


class DocumentSucceededData(_DocumentSucceededDataRequired, total=False):
    #: Version of the template.
    templateVersion: int
    #: Whether a test key requested it.
    test: Literal[True]
    #: Pages of a PDF.
    pages: int
    #: Until when the job has the file. Absent when it has none.
    expiresAt: str


class DocumentSucceededEvent(TypedDict):
    #: The kind of the event.
    type: Literal["document.succeeded"]
    #: When it happened.
    timestamp: str
    data: DocumentSucceededData


class _DocumentWarningRequired(TypedDict):
    #: Kind of the warning.
    code: str
    #: What differs.
    message: str


class DocumentWarning(_DocumentWarningRequired, total=False):
    #: The part of the document: body, header 1, footnotes …
    part: str
    #: The text around the first place.
    context: str
    #: The font that the text asks for.
    font: str
    #: The characters that no installed font has, at most 50.
    characters: list[MissingCharacter]
    #: The affected values of the data, at most 50.
    paths: list[str]
    #: How many places are affected in all.
    count: int


#: Options of the .docx; without effect on PDFs.
class DocxOptions(TypedDict, total=False):
    #: Whether a .docx keeps content that Word would load from outside (linked pictures and objects, attached templates,
    #: imported files, mail merge sources) and digital signatures, which become invalid when the template is filled:
    #: `keep` or `remove`. Hyperlinks stay. Default: `remove` for documents that are e-mailed, `keep` for all others.
    #: PDFs never load anything.
    externalContent: Literal["keep", "remove", None]
    #: What happens to the content controls of a .docx: they stay, only their content stays, or nobody can edit or
    #: delete them. Default: `keep`.
    contentControls: Literal["keep", "remove", "lock", None]
    #: Whether to keep or remove the comments of the template and their authors. Default: `keep`.
    comments: Literal["keep", "remove", None]
    #: Whether to keep or accept the tracked changes of the template. Default: `keep`.
    trackedChanges: Literal["keep", "accept", None]
    #: What Word allows in the document. Default: as in the template.
    protection: DocxProtection | None


class _DocxProtectionRequired(TypedDict):
    #: What Word allows: `readOnly` no changes, `comments` comments, `trackedChanges` changes that are tracked, `forms`
    #: filling in content controls and form fields. With `recommended`, Word asks whether to open the document
    #: read-only.
    mode: Literal["readOnly", "comments", "trackedChanges", "forms", "recommended"]


#: What Word allows in the document. Other programs may ignore it, because the file is not encrypted.
class DocxProtection(_DocxProtectionRequired, total=False):
    #: Turns the protection off in Word, which compares at most 15 characters. With `recommended`, Word asks for it
    #: before it allows changes. Everybody can read the document without it.
    password: str | None


class _EmailAttachmentRequired(TypedDict):
    #: Name of the file. It must be unique in the list, ignoring case.
    name: str
    #: Media type of the file, without parameters.
    mediaType: str


#: A file that is sent with the document.
class EmailAttachment(_EmailAttachmentRequired, total=False):
    #: Id or name of an asset of the account, instead of `content`.
    asset: str | None
    #: The file in base64, instead of `asset`.
    content: str | None


class _EmailFailedDataRequired(TypedDict):
    #: Id of the e-mail delivery.
    id: str
    #: Id of the document.
    documentId: str
    #: Whether some recipients have it.
    status: Literal["partial", "failed", "unknown"]
    #: Number of attempts.
    attempts: int
    #: Number of recipients by outcome.
    recipients: dict[str, Any]
    #: When the delivery was created.
    createdAt: str
    #: When it ended.
    finishedAt: str


class EmailFailedData(_EmailFailedDataRequired, total=False):
    #: The last reply of the mail server.
    reply: str


class EmailFailedEvent(TypedDict):
    #: The kind of the event.
    type: Literal["email.failed"]
    #: When it happened.
    timestamp: str
    data: EmailFailedData


class _EmailOptionsRequired(TypedDict):
    #: Primary recipients.
    to: list[str]


#: Also sends the document by e-mail. `to`, `cc` and `bcc` together name at most 50 recipients; one that is named twice
#: counts once. With a test key nothing is sent: the delivery has the status `skipped`.
class EmailOptions(_EmailOptionsRequired, total=False):
    #: CC recipients.
    cc: list[str] | None
    #: BCC recipients.
    bcc: list[str] | None
    #: Replaces the default subject, which is in the language of the document.
    subject: str | None
    #: Text or HTML that replaces the default body, which is in the language of the document. A plain-text alternative
    #: is added to HTML.
    body: str | None
    #: Files that are sent with the document, at most 10.
    attachments: list[EmailAttachment] | None


class Erasure(TypedDict):
    #: Id of the erasure.
    erasureId: str
    #: What is erased.
    kind: Literal["account", "document", "recipient"]
    #: The account or the document; null for an address, which is not kept.
    target: str | None
    #: The only account in which an address is erased; null for all.
    withinAccount: str | None
    #: Only `succeeded` and `failed` are final.
    state: Literal["waiting", "running", "succeeded", "failed"]
    #: What was erased; null until it has succeeded.
    result: dict[str, Any] | None
    #: Why it failed.
    error: str | None
    #: When it was requested.
    createdAt: str
    #: When it ended.
    finishedAt: str | None


ErasureList = list["Erasure"]


class Error(TypedDict):
    error: ErrorBody


class _ErrorBodyRequired(TypedDict):
    #: HTTP status code of the error.
    status: int
    #: What is wrong.
    message: str


class ErrorBody(_ErrorBodyRequired, total=False):
    #: One entry for each invalid field or tag.
    details: list[ErrorDetail]


class _ErrorDetailRequired(TypedDict):
    #: `Field` for a field of the request, `Rule` for a rule that an invoice breaks, `Difference` for a value of an
    #: invoice that its pages do not show, `Message` for anything else.
    type: Literal["Message", "Field", "Rule", "Difference"]
    #: What is wrong.
    message: str


class ErrorDetail(_ErrorDetailRequired, total=False):
    #: The invalid request field (`Field` entries).
    path: str
    #: The invalid template tag (`Message` entries).
    tag: str
    #: The part of the document: body, header 1, footnotes …
    part: str
    #: The text around the tag or the first place.
    context: str
    #: The affected name in the data, such as `items[].price`.
    name: str
    #: What to do about it.
    hint: str
    #: The document of the error, as a job: `/v1/jobs/{id}`.
    jobId: str
    #: Position in the request body, in bytes from 0.
    offset: int
    #: The rule that the invoice breaks (`Rule` entries); `invoice-model` if a term has no value, or one that is not
    #: valid.
    rule: str
    #: The terms that the rule or the difference is about.
    businessTerms: list[str]
    #: XPath of the element that was checked, or the path in the JSON of the invoice.
    location: str
    #: The expressions that the invoice mapping has for these terms.
    expressions: dict[str, Any]
    #: The line of the invoice, from 1.
    invoiceLine: int
    #: The value of the invoice.
    expected: str
    #: What the page shows in its place; absent if nothing was recognized.
    found: str
    #: The page, from 1, without pages that the request adds before.
    page: int
    #: The place, in points (1/72 inch) from the upper left corner of the page.
    box: dict[str, Any]
    #: The font that the text asks for.
    font: str
    #: The characters that no installed font has, at most 50.
    characters: list[MissingCharacter]
    #: The affected values of the data, at most 50.
    paths: list[str]
    #: How many places are affected in all.
    count: int


EventType = Literal["document.succeeded", "document.failed", "batch.completed", "email.failed", "quota.warning", "template.submitted", "template.approved", "template.refused", "template.overridden"]


class _FontRequired(TypedDict):
    #: Name of the family.
    name: str
    #: `installed` on the workers, for all accounts, or uploaded to your `account`.
    scope: Literal["installed", "account"]
    #: Its styles, sorted.
    styles: list[str]
    #: The scripts that it covers (ISO 15924), sorted. `Zsye` is emoji.
    scripts: list[str]
    #: Workers that have it.
    workers: int
    #: Whether all workers have it. Otherwise documents differ with the worker that makes them.
    complete: bool


class Font(_FontRequired, total=False):
    #: The uploaded fonts of the family; only for scope `account`.
    fonts: list[dict[str, Any]]
    #: Version of the font files.
    version: str


FontList = list["Font"]


class _FontReportRequired(TypedDict):
    #: Name of the font.
    name: str
    #: How the font appears in a PDF: `available`; `substituted` by a font of the same widths; `missing`, so that
    #: another font may move lines; `unknown` while no worker reports its fonts.
    status: Literal["available", "substituted", "missing", "unknown"]


class FontReport(_FontReportRequired, total=False):
    #: The font that replaces it.
    substitute: str


class _FontUploadRequired(TypedDict):
    #: A TrueType or OpenType font (.ttf, .otf) of at most 10 MB.
    file: str


class FontUpload(_FontUploadRequired, total=False):
    #: A name for lists. Default: the full name inside the font.
    name: str | None


class _GenerateRequestRequired(TypedDict):
    #: Keys match the tags of the template; values are scalars, objects, or arrays of objects.
    data: dict[str, Any]


class GenerateRequest(_GenerateRequestRequired, total=False):
    #: How the document is made and delivered.
    output: OutputOptions | None
    #: An https address that is notified when the document succeeds or fails, signed with the secret of `GET
    #: /v1/webhooks/callbacks`.
    callbackUrl: str | None


class _HybridInvoiceRequired(TypedDict):
    #: The name of the standard. Both names give the same file: Factur-X 1.0 and ZUGFeRD 2.1 are equal.
    format: Literal["factur-x", "zugferd"]
    #: The profile, by extent. `minimum` and `basic-wl` have no lines: in Germany they are not invoices. `xrechnung` is
    #: attached as xrechnung.xml, all others as factur-x.xml.
    profile: Literal["minimum", "basic-wl", "basic", "en16931", "extended", "xrechnung"]


#: An electronic invoice in a PDF/A-3b. It is made of `data`, or given as `asset` or `content`. With none of them, it is
#: made of the data of the document by the invoice mapping of the template.
class HybridInvoice(_HybridInvoiceRequired, total=False):
    #: How the XML relates to the pages (`AFRelationship`). Default: `Data` for `minimum` and `basic-wl`, otherwise
    #: `Alternative`. Set it if the recipient asks for another value.
    relationship: Literal["Data", "Source", "Alternative", None]
    #: What happens if the pages do not show each value of the invoice: the document fails with `invoice_differs`
    #: (`error`, the default), or has a warning for each difference.
    onDifference: Literal["error", "warn", None]
    #: Id or name of an asset with the XML.
    asset: str | None
    #: The XML in base64.
    content: str | None
    #: The invoice in the terms of EN 16931, instead of its XML. Amounts that follow from others are computed.
    data: InvoiceData | None


class InvalidRow(TypedDict):
    #: Counted from 1.
    row: int
    error: ErrorBody


class _InvoiceAllowanceRequired(TypedDict):
    #: VAT category of UNTDID 5305 (BT-95): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community
    #: supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
    vat: dict[str, Any]


#: Allowance of the document (BG-20)
class InvoiceAllowance(_InvoiceAllowanceRequired, total=False):
    #: Amount without VAT; computed from base and percent if it is not given (BT-92)
    amount: float | str
    #: Amount to which the percentage applies (BT-93)
    base: float | str
    #: Percentage of the base (BT-94)
    percent: float | str
    #: Reason (BT-97)
    reason: str
    #: Reason, by its code of UNTDID 5189 (BT-98)
    reasonCode: str


class _InvoiceBuyerRequired(TypedDict):
    #: Full name (BT-44)
    name: str
    #: Postal address (BG-8)
    address: dict[str, Any]


#: Buyer (BG-7)
class InvoiceBuyer(_InvoiceBuyerRequired, total=False):
    #: Name by which the buyer is known (BT-45)
    tradingName: str
    #: Identifier of the buyer (BT-46)
    identifier: dict[str, Any]
    #: Number in a register of companies (BT-47)
    legalId: dict[str, Any]
    #: VAT identifier, with the letters of its country (BT-48)
    vatId: str
    #: Electronic address (BT-49)
    electronicAddress: dict[str, Any]
    #: Contact (BG-9)
    contact: dict[str, Any]


class _InvoiceChargeRequired(TypedDict):
    #: VAT category of UNTDID 5305 (BT-102): S standard rate, Z zero rate, E exempt, AE reverse charge, K
    #: intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
    vat: dict[str, Any]


#: Charge of the document (BG-21)
class InvoiceCharge(_InvoiceChargeRequired, total=False):
    #: Amount without VAT; computed from base and percent if it is not given (BT-99)
    amount: float | str
    #: Amount to which the percentage applies (BT-100)
    base: float | str
    #: Percentage of the base (BT-101)
    percent: float | str
    #: Reason (BT-104)
    reason: str
    #: Reason, by its code of UNTDID 7161 (BT-105)
    reasonCode: str


class _InvoiceDataRequired(TypedDict):
    #: Number of the invoice (BT-1)
    number: str
    #: Date of issue (BT-2)
    issueDate: str
    #: Currency, by its three letters of ISO 4217 (BT-5)
    currency: str
    seller: InvoiceSeller
    buyer: InvoiceBuyer
    #: Line (BG-25)
    lines: list[InvoiceLine]


#: Invoice by the terms of EN 16931-1
class InvoiceData(_InvoiceDataRequired, total=False):
    #: Kind of invoice, by its code of UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice (BT-3)
    typeCode: str
    #: Currency in which VAT is accounted, if it is another (BT-6)
    vatCurrency: str
    #: Date when VAT becomes due (BT-7)
    vatPointDate: str
    #: When VAT becomes due, by its code of UNTDID 2005 (BT-8)
    vatPointDateCode: str
    #: Date when payment is due (BT-9)
    dueDate: str
    #: Buyer's reference; the Leitweg-ID of German authorities (BT-10)
    buyerReference: str
    #: Project (BT-11)
    project: str
    #: Contract (BT-12)
    contract: str
    #: Buyer's order (BT-13)
    order: str
    #: Seller's order (BT-14)
    salesOrder: str
    #: Receiving advice (BT-15)
    receivingAdvice: str
    #: Despatch advice (BT-16)
    despatchAdvice: str
    #: Call for tenders, or lot (BT-17)
    tender: str
    #: Identifier of what is invoiced (BT-18)
    object: dict[str, Any]
    #: Buyer's account (BT-19)
    accountingReference: str
    #: Terms of payment (BT-20)
    paymentTerms: str
    #: Note (BG-1)
    notes: list[dict[str, Any]]
    #: Business process (BT-23)
    process: str
    #: Preceding invoice (BG-3)
    precedingInvoices: list[dict[str, Any]]
    payee: InvoicePayee
    taxRepresentative: InvoiceTaxRepresentative
    delivery: InvoiceDelivery
    #: Period of the invoice (BG-14)
    period: dict[str, Any]
    payment: InvoicePayment
    #: Allowance of the document (BG-20)
    allowances: list[InvoiceAllowance]
    #: Charge of the document (BG-21)
    charges: list[InvoiceCharge]
    totals: InvoiceTotals
    #: VAT by category and rate (BG-23). Computed if it is not given; give an entry to state why VAT is not charged
    vatBreakdown: list[InvoiceVatCategory]
    #: Supporting document (BG-24)
    documents: list[InvoiceDocument]


#: Delivery (BG-13)
class InvoiceDelivery(TypedDict, total=False):
    #: Name of who receives the goods (BT-70)
    name: str
    #: Identifier of the place (BT-71)
    location: dict[str, Any]
    #: Postal address (BG-15)
    address: dict[str, Any]
    #: Date of delivery (BT-72)
    date: str


class _InvoiceDocumentRequired(TypedDict):
    #: Identifier of the document (BT-122)
    id: str


#: Supporting document (BG-24)
class InvoiceDocument(_InvoiceDocumentRequired, total=False):
    #: Description (BT-123)
    description: str
    #: Address at which it can be read (BT-124)
    url: str
    #: Name of the file (BT-125-2)
    content: dict[str, Any]


class _InvoiceFindingRequired(TypedDict):
    #: The rule, such as `BR-CO-15`. `pdf-profile` requires that the metadata of a PDF declare the profile of its
    #: invoice.
    id: str
    #: Only `fatal` makes an invoice invalid.
    severity: Literal["fatal", "warning", "information"]
    #: The text of the rule, in its language.
    message: str
    #: The terms that the rule is about.
    businessTerms: list[str]
    #: XPath of the element that was checked.
    location: str
    #: Line of the element in the XML, from 1.
    line: int


class InvoiceFinding(_InvoiceFindingRequired, total=False):
    #: Why the rule could not be evaluated, such as an amount that is not a number.
    problem: str


class _InvoiceItemRequired(TypedDict):
    #: Name (BT-153)
    name: str


#: Item (BG-31)
class InvoiceItem(_InvoiceItemRequired, total=False):
    #: Description (BT-154)
    description: str
    #: Seller's number of the item (BT-155)
    sellerId: str
    #: Buyer's number of the item (BT-156)
    buyerId: str
    #: Registered number, such as a GTIN with the scheme 0160 (BT-157)
    standardId: dict[str, Any]
    #: Code of the class (BT-158)
    classifications: list[dict[str, Any]]
    #: Country of origin, by its two letters of ISO 3166-1 (BT-159)
    originCountry: str
    #: Attribute (BG-32)
    attributes: list[dict[str, Any]]


class _InvoiceLineRequired(TypedDict):
    #: Quantity (BT-129)
    quantity: float | str
    #: Unit, by its code of UN/ECE Recommendation 20 or 21, such as C62 for pieces, HUR for hours (BT-130)
    unit: str
    price: InvoicePrice
    #: VAT of the line (BG-30)
    vat: dict[str, Any]
    item: InvoiceItem


#: Line (BG-25)
class InvoiceLine(_InvoiceLineRequired, total=False):
    #: Identifier of the line; its position if it is not given (BT-126)
    id: str
    #: Note (BT-127)
    note: str
    #: Identifier of what is invoiced, such as a meter (BT-128)
    object: dict[str, Any]
    #: Amount of the line without VAT; computed if it is not given (BT-131)
    netAmount: float | str
    #: Line of the buyer's order (BT-132)
    orderLine: str
    #: Buyer's account (BT-133)
    accountingReference: str
    #: Period of the invoice (BG-26)
    period: dict[str, Any]
    #: Allowance of the line (BG-27)
    allowances: list[dict[str, Any]]
    #: Charge of the line (BG-28)
    charges: list[dict[str, Any]]


class _InvoicePageDifferenceRequired(TypedDict):
    #: What differs, as a sentence.
    message: str
    #: The term whose value differs.
    businessTerms: list[str]
    #: The value of the invoice.
    expected: str


class InvoicePageDifference(_InvoicePageDifferenceRequired, total=False):
    #: The line of the invoice, from 1.
    invoiceLine: int
    #: What the page shows in its place; absent if nothing was recognized.
    found: str
    #: The page, from 1, without pages that the request adds before.
    page: int
    #: The place, in points (1/72 inch) from the upper left corner of the page.
    box: dict[str, Any]


class _InvoicePayeeRequired(TypedDict):
    #: Name (BT-59)
    name: str


#: Payee, if it is not the seller (BG-10)
class InvoicePayee(_InvoicePayeeRequired, total=False):
    #: Identifier of the payee (BT-60)
    identifier: dict[str, Any]
    #: Number in a register of companies (BT-61)
    legalId: dict[str, Any]


class _InvoicePaymentRequired(TypedDict):
    #: Means of payment, by its code of UNTDID 4461, such as 58 for a SEPA transfer (BT-81)
    code: str


#: Payment (BG-16)
class InvoicePayment(_InvoicePaymentRequired, total=False):
    #: Means of payment in words (BT-82)
    text: str
    #: Reference that the payment carries (BT-83)
    reference: str
    #: Credit transfer (BG-17)
    transfers: list[dict[str, Any]]
    #: Payment card (BG-18)
    card: dict[str, Any]
    #: Direct debit (BG-19)
    directDebit: dict[str, Any]


class _InvoicePriceRequired(TypedDict):
    #: Price of the base quantity, without VAT, after the discount (BT-146)
    net: float | str


#: Price (BG-29)
class InvoicePrice(_InvoicePriceRequired, total=False):
    #: Discount on the gross price (BT-147)
    discount: float | str
    #: Price before the discount (BT-148)
    gross: float | str
    #: Quantity to which the price applies; 1 if it is not given (BT-149)
    baseQuantity: float | str


class InvoiceReport(TypedDict):
    #: Whether no rule with the severity `fatal` is broken.
    valid: bool
    #: The syntax of the XML.
    syntax: Literal["cii", "ubl-invoice", "ubl-credit-note"]
    #: The profile that the invoice claims, such as `EN 16931` or `XRECHNUNG`; null for one that is not known.
    profile: str | None
    #: The specification that it names (BT-24); may be empty.
    specification: str
    #: The rules that were run. None for `MINIMUM` and `BASIC WL`, which have no lines and are not invoices of EN 16931.
    ruleSets: list[str]
    #: The attachment of the PDF that holds the invoice; null for XML.
    attachment: dict[str, Any] | None
    #: The broken rules; at most 500 of each set of rules.
    findings: list[InvoiceFinding]
    #: Whether there are more.
    hasMoreFindings: bool
    #: The values of the invoice that the pages of the PDF do not show where they should, at most 100. They do not make
    #: an invoice invalid. Null for XML, and if the pages could not be compared, which the finding `pdf-pages` explains.
    differences: list[InvoicePageDifference] | None
    #: Whether there are more.
    hasMoreDifferences: bool


class _InvoiceSellerRequired(TypedDict):
    #: Full name (BT-27)
    name: str
    #: Postal address (BG-5)
    address: dict[str, Any]


#: Seller (BG-4)
class InvoiceSeller(_InvoiceSellerRequired, total=False):
    #: Name by which the seller is known (BT-28)
    tradingName: str
    #: Identifier of the seller (BT-29)
    identifiers: list[dict[str, Any]]
    #: Number in a register of companies (BT-30)
    legalId: dict[str, Any]
    #: VAT identifier, with the letters of its country (BT-31)
    vatId: str
    #: Number of the local tax office (BT-32)
    taxNumber: str
    #: Legal form, share capital and the like (BT-33)
    legalInformation: str
    #: Electronic address (BT-34)
    electronicAddress: dict[str, Any]
    #: Contact (BG-6)
    contact: dict[str, Any]


#: Tax representative of the seller (BG-11)
class InvoiceTaxRepresentative(TypedDict):
    #: Name (BT-62)
    name: str
    #: VAT identifier (BT-63)
    vatId: str
    #: Postal address (BG-12)
    address: dict[str, Any]


#: Totals (BG-22). Those that follow from the lines are computed if they are not given
class InvoiceTotals(TypedDict, total=False):
    #: Sum of the lines (BT-106)
    lines: float | str
    #: Sum of the allowances of the document (BT-107)
    allowances: float | str
    #: Sum of the charges of the document (BT-108)
    charges: float | str
    #: Total without VAT (BT-109)
    withoutVat: float | str
    #: Total VAT (BT-110)
    vat: float | str
    #: Total VAT in the currency of the VAT (BT-111)
    vatInVatCurrency: float | str
    #: Total with VAT (BT-112)
    withVat: float | str
    #: Amount already paid (BT-113)
    paid: float | str
    #: Amount by which the payable amount is rounded (BT-114)
    rounding: float | str
    #: Amount due for payment (BT-115)
    payable: float | str


class InvoiceUpload(TypedDict):
    #: An invoice as XML (CII or UBL 2.1), or a PDF with one attached, of at most 10 MB.
    file: str


class _InvoiceVatCategoryRequired(TypedDict):
    #: VAT category of UNTDID 5305 (BT-118): S standard rate, Z zero rate, E exempt, AE reverse charge, K
    #: intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
    category: Literal["S", "Z", "E", "AE", "K", "G", "O", "L", "M"]


#: VAT category of UNTDID 5305 (BT-118): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community
#: supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
class InvoiceVatCategory(_InvoiceVatCategoryRequired, total=False):
    #: Rate in percent; 0 if the category has none (BT-119)
    rate: float | str
    #: Taxable amount; computed if it is not given (BT-116)
    taxable: float | str
    #: VAT of the category; computed if it is not given (BT-117)
    tax: float | str
    #: Reason of an exemption (BT-120)
    exemptionReason: str
    #: Reason of an exemption, by its VATEX code (BT-121)
    exemptionCode: str


class _JobRequired(TypedDict):
    #: Id of the job, and of its document.
    id: str
    status: JobStatus
    #: Id of the template.
    templateId: str
    #: Version of the template.
    templateVersion: int
    format: DocumentFormat
    #: Name of the file.
    filename: str
    #: What differs from what the request asked for.
    warnings: list[DocumentWarning]
    #: When the request was accepted.
    createdAt: str


class Job(_JobRequired, total=False):
    #: Requested with a test key: free, and with a watermark. Absent otherwise.
    test: Literal[True]
    #: Size of the file in bytes.
    size: int
    #: Pages of a PDF.
    pages: int
    #: What laid out the pages of a PDF: `office` is LibreOffice; `direct` is Docmill itself. `pdfEngine` of its
    #: template says what lays out the next one.
    pdfEngine: Literal["office", "direct"]
    #: Why `pdfEngine` is `office`: an option of the request, the state of the template, or what the document contains.
    #: Absent if it is `direct`, and while direct layout is turned off.
    pdfEngineReasons: list[str]
    engine: JobEngine
    #: The templates that the template includes, with those that these include. Absent for none.
    includes: list[JobInclude]
    #: The delivery by e-mail: `/v1/deliveries/{id}`.
    emailDeliveryId: str
    #: To whom the request sends the document by e-mail, while the document is kept.
    emailRecipients: list[str]
    conformance: JobConformance
    timings: JobTimings
    error: ErrorBody
    #: The `X-Request-Id` of the request that asked for it.
    requestId: str
    #: When a worker began.
    startedAt: str
    #: When the job ended.
    finishedAt: str
    #: When the file is deleted.
    expiresAt: str


#: The check of a PDF that was requested with `archive` or `accessible`. Absent without them.
class JobConformance(TypedDict):
    #: Whether the file meets every checked rule of every standard.
    passed: bool
    #: One result for each standard that was requested.
    standards: list[StandardConformance]


#: The program behind `pdfEngine`. Another version may lay out pages differently.
class JobEngine(TypedDict):
    #: The program that laid out the pages: `LibreOffice` or `Docmill`.
    name: str
    #: Its version.
    version: str


#: A template that the template of the document includes.
class JobInclude(TypedDict):
    #: The name or the id by which a tag includes it.
    name: str
    #: Id of the included template.
    templateId: str
    #: Its version, which was current when the request was accepted.
    version: int


JobList = list["Job"]


class _JobRequestRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Version of the template.
    templateVersion: int
    #: As `output` of generate, without the e-mail and without passwords.
    output: dict[str, Any]
    #: SHA-256 (hex) of the JSON text of `data`, byte by byte as it was sent.
    dataSha256: str


class JobRequest(_JobRequestRequired, total=False):
    #: The JSON text of `data`, byte by byte as it was sent: of a row of a batch, while the batch keeps its rows. Absent
    #: otherwise.
    data: str


JobStatus = Literal["queued", "running", "succeeded", "failed", "cancelled"]


class _TimelineEntryRequired(TypedDict):
    #: `queue`: waiting for a worker. `render`: filling the template. `convert`: converting to PDF. `finish`: storing
    #: and charging. `email`, `webhook`: sending it and its events.
    step: Literal["queue", "render", "convert", "finish", "email", "webhook"]
    #: How the step stands. `failed` for an e-mail that not all got.
    status: Literal["waiting", "running", "succeeded", "failed", "cancelled"]
    #: When it began; of render and convert to within some milliseconds.
    startedAt: str


class TimelineEntry(_TimelineEntryRequired, total=False):
    #: When it ended.
    finishedAt: str
    #: Time of the next attempt.
    nextAttemptAt: str
    #: Attempts so far, of e-mails and webhooks.
    attempts: int
    #: Why it failed, or the last reply.
    message: str
    #: Event of a webhook.
    eventType: str
    #: The e-mail, `/v1/deliveries/{id}`, or the delivery of a webhook.
    deliveryId: str
    #: The webhook.
    webhookId: str


JobTimeline = list["TimelineEntry"]


class JobTimings(TypedDict):
    #: Waiting for a worker.
    queueMs: float
    #: Filling the template.
    renderMs: float
    #: Converting to PDF.
    convertMs: float
    #: From acceptance to the end.
    totalMs: float


#: A PDF before or after the pages.
class JoinedPdf(TypedDict, total=False):
    #: Id or name of an asset of the account, instead of `content`.
    asset: str | None
    #: The file in base64, instead of `asset`.
    content: str | None


#: The account of the key.
class KeyAccount(TypedDict):
    #: Id of the account.
    id: str
    #: What the operator called it.
    name: str


class MissingCharacter(TypedDict):
    #: The character itself.
    character: str
    #: Its number in Unicode.
    codePoint: str


class OperatorKey(TypedDict):
    #: Id of the operator key.
    operatorKeyId: str
    #: Its name.
    name: str
    #: Its scopes; null for all of them.
    scopes: list[Literal["accounts:read", "accounts:write", "billing:write", "keys:write", "operations:read", "operations:write", "erasure:write", "audit:read", "operators:write"]] | None
    #: Where it is accepted from; null for anywhere.
    addressRanges: list[str] | None
    #: Requests in a minute; null for the configured limit.
    requestsPerMinute: float | None
    #: When it expires.
    expiresAt: str | None
    #: When it was created.
    createdAt: str
    #: Its last use, accurate to a minute.
    lastUsedAt: str | None
    #: When it was revoked.
    revokedAt: str | None


OperatorKeyList = list["OperatorKey"]


class _OperatorKeyRequestRequired(TypedDict):
    #: A name for people.
    name: str


class OperatorKeyRequest(_OperatorKeyRequestRequired, total=False):
    #: What it may do; by default what your key may do.
    scopes: list[Literal["accounts:read", "accounts:write", "billing:write", "keys:write", "operations:read", "operations:write", "erasure:write", "audit:read", "operators:write"]] | None
    #: Where it is accepted from; by default where yours is.
    addressRanges: list[str] | None
    #: By default `ADMIN_REQUESTS_PER_MINUTE`.
    requestsPerMinute: int | None
    #: When it expires; by default never.
    expiresAt: str | None


#: How the document is made and delivered.
class OutputOptions(TypedDict, total=False):
    #: Format of the file. `xml` is an electronic invoice without pages. Default: docx.
    format: Literal["docx", "pdf", "xml", None]
    #: Name of the file. Default: the name of the template. A missing extension is added.
    filename: str | None
    #: Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected.
    #: Default: `en`.
    locale: str | None
    #: Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default:
    #: `UTC`.
    timezone: str | None
    #: What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists
    #: every missing path, `highlight` prints the tag in yellow (docx only).
    onMissing: Literal["empty", "error", "highlight", None]
    #: What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning
    #: (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
    onMissingGlyph: Literal["warn", "error", None]
    #: The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of
    #: a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request
    #: always gives the same bytes.
    documentDate: str | None
    #: Options of the .docx; without effect on PDFs.
    docx: DocxOptions | None
    #: Options of the PDF; only with `format` pdf.
    pdf: PdfOptions | None
    #: The electronic invoice; only with `format` xml.
    xml: XmlInvoice | None
    #: Also send the document by e-mail.
    email: EmailOptions | None


class _PageDifferenceRequired(TypedDict):
    #: The page, counted from 1.
    page: int
    #: What differs.
    measure: Literal["pages", "outline", "page size", "text", "drawing"]
    #: By how much.
    message: str


class PageDifference(_PageDifferenceRequired, total=False):
    #: Where it begins: points from the left edge of the page.
    x: float
    #: Points from the upper edge.
    y: float


class _PdfAttachmentRequired(TypedDict):
    #: Name of the file. It must be unique in the list, ignoring case.
    name: str
    #: Media type of the file, without parameters.
    mediaType: str


#: A file that is embedded in the PDF.
class PdfAttachment(_PdfAttachmentRequired, total=False):
    #: Shown with the name by PDF readers.
    description: str | None
    #: How the file relates to the document (`AFRelationship`). Default: Unspecified.
    relationship: Literal["Source", "Data", "Alternative", "Supplement", "Unspecified", None]
    #: Id or name of an asset of the account, instead of `content`.
    asset: str | None
    #: The file in base64, instead of `asset`.
    content: str | None


#: The document with which a check in operation found a difference, after which it became `office`.
class PdfEngineEvidence(TypedDict):
    #: The job whose document differed.
    jobId: str
    #: Where its pages differ; nothing of their text.
    differences: list[PageDifference]


#: Options of the PDF; only with `format` pdf.
class PdfOptions(TypedDict, total=False):
    #: The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of
    #: the PDF needs LibreOffice. Default: auto.
    engine: Literal["auto", "office", None]
    #: Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.
    archive: Literal["PDF/A-1b", "PDF/A-2b", "PDF/A-2u", "PDF/A-3b", None]
    #: Produce a tagged file that conforms to PDF/UA.
    accessible: bool | None
    #: What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the
    #: default), `error` rejects the request with the failures and charges nothing.
    onNonconformance: Literal["warn", "error", None]
    #: Password to open the file, which is encrypted with AES-256. Readers use its first 127 bytes in UTF-8.
    password: str | None
    #: What readers of the file may do. Whatever is not listed is allowed.
    permissions: PdfPermissions | None
    #: Text across every page.
    watermark: str | None
    #: Only these pages, counted from 1.
    pages: str | None
    #: JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution.
    imageQuality: int | None
    #: Files that are embedded in the PDF, at most 20. An archive file with attachments must be PDF/A-3b.
    attachments: list[PdfAttachment] | None
    #: PDFs before the pages, at most 10.
    prepend: list[JoinedPdf] | None
    #: PDFs after the pages, such as terms and conditions, at most 10.
    append: list[JoinedPdf] | None
    #: Embed an electronic invoice.
    invoice: HybridInvoice | None


#: What readers of the file may do. Whatever is not listed is allowed.
class PdfPermissions(TypedDict, total=False):
    #: Allow printing: not at all, in low, or in full resolution.
    printing: Literal["none", "low", "high", None]
    #: Allow changes; each value includes those before it.
    changes: Literal["none", "assembly", "forms", "comments", "all", None]
    #: Allow copying text and pictures.
    copying: bool | None
    #: Allow screen readers to read the text.
    accessibility: bool | None


class _PreviewFormRequired(TypedDict):
    #: The Word template, at most 10 MB.
    file: str
    #: JSON object with `data`, `output` and `preview` as in a preview of a stored template; a field or a file, at most
    #: 10 MB.
    request: str


class PreviewForm(_PreviewFormRequired, total=False):
    #: The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that
    #: gives none. Default: `{ }`.
    delimiters: str
    #: What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and
    #: a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.
    unlikelyTags: Literal["text", "fill"]


#: Which pages are returned, and in which format.
class PreviewOptions(TypedDict, total=False):
    #: `pdf`: the first pages. `png`: one page as a picture. Default: pdf.
    format: Literal["pdf", "png", None]
    #: How many pages a PDF has at most. Default: 5.
    pages: int | None
    #: The page of a picture, counted from 1. Default: 1.
    page: int | None
    #: Pixels per inch of a picture. Default: 96.
    dpi: int | None


#: As in generate, without `email`, and without password and permissions of the PDF.
class PreviewOutput(TypedDict, total=False):
    #: What generate would make. A preview shows the pages of the PDF in both cases.
    format: Literal["docx", "pdf", None]
    #: Name of the file. Default: the name of the template. A missing extension is added.
    filename: str | None
    #: Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected.
    #: Default: `en`.
    locale: str | None
    #: Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default:
    #: `UTC`.
    timezone: str | None
    #: What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists
    #: every missing path, `highlight` prints the tag in yellow (docx only).
    onMissing: Literal["empty", "error", "highlight", None]
    #: What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning
    #: (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
    onMissingGlyph: Literal["warn", "error", None]
    #: The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of
    #: a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request
    #: always gives the same bytes.
    documentDate: str | None
    #: Options of the .docx; without effect on PDFs.
    docx: DocxOptions | None
    #: Options of the PDF that the preview shows.
    pdf: PreviewPdfOptions | None


#: Options of the PDF that the preview shows. LibreOffice lays out a file that is not stored, whatever `engine` says.
class PreviewPdfOptions(TypedDict, total=False):
    #: The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of
    #: the PDF needs LibreOffice. Default: auto.
    engine: Literal["auto", "office", None]
    #: Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.
    archive: Literal["PDF/A-1b", "PDF/A-2b", "PDF/A-2u", "PDF/A-3b", None]
    #: Produce a tagged file that conforms to PDF/UA.
    accessible: bool | None
    #: What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the
    #: default), `error` rejects the request with the failures and charges nothing.
    onNonconformance: Literal["warn", "error", None]
    #: Text across every page.
    watermark: str | None
    #: Only these pages, counted from 1.
    pages: str | None
    #: JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution.
    imageQuality: int | None


class _PreviewRequestRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Keys match the tags of the template; values are scalars, objects, or arrays of objects.
    data: dict[str, Any]


class PreviewRequest(_PreviewRequestRequired, total=False):
    #: Version of the template. Default: the current one.
    version: int | None
    #: As in generate, without `email`, and without password and permissions of the PDF.
    output: PreviewOutput | None
    #: Which pages are returned, and in which format.
    preview: PreviewOptions | None


class QuotaAmounts(TypedDict):
    #: Documents.
    docs: int
    #: Templates.
    templates: int


class QuotaBalance(TypedDict):
    subscriptions: QuotaAmounts
    credits: QuotaAmounts
    total: QuotaAmounts


class QuotaWarningData(TypedDict):
    #: Percent of the subscription: 80 or 100.
    threshold: int
    #: Documents of the month.
    allocated: int
    #: Documents used.
    used: int
    #: Start of the month.
    periodStart: str
    #: End of the month: the start of the next one.
    periodEnd: str


class QuotaWarningEvent(TypedDict):
    #: The kind of the event.
    type: Literal["quota.warning"]
    #: When it happened.
    timestamp: str
    data: QuotaWarningData


class Quotas(TypedDict):
    allocated: QuotaBalance
    remaining: QuotaBalance


class _ReceiptRequired(TypedDict):
    #: Id of the job.
    id: str
    template: ReceiptTemplate
    data: ReceiptData
    result: ReceiptResult
    #: The options of `output` that control the file, without passwords.
    options: dict[str, Any]
    #: When the request was accepted.
    acceptedAt: str
    #: When the file was complete.
    finishedAt: str


class Receipt(_ReceiptRequired, total=False):
    #: Requested with a test key. Absent otherwise.
    test: Literal[True]
    #: The templates that the template includes. Absent for none.
    includes: list[ReceiptInclude]
    #: The date that the document shows as its own.
    documentDate: str
    #: The program that laid out the pages of a PDF: `LibreOffice` or `Docmill`.
    engine: dict[str, Any]
    fonts: ReceiptFonts
    #: The release of Docmill, and of Node.js, that produced the file.
    service: dict[str, Any]


class ReceiptData(TypedDict):
    #: SHA-256 (hex) of the JSON text of `data`, byte by byte as it was sent.
    sha256: str


#: The fonts with which a PDF was printed.
class ReceiptFonts(TypedDict):
    #: SHA-256 (hex) of the two below and of the uploads: equal for the same fonts.
    sha256: str
    #: SHA-256 (hex) of the fonts that are installed with the engine.
    installed: str
    #: The fonts of the account that the document uses.
    account: list[dict[str, Any]]


class _ReceiptIncludeRequired(TypedDict):
    #: Id of the template.
    id: str
    #: The name or the id by which a tag includes it.
    name: str
    #: Version of the template.
    version: int
    #: SHA-256 (hex) of the version's file.
    sha256: str


class ReceiptInclude(_ReceiptIncludeRequired, total=False):
    approval: Approval


class _ReceiptResultRequired(TypedDict):
    format: DocumentFormat
    #: Name of the file.
    filename: str
    #: Size of the file in bytes.
    size: int
    #: SHA-256 (hex) of the file.
    sha256: str
    #: Number of warnings.
    warnings: int


class ReceiptResult(_ReceiptResultRequired, total=False):
    #: Pages of a PDF.
    pages: int


class _ReceiptTemplateRequired(TypedDict):
    #: Id of the template.
    id: str
    #: Version of the template.
    version: int
    #: SHA-256 (hex) of the version's file.
    sha256: str


class ReceiptTemplate(_ReceiptTemplateRequired, total=False):
    approval: Approval


class _ReviewRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Name of the template.
    templateName: str
    #: The version.
    version: int
    #: Whether the person of this API key is the author, who must not approve it.
    uploadedByYou: bool
    #: When it was uploaded.
    createdAt: str
    #: Names of the fonts that it uses.
    fonts: list[str]
    #: The delimiters of the tags, separated by a space.
    delimiters: str
    #: Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.
    unlikelyTags: Literal["text", "fill"]
    #: The steps of the review, oldest first.
    log: list[ReviewEntry]


class Review(_ReviewRequired, total=False):
    state: ReviewState
    #: The version that live keys use by default. Absent if none is live yet.
    liveVersion: int
    uploadedBy: ReviewPerson
    approval: Approval


class ReviewCommentRequest(TypedDict):
    #: What the others should know. At most 2000 characters.
    comment: str


class _ReviewEntryRequired(TypedDict):
    #: What was done.
    action: Literal["submitted", "commented", "approved", "refused", "overridden"]
    #: Id of the API key.
    keyId: str
    #: When.
    at: str


class ReviewEntry(_ReviewEntryRequired, total=False):
    #: Name of the key.
    name: str
    #: The comment, or the reason of an override.
    comment: str


class ReviewOverrideRequest(TypedDict):
    #: Why nobody can approve it in time. At most 2000 characters.
    reason: str


class _ReviewPersonRequired(TypedDict):
    #: Id of the API key.
    keyId: str


#: A person, as the account knows it: an API key. Absent if it was not recorded.
class ReviewPerson(_ReviewPersonRequired, total=False):
    #: Name of the key.
    name: str


#: `draft`: not yet submitted. `review`: waits for approval. `approved`: live keys may use it. `refused`: never live.
#: Absent for a version that needs no approval.
ReviewState = Literal["draft", "review", "approved", "refused"]


class ReviewStepRequest(TypedDict, total=False):
    #: What the others should know. At most 2000 characters.
    comment: str | None


class RevokedOperatorKey(TypedDict):
    #: Id of the operator key.
    operatorKeyId: str
    #: When it was first revoked.
    revokedAt: str | None


class _SignedReceiptRequired(TypedDict):
    receipt: Receipt


class SignedReceipt(_SignedReceiptRequired, total=False):
    #: The receipt as a compact JSON Web Signature (RFC 7515, EdDSA), if the operator has configured a key. Its public
    #: key is in `/.well-known/jwks.json`.
    signature: str


#: The result for one standard.
class StandardConformance(TypedDict):
    #: PDF/A-1b, PDF/A-2b, PDF/A-2u, PDF/A-3b or PDF/UA-1.
    standard: str
    #: Whether the file meets every checked rule.
    passed: bool
    #: Number of rules that were checked.
    checked: int
    #: The rules that the file breaks.
    failures: list[ConformanceFailure]


class _TemplateApprovedDataRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Name of the template.
    templateName: str
    #: The version.
    version: int
    #: Id of the API key of the request.
    keyId: str


class TemplateApprovedData(_TemplateApprovedDataRequired, total=False):
    #: Its name.
    keyName: str


class TemplateApprovedEvent(TypedDict):
    #: The kind of the event.
    type: Literal["template.approved"]
    #: When it happened.
    timestamp: str
    data: TemplateApprovedData


class TemplateChanges(TypedDict):
    #: Name of the template file. Ends with `.docx`.
    name: str


class _TemplateDetailRequired(TypedDict):
    #: Id of the template.
    id: str
    #: Name of the template file.
    name: str
    #: Incremented by each re-upload.
    version: int
    #: Size of the file in bytes.
    size: int
    #: SHA-256 of the file, hex.
    checksum: str
    #: Names of the tags, sorted.
    tags: list[str]
    #: When the template was uploaded.
    createdAt: str
    #: When it was last changed.
    updatedAt: str
    #: Fonts the template uses.
    fonts: list[FontReport]
    #: Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`.
    accessibility: list[AccessibilityNote]
    #: The delimiters of the tags, separated by a space.
    delimiters: str
    #: Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.
    unlikelyTags: Literal["text", "fill"]
    #: What lays out the pages of its PDFs: `office` is LibreOffice; `direct` is Docmill itself, because the pages of
    #: this version have been proven to be the same. `pdfEngine` of a job says what laid out one PDF.
    pdfEngine: Literal["office", "direct"]
    #: Why it is `office`: up to 20 features of the template that direct layout does not support, the page that
    #: differed, or a note that the pages are still being compared. Empty if it is `direct`, or if nothing has requested
    #: the comparison.
    pdfEngineReasons: list[str]
    #: Whether the pages of both engines are yet to be compared. LibreOffice is used until then.
    proving: bool


class TemplateDetail(_TemplateDetailRequired, total=False):
    reviewState: ReviewState
    #: The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise.
    draftVersion: int
    #: The version of LibreOffice that lays out its PDFs, if an operator has pinned the template to one.
    officeVersion: str
    #: The same as `officeVersion`.
    engine: str
    #: The templates that its own tags include, as new documents find them. Absent for none.
    includes: list[TemplateInclude]
    pdfEngineEvidence: PdfEngineEvidence


class _TemplateIncludeRequired(TypedDict):
    #: The name or the id by which a tag includes it.
    name: str
    #: `missing`: the account has no such template. `ambiguous`: it has several of this name. Documents are refused in
    #: both cases.
    status: Literal["found", "missing", "ambiguous"]


#: A template that the tags of a template include.
class TemplateInclude(_TemplateIncludeRequired, total=False):
    #: Id of the template.
    templateId: str
    #: Its current version.
    version: int


class _TemplateMetadataRequired(TypedDict):
    #: Id of the template.
    id: str
    #: Name of the template file.
    name: str
    #: Incremented by each re-upload.
    version: int
    #: Size of the file in bytes.
    size: int
    #: SHA-256 of the file, hex.
    checksum: str
    #: Names of the tags, sorted.
    tags: list[str]
    #: When the template was uploaded.
    createdAt: str
    #: When it was last changed.
    updatedAt: str


class TemplateMetadata(_TemplateMetadataRequired, total=False):
    reviewState: ReviewState
    #: The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise.
    draftVersion: int


TemplateList = list["TemplateMetadata"]


class _TemplateOverriddenDataRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Name of the template.
    templateName: str
    #: The version.
    version: int
    #: Id of the API key of the request.
    keyId: str
    #: Why it was made live without approval.
    reason: str


class TemplateOverriddenData(_TemplateOverriddenDataRequired, total=False):
    #: Its name.
    keyName: str


class TemplateOverriddenEvent(TypedDict):
    #: The kind of the event.
    type: Literal["template.overridden"]
    #: When it happened.
    timestamp: str
    data: TemplateOverriddenData


class _TemplateRefusedDataRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Name of the template.
    templateName: str
    #: The version.
    version: int
    #: Id of the API key of the request.
    keyId: str


class TemplateRefusedData(_TemplateRefusedDataRequired, total=False):
    #: Its name.
    keyName: str


class TemplateRefusedEvent(TypedDict):
    #: The kind of the event.
    type: Literal["template.refused"]
    #: When it happened.
    timestamp: str
    data: TemplateRefusedData


class _TemplateSchemaRequired(TypedDict):
    #: JSON Schema (2020-12) of `data`.
    schema: dict[str, Any]
    #: The part of the schema that the author stated at upload; null if nothing was stated.
    stated: dict[str, Any] | None
    #: The invoice mapping of the version; null if there is none.
    invoiceMap: dict[str, Any] | None


class TemplateSchema(_TemplateSchemaRequired, total=False):
    #: Data that fits the schema and fills the template.
    example: Any


class _TemplateStatisticsRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Documents that succeeded or failed: the newest 500 of the period.
    documents: int
    #: Those of them that failed.
    failures: int
    #: Those of them that succeeded with warnings.
    withWarnings: int
    #: Whether the sample covers the whole period; false if it reached the limit of 500 documents.
    complete: bool


class TemplateStatistics(_TemplateStatisticsRequired, total=False):
    #: When its newest document was requested, however long ago; absent when it has none.
    lastDocumentAt: str
    #: 95 % of those that succeeded took no longer from the request to the end.
    p95TotalMs: float
    #: The same without waiting: only filling the template and converting.
    p95ProductionMs: float


TemplateStatisticsList = list["TemplateStatistics"]


class _TemplateSubmittedDataRequired(TypedDict):
    #: Id of the template.
    templateId: str
    #: Name of the template.
    templateName: str
    #: The version.
    version: int
    #: Id of the API key of the request.
    keyId: str


class TemplateSubmittedData(_TemplateSubmittedDataRequired, total=False):
    #: Its name.
    keyName: str


class TemplateSubmittedEvent(TypedDict):
    #: The kind of the event.
    type: Literal["template.submitted"]
    #: When it happened.
    timestamp: str
    data: TemplateSubmittedData


class _TemplateUploadRequired(TypedDict):
    #: Name of the template file. Ends with `.docx`.
    name: str
    #: The Word template, at most 10 MB.
    file: str


class TemplateUpload(_TemplateUploadRequired, total=False):
    #: The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that
    #: gives none. Default: `{ }`.
    delimiters: str
    #: What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and
    #: a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.
    unlikelyTags: Literal["text", "fill"]
    #: JSON Schema (2020-12) for what the tags do not show about `data`; a field or a file, at most 64 KB. It is merged
    #: over the schema of the tags and stored with the version. A re-upload without it keeps it; `{}` removes it. Of the
    #: keywords, `type`, `properties`, `required`, `additionalProperties` (a schema), `items`, `anyOf`, `enum`,
    #: `format`, `contentEncoding`, `contentMediaType`, `title`, `description` and `examples` are allowed.
    schema: str
    #: JSON with an expression for each business term of the electronic invoice (`BT-1`, `BG-25` …); a field or a file,
    #: at most 64 KB. It is checked and stored with the version. A re-upload without it keeps it; `{}` removes it.
    invoiceMap: str


class _TemplateValidationRequired(TypedDict):
    #: The Word template, at most 10 MB.
    file: str


class TemplateValidation(_TemplateValidationRequired, total=False):
    #: Name of the template file. Ends with `.docx`.
    name: str
    #: The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that
    #: gives none. Default: `{ }`.
    delimiters: str
    #: What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and
    #: a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.
    unlikelyTags: Literal["text", "fill"]
    #: JSON Schema (2020-12) for what the tags do not show about `data`; a field or a file, at most 64 KB. It is merged
    #: over the schema of the tags and stored with the version. A re-upload without it keeps it; `{}` removes it. Of the
    #: keywords, `type`, `properties`, `required`, `additionalProperties` (a schema), `items`, `anyOf`, `enum`,
    #: `format`, `contentEncoding`, `contentMediaType`, `title`, `description` and `examples` are allowed.
    schema: str
    #: JSON with an expression for each business term of the electronic invoice (`BT-1`, `BG-25` …); a field or a file,
    #: at most 64 KB. It is checked and stored with the version. A re-upload without it keeps it; `{}` removes it.
    invoiceMap: str
    #: JSON object to fill the template with, like `data` of generate; a field or a file, at most 10 MB.
    sampleData: str


class _TemplateVersionRequired(TypedDict):
    #: Counted from 1.
    version: int
    #: Size of the file in bytes.
    size: int
    #: SHA-256 of the file, hex.
    checksum: str
    #: Names of the tags, sorted.
    tags: list[str]
    #: When it was uploaded.
    createdAt: str
    #: Whether generate uses this version by default.
    current: bool


class TemplateVersion(_TemplateVersionRequired, total=False):
    reviewState: ReviewState
    uploadedBy: ReviewPerson
    approval: Approval


TemplateVersionList = list["TemplateVersion"]


class _TemplateWarningRequired(TypedDict):
    #: Kind of the warning.
    code: str
    #: What will differ.
    message: str


class TemplateWarning(_TemplateWarningRequired, total=False):
    #: The part of the document: body, header 1, footnotes …
    part: str
    #: The affected values of the data.
    paths: list[str]
    #: How many values are affected in all.
    count: int


class _UploadedTemplateRequired(TypedDict):
    #: Id of the template.
    id: str
    #: Name of the template file.
    name: str
    #: Incremented by each re-upload.
    version: int
    #: Size of the file in bytes.
    size: int
    #: SHA-256 of the file, hex.
    checksum: str
    #: Names of the tags, sorted.
    tags: list[str]
    #: When the template was uploaded.
    createdAt: str
    #: When it was last changed.
    updatedAt: str
    #: Fonts the template uses.
    fonts: list[FontReport]
    #: Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`.
    accessibility: list[AccessibilityNote]
    #: The delimiters of the tags, separated by a space.
    delimiters: str
    #: Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.
    unlikelyTags: Literal["text", "fill"]
    #: What will look or behave differently than in Word.
    warnings: list[TemplateWarning]


class UploadedTemplate(_UploadedTemplateRequired, total=False):
    reviewState: ReviewState
    #: The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise.
    draftVersion: int


Usage = TypedDict("Usage", {
    #: First day (UTC).
    "from": str,
    #: Last day (UTC), inclusive.
    "to": str,
    #: What each group stands for. `dayAndTemplate`: a day and one of the 10 templates with the most documents of the
    #: period; the others have one group a day together.
    "groupBy": Literal["day", "template", "key", "dayAndTemplate"],
    "totals": "UsageAmounts",
    #: Days in order, other groups by number of documents; at most 1000, or all of `dayAndTemplate`. Days without
    #: documents are omitted.
    "groups": list["UsageGroup"],
    #: Whether there are more than 1000 groups.
    "hasMore": bool,
})


class UsageAmounts(TypedDict):
    #: Documents charged, minus refunds.
    documents: int
    #: Pages of the PDFs among them.
    pages: int
    #: Size of the files in bytes.
    bytes: int
    #: Documents that failed; they cost nothing.
    failures: int
    #: Documents cancelled before they were produced; they cost nothing.
    cancelled: int


class _UsageGroupRequired(TypedDict):
    #: Documents charged, minus refunds.
    documents: int
    #: Pages of the PDFs among them.
    pages: int
    #: Size of the files in bytes.
    bytes: int
    #: Documents that failed; they cost nothing.
    failures: int
    #: Documents cancelled before they were produced; they cost nothing.
    cancelled: int


class UsageGroup(_UsageGroupRequired, total=False):
    #: For `groupBy=day` and `dayAndTemplate`.
    day: str
    #: For `groupBy=template` and `dayAndTemplate`; absent in the group of all other templates of a day.
    templateId: str
    #: For `groupBy=key`. Null for documents of unknown keys.
    keyId: str | None


class _ValidTemplateRequired(TypedDict):
    #: Always true: a broken template gets 400.
    valid: Literal[True]
    #: Names of the tags, sorted.
    tags: list[str]
    #: Fonts the template uses.
    fonts: list[FontReport]
    #: Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`.
    accessibility: list[AccessibilityNote]
    #: What will look or behave differently than in Word.
    warnings: list[TemplateWarning]
    #: JSON Schema (2020-12) of `data`.
    schema: dict[str, Any]


class ValidTemplate(_ValidTemplateRequired, total=False):
    #: Data that fits the schema and fills the template.
    example: Any


class _WebhookRequired(TypedDict):
    #: Id of the webhook.
    id: str
    #: `callbacks` signs the events of `callbackUrl`.
    kind: Literal["endpoint", "callbacks"]
    #: Events to send.
    events: list[EventType]
    #: A disabled webhook gets no events.
    status: Literal["enabled", "disabled"]
    #: When the webhook was created.
    createdAt: str
    #: When it was last changed.
    updatedAt: str


class Webhook(_WebhookRequired, total=False):
    #: Where events are sent; none for `callbacks`.
    url: str
    #: Free text for your own use.
    description: str
    #: Why the service disabled the webhook.
    disabledReason: str
    #: The first failure after the last success; after three days the webhook is disabled.
    failingSince: str
    #: Signs the events. Shown when it is created, and at any time for `callbacks`.
    secret: str
    #: When the previous secret stops signing.
    previousSecretExpiresAt: str


class WebhookChanges(TypedDict, total=False):
    #: An https address.
    url: str | None
    #: Events to send.
    events: list[EventType] | None
    #: Free text for your own use.
    description: str | None
    #: A disabled webhook gets no events.
    status: Literal["enabled", "disabled", None]


class _WebhookDeliveryRequired(TypedDict):
    #: Id of the delivery.
    id: str
    #: The `webhook-id` of every attempt.
    eventId: str
    #: Type of the event.
    eventType: str
    #: The body of every attempt, as it is signed.
    body: str
    status: WebhookDeliveryStatus
    #: Attempts so far.
    attempts: int
    #: When the event happened.
    createdAt: str


class WebhookDelivery(_WebhookDeliveryRequired, total=False):
    #: The `callbackUrl`, for `callbacks`.
    url: str
    response: WebhookResponse
    #: Why the last attempt failed.
    error: str
    #: Duration of the last attempt.
    durationMs: int
    #: Time of the next attempt.
    nextAttemptAt: str
    #: When the delivery ended.
    finishedAt: str


WebhookDeliveryList = list["WebhookDelivery"]


WebhookDeliveryStatus = Literal["pending", "sending", "delivered", "failed"]


WebhookList = list["Webhook"]


class _WebhookRequestRequired(TypedDict):
    #: An https address.
    url: str
    #: Events to send.
    events: list[EventType]


class WebhookRequest(_WebhookRequestRequired, total=False):
    #: Free text for your own use.
    description: str | None


#: Response to the last attempt.
class WebhookResponse(TypedDict):
    #: HTTP status code.
    status: int
    #: At most the first 1,024 characters.
    body: str


class WebhookTestData(TypedDict):
    #: Id of the webhook.
    webhookId: str
    #: A sentence.
    message: str


class WebhookTestEvent(TypedDict):
    #: The kind of the event.
    type: Literal["webhook.test"]
    #: When it happened.
    timestamp: str
    data: WebhookTestData


class _XmlInvoiceRequired(TypedDict):
    #: The specification that the invoice declares. Peppol BIS is `peppol`, which is UBL.
    profile: Literal["en16931", "xrechnung", "peppol"]


#: An electronic invoice without pages. It is made of `data`, or given as `asset` or `content`. With none of them, it is
#: made of the data of the document by the invoice mapping of the template.
class XmlInvoice(_XmlInvoiceRequired, total=False):
    #: Syntax of the XML. Default: `ubl` for `peppol`, otherwise `cii`.
    syntax: Literal["cii", "ubl", None]
    #: Id or name of an asset with the XML.
    asset: str | None
    #: The XML in base64.
    content: str | None
    #: The invoice in the terms of EN 16931, instead of its XML. Amounts that follow from others are computed.
    data: InvoiceData | None
