import { describe, expect, test } from 'vitest';
import { UnreadableInvoice, validateInvoice } from '../src/main.ts';
import { sampleInvoice, sampleInvoices } from './sample-invoices.ts';

const idsOf = (xml: string): string[] => validateInvoice(xml).findings.map(({ id }) => id);

describe('invoices of the test suites', () => {
  /**
   * Findings in invoices that their publishers consider correct: recommendations, and codes that newer code lists lack.
   */
  const known: Readonly<Record<string, readonly string[]>> = {
    'xrechnung-01-01a': ['BR-DE-TMP-32'],
    'xrechnung-01-12a': ['BR-DE-TMP-32'],
    'xrechnung-01-13a': ['BR-DE-TMP-32'],
    'xrechnung-02-01a-cvd': ['BR-CL-13'],
    'xrechnung-04-05a-extension': ['BR-CL-10', 'BR-CL-21', 'BR-CL-25'],
  };

  test.each([...sampleInvoices])('%s has only its known findings', (name, xml) => {
    expect([...new Set(idsOf(xml))].filter((id) => !known[name]?.includes(id))).toEqual([]);
  });

  test.each([
    ['cii-example2', 'cii', 'EN 16931', ['en16931-cii']],
    ['xrechnung-01-01a', 'cii', 'XRECHNUNG', ['en16931-cii', 'xrechnung-cii']],
    ['xrechnung-04-05a-extension', 'cii', 'XRECHNUNG EXTENSION', ['en16931-cii', 'xrechnung-cii']],
    ['ubl-invoice', 'ubl-invoice', 'PEPPOL BIS 3', ['en16931-ubl']],
    ['ubl-credit-note', 'ubl-credit-note', 'PEPPOL BIS 3', ['en16931-ubl']],
  ])('%s is recognised by its syntax and its profile', (name, syntax, profile, ruleSets) => {
    expect(validateInvoice(sampleInvoice(name))).toMatchObject({ syntax, profile, ruleSets });
  });
});

describe('a broken invoice', () => {
  test('is reported with the rule, the business terms, and the place', () => {
    const xml = sampleInvoice('ubl-invoice').replace('>1351.83<', '>1351.84<');
    const finding = validateInvoice(xml).findings.find(({ id }) => id === 'BR-CO-15');
    expect(finding).toEqual({
      id: 'BR-CO-15',
      severity: 'fatal',
      text: expect.stringMatching(
        /^Invoice total amount with VAT \(BT-112\) = .* \+ Invoice total VAT amount \(BT-110\)\.$/,
      ),
      businessTerms: ['BT-112', 'BT-109', 'BT-110'],
      location: '/ubl:Invoice',
      line: 2,
    });
  });

  test.each([
    ['an unknown unit', 'ubl-invoice', 'unitCode="KGM"', 'unitCode="kilo"', ['BR-CL-23']],
    ['a currency in lower case', 'ubl-invoice', '>SEK<', '>sek<', ['BR-CL-05', 'BR-53']],
    [
      'a category without its reason',
      'ubl-invoice',
      '>S</cbc:ID><cbc:Percent>7<',
      '>E</cbc:ID><cbc:Percent>0<',
      ['BR-E-10'],
    ],
    [
      'an allowance without a reason',
      'ubl-invoice',
      /<cbc:AllowanceChargeReason(Code)?>[\s\S]*?(?=<cbc:Multi)/,
      '',
      ['BR-33', 'BR-CO-21'],
    ],
    ['a VAT identifier without its country', 'ubl-invoice', '>DE123456789<', '>123456789<', ['BR-CO-09']],
    ['too many decimals', 'ubl-invoice', '>207.40</cbc:LineExt', '>207.400</cbc:LineExt', ['BR-DEC-23']],
    ['an IBAN with a wrong check digit', 'xrechnung-01-01a', /<ram:IBANID>DE../, '<ram:IBANID>DE00', ['BR-DE-19']],
    ['no buyer reference', 'xrechnung-01-01a', /<ram:BuyerReference>[^<]*<\/ram:BuyerReference>/, '', ['BR-DE-15']],
  ])('%s is found', (_, name, from, to, expected) => {
    const xml = sampleInvoice(name).replace(from, to);
    expect(xml).not.toBe(sampleInvoice(name));
    expect(idsOf(xml)).toEqual(expect.arrayContaining(expected));
  });

  test('has the position of the line in the location', () => {
    const xml = sampleInvoice('ubl-invoice').replace('unitCode="KGM"', 'unitCode="kilo"');
    expect(validateInvoice(xml).findings).toEqual([
      expect.objectContaining({ id: 'BR-CL-23', location: '/ubl:Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity' }),
    ]);
  });

  test('a rule that cannot be evaluated says why', () => {
    const xml = sampleInvoice('ubl-invoice').replace('>1156.90<', '>a lot<');
    const finding = validateInvoice(xml).findings.find(({ id }) => id === 'BR-CO-13');
    expect(finding).toMatchObject({ severity: 'fatal', problem: '"a lot" is not a decimal number' });
  });
});

test('amounts are added without rounding', () => {
  // As binary fractions, 0.1 and 0.2 are more than 0.3.
  const xml = sampleInvoice('ubl-invoice')
    .replaceAll(/(<cbc:(TaxExclusive|TaxInclusive|Payable)Amount currencyID="EUR">)[^<]*/g, '$10.3')
    .replace(/(<cbc:PrepaidAmount currencyID="EUR">)[^<]*/, '$10.1')
    .replace(/(<cbc:PayableRoundingAmount currencyID="EUR">)[^<]*/, '$10.1');
  expect(idsOf(xml)).not.toContain('BR-CO-16');
});

describe('the declared prefixes and the encoding do not matter', () => {
  const xml = sampleInvoice('ubl-invoice');

  test.each([
    ['other prefixes', xml.replaceAll('cbc:', 'b:').replaceAll('xmlns:cbc', 'xmlns:b')],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${xml}`)],
    ['UTF-16', Buffer.from(`\uFEFF${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['Latin-1', Buffer.from(xml.replace('UTF-8', 'ISO-8859-1').replace('Thank', 'Gr\u00fc\u00dfe'), 'latin1')],
  ])('%s', (_, source) => {
    expect(validateInvoice(source).findings).toEqual([]);
  });
});

describe('a file that is not a safe invoice is refused', () => {
  const invoice = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">';

  test.each([
    ['not XML', 'hello', /not well-formed/],
    ['an unclosed element', invoice, /not well-formed/],
    ['an undeclared prefix', '<a:b/>', /not well-formed/],
    ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${invoice}</Invoice>`, /document type/],
    ['another root', '<html/>', /root element "html"/],
    ['another namespace', '<Invoice xmlns="urn:example"/>', /root element "Invoice"/],
    ['deep nesting', `${invoice}${'<a>'.repeat(70)}`, /more than 64 deep/],
    ['a long name', `${invoice}<${'a'.repeat(301)}/></Invoice>`, /more than 300 characters/],
    ['a long namespace', `${invoice}<a xmlns="urn:${'a'.repeat(300)}"/></Invoice>`, /more than 300 characters/],
    ['too many nodes', `${invoice}${'<a/>'.repeat(500_001)}`, /more than 500000 nodes/],
    ['bytes of another encoding', Buffer.from([0x3c, 0xe9, 0x3e]), /cannot be decoded/],
    [
      'an unknown encoding',
      Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>'),
      /cannot be decoded as klingon/,
    ],
  ])('%s', (_, source, message) => {
    const refused = expect(() => validateInvoice(source));
    refused.toThrow(
      expect.toSatisfy((error: unknown) => error instanceof UnreadableInvoice && message.test(error.message)),
    );
  });

  test('payment identifiers that would all be compared with each other', () => {
    const basic = 'xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"';
    const xml = `${invoice.replace('>', ` ${basic}>`)}${'<b:PaymentID/>'.repeat(9_000)}</Invoice>`;
    expect(() => validateInvoice(xml)).toThrow(/too many lines/);
    expect(validateInvoice(sampleInvoice('ubl-invoice')).findings).toEqual([]);
  });
});

test('no more than 500 findings of a rule set are reported', () => {
  const xml = sampleInvoice('ubl-invoice').replace(
    '<cbc:Note>',
    `${'<cbc:Note>#XYZ#</cbc:Note>'.repeat(600)}<cbc:Note>`,
  );
  const { findings, hasMoreFindings } = validateInvoice(xml);
  expect([findings.length, hasMoreFindings]).toEqual([500, true]);
  expect(validateInvoice(sampleInvoice('ubl-invoice')).hasMoreFindings).toBe(false);
});

test('an invoice is not valid by having many warnings before its error', () => {
  const xml = sampleInvoice('ubl-invoice')
    .replace('<cbc:Note>', `${'<cbc:Note>#XYZ#</cbc:Note>'.repeat(600)}<cbc:Note>`)
    .replace('>207.40</cbc:LineExt', '>207.400</cbc:LineExt');
  const relaxed = validateInvoice(xml, (id, severity) => (id === 'BR-DEC-23' ? severity : 'warning'));
  expect(relaxed.findings.length).toBe(500);
  expect(relaxed.findings.filter(({ severity }) => severity === 'fatal').map(({ id }) => id)).toEqual(['BR-DEC-23']);
  const { findings, hasMoreFindings } = validateInvoice(xml, () => 'warning');
  expect([findings.length, hasMoreFindings, findings.some(({ severity }) => severity === 'fatal')]).toEqual([
    500,
    true,
    false,
  ]);
});
