import type { MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import type { ApiEnv } from '../http/api-env.ts';

const maxAccounts = 10_000;

export interface RefusalPace {
  /** The interval between refusals of one account. */
  readonly intervalMs: number;
  readonly maxDelayMs: number;
}

/**
 * Sends the 429 and 503 responses of one account one after another. A client that sends again as soon as it is refused
 * would otherwise keep the process busy with refusals, and the requests of other accounts would wait behind them.
 */
export function paceRefusals({ intervalMs, maxDelayMs }: RefusalPace): MiddlewareHandler<ApiEnv> {
  const nextMs = new LRUCache<string, number>({ max: maxAccounts });
  return async (c, next) => {
    await next();
    if (c.res.status !== 429 && c.res.status !== 503) return;
    const accountId = c.get('accountId');
    const nowMs = performance.now();
    const dueMs = Math.max(nowMs, nextMs.get(accountId) ?? 0);
    nextMs.set(accountId, Math.min(dueMs, nowMs + maxDelayMs) + intervalMs);
    const delayMs = dueMs - nowMs;
    // Refusals beyond the longest delay are spread: sent together, they would make the client retry all of them at
    // once.
    if (delayMs <= 0) return;
    const waitMs = delayMs < maxDelayMs ? delayMs : maxDelayMs * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
