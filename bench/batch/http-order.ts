import { setTimeout as delay } from 'node:timers/promises';
import { type Format, letters } from './orders.ts';
import type { Stack, Tenant } from './stack.ts';

/** The moments of a batch that came over HTTP, on the clock of `performance.now()`. */
export interface BatchMoments {
  readonly rows: number;
  readonly sentAtMs: number;
  readonly acceptedAtMs: number;
  /** All rows had ended; the bundle was begun. */
  readonly madeAtMs: number;
  readonly completedAtMs: number;
}

interface BatchAnswer {
  readonly status: string;
  readonly counts: { readonly succeeded: number };
}

const everyMs = 500;

/** Sends letters as NDJSON, to be bundled in a zip, and waits for the end of the batch. */
export async function orderOverHttp(stack: Stack, tenant: Tenant, rows: number, format: Format): Promise<BatchMoments> {
  const body = letters(rows)
    .map((row) => JSON.stringify(row))
    .join('\n');
  const authorization = { Authorization: `Bearer ${tenant.apiKey}` };
  const sentAtMs = performance.now();
  const answer = await fetch(`${stack.api}/v1/templates/${tenant.templateId}/batches?format=${format}&bundle=zip`, {
    method: 'POST',
    body,
    headers: { ...authorization, 'Content-Type': 'application/x-ndjson' },
  });
  if (answer.status !== 202) throw new Error(`the batch was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  const acceptedAtMs = performance.now();
  const url = `${stack.api}${answer.headers.get('Location')}`;
  let madeAtMs: number | undefined;
  for (;;) {
    const { status, counts } = (await (await fetch(url, { headers: authorization })).json()) as BatchAnswer;
    if (counts.succeeded === rows) madeAtMs ??= performance.now();
    if (status === 'completed' && madeAtMs !== undefined) {
      return { rows, sentAtMs, acceptedAtMs, madeAtMs, completedAtMs: performance.now() };
    }
    if (status === 'failed') throw new Error(`the batch failed: ${JSON.stringify(counts)}`);
    await delay(everyMs);
  }
}
