import { createHash } from 'node:crypto';
import { AppError, type ErrorRecord } from '../../shared/errors.ts';
import type { BodyLease } from '../http/body-lease.ts';
import { parseRequest } from '../http/invalid-request.ts';
import { batchLimits } from './batch-limits.ts';
import { type ItemOutput, itemOutput } from './batch-request.ts';
import type { RowTextMaker, RowTexts } from './row-texts.ts';
import { badRow, type SourceRow } from './source-row.ts';

/** What is kept of a row while the rest of its batch arrives; its data is in the store. */
export interface RowDraft {
  readonly dataOffset: number;
  readonly dataBytes: number;
  readonly dataChecksum: string;
  readonly output?: ItemOutput;
  texts?: RowTexts;
  readonly problem?: ErrorRecord;
}

export interface RowCollection {
  /** The rows' data, a line each, as it is stored. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Whole when `bytes` has ended. */
  readonly drafts: readonly RowDraft[];
  /** Counts what a row keeps in memory; throws when all rows together keep too much. */
  keep(texts: unknown): void;
}

const newline = Buffer.from('\n');
/** Measured: what a row keeps until its batch is accepted, beside its texts. */
const fixedBytes = 900;

/** Notes each row as it passes by. Throws when there are too many of them, or too much to remember. */
export function collectRows(
  rows: AsyncIterable<SourceRow>,
  texts: RowTextMaker | undefined,
  lease: BodyLease,
): RowCollection {
  const drafts: RowDraft[] = [];
  let keptBytes = 0;
  const keep = (what: unknown): void => {
    const bytes = what === undefined ? 0 : JSON.stringify(what).length * 2;
    keptBytes += bytes;
    if (keptBytes > batchLimits.keptBytes) throw tooMuchToKeep();
    lease.take(bytes);
  };
  async function* bytes(): AsyncGenerator<Buffer> {
    let dataOffset = 0;
    for await (const row of rows) {
      if (drafts.length === batchLimits.rows) throw tooManyRows();
      lease.take(fixedBytes);
      const draft = toDraft(row, dataOffset, texts);
      keep(draft.output);
      keep(draft.texts);
      keep(draft.problem);
      drafts.push(draft);
      if ('problem' in row) continue;
      dataOffset += row.data.length + newline.length;
      if (dataOffset > batchLimits.storedBytes) throw tooMuchToStore();
      yield row.data;
      yield newline;
    }
  }
  return { bytes: bytes(), drafts, keep };
}

function toDraft(row: SourceRow, dataOffset: number, texts: RowTextMaker | undefined): RowDraft {
  const bytes = 'problem' in row ? Buffer.alloc(0) : row.data;
  const place = { dataOffset, dataBytes: bytes.length, dataChecksum: createHash('sha256').update(bytes).digest('hex') };
  if ('problem' in row) return { ...place, problem: row.problem };
  const made = texts === undefined ? {} : { texts: texts.make(row.value) };
  if (row.output === undefined) return { ...place, ...made };
  try {
    return { ...place, ...made, output: parseRequest(itemOutput, row.output) };
  } catch (error) {
    return { ...place, ...made, problem: toProblem(error) };
  }
}

function toProblem(error: unknown): ErrorRecord {
  if (!(error instanceof AppError)) throw error;
  const problems = (error.details ?? []).flatMap((detail) =>
    detail.type === 'Field'
      ? [badRow(detail.path === 'body' ? 'output' : `output.${detail.path}`, detail.message).problem]
      : [],
  );
  const [first] = problems;
  if (first === undefined) return badRow('output', 'is not valid').problem;
  return { ...first, details: problems.flatMap(({ details = [] }) => details) };
}

function tooManyRows(): AppError {
  return new AppError('invalid_request', `The batch has more than ${batchLimits.rows.toLocaleString('en')} rows`);
}

function tooMuchToStore(): AppError {
  const message =
    'The rows are larger than 4 GB together, with the names of the columns in each. Send NDJSON, or fewer rows.';
  return new AppError('invalid_request', message);
}

function tooMuchToKeep(): AppError {
  const message =
    'The names, options and e-mails of all rows together are too large. Say what is the same for all rows once, in output.';
  return new AppError('invalid_request', message);
}
