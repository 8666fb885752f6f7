import { describe, expect, it } from 'vitest';
import { conventionsFor } from '../../../../src/worker/einvoice/pages/conventions.ts';
import { canonical, readDates, readNumbers } from '../../../../src/worker/einvoice/pages/printed-values.ts';

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
    ['31.13.2026', 'de-DE'],
    ['12.345.678', 'de-DE'],
    ['31 Wörter 2026', 'de-DE'],
  ])('is not %s', (text, locale) => {
    expect(datesIn(text, locale)).toEqual([]);
  });
});
