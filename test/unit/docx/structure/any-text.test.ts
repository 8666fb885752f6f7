import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { defaultSyntax, parseDelimiters } from '../../../../src/shared/template-syntax.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { chartFiles } from '../../../../tools/examples/charts/chart.ts';
import { docxText, partOf } from '../../../support/documents/document-text.ts';
import { buildDocx, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { structureProblems } from '../../../support/documents/ooxml-check.ts';
import { volume } from '../../../support/extended.ts';
import { type How, render, rows, type Template } from '../render/fill.ts';

const data = { name: 'Ada', list: [0.1, 0.2, 0.3].map((n) => ({ n, k: n === 0.2 ? 'y' : 'x' })) };
const numRuns = volume(20, 300);

function printed(template: Template, values: unknown = data, how: How = {}): string {
  const { file } = render(template, values, how);
  expect(structureProblems(file)).toEqual([]);
  return docxText(file);
}

/** A text in any number of runs, as Word splits it. */
const inRuns = (text: string, cuts: readonly number[]) => {
  const characters = [...text];
  const ends = [...new Set(cuts.map((cut) => cut % (characters.length + 1)))].sort((a, b) => a - b);
  const pieces = [...ends, characters.length].map((end, i) =>
    characters.slice(i === 0 ? 0 : ends[i - 1], end).join(''),
  );
  return `<w:p>${pieces.map(run).join('')}</w:p>`;
};
const cuts = fc.array(fc.nat(60), { maxLength: 4 });

/** Texts in braces that can be no tag, with text around them. */
const honest = fc.constantFrom(
  '{}',
  '{ }',
  '{42}',
  '{1, 2, 3}',
  '{x | x > 0}',
  '{"a": 1}',
  '{6F9619FF-8B86-D011-B42D-00CF4FC964FF}',
  '{color: red;}',
  '{if (a) return b;}',
  '{This is a sentence. It has two parts.}',
  '{C:\\temp}',
  'a & b < c > "d"',
  '\u00a0é漢\u{1f600}',
);

describe('text in braces', () => {
  it('stays as it is, however it is split, and stays so when the document is a template again', () => {
    fc.assert(
      fc.property(fc.array(honest, { minLength: 1, maxLength: 4 }), cuts, (texts, at) => {
        const text = texts.join(' ');
        const { file } = render({ body: inRuns(text, at) + paragraph('{name}') }, data);
        expect(docxText(file)).toBe(`${text}\nAda`);
        const again = partOf(file).replace('>Ada<', '>{name}<');
        expect(printed({ parts: { 'word/document.xml': again } })).toBe(`${text}\nAda`);
      }),
      { numRuns },
    );
  });

  it('stays when a backslash says so', () => {
    const words = fc.stringMatching(/^[a-z{} ]{0,20}$/);
    fc.assert(
      fc.property(words, cuts, (text, at) => {
        const escaped = text.replace(/[{}]/g, '\\$&');
        expect(printed({ body: inRuns(escaped, at) + paragraph('{name}') })).toBe(`${text}\nAda`);
      }),
      { numRuns },
    );
  });
});

describe('delimiters', () => {
  const pairs = ['{{ }}', '<< >>', '[[ ]]', '<% %>', '[% %]', '{ }'];
  it('of any kind give the document of braces, and leave other delimiters alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pairs), fc.array(fc.boolean(), { maxLength: 6 }), cuts, (pair, tags, at) => {
        const delimiters = parseDelimiters(pair);
        if (delimiters === undefined) throw new Error(`no delimiters: ${pair}`);
        const { open, close } = delimiters;
        const other =
          pairs.find((candidate) => !/[{}]/.test(candidate) && candidate !== pair)?.replace(' ', 'name') ?? '';
        const text = [true, ...tags].map((isTag) => (isTag ? `${open}name${close}` : other)).join(' ');
        const expected = [true, ...tags].map((isTag) => (isTag ? 'Ada' : other)).join(' ');
        const syntax = { ...defaultSyntax, ...delimiters };
        expect(printed({ body: inRuns(text, at) }, data, { syntax })).toBe(expected);
      }),
      { numRuns },
    );
  });
});

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
const amount = (value: number) => String(value / 100);

describe('groups, subtotals and running sums', () => {
  it('lose no item and no cent', () => {
    const item = fc.record({ k: fc.constantFrom('a', 'b', 'c'), c: cents });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (items) => {
        const list = items.map(({ k, c }) => ({ k, n: c / 100 }));
        const body =
          paragraph('{#list}{n | runningSum} {/list}') +
          paragraph('{#list | group:"k"}{key}:{#items}{n},{/items}={items | sum:"n"} {/list}') +
          paragraph('{list | sum:"n"}');
        const sum = (some: readonly { readonly c: number }[]) => amount(some.reduce((total, { c }) => total + c, 0));
        const keys = [...new Set(items.map(({ k }) => k))];
        const groups = keys.map((key) => {
          const own = items.filter(({ k }) => k === key);
          return `${key}:${own.map(({ c }) => `${amount(c)},`).join('')}=${sum(own)} `;
        });
        const running = items.map((_, i) => `${sum(items.slice(0, i + 1))} `);
        expect(printed({ body }, { list })).toBe([running.join(''), groups.join(''), sum(items)].join('\n'));
      }),
      { numRuns },
    );
  });
});

describe('formats', () => {
  it('change no text, and hide only the rows that say so', () => {
    const format = fc.constantFrom('', '{@text bold:a}', '{@cell fill:"gold"}', '{@row fill:"red"}', '{@row hide:a}');
    fc.assert(
      fc.property(fc.array(fc.tuple(format, format), { minLength: 1, maxLength: 5 }), fc.boolean(), (rows, a) => {
        const cells = rows.map((tags, i) => tags.map((tag, j) => `${tag}r${i}c${j}`));
        const body = table(cells) + paragraph('{name}');
        let text: string;
        try {
          text = printed({ body }, { a, name: 'Ada' });
        } catch (error) {
          // Two tags for one row contradict each other.
          if (!(error instanceof AppError)) throw error;
          expect(rows.some(([x, y]) => x.startsWith('{@row') && y.startsWith('{@row'))).toBe(true);
          return;
        }
        const shown = rows.flatMap((tags, i) => (a && tags.includes('{@row hide:a}') ? [] : [`r${i}c0`, `r${i}c1`]));
        expect(text).toBe([...shown, 'Ada'].join('\n'));
      }),
      { numRuns },
    );
  });
});

describe('charts', () => {
  const cells = [[' ', '{name}'], ...rows('{#rows}{label};{value}{/rows}')];
  const chart = chartFiles({ kind: 'bar', cells });
  const { parts, contentTypes, relationship, run: shown } = chart;
  const template = prepareTemplate(
    buildDocx({ body: `<w:p>${shown}</w:p>`, parts, contentTypes, rels: [relationship] }),
    'docx',
  );
  it('show each row of any list once, in order', () => {
    const label = fc.string({
      unit: fc.constantFrom('a', 'é', '漢', '<', '&', '"', '{', '}', '='),
      minLength: 1,
      maxLength: 8,
    });
    const lists = fc.array(fc.record({ label, value: cents.map((c) => c / 100) }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(lists, (list) => {
        const { file } = renderTemplate(template, Buffer.from(JSON.stringify({ name: 'Sales', rows: list })));
        const xml = partOf(file, 'word/charts/chart1.xml');
        const values = [...xml.matchAll(/<c:pt idx="\d+"><c:v>(.*?)<\/c:v>/g)].map(([, value = '']) =>
          unescaped(value),
        );
        expect(values).toEqual(['Sales', ...list.map((row) => row.label), ...list.map(({ value }) => String(value))]);
        expect(structureProblems(file)).toEqual([]);
      }),
      { numRuns },
    );
  });
});

describe('an included template', () => {
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

  it('prints the document of its own, whatever it has', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...snippets), { maxLength: 6 }), fc.boolean(), (parts, a) => {
        const clause = buildDocx({ body: parts.join('') + paragraph('{name}') });
        const how = { includes: new Map([['clause', clause]]), accountWords, locale: 'de' };
        const own = { ...data, a };
        const around = ['Before {d.name}', '{include "clause" with d}', 'After {list}'];
        const body = around.map((text) => paragraph(text)).join('');
        const text = printed({ body }, { d: own, list: 1 }, how);
        expect(text).toBe(`Before Ada\n${printed(clause, own, how)}\nAfter 1`);
      }),
      { numRuns: volume(12, 100) },
    );
  });
});

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
