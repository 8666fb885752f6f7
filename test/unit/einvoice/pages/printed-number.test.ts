import { describe, expect, it } from 'vitest';
import { canonical, readNumbers } from '../../../../src/worker/einvoice/pages/printed-number.ts';
import { conventions, wordsOf } from './printed-row.ts';

const numbersIn = (text: string, locale: string) =>
  readNumbers(wordsOf(text), conventions(locale)).map(({ value, currency }) => [value, currency]);

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

  it('of the XML is compared in its shortest form', () => {
    expect(['0010.500', '-0.00', '.5', '100', '7.'].map(canonical)).toEqual(['10.5', '0', '0.5', '100', '7']);
  });
});
