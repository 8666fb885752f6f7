import { createHmac, randomBytes } from 'node:crypto';
import type { components } from '@docmill/client';

type Delivery = components['schemas']['WebhookDelivery'];

/** Matches the service's timeout for a receiver. */
const timeoutMs = 15_000;

export interface Forwarded {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** A Standard Webhooks secret: `whsec_` and 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * Sends an event as the service does, signed with `secret` and the current time. Never throws, whatever the response.
 */
export async function forwardEvent(
  url: string,
  { eventId, body }: Pick<Delivery, 'eventId' | 'body'>,
  secret: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  const seconds = Math.floor(Date.now() / 1_000);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${eventId}.${seconds}.${body}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Docmill-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
  const startMs = performance.now();
  const end = (status: number | undefined, error: string | undefined) => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startMs),
  });
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limits });
    await response.body?.cancel();
    return end(response.status, undefined);
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return end(undefined, cause instanceof Error && cause.message !== '' ? cause.message : 'no answer');
  }
}
