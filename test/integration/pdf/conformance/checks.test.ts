import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import {
  type ConformancePool,
  createConformancePool,
} from '../../../../src/worker/pdf/conformance/conformance-pool.ts';
import { requestedStandards, type Standard } from '../../../../src/worker/pdf/conformance/standards.ts';
import { normalizePdf } from '../../../../src/worker/pdf/normalize/normalize-pdf.ts';
import { protectPdf } from '../../../../src/worker/pdf/protect/protect-pdf.ts';
import { conformingParts, toPdf } from '../../../support/documents/conforming-pdf.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { drawing, png } from '../office/hostile-docx.ts';
import { logger } from '../office/office-fixture.ts';
import { useOffice } from '../office/pool-for-test.ts';

const office = useOffice();

/** Rules that the PDF of a .docx breaks, by standard. */
async function brokenRules(docx: Uint8Array, options: PdfOptions): Promise<Partial<Record<Standard, string[]>>> {
  const converted = await office.pool.convert({ docx, pdf: options, filename: 'Offer 7.pdf' });
  const pdf = normalizePdf(converted.pdf, new Date('2026-01-02T03:04:05Z'), options.archive);
  const { standards } = await checkPdf(pdf, requestedStandards(options), options.password);
  return Object.fromEntries(standards.map(({ standard, failures }) => [standard, failures.map(({ rule }) => rule)]));
}

/** Filled as by the service, which gives every document dates; LibreOffice writes invalid ones otherwise. */
const text = renderTemplate(
  prepareTemplate(buildDocx({ body: paragraph('Good {time}') }), 'pdf'),
  Buffer.from('{"time":"day"}'),
  {
    documentDate: '2026-01-02T03:04:05Z',
  },
).file;

describe('a PDF that LibreOffice writes', () => {
  test.each(['PDF/A-2b', 'PDF/A-2u', 'PDF/A-3b'] as const)('conforms to %s', async (archive) => {
    expect(await brokenRules(text, { archive })).toEqual({ [archive]: [] });
  });

  test('conforms to PDF/UA, with the file name as its title', async () => {
    expect(await brokenRules(text, { accessible: true })).toEqual({ 'PDF/UA-1': [] });
  });

  test('conforms to two standards at once', async () => {
    const rules = await brokenRules(text, { accessible: true, archive: 'PDF/A-2b' });
    expect(rules).toEqual({ 'PDF/A-2b': [], 'PDF/UA-1': [] });
  });

  test('still conforms with a password or permissions, and is checked with them', async () => {
    const { pdf } = await office.pool.convert({ docx: text, pdf: { accessible: true }, filename: 'Offer 7.pdf' });
    for (const protection of [{ password: 'secret' }, { permissions: { copying: false } }]) {
      const bytes = await protectPdf(pdf, protection, { timeoutMs: 240_000 });
      const { standards } = await checkPdf(bytes, ['PDF/UA-1'], protection.password);
      expect(standards[0]?.failures).toEqual([]);
      const archive = await checkPdf(bytes, ['PDF/A-2b'], protection.password);
      expect(archive.standards[0]?.failures.map(({ rule }) => rule)).toContain('file-encrypted');
      if (protection.password === undefined) continue;
      const closed = await checkPdf(bytes, ['PDF/UA-1']);
      expect(closed.standards[0]?.failures.map(({ rule }) => rule)).toEqual(['file-readable']);
    }
  });

  test('fails for a picture without alternative text', async () => {
    const rels = [{ id: 'rIdX', type: 'image', target: 'media/dot.png' }];
    const parts = { 'word/media/dot.png': png(2, 2, Buffer.alloc(12)) };
    const docx = buildDocx({ body: paragraph('x') + drawing('<a:blip r:embed="rIdX"/>'), rels, parts });
    expect(await brokenRules(docx, { accessible: true })).toEqual({ 'PDF/UA-1': ['figure-alt'] });
  });

  test('fails for headings that begin below the first level', async () => {
    const heading = '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>Deep</w:t></w:r></w:p>';
    const docx = buildDocx({ body: heading + paragraph('x') });
    expect(await brokenRules(docx, { accessible: true })).toEqual({ 'PDF/UA-1': ['heading-first'] });
  });

  test.each(readdirSync('examples').filter((name) => name.endsWith('.docx')))(
    'is an accessible archive for the example %s',
    async (name) => {
      const rules = await brokenRules(readFileSync(`examples/${name}`), { archive: 'PDF/A-2b', accessible: true });
      expect(rules).toEqual({ 'PDF/A-2b': [], 'PDF/UA-1': [] });
    },
  );
});

describe('the processes that check', () => {
  const start = (limits: { timeLimitMs?: number; memoryLimitBytes?: number } = {}): ConformancePool => {
    const pool = createConformancePool({ processes: 1, logger, timeLimitMs: 240_000, ...limits });
    onTestFinished(() => pool.close());
    return pool;
  };
  const good = toPdf(conformingParts());
  const standards = ['PDF/A-2b', 'PDF/UA-1'] as const;

  test('return what a check in the same process returns', async () => {
    expect(await start().check({ pdf: good, standards })).toEqual(await checkPdf(good, standards));
  });

  test.each([
    ['time', { timeLimitMs: 1 }],
    ['memory', { memoryLimitBytes: 1 }],
  ])('end at the limit of %s, and the next file is checked', async (_what, limits) => {
    const pool = start(limits);
    const slow = conformingParts();
    slow.streams.content = Buffer.from('q Q '.repeat(4_000_000));
    for (const _attempt of [1, 2]) {
      const { passed, standards: reports } = await pool.check({ pdf: toPdf(slow), standards });
      expect(passed).toBe(false);
      const broken = reports.map(({ failures }) => failures.map(({ rule }) => rule));
      expect(broken).toEqual([['file-readable'], ['file-readable']]);
    }
  });
});
