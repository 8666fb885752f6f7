import { createHash } from 'node:crypto';
import PizZip from 'pizzip';
import { expect, inject, test } from 'vitest';
import { pdfType } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText, pdfText } from '../../support/documents/document-text.ts';
import { letter } from '../api/samples.ts';
import { ended } from './batch-client.ts';

const { newClient } = await useService(inject('stack'));

interface ManifestEntry {
  readonly row: number;
  readonly file?: string;
  readonly status: string;
  readonly checksum?: string;
  readonly pages?: number;
  readonly jobId: string;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function order(bundle: 'zip' | 'pdf', format: 'docx' | 'pdf', items: readonly unknown[]) {
  const client = await newClient();
  const { id } = await client.template('order.docx', letter('Order {number} of {name}'));
  const json = { items, output: { format, filename: 'order-{number}', onMissing: 'error' }, bundle };
  const accepted = await client.call('POST', `/v1/templates/${id}/batches`, { json });
  expect(accepted.status).toBe(202);
  const path = accepted.headers.get('location') ?? '';
  await ended(client, path.split('/').at(-1) ?? '');
  const manifest = (await client.call('GET', `${path}/manifest`)).json<ManifestEntry[]>();
  return { client, path, manifest };
}

const item = (number: number) => ({ data: { number, name: `Ada ${number}` } });

test('a zip contains the successful documents, as listed in the manifest', async () => {
  const { client, path, manifest } = await order('zip', 'docx', [item(1), { data: { number: 2 } }, item(3)]);
  expect(manifest.map(({ row, file, status }) => [row, file, status])).toEqual([
    [1, 'order-1.docx', 'succeeded'],
    [2, undefined, 'failed'],
    [3, 'order-3.docx', 'succeeded'],
  ]);
  const { status, headers, bytes } = await client.call('GET', `${path}/content`);
  expect([status, headers.get('content-type'), headers.get('etag')]).toEqual([
    200,
    'application/zip',
    `"${sha256(bytes)}"`,
  ]);
  const zip = new PizZip(bytes);
  expect(Object.keys(zip.files)).toEqual(['order-1.docx', 'order-3.docx', 'manifest.csv']);
  for (const { file, checksum, row } of manifest.filter((entry) => entry.file !== undefined)) {
    const document = zip.file(file ?? '')?.asUint8Array() ?? new Uint8Array();
    expect(sha256(document)).toBe(checksum);
    expect(docxText(document)).toContain(`Order ${row} of Ada ${row}`);
  }
  const csv = (await client.call('GET', `${path}/manifest`, { headers: { Accept: 'text/csv' } })).bytes.toString();
  expect(csv).toBe(zip.file('manifest.csv')?.asText());
  expect(csv.split('\r\n')[2]).toMatch(/^2,,failed,,,,.+,doc_/);
});

test('a merged PDF has the rows in order, and can be downloaded in ranges', async () => {
  const { client, path, manifest } = await order('pdf', 'pdf', [1, 2, 3, 4, 5].map(item));
  const whole = await client.call('GET', `${path}/content`);
  expect(whole.headers.get('content-type')).toBe(pdfType);
  const pages = (await pdfText(whole.bytes)).split('\f').slice(0, -1);
  expect(pages.map((page) => page.trim())).toEqual([1, 2, 3, 4, 5].map((row) => `Order ${row} of Ada ${row}`));
  expect(manifest.map(({ pages: count }) => count)).toEqual([1, 1, 1, 1, 1]);
  const part = await client.call('GET', `${path}/content`, { headers: { Range: 'bytes=10-19' } });
  expect([part.status, part.bytes.toString('hex')]).toEqual([206, whole.bytes.subarray(10, 20).toString('hex')]);
  const otherClient = await newClient();
  expect((await otherClient.call('GET', `${path}/content`)).status).toBe(404);
});
