import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../../shared/errors.ts';
import type { BodyLease } from './body-lease.ts';
import { invalidField } from './invalid-request.ts';
import { maxRefusedBytes } from './read-body.ts';

export const maxTemplateBytes = 10 * 1024 * 1024;
const maxFormBytes = maxTemplateBytes + 256 * 1024;

export interface Upload {
  readonly name: string | undefined;
  readonly file: Buffer | undefined;
}

interface Form {
  readonly parser: InstanceType<typeof Busboy>;
  /** Only the first refusal counts. What still comes is no longer parsed. */
  refuse(error: AppError): void;
  refusal(): AppError | undefined;
  /** Throws the refusal, if there is one. */
  result(): Upload;
}

/**
 * Reads the parts `name` and `file` of a multipart/form-data body as it streams in, at most `maxTemplateBytes` of file.
 * Throws `invalid_request` for another type, a broken body, and anything over its limit.
 */
export async function readUpload(request: Request, lease: BodyLease): Promise<Upload> {
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new AppError(
      'invalid_request',
      'The Content-Type of this request must be multipart/form-data with a boundary',
    );
  }
  if (request.body === null) throw brokenBody();
  try {
    const form = startForm(type, lease);
    await pipeline(feed(request.body as AsyncIterable<Uint8Array>, form), form.parser);
    return form.result();
  } catch (error) {
    throw error instanceof AppError ? error : brokenBody(error);
  }
}

function startForm(type: string, lease: BodyLease): Form {
  let name: string | undefined;
  let file: Buffer | undefined;
  let refusal: AppError | undefined;
  const parser = new Busboy({
    headers: { 'content-type': type },
    // Room for a whole form: a part that the parser skips over its mark and that ends in one chunk is never finished.
    fileHwm: maxFormBytes,
    limits: {
      fileSize: maxTemplateBytes,
      files: 1,
      fields: 10,
      parts: 20,
      fieldNameSize: 100,
      fieldSize: 4_096,
      headerPairs: 20,
      headerSize: 8_192,
    },
  });
  const refuse = (error: AppError): void => {
    refusal ??= error;
  };
  parser.on('field', (field, value, _nameCut, isValueCut) => {
    if (field !== 'name') return;
    if (name !== undefined) refuse(invalidField('name', 'is given more than once'));
    else if (isValueCut) refuse(invalidField('name', 'is too long'));
    name = value;
  });
  parser.on('file', (field, stream) => {
    // A part cut off by the end of the body is told here too; the parser's own error is what refuses the form.
    stream.on('error', () => undefined);
    if (field !== 'file') {
      stream.resume();
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      try {
        lease.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error as AppError);
      }
    });
    stream.on('limit', () => refuse(fileTooLarge()));
    stream.on('end', () => {
      file = Buffer.concat(chunks);
    });
  });
  parser.on('filesLimit', () => refuse(invalidField('file', 'more than one file is given')));
  parser.on('fieldsLimit', () => refuse(new AppError('invalid_request', 'The form has too many fields')));
  parser.on('partsLimit', () => refuse(new AppError('invalid_request', 'The form has too many parts')));
  const result = (): Upload => {
    if (refusal !== undefined) throw refusal;
    return { name, file };
  };
  return { parser, refuse, refusal: () => refusal, result };
}

/**
 * The whole form, whatever its parts are called; its headers and fields are small beside the file. A refused one is read
 * on and dropped: a client that is cut off while it sends does not see the answer.
 */
async function* feed(body: AsyncIterable<Uint8Array>, form: Form): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxFormBytes) form.refuse(fileTooLarge());
    if (sizeBytes > maxRefusedBytes) break;
    if (form.refusal() === undefined) yield chunk;
  }
  const refusal = form.refusal();
  if (refusal !== undefined) throw refusal;
}

function fileTooLarge(): AppError {
  return invalidField('file', 'is larger than 10 MB');
}

function brokenBody(cause?: unknown): AppError {
  return new AppError('invalid_request', 'The multipart/form-data body is broken or cut off', { cause });
}
