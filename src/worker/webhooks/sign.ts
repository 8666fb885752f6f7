import { createHmac } from 'node:crypto';

export interface SignedContent {
  /** Identical for every attempt, so that receivers recognize duplicates. */
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The headers of Standard Webhooks: one symmetric signature (`v1`) for each secret, so that rotating secrets is safe. */
export function signedHeaders(content: SignedContent, secrets: readonly string[]): Readonly<Record<string, string>> {
  const { id, timestampSeconds, body } = content;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
