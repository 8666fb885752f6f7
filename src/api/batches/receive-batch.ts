import type { Context } from 'hono';
import type { RowRequest } from '../../shared/domain/batches/insert-rows.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { parseTargetUrl } from '../documents/callback-url.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { discardObject } from '../http/keep-if-written.ts';
import type { BatchDeps } from './batch-deps.ts';
import { type BatchOptions, readEnvelope, readQuery } from './batch-request.ts';
import { collectRows, fillTexts, type RowCollection } from './collect-rows.ts';
import { finishRows } from './finish-rows.ts';
import { storePrivateRows } from './private-rows.ts';
import { openRequestBody } from './request-body.ts';
import { compileRowTexts } from './row-texts.ts';
import { openSource } from './sources/open-source.ts';

/** A batch that has arrived completely. Its rows' data is stored under `inputKey`; nothing is accepted yet. */
export interface ReceivedBatch {
  readonly batchId: string;
  readonly inputKey: string;
  readonly inputBytes: number;
  /** SHA-256 of the body, hex. */
  readonly bodyChecksum: string;
  readonly options: BatchOptions;
  readonly rows: readonly RowRequest[];
  readonly isDryRun: boolean;
  /** False for a dry run of NDJSON or CSV, which stores no object under `inputKey`. */
  readonly isStored: boolean;
}

export interface ReceivingTemplate {
  readonly name: string;
  /** JSON Schema of the template's data; null when it was uploaded before schemas were stored. */
  readonly schema: unknown;
}

const inputType = 'application/x-ndjson';

/**
 * Reads a batch as it streams in. Rows are checked and stored one by one; only their options stay in memory. Removes
 * the stored rows when the body is rejected.
 */
export async function receiveBatch(
  c: Context<ApiEnv>,
  deps: BatchDeps,
  template: ReceivingTemplate,
  { isQuote = false } = {},
): Promise<ReceivedBatch> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const { columnFormats, options: queryOptions, ...read } = readQuery(c, type);
  const isDryRun = isQuote || read.isDryRun;
  checkCallbackUrl(deps, queryOptions);
  const batchId = newId('bat');
  const inputKey = `batches/${c.get('accountId')}/${batchId}/input`;
  const body = openRequestBody(c);
  const source = openSource(c.req.raw.headers, body.chunks, {
    schema: template.schema,
    addressColumns: addressColumnsOf(queryOptions),
    ...(columnFormats !== undefined && { formats: columnFormats }),
  });
  const queryTexts = queryOptions === undefined ? undefined : compileRowTexts(queryOptions);
  const rows = collectRows(source.rows, queryTexts, c.get('bodyLease'));
  const isStored = !(isDryRun && queryOptions !== undefined);
  try {
    const inputBytes = isStored
      ? await deps.objects.putStream(inputKey, rows.bytes, inputType)
      : await countBytes(rows);
    const options = queryOptions ?? readEnvelope(source.envelope());
    checkCallbackUrl(deps, options);
    if (rows.drafts.length === 0) throw new AppError('invalid_request', 'The batch has no rows');
    const texts = queryTexts ?? compileRowTexts(options);
    if (queryTexts === undefined) await fillTexts(deps.objects, inputKey, rows, texts);
    texts.requireValues(template.schema ?? {});
    const finished = await finishRows(rows.drafts, options, template.name);
    const isAnyDryRun = isDryRun || options.dryRun === true;
    if (!isAnyDryRun) await storePrivateRows(deps.objects, inputKey, finished);
    return {
      batchId,
      inputKey,
      inputBytes,
      bodyChecksum: body.checksum(),
      options,
      rows: finished,
      isDryRun: isAnyDryRun,
      isStored,
    };
  } catch (error) {
    if (isStored) await discardObject(deps, inputKey);
    await body.discard();
    throw error;
  }
}

/** Rejects an invalid URL before the body is read, and before a dry run reports that the batch would be accepted. */
function checkCallbackUrl({ targets }: BatchDeps, options: BatchOptions | undefined): void {
  if (options?.callbackUrl !== undefined) parseTargetUrl(targets, 'callbackUrl', options.callbackUrl);
}

/** The columns that hold an address as a whole, as in `emailTo={email}`: a cell such as "no" fails as an address. */
function addressColumnsOf(options: BatchOptions | undefined): ReadonlySet<string> {
  const { to = [], cc = [], bcc = [] } = options?.output.email ?? {};
  const columns = [...to, ...cc, ...bcc].flatMap((text) => /^\s*\{([^{}]+)\}\s*$/.exec(text)?.[1]?.trim() ?? []);
  return new Set(columns);
}

async function countBytes({ bytes }: RowCollection): Promise<number> {
  let sizeBytes = 0;
  for await (const piece of bytes) sizeBytes += piece.length;
  return sizeBytes;
}
