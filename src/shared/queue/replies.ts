import { z } from 'zod';
import type { ErrorRecord } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

/** What a worker tells the API process that waits: a value, or an error in its plain form. */
export type Reply =
  | { readonly id: string; readonly ok: true; readonly value: unknown }
  | { readonly id: string; readonly ok: false; readonly error: ErrorRecord };

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
  /** Waits for the reply with this id. Publishing is at most once: the caller also looks at the row now and then. */
  expect(id: string, onReply: (reply: Reply) => void): { cancel(): void };
  waiting(): number;
  close(): Promise<void>;
}

/** This process's own channel. One subscription serves every waiter, and no process reads another's replies. */
export async function openReplyChannel(subscriber: Redis, name: string, logger: Logger): Promise<ReplyChannel> {
  const waiters = new Map<string, (reply: Reply) => void>();
  subscriber.on('message', (_channel: string, text: string) => {
    const parsed = parseReply(text);
    if (parsed === undefined) {
      logger.error('a reply that cannot be read was dropped');
      return;
    }
    waiters.get(parsed.id)?.(parsed);
  });
  await guardedRedis(() => subscriber.subscribe(name));
  return {
    name,
    expect(id, onReply) {
      waiters.set(id, onReply);
      return { cancel: () => void waiters.delete(id) };
    },
    waiting: () => waiters.size,
    async close() {
      waiters.clear();
      if (subscriber.status === 'ready') await subscriber.unsubscribe(name);
    },
  };
}

export async function publishReply(redis: Redis, channel: string | null, reply: Reply): Promise<void> {
  if (channel !== null) await guardedRedis(() => redis.publish(channel, JSON.stringify(reply)));
}

function parseReply(text: string): Reply | undefined {
  try {
    return replySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
