import { acceptBatch, type BatchAcceptance } from '../../shared/domain/batches/accept-batch.ts';
import type { ApiDeps } from '../context.ts';
import { keepIfWritten } from '../http/keep-if-written.ts';
import { callbacksOf } from '../webhooks/callbacks.ts';
import { parseTargetUrl } from '../webhooks/target-url.ts';
import { privateKeyOf } from './private-rows.ts';
import type { ReceivedBatch } from './receive-batch.ts';

export interface BatchTemplate {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly objectKey: string;
  readonly checksum: string;
}

export interface Submission {
  readonly accountId: string;
  readonly keyId: string;
  readonly template: BatchTemplate;
  readonly idempotencyKey: string | undefined;
  /** What was asked, beside the body: the same key with another question is a conflict. */
  readonly operation: string;
}

/** Accepts a batch that arrived whole, or answers the one that an earlier request with the same key made. */
export async function submitBatch(
  deps: ApiDeps,
  { accountId, keyId, template, idempotencyKey, operation }: Submission,
  received: ReceivedBatch,
): Promise<BatchAcceptance> {
  const { batchId, inputKey, inputBytes, options, rows } = received;
  const order = {
    batchId,
    accountId,
    keyId,
    templateId: template.id,
    templateVersion: template.version,
    templateObjectKey: template.objectKey,
    templateChecksum: template.checksum,
    format: options.output.format,
    bundle: options.bundle,
    bundleName: template.name.replace(/\.docx$/i, ''),
    maxFailures: options.maxFailures,
    callbackUrl: await acceptCallback(deps, accountId, options.callbackUrl),
    emailBody: options.output.email?.body,
    inputKey,
    inputBytes,
  };
  const key =
    idempotencyKey === undefined
      ? undefined
      : {
          key: idempotencyKey,
          operation,
          requestHash: received.bodyChecksum,
          ttlSeconds: deps.config.RESULT_TTL_SECONDS,
        };
  const accept = async () => {
    const accepted = await deps.batchUploads.write(() => acceptBatch(deps.db, order, rows, key));
    return { ...accepted, isWritten: !accepted.isReplay };
  };
  return keepIfWritten(deps, { objectKey: privateKeyOf(inputKey) }, () =>
    keepIfWritten(deps, { objectKey: inputKey }, accept),
  );
}

async function acceptCallback(
  deps: ApiDeps,
  accountId: string,
  callbackUrl: string | undefined,
): Promise<string | undefined> {
  if (callbackUrl === undefined) return undefined;
  const url = parseTargetUrl(deps.targets, 'callbackUrl', callbackUrl);
  await callbacksOf(deps, accountId);
  return url;
}
