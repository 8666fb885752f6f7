import { PDF, PdfString } from '@libpdf/core';
import { expect, test } from 'vitest';
import { attachFiles } from '../../../../src/worker/pdf/attach/attach-files.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';

test('names are in the order of their bytes: of two that begin alike, the shorter is first', async () => {
  const names = ['order.xml.sig', 'order.xml', 'Ordnung', 'ä', 'order', '🖂'];
  const files = names.map((name) => ({ name, mediaType: 'text/plain', bytes: Buffer.from(name) }));
  const { context } = await PDF.load(attachFiles(plainPdf({ pages: ['x'] }), files, new Date(0)));
  const resolve = context.resolve.bind(context);
  const catalog = context.catalog.getDict();
  const tree = catalog.getDict('Names', resolve)?.getDict('EmbeddedFiles', resolve)?.getArray('Names', resolve);
  const written = [...(tree ?? [])].flatMap((value) => (value instanceof PdfString ? [Buffer.from(value.bytes)] : []));
  expect(written).toHaveLength(names.length);
  expect(written).toEqual([...written].sort(Buffer.compare));
});
