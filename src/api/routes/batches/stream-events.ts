import { z } from '@hono/zod-openapi';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { findBatch } from '../../../shared/domain/batches/find-batches.ts';
import type { BatchState } from '../../batches/batch-monitor.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { batchIdParam, toBatchProgressResource } from './batch-resource.ts';

const heartbeatMs = 15_000;
const retryMs = 2_000;
const headers = z.object({
  'Last-Event-ID': z.string().optional().openapi({ description: 'Sent by an EventSource when it reconnects.' }),
});
const finalStatuses: ReadonlySet<string> = new Set(['completed', 'cancelled', 'failed']);

export const batchEventsOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/batches/{id}/events',
    operationId: 'streamBatchEvents',
    summary: 'Follow a batch',
    description:
      'Server-sent events: `progress` with the batch when it has changed, once a second at most, and finally `end` when it has ended. Each event carries the whole state, so a client that reconnects misses nothing. A client that has received `end` gets 204. The connection is closed when the key stops being valid.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }), headers },
    responses: {
      200: {
        description: 'Events.',
        content: {
          'text/event-stream': {
            schema: z.string().openapi({ description: 'Server-sent events whose data is a `BatchProgress`.' }),
          },
        },
      },
      204: { description: 'The `end` named by `Last-Event-ID` was the last event. Do not reconnect.' },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    const batch = await findBatch(deps.db, c.get('accountId'), pathId(c));
    // 204 makes an EventSource stop reconnecting (HTML, 9.2.3).
    if (c.req.header('Last-Event-ID') === endEventId(batch.finishedAt?.toISOString())) return c.body(null, 204);
    // The body of a HEAD is never read, so it must not subscribe.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const current = await deps.batchMonitor.read(batch);
    const states = createLatestValueChannel<BatchState | undefined>();
    const unsubscribe = deps.batchMonitor.subscribe(batch, states.put);
    states.put({ ...current, batch });
    c.header('Cache-Control', 'no-store');
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      stream.onAbort(unsubscribe);
      try {
        await writeEvents(stream, states);
      } finally {
        unsubscribe();
      }
    });
  },
};

/** Sends only the latest state, so a slow client gets fewer events. */
async function writeEvents(stream: SSEStreamingApi, states: LatestValueChannel<BatchState | undefined>): Promise<void> {
  let lastSent = '';
  while (!stream.aborted) {
    const next = await states.take(heartbeatMs);
    if (next === undefined) {
      await stream.write(': heartbeat\n\n');
      continue;
    }
    if (next.value === undefined) return;
    const progress = toBatchProgressResource(next.value);
    const isEnd = finalStatuses.has(progress.status);
    const data = JSON.stringify(progress);
    const comparable = JSON.stringify({ ...progress, estimatedFinishAt: undefined, rowsPerSecond: undefined });
    if (comparable !== lastSent || isEnd) {
      const id = isEnd ? { id: endEventId(progress.finishedAt) } : {};
      await stream.writeSSE({ event: isEnd ? 'end' : 'progress', data, retry: retryMs, ...id });
    }
    lastSent = comparable;
    if (isEnd) return;
  }
}

/** Differs for each run of a batch, because a retried batch ends again at another time. */
function endEventId(finishedAt: string | undefined): string {
  return `end-${finishedAt ?? ''}`;
}

/** Holds the latest value for one reader; an unread value is overwritten. */
interface LatestValueChannel<T> {
  readonly put: (value: T) => void;
  /** The latest unread value, as soon as there is one; undefined when none arrives in time. */
  readonly take: (timeoutMs: number) => Promise<{ readonly value: T } | undefined>;
}

function createLatestValueChannel<T>(): LatestValueChannel<T> {
  let latest: { readonly value: T } | undefined;
  let wake: (() => void) | undefined;
  return {
    put(value) {
      latest = { value };
      wake?.();
    },
    async take(timeoutMs) {
      if (latest === undefined) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      const value = latest;
      latest = undefined;
      return value;
    },
  };
}
