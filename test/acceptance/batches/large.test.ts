import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { isExtended } from '../../support/extended.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { letter } from '../api/samples.ts';
import { startProcess } from '../operations/start-process.ts';
import { type Batch, docsLeft, itemsOf, send } from './batch-client.ts';

const stack = inject('stack');
const rows = isExtended ? 50_000 : 5_000;
/** A body of 40 MB, whatever the number of rows. */
const text = 'x'.repeat(40_000_000 / rows);

async function* body(): AsyncGenerator<Uint8Array> {
  for (let row = 1; row <= rows; row += 500) {
    const part = Array.from({ length: 500 }, (_, index) => `{"number":${row + index},"name":"Ada","text":"${text}"}\n`);
    yield Buffer.from(part.join(''));
  }
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** The result of the work, and the most memory that the process had meanwhile. */
async function peakDuring<T>(pid: number, work: Promise<T>): Promise<readonly [result: T, peakMb: number]> {
  let isOver = false;
  let peakMb = 0;
  const watch = async (): Promise<void> => {
    for (; !isOver; await delay(50)) peakMb = Math.max(peakMb, residentMb(pid));
  };
  const over = work.finally(() => {
    isOver = true;
  });
  const [result] = await Promise.all([over, watch()]);
  return [result, peakMb];
}

test(`${rows} rows are accepted with bounded memory while other requests are served, and a cancellation refunds all`, async () => {
  // Its own process, because requests of other files fill the memory of the common one.
  const { line, pid } = await startProcess('api', 'listening', {});
  const { port } = line.address as { readonly port: number };
  const { newClient, operator } = await useService({ ...stack, url: `http://127.0.0.1:${port}` });
  const [client, other] = [await newClient({ docs: rows + 10 }), await newClient()];
  const { id } = await client.template('letter.docx', letter('Dear {name}, {number} {text}'));
  const { id: otherId } = await other.template('letter.docx', letter('Dear {name}'));
  const generate = async () => (await other.generate(otherId, { data: { name: 'Bob' } })).status;
  expect(await generate()).toBe(200);

  const batchId = await whilePaused(stack, operator, client.accountId, async () => {
    const path = `/v1/templates/${id}/batches?filename=no-{number}&bundle=none`;
    const before = residentMb(pid);
    const sent = send(client, path, ReadableStream.from(body()));
    const [[answer, peakMb], quick] = await Promise.all([peakDuring(pid, sent), generate()]);
    expect(quick).toBe(200);
    expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(202);
    const batch = answer.json<Batch>();
    expect(batch.rows).toBe(rows);
    expect(await docsLeft(client)).toBe(10);
    expect(peakMb - before, `${Math.round(before)} MB before, ${Math.round(peakMb)} MB at most`).toBeLessThan(250);
    const cursor = Buffer.from(`row_${rows - 1}`).toString('base64url');
    expect(await itemsOf(client, batch.id, `?cursor=${cursor}`)).toMatchObject([
      { row: rows, filename: `no-${rows}.docx`, status: 'queued' },
    ]);
    const cancelled = (await client.call('DELETE', `/v1/batches/${batch.id}`)).json<Batch>();
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    return batch.id;
  });
  const counts = async () => (await client.call('GET', `/v1/batches/${batchId}`)).json<Batch>().counts;
  await expect.poll(counts, { timeout: 240_000, interval: 250 }).toMatchObject({ cancelled: rows, succeeded: 0 });
  expect(await docsLeft(client)).toBe(rows + 10);
});
