import type { WorkerConfig } from '../shared/config/load-config.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pause before each retry of a delivery: one entry fewer than there are attempts. */
export type RetryPauses = readonly number[];

/** Nine attempts at a webhook within a day. */
export const webhookPausesMs: RetryPauses = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  8 * hourMs,
  8 * hourMs,
];

/** The first attempt at a webhook has no pause before it. */
export const maxWebhookAttempts = webhookPausesMs.length + 1;

/** The pauses of an e-mail double, up to an hour. */
export function mailPausesMs({
  MAIL_ATTEMPTS,
  MAIL_BACKOFF_MS,
}: Pick<WorkerConfig, 'MAIL_ATTEMPTS' | 'MAIL_BACKOFF_MS'>): RetryPauses {
  return Array.from({ length: MAIL_ATTEMPTS - 1 }, (_, index) => Math.min(hourMs, MAIL_BACKOFF_MS * 2 ** index));
}

/**
 * The pause after so many attempts, with up to 10 % jitter in both directions, and at least `atLeastMs`. Undefined when
 * no attempt remains.
 */
export function pauseBeforeRetry(pauses: RetryPauses, attempts: number, atLeastMs = 0): number | undefined {
  const pauseMs = pauses[attempts - 1];
  return pauseMs === undefined ? undefined : Math.max(pauseMs * (0.9 + Math.random() * 0.2), atLeastMs);
}
