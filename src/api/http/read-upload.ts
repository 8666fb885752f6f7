import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../../shared/errors.ts';
import { invalidField } from './parse-request.ts';
import { type BodyLease, maxDiscardedBytes } from './read-body.ts';

export const maxTemplateBytes = 10 * 1024 * 1024;
const maxNameBytes = 4_096;
const partHeadersBytes = 256 * 1024;
const maxFiles = 4;

export interface Upload {
  readonly name: string | undefined;
  readonly file: Buffer | undefined;
  readonly sampleData?: Buffer;
}

export interface UploadRequest {
  readonly type: string | undefined;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The maximum size of each part. With `sampleBytes` 0 the form has no part `sampleData`. */
export interface UploadLimits {
  readonly fileBytes: number;
  readonly sampleBytes: number;
}

type FileField = 'file' | 'sampleData';

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
 * Reads the parts `name`, `file` and `sampleData` of a multipart/form-data body as it streams in. The file needs no
 * `filename` (RFC 7578, 4.2), and sample data may come as a field or as a file. Throws `invalid_request` for another type, a malformed body, and a part that exceeds its
 * limit.
 */
export async function readUpload(
  request: UploadRequest,
  lease: BodyLease,
  limits: UploadLimits = { fileBytes: maxTemplateBytes, sampleBytes: 0 },
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
  const maxBytes = limits.fileBytes + limits.sampleBytes + partHeadersBytes;
  const parser = createParser(type, limits, maxBytes);
  const parts: { name?: string; file?: Buffer; sampleData?: Buffer } = {};
  let firstError: AppError | undefined;
  const reject = (error: AppError): void => {
    firstError ??= error;
  };
  const seen = new Set<FileField>();
  /** True for the first part of an expected field. */
  const isAccepted = (field: string): field is FileField => {
    if (field !== 'file' && (field !== 'sampleData' || limits.sampleBytes === 0)) return false;
    const isRepeated = seen.has(field);
    if (isRepeated) reject(field === 'file' ? secondFile() : invalidField(field, 'is given more than once'));
    seen.add(field);
    return !isRepeated;
  };
  parser.on('field', (field, value, _nameCut, isValueCut) => {
    if (field === 'name') {
      if (parts.name !== undefined) reject(invalidField('name', 'is given more than once'));
      else if (isValueCut || value.length > maxNameBytes) reject(invalidField('name', 'is too long'));
      parts.name = value;
    } else if (field === 'sampleData' && isAccepted(field)) {
      parts.sampleData = Buffer.from(value);
      if (isValueCut || parts.sampleData.length > limits.sampleBytes) reject(tooLarge(field, limits));
    }
  });
  parser.on('file', (field, stream) => {
    // Also emitted for a part that the end of the body cuts off; the parser's own error rejects the form.
    stream.on('error', () => undefined);
    if (field === 'name')
      reject(invalidField('name', 'is sent as a file. Send it as a text field, without a filename'));
    if (!isAccepted(field)) {
      stream.resume();
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => reject(tooLarge(field, limits)));
    stream.on('end', () => {
      parts[field] = Buffer.concat(chunks);
    });
  });
  parser.on('filesLimit', () => reject(new AppError('invalid_request', 'The form has too many files')));
  parser.on('fieldsLimit', () => reject(new AppError('invalid_request', 'The form has too many fields')));
  parser.on('partsLimit', () => reject(new AppError('invalid_request', 'The form has too many parts')));
  const result = (): Upload => {
    if (firstError !== undefined) throw firstError;
    return { name: undefined, file: undefined, ...parts };
  };
  return { parser, maxBytes, reject, error: () => firstError, result };
}

const octetStream = 'application/octet-stream';

function createParser(type: string, { fileBytes, sampleBytes }: UploadLimits, maxFormBytes: number) {
  return new Busboy({
    headers: { 'content-type': type },
    // The size of a whole form: the parser never finishes a skipped part that exceeds the high-water mark and ends in
    // one chunk.
    fileHwm: maxFormBytes,
    isPartAFile: (field, type, fileName) =>
      field === 'file' || fileName !== undefined || (field !== 'name' && type === octetStream),
    limits: {
      fileSize: Math.max(fileBytes, sampleBytes),
      files: maxFiles,
      fields: 10,
      parts: 20,
      fieldNameSize: 100,
      fieldSize: Math.max(maxNameBytes, sampleBytes),
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

function tooLarge(field: FileField, { fileBytes, sampleBytes }: UploadLimits): AppError {
  const maxBytes = field === 'file' ? fileBytes : sampleBytes;
  return invalidField(field, `is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
}

function secondFile(): AppError {
  return invalidField('file', 'more than one file is given');
}

function brokenBody(cause?: unknown): AppError {
  return new AppError('invalid_request', 'The multipart/form-data body is broken or cut off', { cause });
}
