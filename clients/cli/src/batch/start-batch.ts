import { randomBytes } from 'node:crypto';
import type { BatchOptions, components, Docmill } from '@docmill/client';
import { ApiError, NotFoundError } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import {
  type BatchRecord,
  createRecord,
  deleteRecord,
  findRecord,
  fingerprintOf,
  updateRecord,
} from './batch-record.ts';
import { confirmCost } from './confirm-cost.ts';
import { formatDuration } from './progress.ts';
import type { RowsFile } from './rows-file.ts';

type Quote = components['schemas']['BatchQuote'];

export interface PlannedBatch {
  readonly url: string;
  readonly template: { readonly id: string; readonly name: string; readonly version: number };
  /** The requested version; undefined for the current one. */
  readonly version: number | undefined;
  readonly rows: RowsFile;
  readonly options: BatchOptions;
  /** The absolute path of the result. */
  readonly output: string;
}

export interface StartOptions {
  /** Whether a batch that was made before is made and charged again. */
  readonly isNew: boolean;
  /** Whether to skip the confirmation. */
  readonly isConfirmed: boolean;
  /** Called before a new batch is quoted. */
  readonly onNew: () => void;
}

/** Reading and storing 100,000 rows takes minutes. */
const timeoutMs = 3_600_000;
/** The service remembers a key for 24 hours; after that, the same key would be charged again. */
const keyKeptMs = 20 * 3_600_000;
const shownInvalidRows = 10;
const refusals: ReadonlySet<number> = new Set([400, 402, 404, 413, 415]);

/**
 * Whether the service rejected the request for certain, so that the next run asks again with another key. A rate limit
 * does not qualify, because an earlier attempt may have succeeded.
 */
const isRefused = ({ status, code }: ApiError): boolean => refusals.has(status) || code === 'email_limit_exceeded';

/** Quotes the batch. Charges nothing. */
export async function quoteBatch(cli: Cli, docmill: Docmill, planned: PlannedBatch): Promise<Quote> {
  const { template, rows, options } = planned;
  const call = { signal: cli.signal, timeoutMs };
  return docmill.batches.quote(
    template.id,
    rows.input,
    { ...options, version: planned.version ?? template.version },
    call,
  );
}

/**
 * Starts the batch exactly once. The idempotency key is stored on this machine before the rows are sent, so that the
 * same command continues after an interruption at any point. Asks for confirmation, which needs a terminal. Returns the batch's
 * record with its id.
 */
export async function startBatch(
  cli: Cli,
  output: Output,
  docmill: Docmill,
  planned: PlannedBatch,
  options: StartOptions,
): Promise<BatchRecord & { readonly batchId: string }> {
  const { url, template, version, rows } = planned;
  const request = { url, templateId: template.id, version, options: planned.options, rows: rows.checksum };
  const fingerprint = fingerprintOf(request);
  const newest = findRecord(cli.env, fingerprint);
  const isUsable =
    newest !== undefined && !options.isNew && (await canContinue(cli, docmill, newest, template.version));
  const found = isUsable ? newest : undefined;
  if (found?.batchId !== undefined) {
    const state = found.savedAt === undefined ? 'continues' : 'has been made and paid for';
    output.note(`These rows were sent before: the batch ${found.batchId} ${state}. --new makes a new one.`);
    return { ...found, batchId: found.batchId };
  }
  const record =
    found ??
    (await confirm(cli, output, docmill, planned, { fingerprint, sequence: (newest?.sequence ?? 0) + 1 }, options));
  const sending = { ...planned.options, version: record.templateVersion };
  const call = { signal: cli.signal, timeoutMs, idempotencyKey: record.idempotencyKey };
  try {
    const { id } = await docmill.batches.create(template.id, rows.input, sending, call);
    const accepted = { ...record, batchId: id };
    updateRecord(cli.env, accepted);
    return accepted;
  } catch (error) {
    if (error instanceof ApiError && isRefused(error)) deleteRecord(cli.env, record);
    if (!cli.signal.aborted) throw error;
    const message = 'Interrupted while the rows were sent. Run the same command again: the rows are paid for once.';
    throw new CliError(exitCodes.interrupted, message);
  }
}

/** Whether the recorded batch can still be followed or downloaded. Throws if this cannot be determined. */
async function canContinue(cli: Cli, docmill: Docmill, record: BatchRecord, currentVersion: number): Promise<boolean> {
  if (record.batchId === undefined) {
    if (Date.now() - Date.parse(record.sentAt) < keyKeptMs) return true;
    const message = `These rows were sent at ${record.sentAt}, and the answer was lost. The batch may have been made.`;
    const hint = 'Check: docmill batch list. Then: docmill batch resume <id>, or --new to make a new one.';
    throw new CliError(exitCodes.conflict, message, hint);
  }
  if (record.savedAt === undefined) return true;
  if (record.templateVersion !== currentVersion) return false;
  try {
    const { expiresAt } = await docmill.batches.get(record.batchId, { signal: cli.signal });
    return expiresAt === undefined || Date.parse(expiresAt) > Date.now();
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** Shows the quote, asks for confirmation, and stores the key. */
async function confirm(
  cli: Cli,
  output: Output,
  docmill: Docmill,
  planned: PlannedBatch,
  identity: { readonly fingerprint: string; readonly sequence: number },
  { isConfirmed, onNew }: StartOptions,
): Promise<BatchRecord> {
  onNew();
  const { template, url } = planned;
  const quote = await quoteBatch(cli, docmill, planned);
  reportQuote(output, quote, await estimateMs(cli, docmill, template.id, quote));
  const left = Math.min(quote.remaining, quote.budgetRemaining ?? quote.remaining);
  if (quote.emailProblem !== undefined)
    throw new CliError(exitCodes.unavailable, `${quote.emailProblem} Nothing was charged.`);
  if (!quote.fits) {
    const message = `The batch costs ${quote.cost} documents, and ${left} are left. Nothing was charged.`;
    throw new CliError(exitCodes.quota, message, 'See what is left: docmill usage, docmill whoami.');
  }
  if (quote.cost === 0) throw new CliError(exitCodes.failed, 'All rows are invalid. Nothing was charged.');
  if (!isConfirmed) await confirmCost(cli, `Make ${quote.cost} documents with ${template.name}?`);
  // If another process ran the same command first, both send its key.
  return createRecord(cli.env, {
    ...identity,
    url,
    templateId: template.id,
    templateVersion: planned.version ?? template.version,
    idempotencyKey: randomBytes(16).toString('hex'),
    sentAt: new Date().toISOString(),
    output: planned.output,
  });
}

export function reportQuote(output: Output, quote: Quote, durationMs: number | undefined): void {
  const left = Math.min(quote.remaining, quote.budgetRemaining ?? quote.remaining);
  const time =
    durationMs === undefined ? '' : `, about ${formatDuration(durationMs)} (as the last batch of the template)`;
  output.note(`${quote.rows} rows, ${quote.cost} documents to pay (${left} left)${time}`);
  if (quote.invalidRowCount === 0) return;
  const shown = quote.invalidRows.slice(0, shownInvalidRows).map(({ row, error }) => `  row ${row}: ${error.message}`);
  const hidden = quote.invalidRowCount - shown.length;
  const more = hidden > 0 ? [`  … and ${hidden} more (--dry-run --json prints 1,000)`] : [];
  output.warn([`${quote.invalidRowCount} rows are invalid; they fail and cost nothing:`, ...shown, ...more].join('\n'));
}

/** Estimated from the rate of the template's newest completed batch; undefined if there is none. */
export async function estimateMs(
  cli: Cli,
  docmill: Docmill,
  templateId: string,
  quote: Quote,
): Promise<number | undefined> {
  const query = { status: 'completed', templateId, limit: 1 } as const;
  for await (const { rows, startedAt, finishedAt } of docmill.batches.list(query, { signal: cli.signal })) {
    if (startedAt === undefined || finishedAt === undefined || rows === 0) return undefined;
    return ((Date.parse(finishedAt) - Date.parse(startedAt)) / rows) * quote.cost;
  }
  return undefined;
}
