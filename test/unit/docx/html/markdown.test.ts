import { createRequire } from 'node:module';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { describe, expect, it } from 'vitest';
import { paragraph } from '../../../support/documents/docx-builder.ts';
import { detailsOf, errorOf, inspect, render } from '../render/fill.ts';
import { outline } from './outline.ts';

interface SpecExample {
  readonly markdown: string;
  readonly html: string;
  readonly number: number;
}

const require = createRequire(import.meta.url);
const { tests } = require('commonmark-spec') as { readonly tests: readonly SpecExample[] };

const shown = (text: string, template = '{~md:text}') => outline(render(template, { text }).xml);

describe('the examples of the CommonMark specification', () => {
  // The specification shows tabs as arrows.
  const examples = tests.map(({ markdown, html, number }) => ({
    markdown: markdown.replaceAll('→', '\t'),
    html: html.replaceAll('→', '\t'),
    number,
  }));

  /** The paragraphs and tables of each example. In the document, a line with its number ends each example. */
  function filled(tag: string): readonly string[] {
    const body = ['{#examples}', tag, '=={number}==', '{/examples}'].map((line) => paragraph(line)).join('');
    return render({ body }, { examples }).xml.split(/<w:p>(?:(?!<\/w:p>).)*==\d+==(?:(?!<\/w:p>).)*<\/w:p>/);
  }

  const withoutSpace = (text: string) => text.replace(/\s+/g, '');
  const written = (xml: string) =>
    [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, text = '']) => text).join('');
  const unescaped = (xml: string) =>
    xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

  function visibleText(node: Tree.ChildNode | Tree.DocumentFragment): string {
    if (node.nodeName === 'script' || node.nodeName === 'style') return '';
    if ('value' in node) return node.nodeName === '#text' ? node.value : '';
    return 'childNodes' in node ? node.childNodes.map(visibleText).join('') : '';
  }

  it('have the same text, paragraphs and formatting in Word as their HTML in the specification', {
    timeout: 120_000,
  }, () => {
    const ofMarkdown = filled('{~md:markdown}');
    const ofHtml = filled('{~html}');
    expect(ofMarkdown).toHaveLength(examples.length + 1);
    expect(examples.length).toBeGreaterThan(600);
    const difference = examples.flatMap(({ html, number }, i) => {
      const xml = ofMarkdown[i] ?? '';
      const text = withoutSpace(unescaped(written(xml)));
      const expected = withoutSpace(visibleText(parseFragment(html)));
      const isSame = text === expected && outline(xml) === outline(ofHtml[i] ?? '');
      return isSame ? [] : [{ number, text, expected, outline: outline(xml), ofHtml: outline(ofHtml[i] ?? '') }];
    });
    expect(difference).toEqual([]);
  });
});

describe("GitHub's additions", () => {
  const cells = (...texts: string[]) => `<tr>${texts.map((text) => `<tc>${text}</tc>`).join('')}</tr>`;
  const head = (...texts: string[]) => cells(...texts).replace('<tr>', '<tr>[tblHeader]');
  const end = '<p></p>';

  it.each([
    [
      '| a | b |\n| --- | :-: |\n| *c* | d |\n| e |',
      `<tbl>${head('<p>{b bCs}a</p>', '<p>[jc=center]{b bCs}b</p>')}` +
        `${cells('<p>{i iCs}c</p>', '<p>[jc=center]d</p>')}${cells('<p>e</p>', '<p></p>')}</tbl>${end}`,
    ],
    [
      'a | b\n-: | -\n`c \\| d` | e \\| f | g',
      `<tbl>${head('<p>[jc=right]{b bCs}a</p>', '<p>{b bCs}b</p>')}` +
        `${cells('<p>[jc=right]{rFonts=Courier New,Courier New,Courier New}c | d</p>', '<p>e | f</p>')}</tbl>${end}`,
    ],
    [
      'a | b\n--- | ---\nc\n\nd',
      `<tbl>${head('<p>{b bCs}a</p>', '<p>{b bCs}b</p>')}${cells('<p>c</p>', '<p></p>')}</tbl><p>d</p>`,
    ],
    ['a | b\n--- | --- | ---', '<p>a | b --- | --- | ---</p>'],
    ['| a |\n| - |\n> b', `<tbl>${head('<p>{b bCs}a</p>')}</tbl><p>[ind=720]b</p>`],
    ['~~a~~ ~b~', '<p>{strike}a ~b~</p>'],
    ['www.example.com', '<p>www.example.com</p>'],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });
});

it('takes the HTML in it by the rules of HTML', () => {
  const markdown =
    'a <b>b</b><script>x</script> <span style="color:red">*c*</span>\n\n<table><tr><td>d</table>\n\n&#1x;';
  expect(shown(markdown)).toBe(
    '<p>a {b bCs}b {i iCs color=FF0000}c</p><tbl><tr><tc><p>d</p></tc></tr></tbl><p>&amp;#1x;</p>',
  );
});

it.each([
  ['a {~md:text} b', '*x*', '<p>a {i iCs}x b</p>'],
  ['a {~md: text} b', '1. x\n2. y', '<p>a 1. x⏎2. y b</p>'],
  ['{~ md : text}', '# x', '<p>[keepNext spacing=240,80 outlineLvl=0]{b bCs sz=44 szCs=44}x</p>'],
  ['{~md:text | default:"*none*"}', undefined, '<p>{i iCs}none</p>'],
  ['{~md ? text : text}', '<i>x</i>', '<p>{i iCs}x</p>'],
  ['{~md:text}', 'a\nb  \nc\\\nd', '<p>a b⏎c⏎d</p>'],
])('%s with %j', (template, text, expected) => {
  expect(outline(render(template, { text, md: true }).xml)).toBe(expected);
});

describe('Markdown that costs too much', () => {
  const links = `[a]: https://example.com/${'x'.repeat(1_000)}\n\n${'[a] '.repeat(1_000)}`;
  it.each([
    ['quotes', '> '.repeat(100_000), 'deeper than 100 levels'],
    ['lists', '- '.repeat(200).concat('a'), 'deeper than 100 levels'],
    ['emphasis', `${'**a '.repeat(150)}${'b** '.repeat(150)}`, 'deeper than 100 levels'],
    ['elements', '*a* '.repeat(50_001), 'more than 50000 HTML elements'],
    ['length', 'x'.repeat(1_000_001), 'more than 1000000 characters of Markdown'],
    ['columns', `|${'a|'.repeat(64)}\n|${'-|'.repeat(64)}`, 'more than 63 columns'],
    ['repeated addresses', links, 'repeats its links to more than 1000000 characters'],
    ['characters of no document', 'a\u0001', 'contains the character U+0001'],
  ])('is refused with its tag and its path: %s', (_, text, problem) => {
    const error = errorOf(() => render('{#items}{~md:text}{/items}', { items: [{ text }] }));
    expect(error).toMatchObject({ code: 'data_invalid', status: 400 });
    expect(error.details).toMatchObject([{ type: 'Field', path: 'data.items[0].text' }]);
    expect(error.details?.[0]?.message).toMatch(/^The value of \{~md:text\} /);
    expect(error.details?.[0]?.message).toContain(problem);
  });

  it.each(['[', '![[]()', '*a_ ', 'a**b', '`a``', '<a ', '[a](<b', '&', '|a', '\\'])(
    'is text after all: %s',
    (start) => {
      expect(render('{~md:text}', { text: start.repeat(20_000) }).text.length).toBeGreaterThan(1_000);
    },
  );
});

describe('Markdown tags at upload', () => {
  it.each([
    ['{~md:}', 'the name is missing'],
    ['{~md:~text}', 'HTML tags start with one ~'],
    ['{~md:text | uper}', 'there is no formatter "uper"'],
  ])('%s', (text, problem) => {
    expect(detailsOf(text)).toMatchObject([{ tag: text, message: expect.stringContaining(problem) }]);
  });

  it('have the type text/markdown in the schema, and an example that renders', () => {
    const body = paragraph('{~md:terms}') + paragraph('{#items}{~md:note}{/items}');
    const { schema, example, tags } = inspect({ body });
    const markdown = { type: 'string', contentMediaType: 'text/markdown' };
    expect(schema).toMatchObject({
      properties: { terms: markdown, items: { items: { properties: { note: markdown } } } },
      required: ['terms'],
    });
    expect(example).toMatchObject({ terms: '**Terms**' });
    expect(tags).toEqual(['items', 'note', 'terms']);
    expect(outline(render({ body }, example).xml)).toContain('<p>{b bCs}Terms</p>');
  });
});

it('loads the parser when the first Markdown is filled', async () => {
  const path = require.resolve('markdown-it');
  delete require.cache[path];
  const fresh = '../../../../src/worker/docx/features/html/markdown-to-html.ts?fresh';
  const { markdownToHtml } = (await import(fresh)) as { markdownToHtml: (markdown: string) => string };
  expect(require.cache[path]).toBeUndefined();
  expect(markdownToHtml('*a*')).toBe('<p><em>a</em></p>\n');
  expect(require.cache[path]).toBeDefined();
});
