import { hash } from 'node:crypto';
import { AppError, type ErrorRecord } from '../../shared/errors.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { parseRequest } from '../http/parse-request.ts';
import type { BodyLease } from '../http/read-body.ts';
import { batchLimits } from './batch-limits.ts';
import { type ItemOutput, itemOutput } from './batch-request.ts';
import type { RowTexts, RowTextTemplate } from './row-texts.ts';
import { badRow, type SourceRow } from './sources/source-row.ts';

/** The part of a row that is held in memory while the rest of its batch arrives; its data goes to the object store. */
export interface RowDraft {
  readonly dataOffset: number;
  readonly dataBytes: number;
  readonly dataChecksum: string;
  readonly output?: ItemOutput;
  texts?: RowTexts;
  readonly problem?: ErrorRecord;
}

export interface RowCollection {
  /** The rows' data as stored, one line per row. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Complete once `bytes` has ended. */
  readonly drafts: readonly RowDraft[];
  /** Adds the size of `value` to the memory held for all rows; throws at the limit. */
  countMemory(value: unknown): void;
}

const newline = Buffer.from('\n');
/** Measured memory per row until the batch is accepted, without its strings. */
const bytesPerRow = 900;

/**
 * Records a draft of each row as it streams through. Throws when there are too many rows or they need too much memory.
 */
export function collectRows(
  rows: AsyncIterable<SourceRow>,
  texts: RowTextTemplate | undefined,
  lease: BodyLease,
): RowCollection {
  const drafts: RowDraft[] = [];
  let memoryBytes = 0;
  const countMemory = (value: unknown): void => {
    const bytes = value === undefined ? 0 : JSON.stringify(value).length * 2;
    memoryBytes += bytes;
    if (memoryBytes > batchLimits.heldBytes) throw optionsTooLarge();
    lease.take(bytes);
  };
  async function* bytes(): AsyncGenerator<Buffer> {
    let dataOffset = 0;
    for await (const row of rows) {
      if (drafts.length === batchLimits.rows) throw tooManyRows();
      lease.take(bytesPerRow);
      const draft = toDraft(row, dataOffset, texts);
      countMemory(draft.output);
      countMemory(draft.texts);
      countMemory(draft.problem);
      drafts.push(draft);
      if ('problem' in row) continue;
      dataOffset += row.data.length + newline.length;
      if (dataOffset > batchLimits.storedBytes) throw rowsTooLarge();
      yield row.data;
      yield newline;
    }
  }
  return { bytes: bytes(), drafts, countMemory };
}

/**
 * Fills the file name, addresses and subject of every row from its stored data. Needed when a JSON body has `output`
 * after `items`, because the templates are unknown while the rows stream in.
 */
export async function fillTexts(
  objects: ObjectStore,
  inputKey: string,
  { drafts, countMemory }: RowCollection,
  texts: RowTextTemplate,
): Promise<void> {
  if (texts.isFixed) {
    const fixed = texts.fill({});
    for (const draft of drafts) {
      draft.texts = fixed;
      countMemory(fixed);
    }
    return;
  }
  const stored = await objects.getStream(inputKey);
  if (stored === undefined) throw new AppError('unavailable', 'The batch could not be read back. Send it again.');
  const read = createReader(stored);
  for (const draft of drafts) {
    if (draft.dataBytes === 0) continue;
    const line = await read(draft.dataBytes + newline.length);
    draft.texts = texts.fill(JSON.parse(line.toString('utf8')));
    countMemory(draft.texts);
  }
}

/** Returns a function that reads the next `sizeBytes` of a stream. */
function createReader(stream: AsyncIterable<Buffer>): (sizeBytes: number) => Promise<Buffer> {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (sizeBytes) => {
    const pieces: Buffer[] = [rest];
    let readBytes = rest.length;
    while (readBytes < sizeBytes) {
      const next = await chunks.next();
      if (next.done === true) throw new Error('the stored rows are shorter than expected');
      pieces.push(next.value);
      readBytes += next.value.length;
    }
    const all = pieces.length === 1 ? rest : Buffer.concat(pieces);
    rest = all.subarray(sizeBytes);
    return all.subarray(0, sizeBytes);
  };
}

function toDraft(row: SourceRow, dataOffset: number, texts: RowTextTemplate | undefined): RowDraft {
  const bytes = 'problem' in row ? Buffer.alloc(0) : row.data;
  const data = { dataOffset, dataBytes: bytes.length, dataChecksum: hash('sha256', bytes, 'hex') };
  if ('problem' in row) return { ...data, problem: row.problem };
  const filled = texts === undefined ? {} : { texts: texts.fill(row.value) };
  if (row.output === undefined) return { ...data, ...filled };
  try {
    return { ...data, ...filled, output: parseRequest(itemOutput, row.output) };
  } catch (error) {
    return { ...data, ...filled, problem: toOutputProblem(error) };
  }
}

function toOutputProblem(error: unknown): ErrorRecord {
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

function rowsTooLarge(): AppError {
  const message =
    'The rows are larger than 4 GB together, including the column names that each row repeats. Send NDJSON, or fewer rows.';
  return new AppError('invalid_request', message);
}

function optionsTooLarge(): AppError {
  const message =
    'The names, options and e-mails of all rows together are too large. Move what is the same for all rows to the output of the batch.';
  return new AppError('invalid_request', message);
}
