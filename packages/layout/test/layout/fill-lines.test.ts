import { expect, test } from 'vitest';
import type { Paragraph } from '../../src/document/tree.ts';
import { dotsPerTwip } from '../../src/fonts/sized-font.ts';
import { fillLines } from '../../src/layout/fill-lines.ts';
import { heightOf } from '../../src/layout/lay-out-paragraph.ts';
import { lineContext as context, textParagraph } from '../text-paragraph.ts';

/** In twips; a line of it holds two or three of the words. */
const width = 2_000;
const spaced = { line: 360 };

function textOfOne(text: string) {
  const [inline] = textParagraph(text).inlines;
  if (inline?.kind !== 'text') throw new Error('no text');
  return inline;
}

type Format = Parameters<typeof textParagraph>[1];

/** A paragraph of runs, each in its own size. */
function paragraphOf(runs: readonly (readonly [text: string, halfPoints: number])[], format: Format = {}): Paragraph {
  const inlines = runs.flatMap(([text, halfPoints]) =>
    textParagraph(text).inlines.map((inline) =>
      inline.kind === 'text' ? { ...inline, format: { ...inline.format, halfPoints } } : inline,
    ),
  );
  return { ...textParagraph('', format), inlines };
}

/** Two runs with their sizes. */
const sized = (...[one, size, other, otherSize]: [string, number, string, number]) =>
  [
    [one, size],
    [other, otherSize],
  ] as const;

const linesOf = (paragraph: Paragraph, space = width): string[] =>
  fillLines(paragraph, space, context).map(({ fragments }) =>
    fragments.flatMap((one) => (one.kind === 'text' ? one.words.map(({ text }) => text) : [])).join(' '),
  );

const full = 'one two three four five six seven';

test('the space above a line is that of its own text, whatever the lines around it have', () => {
  const runs = [
    [`${full}\n`, 22],
    ['eight', 44],
    [`\n${full}`, 22],
  ] as const;
  const lines = fillLines(paragraphOf(runs, spaced), width, context);
  const heights = new Set(lines.map(({ height }) => height));
  expect(heights.size).toBe(2);
  for (const { height, spacing, spacingBelow } of lines)
    expect([spacing, spacingBelow]).toEqual([height, height].map((text) => Math.floor(text * 1.5) - text));
  const [first, ...others] = lines;
  expect(heightOf(lines)).toBe(others.reduce((sum, { height, spacing }) => sum + height + spacing, first?.height ?? 0));
});

const severalSpaces = 'spaces of several runs at the end of a line';

test.each(['center', 'right', 'both'] as const)(
  'spaces of two runs at the end of a line, %s, are left to LibreOffice',
  (alignment) => {
    const spaces = paragraphOf(sized('one ', 22, ' ', 20), { alignment });
    expect(() => fillLines(spaces, width, context)).toThrow(severalSpaces);
  },
);

test('spaces of two runs at the end of a line on the left, and between words, are laid out', () => {
  const spaces = (behind: string, format?: Format) => linesOf(paragraphOf(sized('one ', 22, behind, 20), format));
  expect(spaces(' ')).toEqual(['one ']);
  expect(spaces(' two', { alignment: 'center' })).toEqual(['one  two']);
});

test('a word that fits where the spaces of two runs behind it do not is left to LibreOffice', () => {
  const runs = sized('one ', 22, ' two', 22);
  const { font, x, width: word } = textOf(paragraphOf([['one', 22]]));
  const end = Math.ceil((x + word + font.spaceWidth / 2) / dotsPerTwip);
  expect(() => fillLines(paragraphOf(runs), end, context)).toThrow(severalSpaces);
});

function textOf(paragraph: Paragraph) {
  const [fragment] = fillLines(paragraph, width, context)[0]?.fragments ?? [];
  if (fragment?.kind !== 'text') throw new Error('no text');
  return fragment;
}

const address = 'https://example.com/a/b';

test.each([
  ['at the start of a paragraph', [[address, 22]]],
  ['behind a hyphen with its slash on the line', [['two a-b/cdefghijklmnop', 22]]],
  ['far behind the last space', [[`one ${'abcd/'.repeat(14)}e`, 22]]],
] as const)('an address over the end of a line is left to LibreOffice %s', (_place, runs) => {
  expect(() => fillLines(paragraphOf(runs), width, context)).toThrow('an address over the end of a line');
});

test('a space at which no line may end is left at the end of one if it does not fit itself', () => {
  const paragraph = paragraphOf([['one two ) four', 22]]);
  const begin = new Set<string>();
  for (let space = 600; space < 1_200; space += 5) {
    try {
      begin.add(linesOf(paragraph, space)[1]?.slice(0, 1) ?? '');
    } catch (error) {
      begin.add((error as Error).message);
    }
  }
  // `two )` goes to the next line together, or the bracket alone where only `two` fits.
  expect([...begin].sort()).toEqual([')', 'f', 'spaces at the end of a line at which no line may end', 't']);
});

test('an address behind a space goes to the next line, and is cut where it is longer', () => {
  expect(linesOf(paragraphOf([['one two three four and/or', 22]]))).toEqual(['one two three four', 'and/or']);
  const [first, ...others] = linesOf(paragraphOf([[`one ${address}`, 22]]));
  expect([first, others.join('')]).toEqual(['one', address]);
  expect(others.length).toBe(2);
});

test('a slanted word that is longer than its line is left to LibreOffice where its slant needs space', () => {
  const inline = textOfOne('abcdefghijklmnopqrstuvwxyz');
  const slanted = { ...inline, format: { ...inline.format, isItalic: true } };
  const of = (isOfWord2013: boolean, alignment: 'left' | 'right') =>
    fillLines({ ...textParagraph('', { alignment }), inlines: [slanted] }, width, { ...context, isOfWord2013 }).length;
  expect(of(false, 'left')).toBe(2);
  expect(() => of(true, 'left')).toThrow('a slanted word that is longer than its line');
  expect(() => of(false, 'right')).toThrow('a slanted word that is longer than its line');
});

test('a word of capitals and other letters by their format is left to LibreOffice', () => {
  const inline = textOfOne('one');
  const of = (text: string) =>
    linesOf({
      ...textParagraph(''),
      inlines: [
        { ...inline, text },
        { ...inline, text: 'TWO', format: { ...inline.format, isUpperCase: true } },
      ],
    });
  expect(of('one ')).toHaveLength(1);
  expect(() => of('one')).toThrow('a word of capitals and other letters by their format');
});

test('a line of a list that ends before a run of higher text is left to LibreOffice', () => {
  const paragraph = paragraphOf(sized(`${full} `, 22, 'higher', 44));
  const { format } = paragraph;
  const listed = { ...paragraph, format: { ...format, numbering: { ...format.numbering, id: '1' } } };
  const lower = paragraphOf(sized(`${full} `, 22, 'lower', 18));
  const space = 3_300;
  expect(linesOf(paragraph, space)).toHaveLength(2);
  expect(() => linesOf(listed, space)).toThrow('a line of a label before higher text');
  expect(linesOf({ ...lower, format: listed.format }, space).length).toBeGreaterThan(0);
});

test('shaded text is left to LibreOffice in lines of an exact height, and with spaces at the end of its line', () => {
  const inline = textOfOne('one');
  const shaded = { ...inline, format: { ...inline.format, shading: 'FFFF00' } };
  const of = (text: string, format: Format) =>
    linesOf({ ...textParagraph('', format), inlines: [{ ...shaded, text }] });
  expect(of('one', {})).toEqual(['one']);
  expect(() => of('one', { line: 300, lineRule: 'exact' })).toThrow('shaded text in lines of an exact height');
  expect(() => of('one ', { alignment: 'both' })).toThrow('shading of spaces at the end of a line');
});

test('lines at slanted text with spaces at the end of its line are left to LibreOffice', () => {
  const inline = textOfOne('one');
  const of = (isItalic: boolean) => {
    const format = { ...inline.format, isItalic, underline: 'single' as const };
    return linesOf({ ...textParagraph(''), inlines: [{ ...inline, text: `${full} `, format }] });
  };
  expect(of(false).length).toBeGreaterThan(1);
  expect(() => of(true)).toThrow('a line at spaces at the end of a line');
});
