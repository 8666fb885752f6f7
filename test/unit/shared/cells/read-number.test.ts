import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecimalMark, readNumber } from '../../../../src/shared/cells/read-number.ts';
import { volume } from '../../../support/extended.ts';

describe('a cell is read as a number', () => {
  test.each([
    ['557,5', 557.5],
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['1 234,50', 1234.5],
    ['1\u00a0234,50', 1234.5],
    ['1\u202f234.50', 1234.5],
    ["12'345.60", 12345.6],
    ['12\u2019345.60', 12345.6],
    ["1'234", 1234],
    ['1 234,567', 1234.567],
    ['1.234.567', 1234567],
    ['12,34,567.50', 1234567.5],
    ['0.125', 0.125],
    ['0,125', 0.125],
    ['1234.567', 1234.567],
    [' 42 ', 42],
    ['007', 7],
    ['.5', 0.5],
    ['-,5', -0.5],
    ['-5', -5],
    ['\u22125', -5],
    ['+5', 5],
    ['-0', 0],
    ['1.5E+3', 1500],
    ['1,234E+05', 123400],
    ['€ 1.234,50', 1234.5],
    ['1.234,50 €', 1234.5],
    ['-$5.25', -5.25],
    ['$-5.25', -5.25],
    ['CHF 12\u2019345.60', 12345.6],
    ['99 kr', 99],
    ['19 %', 0.19],
    ['19,99%', 0.1999],
    ['-0.5 %', -0.005],
    ['150%', 1.5],
    // More digits than a number can hold stay digits.
    ['12345678901234567.89', '12345678901234567.89'],
    ['-1.234.567.890.123.456,7', '-1234567890123456.7'],
  ])('%s is %s', (cell, value) => {
    expect(readNumber(cell)).toEqual([value]);
  });

  test.each([
    ['1.234', [1.234, 1234]],
    ['1,234', [1234, 1.234]],
    ['-12,345 €', [-12345, -12.345]],
    ['1.234 %', [0.01234, 12.34]],
  ])('%s is ambiguous until its column has a format', (cell, values) => {
    expect(readNumber(cell)).toEqual(values);
    expect(readNumber(cell, '.')).toEqual([values[0]]);
    expect(readNumber(cell, ',')).toEqual([values[1]]);
  });

  test.each([
    ...['', ' ', 'abc', '-', '.', '5.', '1.2.3', '1,2,3', '12 34', '1.23,456', '1,234,56', '0.123.456', '1234.567.890'],
    ...[
      '5 % €',
      '5€$',
      '--5',
      '-5-',
      '1e',
      '0x10',
      'NaN',
      'Infinity',
      '٣',
      '5²',
      '1_000',
      '9'.repeat(61),
      '2/9',
      '12:30',
      '100\n200',
      '1\t234',
      '9'.repeat(41),
    ],
  ])('%j is not a number', (cell) => {
    expect(readNumber(cell)).toEqual([]);
  });

  test('a format refuses other notations', () => {
    expect(readNumber('557,5', '.')).toEqual([]);
    expect(readNumber('557.5', ',')).toEqual([]);
  });
});

test("every number is read back in every country's notation", () => {
  const locales: readonly (readonly [string, DecimalMark])[] = [
    ...(['en', 'en-IN', 'ja', 'he'] as const).map((locale) => [locale, '.'] as const),
    ...(['de', 'de-AT', 'fr', 'es', 'it', 'nl', 'pl', 'sv', 'tr', 'pt-BR', 'id'] as const).map(
      (locale) => [locale, ','] as const,
    ),
    ['de-CH', '.'],
  ];
  const amount = fc.tuple(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(fc.constantFrom(...locales), amount, fc.boolean(), ([locale, mark], [digits, decimals], isGrouped) => {
      const value = digits / 10 ** decimals;
      const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: isGrouped };
      // Right-to-left languages put a direction mark before the sign.
      const cell = new Intl.NumberFormat(locale, options).format(value).replace('\u200e', '');
      expect(readNumber(cell, mark)).toEqual([value === 0 ? 0 : value]);
      const readings = readNumber(cell);
      expect(readings).toContain(value === 0 ? 0 : value);
      expect(readings.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: volume(500, 10_000) },
  );
});

test('any string can be read, and the template language accepts the result', () => {
  const cell = fc.string({ unit: fc.constantFrom(..."0123456789.,'-+ %€eE\u00a0\u2212", 'EUR', 'x') });
  fc.assert(
    fc.property(cell, (text) => {
      for (const value of readNumber(text)) {
        expect(String(value)).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/);
        expect(Number.isFinite(Number(value))).toBe(true);
      }
    }),
    { numRuns: volume(500, 10_000) },
  );
});
