import { type Client, S3Error } from 'minio';

const windowBytes = 4 * 1024 * 1024;

export interface ObjectRange {
  readonly bucket: string;
  readonly key: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

export interface StreamSource {
  readonly bucket: string;
  readonly key: string;
  readonly offset: number;
  /** Runs one request with a separate client, and retries transient errors. */
  readonly attempt: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound');

/** A complete range of an object, or undefined if the object does not exist. */
export async function fetchRange(client: Client, range: ObjectRange): Promise<Buffer | undefined> {
  const { bucket, key, offset, sizeBytes } = range;
  if (sizeBytes === 0) return Buffer.alloc(0);
  try {
    const bytes = await collect(await client.getPartialObject(bucket, key, offset, sizeBytes));
    if (bytes.length !== sizeBytes) throw new Error(`received ${bytes.length} of ${sizeBytes} bytes of ${key}`);
    return bytes;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Reads an object in windows of one request each, so a slow reader holds no connection and a failed window is retried.
 * At most two windows are in memory.
 */
export async function openStream(source: StreamSource): Promise<AsyncIterable<Buffer> | undefined> {
  const { bucket, key, offset, attempt } = source;
  const sizeBytes = await attempt(async (client) => {
    try {
      return (await client.statObject(bucket, key)).size;
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The response to HEAD has no body to distinguish a missing bucket from a missing object.
      if (await client.bucketExists(bucket)) return undefined;
      throw Object.assign(new S3Error('The bucket does not exist'), { code: 'NoSuchBucket', cause: error });
    }
  });
  return sizeBytes === undefined ? undefined : readWindows(source, offset, sizeBytes);
}

async function* readWindows(source: StreamSource, from: number, endBytes: number): AsyncGenerator<Buffer> {
  const { bucket, key, attempt } = source;
  const request = (offset: number) => {
    const sizeBytes = Math.min(windowBytes, endBytes - offset);
    const window = attempt((client) => fetchRange(client, { bucket, key, offset, sizeBytes }));
    window.catch(() => undefined);
    return window;
  };
  let next = from < endBytes ? request(from) : undefined;
  for (let offset = from; next !== undefined; ) {
    const bytes = await next;
    if (bytes === undefined) throw new Error(`${key} was removed while it was read`);
    offset += bytes.length;
    next = offset < endBytes ? request(offset) : undefined;
    yield bytes;
  }
}

async function collect(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
