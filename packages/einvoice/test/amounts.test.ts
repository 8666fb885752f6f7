import { decimalOf, roundTo, sumOf } from '@docmill/einvoice';
import { expect, it } from 'vitest';

it.each([
  [['0.1', '0.2'], '0.3'],
  [['100', '-100.00'], '0'],
  [['-1.5', '0.25'], '-1.25'],
  [['19.00', '100'], '119'],
])('the sum of %j is not rounded', (amounts, sum) => {
  expect(sumOf(amounts).toString()).toBe(sum);
});

it.each([
  ['2.345', 2, '2.35'],
  ['-2.345', 2, '-2.35'],
  ['0.004', 2, '0'],
  ['1.99995', 4, '2'],
  ['7', 2, '7'],
])('%s is rounded half away from zero to %i decimals', (value, decimals, rounded) => {
  expect(roundTo(decimalOf(value), decimals).toString()).toBe(rounded);
});
