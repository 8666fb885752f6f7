import { WebhookVerificationError } from './errors.ts';
import type { components } from './generated-api.ts';

type Schemas = components['schemas'];

/** An event; `type` says what its `data` is. A newer service may send further types. */
export type WebhookEvent = (
  | Schemas['DocumentSucceededEvent']
  | Schemas['DocumentFailedEvent']
  | Schemas['BatchCompletedEvent']
  | Schemas['EmailFailedEvent']
  | Schemas['QuotaWarningEvent']
  | Schemas['WebhookTestEvent']
) & {
  /** Identical for every attempt of one event; store it, so that you handle the event once. */
  readonly id: string;
};

export interface WebhookRequest {
  /** The raw body as received, before parsing. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** One secret (`whsec_…`), or several during a rotation. */
  readonly secret: string | readonly string[];
  /** The maximum difference between the timestamp and the current time, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
}

/**
 * Verifies a webhook (Standard Webhooks 1.0) and returns its event. Throws WebhookVerificationError for an invalid
 * signature, or a timestamp outside the tolerance.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { toleranceSeconds = 300 } = request;
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const signatures = headerOf(request, 'webhook-signature').split(' ').slice(0, 32);
  const distanceSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,15}$/.test(timestamp) || !(distanceSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'The timestamp of the webhook is outside the tolerance: check the clock of this machine',
    );
  }
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const secrets = typeof request.secret === 'string' ? [request.secret] : request.secret;
  let isValid = false;
  for (const secret of secrets) {
    const usages: KeyUsage[] = ['verify'];
    const key = await crypto.subtle.importKey(
      'raw',
      decodeSecret(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      usages,
    );
    for (const signature of signatures) {
      const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined;
      // WebCrypto compares in constant time.
      if (bytes !== undefined) isValid = (await crypto.subtle.verify('HMAC', key, bytes, signed)) || isValid;
    }
  }
  if (!isValid)
    throw new WebhookVerificationError(
      'The signature of the webhook does not match: check the secret and pass the body as it arrived',
    );
  return { ...(JSON.parse(new TextDecoder().decode(body)) as WebhookEvent), id };
}

type KeyUsage = 'verify';

function headerOf({ headers }: WebhookRequest, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw new WebhookVerificationError(`The webhook must have exactly one header ${name}`);
  return value;
}

function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('A secret must be whsec_ and base64');
  return bytes;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
