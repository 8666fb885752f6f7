import type { BatchInput, BatchOptions } from './batch-body.ts';
import { createBatchBody } from './batch-body.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { components } from './generated-api.ts';
import type { Http, Pages } from './http.ts';
import { path } from './http.ts';
import { readEvents } from './read-events.ts';
import type { CallOptions } from './send-request.ts';
import { pause } from './send-request.ts';
import { type DataOf, findId } from './templates.ts';

type Schemas = components['schemas'];
export type Batch = Schemas['Batch'];
export type BatchProgress = Schemas['BatchProgress'];

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface WaitOptions extends CallOptions {
  /** Called with the counts, the rate and the estimated end, at most once a second. */
  readonly onProgress?: (progress: BatchProgress) => void;
}

/** An accepted batch. */
export type StartedBatch = Batch & {
  /** Waits until the batch has ended: `completed`, `failed` or `cancelled`. */
  readonly wait: (options?: WaitOptions) => Promise<BatchProgress>;
};

export type Batches = ReturnType<typeof createBatches>;

const reconnectDelayMs = 2_000;

export function createBatches(http: Http) {
  const wait = async (id: string, { onProgress, ...options }: WaitOptions = {}): Promise<BatchProgress> => {
    for (;;) {
      try {
        for await (const progress of events(id, options)) {
          onProgress?.(progress);
          if (progress.finishedAt !== undefined && ended.has(progress.status)) return progress;
        }
      } catch (error) {
        // An interrupted stream loses nothing, because each event carries the whole state.
        if (error instanceof ApiError || !(error instanceof ConnectionError)) throw error;
      }
      await pause(reconnectDelayMs, options.signal);
    }
  };
  async function* events(id: string, options: CallOptions = {}): AsyncGenerator<BatchProgress> {
    const { response } = await http.open('GET', path`/v1/batches/${id}/events`, options);
    for await (const data of readEvents(response, options.signal)) yield JSON.parse(data) as BatchProgress;
  }
  return {
    /**
     * Starts a batch of the template with this id or name, with one document for each row. Streams that cannot be read again are not retried once bytes have
     * been sent.
     */
    async create<Template extends string>(
      template: Template,
      rows: BatchInput<DataOf<Template>>,
      options: BatchOptions = {},
      call: CallOptions = {},
    ): Promise<StartedBatch> {
      const id = await findId(http, template, call);
      const input = { ...call, ...(await createBatchBody(rows, options, call.signal)) };
      const batch = await http.json<Batch>('POST', path`/v1/templates/${id}/batches`, input);
      const waitForThis = (waitOptions?: WaitOptions) => wait(batch.id, waitOptions);
      return Object.defineProperty({ ...batch }, 'wait', { value: waitForThis, enumerable: false }) as StartedBatch;
    },
    /** The cost of a batch, and its invalid rows; stores and charges nothing. */
    async quote<Template extends string>(
      template: Template,
      rows: BatchInput<DataOf<Template>>,
      options: BatchOptions = {},
      call: CallOptions = {},
    ): Promise<Schemas['BatchQuote']> {
      const id = await findId(http, template, call);
      const input = { ...call, ...(await createBatchBody(rows, options, call.signal)) };
      return http.json('POST', path`/v1/templates/${id}/batches/quote`, input);
    },
    /**
     * Follows a batch to its end, reconnecting as needed: `completed`, `failed` or `cancelled`. Limit the wait with
     * `signal`.
     */
    wait,
    /** The state of the batch after each change, until the batch or the connection ends. */
    events,
    /** The state of a batch with its counts and warnings. */
    get: (id: string, call?: CallOptions) => http.json<Batch>('GET', path`/v1/batches/${id}`, call),
    /** The batches of the account, newest first. */
    list: (
      query?: { status?: Schemas['BatchStatus']; templateId?: string; limit?: number },
      call?: CallOptions,
    ): Pages<Schemas['BatchList'][number]> => http.pages('/v1/batches', query, call),
    /** The rows of a batch in order, with their documents. */
    rows: (id: string, query?: { status?: Schemas['JobStatus']; limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['BatchRow']>(path`/v1/batches/${id}/items`, query, call),
    /** The zip or the merged PDF; `volume` counts from 1. */
    download: (id: string, { volume }: { volume?: number } = {}, call?: CallOptions) =>
      http.bytes('GET', path`/v1/batches/${id}/content`, { ...call, query: { volume } }),
    /**
     * Like `download`, but as a stream, for files larger than memory. The stream fails if the connection ends early.
     */
    async stream(id: string, { volume }: { volume?: number } = {}, call?: CallOptions): Promise<ByteStream> {
      const { response } = await http.open('GET', path`/v1/batches/${id}/content`, { ...call, query: { volume } });
      return response.body ?? new ReadableStream();
    },
    /** The files of the batch with their checksums. */
    manifest: (id: string, call?: CallOptions) =>
      http.json<Schemas['BatchManifest']>('GET', path`/v1/batches/${id}/manifest`, call),
    /** Cancels the rows that are not produced yet; they are not charged. */
    cancel: (id: string, call?: CallOptions) => http.json<Batch>('DELETE', path`/v1/batches/${id}`, call),
    /** Produces the failed rows again. */
    retry: (id: string, call?: CallOptions) => http.json<Batch>('POST', path`/v1/batches/${id}/retry`, call),
  };
}

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
