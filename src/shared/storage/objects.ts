import { hash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Client, type ClientOptions, S3Error } from 'minio';
import { CredentialProvider } from 'minio/dist/esm/CredentialProvider.mjs';
import { isTlsCode } from '../connection-errors.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Attempt, createTransport, retryTransient, withinMs } from './attempts.ts';
import { createFaultLog, type FaultLog } from './configuration-faults.ts';
import { fetchRange, openStream } from './read-parts.ts';
import type { RoleCredentials } from './role-credentials.ts';
import { uploadParts } from './upload-parts.ts';

export interface ObjectStoreOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Either both keys or `role`. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly role?: RoleCredentials | undefined;
  /** PEM authorities to trust for `https://`, instead of the public ones. */
  readonly ca?: string | undefined;
  /** Receives errors that only the operator can fix. */
  readonly logger?: Logger | undefined;
  /** The time limit of each call, including all its attempts. A connection idle for a third of it is aborted. */
  readonly timeoutMs: number;
}

export interface StoredObject {
  readonly key: string;
  readonly modifiedAt: Date;
}

/**
 * Files in an S3-compatible store. Calls are retried within their time limit. An outage becomes the `unavailable`
 * error.
 */
export interface ObjectStore {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Writes an object unless it already exists. A store without conditional writes replaces it. */
  putIfAbsent(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * The object's bytes, or undefined if it does not exist. Reads again if they do not match `checksum` (SHA-256, hex).
   */
  get(key: string, checksum: string): Promise<Buffer | undefined>;
  /**
   * Writes a stream of unknown length with bounded memory and returns its size in bytes. The object appears when the
   * stream has ended. If the stream fails, nothing is stored and the error is rethrown.
   */
  putStream(key: string, stream: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  /** `sizeBytes` bytes from `offset`, or undefined if the object does not exist. The caller verifies the content. */
  getRange(key: string, offset: number, sizeBytes: number): Promise<Buffer | undefined>;
  /**
   * The object's bytes from `offset` as a stream, or undefined if it does not exist. Resumes after connection errors.
   * The caller verifies the content.
   */
  getStream(key: string, offset?: number): Promise<AsyncIterable<Buffer> | undefined>;
  remove(keys: readonly string[]): Promise<void>;
  /** The objects whose key starts with `prefix` and sorts after `after`, in key order, in pages. */
  list(prefix: string, after?: string): AsyncIterable<readonly StoredObject[]>;
  /** Creates the bucket if it is missing. */
  prepare(): Promise<void>;
  isReachable(): Promise<boolean>;
  /** True if the bucket is versioned, so that removed objects remain in it. Undefined if the store does not say. */
  hasVersions(): Promise<boolean | undefined>;
  close(): void;
}

const pageSize = 500;
/** Stores may take minutes to assemble a large object from its parts, without sending any data. */
const assemblyMs = 300_000;

class ChecksumMismatch extends Error {}

type Retried = <T>(limitMs: number, work: (client: Client) => Promise<T>, idleTimeoutMs?: number) => Promise<T>;

export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const endpoint = new URL(options.endpoint);
  const isSecure = endpoint.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 64 };
  const agent = isSecure ? new HttpsAgent({ ...agentOptions, ca: options.ca }) : new HttpAgent(agentOptions);
  const { bucket, region, timeoutMs } = options;
  const clientOptions = {
    endPoint: endpoint.hostname,
    port: endpoint.port === '' ? (isSecure ? 443 : 80) : Number(endpoint.port),
    useSSL: isSecure,
    region,
    ...credentialsOf(options),
    pathStyle: true,
    transportAgent: agent,
    retryOptions: { disableRetry: true },
  };
  const clientOf = ({ signal, idleTimeoutMs = timeoutMs / 3 }: Partial<Attempt>): Client =>
    new Client({ ...clientOptions, transport: createTransport(isSecure, idleTimeoutMs, signal) });
  const logFault = createFaultLog(options.logger);
  const retried: Retried = async (limitMs, work, idleTimeoutMs) => {
    try {
      return await retryTransient(
        limitMs,
        (error) => isTransient(error) || isReplaced(error, options.role),
        (attempt) => work(clientOf(attempt)),
        idleTimeoutMs,
      );
    } catch (error) {
      logFault(error);
      throw toPublic(error);
    }
  };
  const put = (key: string, bytes: Uint8Array, headers: Readonly<Record<string, string>>) =>
    retried(timeoutMs, async (client) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await client.putObject(bucket, key, buffer, buffer.length, headers);
    });
  return {
    put: (key, bytes, contentType) => put(key, bytes, { 'Content-Type': contentType }),
    async putIfAbsent(key, bytes, contentType) {
      try {
        await put(key, bytes, { 'Content-Type': contentType, 'If-None-Match': '*' });
      } catch (error) {
        const cause = error instanceof AppError ? error.cause : undefined;
        const code = cause instanceof S3Error ? cause.code : undefined;
        // Another process is writing the object too (Amazon S3 API, "PutObject").
        if (code === 'PreconditionFailed' || code === 'ConditionalRequestConflict') return;
        if (code === undefined || !unsupportedCodes.has(code)) throw error;
        await put(key, bytes, { 'Content-Type': contentType });
      }
    },
    get: (key, checksum) => retried(timeoutMs, (client) => read(client, bucket, key, checksum)),
    putStream: (key, stream, contentType) =>
      uploadParts(
        {
          bucket,
          key,
          contentType,
          attempt: (work) => retried(timeoutMs, work),
          assemble: (work) => retried(Math.max(timeoutMs, assemblyMs), work, assemblyMs),
        },
        stream,
      ),
    getRange: (key, offset, sizeBytes) =>
      retried(timeoutMs, (client) => fetchRange(client, { bucket, key, offset, sizeBytes })),
    getStream: (key, offset = 0) => openStream({ bucket, key, offset, attempt: (work) => retried(timeoutMs, work) }),
    async remove(keys) {
      for (const key of keys) await retried(timeoutMs, (client) => client.removeObject(bucket, key));
    },
    list: (prefix, after = '') => listPages(clientOf({}), { bucket, prefix, after, logFault }),
    prepare: () =>
      retried(timeoutMs, async (client) => {
        if (!(await client.bucketExists(bucket))) await makeBucket(client, bucket, region);
      }),
    isReachable: () =>
      withinMs(Math.min(timeoutMs, 2_000), (attempt) => clientOf(attempt).bucketExists(bucket)).then(
        (exists) => exists,
        (error: unknown) => {
          logFault(error);
          return false;
        },
      ),
    hasVersions: () =>
      withinMs(timeoutMs, (attempt) => clientOf(attempt).getBucketVersioning(bucket)).then(
        (answer: unknown) => {
          if (answer === undefined) return undefined;
          // A bucket that never had versioning has no status. Suspended versioning still keeps old versions.
          const { Status: status } = answer as { readonly Status?: string };
          return status === 'Enabled' || status === 'Suspended';
        },
        // Not every store supports versioning, and a policy may forbid the request.
        () => undefined,
      ),
    close: () => agent.destroy(),
  };
}

/** The client calls the provider before each request, even within listings. */
function credentialsOf({ accessKeyId = '', secretAccessKey = '', role }: ObjectStoreOptions) {
  if (role === undefined) return { accessKey: accessKeyId, secretKey: secretAccessKey };
  // minio declares the class twice, for `import` and for `require`.
  const provider: unknown = new RoleProvider(role);
  return { credentialsProvider: provider as NonNullable<ClientOptions['credentialsProvider']> };
}

class RoleProvider extends CredentialProvider {
  readonly #role: RoleCredentials;

  constructor(role: RoleCredentials) {
    super({ accessKey: '', secretKey: '' });
    this.#role = role;
  }

  override async getCredentials() {
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#role.get();
    return await new CredentialProvider({
      accessKey: accessKeyId,
      secretKey: secretAccessKey,
      sessionToken,
    }).getCredentials();
  }
}

/** The store may treat credentials as expired that this machine's clock does not; the next attempt gets new ones. */
function isReplaced(error: unknown, role: RoleCredentials | undefined): boolean {
  if (role === undefined || !(error instanceof S3Error) || error.code !== 'ExpiredToken') return false;
  role.expire();
  return true;
}

async function read(client: Client, bucket: string, key: string, checksum: string): Promise<Buffer | undefined> {
  try {
    const stream = await client.getObject(bucket, key);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (hash('sha256', bytes, 'hex') !== checksum) throw new ChecksumMismatch(`${key} is damaged`);
    return bytes;
  } catch (error) {
    if (error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound')) return undefined;
    throw error;
  }
}

interface Listing {
  readonly bucket: string;
  readonly prefix: string;
  readonly after: string;
  readonly logFault: FaultLog;
}

async function* listPages(
  client: Client,
  { bucket, prefix, after, logFault }: Listing,
): AsyncGenerator<readonly StoredObject[]> {
  let page: StoredObject[] = [];
  try {
    for await (const item of client.listObjectsV2(bucket, prefix, true, after)) {
      const { name, lastModified } = item as { readonly name?: string; readonly lastModified?: Date };
      if (name !== undefined && lastModified !== undefined) page.push({ key: name, modifiedAt: lastModified });
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    logFault(error);
    throw toPublic(error);
  }
  if (page.length > 0) yield page;
}

const existingBucket = new Set(['BucketAlreadyExists', 'BucketAlreadyOwnedByYou']);

async function makeBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    if (!(error instanceof S3Error && existingBucket.has(error.code ?? ''))) throw error;
  }
}

/**
 * S3 codes for a temporary fault (Amazon S3 API, "List of error codes"; MinIO's own begin with X). A response without a
 * body has no code, unless its status implies one.
 */
const transientCodes = new Set([
  '',
  'Busy',
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'SlowDownRead',
  'SlowDownWrite',
  'Throttling',
  'ThrottlingException',
  'UnknownError',
  'XMinioServerNotInitialized',
]);

/**
 * Codes with which stores reject conditional writes that they do not support. A write rejected for another reason is
 * also rejected without the condition.
 */
const unsupportedCodes = new Set(['NotImplemented', 'InvalidArgument', 'InvalidRequest']);

/** False for errors that a retry cannot fix: bad credentials, a missing bucket, a malformed request, a wrong certificate. */
function isTransient(error: unknown): boolean {
  if (error instanceof S3Error) return transientCodes.has(error.code ?? '');
  return !(error instanceof Error && 'code' in error && isTlsCode(String(error.code)));
}

function toPublic(error: unknown): AppError {
  return new AppError('unavailable', 'The file store is temporarily unreachable. Try again shortly.', {
    cause: error,
    retryAfterSeconds: 2,
  });
}
