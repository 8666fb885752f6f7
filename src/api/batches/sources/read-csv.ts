import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { readYesOrNo } from '../../../shared/cells/read-yes-or-no.ts';
import { takesYesOrNo } from '../../../shared/cells/takes-yes-or-no.ts';
import { AppError } from '../../../shared/errors.ts';
import { storableText } from '../../../shared/storable-text.ts';
import { batchLimits } from '../batch-limits.ts';
import { type CsvColumn, parseColumns, toNested } from './csv-columns.ts';
import { type BatchSource, badRow, malformedStream, type SourceRow } from './source-row.ts';

/**
 * Rows of `text/csv` (RFC 4180, UTF-8, optional BOM; LF, CR LF or CR ends a row; empty lines are ignored). The header
 * row names the columns by paths into the data. A value is a boolean where the template accepts only yes or no, and a
 * string elsewhere.
 *
 * @param schema JSON Schema of the template's data; if undefined, every value is a string
 */
export function readCsv(chunks: AsyncIterable<Buffer>, schema?: unknown): BatchSource {
  return { rows: toRows(chunks, schema), envelope: () => ({}) };
}

async function* toRows(chunks: AsyncIterable<Buffer>, schema: unknown): AsyncGenerator<SourceRow> {
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: batchLimits.rowBytes,
  });
  const feeding = pipeline(checkCsv(chunks), parser);
  feeding.catch(() => undefined);
  let header: Header | undefined;
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      if (header === undefined) header = toHeader(record, schema);
      else yield toRow(header, record);
    }
    await feeding;
  } catch (error) {
    if (error instanceof AppError || !(error instanceof CsvError)) throw error;
    throw malformedStream('is not valid CSV', Number(error.bytes ?? 0));
  }
}

interface Header {
  readonly names: readonly string[];
  readonly columns: readonly CsvColumn[];
  /** Indexes of the columns that the template uses only as conditions. */
  readonly questions: readonly number[];
}

function toHeader(names: readonly string[], schema: unknown): Header {
  const columns = parseColumns(names);
  const questions = columns.flatMap((column, index) => (takesYesOrNo(schema, column) ? [index] : []));
  return { names, columns, questions };
}

const maxShownCell = 40;

function toRow({ names, columns, questions }: Header, record: readonly string[]): SourceRow {
  if (record.length !== columns.length) {
    return badRow('data', `has ${record.length} values for ${columns.length} columns`);
  }
  const answers = new Map<number, boolean>();
  for (const index of questions) {
    const cell = record[index] ?? '';
    const answer = readYesOrNo(cell);
    if (answer === undefined) {
      const shown = storableText(cell.trim().slice(0, maxShownCell));
      return badRow(`data.${names[index]?.trim()}`, `"${shown}" is neither yes nor no; write one of them`);
    }
    answers.set(index, answer);
  }
  const value = toNested(columns, record, answers);
  const data = Buffer.from(JSON.stringify(value));
  return data.length > batchLimits.rowBytes ? badRow('data', 'is larger than 10 MB') : { value, data };
}

const quote = 0x22;
const comma = 0x2c;
const lf = 0x0a;
const cr = 0x0d;

type FieldState = 'start' | 'unquoted' | 'quoted' | 'closed';

/**
 * Yields CSV (RFC 4180) unchanged; throws at the first misplaced quote and at a row that is too large. Runs before the
 * parser, which does not report byte offsets.
 */
async function* checkCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let state: FieldState = 'start';
  let position = 0;
  let rowStart = 0;
  let openedAt = 0;
  for await (const chunk of chunks) {
    const from = position === 0 && isBom(chunk) ? 3 : 0;
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i];
      if (state === 'quoted') {
        if (byte === quote) state = 'closed';
      } else if (byte === comma) state = 'start';
      else if (byte === lf || byte === cr) {
        state = 'start';
        rowStart = position + i + 1;
      } else if (byte === quote) {
        if (state === 'unquoted') throw malformedStream('has a quote inside an unquoted CSV field', position + i);
        if (state === 'start') openedAt = position + i;
        state = 'quoted';
      } else if (state === 'closed') {
        throw malformedStream('has text after the closing quote of a CSV field', position + i);
      } else state = 'unquoted';
    }
    position += chunk.length;
    if (position - rowStart > batchLimits.rowBytes + chunk.length) {
      if (state === 'quoted') throw malformedStream('has a quoted CSV field that is never closed', openedAt);
      throw malformedStream(`has a row larger than ${batchLimits.rowBytes / 1024 / 1024} MB`, rowStart);
    }
    yield chunk;
  }
  if (state === 'quoted') throw malformedStream('has a quoted CSV field that is never closed', openedAt);
}

function isBom(chunk: Buffer): boolean {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
}
