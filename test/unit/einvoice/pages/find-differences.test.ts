import { describe, expect, it } from 'vitest';
import { conventionsFor } from '../../../../src/worker/einvoice/pages/conventions.ts';
import { findDifferences } from '../../../../src/worker/einvoice/pages/find-differences.ts';
import type { PrintedPage, PrintedWord } from '../../../../src/worker/einvoice/pages/read-printed-pages.ts';
import { TextIndex, toRows } from '../../../../src/worker/einvoice/pages/rows.ts';

/** Rows of a page. Two spaces or more begin another column, 60 points from the one before. */
function page(...rows: readonly string[]): PrintedPage {
  const words: PrintedWord[] = rows.flatMap((row, index) => {
    const y = 20 + index * 14;
    return row.split(/ {2,}/).flatMap((cell, column) => {
      let left = 20 + column * 150;
      return cell.split(' ').map((text) => {
        const start = left;
        left += text.length * 5 + 2.5;
        return { text, left: start, right: left - 2.5, top: y - 8, bottom: y + 2, y, sizePt: 10 };
      });
    });
  });
  return { words };
}

interface Vat {
  readonly rate: string;
  readonly base: string;
  readonly tax: string;
}

interface Invoice {
  readonly currency?: string;
  readonly vat?: readonly Vat[];
  readonly lines?: readonly { name: string; quantity: string; price: string; amount: string; rate: string }[];
  readonly net?: string;
  readonly tax?: string;
  readonly gross?: string;
  readonly paid?: string;
  readonly due?: string;
  readonly dueDates?: readonly string[];
  readonly period?: readonly [string, string];
}

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const day = (value: string): string =>
  `<udt:DateTimeString format="102">${value.replaceAll('-', '')}</udt:DateTimeString>`;

/** An invoice of 100.00 and 19 % VAT, unless told otherwise. */
function xmlOf(invoice: Invoice = {}): string {
  const { currency = 'EUR', net = '100.00', tax = '19.00', gross = '119.00', paid, due = gross, period } = invoice;
  const vat = invoice.vat ?? [{ rate: '19', base: '100.00', tax: '19.00' }];
  const lines = invoice.lines ?? [{ name: 'Beratung', quantity: '2', price: '50.00', amount: '100.00', rate: '19' }];
  const entry = ({ rate, base, tax: amount }: Vat): string =>
    element(
      'ram:ApplicableTradeTax',
      `<ram:CalculatedAmount>${amount}</ram:CalculatedAmount><ram:BasisAmount>${base}</ram:BasisAmount>${element('ram:RateApplicablePercent', rate)}`,
    );
  const line = (each: (typeof lines)[number], index: number): string => `<ram:IncludedSupplyChainTradeLineItem>
    <ram:AssociatedDocumentLineDocument><ram:LineID>${index + 1}</ram:LineID></ram:AssociatedDocumentLineDocument>
    <ram:SpecifiedTradeProduct>${element('ram:Name', each.name)}</ram:SpecifiedTradeProduct>
    <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>${element('ram:ChargeAmount', each.price)}</ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
    <ram:SpecifiedLineTradeDelivery>${element('ram:BilledQuantity', each.quantity)}</ram:SpecifiedLineTradeDelivery>
    <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax>${element('ram:RateApplicablePercent', each.rate)}</ram:ApplicableTradeTax>
    <ram:SpecifiedTradeSettlementLineMonetarySummation>${element('ram:LineTotalAmount', each.amount)}</ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
    </ram:IncludedSupplyChainTradeLineItem>`;
  const billing =
    period === undefined
      ? ''
      : `<ram:BillingSpecifiedPeriod><ram:StartDateTime>${day(period[0])}</ram:StartDateTime><ram:EndDateTime>${day(period[1])}</ram:EndDateTime></ram:BillingSpecifiedPeriod>`;
  const terms = (invoice.dueDates ?? []).map(
    (date) =>
      `<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${day(date)}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:SupplyChainTradeTransaction>${lines.map(line).join('')}<ram:ApplicableHeaderTradeSettlement>
  ${element('ram:InvoiceCurrencyCode', currency)}${vat.map(entry).join('')}${billing}${terms.join('')}
  <ram:SpecifiedTradeSettlementHeaderMonetarySummation>${element('ram:LineTotalAmount', net)}${element('ram:TaxBasisTotalAmount', net)}
  <ram:TaxTotalAmount currencyID="${currency}">${tax}</ram:TaxTotalAmount>${element('ram:GrandTotalAmount', gross)}
  ${paid === undefined ? '' : element('ram:TotalPrepaidAmount', paid)}${element('ram:DuePayableAmount', due)}
  </ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;
}

const differences = (rows: readonly string[], invoice: Invoice = {}, locale: string | undefined = 'de-DE') =>
  (findDifferences(xmlOf(invoice), [page(...rows)], locale) ?? []).map(({ term, found }) => [term, found]);

const line = 'Beratung  2  50,00  100,00';
const totals = ['Nettobetrag  100,00 €', 'MwSt. 19 %  19,00 €', 'Bruttobetrag  119,00 €'];
const twoRates: Invoice = {
  vat: [
    { rate: '19', base: '100.00', tax: '19.00' },
    { rate: '7', base: '200.00', tax: '14.00' },
  ],
  lines: [
    { name: 'Beratung', quantity: '2', price: '50.00', amount: '100.00', rate: '19' },
    { name: 'Fachbuch', quantity: '4', price: '50.00', amount: '200.00', rate: '7' },
  ],
  net: '300.00',
  tax: '33.00',
  gross: '333.00',
};
const twoLines = [line, 'Fachbuch  4  50,00  200,00'];
const exempt: Invoice = {
  vat: [{ rate: '0', base: '100.00', tax: '0.00' }],
  lines: [{ name: 'Beratung', quantity: '2', price: '50.00', amount: '100.00', rate: '0' }],
  tax: '0.00',
  gross: '100.00',
};

describe('pages that show the invoice have no difference', () => {
  it.each<[string, readonly string[], Invoice?, string?]>([
    ['plain totals', [line, ...totals]],
    ['a rate in brackets', [line, 'Nettobetrag  100,00 €', 'MwSt. (19 %)  19,00', 'Bruttobetrag  119,00']],
    ['a rate after a dash', [line, 'Nettobetrag  100,00 €', 'USt – 19 %  19,00', 'Bruttobetrag  119,00']],
    ['a discount of a line in percent', ['Beratung  2  50,00  -10 %  100,00', ...totals]],
    [
      'a table of VAT with gross amounts',
      [
        ...twoLines,
        '19 %  100,00  19,00  119,00',
        '7 %  200,00  14,00  214,00',
        'Nettobetrag  300,00',
        'Bruttobetrag  333,00 €',
      ],
      twoRates,
    ],
    [
      'a discount for early payment beside the due date',
      [line, ...totals, 'Zahlbar bis 10.04.2026 mit 2 % Skonto, bis 30.04.2026 netto'],
      { dueDates: ['2026-04-30'] },
    ],
    [
      'an amount for early payment',
      [line, ...totals, 'Zahlbetrag  119,00', 'Bei Zahlung bis 10.04.2026 nur 116,62 € zu zahlen'],
    ],
    [
      'a broken text about early payment',
      [line, ...totals, 'Zahlbar bis 10.04.2026 mit 2 %', 'Skonto, bis 30.04.2026 netto'],
      { dueDates: ['2026-04-30'] },
    ],
    [
      'several due dates with one label',
      [line, ...totals, 'Zahlbar bis 10.04.2026', 'und 30.04.2026'],
      { dueDates: ['2026-04-10', '2026-04-30'] },
    ],
    [
      'a period in one month',
      [line, ...totals, 'Leistungszeitraum 01.–31.03.2026'],
      { period: ['2026-03-01', '2026-03-31'] },
    ],
    [
      'a period that is a month',
      [line, ...totals, 'Leistungszeitraum März 2026'],
      { period: ['2026-03-01', '2026-03-31'] },
    ],
    ['a period of months', [line, ...totals, 'Zeitraum Januar–März 2026'], { period: ['2026-01-01', '2026-03-31'] }],
    ['sub-totals', [line, 'Zwischensumme netto  50,00', 'Sous-total HT  50,00', ...totals]],
    [
      'the currency as a word',
      [line, 'Nettobetrag  100,00 Euro', 'MwSt. 19 %  19,00 Euro', 'Bruttobetrag  119,00 Euro'],
    ],
    [
      'VAT in another currency',
      [
        'Beratung  2  50.00  100.00',
        'Net total  100.00 EUR',
        'VAT 19 %  19.00',
        'Total VAT  19.00 EUR',
        'Total VAT in GBP  16.20',
        'Total incl. VAT  119.00',
      ],
      {},
      'en-GB',
    ],
    [
      'a rate in the lines only',
      ['Beratung  2  50,00  19 %  100,00', 'Nettobetrag  100,00 €', 'zzgl. MwSt.  19,00', 'Bruttobetrag  119,00'],
    ],
    [
      'a lump sum',
      ['Beratung pauschal  100,00', ...totals],
      { lines: [{ name: 'Beratung pauschal', quantity: '1', price: '100.00', amount: '100.00', rate: '19' }] },
    ],
    ['nothing to pay, unsaid', [line, ...totals, 'Anzahlung  119,00'], { paid: '119.00', due: '0.00' }],
    ['nothing to pay', [line, ...totals, 'Anzahlung  119,00', 'Zahlbetrag  0,00'], { paid: '119.00', due: '0.00' }],
    [
      'what was to pay and what is left',
      [line, ...totals, 'Zu zahlen  119,00', 'Anzahlung  19,00', 'Restbetrag  100,00'],
      { paid: '19.00', due: '100.00' },
    ],
    [
      'exempt amounts with rows of other rates',
      [line, 'Summe  100,00 €', 'USt 19 %  0,00', 'Nettobetrag  100,00'],
      exempt,
    ],
    ['an amount due without cents', [line, ...totals, 'Zahlbetrag  119']],
    ['a number of days after a label', [line, ...totals, 'Total due within 30 days']],
  ])('with %s', (_, rows, invoice, locale) => {
    expect(differences(rows, invoice, locale)).toEqual([]);
  });
});

describe('a difference is found', () => {
  it.each<readonly [string, readonly string[], Invoice, readonly [string, string | undefined]]>([
    [
      'VAT that the invoice does not have',
      [line, 'Summe  100,00 €', 'USt 19 %  19,00', 'Gesamt  119,00'],
      exempt,
      ['BT-119', '19'],
    ],
    [
      'a table with a rate that the invoice does not have',
      [line, 'MwSt.  Netto  Steuer  €', '19 %  100,00  19,00'],
      exempt,
      ['BT-119', '19'],
    ],
    [
      'another total than that of the invoice',
      [line, 'Summe  100,00 €', 'Rechnungsbetrag  119,00'],
      exempt,
      ['BT-112', '119,00'],
    ],
    ['a further rate', [line, ...totals, 'MwSt. 7 %  14,00'], {}, ['BT-119', '7']],
    [
      'an amount due in place of none',
      [line, ...totals, 'Anzahlung  119,00', 'Zahlbetrag  119,00'],
      { paid: '119.00', due: '0.00' },
      ['BT-115', '119,00'],
    ],
    [
      'a total that is a customer number only',
      [line, 'Kunde 119', 'Nettobetrag  100,00 €', 'MwSt. 19 %  19,00', 'Summe  120,00'],
      {},
      ['BT-112', undefined],
    ],
    ['two amounts due', [line, ...totals, 'Zahlbetrag  119,00', 'Zahlbetrag  100,00'], {}, ['BT-115', '100,00']],
    ['an amount due without cents', [line, ...totals, 'Zahlbetrag  120'], {}, ['BT-115', '120']],
    [
      'another rate in the totals than in the lines',
      ['Beratung  2  50,00  19 %  100,00', 'Nettobetrag  100,00 €', 'MwSt. 17 %  19,00', 'Bruttobetrag  119,00'],
      {},
      ['BT-119', '17'],
    ],
    [
      'another quantity of one piece',
      ['Beratung  3  100,00  100,00', ...totals],
      { lines: [{ name: 'Beratung', quantity: '1', price: '100.00', amount: '100.00', rate: '19' }] },
      ['BT-129', '3'],
    ],
    [
      'a part of a period',
      [line, ...totals, 'Leistungszeitraum März 2026'],
      { period: ['2026-03-02', '2026-03-31'] },
      ['BT-73', undefined],
    ],
  ])('for %s', (_, rows, invoice, expected) => {
    expect(differences(rows, invoice)).toContainEqual(expected);
  });
});

describe('limits', () => {
  it('names that begin alike are found with a number of steps that grows with the pages', () => {
    expect(stepsFor(3_000)).toBeLessThan(stepsFor(300) * 15);
  });

  it('values of any length are compared', () => {
    const long = `1${'0'.repeat(99_990)}`;
    const started = process.cpuUsage();
    expect(differences([line, ...totals], { net: `${long}x`, due: `0.${'0'.repeat(99_990)}x` }).length).toBeGreaterThan(
      0,
    );
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  });
});

/** The continuations that are tried to find the names of lines, each of which is broken over three rows. */
function stepsFor(lines: number): number {
  const perPage = 20;
  const names = Array.from({ length: lines }, (_, index) => `Wartung der Heizungsanlage Objekt ${10_000 + index}`);
  const pages = Array.from({ length: Math.ceil(lines / perPage) }, (_, index) => {
    const own = names.slice(index * perPage, (index + 1) * perPage);
    return page(...own.flatMap((name) => ['Wartung der  1  10,00', 'Heizungsanlage', name.slice(27), ' ']));
  });
  const [conventions] = conventionsFor('de-DE');
  if (conventions === undefined) throw new Error('no conventions');
  const index = new TextIndex(toRows(pages, conventions));
  for (const name of names) if (index.find(name).length !== 1) throw new Error(`${name} is not found`);
  return index.continuationsTried;
}
