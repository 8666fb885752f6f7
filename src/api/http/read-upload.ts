import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../../shared/errors.ts';
import type { BodyLease } from './body-lease.ts';
import { invalidField } from './invalid-request.ts';
import { maxRefusedBytes } from './read-body.ts';

export const maxTemplateBytes = 10 * 1024 * 1024;
const maxNameBytes = 4_096;
const roomForHeadsBytes = 256 * 1024;

export interface Upload {
  readonly name: string | undefined;
  readonly file: Buffer | undefined;
  readonly sampleData?: Buffer;
}

/** The largest size of each part. A form whose `sampleBytes` is 0 has no part of that name. */
export interface UploadLimits {
  readonly fileBytes: number;
  readonly sampleBytes: number;
}

type FileField = 'file' | 'sampleData';

interface Form {
  readonly parser: InstanceType<typeof Busboy>;
  readonly maxBytes: number;
  /** Only the first refusal counts. What still comes is no longer parsed. */
  refuse(error: AppError): void;
  refusal(): AppError | undefined;
  /** Throws the refusal, if there is one. */
  result(): Upload;
}

/**
 * Reads the parts `name`, `file` and `sampleData` of a multipart/form-data body as it streams in. Sample data may come as
 * a field or as a file. Throws `invalid_request` for another type, a broken body, and anything over its limit.
 */
export async function readUpload(
  request: Request,
  lease: BodyLease,
  limits: UploadLimits = { fileBytes: maxTemplateBytes, sampleBytes: 0 },
): Promise<Upload> {
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new AppError(
      'invalid_request',
      'The Content-Type of this request must be multipart/form-data with a boundary',
    );
  }
  if (request.body === null) throw brokenBody();
  try {
    const form = startForm(type, limits);
    await pipeline(feed(request.body as AsyncIterable<Uint8Array>, form, lease, limits), form.parser);
    return form.result();
  } catch (error) {
    throw error instanceof AppError ? error : brokenBody(error);
  }
}

function startForm(type: string, limits: UploadLimits): Form {
  const maxBytes = limits.fileBytes + limits.sampleBytes + roomForHeadsBytes;
  const parser = createParser(type, limits, maxBytes);
  const parts: { name?: string; file?: Buffer; sampleData?: Buffer } = {};
  let refusal: AppError | undefined;
  const refuse = (error: AppError): void => {
    refusal ??= error;
  };
  const seen = new Set<FileField>();
  const isWanted = (field: string): field is FileField => {
    if (field !== 'file' && (field !== 'sampleData' || limits.sampleBytes === 0)) return false;
    if (seen.has(field)) refuse(field === 'file' ? secondFile() : invalidField(field, 'is given more than once'));
    return seen.size < seen.add(field).size;
  };
  parser.on('field', (field, value, _nameCut, isValueCut) => {
    if (field === 'name') {
      if (parts.name !== undefined) refuse(invalidField('name', 'is given more than once'));
      else if (isValueCut || value.length > maxNameBytes) refuse(invalidField('name', 'is too long'));
      parts.name = value;
    } else if (field === 'sampleData' && isWanted(field)) {
      parts.sampleData = Buffer.from(value);
      if (isValueCut || parts.sampleData.length > limits.sampleBytes) refuse(tooLarge(field, limits));
    }
  });
  parser.on('file', (field, stream) => {
    // A part cut off by the end of the body is told here too; the parser's own error is what refuses the form.
    stream.on('error', () => undefined);
    if (!isWanted(field)) {
      stream.resume();
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => refuse(tooLarge(field, limits)));
    stream.on('end', () => {
      parts[field] = Buffer.concat(chunks);
    });
  });
  parser.on('filesLimit', () => refuse(secondFile()));
  parser.on('fieldsLimit', () => refuse(new AppError('invalid_request', 'The form has too many fields')));
  parser.on('partsLimit', () => refuse(new AppError('invalid_request', 'The form has too many parts')));
  const result = (): Upload => {
    if (refusal !== undefined) throw refusal;
    return { name: undefined, file: undefined, ...parts };
  };
  return { parser, maxBytes, refuse, refusal: () => refusal, result };
}

function createParser(type: string, { fileBytes, sampleBytes }: UploadLimits, maxFormBytes: number) {
  return new Busboy({
    headers: { 'content-type': type },
    // Room for a whole form: a part that the parser skips over its mark and that ends in one chunk is never finished.
    fileHwm: maxFormBytes,
    limits: {
      fileSize: Math.max(fileBytes, sampleBytes),
      files: sampleBytes > 0 ? 2 : 1,
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
 * The whole form, whatever its parts are called; its headers and fields are small beside the file. A refused one is read
 * on and dropped: a client that is cut off while it sends does not see the answer.
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
    if (sizeBytes > form.maxBytes) form.refuse(tooLarge('file', limits));
    if (sizeBytes > maxRefusedBytes) break;
    if (form.refusal() === undefined) lend(chunk.byteLength, form, lease);
    if (form.refusal() === undefined) yield chunk;
  }
  const refusal = form.refusal();
  if (refusal !== undefined) throw refusal;
}

function lend(bytes: number, form: Form, lease: BodyLease): void {
  try {
    lease.take(bytes);
  } catch (error) {
    form.refuse(error as AppError);
  }
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
