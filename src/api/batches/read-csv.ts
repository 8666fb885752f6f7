import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../shared/errors.ts';
import { batchLimits } from './batch-limits.ts';
import { checkCsv } from './check-csv.ts';
import { type Column, parseColumns } from './csv-columns.ts';
import { malformedStream } from './malformed-stream.ts';
import { type BatchSource, badRow, type SourceRow } from './source-row.ts';
import { toNested } from './to-nested.ts';

/**
 * Rows of `text/csv` (RFC 4180, UTF-8, with or without a BOM; LF, CR LF or CR ends a row; empty lines are ignored). The
 * first one names the columns by paths into the data; every value is text.
 */
export function readCsv(chunks: AsyncIterable<Buffer>): BatchSource {
  return { rows: toRows(chunks), envelope: () => ({}) };
}

async function* toRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<SourceRow> {
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: batchLimits.rowBytes,
  });
  const feeding = pipeline(checkCsv(chunks), parser);
  feeding.catch(() => undefined);
  let columns: readonly Column[] | undefined;
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      if (columns === undefined) columns = parseColumns(record);
      else yield toRow(columns, record);
    }
    await feeding;
  } catch (error) {
    if (error instanceof AppError || !(error instanceof CsvError)) throw error;
    throw malformedStream('is not valid CSV', Number(error.bytes ?? 0));
  }
}

function toRow(columns: readonly Column[], record: readonly string[]): SourceRow {
  if (record.length !== columns.length) {
    return badRow('data', `has ${record.length} values for ${columns.length} columns`);
  }
  const value = toNested(columns, record);
  const data = Buffer.from(JSON.stringify(value));
  return data.length > batchLimits.rowBytes ? badRow('data', 'is larger than 10 MB') : { value, data };
}
