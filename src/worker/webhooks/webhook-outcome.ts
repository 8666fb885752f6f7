import type { WebhookOutcome } from '../../shared/domain/webhooks/settle-webhook-delivery.ts';
import type { WebhookReply } from './webhook-sender.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses before the second attempt and each one after it: nine attempts within a day. */
export const retryPausesMs: readonly number[] = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  8 * hourMs,
  8 * hourMs,
];
export const maxWebhookAttempts = retryPausesMs.length + 1;

const longestWishMs = hourMs;

export interface AttemptFacts {
  readonly attempts: number;
  readonly isTest: boolean;
  readonly durationMs: number;
}

/**
 * What an attempt means for its delivery and for its endpoint. 2xx is success, 410 ends it and the endpoint; everything
 * else, redirects too, is tried again, later when `Retry-After` asks for it. A test is tried once and judges nobody.
 */
export function toWebhookOutcome(reply: WebhookReply, { attempts, isTest, durationMs }: AttemptFacts): WebhookOutcome {
  const response = reply.kind === 'answer' ? { status: reply.status, body: reply.body } : undefined;
  const told = { response, durationMs };
  if (reply.kind === 'answer' && reply.status >= 200 && reply.status < 300) {
    return { ...told, status: 'delivered', error: undefined, retryInMs: 0, health: 'good' };
  }
  const error = reply.kind === 'none' ? reply.reason : explain(reply.status);
  const isGone = response?.status === 410;
  const health = isTest ? 'unknown' : isGone ? 'gone' : 'bad';
  const pauseMs = retryPausesMs[attempts - 1];
  if (isTest || isGone || pauseMs === undefined) return { ...told, status: 'failed', error, retryInMs: 0, health };
  const wishMs = reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter) : 0;
  return { ...told, status: 'pending', error, retryInMs: Math.max(jittered(pauseMs), wishMs), health };
}

/** A delivery that comes due while its endpoint is disabled ends: it can be started again by hand. */
export const disabledOutcome: WebhookOutcome = {
  status: 'failed',
  response: undefined,
  error: 'not sent: the webhook is disabled',
  durationMs: undefined,
  retryInMs: 0,
  health: 'unknown',
};

function explain(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}; redirects are not followed`;
  return status === 410 ? 'answered 410 Gone' : `answered ${status}`;
}

/** Seconds (RFC 9110, section 10.2.3), up to an hour; the form with a date is not read. */
function parseRetryAfter(text: string | undefined): number {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text) * secondMs, longestWishMs) : 0;
}

/** A tenth of chance either way keeps a crowd from coming back together. */
function jittered(pauseMs: number): number {
  return pauseMs * (0.9 + Math.random() * 0.2);
}
