import { describe, expect, test } from 'vitest';
import { invoiceModel } from '../src/model/invoice.ts';
import { validateInvoice } from '../src/validate-invoice.ts';
import { type InvoiceSyntax, makeInvoice } from '../src/write/make-invoice.ts';
import { type ProfileName, profiles } from '../src/write/profiles.ts';
import { common, everything, type InvoiceInput } from './sample-invoice.ts';

const make = (input: InvoiceInput, profile: ProfileName, syntax: InvoiceSyntax) =>
  makeInvoice(invoiceModel.parse(input), profile, syntax);

const roundedless: InvoiceInput = { ...everything, totals: { ...everything.totals, rounding: 0 } };
const samples = { common, everything, credit: { ...everything, typeCode: '381' } };

describe('an invoice keeps every rule', () => {
  test.each<[keyof typeof samples, ProfileName, InvoiceSyntax]>([
    ['common', 'minimum', 'cii'],
    ['common', 'basic-wl', 'cii'],
    ['common', 'basic', 'cii'],
    ['common', 'xrechnung', 'cii'],
    ['common', 'xrechnung', 'ubl'],
    ['everything', 'en16931', 'cii'],
    ['everything', 'extended', 'cii'],
    ['everything', 'xrechnung', 'cii'],
    ['everything', 'peppol', 'ubl'],
    ['everything', 'xrechnung', 'ubl'],
    ['credit', 'en16931', 'ubl'],
    ['credit', 'xrechnung', 'cii'],
  ])('%s as %s in %s', (sample, profile, syntax) => {
    const { findings, wrong } = make(samples[sample], profile, syntax);
    expect(wrong).toEqual([]);
    expect(findings.filter(({ severity }) => severity === 'fatal')).toEqual([]);
  });
});

test('a profile holds the terms that it has, and says which it is', () => {
  const of = (profile: ProfileName) => make(roundedless, profile, 'cii').xml;
  const has = (profile: ProfileName, ...texts: readonly string[]) => texts.map((text) => of(profile).includes(text));
  const texts = ['Müller &amp; Söhne GmbH', 'Zahlbar in 30 Tagen', 'Schraube', 'Edelstahl'];
  expect(has('minimum', ...texts)).toEqual([true, false, false, false]);
  expect(has('basic-wl', ...texts)).toEqual([true, true, false, false]);
  expect(has('basic', ...texts)).toEqual([true, true, true, false]);
  expect(has('en16931', ...texts)).toEqual([true, true, true, true]);
  const named = (['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung', 'peppol'] as const).map(
    (profile) => validateInvoice(Buffer.from(of(profile))).profile,
  );
  expect(named).toEqual(['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG', 'PEPPOL BIS 3']);
});

test('an element of a higher profile is named', () => {
  const claiming = (profile: ProfileName, xml: string) =>
    validateInvoice(
      Buffer.from(xml.replace(/urn:[^<]*(?=<\/ram:ID><\/ram:Guideline)/, profiles[profile].specification)),
    );
  const { xml } = make(common, 'basic', 'cii');
  const named = (profile: ProfileName) =>
    claiming(profile, xml)
      .findings.filter(({ id }) => id === 'profile-elements')
      .map(({ location }) => location.replace(/.*:/, ''));
  expect(named('basic-wl')).toEqual(['IncludedSupplyChainTradeLineItem[1]', 'IncludedSupplyChainTradeLineItem[2]']);
  expect(named('minimum')).toEqual(expect.arrayContaining(['IncludedSupplyChainTradeLineItem[1]', 'PaymentReference']));
  expect(named('basic')).toEqual([]);
});

test('texts are escaped', () => {
  expect(make(everything, 'en16931', 'ubl').xml).toContain(
    '#AAI#Vielen Dank &lt;für&gt; Ihren "Auftrag" &amp; Ihr Vertrauen',
  );
});

test('a broken rule is named with its terms', () => {
  const { findings } = make({ ...common, buyerReference: undefined }, 'xrechnung', 'cii');
  expect(findings).toMatchObject([{ id: 'BR-DE-15', businessTerms: expect.arrayContaining(['BT-10']) }]);
});

test('what a profile or a syntax cannot say is refused', () => {
  expect(make(everything, 'basic', 'cii').wrong).toMatchObject([{ term: 'BT-114', path: 'totals.rounding' }]);
  expect(() => make(common, 'basic', 'ubl')).toThrow('UBL has no profile basic');
});
