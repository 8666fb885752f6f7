import fc from 'fast-check';
import { expect, test } from 'vitest';
import { volume } from '../../../../test/support/extended.ts';
import { breakOpportunities } from '../../src/layout/break-opportunities.ts';

/** The text with a bar before each character that may begin a line. */
function marked(text: string): string {
  const positions = breakOpportunities(text);
  return [...text].map((character, index) => (positions.has(index) ? `|${character}` : character)).join('');
}

// The breaks of LibreOffice 25.2.
test.each([
  ['words', 'two |words'],
  ['hyphens', 'well-|known |E-|Mail-|Adresse'],
  ['a hyphen that begins a word', 'pre- |and |-post'],
  ['ranges of numbers', '2026-|11-|25 |+1-|555-|0100 |10%-|20% |$5-|$10 |(1)-|(2)'],
  ['numbers with signs', '-5 |°C |±3 |10 |% |1,234.56 |€ |€5.00 |COVID-19 |A4-|5'],
  ['decimal points', 'a |.5 |1.5 |x.5 |v2.5'],
  ['slashes', 'and/or |km/h |https://example.com/a?|b'],
  ['punctuation behind spaces', 'a : |b ! |c ) |d / |e ...'],
  ['quotation marks', '« |bonjour |» |« |a |»'],
  ['a quotation mark before a bracket', '" |(a)'],
  ['dashes', 'a|—|b |– |c |—|word |— — |d'],
  ['ellipses', 'a… |b |…'],
])('lines may end in %s', (_kind, text) => {
  expect(marked(text.replaceAll('|', ''))).toBe(text);
});

test('text that needs no rules breaks as it does with them', () => {
  const characters = fc.constantFrom(...`aZ09é Ł ß. , : ; ' " ’ “ ”@&#*_=`);
  const texts = fc.array(characters, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      // A dash needs the rules.
      const withRules = breakOpportunities(`${text} –x`);
      const expected = [...withRules].filter((position) => position < text.length);
      expect([...breakOpportunities(text)].filter((position) => position < text.trimEnd().length)).toEqual(expected);
    }),
    { numRuns: volume(500, 10_000) },
  );
});
