import { createHash } from 'node:crypto';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type OutputFormat, queueOf } from '../../shared/domain/documents/document-record.ts';
import { abandonDocument } from '../../shared/domain/documents/fail-document.ts';
import { findDocument } from '../../shared/domain/documents/find-documents.ts';
import type { NewDocument } from '../../shared/domain/documents/reserve-documents.ts';
import { findPin } from '../../shared/domain/templates/pin-template.ts';
import { AppError, toErrorRecord } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { parseRecipients } from '../../shared/mail-address.ts';
import type { RequestedRenderOptions } from '../../shared/output-options.ts';
import { keepsOrder } from '../../shared/queue/redis.ts';
import { admitOrReplay } from '../http/admit-or-replay.ts';
import { emailLimitsOf } from '../http/email-limits.ts';
import type { JsonBody } from '../http/read-json.ts';
import type { ClientKind } from './backlog-gate.ts';
import { acceptCallbackUrl } from './callback-url.ts';
import type { DocumentDeps } from './document-deps.ts';
import type { GenerateRequest } from './generate-request.ts';
import { withSyntax } from './invoice-fields.ts';
import { toSafeFilename } from './output-filename.ts';
import { toDocxOptions, toUtc } from './output-options.ts';
import { type StoredFiles, storeFiles } from './store-files.ts';

export interface AcceptedDocument {
  readonly id: string;
  readonly accountId: string;
  readonly format: OutputFormat;
  /** True when an earlier request with the same idempotency key created this document. */
  readonly isReplay: boolean;
  /** The JSON text of `data`, and the files that came with the request. */
  readonly data: Buffer;
  /** The version of LibreOffice to which the template is pinned; null for any. */
  readonly engine: string | null;
  /** Null for a replay. */
  readonly templateVersion?: number | null;
  /** Whether the client waits for the file or fetches it later. */
  readonly clientKind: ClientKind;
}

export interface DocumentSubmission {
  readonly accountId: string;
  readonly keyId: string;
  /** True for a request with a test key. */
  readonly isTest: boolean;
  readonly templateId: string;
  readonly version: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly request: GenerateRequest;
  readonly body: JsonBody;
  /** True if the file is stored for a later fetch. */
  readonly isKept: boolean;
}

/**
 * Reserves memory and quota, and inserts the row. Once this returns, the document is produced or its quota released,
 * even after a crash. Throws `rate_limited` or `unavailable` when too much is waiting, before accepting anything; a
 * repeated request gets its document even then.
 */
export async function submitDocument(deps: DocumentDeps, submission: DocumentSubmission): Promise<AcceptedDocument> {
  const { accountId, request, body } = submission;
  const id = newId('doc');
  const format = request.output?.format ?? 'docx';
  const json = withoutBlanks(body.data ?? Buffer.from('{}'));
  const { xml, ...output } = request.output ?? {};
  const files = storeFiles({ ...output, xml: xml && withSyntax(xml) }, json);
  const { data } = files;
  const clientKind = submission.isKept ? 'later' : 'waiting';
  const shared = { accountId, format, data, clientKind } as const;
  const claim = await toClaim(deps, submission);
  const transient = deps.transient.of(accountId);
  const replayedId = await admitOrReplay(deps, accountId, claim, async () => {
    deps.pauses?.admit(queueOf(format), accountId);
    await deps.backlog.admit(queueOf(format), accountId, clientKind);
    await transient.reserve('data', id, data.length);
  });
  if (replayedId !== undefined) return { ...shared, id: replayedId, isReplay: true, engine: null };
  let acceptedId: string | undefined;
  try {
    const row = await toNewDocument(deps, submission, id, { files, json });
    const accepted =
      claim === undefined
        ? { ...(await deps.accept(accountId, row)), isReplay: false }
        : await deps.acceptOnce(accountId, row, claim);
    const { engine, templateVersion, isReplay } = accepted;
    acceptedId = accepted.id;
    return { ...shared, id: acceptedId, isReplay, engine: pinOf(row, engine), templateVersion };
  } finally {
    // Not accepted, or a replay of a document with another id.
    if (acceptedId !== id) transient.forget('data', id, data.length);
  }
}

async function toClaim({ config }: DocumentDeps, submission: DocumentSubmission) {
  const { templateId, version, isTest, idempotencyKey, body } = submission;
  if (idempotencyKey === undefined) return undefined;
  return {
    key: idempotencyKey,
    operation: `POST /v1/templates/${templateId}/generate${version === undefined ? '' : `?version=${version}`}${isTest ? ' test' : ''}`,
    requestHash: await digestInSlices(body.bytes),
    ttlSeconds: config.RESULT_TTL_SECONDS,
  };
}

/** The pinned engine of a document. Any worker can make a .docx, because it needs no LibreOffice. */
const pinOf = ({ format }: NewDocument, engine: string | null): string | null => (format === 'pdf' ? engine : null);

/**
 * Enqueues an accepted document. If Redis rejects the job, the quota is released at once unless a worker already has
 * it; if that fails too, the sweep releases it.
 */
export async function enqueueDocument(deps: DocumentDeps, document: AcceptedDocument): Promise<void> {
  const { id, isReplay } = document;
  if (isReplay) return await resumeDocument(deps, document);
  try {
    await addJob(deps, document);
  } catch (error) {
    const isReleased = await abandonDocument(deps.db, { id, attempts: 0 }, toErrorRecord(error)).catch((cause) => {
      deps.logger.warn({ err: cause, documentId: id }, 'a document that was not enqueued is left to the sweep');
      return true;
    });
    if (!isReleased) return;
    // The data may have been stored; free the memory, because Redis may be full.
    deps.transient.of(document.accountId).forget('data', id, document.data.length);
    throw error;
  }
}

/** A replayed request carries the data again, so it can enqueue a document that a crash left without a job. */
async function resumeDocument(deps: DocumentDeps, document: AcceptedDocument): Promise<void> {
  const row = await findDocument(deps.db, document.id);
  if (row?.status !== 'queued' || (await deps.queues.has(queueOf(document.format), document.id))) return;
  const engine = document.format === 'pdf' ? await findPin(deps.db, row.templateId) : null;
  await deps.transient.of(document.accountId).reserve('data', document.id, document.data.length);
  await addJob(deps, { ...document, engine });
}

async function addJob(
  deps: DocumentDeps,
  { id, accountId, format, data, engine, clientKind }: AcceptedDocument,
): Promise<void> {
  // failpoint: after-commit-before-add
  if (engine !== null) {
    await deps.engines.require(engine);
    await deps.backlog.admit(queueOf(format), accountId, clientKind, engine);
  }
  const stored = deps.transient.put('data', id, data, deps.config.DOCUMENT_DEADLINE_SECONDS);
  // The data must be stored before the job exists. A single server runs commands in order; a cluster may not.
  if (!keepsOrder(deps.redis)) await stored;
  // failpoint: after-data-before-add
  const payload = { documentId: id, accountId, replyTo: deps.results.channel, trace: deps.trace };
  const added = deps.queues.add(queueOf(format), id, payload, { engine });
  await Promise.all([stored, added]);
}

async function toNewDocument(
  deps: DocumentDeps,
  submission: DocumentSubmission,
  id: string,
  { files, json }: { readonly files: StoredFiles; readonly json: Buffer },
): Promise<NewDocument> {
  const { accountId, templateId, version, keyId, isTest, request, isKept, idempotencyKey } = submission;
  const { format = 'docx', filename, email } = request.output ?? {};
  return {
    id,
    templateId,
    version,
    format,
    filename: filename === undefined ? null : toSafeFilename(filename, format),
    pdfOptions: files.pdf,
    renderOptions: toRenderOptions(request.output),
    email: email === undefined ? null : toEmailRequest(email, files.emailAttachments),
    emailLimits: emailLimitsOf(deps.config),
    callbackUrl: await acceptCallbackUrl(deps, accountId, request.callbackUrl),
    isKept: isKept || idempotencyKey !== undefined || email !== undefined,
    dataChecksum: await digestInSlices(json),
    keyId,
    isTest,
    trace: deps.trace,
  };
}

const sliceBytes = 512 * 1024;

/** SHA-256 in hexadecimal. Yields to other requests between slices. */
export async function digestInSlices(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    if (start > 0) await nextRound();
    hash.update(bytes.subarray(start, start + sliceBytes));
  }
  return hash.digest('hex');
}

/** Trims whitespace around a JSON value (RFC 8259, 2), so that the digest covers the value alone. */
export function withoutBlanks(json: Buffer): Buffer {
  const isBlank = (byte: number | undefined): boolean =>
    byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
  let [start, end] = [0, json.length];
  while (start < end && isBlank(json[start])) start++;
  while (end > start && isBlank(json[end - 1])) end--;
  return json.subarray(start, end);
}

type RequestedOptions = Partial<Omit<NonNullable<GenerateRequest['output']>, 'filename' | 'pdf' | 'xml' | 'email'>> & {
  readonly email?: object | undefined;
};

/** The options that a worker needs; null when there are none. */
export function toRenderOptions(output: RequestedOptions = {}): NewDocument['renderOptions'] {
  const { format, locale, timezone, onMissing, onMissingGlyph, documentDate, docx, email } = output;
  // An e-mailed document comes from the operator's address, so it loads no external content unless the caller asks for
  // it.
  const externalContent = docx?.externalContent ?? (email === undefined ? undefined : 'remove');
  const options: RequestedRenderOptions = {
    locale,
    timezone,
    onMissing,
    onMissingGlyph,
    documentDate: toUtc(documentDate),
    externalContent,
    docx: format === undefined || format === 'docx' ? toDocxOptions(docx) : undefined,
  };
  return Object.values(options).every((option) => option === undefined) ? null : options;
}

function toEmailRequest(
  email: NonNullable<NonNullable<GenerateRequest['output']>['email']>,
  attachments: StoredFiles['emailAttachments'],
) {
  const result = parseRecipients(email);
  if (!result.ok) throw new AppError('invalid_request', 'output.email: contains an invalid address');
  return {
    deliveryId: newId('dlv'),
    ...result.recipients,
    subject: email.subject ?? null,
    body: email.body ?? null,
    ...(attachments !== undefined && { attachments }),
  };
}
