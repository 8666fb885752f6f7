import { isObject } from '../../../shared/json.ts';
import { storableText } from '../../../shared/storable-text.ts';
import { locateJsonError } from '../../http/locate-json-error.ts';
import { maxJsonDepth } from '../../http/parse-json.ts';
import { scanJson } from '../../http/scan-json.ts';
import { batchLimits } from '../batch-limits.ts';
import { badRow, malformedStream, type SourceRow } from './source-row.ts';

export interface RowText {
  readonly bytes: Buffer;
  /** Offset of its first byte in the body. */
  readonly offset: number;
}

/** A row of NDJSON: the data itself. Throws when it is not valid JSON. */
export function parseDataRow(row: RowText): SourceRow {
  const value = parseJson(row);
  if (value === tooDeep) return badRow('data', `nests deeper than ${maxJsonDepth} levels`);
  return isObject(value) ? { data: row.bytes, value } : badRow('data', 'must be an object');
}

/** A row of the JSON form, `{data, output?, error?}`. Throws when it is not valid JSON. */
export function parseItem(row: RowText): SourceRow {
  const item = parseJson(row);
  if (item === tooDeep) return badRow('item', `nests deeper than ${maxJsonDepth} levels`);
  if (!isObject(item)) return badRow('item', 'must be an object with data');
  const unknown = Object.keys(item).find((key) => !itemFields.has(key));
  if (unknown !== undefined) return badRow(unknown, 'is not a known field');
  if (isGiven(item.error)) return toClientError(item.error);
  const value = item.data;
  const data = scanJson(row.bytes, maxJsonDepth).members.get('data');
  if (!isObject(value) || data === undefined) return badRow('data', 'must be an object');
  return { data, value, ...(isGiven(item.output) && { output: item.output }) };
}

const itemFields: ReadonlySet<string> = new Set(['data', 'output', 'error']);
/** The maximum length of an error that the client reports for a row. */
export const maxErrorLength = 500;

/** The client found the row to be invalid. It sends the row so that the others keep their numbers. */
function toClientError(error: unknown): SourceRow {
  if (typeof error !== 'string' || error === '' || error.length > maxErrorLength) {
    return badRow('error', `must be a string of at most ${maxErrorLength} characters`);
  }
  const message = storableText(error);
  return { problem: { code: 'invalid_request', message, details: [{ type: 'Message', message }] } };
}

/** `null` means the same as an absent field. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const tooDeep = Symbol('too deep');

function parseJson({ bytes, offset }: RowText): unknown {
  const isDeep = scanJson(bytes, maxJsonDepth).depth > maxJsonDepth;
  try {
    if (!isDeep) return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The error is located below.
  }
  const errorAt = locateJsonError(bytes);
  if (errorAt === undefined && isDeep) return tooDeep;
  throw malformedStream('is not valid JSON', offset + (errorAt ?? 0));
}

/** A row that exceeds the limit is usually malformed, so the error names the first invalid byte if there is one. */
export function rowTooLong(bytes: Buffer, offset: number): Error {
  const errorAt = locateJsonError(bytes);
  if (errorAt !== undefined && errorAt < bytes.length) return malformedStream('is not valid JSON', offset + errorAt);
  const megabytes = batchLimits.rowBytes / 1024 / 1024;
  return malformedStream(`has a row larger than ${megabytes} MB`, offset + batchLimits.rowBytes);
}
