import { readFileSync } from 'node:fs';
import { validateInvoice } from '@docmill/einvoice';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { type InvoiceSource, makeDocumentInvoice } from '../../src/worker/einvoice/make-document-invoice.ts';

/**
 * Prints the processor time of electronic invoices in milliseconds: validating published test invoices, filling the
 * template of each example, and making its invoice. The processor time of a process depends less on other work of the
 * machine than the time of a clock does.
 */
const warmUps = 200;
const rounds = 15;
const runsPerRound = 20;

/** The lowest and the median processor time of one run, because only other work makes a run slower. */
function measure(act: () => unknown): string {
  for (let run = 0; run < warmUps; run++) act();
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (let run = 0; run < runsPerRound; run++) act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / runsPerRound;
  }).sort((one, other) => one - other);
  return `${times[0]?.toFixed(2)} | ${times[Math.floor(rounds / 2)]?.toFixed(2)}`;
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const examples = (name: string): Buffer => readFileSync(new URL(`../../examples/e-invoices/${name}`, import.meta.url));

print('| step | lowest, ms | median, ms |');
print('| --- | --- | --- |');
for (const name of ['xrechnung-01-01a', 'ubl-invoice', 'cii-example5']) {
  const xml = readFileSync(new URL(`../../packages/einvoice/test/invoices/${name}.xml`, import.meta.url));
  print(`| validate ${name}.xml, ${(xml.length / 1_000).toFixed(0)} kB | ${measure(() => validateInvoice(xml))} |`);
}
for (const [country, profile, syntax] of [
  ['de', 'xrechnung', 'cii'],
  ['de', 'xrechnung', 'ubl'],
  ['fr', 'en16931', 'cii'],
  ['be', 'peppol', 'ubl'],
] as const) {
  const data = examples(`${country}.json`);
  const template = prepareTemplate(examples(`${country}.docx`), 'pdf');
  print(`| fill ${country}.docx | ${measure(() => renderTemplate(template, data))} |`);
  const source: InvoiceSource = { kind: 'mapping', bytes: data, mapping: examples(`${country}.map.json`).toString() };
  const locale = { locale: 'en', timezone: 'UTC' };
  const order = { source, profile, syntax, path: 'output.xml', locale, isTest: false };
  const { xml } = makeDocumentInvoice(order);
  const size = (xml.length / 1_000).toFixed(0);
  const time = measure(() => makeDocumentInvoice(order));
  print(`| map, write and validate the invoice of ${country} in ${syntax.toUpperCase()}, ${size} kB | ${time} |`);
}
