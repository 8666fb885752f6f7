import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, S3Error } from 'minio';
import { AppError } from '../errors.ts';

export interface ObjectStoreOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Bounds each attempt of each call. */
  readonly timeoutMs: number;
}

export interface StoredObject {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** Files in an S3-compatible store. Each call is tried up to four times; an outage becomes the `unavailable` error. */
export interface ObjectStore {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** The object's bytes, or undefined when there is none. Bytes that do not match `checksum` (SHA-256 hex) are read again. */
  get(key: string, checksum: string): Promise<Buffer | undefined>;
  remove(keys: readonly string[]): Promise<void>;
  /** The objects whose key starts with `prefix`, a page at a time. */
  list(prefix: string): AsyncIterable<readonly StoredObject[]>;
  /** Makes the bucket when it is missing. */
  prepare(): Promise<void>;
  isReachable(): Promise<boolean>;
  close(): void;
}

const attempts = 4;
const pageSize = 500;

class ChecksumMismatch extends Error {}

export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const endpoint = new URL(options.endpoint);
  const isSecure = endpoint.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 64, timeout: options.timeoutMs };
  const agent = isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const { bucket, region, timeoutMs } = options;
  const client = new Client({
    endPoint: endpoint.hostname,
    port: endpoint.port === '' ? (isSecure ? 443 : 80) : Number(endpoint.port),
    useSSL: isSecure,
    region,
    accessKey: options.accessKeyId,
    secretKey: options.secretAccessKey,
    pathStyle: true,
    transportAgent: agent,
    retryOptions: { disableRetry: true },
  });
  return {
    put: (key, bytes, contentType) =>
      retried(timeoutMs, async () => {
        const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        await client.putObject(bucket, key, buffer, buffer.length, { 'Content-Type': contentType });
      }),
    get: (key, checksum) => retried(timeoutMs, (signal) => read(client, bucket, key, checksum, signal)),
    remove: (keys) =>
      retried(timeoutMs, async () => {
        for (const key of keys) await client.removeObject(bucket, key);
      }),
    list: (prefix) => listPages(client, bucket, prefix),
    prepare: () =>
      retried(timeoutMs, async () => {
        if (!(await client.bucketExists(bucket))) await makeBucket(client, bucket, region);
      }),
    isReachable: () =>
      withinMs(Math.min(timeoutMs, 2_000), () => client.bucketExists(bucket)).then(
        (exists) => exists,
        () => false,
      ),
    close: () => agent.destroy(),
  };
}

async function read(
  client: Client,
  bucket: string,
  key: string,
  checksum: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const stream = await client.getObject(bucket, key);
    signal.addEventListener('abort', () => stream.destroy(new Error('the read took too long')), { once: true });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (createHash('sha256').update(bytes).digest('hex') !== checksum) throw new ChecksumMismatch(`${key} is damaged`);
    return bytes;
  } catch (error) {
    if (error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound')) return undefined;
    throw error;
  }
}

async function* listPages(client: Client, bucket: string, prefix: string): AsyncGenerator<readonly StoredObject[]> {
  let page: StoredObject[] = [];
  for await (const item of client.listObjectsV2(bucket, prefix, true)) {
    const { name, lastModified } = item as { readonly name?: string; readonly lastModified?: Date };
    if (name !== undefined && lastModified !== undefined) page.push({ key: name, modifiedAt: lastModified });
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function makeBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    if (!(error instanceof S3Error && /BucketAlready/.test(error.code ?? ''))) throw error;
  }
}

async function retried<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withinMs(timeoutMs, work);
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw toPublic(error);
      await delay(50 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

async function withinMs<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`object storage did not answer within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal that another try cannot change: bad credentials, a missing bucket, a malformed request. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof S3Error)) return true;
  return /SlowDown|Internal|ServiceUnavailable|RequestTimeout|Throttl|OperationAborted|Unknown|5\d\d/i.test(
    error.code ?? 'Unknown',
  );
}

function toPublic(error: unknown): AppError {
  return new AppError('unavailable', 'The file store is not reachable at the moment. Try again shortly.', {
    cause: error,
    retryAfterSeconds: 2,
  });
}
