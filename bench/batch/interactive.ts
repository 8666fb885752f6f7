import { setTimeout as delay } from 'node:timers/promises';
import { documentOf } from '../harness/documents.ts';
import type { Format } from './orders.ts';
import type { Stack, Tenant } from './stack.ts';

/** One call: when it was sent, and how long its document took. */
export interface Call {
  readonly atMs: number;
  readonly tookMs: number;
}

const pauseMs = 150;

/** One caller who waits for each document, thinks for a moment and orders the next, until it is told to stop. */
export async function callInteractively(
  stack: Stack,
  tenant: Tenant,
  format: Format,
  isOver: (calls: number) => boolean,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const body = JSON.stringify({ data: documentOf('letter', 3).data, output: { format } });
  const headers = { Authorization: `Bearer ${tenant.apiKey}`, 'Content-Type': 'application/json' };
  while (!isOver(calls.length)) {
    const atMs = performance.now();
    const answer = await fetch(`${stack.api}/v1/templates/${tenant.templateId}/generate`, {
      method: 'POST',
      body,
      headers,
    });
    const bytes = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${Buffer.from(bytes).toString()}`);
    calls.push({ atMs, tookMs: Math.round((performance.now() - atMs) * 10) / 10 });
    await delay(pauseMs);
  }
  return calls;
}
