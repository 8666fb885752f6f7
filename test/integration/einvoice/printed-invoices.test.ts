import { invoiceModel, makeInvoice } from '@docmill/einvoice';
import { beforeAll, expect, test } from 'vitest';
import type { InvoiceDifference } from '../../../src/worker/einvoice/pages/difference.ts';
import { findDifferences } from '../../../src/worker/einvoice/pages/find-differences.ts';
import { readPrintedPages } from '../../../src/worker/einvoice/pages/read-printed-pages.ts';
import { type Pdfium, startPdfium } from '../../../src/worker/pdf/compare/pdfium.ts';
import { languages } from '../../support/einvoice/invoice-words.ts';
import { Chance, makePrintedInvoice, type PrintedInvoiceCase } from '../../support/einvoice/printed-invoice.ts';
import { seeds } from '../../support/einvoice/seeded-differences.ts';
import { volume } from '../../support/extended.ts';
import { useDirectConverter } from '../pdf/direct/direct-converter.ts';
import { useOffice } from '../pdf/office/pool-for-test.ts';

/** Invoices and their pages are equal, or each value that differs is found. */

const convertDirectly = useDirectConverter();
const office = useOffice();
let pdfium: Pdfium;
beforeAll(async () => {
  pdfium = await startPdfium();
});

const perLanguage = volume(12, 24);
/** Different ones in each invoice, so that all kinds are tried in turn. */
const seedsOfEach = volume(2, 6);

function xmlOf({ model }: PrintedInvoiceCase): string {
  const { xml, wrong } = makeInvoice(invoiceModel.parse(model), 'en16931', 'cii');
  expect(wrong).toEqual([]);
  return xml;
}

const compare = (xml: string, pdf: Uint8Array, locale?: string): readonly InvoiceDifference[] =>
  findDifferences(xml, readPrintedPages(pdfium, pdf), locale) ?? [];

const names = Object.keys(seeds);

test.each(languages.map(({ locales: [locale] }, index) => [locale, index] as const))(
  'pages in %s equal their invoices, and seeded differences are found',
  (_, language) => {
    const tried = new Set<string>();
    let laidOut = 0;
    for (let number = 0; number < perLanguage; number++) {
      const seed = number * languages.length + language;
      const printed = makePrintedInvoice(seed);
      const xml = xmlOf(printed);
      const pdf = convertDirectly(printed.print(printed.values));
      if (pdf === undefined) continue;
      laidOut++;
      expect(compare(xml, pdf, printed.locale), `invoice ${seed}`).toEqual([]);
      expect(compare(xml, pdf), `invoice ${seed} in an unknown locale`).toEqual([]);
      for (let each = 0; each < seedsOfEach; each++) {
        const name = names[(number * seedsOfEach + each) % names.length] ?? '';
        const seeded = seeds[name]?.(printed, new Chance(seed * 31 + each));
        const changed = seeded && convertDirectly(printed.print(seeded.values));
        if (seeded === undefined || changed === undefined) continue;
        tried.add(name);
        const found = compare(xml, changed, printed.locale).flatMap(({ term, line }) => [term, `line ${line}`]);
        expect(
          found.some((place) => seeded.found.includes(place)),
          `${name} in invoice ${seed}: ${found}`,
        ).toBe(true);
      }
    }
    // LibreOffice lays out the others: no-break spaces near the end of a line, for instance.
    expect(laidOut).toBeGreaterThan(perLanguage * 0.4);
    expect(tried.size).toBeGreaterThan(Math.min(names.length, perLanguage * seedsOfEach) * 0.4);
  },
);

test('pages of LibreOffice equal their invoices, too', async () => {
  for (let seed = 1_000; seed < 1_000 + volume(5, 8); seed++) {
    const printed = makePrintedInvoice(seed);
    const xml = xmlOf(printed);
    const { pdf } = await office.pool.convert({ docx: printed.print(printed.values), refresh: false });
    expect(compare(xml, pdf, printed.locale), `invoice ${seed}`).toEqual([]);
    const seeded = seeds['white text']?.(printed, new Chance(seed));
    if (seeded === undefined) continue;
    const changed = await office.pool.convert({ docx: printed.print(seeded.values), refresh: false });
    const found = compare(xml, changed.pdf, printed.locale).flatMap(({ term, line }) => [term, `line ${line}`]);
    expect(
      found.some((place) => seeded.found.includes(place)),
      `invoice ${seed}: ${found}`,
    ).toBe(true);
  }
});
