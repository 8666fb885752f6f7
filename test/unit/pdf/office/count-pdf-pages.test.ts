import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { countPdfPages } from '../../../../src/worker/pdf/office/count-pdf-pages.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A PDF with a cross-reference table for these objects, where object n is entry n - 1. */
function withTable(objects: readonly string[], trailer: string): string {
  let text = '%PDF-1.6\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${`${offset}`.padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<<${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
}

const simple = (count: number, more = ''): string =>
  withTable(
    ['<</Type/Catalog/Pages 2 0 R/PageMode/UseNone>>', `<</Type/Pages/Kids[]/Count ${count}>>`],
    `/Size 3/Root 1 0 R${more}`,
  );

/** A PDF whose catalogue and page tree are in an object stream, with a cross-reference stream (PDF 1.5). */
function withStreams(predict: (rows: Buffer) => { data: Buffer; parms: string }, trailer = ''): Buffer {
  const catalogue = '<</Type/Catalog/Pages 2 0 R>>';
  const tree = '<</Type/Pages/Kids[]/Count 12>>';
  const inner = `1 0 2 ${catalogue.length + 1} `;
  const content = deflateSync(bytes(`${inner}${catalogue} ${tree}`));
  const head = bytes('%PDF-1.7\n');
  const container = stream(3, `/Type/ObjStm/N 2/First ${inner.length}`, content);
  const rows = Buffer.from(
    [
      [0, 0, 0, 0],
      [2, 0, 3, 0],
      [2, 0, 3, 1],
      [1, 0, head.length, 0],
      [1, 0, head.length + container.length, 0],
    ].flat(),
  );
  const { data, parms } = predict(rows);
  const table = stream(4, `/Type/XRef/Size 5/W[1 2 1]/Root 1 0 R${parms}${trailer}`, deflateSync(data));
  const start = head.length + container.length;
  return Buffer.concat([head, container, table, bytes(`startxref\n${start}\n%%EOF`)]);
}

function stream(number: number, dictionary: string, content: Buffer): Buffer {
  const head = `${number} 0 obj\n<<${dictionary}/Filter/FlateDecode/Length ${content.length}>>stream\n`;
  return Buffer.concat([bytes(head), content, bytes('\nendstream\nendobj\n')]);
}

const plain = (rows: Buffer): { data: Buffer; parms: string } => ({ data: rows, parms: '' });

function predictUp(rows: Buffer): { data: Buffer; parms: string } {
  const lines: Buffer[] = [];
  for (let at = 0; at < rows.length; at += 4) {
    const line = Buffer.from(
      rows.subarray(at, at + 4).map((byte, i) => byte - (at === 0 ? 0 : (rows[at - 4 + i] ?? 0))),
    );
    lines.push(Buffer.from([2]), line);
  }
  return { data: Buffer.concat(lines), parms: '/DecodeParms<</Predictor 12/Columns 4>>' };
}

describe('the pages of a complete PDF', () => {
  test('are counted from the page tree, not from text that looks like a page', () => {
    const decoy = '<</Type/Annot/A<</URI(http://x/Type/Page/Count 99)>>>>';
    const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[4 0 R]/Count 7>>', decoy];
    expect(countPdfPages(bytes(withTable(objects, '/Size 4/Root 1 0 R')))).toBe(7);
  });

  test('are found if the newest section of an updated file has the page tree', () => {
    const first = simple(1);
    const oldStart = /startxref\n(\d+)/.exec(first)?.[1];
    const offset = `${first.length}`.padStart(10, '0');
    const object = '2 0 obj\n<</Type/Pages/Kids[]/Count 3>>\nendobj\n';
    const table = `xref\n2 1\n${offset} 00000 n \ntrailer\n<</Size 3/Root 1 0 R/Prev ${oldStart}>>\n`;
    expect(countPdfPages(bytes(`${first}${object}${table}startxref\n${first.length + object.length}\n%%EOF\n`))).toBe(
      3,
    );
  });

  test('are found in object streams, with and without prediction', () => {
    expect(countPdfPages(withStreams(plain))).toBe(12);
    expect(countPdfPages(withStreams(predictUp))).toBe(12);
  });

  test('may be zero', () => {
    expect(countPdfPages(bytes(simple(0)))).toBe(0);
  });
});

describe('an incomplete or hostile PDF', () => {
  const whole = simple(5);
  test.each([
    ['nothing', ''],
    ['another format', '<html></html>'],
    ['a lost end', whole.slice(0, -20)],
    ['a lost half', whole.slice(0, whole.length / 2)],
    ['a lost beginning', whole.slice(12)],
    ['an end marker alone', '%PDF-1.6\nstartxref\n0\n%%EOF'],
    ['an offset past the end', whole.replace(/startxref\n\d+/, 'startxref\n99999')],
    ['a catalogue that is another object', whole.replace('1 0 obj', '8 0 obj')],
  ])('has no pages: %s', (_name, text) => {
    expect(countPdfPages(bytes(text))).toBeUndefined();
  });

  test('is read once if one of its sections points at itself', () => {
    const start = /startxref\n(\d+)/.exec(whole)?.[1];
    expect(countPdfPages(bytes(whole.replace('/Size 3', `/Prev ${start}/Size 3`)))).toBe(5);
  });

  const lying = (dictionary: string, content: Buffer): Buffer => {
    const head = bytes('%PDF-1.7\n');
    return Buffer.concat([head, stream(1, dictionary, content), bytes(`startxref\n${head.length}\n%%EOF`)]);
  };
  test.each<[string, () => Buffer]>([
    ['a table of more entries than it holds', () => bytes(whole.replace('xref\n0 3', 'xref\n0 9999999999999'))],
    ['entries of no length', () => lying('/Type/XRef/Size 9999999999999/W[0 0 0]/Root 1 0 R', deflateSync(bytes('x')))],
    ['numbers of twenty bytes', () => lying('/Type/XRef/Size 9/W[20 1 1]/Root 1 0 R', deflateSync(Buffer.alloc(999)))],
    [
      'millions of entries in a few bytes',
      () => lying('/Type/XRef/Size 99999999/W[1 1 1]/Root 1 0 R', deflateSync(Buffer.alloc(50_000_000, 1))),
    ],
    ['more pages than bytes', () => bytes(simple(4_000_000_000))],
  ])('is rejected: %s', (_name, make) => {
    expect(countPdfPages(make())).toBeUndefined();
  });

  test('is rejected if its sections overlap', () => {
    const catalogue = '<</Type/Catalog/Pages 2 0 R/X(xref)>>';
    const prev = bytes(simple(5)).indexOf('<<') + catalogue.indexOf('xref');
    const pdf = withTable([catalogue, '<</Type/Pages/Kids[]/Count 5>>'], `/Size 3/Root 1 0 R/Prev ${prev}`);
    expect(pdf.slice(prev, prev + 4)).toBe('xref');
    expect(countPdfPages(bytes(pdf))).toBeUndefined();
  });
});
