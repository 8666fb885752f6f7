import { AppError } from '../../../../shared/errors.ts';
import { joinPath } from '../../language/scope.ts';
import { plainName } from '../../language/text-marks.ts';
import { docxLimits } from '../../limits.ts';

/** Parses the request's `data` from JSON. Throws `data_invalid` unless it is an object within the limits. */
export function parseData(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const { depth, values } = measure(text);
  if (values > docxLimits.dataValues)
    throw invalid('data', `The data holds more than ${docxLimits.dataValues} values.`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw invalid('data', 'The data is not valid JSON.');
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw invalid('data', 'The data must be an object.');
  if (depth > docxLimits.dataDepth) {
    throw invalid(deepPath(data), `The data is nested deeper than ${docxLimits.dataDepth} levels.`);
  }
  if (unusual.test(text)) plainKeys(data);
  return data;
}

const unusual =
  /[\u034f\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2011\u202a-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]|\\u(?:00a0|00ad|034f|061c|1680|180e|20[0-6]|3000|feff)/i;

/** Writes the names of the data as those of tags are read: see `withPlainTags`. A name that exists already stays. */
function plainKeys(value: object): void {
  const record = value as Record<string, unknown>;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  if (keys.some((key) => plainName(key) !== key)) {
    const entries = Object.entries(record);
    for (const key of keys) delete record[key];
    const exact = new Set(keys);
    for (const [key, inner] of entries) {
      const plain = plainName(key);
      const name = plain !== key && exact.has(plain) ? key : plain;
      Object.defineProperty(record, name, { value: inner, enumerable: true, configurable: true, writable: true });
    }
  }
  for (const inner of Object.values(record)) if (isNested(inner)) plainKeys(inner);
}

function invalid(path: string, message: string): AppError {
  return new AppError('data_invalid', 'The data does not fit the template', {
    details: [{ type: 'Field', path, message }],
  });
}

/** Measures the nesting depth and number of values of a JSON text before parsing spends memory on them. */
function measure(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = endOfString(text, i);
    else if (code === 0x2c) values++;
    else if (code === 0x7b || code === 0x5b) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return { depth: deepest, values };
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
  return slashes % 2 === 1;
}

/** The path of one value below the allowed depth. */
function deepPath(data: object): string {
  let level: { path: string; value: object }[] = [{ path: 'data', value: data }];
  for (let depth = 1; depth < docxLimits.dataDepth; depth++) {
    level = level.flatMap(({ path, value }) => {
      const inner = Object.entries(value).filter((entry): entry is [string, object] => isNested(entry[1]));
      return inner.map(([key, child]) => ({ path: joinPath(path, key), value: child }));
    });
  }
  const [deep] = level.filter(({ value }) => Object.values(value).some(isNested));
  return deep?.path ?? 'data';
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
