import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOf, divide, formatAmount, sumOf } from '../src/model/amounts.ts';
import { completeInvoice } from '../src/model/complete-invoice.ts';
import { invoiceModel } from '../src/model/invoice.ts';
import { common, everything, type InvoiceInput } from './sample-invoice.ts';

const complete = (input: InvoiceInput) => completeInvoice(invoiceModel.parse(input));

describe('amounts', () => {
  test('follow from lines, allowances and charges', () => {
    const { invoice, wrong } = complete(everything);
    expect(wrong).toEqual([]);
    expect(invoice.lines.map(({ id, netAmount }) => [id, netAmount])).toEqual([
      ['1', '286.50'],
      ['2', '10.83'],
      ['10', '20.00'],
    ]);
    expect(invoice.vatBreakdown.map(({ rate, taxable, tax }) => [rate, taxable, tax])).toEqual([
      ['19', '302.00', '57.38'],
      ['7', '10.83', '0.76'],
    ]);
    expect(invoice.totals).toEqual({
      lines: '317.33',
      allowances: '10.00',
      charges: '5.50',
      withoutVat: '312.83',
      vat: '58.14',
      vatInVatCurrency: '60',
      withVat: '370.97',
      paid: '100.00',
      rounding: '0.01',
      payable: '270.98',
    });
  });

  test('that are given and differ are named with their rule, place and both values', () => {
    const [first] = common.lines;
    const { wrong } = complete({
      ...common,
      lines: [{ ...first, netAmount: '286.51' } as (typeof common.lines)[number]],
      totals: { lines: 286.5, withVat: '340.93', payable: 340.94 },
      vatBreakdown: [
        { category: 'S', rate: '19.00', tax: 54.43 },
        { category: 'E', exemptionReason: 'Arzt' },
      ],
    });
    expect(wrong.map(({ rule, path, given, expected }) => [rule, path, given, expected])).toEqual([
      ['PEPPOL-EN16931-R120', 'lines[0].netAmount', '286.51', '286.50'],
      ['BR-CO-18', 'vatBreakdown[1]', 'E', 'a category and rate of a line, an allowance or a charge'],
      ['BR-CO-17', 'vatBreakdown[0].tax', '54.43', '54.44'],
      ['BR-CO-15', 'totals.withVat', '340.93', '340.94'],
    ]);
  });

  test('of allowances and charges are stated, or follow from base and percentage', () => {
    const vat = { category: 'S', rate: 19 } as const;
    const { wrong } = complete({
      ...common,
      allowances: [{ reason: 'Rabatt', vat }],
      charges: [{ base: 50, percent: 3, amount: 2, vat }],
    });
    expect(wrong.map(({ rule, term, path, given }) => [rule, term, path, given])).toEqual([
      ['BR-31', 'BT-92', 'allowances[0].amount', undefined],
      ['PEPPOL-EN16931-R040', 'BT-99', 'charges[0].amount', '2'],
    ]);
  });

  test('of documents without VAT have a category without a rate', () => {
    const vat = { category: 'O' } as const;
    const { invoice } = complete({ ...common, lines: common.lines.map((line) => ({ ...line, vat })) });
    expect(invoice.vatBreakdown).toMatchObject([{ category: 'O', rate: undefined, taxable: '297.33', tax: '0.00' }]);
  });

  test('add up whatever the lines are', () => {
    const money = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2));
    const rate = fc.constantFrom('0', '5.5', '7', '19', '21');
    const lines = fc.array(fc.tuple(money, fc.integer({ min: 1, max: 999 }), rate), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(lines, (entries) => {
        const { invoice, wrong } = complete({
          ...common,
          lines: entries.map(([net, quantity, rate]) => ({
            ...(common.lines[0] as (typeof common.lines)[number]),
            quantity,
            price: { net },
            vat: { category: 'S', rate },
          })),
        });
        expect(wrong).toEqual([]);
        const { lines: sum, vat, withVat } = invoice.totals;
        expect(formatAmount(sumOf(invoice.vatBreakdown.map(({ taxable }) => taxable)))).toBe(sum);
        expect(formatAmount(sumOf([sum, vat]))).toBe(withVat);
      }),
    );
  });
});

test.each([
  ['10', '3', '3.33'],
  ['-0.05', '10', '-0.01'],
  ['0.005', '1', '0.01'],
  ['0.0049', '1', '0.00'],
  ['-2.675', '1', '-2.68'],
])('%s / %s is rounded half away from zero: %s', (dividend, divisor, expected) => {
  expect(formatAmount(divide(decimalOf(dividend), decimalOf(divisor)))).toBe(expected);
});

describe('a model that is not one', () => {
  test.each<[string, object, string]>([
    ['a date that does not exist', { issueDate: '2026-02-30' }, 'must be a date such as 2026-03-31'],
    ['an unknown field', { colour: 'red' }, 'Unrecognized key'],
    ['no lines', { lines: [] }, 'must have at least one line'],
    ['a control character', { number: 'R\u0007' }, 'must not contain control characters'],
    ['half a surrogate pair', { number: 'R\ud800' }, 'must not contain control characters'],
    ['too many decimals', { totals: { paid: '1.005' } }, 'must be a number with at most 2 decimals'],
    ['a number with an exponent', { totals: { paid: 1e21 } }, 'must be a number with at most 2 decimals'],
  ])('is refused with its reason: %s', (_, change, message) => {
    expect(() => invoiceModel.parse({ ...common, ...change })).toThrow(message);
  });
});
