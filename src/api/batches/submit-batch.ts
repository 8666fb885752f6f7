import { acceptBatch, type BatchAcceptance } from '../../shared/domain/batches/accept-batch.ts';
import { queueOf } from '../../shared/domain/documents/document-record.ts';
import { resolveIncludes } from '../../shared/domain/templates/resolve-includes.ts';
import { AppError } from '../../shared/errors.ts';
import { acceptCallbackUrl } from '../documents/callback-url.ts';
import { admitOrReplay } from '../http/admit-or-replay.ts';
import { emailLimitsOf } from '../http/email-limits.ts';
import { keepIfWritten } from '../http/keep-if-written.ts';
import type { idempotencyClaim } from '../middleware/idempotency-key.ts';
import type { BatchDeps } from './batch-deps.ts';
import { privateRowsKey } from './private-rows.ts';
import type { ReceivedBatch } from './receive-batch.ts';

export interface BatchTemplate {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly objectKey: string;
  readonly checksum: string;
  /** The names or ids of the templates that it includes. */
  readonly includes: readonly string[];
}

export interface BatchSubmission {
  readonly accountId: string;
  readonly keyId: string;
  readonly template: BatchTemplate;
  readonly claim: ReturnType<typeof idempotencyClaim>;
}

/** Accepts a received batch, or returns the one that an earlier request with the same idempotency key created. */
export async function submitBatch(
  deps: BatchDeps,
  { accountId, keyId, template, claim }: BatchSubmission,
  { batchId, inputKey, inputBytes, options, rows }: ReceivedBatch,
): Promise<BatchAcceptance> {
  const { id: templateId, includes: references } = template;
  const batch = {
    includes: await resolveIncludes(deps.db, { accountId, references, templateId }),
    batchId,
    accountId,
    keyId,
    templateId,
    templateVersion: template.version,
    templateObjectKey: template.objectKey,
    templateChecksum: template.checksum,
    format: options.output.format,
    bundle: options.bundle,
    bundleName: template.name.replace(/\.docx$/i, ''),
    maxFailures: options.maxFailures,
    callbackUrl: await acceptCallbackUrl(deps, accountId, options.callbackUrl),
    emailBody: options.output.email?.body,
    emailLimits: emailLimitsOf(deps.config),
    trace: deps.trace,
    inputKey,
    inputBytes,
  };
  const accept = async () => {
    const replayedId = await admitOrReplay(deps, accountId, claim, () =>
      deps.pauses?.admit(`${queueOf(batch.format)}-batch`, accountId),
    );
    if (replayedId !== undefined) return { id: replayedId, isReplay: true, isWritten: false };
    const accepted = await writeBatch(deps, () => acceptBatch(deps.db, batch, rows, claim));
    return { ...accepted, isWritten: !accepted.isReplay };
  };
  return keepIfWritten(deps, { objectKey: privateRowsKey(inputKey) }, () =>
    keepIfWritten(deps, { objectKey: inputKey }, accept),
  );
}

const maxWriteWaitMs = 600_000;

/** Runs statements that write many rows. Only a few run concurrently, because each holds a connection for seconds. */
export async function writeBatch<T>({ batchWrites }: BatchDeps, write: () => Promise<T>): Promise<T> {
  const permit = await batchWrites.acquire('batches', maxWriteWaitMs);
  if (permit === undefined) {
    throw new AppError('unavailable', 'Too many batches are being written. Try again shortly.', {
      retryAfterSeconds: 5,
    });
  }
  try {
    return await write();
  } finally {
    permit.release();
  }
}
