import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDate, readExcelDate } from '../../../../src/shared/cells/read-date.ts';
import { volume } from '../../../support/extended.ts';

describe('a cell is read as a date', () => {
  test.each([
    ['2026-02-09', '2026-02-09'],
    ['2026/2/9', '2026-02-09'],
    ['2026. 02. 09.', '2026-02-09'],
    ['09.02.2026', '2026-02-09'],
    ['9. 2. 2026', '2026-02-09'],
    ['25/12/2026', '2026-12-25'],
    ['12/25/2026', '2026-12-25'],
    ['2/2/2026', '2026-02-02'],
    ['29.02.2028', '2028-02-29'],
    ['9 Feb 2026', '2026-02-09'],
    ['9-Feb-2026', '2026-02-09'],
    ['Feb 9, 2026', '2026-02-09'],
    ['February 9th, 2026', '2026-02-09'],
    ['1st of September 2026', '2026-09-01'],
    ['9. Februar 2026', '2026-02-09'],
    ['9. März 2026', '2026-03-09'],
    ['9 Maerz 2026', undefined],
    ['1er février 2026', '2026-02-01'],
    ['9 de febrero de 2026', '2026-02-09'],
    ['9 febbraio 2026', '2026-02-09'],
    ['9 lutego 2026', '2026-02-09'],
    ['9 Φεβρουαρίου 2026', '2026-02-09'],
    ['9 Sept. 2026', '2026-09-09'],
    ['2026-02-09T14:30:00Z', '2026-02-09T14:30:00Z'],
    ['2026-02-09 14:30', '2026-02-09T14:30:00'],
    ['2026-02-09T14:30:00.250+02:00', '2026-02-09T14:30:00+02:00'],
    ['09.02.2026 9:05', '2026-02-09T09:05:00'],
    ['9 Feb 2026, 2:30 PM', '2026-02-09T14:30:00'],
    ['25/12/2026 12:00 am', '2026-12-25T00:00:00'],
  ])('%s is %s', (cell, value) => {
    expect(readDate(cell)).toEqual(value === undefined ? [] : [value]);
  });

  test.each([
    ['2/9/2026', ['2026-09-02', '2026-02-09']],
    ['02-09-2026', ['2026-09-02', '2026-02-09']],
    ['2/9/2026 14:30', ['2026-09-02T14:30:00', '2026-02-09T14:30:00']],
  ])('%s is ambiguous until its column has a format', (cell, values) => {
    expect(readDate(cell)).toEqual(values);
    expect(readDate(cell, 'dayFirst')).toEqual([values[0]]);
    expect(readDate(cell, 'monthFirst')).toEqual([values[1]]);
  });

  test.each([
    ...['', 'tomorrow', '46062', '20260209', '30.02.2026', '31/31/2026', '2026-13-01', '00.01.2026', '01.01.0000'],
    // A two-digit year is in either century, and listopad is October or November.
    ...[
      '09.02.26',
      '2/9/26',
      '9 Feb 26',
      '9 listopad 2026',
      '9/2.2026',
      '2026-02-09 25:00',
      '2/9/2026 13:00 pm',
      '12:30',
      '2026-02-09T14:30:00+24:00',
      '2026-02-09T14:30:00+02:75',
    ],
  ])('%j is not a date', (cell) => {
    expect(readDate(cell)).toEqual([]);
  });

  test('a format refuses other notations, and reads unambiguous ones', () => {
    expect(readDate('25/12/2026', 'monthFirst')).toEqual([]);
    expect(readDate('12/25/2026', 'dayFirst')).toEqual([]);
    expect(readDate('2026-02-09', 'monthFirst')).toEqual(['2026-02-09']);
    expect(readDate('9 Feb 2026', 'monthFirst')).toEqual(['2026-02-09']);
    expect(readDate('02.09.2026', 'monthFirst')).toEqual([]);
  });
});

test.each([
  ['46062', '2026-02-09'],
  ['46062.5', '2026-02-09T12:00:00'],
  ['46062,604166667', '2026-02-09T14:30:00'],
  ['1', '1900-01-01'],
  ['59', '1900-02-28'],
  ['61', '1900-03-01'],
  ['2958465', '9999-12-31'],
  ['46062.999999', '2026-02-10'],
])("Excel's day %s is %s", (cell, value) => {
  expect(readExcelDate(cell)).toEqual([value]);
});

test.each(['', '0', '60', '2958466', '2958465.999999', '-1', '09.02.2026', '46 062', '1e4'])(
  "Excel's day %j is not a date",
  (cell) => {
    expect(readExcelDate(cell)).toEqual([]);
  },
);

const locales = ['en-US', 'en-GB', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'fi', 'tr', 'uk'] as const;
const anyDay = fc
  .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('every day is read back, with its month as a number or as a word in some language', () => {
  fc.assert(
    fc.property(anyDay, fc.constantFrom(...locales), fc.constantFrom('.', '/', '-'), (day, locale, separator) => {
      const [year = '', month = '', date = ''] = day.split('-');
      expect(readDate([year, month, date].join(separator))).toEqual([day]);
      expect(readDate([date, month, year].join(separator), 'dayFirst')).toEqual([day]);
      expect(readDate([month, date, year].join(separator), 'monthFirst')).toEqual(separator === '.' ? [] : [day]);
      expect(readDate([date, month, year].join(separator))).toContain(day);
      const name = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' })
        .formatToParts(Date.parse(day))
        .find(({ type }) => type === 'month')?.value;
      // Listopad is November in Polish and October in Croatian.
      const isUnclear = locale === 'pl' && month === '11';
      expect(readDate(`${Number(date)} ${name} ${year}`)).toEqual(isUnclear ? [] : [day]);
    }),
    { numRuns: volume(300, 5_000) },
  );
});

test('any string can be read, and the result is an ISO 8601 date or nothing', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'0123456789./-: T', 'Feb', 'mars', 'Z', 'pm', '2026') });
  fc.assert(
    fc.property(cell, (text) => {
      for (const value of [...readDate(text), ...readExcelDate(text)])
        expect(Number.isNaN(Date.parse(value)), value).toBe(false);
    }),
    { numRuns: volume(500, 10_000) },
  );
});
