import { expect, test } from 'vitest';
import { type BatchInput, createBatchBody } from '../../../../clients/typescript/src/batch-body.ts';

test('column formats are sent with CSV rows only', async () => {
  const columnFormats = { total: 'decimalComma', 'customer.since': 'dayFirst' } as const;
  const { query } = await createBatchBody({ csv: 'total,customer.since\n1,\n' }, { columnFormats });
  expect(query.columnFormats).toBe('total:decimalComma,customer.since:dayFirst');
  expect((await createBatchBody({ csv: 'total\n1\n' }, {})).query.columnFormats).toBeUndefined();
  const others: readonly BatchInput[] = [[{ data: {} }], { ndjson: '{}' }, { items: '[]' }, () => [{}]];
  for (const rows of others)
    await expect(createBatchBody(rows, { columnFormats })).rejects.toThrow('needs the rows as { csv }');
});

test('options of a .docx that no query has need the rows as items', async () => {
  const output = { docx: { contentControls: 'lock', protection: { mode: 'readOnly' } } } as const;
  const message = 'output.docx.protection needs the rows as an array of { data }';
  await expect(createBatchBody({ csv: 'a\n1' }, { output })).rejects.toThrow(message);
  const { query } = await createBatchBody({ csv: 'a\n1' }, { output: { docx: { contentControls: 'lock' } } });
  expect(query).toMatchObject({ contentControls: 'lock' });
});

test('CSV can ask for invoices, but not for other options of a PDF', async () => {
  const csv = 'number\n1';
  const invoice = { format: 'zugferd', profile: 'basic', relationship: 'Source', onDifference: 'warn' } as const;
  const { query } = await createBatchBody({ csv }, { output: { format: 'pdf', pdf: { invoice } } });
  expect(query).toMatchObject({
    format: 'pdf',
    invoiceFormat: 'zugferd',
    invoiceProfile: 'basic',
    invoiceRelationship: 'Source',
    invoiceOnDifference: 'warn',
  });
  const alone = await createBatchBody(
    { csv },
    { output: { format: 'xml', xml: { profile: 'peppol', syntax: 'ubl' } } },
  );
  expect(alone.query).toMatchObject({ format: 'xml', invoiceProfile: 'peppol', invoiceSyntax: 'ubl' });
  const output = { format: 'pdf', pdf: { invoice, watermark: 'DRAFT' } } as const;
  await expect(createBatchBody({ csv }, { output })).rejects.toThrow('output.pdf.watermark needs the rows as an array');
});
