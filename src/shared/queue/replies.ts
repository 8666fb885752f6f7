import { z } from 'zod';
import type { ErrorRecord } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

/** What a worker tells the API process that waits: a value, and its file when that is small; or an error in its plain form. */
export type Reply =
  | { readonly id: string; readonly ok: true; readonly value: unknown; readonly bytes?: Buffer | undefined }
  | { readonly id: string; readonly ok: false; readonly error: ErrorRecord };

const heartbeatMs = 3_000;
/** More would fill what Redis holds for a process that is slow to read; it is fetched then. */
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
   * Waits for the reply with this id, beside others who do. Publishing is at most once: the caller also looks at the row
   * now and then.
   */
  expect(id: string, onReply: (reply: Reply) => void): { cancel(): void };
  waiting(): number;
  close(): Promise<void>;
}

/** This process's own channel. One subscription serves every waiter, and no process reads another's replies. */
export async function openReplyChannel(subscriber: Redis, name: string, logger: Logger): Promise<ReplyChannel> {
  const waiters = new Map<string, Set<(reply: Reply) => void>>();
  subscriber.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
    const parsed = parseReply(message);
    if (parsed === undefined) {
      logger.error('a reply that cannot be read was dropped');
      return;
    }
    for (const onReply of waiters.get(parsed.id) ?? []) onReply(parsed);
  });
  await guardedRedis(() => subscriber.subscribe(name));
  // A subscriber only listens: unless it asks now and then, it never learns that the server is gone. And of a cluster whose nodes
  // come and go it may be connected to one that has not taken its subscription: asking for it again heals that.
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

/** One line of JSON, then the bytes of the file, if it is small enough to go along. */
export async function publishReply(
  redis: Redis,
  channel: string | null,
  reply: Reply,
  file?: Uint8Array,
): Promise<void> {
  if (channel === null) return;
  const line = JSON.stringify(reply);
  const isInline = file !== undefined && file.length <= inlineMaxBytes;
  const message = isInline ? Buffer.concat([Buffer.from(`${line}\n`), file]) : line;
  await guardedRedis(() => redis.publish(channel, message));
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
