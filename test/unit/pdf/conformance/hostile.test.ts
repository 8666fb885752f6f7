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

test.each<[string, (parts: PdfParts) => void]>([
  [
    'structure',
    ({ objects }) => {
      objects.itemBody = objects.list ?? '';
    },
  ],
  [
    'page tree',
    ({ objects }) => {
      objects.pages = '<</Type /Pages /Count 2 /Kids [@page @pages]>>';
    },
  ],
  [
    'form',
    ({ objects, streams }) => {
      objects.form = '<</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources @resources>>';
      streams.form = Buffer.from('/X1 Do /X1 Do');
    },
  ],
  [
    'parent tree',
    ({ objects }) => {
      objects.parents = `<</Kids [@parents] ${objects.parents?.slice(2)}`;
    },
  ],
  [
    'action',
    ({ objects }) => {
      objects.action = '<</S /URI /URI (x) /Next [@action @action]>>';
      objects.catalog = objects.catalog?.replace('<<', '<</OpenAction @action ') ?? '';
    },
  ],
  [
    'field',
    ({ objects }) => {
      objects.annotation = `<</Parent @annotation ${objects.annotation?.slice(2)}`;
    },
  ],
  [
    'colour space',
    ({ objects }) => {
      objects.space = '[/Pattern @space]';
      objects.image = objects.image?.replace('/DeviceRGB', '@space') ?? '';
    },
  ],
  [
    'role map',
    ({ objects }) => {
      objects.root = objects.root?.replace('/Standard /P', '/Standard /Fancy') ?? '';
    },
  ],
  [
    'reference',
    ({ objects }) => {
      objects.state = '@state';
    },
  ],
])('a cycle in the %s ends', { timeout: limitMs }, async (_what, change) => {
  expect(Array.isArray(await failuresOf(change))).toBe(true);
});

test('content that inflates without end is not read', { timeout: limitMs }, async () => {
  const change = ({ objects, streams }: PdfParts): void => {
    objects.content = '<</Filter /FlateDecode>>';
    streams.content = deflateSync(Buffer.alloc(260 * 1024 * 1024), { level: 1 });
  };
  expect(await failuresOf(change)).toEqual(['file-readable']);
});

test('an object stream that inflates without end is not read', { timeout: limitMs }, async () => {
  const change = ({ objects, streams }: PdfParts): void => {
    objects.packed = '<</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode>>';
    streams.packed = deflateSync(Buffer.alloc(70 * 1024 * 1024, 32), { level: 1 });
  };
  expect(await failuresOf(change)).toEqual(['file-readable']);
});

test('deep nesting ends', { timeout: limitMs }, async () => {
  const arrays = await failuresOf(({ objects }) => {
    objects.deep = '['.repeat(200_000);
  });
  expect(Array.isArray(arrays)).toBe(true);
  const content = await failuresOf(({ streams }) => {
    streams.content = Buffer.from('[<<'.repeat(200_000));
  });
  expect(Array.isArray(content)).toBe(true);
});

test('a structure of many levels is reported', { timeout: limitMs }, async () => {
  const rules = await failuresOf(({ objects }) => {
    const levels = 2_000;
    for (let level = 0; level < levels; level++)
      objects[`level${level}`] =
        `<</Type /StructElem /S /Div /P @document /K [${level === levels - 1 ? '' : `@level${level + 1}`}]>>`;
    objects.document = objects.document?.replace('[@heading', '[@level0 @heading') ?? '';
  });
  expect(rules).toEqual(['structure-readable']);
});
