import { expect, test } from 'vitest';
import { fillStories } from '../../src/document/fill-stories.ts';
import type { Stories } from '../../src/document/tree.ts';

const [given, empty]: [[], []] = [[], []];
const filled = (
  stories: Partial<Stories>,
  hasFirstPage: boolean,
  hasEvenPages: boolean,
  isOnlySection = true,
): string => {
  const all = { default: undefined, first: undefined, even: undefined, ...stories };
  const made = fillStories(all, { hasFirstPage, hasEvenPages, isOnlySection, empty: () => empty });
  return [made.default, made.first, made.even]
    .map((one) => (one === undefined ? 'none' : one === empty ? 'empty' : 'given'))
    .join(' ');
};

test.each([
  ['no story', {}, true, true, 'none none none'],
  ['one for all pages', { default: given }, false, false, 'given none none'],
  ['one for all pages but the first and even ones', { default: given }, true, true, 'given empty empty'],
  ['one for the first page', { first: given }, true, false, 'empty given none'],
  ['one for a first page like all others', { first: given }, false, true, 'none given none'],
  ['one for even pages that are like all others', { even: given }, false, false, 'empty none given'],
  ['all of them', { default: given, first: given, even: given }, true, true, 'given given given'],
] as const)('%s', (_name, stories, hasFirstPage, hasEvenPages, expected) => {
  expect(filled(stories, hasFirstPage, hasEvenPages)).toBe(expected);
});

test('a header of some pages that other sections may inherit is left to LibreOffice', () => {
  expect(() => filled({ first: given }, true, false, false)).toThrow('a header or footer of some pages');
  expect(filled({ default: given }, true, false, false)).toBe('given empty none');
});
