import { DocmillError } from './errors.ts';
import type { components } from './generated-api.ts';
import type { Http, Input } from './http.ts';
import { path } from './http.ts';

type Warning = components['schemas']['DocumentWarning'];

/**
 * A produced document. Read it once, with `bytes()` or from `stream`. An unread document keeps its connection open
 * until `stream.cancel()`.
 */
export interface Document {
  /** Its job is `docmill.jobs.get(id)`. */
  readonly id: string;
  readonly contentType: string;
  /** From `output.filename`, or derived from the template's name; empty if the service sends none. */
  readonly filename: string;
  /** In milliseconds, by step: `queue`, `render`, `convert`, `total`. */
  readonly timings: Readonly<Record<string, number>>;
  readonly warningCount: number;
  readonly emailDeliveryId: string | undefined;
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The bytes as they arrive. If the connection ends early, the stream fails and the request is not retried. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The whole file. If the connection ends early, the request is retried with the same key, at no extra charge. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** How the document differs from the request. Reads the job if there are any warnings. */
  readonly warnings: () => Promise<readonly Warning[]>;
}

/** Requests a document; returns as soon as its first bytes arrive. */
export async function openDocument(http: Http, address: string, input: Input): Promise<Document> {
  const { response, idempotencyKey } = await http.open('POST', address, input);
  const { headers } = response;
  const id = headers.get('Document-Id') ?? '';
  const warningCount = Number(headers.get('Warnings') ?? 0);
  return {
    id,
    contentType: headers.get('Content-Type') ?? '',
    filename: parseFilename(headers.get('Content-Disposition') ?? ''),
    timings: parseTimings(headers.get('Server-Timing') ?? ''),
    warningCount,
    emailDeliveryId: headers.get('Email-Delivery-Id') ?? undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
    idempotencyKey,
    stream: response.body ?? new ReadableStream(),
    async bytes() {
      if (response.bodyUsed) throw new DocmillError('The document has been read already: keep its bytes');
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (error) {
        input.signal?.throwIfAborted();
        if (idempotencyKey === undefined) throw error;
        return http.bytes('POST', address, { ...input, idempotencyKey });
      }
    },
    async warnings() {
      if (warningCount === 0) return [];
      return (await http.json<components['schemas']['Job']>('GET', path`/v1/jobs/${id}`)).warnings;
    },
  };
}

/** `queue;dur=1.5, render;dur=20` (Server Timing). */
function parseTimings(header: string): Record<string, number> {
  const found = header.matchAll(/([A-Za-z]+);dur=([\d.]+)/g);
  return Object.fromEntries(Array.from(found, ([, name = '', duration]) => [name, Number(duration)]));
}

/** The file name of an attachment (RFC 6266). Prefers the extended one (RFC 8187), which has all characters. */
function parseFilename(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // The extended name is malformed, so the plain name is used.
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? '';
}
