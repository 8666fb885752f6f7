import type { Context } from 'hono';
import type { RowRequest } from '../../shared/domain/batches/insert-rows.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { ApiDeps } from '../context.ts';
import type { ApiEnv } from '../env.ts';
import { discardObject } from '../http/keep-if-written.ts';
import { parseTargetUrl } from '../webhooks/target-url.ts';
import { addTexts } from './add-texts.ts';
import type { BatchOptions } from './batch-request.ts';
import { openBody } from './body-chunks.ts';
import { collectRows, type RowCollection } from './collect-rows.ts';
import { finishRows } from './finish-rows.ts';
import { openSource } from './open-source.ts';
import { storePrivateRows } from './private-rows.ts';
import { readEnvelope, readQuery } from './read-options.ts';
import { createTextMaker } from './row-texts.ts';

/** A batch that arrived whole: its rows' data lie in `inputKey`, nothing is accepted yet. */
export interface ReceivedBatch {
  readonly batchId: string;
  readonly inputKey: string;
  readonly inputBytes: number;
  /** SHA-256 of the body, hex. */
  readonly bodyChecksum: string;
  readonly options: BatchOptions;
  readonly rows: readonly RowRequest[];
  readonly isDryRun: boolean;
  /** Is there an object under `inputKey`? Not for a dry run of a streamed form. */
  readonly isStored: boolean;
}

const inputType = 'application/x-ndjson';

/**
 * Reads a batch as it streams in: rows are checked and stored one by one, and only what is told about them is kept. A
 * body that is refused leaves nothing.
 */
export async function receiveBatch(c: Context<ApiEnv>, deps: ApiDeps, templateName: string): Promise<ReceivedBatch> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const { isDryRun, options: streamed } = readQuery(withoutVersion(c.req.query()), type !== 'application/json');
  checkCallback(deps, streamed);
  const batchId = newId('bat');
  const inputKey = `batches/${c.get('accountId')}/${batchId}/input`;
  const body = openBody(c.req.raw);
  const source = openSource(c.req.raw.headers, body.chunks);
  const texts = streamed === undefined ? undefined : createTextMaker(streamed);
  const rows = collectRows(source.rows, texts, c.get('bodyLease'));
  const isStored = !(isDryRun && streamed !== undefined);
  try {
    const inputBytes = isStored ? await deps.objects.putStream(inputKey, rows.bytes, inputType) : await drain(rows);
    const options = streamed ?? readEnvelope(source.envelope());
    checkCallback(deps, options);
    if (rows.drafts.length === 0) throw new AppError('invalid_request', 'The batch has no rows');
    if (texts === undefined) await addTexts(deps.objects, inputKey, rows, createTextMaker(options));
    const finished = await finishRows(rows.drafts, options, templateName);
    const isOnlyAsked = isDryRun || options.dryRun === true;
    if (!isOnlyAsked) await storePrivateRows(deps.objects, inputKey, finished);
    return {
      batchId,
      inputKey,
      inputBytes,
      bodyChecksum: body.checksum(),
      options,
      rows: finished,
      isDryRun: isOnlyAsked,
      isStored,
    };
  } catch (error) {
    if (isStored) await discardObject(deps, inputKey);
    await body.drop();
    throw error;
  }
}

/** Before a dry run says that the batch would be accepted, and before 1 GB is read for nothing. */
function checkCallback({ targets }: ApiDeps, options: BatchOptions | undefined): void {
  if (options?.callbackUrl !== undefined) parseTargetUrl(targets, 'callbackUrl', options.callbackUrl);
}

async function drain({ bytes }: RowCollection): Promise<number> {
  let sizeBytes = 0;
  for await (const piece of bytes) sizeBytes += piece.length;
  return sizeBytes;
}

function withoutVersion({ version: _version, ...query }: Record<string, string>): Record<string, string> {
  return query;
}
