import { expect, test } from 'vitest';
import type { Inline, Paragraph } from '../../src/document/tree.ts';
import { dotsPerTwip } from '../../src/fonts/sized-font.ts';
import { fillLines } from '../../src/layout/fill-lines.ts';
import type { TextFragment } from '../../src/layout/line.ts';
import { UnknownFeature } from '../../src/unknown-feature.ts';
import { lineContext as context, textParagraph } from '../text-paragraph.ts';

const stop = 3_000;
const width = 6_000;

/** A paragraph that begins with a tab to a decimal stop. */
function behindTab(text: string, format: Partial<Paragraph['format']> = {}): Paragraph {
  const plain = textParagraph(text, { tabs: [{ position: stop, alignment: 'decimal', leader: '' }], ...format });
  const tab: Inline = { kind: 'tab', format: plain.mark, isOfLabel: false };
  return { ...plain, inlines: [tab, ...plain.inlines] };
}

function fragmentsOf(text: string, format?: Partial<Paragraph['format']>): readonly TextFragment[] {
  const lines = fillLines(behindTab(text, format), width, context);
  return lines.flatMap(({ fragments }) => fragments.filter((one) => one.kind === 'text'));
}

const textOf = ({ words }: TextFragment): string => words.map(({ text }) => text).join(' ');

test.each([
  ['12.50', '12', '.50'],
  ['1,234.50 euros', '1,234', '.50 euros'],
  ['No. 7', 'No', '. 7'],
  ['12 pieces', '12', ' pieces'],
  ['(7)', '(7', ')'],
])('%s ends at a decimal stop before its point, or behind its number', (text, before, behind) => {
  const [first, second] = fragmentsOf(text);
  expect([first, second].map((one) => (one === undefined ? '' : textOf(one)))).toEqual([before, behind]);
  const [end, start] = [(first?.x ?? 0) + (first?.width ?? 0), second?.x ?? 0];
  expect(start / dotsPerTwip).toBe(stop);
  expect(Math.abs(end - start)).toBeLessThan(dotsPerTwip);
});

test('text without a number ends at the stop', () => {
  const [only, ...others] = fragmentsOf('none');
  expect(others).toEqual([]);
  expect(Math.abs((only?.x ?? 0) + (only?.width ?? 0) - stop * dotsPerTwip)).toBeLessThan(dotsPerTwip);
});

test.each([
  [
    'in a line that is not at the left',
    '12.50',
    { alignment: 'right' as const },
    'a decimal tab in a line that is not at the left',
  ],
  ['with text over the end of the line', `12.${'5'.repeat(60)}`, {}, 'text at a tab over the end of the line'],
  ['on a full line', `12.5 ${'many words '.repeat(20)}`, {}, 'text at a tab over the end of the line'],
])('a decimal stop %s is left to LibreOffice', (_place, text, format, reason) => {
  expect(() => fragmentsOf(text, format)).toThrow(new UnknownFeature(reason));
});
