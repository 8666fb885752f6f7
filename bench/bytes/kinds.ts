import { setTimeout as delay } from 'node:timers/promises';
import { documentOf } from '../harness/documents.ts';
import { uploadTemplate } from '../harness/stack.ts';
import type { Counters } from './read-bytes.ts';

/** An account with the bench's template. */
export interface Owner {
  readonly url: string;
  readonly apiKey: string;
  readonly templateId: string;
}

/** A way to request documents. */
export interface Kind {
  readonly name: string;
  readonly format: 'docx' | 'pdf';
  /** Sends requests for this number of documents. Resolves after all synchronous ones have ended. */
  send(owner: Owner, documents: number): Promise<void>;
  /** True if its documents can wait in a paused queue; synchronous requests cannot. */
  readonly isQueued: boolean;
  /** Prepares a new account. */
  prepare?(owner: Owner, receiverUrl: string): Promise<void>;
}

const parallel = 16;
const { template, data } = documentOf('invoice', 10);
export const dataBytes = Buffer.byteLength(JSON.stringify(data));

export const openOwner = async (url: string, apiKey: string): Promise<Owner> => ({
  url,
  apiKey,
  templateId: await uploadTemplate(url, apiKey, 'invoice.docx', template),
});

async function post(
  { url, apiKey }: Owner,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
    body,
  });
  const bytes = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} responded with ${answer.status}: ${Buffer.from(bytes).toString()}`);
}

/** Sends one request for each document, several at a time. */
const single =
  (output: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): Kind['send'] =>
  async (owner, documents) => {
    const body = JSON.stringify({ data, output });
    let left = documents;
    const sendSome = async (): Promise<void> => {
      while (left-- > 0) await post(owner, `/v1/templates/${owner.templateId}/generate`, body, headers);
    };
    await Promise.all(Array.from({ length: parallel }, sendSome));
  };

const later = { Prefer: 'respond-async' };
const email = { to: ['somebody@example.com'], subject: 'Your invoice', body: 'Please find your invoice attached.' };

export const kinds: readonly Kind[] = [
  { name: '.docx, the caller waits', format: 'docx', isQueued: false, send: single({ format: 'docx' }) },
  { name: '.docx, `respond-async`', format: 'docx', isQueued: true, send: single({ format: 'docx' }, later) },
  { name: 'PDF, the caller waits', format: 'pdf', isQueued: false, send: single({ format: 'pdf' }) },
  { name: 'PDF, `respond-async`', format: 'pdf', isQueued: true, send: single({ format: 'pdf' }, later) },
  { name: '.docx by e-mail', format: 'docx', isQueued: false, send: single({ format: 'docx', email }) },
  {
    name: 'row of a batch, .docx in a zip',
    format: 'docx',
    isQueued: true,
    async send(owner, documents) {
      const rows = Array.from({ length: documents }, () => JSON.stringify(data)).join('\n');
      const path = `/v1/templates/${owner.templateId}/batches?format=docx&bundle=zip`;
      await post(owner, path, rows, { 'Content-Type': 'application/x-ndjson' });
    },
  },
  {
    name: '.docx with a webhook',
    format: 'docx',
    isQueued: false,
    send: single({ format: 'docx' }),
    async prepare(owner, receiverUrl) {
      await post(owner, '/v1/webhooks', JSON.stringify({ url: receiverUrl, events: ['document.succeeded'] }));
    },
  },
];

/** Waits until every document, row, bundle, e-mail and webhook has ended. Throws if one has failed. */
export async function untilEnded(counters: Counters): Promise<void> {
  for (;;) {
    const [row] = await counters.query<{ open: number; failed: number }>(
      `select (select count(*) from generations where status in ('queued', 'running'))::int
          + (select count(*) from batches where status in ('accepted', 'running', 'bundling'))::int
          + (select count(*) from deliveries where status in ('pending', 'sending', 'transmitting'))::int
          + (select count(*) from webhook_deliveries where status in ('pending', 'sending'))::int as open,
        (select count(*) from generations where status in ('failed', 'cancelled'))::int
          + (select count(*) from deliveries where status in ('partial', 'failed', 'unknown'))::int
          + (select count(*) from webhook_deliveries where status = 'failed')::int as failed`,
    );
    if (row === undefined || row.failed > 0) throw new Error(`${row?.failed} documents, e-mails or webhooks failed`);
    if (row.open === 0) return;
    await delay(250);
  }
}
