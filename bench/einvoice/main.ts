import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectConverter } from '@docmill/layout';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { findEmbeddedInvoice } from '../../src/worker/einvoice/embedded-invoice.ts';
import { inspectInvoice } from '../../src/worker/einvoice/inspect-invoice.ts';
import { makeDocumentInvoice } from '../../src/worker/einvoice/make-document-invoice.ts';
import { comparePages } from '../../src/worker/einvoice/pages/compare-pages.ts';
import { fontSettings } from '../../src/worker/pdf/office/font-settings.ts';

/**
 * `node --import tsx --conditions=docmill-source bench/einvoice/main.ts [folder]` measures the processor time of the
 * example invoices: filled, laid out directly and made as XML, and of the comparison of their pages. With a folder of
 * hybrid PDFs it also prints their verdicts and differences.
 */
const rounds = 200;
const warmUp = 40;
const examples = [
  ['de', 'de-DE'],
  ['at', 'de-AT'],
  ['fr', 'fr-FR'],
  ['be', 'nl-BE'],
  ['it', 'it-IT'],
  ['es', 'es-ES'],
] as const;

const temporary = mkdtempSync(join(tmpdir(), 'docmill-einvoice-'));
const settings = join(temporary, 'fonts.conf');
writeFileSync(settings, fontSettings({ drawsPictureFonts: true }));
const converter = await openDirectConverter(settings);
rmSync(temporary, { recursive: true });

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

console.log('| example | without the comparison, ms | the comparison, ms | both |\n| --- | --- | --- | --- |');
for (const [country, locale] of examples) {
  const file = (end: string): Buffer => readFileSync(`examples/e-invoices/${country}${end}`);
  const data = file('.json');
  const mapping = file('.map.json').toString();
  const template = prepareTemplate(file('.docx'), 'pdf');
  const order = {
    profile: 'en16931',
    syntax: 'cii',
    path: '',
    isTest: false,
    locale: { locale, timezone: 'UTC' },
  } as const;
  let [without, comparison] = [0, 0];
  for (let round = 0; round < warmUp + rounds; round++) {
    const start = processorMs();
    const { xml } = makeDocumentInvoice({ ...order, source: { kind: 'mapping', bytes: data, mapping } });
    const { file: docx } = renderTemplate(template, data, { locale });
    const { pdf } = converter.convert(openPackage(docx), {});
    const middle = processorMs();
    const { differences } = await comparePages({ xml, pdf, locale });
    if (differences?.length !== 0) throw new Error(`${country}: the pages differ from the invoice`);
    if (round < warmUp) continue;
    without += middle - start;
    comparison += processorMs() - middle;
  }
  const shown = [without, comparison, without + comparison].map((ms) => (ms / rounds).toFixed(1));
  console.log(`| ${country} | ${shown.join(' | ')} |`);
}

const [, , folder] = process.argv;
if (folder !== undefined) {
  console.log('\n| file | rules | differences |\n| --- | --- | --- |');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.pdf'))) {
    const pdf = readFileSync(join(folder, name));
    const { invoice } = await inspectInvoice(pdf);
    const embedded = await findEmbeddedInvoice(pdf);
    const { differences = [] } = embedded === undefined ? {} : await comparePages({ xml: embedded.xml, pdf });
    const fatal = invoice.findings.filter(({ severity }) => severity === 'fatal').map(({ id }) => id);
    const differing = (differences ?? []).map(
      ({ term, line, expected, found }) =>
        `${term}${line === undefined ? '' : ` of line ${line}`}: ${expected}, ${found === undefined ? 'not on the pages' : `pages: ${found}`}`,
    );
    const rules = fatal.length === 0 ? 'valid' : [...new Set(fatal)].join(', ');
    console.log(`| ${name.replace(/\.pdf$/, '')} | ${rules} | ${differing.join('; ') || 'none'} |`);
  }
}
