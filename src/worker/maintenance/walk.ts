import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';

export interface WalkedPage {
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
  /** True when there was something to repair, so that more work is likely to follow. */
  readonly hadWork: boolean;
}

/**
 * Walks through rows a page at a time. The next sweep, in any process, continues where this one stopped. If nothing
 * needs repair, a sweep reads a single page, however many rows there are; otherwise it continues until a page needs no
 * repair or the time is up.
 */
export async function walk(
  { redis, config }: WorkerDeps,
  name: string,
  untilMs: number,
  readPage: (after: string) => Promise<WalkedPage>,
): Promise<void> {
  const key = `${config.QUEUE_PREFIX}:sweep:${name}`;
  let after = (await guardedRedis(() => redis.get(key))) ?? '';
  let hadWork: boolean;
  do {
    const page = await readPage(after);
    after = page.next ?? '';
    hadWork = page.hadWork;
    await guardedRedis<unknown>(() => (after === '' ? redis.unlink(key) : redis.set(key, after)));
  } while (hadWork && after !== '' && performance.now() < untilMs);
}
