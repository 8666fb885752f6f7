import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlLimits } from '../../../../src/worker/docx/features/html/html-limits.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { paragraph } from '../../../support/documents/docx-builder.ts';
import { volume } from '../../../support/extended.ts';
import { always } from '../../../support/properties.ts';
import { detailsOf, errorOf, inspect, render } from '../render/fill.ts';

const merged = '<td rowspan="65534">x';
const fonts = (count: number) => Array.from({ length: count }, (_, i) => `<font color="${i}"><p>`).join('');

function refusal(html: unknown, template = '{~html}') {
  const error = errorOf(() => render(template, { html, items: [{ html }] }));
  expect(error).toMatchObject({ code: 'data_invalid', status: 400 });
  return error.details ?? [];
}

describe('HTML that costs too much or cannot be represented is rejected with its path', () => {
  it.each([
    ['100 000 levels', '<div>'.repeat(100_000), 'deeper than 100 levels'],
    ['100 000 levels of a formatting element', '<b>'.repeat(100_000), 'deeper than 100 levels'],
    ['101 levels', '<span>'.repeat(101), 'deeper than 100 levels'],
    ['formats that browsers open again', fonts(3000), 'levels'],
    ['50 001 elements', '<p>x'.repeat(50_001), 'more than 50000 HTML elements'],
    ['more than a megabyte', 'x'.repeat(htmlLimits.valueChars + 1), 'more than 1000000 characters'],
    ['six tables', '<table><tr><td>'.repeat(6), 'deeper than 5 levels'],
    ['64 columns', `<table><tr>${'<td>x'.repeat(64)}`, 'more than 63 columns'],
    [
      'merged cells without end',
      `<table><tr>${merged.repeat(63)}</tr>${'<tr></tr>'.repeat(5000)}`,
      'more than 100000 table cells',
    ],
    ['a control character', 'a&#1;b', 'contains the character U+0001'],
    ['U+FFFF', '<p>&#xffff;</p>', 'contains the character U+FFFF'],
    ['a raw control character', '\u0000', 'contains the character U+0000'],
    ['an object', { a: 1 }, 'is an object, which cannot be printed as text'],
  ])('%s', (_name, html, problem) => {
    const [detail, ...rest] = refusal(html);
    expect(rest).toEqual([]);
    expect(detail).toMatchObject({ type: 'Field', path: 'data.html' });
    expect(detail?.message).toContain(problem);
  });

  it('names the item in a list', () => {
    expect(refusal('<b>'.repeat(200), '{#items}{~html}{/items}')).toMatchObject([{ path: 'data.items[0].html' }]);
  });

  it('adds up the sizes of all HTML values in a document', () => {
    const values = Array.from({ length: 6 }, () => 'x'.repeat(999_999));
    const error = errorOf(() => render('{#values}{~.}{/values}', { values }));
    const expected = { path: 'data.values[5]', message: expect.stringContaining('5000000 characters') };
    expect(error.details).toMatchObject([expected]);
  });

  it('accepts HTML at the limits', () => {
    render('{~html}', { html: `${'<span>'.repeat(98)}x` });
    render('{~html}', { html: `<p ${Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(' ')}>x` });
    render('{~html}', { html: `<table>${'<tr><td>x<td>y'.repeat(12_000)}` });
    render('{~html}', { html: '&amp;'.repeat(190_000) });
    render('{~html}', { html: `<span style="${'color:red;'.repeat(10_000)}">x</span>` });
  }, 60_000);
});

describe('any HTML', () => {
  const blocks = ['<p>', '</p>', '<ul>', '<li>', '</ul>', '<ol type="a">', '<h2>', '<pre>', '<hr>', '<blockquote>'];
  const tables = ['<table>', '<tr>', '<td colspan="3" rowspan="2">', '</table>', '<thead>', '<caption>'];
  const inline = ['<b>', '</b>', '<i>', '<br>', '<span style="color:red;font-size:3em">', '</span>', '</a>'];
  const links = ['<a href="https://e.example/?x=&quot;&amp;">', '<a href="javascript:x">'];
  const foreign = ['<svg><p>', '<math>', '<select>', '<template>', '<script>', '</script>', '<frameset>', '<body>'];
  const texts = [' text ', '&lt;w:p/&gt;', '<!--', '-->', ']]>', '"', '&', '<', '\n', '\t'];
  const fragment = fc.constantFrom(...blocks, ...tables, ...inline, ...links, ...foreign, ...texts);
  const template = { body: paragraph('{~html}') + paragraph('a {~html} b') };

  it('gives a well-formed document, and the same one when it is rendered again', { timeout: 60_000 }, () => {
    always(volume(30, 250), [fc.array(fragment, { maxLength: 25 })], (fragments) => {
      const html = fragments.join('');
      const filled = render(template, { html });
      validatePackage(filled.docx);
      expect(filled.xml).not.toMatch(/javascript|script>/);
      expect(render(template, { html }).file).toEqual(filled.file);
    });
  });
});

describe('HTML tags at upload', () => {
  it.each([
    ['{~}', 'the name is missing'],
    ['{~~html}', 'HTML tags start with one ~'],
    ['{~html | uper}', 'there is no formatter "uper"'],
    ['{~html', 'has no closing brace'],
  ])('%s', (text, problem) => {
    const [detail, ...rest] = detailsOf(text);
    expect(rest).toEqual([]);
    expect(detail).toMatchObject({ type: 'Message', part: 'body' });
    expect(detail?.message).toContain(problem);
  });

  it('have the type text/html in the schema, and an example that renders', () => {
    const body = paragraph('{~terms}') + paragraph('{#items}{~note}{/items}');
    const { schema, example, tags } = inspect({ body });
    const html = { type: 'string', contentMediaType: 'text/html' };
    expect(schema).toMatchObject({
      properties: { terms: html, items: { items: { properties: { note: html } } } },
      required: ['terms'],
    });
    expect(example).toMatchObject({ terms: '<p><strong>Terms</strong></p>' });
    expect(tags).toEqual(['items', 'note', 'terms']);
    expect(render({ body }, example).xml).toContain('Terms');
  });
});
