import { expect } from 'vitest';
import type { Answer } from '../../support/client/api-client.ts';
import type { TestClient } from '../../support/client/service-under-test.ts';

export interface Batch {
  readonly id: string;
  readonly status: string;
  readonly rows: number;
  readonly counts: Readonly<Record<'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled', number>>;
  readonly error?: { readonly message: string };
}

export interface Item {
  readonly row: number;
  readonly jobId: string;
  readonly status: string;
  readonly filename: string;
  readonly error?: { readonly status: number; readonly message: string; readonly details: readonly unknown[] };
}

export const ndjson = { 'Content-Type': 'application/x-ndjson' };
export const csv = { 'Content-Type': 'text/csv' };

/** Sends a batch as NDJSON or CSV. */
export function send(
  client: TestClient,
  path: string,
  body: NonNullable<RequestInit['body']>,
  headers: Readonly<Record<string, string>> = ndjson,
): Promise<Answer> {
  return client.call('POST', path, { body, headers });
}

/** The batch, once it has finished. */
export async function ended(client: TestClient, id: string): Promise<Batch> {
  const read = async () => (await client.call('GET', `/v1/batches/${id}`)).json<Batch>();
  await expect
    .poll(async () => (await read()).status, { timeout: 240_000, interval: 250 })
    .toMatch(/completed|failed|cancelled/);
  return read();
}

export async function itemsOf(client: TestClient, id: string, query = ''): Promise<readonly Item[]> {
  return (await client.call('GET', `/v1/batches/${id}/items${query}`)).json<Item[]>();
}

export const docsLeft = async (client: TestClient): Promise<number> => (await client.quotas()).remaining.total.docs;

export const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
