import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import { conformingParts, type PdfParts, toPdf } from '../../../support/documents/conforming-pdf.ts';

const limitMs = 60_000;

async function failuresOf(change: (parts: PdfParts) => void): Promise<string[]> {
  const parts = conformingParts();
  change(parts);
  const report = await checkPdf(toPdf(parts), ['PDF/A-2b', 'PDF/UA-1']);
  return [...new Set(report.standards.flatMap(({ failures }) => failures.map(({ rule }) => rule)))];
}

type Objects = PdfParts['objects'];

test.each<[string, (objects: Objects) => Objects]>([
  ['structure', ({ list = '' }) => ({ itemBody: list })],
  ['page tree', () => ({ pages: '<</Type /Pages /Count 2 /Kids [@page @pages]>>' })],
  ['form', () => ({ form: '<</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources @resources>>' })],
  ['parent tree', ({ parents = '' }) => ({ parents: parents.replace('<<', '<</Kids [@parents] ') })],
  [
    'action',
    ({ catalog = '' }) => ({
      action: '<</S /URI /URI (x) /Next [@action @action]>>',
      catalog: catalog.replace('<<', '<</OpenAction @action '),
    }),
  ],
  ['field', ({ annotation = '' }) => ({ annotation: annotation.replace('<<', '<</Parent @annotation ') })],
  ['colour space', ({ image = '' }) => ({ space: '[/Pattern @space]', image: image.replace('/DeviceRGB', '@space') })],
  ['role map', ({ root = '' }) => ({ root: root.replace('/Standard /P', '/Standard /Fancy') })],
  ['reference', () => ({ state: '@state' })],
])('a cycle in the %s does not hang the check', { timeout: limitMs }, async (what, change) => {
  const failures = failuresOf(({ objects, streams }) => {
    Object.assign(objects, change(objects));
    if (what === 'form') streams.form = Buffer.from('/X1 Do /X1 Do');
  });
  expect(Array.isArray(await failures)).toBe(true);
});

test.each([
  ['content', '<</Filter /FlateDecode>>', Buffer.alloc(260 * 1024 * 1024)],
  ['packed', '<</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode>>', Buffer.alloc(70 * 1024 * 1024, 32)],
])('a stream that inflates without end is not read: %s', { timeout: limitMs }, async (name, dictionary, bytes) => {
  const failures = failuresOf(({ objects, streams }) => {
    objects[name] = dictionary;
    streams[name] = deflateSync(bytes, { level: 1 });
  });
  expect(await failures).toEqual(['file-readable']);
});

test('deep nesting does not hang the check', { timeout: limitMs }, async () => {
  for (const change of [
    ({ objects }: PdfParts) => Object.assign(objects, { deep: '['.repeat(200_000) }),
    ({ streams }: PdfParts) => Object.assign(streams, { content: Buffer.from('[<<'.repeat(200_000)) }),
  ])
    expect(Array.isArray(await failuresOf(change))).toBe(true);
});

test('a structure with too many levels is reported', { timeout: limitMs }, async () => {
  const rules = await failuresOf(({ objects }) => {
    const levels = 2_000;
    for (let level = 0; level < levels; level++)
      objects[`level${level}`] =
        `<</Type /StructElem /S /Div /P @document /K [${level === levels - 1 ? '' : `@level${level + 1}`}]>>`;
    objects.document = objects.document?.replace('[@heading', '[@level0 @heading') ?? '';
  });
  expect(rules).toEqual(['structure-readable']);
});
