import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { cellTypeAt } from '../../../shared/cells/cell-type.ts';
import { type CellValue, writtenType } from '../../../shared/cells/read-cell.ts';
import { AppError } from '../../../shared/errors.ts';
import { batchLimits } from '../batch-limits.ts';
import { type ColumnFormats, formatColumns } from './column-formats.ts';
import { type CsvColumn, parseColumns, toNested } from './csv-columns.ts';
import { readTypedCell, type TypedColumn } from './read-typed-cell.ts';
import { type BatchSource, badRow, malformedStream, type SourceRow } from './source-row.ts';

export interface CsvOptions {
  /** JSON Schema of the template's data; if undefined, a column without a format is text. */
  readonly schema?: unknown;
  readonly formats?: ColumnFormats;
  /** The columns with e-mail addresses. They are read as text even where the template needs yes or no. */
  readonly addressColumns?: ReadonlySet<string>;
}

/**
 * Rows of `text/csv` (RFC 4180, UTF-8, optional BOM; LF, CR LF or CR ends a row; empty lines are ignored). The header
 * row names the columns by paths into the data. A value has the type of its format, or else the type that the template
 * needs: a number, a date, yes or no, or text.
 */
export function readCsv(chunks: AsyncIterable<Buffer>, options: CsvOptions = {}): BatchSource {
  return { rows: toRows(chunks, options), envelope: () => ({}) };
}

async function* toRows(chunks: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<SourceRow> {
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
      if (header === undefined) header = toHeader(record, options);
      else yield toRow(header, record);
    }
    await feeding;
  } catch (error) {
    if (error instanceof AppError || !(error instanceof CsvError)) throw error;
    throw malformedStream('is not valid CSV', Number(error.bytes ?? 0));
  }
}

interface Header {
  readonly columns: readonly CsvColumn[];
  /** The columns that are not text, by index. */
  readonly typed: ReadonlyMap<number, TypedColumn>;
}

function toHeader(header: readonly string[], { schema, formats, addressColumns }: CsvOptions): Header {
  const columns = parseColumns(header);
  const names = header.map((name) => name.trim());
  const stated = formatColumns(names, formats);
  const typed = new Map<number, TypedColumn>();
  for (const [index, column] of columns.entries()) {
    const name = names[index] ?? '';
    const isAddress = addressColumns?.has(name) === true && stated[index] === undefined;
    const type = isAddress ? 'text' : cellTypeAt(schema, column);
    if (writtenType(type, stated[index]) !== 'text') typed.set(index, { name, type, format: stated[index] });
  }
  return { columns, typed };
}

function toRow({ columns, typed }: Header, record: readonly string[]): SourceRow {
  if (record.length !== columns.length) {
    return badRow('data', `has ${record.length} values for ${columns.length} columns`);
  }
  const read = new Map<number, CellValue>();
  for (const [index, column] of typed) {
    const reading = readTypedCell(record[index] ?? '', column);
    if ('problem' in reading) return reading;
    read.set(index, reading.value);
  }
  const value = toNested(columns, record, read);
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
