import { describe, expect, it } from 'vitest';
import { readDates, readMonths } from '../../../../src/worker/einvoice/pages/printed-date.ts';
import { conventions, wordsOf } from './printed-row.ts';

const datesIn = (text: string, locale: string) =>
  readDates(wordsOf(text), conventions(locale)).map(({ value }) => value);

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
