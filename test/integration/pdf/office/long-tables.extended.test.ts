import { describe, expect, test } from 'vitest';
import type { Joint } from '../../../../packages/layout/src/long-tables/choose-joints.ts';
import type { RowHeight } from '../../../../packages/layout/src/long-tables/predict-joints.ts';
import { createLogger } from '../../../../src/shared/logger.ts';
import {
  type PredictJoints,
  predictInProcess,
} from '../../../../src/worker/pdf/office/long-tables/predict-in-process.ts';
import { buildDocx, type DocxInput } from '../../../support/documents/docx-builder.ts';
import { longTable, longTableDocuments } from '../../../support/documents/long-tables.ts';
import { failureOf, textOf } from './office-fixture.ts';
import { differingPages } from './page-pictures.ts';
import { engines, poolForTest, useOffice } from './pool-for-test.ts';

// Short enough to compare 30 kinds of tables.
const office = useOffice({ slots: 2, longTableRows: 300 });

/** Fine enough for a line that is missing or moved; drawing the pages takes most of the time of these tests. */
const familyDpi = 72;

/** Accessible documents keep their tables whole, and look the same. */
const whole = (docx: Uint8Array) => office.pool.convert({ docx, pdf: { accessible: true } });

/** Both PDFs of a document whose pages are the same, laid out in parts and at once. */
async function convertBothWays(input: DocxInput, dpi?: number) {
  const docx = buildDocx(input);
  const [result, reference] = await Promise.all([office.pool.convert({ docx }), whole(docx)]);
  expect(await differingPages(result.pdf, reference.pdf, dpi)).toEqual([]);
  return { result, reference };
}

describe('a long table has the same pages as when LibreOffice lays it out at once:', () => {
  test.each(Object.entries(longTableDocuments))('%s', async (_, document) => {
    const { isWhole, ...input } = document(340);
    const { result, reference } = await convertBothWays(input, familyDpi);
    expect(reference.tableParts).toBe(0);
    expect(result.tableParts > 0).toBe(isWhole !== true);
    expect(result.pages).toBe(reference.pages);
  });
});

test('a table of 2,000 rows, laid out as in production, has every row once, in order', async () => {
  const { pool } = await poolForTest();
  const docx = buildDocx({
    body: `${longTable({ rows: 2_000, header: [['No.', 'Item', 'Quantity', 'Price']] })}<w:p/>`,
  });
  const { pdf, tableParts } = await pool.convert({ docx });
  const numbers = [...(await textOf(pdf, '-layout')).matchAll(/^ *(\d+) +Item number/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1));
  expect(tableParts).toBeGreaterThan(3);
});

test('rows of different heights, laid out in several rounds, have the pages of the whole table', async () => {
  const { result } = await convertBothWays({ ...longTableDocuments['rows of different heights']?.(800) });
  expect(result.tableParts).toBeGreaterThan(5);
});

describe('predicted page ends', () => {
  const words = 'lorem ipsum dolor sit amet consectetur adipiscing'.split(' ');
  const cells = (row: number): string[] => [
    `${row}`,
    row % 29 === 28
      ? (uncertain[row % uncertain.length] ?? '')
      : Array.from({ length: 1 + ((row * row) % 13) }, (_, i) => `${words[(row + i * i) % 7]}${row % 97}`).join(' '),
    `${row}.50`,
    'x',
  ];
  /**
   * Each has a line end that is too close to call, and that LibreOffice 25.2 or 7.4 decides otherwise than computed.
   */
  const uncertain = [
    'Item 16602866 ut elit ipsum sit do7794 amet7794 sit adipiscing do consectetur consectetur consectetur7794 ut eiusmod elit incididunt dolor7794 lorem7794 ut',
    'Item 16603739 ut elit consectetur elit do8667 amet8667 sit adipiscing ut8667 consectetur consectetur do ut eiusmod elit incididunt dolor8667 lorem8667 ut',
    'Item 25006871 amet ut tempor ut amet labore ut incididunt4560 amet lorem tempor lorem sed',
    'Item 25007162 amet ut tempor ut amet labore ut incididunt4851 amet lorem tempor lorem sed',
  ];
  const header = [['No.', 'Item', 'Price', '']];
  // So many that some pages end between two rows.
  const rowProperties = (row: number): string => (row % 3 === 0 ? '' : '<w:cantSplit/>');
  const docx = buildDocx({ body: `${longTable({ rows: 900, header, cells, rowProperties })}<w:p/>` });

  test.each(engines)('are those of the whole table in $name', async ({ sofficePath }) => {
    const lines: string[] = [];
    const logger = createLogger('debug', 'long-tables', (line) => lines.push(line));
    const asked: (readonly RowHeight[])[] = [];
    const predictJoints: PredictJoints = (docx, request, ...rest) => {
      asked.push(request.table.measured);
      return predictInProcess(docx, request, ...rest);
    };
    const { pool } = await poolForTest({ longTableRows: 300, sofficePath, logger, predictJoints });
    const result = await pool.convert({ docx });
    const reference = await pool.convert({ docx, pdf: { accessible: true } });
    // Once as computed, once more with the heights that were measured.
    expect(lines.filter((line) => line.includes('are predicted'))).toHaveLength(2);
    expect(asked.map((measured) => measured.length > 0)).toEqual([false, true]);
    expect(result.tableParts).toBeGreaterThan(4);
    expect(await differingPages(result.pdf, reference.pdf, familyDpi)).toEqual([]);
  });

  test('are discarded when one of them is wrong', async () => {
    const ways: Readonly<Record<string, (joint: Joint) => Joint>> = {
      'a row too early': (joint) => ({ ...joint, row: joint.row - 1 }),
      'a row too late': (joint) => ({ ...joint, row: joint.row + 1 }),
      'a page too late': (joint) => ({ ...joint, pages: joint.pages + 1 }),
      'behind a row of another height': (joint) => ({ ...joint, depth: joint.depth + 474 }),
    };
    const asked = new Set<string>();
    let way = '';
    const predictJoints: PredictJoints = async (...request) => {
      asked.add(way);
      const prediction = await predictInProcess(...request);
      const wrong = prediction?.joints[1];
      if (prediction === null || wrong === undefined) return null;
      return { ...prediction, joints: prediction.joints.with(1, ways[way]?.(wrong) ?? wrong) };
    };
    const { pool } = await poolForTest({ longTableRows: 300, predictJoints });
    const reference = await whole(docx);
    for (way of Object.keys(ways)) {
      const result = await pool.convert({ docx });
      expect(await differingPages(result.pdf, reference.pdf, familyDpi), way).toEqual([]);
    }
    expect([...asked]).toEqual(Object.keys(ways));
  });
});

test('rows that a short cell makes higher, far below the first ones, have the pages of the whole table', async () => {
  const large = '<w:p><w:r><w:rPr><w:sz w:val="60"/></w:rPr><w:t>2</w:t></w:r></w:p>';
  const cells = (row: number): string[] => [
    `${row}`,
    'of several words '.repeat((row * row) % 7),
    row > 350 && row % 9 === 0 ? large : '2',
    '3.50',
  ];
  const { result } = await convertBothWays({ body: `${longTable({ rows: 700, cells })}<w:p/>` }, familyDpi);
  expect(result.tableParts).toBeGreaterThan(2);
});

test('a short table is not divided', async () => {
  const { tableParts } = await office.pool.convert({ docx: buildDocx({ body: `${longTable({ rows: 200 })}<w:p/>` }) });
  expect(tableParts).toBe(0);
});

test('a table that must stay whole and is too long is refused at once, and the slot is kept', async () => {
  const { pool } = await poolForTest({ convertTimeoutMs: 20_000 });
  const floating = '<w:tblpPr w:leftFromText="141" w:vertAnchor="text" w:tblpY="1"/><w:tblW w:w="9600" w:type="dxa"/>';
  const docx = buildDocx({ body: `${longTable({ rows: 9_000, properties: floating })}<w:p/>` });
  const error = await failureOf(pool.convert({ docx }));
  expect(error).toMatchObject({ code: 'conversion_failed', status: 400, slotLost: false, retry: false });
  expect(error).toMatchObject({
    message: expect.stringMatching(/^Table 1 of the document has 9,?000 rows, .* it floats/),
  });
  const accessible = pool.convert({
    docx: buildDocx({ body: `${longTable({ rows: 9_000 })}<w:p/>` }),
    pdf: { accessible: true },
  });
  expect(await failureOf(accessible)).toMatchObject({
    status: 400,
    message: expect.stringContaining('accessible PDFs'),
  });
  expect(pool.status().kills).toBe(0);
  expect((await pool.convert({ docx: buildDocx() })).pages).toBe(1);
});
