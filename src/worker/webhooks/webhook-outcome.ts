import type { WebhookOutcome } from '../../shared/domain/webhooks/settle-webhook-delivery.ts';
import { pauseBeforeRetry, webhookPausesMs } from '../retry-policy.ts';
import type { WebhookReply } from './webhook-sender.ts';

const maxRetryAfterMs = 3_600_000;

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
  const retryAfterMs = reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter) : 0;
  const retryInMs = pauseBeforeRetry(webhookPausesMs, attempts, retryAfterMs);
  if (isTest || isGone || retryInMs === undefined)
    return { ...reported, status: 'failed', error, retryInMs: 0, health };
  return { ...reported, status: 'pending', error, retryInMs, health };
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
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1_000, maxRetryAfterMs) : 0;
}
