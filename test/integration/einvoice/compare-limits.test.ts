import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createDocxPool } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { pdfWithAttachment } from '../../support/documents/pdf-with-attachment.ts';
import { manyCharacters, plainPdf } from '../../support/documents/plain-pdf.ts';
import { logger } from '../pdf/office/office-fixture.ts';

/** Pages that take too much time or memory cost their comparison, never the service. */

const xml = readFileSync('packages/einvoice/test/invoices/cii-example5.xml');
const options = { processes: 1, heapMb: 256, templateCacheBytes: 1_000_000, logger };
const pool = createDocxPool({ ...options, renderTimeoutMs: 240_000, inspectTimeoutMs: 240_000 });
const hasty = createDocxPool({ ...options, renderTimeoutMs: 500, inspectTimeoutMs: 500 });
afterAll(() => Promise.all([pool.close(), hasty.close()]));
const owner = { account: 'acc_1' };

describe('the comparison with pages', () => {
  test('refuses a page with too many glyphs, with the reason', async () => {
    const pdf = plainPdf({ pages: ['A'], drawing: manyCharacters(110_000) });
    const problem = 'the pages have too much text';
    const compared = await pool.compareInvoice({ xml, pdf }, owner);
    expect(compared).toMatchObject({ problem });
    expect(compared.differences).toBeUndefined();
  });

  test('refuses a file that cannot be read with the reason', async () => {
    const pdf = Buffer.from('%PDF-1.4\nnothing');
    expect(await pool.compareInvoice({ xml, pdf }, owner)).toMatchObject({ problem: 'the pages cannot be read' });
  });

  test('ends at its time limit', async () => {
    const shape = '0 0 m 300 200 0 200 300 0 c 10 190 290 10 5 5 c h f* ';
    const pdf = plainPdf({ pages: ['A'], drawing: shape.repeat(400_000) });
    await expect(hasty.compareInvoice({ xml, pdf }, owner)).rejects.toMatchObject({
      code: 'render_limit',
      status: 400,
      message: expect.stringContaining('Comparing the invoice with the pages took longer'),
    });
  });
});

test('the report about a PDF lists what its pages do not show', async () => {
  const report = await pool.inspectInvoice(pdfWithAttachment('factur-x.xml', xml, 'EN 16931'));
  expect(report.findings.filter(({ severity }) => severity === 'fatal')).toEqual([]);
  expect(report.comparison?.differences).toContainEqual(expect.objectContaining({ term: 'BT-1' }));
  expect((await pool.inspectInvoice(xml)).comparison).toBeUndefined();
});
