import type { z } from 'zod';
import type { invoiceModel } from '../src/model/invoice.ts';

export type InvoiceInput = z.input<typeof invoiceModel>;

const address = { line1: 'Hauptstraße 1', city: 'Berlin', postCode: '10115', country: 'DE' };

/** A common invoice of two lines and two rates. */
export const common: InvoiceInput = {
  number: 'R-2026-117',
  issueDate: '2026-03-31',
  dueDate: '2026-04-30',
  currency: 'EUR',
  buyerReference: '04011000-12345-03',
  seller: {
    name: 'Müller & Söhne GmbH',
    vatId: 'DE123456789',
    electronicAddress: { id: 'rechnung@mueller.example', scheme: 'EM' },
    address,
    contact: { name: 'Eva Müller', phone: '+49 30 123456', email: 'eva@mueller.example' },
  },
  buyer: {
    name: 'Stadt Köln',
    electronicAddress: { id: 'eingang@koeln.example', scheme: 'EM' },
    address: { ...address, line1: 'Rathausplatz 2', city: 'Köln', postCode: '50667' },
  },
  delivery: { date: '2026-03-30' },
  payment: { code: '58', reference: 'R-2026-117', transfers: [{ account: 'DE02120300000000202051', name: 'Müller' }] },
  lines: [
    { quantity: 3, unit: 'HUR', price: { net: 95.5 }, vat: { category: 'S', rate: 19 }, item: { name: 'Beratung' } },
    {
      quantity: '2.5',
      unit: 'KGM',
      price: { net: '4.333', baseQuantity: 1 },
      vat: { category: 'S', rate: 7 },
      item: { name: 'Kaffee' },
    },
  ],
};

/** With a value for every business term. */
export const everything: InvoiceInput = {
  ...common,
  vatCurrency: 'CHF',
  vatPointDate: '2026-03-31',
  project: 'P-7',
  contract: 'V-8',
  order: 'B-9',
  salesOrder: 'A-10',
  receivingAdvice: 'W-11',
  despatchAdvice: 'L-12',
  tender: 'LOS-13',
  object: { id: 'Z-14', scheme: 'ABZ' },
  accountingReference: 'K-15',
  paymentTerms: 'Zahlbar in 30 Tagen',
  notes: [{ subject: 'AAI', text: 'Vielen Dank <für> Ihren "Auftrag" & Ihr Vertrauen' }],
  process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  precedingInvoices: [{ number: 'R-2025-1', issueDate: '2025-12-01' }],
  seller: {
    ...common.seller,
    tradingName: 'Müllers',
    identifiers: [{ id: '4711' }, { id: '4000000000001', scheme: '0088' }],
    legalId: { id: 'HRB 123', scheme: '0002' },
    taxNumber: '30/123/45678',
    legalInformation: 'Sitz Berlin',
    address: { ...address, line2: 'Hof', line3: '3. Stock', region: 'Berlin' },
  },
  buyer: {
    ...common.buyer,
    tradingName: 'Köln',
    identifier: { id: '0815' },
    legalId: { id: '05315000', scheme: '0204' },
    vatId: 'DE987654321',
    contact: { name: 'Kasse', phone: '+49 221 1', email: 'kasse@koeln.example' },
  },
  payee: { name: 'Factoring AG', identifier: { id: 'F-1' }, legalId: { id: 'HRB 9', scheme: '0002' } },
  taxRepresentative: { name: 'Vertreter', vatId: 'DE111111111', address },
  delivery: { name: 'Lager', location: { id: '4000000000018', scheme: '0088' }, date: '2026-03-30', address },
  period: { start: '2026-03-01', end: '2026-03-31' },
  payment: {
    code: '58',
    text: 'Überweisung',
    reference: 'R-2026-117',
    transfers: [
      { account: 'DE02120300000000202051', name: 'Müller', bank: 'BYLADEM1001' },
      { account: '12345', name: 'Auslandskonto' },
    ],
  },
  allowances: [{ percent: 10, base: 100, reason: 'Rabatt', reasonCode: '95', vat: { category: 'S', rate: 19 } }],
  charges: [{ amount: 5.5, reason: 'Fracht', reasonCode: 'FC', vat: { category: 'S', rate: 19 } }],
  totals: { vatInVatCurrency: 60, paid: 100, rounding: '0.01' },
  documents: [
    { id: 'Anlage 1', description: 'Stunden', url: 'https://example.com/1' },
    { id: 'Anlage 2', content: { filename: 'a.pdf', mediaType: 'application/pdf', base64: 'JVBERi0=' } },
  ],
  lines: [
    ...common.lines,
    {
      id: '10',
      note: 'Hinweis',
      object: { id: 'Zähler 1', scheme: 'ABZ' },
      quantity: 10,
      unit: 'C62',
      orderLine: '3',
      accountingReference: 'K-16',
      period: { start: '2026-03-01', end: '2026-03-31' },
      allowances: [{ amount: 1, reason: 'Treue', reasonCode: '95' }],
      charges: [{ percent: 5, base: 20, reason: 'Verpackung', reasonCode: 'PC' }],
      price: { gross: 12, discount: 2, net: 10, baseQuantity: 5 },
      vat: { category: 'S', rate: 19 },
      item: {
        name: 'Schraube',
        description: 'Edelstahl',
        sellerId: 'S-1',
        buyerId: 'B-1',
        standardId: { id: '04012345678901', scheme: '0160' },
        classifications: [{ code: '31161500', list: 'MP', version: '19' }],
        originCountry: 'DE',
        attributes: [{ name: 'Farbe', value: 'silber' }],
      },
    },
  ],
};
