import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { isExtended } from '../../support/extended.ts';
import { withoutWorkers } from '../../support/services/without-workers.ts';
import { letter } from '../api/samples.ts';
import { type Batch, docsLeft, itemsOf, send } from './batch-client.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const rows = isExtended ? 100_000 : 20_000;
/** A body of 40 MB, whatever the number of rows. */
const text = 'x'.repeat(40_000_000 / rows);

async function* body(): AsyncGenerator<Uint8Array> {
  for (let row = 1; row <= rows; row += 500) {
    const part = Array.from({ length: 500 }, (_, index) => `{"number":${row + index},"name":"Ada","text":"${text}"}\n`);
    yield Buffer.from(part.join(''));
  }
}

const residentMb = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.pids.api}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function peakDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let peakMb = 0;
  while (!isOver) {
    peakMb = Math.max(peakMb, residentMb());
    await delay(50);
  }
  await over;
  return peakMb;
}

test(`${rows} rows are accepted with bounded memory, while other requests are answered`, async () => {
  const client = await newClient({ docs: rows + 10 });
  const { id } = await client.template('letter.docx', letter('Dear {name}, {number} {text}'));
  const before = residentMb();
  const sent = send(
    client,
    `/v1/templates/${id}/batches?filename=no-{number}&bundle=none`,
    ReadableStream.from(body()),
  );
  const quick = await client.generate(id, { data: { name: 'Bob' } });
  expect(quick.status).toBe(200);
  const peakMb = await peakDuring(sent);
  const answer = await sent;
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(202);
  const batch = answer.json<Batch>();
  await withoutWorkers(stack, async () => {
    expect(batch.rows).toBe(rows);
    expect(await docsLeft(client)).toBe(9);
    expect(peakMb - before, `${Math.round(before)} MB before, ${Math.round(peakMb)} MB at most`).toBeLessThan(250);
    const cursor = Buffer.from(`row_${rows - 1}`).toString('base64url');
    expect(await itemsOf(client, batch.id, `?cursor=${cursor}`)).toMatchObject([
      { row: rows, filename: `no-${rows}.docx`, status: 'queued' },
    ]);
    const cancelled = (await client.call('DELETE', `/v1/batches/${batch.id}`)).json<Batch>();
    expect(cancelled).toMatchObject({ status: 'cancelled' });
  });
  const counts = async () => (await client.call('GET', `/v1/batches/${batch.id}`)).json<Batch>().counts;
  const unended = async () => (({ queued, running }) => queued + running)(await counts());
  await expect.poll(unended, { timeout: 150_000, interval: 1_000 }).toBe(0);
  const { succeeded, cancelled } = await counts();
  expect(succeeded + cancelled).toBe(rows);
  expect(cancelled).toBeGreaterThan(rows / 2);
  expect(await docsLeft(client)).toBe(9 + cancelled);
}, 240_000);
