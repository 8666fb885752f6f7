import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { findBatch } from '../../../shared/domain/batches/find-batch.ts';
import { batchIdParam, toBatchProgress } from '../../batches/batch-schema.ts';
import type { BatchState } from '../../batches/batch-watch.ts';
import { createMailslot } from '../../batches/mailslot.ts';
import type { ApiEnv } from '../../env.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';

const heartbeatMs = 15_000;
const retryMs = 2_000;
const headers = z.object({
  'Last-Event-ID': z.string().optional().openapi({ description: 'What an EventSource sends when it connects again.' }),
});
const endings: ReadonlySet<string> = new Set(['completed', 'cancelled', 'failed']);

export const batchEventsOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/batches/{id}/events',
    operationId: 'streamBatchEvents',
    summary: 'Follow a batch',
    description:
      'Server-sent events: `progress` with the batch whenever it has changed, once a second at most, and a last one, `end`, when it has ended. Each tells the whole state, so a client that connects again misses nothing; one that has seen the `end` is answered 204.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }), headers },
    responses: {
      200: { description: 'Events.', content: { 'text/event-stream': { schema: z.string() } } },
      204: { description: 'The `end` that `Last-Event-ID` names was the last event: do not connect again.' },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    const batch = await findBatch(deps.db, c.get('accountId'), pathId(c));
    // The answer that tells an EventSource to connect no more (HTML, 9.2.3): it has seen this very end.
    if (c.req.header('Last-Event-ID') === endId(batch.finishedAt?.toISOString())) return c.body(null, 204);
    const first = await deps.batchWatch.look(batch);
    const slot = createMailslot<BatchState | undefined>();
    const leave = deps.batchWatch.listen(batch, slot.put);
    slot.put({ ...first, batch });
    c.header('Cache-Control', 'no-store');
    c.header('X-Accel-Buffering', 'no');
    return answer(c, leave, (stream) => follow(stream, slot.take));
  },
};

function answer(c: Context<ApiEnv>, leave: () => void, work: (stream: SSEStreamingApi) => Promise<void>): Response {
  return streamSSE(c, async (stream) => {
    stream.onAbort(leave);
    try {
      await work(stream);
    } finally {
      leave();
    }
  });
}

/** Writes only what is newest: a client that reads slowly is told less often. */
async function follow(
  stream: SSEStreamingApi,
  take: (timeoutMs: number) => Promise<{ readonly value: BatchState | undefined } | undefined>,
): Promise<void> {
  let told = '';
  while (!stream.aborted) {
    const news = await take(heartbeatMs);
    if (news === undefined) {
      await stream.write(': still here\n\n');
      continue;
    }
    if (news.value === undefined) return;
    const progress = toBatchProgress(news.value);
    const isEnd = endings.has(progress.status);
    const data = JSON.stringify(progress);
    const seen = JSON.stringify({ ...progress, estimatedFinishAt: undefined, rowsPerSecond: undefined });
    if (seen !== told || isEnd) {
      const id = isEnd ? { id: endId(progress.finishedAt) } : {};
      await stream.writeSSE({ event: isEnd ? 'end' : 'progress', data, retry: retryMs, ...id });
    }
    told = seen;
    if (isEnd) return;
  }
}

/** A batch that is retried ends once more. */
function endId(finishedAt: string | undefined): string {
  return `end-${finishedAt ?? ''}`;
}
