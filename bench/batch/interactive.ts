import { setTimeout as delay } from 'node:timers/promises';
import { type Format, readExample } from './orders.ts';
import type { Stack, Tenant } from './stack.ts';

export interface Latencies {
  readonly samplesMs: readonly number[];
  readonly medianMs: number;
  readonly p95Ms: number;
}

const pauseMs = 150;

/** One caller who waits for each document, thinks for a moment and orders the next, until it is told to stop. */
export async function callInteractively(
  stack: Stack,
  tenant: Tenant,
  format: Format,
  isOver: (calls: number) => boolean,
): Promise<Latencies> {
  const samplesMs: number[] = [];
  const body = JSON.stringify({ data: readExample('letter'), output: { format } });
  const headers = { Authorization: `Bearer ${tenant.apiKey}`, 'Content-Type': 'application/json' };
  while (!isOver(samplesMs.length)) {
    const startMs = performance.now();
    const answer = await fetch(`${stack.api}/v1/templates/${tenant.templateId}/generate`, {
      method: 'POST',
      body,
      headers,
    });
    const bytes = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${Buffer.from(bytes).toString()}`);
    samplesMs.push(Math.round((performance.now() - startMs) * 10) / 10);
    await delay(pauseMs);
  }
  return { samplesMs, medianMs: quantile(samplesMs, 0.5), p95Ms: quantile(samplesMs, 0.95) };
}

function quantile(samples: readonly number[], share: number): number {
  return samples.toSorted((a, b) => a - b)[Math.ceil(samples.length * share) - 1] ?? Number.NaN;
}
