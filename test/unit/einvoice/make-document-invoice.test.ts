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

  it('is the same without a field and with null', () => {
    const nothing = { buyerReference: null, payee: null, seller: { ...model.seller, contact: null } };
    expect(xmlOf(ofModel({ ...model, ...nothing }))).toBe(xmlOf(ofModel(model)));
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

describe('a hostile invoice in the terms of EN 16931', () => {
  const [line] = model.lines;
  const lines = (count: number, one: unknown = line) => Array.from({ length: count }, () => one);
  const withLine = (change: object) => ({ ...model, lines: [{ ...line, ...change }] });

  it('may have thousands of lines', () => {
    expect(xmlOf(ofModel({ ...model, lines: lines(3_000) })).match(/<ram:LineID>/g)).toHaveLength(3_000);
  });

  it('is refused with a limit, not with an unexpected error, if it is too large to be validated', () => {
    const item = { name: 'x', attributes: Array.from({ length: 100 }, () => ({ name: 'a', value: 'b' })) };
    const { code, message } = refusal(() => ofModel({ ...model, lines: lines(1_800, { ...line, item }) }));
    expect([code, message]).toEqual(['invoice_invalid', expect.stringContaining('has more than 500000 nodes')]);
  });

  it.each<[string, unknown, string, string]>([
    [
      'a prototype key',
      JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(model).slice(1)}`),
      '__proto__',
      'is not a known field',
    ],
    ['an unknown key', { ...model, constructor: 1 }, 'constructor', 'is not a known field'],
    ['an exponent', withLine({ quantity: 1e21 }), 'lines[0].quantity', 'must be a number with at most 10 decimals'],
    ['a tiny exponent', withLine({ quantity: 1e-9 }), 'lines[0].quantity', 'must be a number with at most 10 decimals'],
    ['an exponent as text', withLine({ quantity: '1e5' }), 'lines[0].quantity', 'must be a number with at most 10'],
    ['no number', withLine({ quantity: 'NaN' }), 'lines[0].quantity', 'must be a number with at most 10 decimals'],
    ['null for a quantity', withLine({ quantity: null }), 'lines[0].quantity', 'is missing'],
    ['40 digits', withLine({ price: { net: '1'.repeat(40) } }), 'lines[0].price.net', '20 digits before them'],
    ['no name', { ...model, buyer: { address: party.address } }, 'buyer.name', 'is missing'],
    [
      'a null character',
      { ...model, buyer: { ...party, name: 'a\0' } },
      'buyer.name',
      'must not contain control characters',
    ],
    [
      'half a surrogate pair',
      { ...model, buyer: { ...party, name: '\ud800' } },
      'buyer.name',
      'half of a surrogate pair',
    ],
    ['a long text', { ...model, number: 'x'.repeat(1e6) }, 'number', 'must have at most 500 characters'],
    ['a list', [], '', 'must be an object'],
  ])('with %s is refused with the field and the reason', (_, value, path, problem) => {
    const { code, message, details } = refusal(() => ofModel(value));
    const at = `output.xml.data${path === '' ? '' : `.${path}`}`;
    expect(code).toBe('invoice_invalid');
    expect(details?.[0]).toMatchObject({ type: 'Field', path: at, message: expect.stringContaining(problem) });
    expect(message).toContain(`The invoice is not valid. ${at}: `);
  });

  it('is refused with a short answer, however many mistakes it has', () => {
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`${index}`.repeat(20), 1]));
    for (const value of [
      { ...model, ...keys },
      { ...model, lines: lines(10_000, { x: 1 }) },
    ]) {
      const { message, details = [] } = refusal(() => ofModel(value));
      expect([message.length < 500, details.length, JSON.stringify(details).length < 40_000]).toEqual([
        true,
        100,
        true,
      ]);
    }
  });

  it('keeps names with markup, and the amounts of returned goods', () => {
    const name = '<A> & "B" ]]> \u202e';
    const { xml } = ofModel({ ...withLine({ quantity: -3 }), buyer: { ...party, name } });
    expect(xmlOf({ xml })).toContain('<ram:Name>&lt;A&gt; &amp; "B" ]]&gt; \u202e</ram:Name>');
    expect(xmlOf({ xml })).toContain('<ram:GrandTotalAmount>-118.99</ram:GrandTotalAmount>');
    expect(makeDocumentInvoice({ ...order, source: { kind: 'xml', bytes: xml } }).xml).toEqual(xml);
  });
});

describe('an invoice as XML', () => {
  const source = (xml: string | Buffer) => ({ kind: 'xml', bytes: Buffer.from(xml as string) }) as const;
  const given = (xml: string | Buffer) => refusal(() => makeDocumentInvoice({ ...order, source: source(xml) }));
  const good = () => xmlOf(ofModel(model));

  it.each<[string, () => string | Buffer, RegExp]>([
    ['an external entity', () => `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${good()}`, /document type/],
    ['entities that grow', () => '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>', /document type/],
    ['UTF-16 without a byte order mark', () => Buffer.from(good(), 'utf16le'), /cannot be decoded as utf-8/],
    ['UTF-32', () => Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), /disallowed character/],
    ['Latin-1 that says it is UTF-8', () => Buffer.from(good(), 'latin1'), /cannot be decoded as UTF-8/],
    [
      'UTF-8 that says it is UTF-16',
      () => `<?xml version="1.0" encoding="UTF-16"?>${good().replace(/^<\?.*?\?>/, '')}`,
      /not well-formed/,
    ],
    ['an unknown encoding', () => '<?xml version="1.0" encoding="IBM037"?><a/>', /cannot be decoded as IBM037/],
    ['a null character', () => `${good()}\0`, /disallowed character/],
    ['no bytes', () => '', /must contain a root element/],
    [
      'a long text',
      () => good().replace('Consulting', 'x '.repeat(60_000)),
      /ram:Name has more than 100000 characters/,
    ],
    ['a long attribute', () => good().replace('"HUR"', `"${'x'.repeat(100_001)}"`), /unitCode has more than 100000/],
    ['deep elements', () => '<a>'.repeat(100_000), /nested more than 64 deep/],
    [
      'no profile',
      () => good().replace(/<ram:Guideline.*?<\/ram:Guideline[^>]*>/, ''),
      /declares no profile \(BT-24\)/,
    ],
  ])('with %s is refused with the reason', (_, xml, reason) => {
    const { code, message, details } = given(xml());
    expect([code, details?.length]).toEqual(['invoice_invalid', 1]);
    expect(message).toMatch(reason);
  });

  it('is read with a byte order mark', () => {
    const xml = Buffer.from(`\ufeff${good()}`);
    expect(makeDocumentInvoice({ ...order, source: source(xml) }).xml).toEqual(xml);
  });

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

  it('names the keys of the data that it reads', () => {
    const keys = ['number', 'date', 'due', 'customer', 'total', 'items'];
    expect(ofMapping(mapping, data).readKeys).toEqual(expect.arrayContaining(keys));
    expect(ofMapping(mapping, { ...data, other: 1 }).readKeys).not.toContain('other');
    expect(ofModel(model).readKeys).toEqual([]);
  });

  it.each(['customer.__proto__.x', 'constructor.name', 'customer.toString'])('reads no prototype: %s', (expression) => {
    const { details } = refusal(() => ofMapping({ ...mapping, 'BT-44': expression }, data));
    expect(details).toMatchObject([{ businessTerms: ['BT-44'], expressions: { 'BT-44': expression } }]);
  });

  it('is refused with at most a hundred mistakes of its items', () => {
    for (const item of [{}, { hours: 'x', rate: 'y', name: 'z' }, { hours: {}, rate: [], name: {} }]) {
      const items = Array.from({ length: 9_000 }, () => item);
      const { details = [] } = refusal(() => ofMapping(mapping, { ...data, items }));
      expect(details).toHaveLength(100);
    }
    const items = Array.from({ length: 10_001 }, () => ({}));
    expect(refusal(() => ofMapping(mapping, { ...data, items })).message).toContain('more than 10000 entries');
  });

  it('is refused with the expression of a total that is wrong', () => {
    const { details } = refusal(() => ofMapping(mapping, { ...data, total: '261.80' }));
    expect(details).toMatchObject([{ rule: 'BR-CO-15', expressions: { 'BT-112': 'total' } }]);
  });
});
