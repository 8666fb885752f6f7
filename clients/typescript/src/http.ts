import type { CallOptions, Connection, Query, RequestBody, RequestInput } from './send-request.ts';
import { sendRequest } from './send-request.ts';

/**
 * The bytes of a file: in Node.js `await readFile(path)` or `await openAsBlob(path)`, in a page the File of an input.
 */
export type FileInput = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer;

export type Input = Omit<RequestInput, 'method' | 'path'>;

/** The calls that all resources are built on. */
export interface Http {
  readonly json: <T>(method: string, path: string, input?: Input) => Promise<T>;
  readonly empty: (method: string, path: string, input?: Input) => Promise<void>;
  readonly open: (
    method: string,
    path: string,
    input?: Input,
  ) => Promise<{ response: Response; idempotencyKey: string | undefined }>;
  /** A response whose headers matter; reading it is part of the attempt. */
  readonly read: <T>(
    method: string,
    path: string,
    input: Input,
    read: (response: Response) => Promise<T>,
  ) => Promise<T>;
  /** A whole file: reading it is part of the attempt. */
  readonly bytes: (method: string, path: string, input?: Input) => Promise<Uint8Array<ArrayBuffer>>;
  readonly pages: <T>(path: string, query?: Query, options?: CallOptions) => Pages<T>;
}

/** A list that is loaded page by page: `for await (const one of list)`. */
export interface Pages<T> extends AsyncIterable<T> {
  /** All entries; loads every page. */
  readonly all: () => Promise<T[]>;
}

export function createHttp(connection: Connection): Http {
  const json = <T>(method: string, path: string, input: Input = {}): Promise<T> =>
    sendRequest(connection, { ...input, method, path }, async (response) => (await response.json()) as T);
  return {
    json,
    empty: (method, path, input = {}) =>
      sendRequest(connection, { ...input, method, path }, async (response) => {
        await response.body?.cancel();
      }),
    open: (method, path, input = {}) =>
      sendRequest(connection, { ...input, method, path }, async (response, idempotencyKey) => ({
        response,
        idempotencyKey,
      })),
    read: (method, path, input, read) => sendRequest(connection, { ...input, method, path }, read),
    bytes: (method, path, input = {}) =>
      sendRequest(connection, { ...input, method, path }, async (r) => new Uint8Array(await r.arrayBuffer())),
    pages<T>(path: string, query: Query = {}, options: CallOptions = {}): Pages<T> {
      async function* entries(): AsyncGenerator<T> {
        for (let next: Query | undefined = query; next !== undefined; ) {
          const input: RequestInput = { ...options, method: 'GET', path, query: next };
          const page: Page<T> = await sendRequest(connection, input, readPage<T>);
          yield* page.entries;
          next = page.next;
        }
      }
      return {
        [Symbol.asyncIterator]: entries,
        async all() {
          const found: T[] = [];
          for await (const entry of entries()) found.push(entry);
          return found;
        },
      };
    },
  };
}

interface Page<T> {
  readonly entries: readonly T[];
  readonly next: Query | undefined;
}

/** Uses only the query of the next address, so that the key is never sent anywhere but to the service. */
async function readPage<T>(response: Response): Promise<Page<T>> {
  const address = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  const next = address === undefined ? undefined : new URL(address, 'http://localhost').searchParams;
  return { entries: (await response.json()) as T[], next: next && Object.fromEntries(next) };
}

/** Builds a path from constant parts and encoded values; a slash in an id is encoded. */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}

export function jsonBody(value: unknown): RequestBody {
  const text = JSON.stringify(value);
  return { contentType: 'application/json', open: () => ({ body: text }) };
}

export function formBody(fields: Readonly<Record<string, string | FileInput | undefined>>): RequestBody {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else if (value instanceof Blob) form.append(name, value, 'file');
    else if (value !== undefined) form.append(name, new Blob([value]), 'file');
  }
  return { open: () => ({ body: form }) };
}
