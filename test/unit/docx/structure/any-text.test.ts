import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { defaultSyntax, parseDelimiters } from '../../../../src/shared/template-syntax.ts';
import { chartFiles } from '../../../support/documents/chart-files.ts';
import { docxText, partOf } from '../../../support/documents/document-text.ts';
import { buildDocx, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { structureProblems } from '../../../support/documents/ooxml-check.ts';
import { volume } from '../../../support/extended.ts';
import { always } from '../../../support/properties.ts';
import { type How, render, rows, type Template } from '../render/fill.ts';

const data = { name: 'Ada', list: [0.1, 0.2, 0.3].map((n) => ({ n, k: n === 0.2 ? 'y' : 'x' })) };

const runs = volume(20, 150);

function printed(template: Template, values: unknown = data, how: How = {}): string {
  const { file } = render(template, values, how);
  expect(structureProblems(file)).toEqual([]);
  return docxText(file);
}

/** Splits a text into several runs, as Word does. */
const inRuns = (text: string, cuts: readonly number[]) => {
  const characters = [...text];
  const ends = [...new Set(cuts.map((cut) => cut % (characters.length + 1)))].sort((a, b) => a - b);
  const pieces = [...ends, characters.length].map((end, i) =>
    characters.slice(i === 0 ? 0 : ends[i - 1], end).join(''),
  );
  return `<w:p>${pieces.map(run).join('')}</w:p>`;
};
const cuts = fc.array(fc.nat(60), { maxLength: 4 });

/** Text in braces that cannot be a tag, with text around it. */
const short = ['{}', '{ }', '{42}', '{1, 2, 3}', '{x | x > 0}', '{"a": 1}', '{C:\\temp}', '{color: red;}'];
const long = ['{6F9619FF-8B86-D011-B42D-00CF4FC964FF}', '{This is a sentence. It has two parts.}'];
const honest = [...short, ...long, '{if (a) return b;}', 'a & b < c > "d"', '\u00a0é漢\u{1f600}'];

it('text in braces stays, however it is split, also when the document becomes a template again', () => {
  always(runs, [fc.array(fc.constantFrom(...honest), { minLength: 1, maxLength: 4 }), cuts], (texts, at) => {
    const text = texts.join(' ');
    const { file } = render({ body: inRuns(text, at) + paragraph('{name}') }, data);
    expect(docxText(file)).toBe(`${text}\nAda`);
    const again = partOf(file).replace('>Ada<', '>{name}<');
    expect(printed({ parts: { 'word/document.xml': again } })).toBe(`${text}\nAda`);
  });
});

it('text in braces stays after a backslash', () => {
  always(runs, [fc.stringMatching(/^[a-z{} ]{0,20}$/), cuts], (text, at) => {
    const escaped = text.replace(/[{}]/g, '\\$&');
    expect(printed({ body: inRuns(escaped, at) + paragraph('{name}') })).toBe(`${text}\nAda`);
  });
});

it('other delimiters give the same document as braces, and leave all further delimiters alone', () => {
  const pairs = ['{{ }}', '<< >>', '[[ ]]', '<% %>', '[% %]', '{ }'];
  always(runs, [fc.constantFrom(...pairs), fc.array(fc.boolean(), { maxLength: 6 }), cuts], (pair, tags, at) => {
    const delimiters = parseDelimiters(pair);
    if (delimiters === undefined) throw new Error(`no delimiters: ${pair}`);
    const { open, close } = delimiters;
    const other = pairs.find((one) => !/[{}]/.test(one) && one !== pair)?.replace(' ', 'name') ?? '';
    const text = [true, ...tags].map((isTag) => (isTag ? `${open}name${close}` : other)).join(' ');
    const expected = [true, ...tags].map((isTag) => (isTag ? 'Ada' : other)).join(' ');
    const syntax = { ...defaultSyntax, ...delimiters };
    expect(printed({ body: inRuns(text, at) }, data, { syntax })).toBe(expected);
  });
});

it('formats change no text, and hide only the rows that they are meant to hide', () => {
  const format = fc.constantFrom('', '{@text bold:a}', '{@cell fill:"gold"}', '{@row fill:"red"}', '{@row hide:a}');
  always(runs, [fc.array(fc.tuple(format, format), { minLength: 1, maxLength: 5 }), fc.boolean()], (rows, a) => {
    const cells = rows.map((tags, i) => tags.map((tag, j) => `${tag}r${i}c${j}`));
    const body = table(cells) + paragraph('{name}');
    let text: string;
    try {
      text = printed({ body }, { a, name: 'Ada' });
    } catch (error) {
      // Two formats for the same row contradict each other.
      if (!(error instanceof AppError)) throw error;
      expect(rows.some(([x, y]) => x.startsWith('{@row') && y.startsWith('{@row'))).toBe(true);
      return;
    }
    const shown = rows.flatMap((tags, i) => (a && tags.includes('{@row hide:a}') ? [] : [`r${i}c0`, `r${i}c1`]));
    expect(text).toBe([...shown, 'Ada'].join('\n'));
  });
});

it('charts show each row of any list once, in order', () => {
  const cells = [[' ', '{name}'], ...rows('{#rows}{label};{value}{/rows}')];
  const { parts, contentTypes, relationship, run: shown } = chartFiles({ kind: 'bar', cells });
  const template = buildDocx({ body: `<w:p>${shown}</w:p>`, parts, contentTypes, rels: [relationship] });
  const unit = fc.constantFrom('a', 'é', '漢', '<', '&', '"', '{', '}', '=');
  const value = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100);
  const row = fc.record({ label: fc.string({ unit, minLength: 1, maxLength: 8 }), value });
  always(runs, [fc.array(row, { minLength: 1, maxLength: 10 })], (list) => {
    const { file, part } = render(template, { name: 'Sales', rows: list });
    const points = part('word/charts/chart1.xml').matchAll(/<c:pt idx="\d+"><c:v>(.*?)<\/c:v>/g);
    const values = ['Sales', ...list.map(({ label }) => label), ...list.map((one) => String(one.value))];
    expect(Array.from(points, ([, point = '']) => unescaped(point))).toEqual(values);
    expect(structureProblems(file)).toEqual([]);
  });
});

it('an included template prints the same as a document of its own', () => {
  const snippets: readonly string[] = [
    paragraph('{name} and {42}'),
    paragraph('{list | sum:"n"}, {list | where:"k == \\"x\\"" | count}'),
    paragraph('{#list | group:"k"}{key}{/list}'),
    paragraph('{#list}') + paragraph('{n | runningSum}: {n > 0.1 ? "more" : "less"}') + paragraph('{/list}'),
    paragraph('{#a}{@text bold:a}yes{/a}{^a}no{/a}'),
    paragraph('{"total" | translate} {"due" | translate} {"none" | translate}'),
    table([
      ['{#list}{@row hide:a}{n}', '{@cell fill:a ? "red" : null}{k}{/list}'],
      ['always', '{name}'],
    ]),
    table(rows('{$dictionary};de', 'total;Summe')),
  ];
  const accountWords = Buffer.from('{"de": {"total": "Konto", "due": "fällig"}}');

  always(runs, [fc.array(fc.constantFrom(...snippets), { maxLength: 6 }), fc.boolean()], (parts, a) => {
    const clause = buildDocx({ body: parts.join('') + paragraph('{name}') });
    const how = { includes: new Map([['clause', clause]]), accountWords, locale: 'de' };
    const own = { ...data, a };
    const around = ['Before {d.name}', '{include "clause" with d}', 'After {list}'];
    const text = printed({ body: around.map((one) => paragraph(one)).join('') }, { d: own, list: 1 }, how);
    expect(text).toBe(`Before Ada\n${printed(clause, own, how)}\nAfter 1`);
  });
});

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
