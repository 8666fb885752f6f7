import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors.ts';
import { type InvoiceOrder, makeDocumentInvoice } from '../../../src/worker/einvoice/make-document-invoice.ts';

const party = { name: 'Nord AG', address: { city: 'Kiel', postCode: '24103', country: 'DE' } };
const model = {
  number: '2026-114',
  issueDate: '2026-11-29',
  currency: 'EUR',
  dueDate: '2026-12-29',
  seller: { ...party, vatId: 'DE123456789' },
  buyer: { ...party, name: 'Süd GmbH' },
  payment: { code: '58', transfers: [{ account: 'DE21860000000086001055' }] },
  lines: [
    {
      quantity: 3,
      unit: 'HUR',
      price: { net: '33.33' },
      vat: { category: 'S', rate: 19 },
      item: { name: 'Consulting' },
    },
  ],
};

const mapping = {
  'BT-1': 'number',
  'BT-2': 'date',
  'BT-5': "'EUR'",
  'BT-9': 'due',
  'BT-27': "'Nord AG'",
  'BT-31': "'DE123456789'",
  'BT-37': "'Kiel'",
  'BT-38': "'24103'",
  'BT-40': "'DE'",
  'BT-44': 'customer.name',
  'BT-55': 'customer.country',
  'BT-81': "'58'",
  'BG-17': { 'BT-84': "'DE21860000000086001055'" },
  'BT-112': 'total',
  'BG-25': {
    each: 'items',
    'BT-129': 'hours',
    'BT-130': "'HUR'",
    'BT-146': 'rate',
    'BT-151': "'S'",
    'BT-152': '19',
    'BT-153': 'name',
  },
};
const data = {
  number: '2026-114',
  date: '2026-11-29',
  due: '2026-12-29',
  customer: { name: 'Süd GmbH', country: 'DE' },
  items: [
    { name: 'Consulting', hours: 3, rate: 33.33 },
    { name: 'Training', hours: '1.5', rate: '80' },
  ],
};

const order: Omit<InvoiceOrder, 'source'> = {
  profile: 'en16931',
  syntax: 'cii',
  path: 'output.xml',
  locale: { locale: 'de', timezone: 'Europe/Berlin' },
  isTest: false,
};
const ofModel = (value: unknown, options: Partial<InvoiceOrder> = {}) =>
  makeDocumentInvoice({ ...order, source: { kind: 'model', bytes: Buffer.from(JSON.stringify(value)) }, ...options });
const ofMapping = (map: unknown, values: unknown, options: Partial<InvoiceOrder> = {}) =>
  makeDocumentInvoice({
    ...order,
    source: { kind: 'mapping', bytes: Buffer.from(JSON.stringify(values)), mapping: JSON.stringify(map) },
    ...options,
  });
const xmlOf = (made: { readonly xml: Uint8Array }) => Buffer.from(made.xml).toString('utf8');

function refusal(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('an invoice in the terms of EN 16931', () => {
  it('is written with the totals that follow from its lines', () => {
    expect(xmlOf(ofModel(model))).toContain('<ram:GrandTotalAmount>118.99</ram:GrandTotalAmount>');
  });

  it('is refused with each field that is wrong', () => {
    const { code, details } = refusal(() =>
      ofModel({ ...model, issueDate: '29.11.2026', seller: { name: 'Nord AG' } }),
    );
    expect(code).toBe('invoice_invalid');
    expect(details).toMatchObject([
      { type: 'Field', path: 'output.xml.data.issueDate', message: 'must be a date such as 2026-03-31' },
      { type: 'Field', path: 'output.xml.data.seller.address' },
    ]);
  });

  it('is refused with the rule and the term of an amount that is wrong', () => {
    const { details } = refusal(() => ofModel({ ...model, totals: { withVat: '119.00' } }));
    expect(details).toMatchObject([
      {
        type: 'Rule',
        rule: 'BR-CO-15',
        businessTerms: ['BT-112'],
        message: 'BT-112 (totals.withVat) is 119.00, but the other amounts give 118.99.',
      },
    ]);
  });

  it('is refused with the rules that it breaks', () => {
    const { vatId: _vatId, ...seller } = model.seller;
    const { message, details } = refusal(() => ofModel({ ...model, seller }));
    expect(message).toContain('BR-');
    expect(details).toContainEqual(expect.objectContaining({ type: 'Rule', rule: 'BR-S-02' }));
  });

  it('says in its first note that it is a test', () => {
    expect(xmlOf(ofModel(model, { isTest: true }))).toContain('TEST. This is not an invoice.');
    const noted = ofModel(
      { ...model, notes: [{ text: 'Thank you' }] },
      { isTest: true, profile: 'peppol', syntax: 'ubl' },
    );
    expect(xmlOf(noted)).toContain('TEST. This is not an invoice.\nThank you');
  });
});

describe('an invoice as XML', () => {
  const source = (xml: string) => ({ kind: 'xml', bytes: Buffer.from(xml) }) as const;

  it('is used byte for byte', () => {
    const { xml } = ofModel(model);
    expect(makeDocumentInvoice({ ...order, source: { kind: 'xml', bytes: xml } }).xml).toEqual(xml);
  });

  it('is refused if its profile or its syntax is another one', () => {
    const { xml } = ofModel(model);
    const given = { source: { kind: 'xml', bytes: xml } as const };
    expect(refusal(() => makeDocumentInvoice({ ...order, ...given, profile: 'xrechnung' })).message).toContain(
      'The XML declares EN 16931 (BT-24), but the request asks for XRECHNUNG.',
    );
    expect(refusal(() => makeDocumentInvoice({ ...order, ...given, syntax: 'ubl' })).message).toContain(
      'The XML is CII, but the request asks for UBL.',
    );
  });

  it('is refused if it cannot be read', () => {
    const { code, message } = refusal(() => makeDocumentInvoice({ ...order, source: source('<order/>') }));
    expect([code, message]).toEqual(['invoice_invalid', expect.stringContaining('is not that of an invoice')]);
  });
});

describe('an invoice that is made by a mapping', () => {
  it('has the values of the expressions, and an entry for each item', () => {
    const xml = xmlOf(ofMapping(mapping, data));
    expect(xml).toContain('<ram:Name>Süd GmbH</ram:Name>');
    expect(xml.match(/<ram:IncludedSupplyChainTradeLineItem>/g)).toHaveLength(2);
    expect(xml).toContain('<ram:GrandTotalAmount>261.79</ram:GrandTotalAmount>');
  });

  it('is refused with the term and the expression of a value that is wrong', () => {
    const { code, details } = refusal(() => ofMapping(mapping, { ...data, date: 'today' }));
    expect(code).toBe('invoice_invalid');
    expect(details).toMatchObject([
      { rule: 'invoice-model', businessTerms: ['BT-2'], location: 'issueDate', expressions: { 'BT-2': 'date' } },
    ]);
  });

  it('is refused with the term and the expression of a value that is missing', () => {
    const { details } = refusal(() => ofMapping(mapping, { ...data, items: [{ name: 'Consulting', hours: 1 }] }));
    expect(details).toMatchObject([
      { businessTerms: ['BT-146'], expressions: { 'BT-146': 'rate' }, location: 'lines[0].price.net' },
    ]);
  });

  it('is refused with the expression of a total that is wrong', () => {
    const { details } = refusal(() => ofMapping(mapping, { ...data, total: '261.80' }));
    expect(details).toMatchObject([{ rule: 'BR-CO-15', expressions: { 'BT-112': 'total' } }]);
  });
});
