import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildDocx, buildZip, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { failureOf, infoOf, page, textOf, until } from './office-fixture.ts';
import { useOffice } from './pool-for-test.ts';

const office = useOffice({ slots: 2 });
beforeAll(() => until(() => office.pool.status().warm === 2));

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const field = (code: string, cached: string): string =>
  `<w:fldSimple w:instr=" ${code} "><w:r><w:t>${cached}</w:t></w:r></w:fldSimple>`;

describe('a conversion', () => {
  test('puts the text on the page and counts the pages', async () => {
    const docx = buildDocx({
      body: `${paragraph('Invoice 2026-0815')}${table([['Bolt', '3.50']])}${pageBreak}${paragraph('Total')}`,
    });
    const result = await office.pool.convert({ docx });
    const text = await textOf(result.pdf, '-layout');
    expect(text).toContain('Invoice 2026-0815');
    expect(text).toMatch(/Bolt\s+3\.50/);
    expect(result.pages).toBe(2);
    expect(await infoOf(result.pdf)).toMatch(/Pages:\s+2\n/);
  });

  test('updates page numbers', async () => {
    const footer = `<w:p>${field('PAGE', '77')}<w:r><w:t xml:space="preserve"> of </w:t></w:r>${field('NUMPAGES', '99')}</w:p>`;
    const docx = buildDocx({
      body: `${paragraph('one')}${pageBreak}${paragraph('two')}${pageBreak}${paragraph('three')}`,
      footers: [footer],
    });
    const { pdf } = await office.pool.convert({ docx });
    const pages = (await textOf(pdf)).split('\f');
    expect(pages.slice(0, 3).map((text) => /\d+ of \d+/.exec(text)?.[0])).toEqual(['1 of 3', '2 of 3', '3 of 3']);
  });

  test.each([
    ['Größe #7, 50 % (a.b).pdf', 'Größe #7, 50 % (a.b).docx'],
    ['../../etc/passwd.pdf', 'passwd.docx'],
    ['in.pdf', 'in.docx'],
    ['.pdf', 'document.docx'],
    [`${'長'.repeat(99)}.pdf`, '.docx'],
    [undefined, 'document.docx'],
  ])('shows the name of the document: %s', async (filename, name) => {
    const docx = buildDocx({ body: `<w:p>${field('FILENAME', 'cached.docx')}</w:p>` });
    const { pdf } = await office.pool.convert({ docx, filename });
    const text = await textOf(pdf);
    expect(text).toContain(name);
    expect(text).not.toContain('cached');
  });

  test("leaves nothing in the slot's folder", async () => {
    await office.pool.convert({ docx: page('tidy') });
    const [pool = ''] = (await readdir(office.tempDir)).filter((name) => name.startsWith('pool-'));
    const slots = (await readdir(join(office.tempDir, pool))).filter((name) => name.startsWith('slot-'));
    expect(slots).toHaveLength(2);
    for (const slot of slots) {
      await until(async () => (await readdir(join(office.tempDir, pool, slot, 'jobs'))).length === 0);
    }
  });

  test('keeps eight concurrent documents apart', async () => {
    const canaries = Array.from({ length: 8 }, (_unused, i) => `canary-${i}-${'abcdefgh'[i]}`);
    const documents = canaries.map((canary, i) =>
      buildDocx({ body: paragraph(canary).repeat(1 + i * 40) + table([[canary, 'x']]) }),
    );
    for (let round = 0; round < 3; round++) {
      const results = await Promise.all(documents.map((docx) => office.pool.convert({ docx })));
      for (const [i, { pdf }] of results.entries()) {
        const found = new Set((await textOf(pdf)).match(/canary-\d-[a-h]/g));
        expect([...found]).toEqual([canaries[i]]);
      }
    }
  });
});

describe('a file that is not Word OOXML', () => {
  const fodt =
    '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text/></office:body></office:document>';
  const fakes: [string, Uint8Array][] = [
    ['HTML', Buffer.from('<html><body>hello</body></html>')],
    ['RTF', Buffer.from('{\\rtf1\\ansi hello}')],
    ['flat ODT', Buffer.from(fodt)],
    [
      'ODT',
      buildZip(
        new Map([
          ['mimetype', 'application/vnd.oasis.opendocument.text'],
          ['content.xml', fodt],
        ]),
      ),
    ],
    ['plain text', Buffer.from('hello')],
    ['nothing', new Uint8Array()],
    ['half a package', page('half').subarray(0, 400)],
    ['broken XML', buildDocx({ parts: { 'word/document.xml': '<w:document' } })],
  ];

  test.each(fakes)('is rejected without harm: %s', async (_name, docx) => {
    const error = await failureOf(office.pool.convert({ docx }));
    expect(error).toMatchObject({ code: 'conversion_failed', status: 400, slotLost: false, retry: false });
    expect(office.pool.status()).toMatchObject({ warm: 2, kills: 0, restarts: 0 });
  });

  test('is rejected without a retry if it needs more temporary space than its slot has', async () => {
    // The jail gives each slot 256 MB, and a .docx is expected to need eight times its size.
    expect(office.pool.status().jail).toMatch(/^bubblewrap/);
    const docx = buildDocx({ body: paragraph('x'), parts: { 'word/media/noise.bin': randomBytes(32 * 1024 * 1024) } });
    const error = await failureOf(office.pool.convert({ docx }));
    expect(error).toMatchObject({ code: 'conversion_failed', status: 400, slotLost: false, retry: false });
    expect(error).toMatchObject({ message: expect.stringContaining('temporary space') });
    expect((await office.pool.convert({ docx: page('next') })).pages).toBe(1);
    expect(office.pool.status()).toMatchObject({ warm: 2, kills: 0, restarts: 0 });
  });
});
