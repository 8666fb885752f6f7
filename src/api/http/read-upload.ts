import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../../shared/errors.ts';
import { invalidField } from './parse-request.ts';
import { type BodyLease, maxDiscardedBytes } from './read-body.ts';

export const maxTemplateBytes = 10 * 1024 * 1024;
const maxTextBytes = 4_096;
const partHeadersBytes = 256 * 1024;
const maxFiles = 4;

const textFields = ['name', 'delimiters', 'unlikelyTags', 'kind'] as const;
type TextField = (typeof textFields)[number];

type JsonField = 'sampleData' | 'request' | 'schema' | 'invoiceMap';

export interface Upload
  extends Readonly<Partial<Record<TextField, string>>>,
    Readonly<Partial<Record<JsonField, Buffer>>> {
  readonly file: Buffer | undefined;
}

export interface UploadRequest {
  readonly type: string | undefined;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The maximum size of each part. */
export interface UploadLimits {
  readonly fileBytes: number;
  /** The JSON parts that the form may have in addition to the file. */
  readonly json?: Readonly<Partial<Record<JsonField, number>>>;
}

type FileField = 'file' | JsonField;

interface Form {
  readonly parser: InstanceType<typeof Busboy>;
  readonly maxBytes: number;
  /** Rejects the form with the first error; the rest is not parsed. */
  reject(error: AppError): void;
  error(): AppError | undefined;
  /** Throws the error, if there is one. */
  result(): Upload;
}

/**
 * Reads the `file` part, the text fields and the JSON parts of a multipart/form-data body as it streams in. The file
 * needs no `filename` (RFC 7578, 4.2), and JSON may be a field or a file. Throws `invalid_request` for another type, a
 * malformed body, and a part that exceeds its limit.
 */
export async function readUpload(
  request: UploadRequest,
  lease: BodyLease,
  limits: UploadLimits = { fileBytes: maxTemplateBytes },
): Promise<Upload> {
  const type = request.type ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new AppError(
      'invalid_request',
      'The Content-Type of this request must be multipart/form-data with a boundary',
    );
  }
  if (request.body === null) throw brokenBody();
  try {
    const form = startForm(type, limits);
    await pipeline(feed(request.body, form, lease, limits), form.parser);
    return form.result();
  } catch (error) {
    throw error instanceof AppError ? error : brokenBody(error);
  }
}

function startForm(type: string, limits: UploadLimits): Form {
  const maxBytes = limits.fileBytes + sum(jsonSizes(limits)) + partHeadersBytes;
  const parser = createParser(type, limits, maxBytes);
  const parts: Partial<Record<TextField, string>> & Partial<Record<FileField, Buffer>> = {};
  let firstError: AppError | undefined;
  const reject = (error: AppError): void => {
    firstError ??= error;
  };
  const seen = new Set<FileField>();
  /** True for the first part of an expected field. */
  const isAccepted = (field: string): field is FileField => {
    if (field !== 'file' && !isJsonField(field, limits)) return false;
    const isRepeated = seen.has(field);
    if (isRepeated) reject(field === 'file' ? secondFile() : invalidField(field, 'is given more than once'));
    seen.add(field);
    return !isRepeated;
  };
  parser.on('field', (field, value, _nameCut, isValueCut) => {
    if (isTextField(field)) {
      if (parts[field] !== undefined) reject(invalidField(field, 'is given more than once'));
      else if (isValueCut || value.length > maxTextBytes) reject(invalidField(field, 'is too long'));
      parts[field] = value;
    } else if (field !== 'file' && isAccepted(field)) {
      const bytes = Buffer.from(value);
      parts[field] = bytes;
      if (isValueCut || bytes.length > sizeLimit(field, limits)) reject(tooLarge(field, limits));
    }
  });
  parser.on('file', (field, stream) => {
    // Also emitted for a part that the end of the body cuts off; the parser's own error rejects the form.
    stream.on('error', () => undefined);
    if (isTextField(field))
      reject(invalidField(field, 'is sent as a file. Send it as a text field, without a filename'));
    if (!isAccepted(field)) {
      stream.resume();
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => reject(tooLarge(field, limits)));
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks);
      if (bytes.length > sizeLimit(field, limits)) reject(tooLarge(field, limits));
      parts[field] = bytes;
    });
  });
  parser.on('filesLimit', () => reject(new AppError('invalid_request', 'The form has too many files')));
  parser.on('fieldsLimit', () => reject(new AppError('invalid_request', 'The form has too many fields')));
  parser.on('partsLimit', () => reject(new AppError('invalid_request', 'The form has too many parts')));
  const result = (): Upload => {
    if (firstError !== undefined) throw firstError;
    return { file: undefined, ...parts };
  };
  return { parser, maxBytes, reject, error: () => firstError, result };
}

const isTextField = (field: string): field is TextField => textFields.some((known) => known === field);

const octetStream = 'application/octet-stream';

function createParser(type: string, limits: UploadLimits, maxFormBytes: number) {
  const { fileBytes } = limits;
  const largestJson = Math.max(0, ...jsonSizes(limits));
  return new Busboy({
    headers: { 'content-type': type },
    // The size of a whole form: the parser never finishes a skipped part that exceeds the high-water mark and ends in
    // one chunk.
    fileHwm: maxFormBytes,
    isPartAFile: (field, type, fileName) =>
      field === 'file' || fileName !== undefined || (!isTextField(field ?? '') && type === octetStream),
    limits: {
      fileSize: Math.max(fileBytes, largestJson),
      files: maxFiles,
      fields: 10,
      parts: 20,
      fieldNameSize: 100,
      fieldSize: Math.max(maxTextBytes, largestJson),
      headerPairs: 20,
      headerSize: 8_192,
    },
  });
}

/**
 * Limits the size of the form. The rest of a rejected form is read and discarded, so that the client can read the
 * response.
 */
async function* feed(
  body: AsyncIterable<Uint8Array>,
  form: Form,
  lease: BodyLease,
  limits: UploadLimits,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > form.maxBytes) form.reject(tooLarge('file', limits));
    if (sizeBytes > maxDiscardedBytes) break;
    if (form.error() === undefined) countMemory(chunk.byteLength, form, lease);
    if (form.error() === undefined) yield chunk;
  }
  const error = form.error();
  if (error !== undefined) throw error;
}

function countMemory(bytes: number, form: Form, lease: BodyLease): void {
  try {
    lease.take(bytes);
  } catch (error) {
    form.reject(error as AppError);
  }
}

/** The file of a form; throws `invalid_request` when it is missing or empty. */
export function requireFile(file: Buffer | undefined): Buffer {
  if (file === undefined) throw invalidField('file', 'is missing');
  if (file.length === 0) throw invalidField('file', 'is empty');
  return file;
}

const isJsonField = (field: string, { json = {} }: UploadLimits): field is JsonField => Object.hasOwn(json, field);
const jsonSizes = ({ json = {} }: UploadLimits): readonly number[] => Object.values(json);
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

function sizeLimit(field: FileField, { fileBytes, json = {} }: UploadLimits): number {
  return field === 'file' ? fileBytes : (json[field] ?? 0);
}

function tooLarge(field: FileField, limits: UploadLimits): AppError {
  const kilobytes = sizeLimit(field, limits) / 1024;
  return invalidField(field, `is larger than ${kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`}`);
}

function secondFile(): AppError {
  return invalidField('file', 'more than one file is given');
}

function brokenBody(cause?: unknown): AppError {
  return new AppError('invalid_request', 'The multipart/form-data body is broken or cut off', { cause });
}
