import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('invoices/', import.meta.url));

/** The invoices of the test suites of EN 16931 and XRechnung, and two of our own in UBL, by name. */
export const sampleInvoices: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).flatMap((file) => {
    const xml = readFileSync(folder + file, 'utf8');
    const name = file.replace('.xml', '');
    return name === 'ubl-invoice'
      ? [
          [name, xml],
          ['ubl-credit-note', toCreditNote(xml)],
        ]
      : [[name, xml]];
  }),
);

export function sampleInvoice(name: string): string {
  const xml = sampleInvoices.get(name);
  if (xml === undefined) throw new Error(`there is no invoice ${name}`);
  return xml;
}

function toCreditNote(xml: string): string {
  return xml
    .replaceAll('ubl:Invoice', 'cn:CreditNote')
    .replace('xmlns:ubl', 'xmlns:cn')
    .replace('xsd:Invoice-2', 'xsd:CreditNote-2')
    .replaceAll('InvoiceLine>', 'CreditNoteLine>')
    .replaceAll('InvoicedQuantity', 'CreditedQuantity')
    .replaceAll('InvoiceTypeCode', 'CreditNoteTypeCode')
    .replace('>380<', '>381<')
    .replace(/ *<cbc:DueDate>.*\n/, '');
}
