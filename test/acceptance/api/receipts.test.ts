import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { ended, itemsOf } from '../batches/batch-client.ts';
import { formOf } from './form-bodies.ts';

const stack = inject('stack');
const { newClient, operator } = await useService(stack);
const field =
  '<w:p><w:fldSimple w:instr=" DATE \\@ &quot;yyyy-MM-dd HH:mm&quot; "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>';
const template = buildDocx({
  body: `${paragraph('Dear {name}')}${field}${paragraph('{~rich}')}${table([['{#rows}{sku}', '{%qr sku}{/rows}']])}`,
});
const data = { name: 'Ada', rich: '<p>a <b>b</b></p>', rows: [{ sku: 'A-1' }, { sku: 'B-2' }] };
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

let client: TestClient;
let templateId: string;
beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', template)).id;
});

async function job(request: unknown): Promise<string> {
  const answer = await client.start(templateId, request);
  const { id } = answer.json<{ id: string }>();
  const status = async () => (await client.call('GET', `/v1/jobs/${id}`)).json<{ status: string }>().status;
  await expect.poll(status, { timeout: 240_000 }).toMatch(/succeeded|failed/);
  return id;
}

describe('the same request', () => {
  test.each(['docx', 'pdf'])('has the same bytes as %s, in any request and batch', async (format) => {
    const request = { data, output: { format, filename: 'letter' } };
    const content = async (id: string) => (await client.call('GET', `/v1/jobs/${id}/content`)).bytes;
    const digests = new Set([sha256(await content(await job(request)))]);
    const batch = {
      items: Array.from({ length: 5 }, () => ({ data, output: { filename: 'letter' } })),
      output: { format },
      bundle: 'none',
    };
    const accepted = await client.call('POST', `/v1/templates/${templateId}/batches`, { json: batch });
    const { id } = accepted.json<{ id: string }>();
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.generate(templateId, request)));
    for (const answer of answers) digests.add(sha256(answer.bytes));
    expect((await ended(client, id)).counts.succeeded).toBe(5);
    for (const row of await itemsOf(client, id)) digests.add((await receiptOf(row.jobId)).receipt.result.sha256);
    expect(digests.size).toBe(1);
  });

  test('has the date that it requests, with any offset', async () => {
    const make = async (documentDate: string) =>
      (await client.generate(templateId, { data, output: { format: 'pdf', documentDate } })).bytes;
    const made = await make('2026-03-31T22:30:00Z');
    expect(made.toString('latin1')).toContain('(D:20260331223000Z)');
    expect(sha256(await make('2026-04-01T00:30:00.5+02:00'))).toBe(sha256(made));
  });
});

interface ReceiptWithFonts {
  readonly result: { readonly sha256: string };
  readonly fonts: {
    readonly sha256: string;
    readonly installed: string;
    readonly account: readonly { readonly name: string; readonly sha256: string }[];
  };
}

interface Receipt {
  readonly receipt: {
    readonly result: { readonly sha256: string; readonly size: number };
    readonly [name: string]: unknown;
  };
  readonly signature: string;
}

async function receiptOf(id: string): Promise<Receipt> {
  return (await client.call('GET', `/v1/jobs/${id}/receipt`)).json<Receipt>();
}

describe('a receipt', () => {
  test('records how a document was made, and can be verified offline', async () => {
    const text = JSON.stringify(data);
    const id = await job({ data, output: { format: 'pdf', locale: 'de', pdf: { watermark: 'DRAFT' } } });
    const answer = await receiptOf(id);
    const pdf = (await client.call('GET', `/v1/jobs/${id}/content`)).bytes;
    expect(answer.receipt).toMatchObject({
      id,
      template: { id: templateId, version: 1, sha256: sha256(template) },
      data: { sha256: sha256(text) },
      result: { format: 'pdf', sha256: sha256(pdf), size: pdf.length, pages: 1, warnings: 0 },
      options: { locale: 'de', pdf: { watermark: 'DRAFT' } },
      documentDate: expect.stringMatching(/\.000Z$/),
      engine: { name: 'LibreOffice' },
      fonts: {
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        installed: expect.stringMatching(/^[0-9a-f]{64}$/),
        account: [],
      },
      service: { version: expect.stringMatching(/^\d/), node: process.versions.node },
    });
    const keys = await (await fetch(new URL('/.well-known/jwks.json', stack.url))).text();
    const folder = await mkdtemp(join(tmpdir(), 'receipt-'));
    try {
      const files = { receipt: JSON.stringify(answer), key: keys, result: pdf, template, data: text };
      const paths: Record<string, string> = {};
      for (const [name, content] of Object.entries(files)) {
        paths[name] = join(folder, name);
        await writeFile(join(folder, name), content);
      }
      const verdict = await operator.run('verify-receipt', paths);
      const matches = { result: 'matches', template: 'matches', data: 'matches' };
      expect(verdict).toMatchObject({ isValid: true, signature: 'valid', ...matches, receipt: answer.receipt });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('names the fonts of a PDF, on which its bytes depend', async () => {
    const own = await newClient();
    const box = (advance: number) => buildFont({ family: 'Receipt Boxes', advance });
    const send = (font: Buffer) => own.call('POST', '/v1/fonts', { body: formOf([['file', font, 'font.ttf']]) });
    const run =
      '<w:r><w:rPr><w:rFonts w:ascii="Receipt Boxes" w:hAnsi="Receipt Boxes"/></w:rPr><w:t>{name}</w:t></w:r>';
    const { id } = await own.template('boxes.docx', buildDocx({ body: `<w:p>${run}</w:p>` }));
    const receipt = async () => {
      const answer = await own.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } });
      const read = await own.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}/receipt`);
      return read.json<{ readonly receipt: ReceiptWithFonts }>().receipt;
    };
    const uploaded = (await send(box(800))).json<{ readonly id: string }>();
    const first = await receipt();
    expect(first.fonts.account).toEqual([{ name: 'Receipt Boxes', sha256: sha256(box(800)) }]);
    await send(box(400));
    const other = await receipt();
    expect(other.fonts).toMatchObject({ installed: first.fonts.installed, account: [{ sha256: sha256(box(400)) }] });
    expect(other.fonts.sha256).not.toBe(first.fonts.sha256);
    expect(other.result.sha256).not.toBe(first.result.sha256);
    await own.call('DELETE', `/v1/fonts/${uploaded.id}`);
    await send(box(800));
    const again = await receipt();
    const { installed, account } = first.fonts;
    expect(again.fonts).toMatchObject({ installed, account });
    // A font that is uploaded again counts as another font.
    expect(again.fonts.sha256).not.toBe(first.fonts.sha256);
    const repeated = await receipt();
    expect([repeated.fonts, repeated.result.sha256]).toEqual([again.fonts, again.result.sha256]);
    const word = await own.generate(id, { data: { name: 'Ada' } });
    const plain = await own.call('GET', `/v1/jobs/${word.headers.get('Document-Id')}/receipt`);
    expect(plain.json<{ receipt: object }>().receipt).not.toHaveProperty('fonts');
  });

  test('never contains a password', async () => {
    const id = await job({ data, output: { format: 'pdf', pdf: { password: 'open-sesame' } } });
    expect(JSON.stringify(await receiptOf(id))).not.toContain('open-sesame');
  });

  test('does not exist for documents that failed, belong to other accounts, or never existed', async () => {
    const failed = await job({ data: {}, output: { onMissing: 'error' } });
    expectProblem(await client.call('GET', `/v1/jobs/${failed}/receipt`), 404, /has failed; there is no receipt/);
    const id = await job({ data });
    const other = await newClient();
    expectProblem(await other.call('GET', `/v1/jobs/${id}/receipt`), 404);
    expectProblem(await client.call('GET', `/v1/jobs/doc_${'0'.repeat(26)}/receipt`), 404);
  });
});
