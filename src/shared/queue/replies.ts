import { z } from 'zod';
import type { ErrorRecord } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { TransientStore } from '../storage/transient.ts';
import { guardedRedis } from './errors.ts';
import { keepsOrder, type Redis } from './redis.ts';

/** A worker's reply to the waiting API process: a value, with the file if it is small, or an error record. */
export type Reply =
  | { readonly id: string; readonly ok: true; readonly value: unknown; readonly bytes?: Buffer | undefined }
  | { readonly id: string; readonly ok: false; readonly error: ErrorRecord };

const heartbeatMs = 3_000;
/** Larger files would fill a slow subscriber's output buffer in Redis, so the API fetches them instead. */
const inlineMaxBytes = 64 * 1024;
const lineEnd = 0x0a;

const replySchema = z.union([
  z.object({ id: z.string(), ok: z.literal(true), value: z.unknown() }),
  z.object({
    id: z.string(),
    ok: z.literal(false),
    error: z.custom<ErrorRecord>((value) => typeof value === 'object'),
  }),
]);

export interface ReplyChannel {
  readonly name: string;
  /**
   * Calls `onReply` with the reply for this id; several callers may wait for one id. Delivery is at most once, so the
   * caller must also poll the row.
   */
  expect(id: string, onReply: (reply: Reply) => void): { cancel(): void };
  waiting(): number;
  close(): Promise<void>;
}

/** Opens this process's channel. One subscription serves all waiters, and each process reads only its own replies. */
export async function openReplyChannel(subscriber: Redis, name: string, logger: Logger): Promise<ReplyChannel> {
  const waiters = new Map<string, Set<(reply: Reply) => void>>();
  subscriber.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
    const parsed = parseReply(message);
    if (parsed === undefined) {
      logger.error('an invalid reply was dropped');
      return;
    }
    for (const onReply of waiters.get(parsed.id) ?? []) onReply(parsed);
  });
  await guardedRedis(() => subscriber.subscribe(name));
  // A subscriber sends nothing, so only this command detects a dead server. When the nodes of a cluster change, the
  // client may be connected to a node without its subscription; subscribing again restores it.
  const heartbeat = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.subscribe(name).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return {
    name,
    expect(id, onReply) {
      const own = waiters.get(id) ?? new Set();
      waiters.set(id, own.add(onReply));
      const cancel = (): void => {
        own.delete(onReply);
        if (own.size === 0 && waiters.get(id) === own) waiters.delete(id);
      };
      return { cancel };
    },
    waiting: () => waiters.size,
    async close() {
      clearInterval(heartbeat);
      waiters.clear();
      if (subscriber.status === 'ready') await subscriber.unsubscribe(name);
    },
  };
}

/** The file of a reply. */
export interface ReplyFile {
  readonly bytes: Uint8Array;
  /** The id under which `store` holds it as a result. Undefined if it is stored elsewhere. */
  readonly storedAs: string | undefined;
  readonly store: Pick<TransientStore, 'publish'>;
}

/**
 * Publishes one line of JSON, followed by the file if it is small. Redis adds a file that it stores, so that it receives
 * the bytes once. A cluster would pass them to each of its nodes, so there the API fetches them.
 */
export async function publishReply(
  redis: Redis,
  channel: string | null,
  reply: Reply,
  file?: ReplyFile,
): Promise<void> {
  if (channel === null) return;
  const line = JSON.stringify(reply);
  const isInline = file !== undefined && file.bytes.length <= inlineMaxBytes && keepsOrder(redis);
  if (!isInline) return void (await guardedRedis(() => redis.publish(channel, line)));
  const { bytes, storedAs, store } = file;
  const head = `${line}\n`;
  if (storedAs !== undefined && (await store.publish(channel, head, 'result', storedAs))) return;
  await guardedRedis(() => redis.publish(channel, Buffer.concat([Buffer.from(head), bytes])));
}

function parseReply(message: Buffer): Reply | undefined {
  const end = message.indexOf(lineEnd);
  try {
    const reply: Reply = replySchema.parse(JSON.parse(message.toString('utf8', 0, end < 0 ? undefined : end)));
    return reply.ok && end >= 0 ? { ...reply, bytes: message.subarray(end + 1) } : reply;
  } catch {
    return undefined;
  }
}
