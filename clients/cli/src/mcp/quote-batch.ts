import type { BatchInput, components, Docmill } from '@docmill/client';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { isRecord } from '../json-value.ts';
import { parseJson } from './tool-input.ts';

export interface BatchQuote {
  readonly rows: number;
  /** One for each valid row. */
  readonly credits: number;
  readonly creditsLeft: number;
  readonly fits: boolean;
  readonly invalidRowCount: number;
  readonly invalidRows: components['schemas']['BatchQuote']['invalidRows'];
  /** Based on the pace of the template's finished batches; null if there are none. */
  readonly estimatedSeconds: number | null;
  readonly estimatedFrom: string;
}

/** The number of finished batches used for an estimate; below, the number of invalid rows listed. */
const pastBatches = 5;
const shownRows = 20;

/** The cost of a batch, its invalid rows, and its estimated duration. Stores and charges nothing. */
export async function quoteBatch(
  docmill: Docmill,
  {
    templateId,
    version,
    rows,
  }: { readonly templateId: string; readonly version: number | undefined; readonly rows: BatchInput },
  signal: AbortSignal,
): Promise<BatchQuote> {
  const quote = await docmill.batches.quote(templateId, rows, { version }, { signal });
  const pace = await measurePace(docmill, templateId, signal);
  return {
    rows: quote.rows,
    credits: quote.cost,
    creditsLeft: Math.min(quote.remaining, quote.budgetRemaining ?? quote.remaining),
    fits: quote.fits,
    invalidRowCount: quote.invalidRowCount,
    invalidRows: quote.invalidRows.slice(0, shownRows),
    estimatedSeconds: pace === undefined ? null : Math.ceil(quote.cost / pace.rowsPerSecond),
    estimatedFrom:
      pace === undefined
        ? 'No batch of this template has finished yet.'
        : `${pace.rows} rows of ${pace.batches} finished batches of this template`,
  };
}

interface Pace {
  readonly rowsPerSecond: number;
  readonly rows: number;
  readonly batches: number;
}

async function measurePace(docmill: Docmill, templateId: string, signal: AbortSignal): Promise<Pace | undefined> {
  let rows = 0;
  let seconds = 0;
  let batches = 0;
  const finished = docmill.batches.list({ templateId, status: 'completed', limit: pastBatches }, { signal });
  for await (const { rows: ofBatch, startedAt, finishedAt } of finished) {
    if (startedAt !== undefined && finishedAt !== undefined) {
      rows += ofBatch;
      seconds += Math.max(Date.parse(finishedAt) - Date.parse(startedAt), 1) / 1000;
      batches += 1;
    }
    if (batches >= pastBatches) break;
  }
  return batches === 0 ? undefined : { rowsPerSecond: rows / seconds, rows, batches };
}

/**
 * The rows of a file: CSV and NDJSON unchanged, a JSON array of data objects as items. Throws `usage` for any other
 * extension or content.
 */
export function parseRows(path: string, text: string): BatchInput {
  if (/\.csv$/i.test(path)) return { csv: text };
  if (/\.(ndjson|jsonl)$/i.test(path)) return { ndjson: text };
  if (!/\.json$/i.test(path))
    throw new CliError(exitCodes.usage, 'Rows are read from .csv, .ndjson, .jsonl and .json files.');
  const value = parseJson(text);
  if (Array.isArray(value) && value.every(isRecord)) return value.map((data) => ({ data }));
  throw new CliError(exitCodes.usage, 'The file is not a JSON array of objects.', 'Write [{"name": "Ada"}].');
}
