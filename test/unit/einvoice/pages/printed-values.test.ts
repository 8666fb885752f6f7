import { describe, expect, it } from 'vitest';
import { conventionsFor } from '../../../../src/worker/einvoice/pages/conventions.ts';
import {
  canonical,
  plus,
  readDates,
  readMonths,
  readNumbers,
} from '../../../../src/worker/einvoice/pages/printed-values.ts';

/** Words of ten points, each with a normal space between them. */
function wordsOf(text: string) {
  let left = 0;
  return text.split(' ').map((word) => {
    const start = left;
    left += word.length * 5 + 2.5;
    return { text: word, left: start, right: left - 2.5, top: 0, bottom: 10, y: 10, sizePt: 10 };
  });
}
const conventions = (locale: string) => {
  const [first] = conventionsFor(locale);
  if (first === undefined) throw new Error(`no conventions for ${locale}`);
  return first;
};
const numbersIn = (text: string, locale: string) =>
  readNumbers(wordsOf(text), conventions(locale)).map(({ value, currency }) => [value, currency]);
const datesIn = (text: string, locale: string) =>
  readDates(wordsOf(text), conventions(locale)).map(({ value }) => value);

describe('a number', () => {
  it.each([
    ['1.234,56 €', 'de-DE', '1234.56', '€'],
    ['1 234 567,80 €', 'fr-FR', '1234567.8', '€'],
    ["CHF 1'234.56", 'de-CH', '1234.56', 'CHF'],
    ['1’234.50', 'it-CH', '1234.5', undefined],
    ['$1,234.56', 'en-US', '1234.56', '$'],
    ['£12', 'en-GB', '12', '£'],
    ['1234,50', 'es-ES', '1234.5', undefined],
    ['-50,00', 'de-DE', '-50', undefined],
    ['−50,00', 'de-DE', '-50', undefined],
    ['- 50,00', 'de-DE', '-50', undefined],
    ['-CHF 50.00', 'de-CH', '-50', 'CHF'],
    ['50,00-', 'de-DE', '-50', undefined],
    ['(50.00)', 'en-US', '-50', undefined],
    ['200,–', 'de-DE', '200', undefined],
    ['12 kg', 'de-DE', '12', undefined],
    ['3x', 'de-DE', '3', undefined],
    ['(19 %)', 'de-DE', '19', undefined],
    ['– 19 %', 'de-DE', '19', undefined],
    ['(20%)', 'en-GB', '20', undefined],
    ['50,00 -', 'de-DE', '-50', undefined],
    ['1234.50 CHF', 'fr-CH', '1234.5', 'CHF'],
    ['2,5', 'fr-CH', '2.5', undefined],
    ['119,00 Euro', 'de-DE', '119', 'Euro'],
    ['119,00 (EUR)', 'de-DE', '119', 'EUR'],
    ['[EUR] 119,00', 'de-DE', '119', 'EUR'],
    ['CA$119.00', 'en-CA', '119', 'CA$'],
    ['119,00 $US', 'fr-FR', '119', '$US'],
    ['SFr. 50.00', 'de-CH', '50', 'SFr'],
  ])('%s in %s is %s', (text, locale, value, currency) => {
    expect(numbersIn(text, locale)).toEqual([[value, currency]]);
  });

  it.each([
    ['1.23,45', 'de-DE'],
    ['192.168.0.1', 'de-DE'],
    ['A4711', 'de-DE'],
    ['1,234.56', 'de-DE'],
  ])('is not %s in %s', (text, locale) => {
    expect(numbersIn(text, locale)).toEqual([]);
  });

  it('has groups that are separated by the wide spaces of a typewriter', () => {
    const wide = wordsOf('1 234,50').map((word) => ({ ...word, right: word.left + word.text.length * 6 }));
    const [first, second] = wide;
    if (first === undefined || second === undefined) throw new Error('no words');
    const moved = { ...second, left: first.right + 6, right: first.right + 6 + 36 };
    expect(readNumbers([first, moved], conventions('fr-FR')).map(({ value }) => value)).toEqual(['1234.5']);
  });

  it('is added without rounding', () => {
    expect([plus('0.1', '0.2'), plus('100', '-100.00'), plus('-1.5', '0.25'), plus('19.00', '100')]).toEqual([
      '0.3',
      '0',
      '-1.25',
      '119',
    ]);
  });

  it('of the XML is compared in its shortest form', () => {
    expect(['0010.500', '-0.00', '.5', '100', '7.'].map(canonical)).toEqual(['10.5', '0', '0.5', '100', '7']);
  });
});

describe('a date', () => {
  it.each([
    ['31.03.2026', 'de-DE'],
    ['31. März 2026', 'de-DE'],
    ['31.3.26', 'de-DE'],
    ['March 31, 2026', 'en-US'],
    ['03/31/2026', 'en-US'],
    ['31 March 2026', 'en-GB'],
    ['31/03/2026', 'fr-FR'],
    ['31 mars 2026', 'fr-FR'],
    ['31 marzo 2026', 'it-IT'],
    ['31 de marzo de 2026', 'es-ES'],
    ['31-Mar-2026', 'en-GB'],
    ['2026-03-31', 'es-ES'],
  ])('%s in %s', (text, locale) => {
    expect(datesIn(text, locale)).toContain('2026-03-31');
  });

  it.each([
    ['01.–31.03.2026', 'de-DE'],
    ['01.03. – 31.03.2026', 'de-DE'],
    ['1. bis 31. März 2026', 'de-DE'],
    ['1. März – 31. März 2026', 'de-DE'],
    ['1er au 31 mars 2026', 'fr-FR'],
    ['March 1–31, 2026', 'en-US'],
    ['March 1 – March 31, 2026', 'en-US'],
    ['03/01 – 03/31/2026', 'en-US'],
    ['1–31 March 2026', 'en-GB'],
    ['dal 1 al 31 marzo 2026', 'it-IT'],
    ['del 1 al 31 de marzo de 2026', 'es-ES'],
  ])('is the start and the end of %s in %s', (text, locale) => {
    expect(datesIn(text, locale)).toEqual(expect.arrayContaining(['2026-03-01', '2026-03-31']));
  });

  it.each([
    ['15.12. – 14.01.2027', 'de-DE', '2026-12-15'],
    ['5. Mrz 2026', 'de-DE', '2026-03-05'],
    ['5. Jänner 2026', 'de-DE', '2026-01-05'],
    ['5 sett. 2026', 'it-IT', '2026-09-05'],
    ['5 maart 2026', 'nl-BE', '2026-03-05'],
  ])('in %s in %s is %s', (text, locale, date) => {
    expect(datesIn(text, locale)).toContain(date);
  });

  it('is no month of its own', () => {
    const monthsIn = (text: string) => readMonths(wordsOf(text), conventions('de-DE'));
    expect(monthsIn('Zeitraum März 2026')).toEqual(['2026-03']);
    expect(monthsIn('03/2026')).toEqual(['2026-03']);
    expect(monthsIn('am 31. März 2026')).toEqual([]);
    expect(monthsIn('31.03.2026')).toEqual([]);
  });

  it('is not made of a quantity and a price', () => {
    expect(datesIn('2 set 14.00', 'en-GB')).toEqual([]);
  });

  it.each([
    ['31.13.2026', 'de-DE'],
    ['12.345.678', 'de-DE'],
    ['31 Wörter 2026', 'de-DE'],
  ])('is not %s', (text, locale) => {
    expect(datesIn(text, locale)).toEqual([]);
  });
});
