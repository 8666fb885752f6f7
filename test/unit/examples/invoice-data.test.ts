import { expect, it } from 'vitest';
import { invoiceData } from '../../../tools/examples/rows.ts';
import { exampleData, templateBytes, visibleText } from './example-files.ts';
import { missingTags } from './missing-tags.ts';

type Invoice = {
  readonly items: readonly { readonly quantity: string; readonly unitPrice: string; readonly amount: string }[];
  readonly subtotal: string;
  readonly discount: false | { readonly amount: string };
  readonly taxes: readonly { readonly rate: string; readonly base: string; readonly amount: string }[];
  readonly total: string;
};

const cents = (shown: string): number => Math.round(Number(shown.replace(/[€,]/g, '').replace('−', '-')) * 100);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function expectRightTotals(invoice: Invoice): void {
  for (const item of invoice.items) {
    expect(cents(item.amount)).toBe(Math.round(Number(item.quantity) * cents(item.unitPrice)));
  }
  const net = cents(invoice.subtotal) + (invoice.discount === false ? 0 : cents(invoice.discount.amount));
  expect(cents(invoice.subtotal)).toBe(sum(invoice.items.map(({ amount }) => cents(amount))));
  expect(sum(invoice.taxes.map(({ base }) => cents(base)))).toBe(net);
  for (const tax of invoice.taxes) {
    expect(cents(tax.amount)).toBe(Math.round((cents(tax.base) * Number.parseFloat(tax.rate)) / 100));
  }
  expect(cents(invoice.total)).toBe(net + sum(invoice.taxes.map(({ amount }) => cents(amount))));
}

it('the totals of the example are right', () => {
  expectRightTotals(exampleData('invoice') as Invoice);
});

it.each([1, 100, 1000])('data of %i rows has correct totals and every value of the template', (rows) => {
  const data = invoiceData(rows);
  expect(data.items).toHaveLength(rows);
  expectRightTotals(data as unknown as Invoice);
  expect(missingTags(visibleText(templateBytes('invoice')), data)).toEqual([]);
});
