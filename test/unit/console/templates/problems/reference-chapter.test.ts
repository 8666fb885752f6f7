import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  bracesChapter,
  chapterOf,
  chapters,
  delimitersChapter,
} from '../../../../../src/console/templates/problems/reference-chapter.ts';

test.each([
  ['{#if paid}', 'the tag {#if paid} is not valid: this is a Handlebars statement', 'sections'],
  ['{% endif %}', 'the tag {% endif %} is not valid: this is a Jinja, Liquid or Twig statement', 'sections'],
  ['{{/if}}', 'the tag {{/if}} is not valid', 'sections'],
  ['<</items>>', 'the section <<#item>> is closed by <</items>>', 'sections'],
  ['{price | mony}', 'there is no formatter "mony"', 'formatters'],
  ['{a +}', 'the tag {a +} is not valid', 'expressions'],
  ['{%logo | width:"3 miles"}', 'its width must be a number', 'pictures-and-barcodes'],
  ['{~body', 'the tag that starts with "{~body" has no closing brace "}"', 'braces-that-are-text'],
  ['{{name}}', 'the tag {{name}} has double braces', 'other-delimiters'],
  ['{@cell}', 'the name is missing', 'formatting-that-data-chooses'],
  ['{include "terms"}', 'it must be alone in a paragraph', 'other-templates'],
  ['{x y', 'something else', 'mistakes'],
])('the mistake of %s is explained in a chapter of the reference', (tag, message, anchor) => {
  expect(chapterOf({ kind: 'mistake', tag, message })?.[0]).toBe(anchor);
});

test('a warning without a tag has no chapter; a mistake always has one', () => {
  expect(chapterOf({ kind: 'warning', message: 'Documents show tracked changes.' })).toBeUndefined();
  expect(chapterOf({ kind: 'mistake', message: 'The template contains no tags.' })?.[0]).toBe('mistakes');
});

test('every chapter is a heading of the reference', () => {
  const headings = new Map(
    [...readFileSync('docs/reference/template-language.md', 'utf8').matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => [
      title.toLowerCase().replaceAll(' ', '-'),
      title,
    ]),
  );
  const named = [...chapters.map(([, chapter]) => chapter), bracesChapter, delimitersChapter];
  for (const [anchor, title] of named) expect(headings.get(anchor)).toBe(title);
});
