import type { WebhookOutcome } from '../../shared/domain/webhooks/settle-webhook-delivery.ts';
import type { WebhookReply } from './webhook-sender.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pause before each retry: nine attempts within a day. */
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

const maxRetryAfterMs = hourMs;

export interface AttemptFacts {
  readonly attempts: number;
  readonly isTest: boolean;
  readonly durationMs: number;
}

/**
 * The outcome of an attempt for its delivery and its endpoint. 2xx is success; 410 ends the delivery and disables the
 * endpoint. Everything else, including redirects, is retried, respecting `Retry-After`. A test is sent once and does not
 * affect the endpoint's health.
 */
export function toWebhookOutcome(reply: WebhookReply, { attempts, isTest, durationMs }: AttemptFacts): WebhookOutcome {
  const response = reply.kind === 'answer' ? { status: reply.status, body: reply.body } : undefined;
  const reported = { response, durationMs };
  if (reply.kind === 'answer' && reply.status >= 200 && reply.status < 300) {
    return { ...reported, status: 'delivered', error: undefined, retryInMs: 0, health: 'good' };
  }
  const error = reply.kind === 'none' ? reply.reason : explain(reply.status);
  const isGone = response?.status === 410;
  const health = isTest ? 'unknown' : isGone ? 'gone' : 'bad';
  const pauseMs = retryPausesMs[attempts - 1];
  if (isTest || isGone || pauseMs === undefined) return { ...reported, status: 'failed', error, retryInMs: 0, health };
  const retryAfterMs = reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter) : 0;
  return { ...reported, status: 'pending', error, retryInMs: Math.max(jittered(pauseMs), retryAfterMs), health };
}

/** Ends a delivery that is due while its endpoint is disabled; the client can redeliver it. */
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

/** Reads the seconds of `Retry-After` (RFC 9110, 10.2.3), up to an hour. Ignores dates. */
function parseRetryAfter(text: string | undefined): number {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text) * secondMs, maxRetryAfterMs) : 0;
}

/** Adds up to 10 % jitter in both directions. */
function jittered(pauseMs: number): number {
  return pauseMs * (0.9 + Math.random() * 0.2);
}
