import { type Client, S3Error } from 'minio';
import { AppError } from '../errors.ts';

/** S3 accepts up to 10,000 parts of at least 5 MiB: 80 GB with parts of this size. */
const partBytes = 8 * 1024 * 1024;

export interface MultipartTarget {
  readonly bucket: string;
  readonly key: string;
  readonly contentType: string;
  /** Runs one request with a separate client, and retries transient errors. */
  readonly attempt: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
  /** Like `attempt`, for the request that completes the upload. */
  readonly assemble: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
}

type Part = { readonly part: number; readonly etag: string };

/**
 * Uploads a stream of unknown length part by part, with one part in memory. The object appears only when it is
 * complete. If the stream fails, the upload is aborted and the error rethrown.
 */
export async function uploadParts(target: MultipartTarget, stream: AsyncIterable<Uint8Array>): Promise<number> {
  const { bucket, key, contentType, attempt } = target;
  const parts: Part[] = [];
  let sizeBytes = 0;
  let uploadId: string | undefined;
  try {
    for await (const { bytes, isLast } of toParts(stream)) {
      sizeBytes += bytes.length;
      if (isLast && uploadId === undefined) {
        await attempt((client) => client.putObject(bucket, key, bytes, bytes.length, { 'Content-Type': contentType }));
        return sizeBytes;
      }
      const id =
        uploadId ??
        (await attempt((client) => client.initiateNewMultipartUpload(bucket, key, { 'content-type': contentType })));
      uploadId = id;
      parts.push(await attempt((client) => sendPart(client, target, id, parts.length + 1, bytes)));
    }
    const id = uploadId;
    if (id === undefined) throw new Error('a stream has at least one part');
    await target.assemble((client) => complete(client, target, id, parts, sizeBytes));
    return sizeBytes;
  } catch (error) {
    const id = uploadId;
    if (id !== undefined)
      await attempt((client) => client.abortMultipartUpload(bucket, key, id)).catch(() => undefined);
    throw error;
  }
}

async function sendPart(
  client: Client,
  { bucket, key }: MultipartTarget,
  uploadId: string,
  part: number,
  bytes: Buffer,
): Promise<Part> {
  const headers = { 'content-length': String(bytes.length) };
  const sent = await client.uploadPart(
    { bucketName: bucket, objectName: key, uploadID: uploadId, partNumber: part, headers },
    bytes,
  );
  if (sent.etag === '')
    throw new AppError('unavailable', 'The file store did not confirm a part of the file. Try again shortly.');
  return { part, etag: sent.etag };
}

/** If the response to an earlier attempt was lost, the upload no longer exists but the object does. */
async function complete(
  client: Client,
  { bucket, key }: MultipartTarget,
  uploadId: string,
  parts: Part[],
  sizeBytes: number,
): Promise<void> {
  try {
    await client.completeMultipartUpload(bucket, key, uploadId, parts);
  } catch (error) {
    const isGone = error instanceof S3Error && error.code === 'NoSuchUpload';
    if (!isGone || (await client.statObject(bucket, key)).size !== sizeBytes) throw error;
  }
}

/** Splits a stream into buffers of `partBytes`. The last one may be shorter, and is empty only if the stream is. */
async function* toParts(stream: AsyncIterable<Uint8Array>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let part = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length; ) {
      if (filled === partBytes) {
        yield { bytes: part, isLast: false };
        part = Buffer.allocUnsafe(partBytes);
        filled = 0;
      }
      const taken = chunk.subarray(from, from + partBytes - filled);
      part.set(taken, filled);
      filled += taken.length;
      from += taken.length;
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
}
