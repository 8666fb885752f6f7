import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../src/shared/errors.ts';
import type { RenderOptions } from '../../../../src/worker/docx/core/render/render-options.ts';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { errorOf, fillText, render, type Template, titled } from '../render/fill.ts';

const renderError = (template: Template, data: unknown, options: RenderOptions = {}): AppError =>
  errorOf(() => render(template, data, options));

const items = [
  { name: 'Pen', price: 1.1, open: true, date: '2026-03-01' },
  { name: 'Ink', price: 2.2, open: false, date: '2025-12-31' },
  { name: 'Pad', price: 3.3, open: true, date: '2026-01-15' },
];

describe('expressions in a document', () => {
  it.each([
    ['{a + b}', { a: 0.1, b: 0.2 }, '0.3'],
    ['{a > b}{a & b}', { a: 2, b: 1 }, 'true{a & b}'],
    ['{items | sum:"price" | currency:"EUR"}', { items }, '€6.60'],
    ['{#items | where:"open":true | sort:"date"}{name} {/}', { items }, 'Pad Pen '],
    ['{#items | sort:“date”}{name} {/items | sort:"date"}', { items }, 'Ink Pad Pen '],
    ['{#a > 1}big{/}{^a > 1}small{/a > 1}', { a: 2 }, 'big'],
    ['{#status == “open” and not late}fine{/}', { status: 'open' }, 'fine'],
    ['{#items}{$number}/{$count}{#$last}.{/$last}{^$last}, {/$last}{/items}', { items }, '1/3, 2/3, 3/3.'],
    ['{#items}{#$first}first {/$first}{$index % 2 == 0 ? "even" : "odd"} {/items}', { items }, 'first even odd even '],
    ['{#rows}{#cells}{$number}{/cells};{$number} {/rows}', { rows: [{ cells: [1, 2] }, { cells: [3] }] }, '12;1 1;2 '],
    ['{#rows}{#open}{$number}{/open}{/rows}', { rows: [{ open: true }, { open: { x: 1 } }] }, '12'],
    ['[{$index}]', { $index: 'own' }, '[own]'],
    ['{#items | map:"name"}{.}{/}', { items }, 'PenInkPad'],
    ['{#items | where:"gone"}x{/}{^items | where:"gone"}none{/}', { items }, 'none'],
    ['{#tags | sort}{. | upper}{/}', { tags: ['b', 'a'] }, 'AB'],
    ['{#vip and customer}{name}{/}', { vip: true, customer: { name: 'Ada' } }, 'Ada'],
  ])('%s with %j prints %j', (template, data, expected) => {
    expect(fillText(template, data)).toBe(expected);
  });

  it('reads expressions that Word split over runs and whose quotes Word made typographic', () => {
    const body = paragraph(['{to', 'tal', ' | cur', 'rency:“', 'EUR', '”', '}']);
    expect(fillText({ body }, { total: 5 })).toBe('€5.00');
  });

  it('repeats table rows over an expression', () => {
    const body = table([['{#items | sort:"price":"desc"}{$number}', '{name}', '{price | number:2}{/items}']]);
    expect(fillText({ body }, { items }).replaceAll('\n', '')).toBe('|1|Pad|3.30|2|Ink|2.20|3|Pen|1.10');
  });

  it("writes numbers and dates in the request's language and time zone", () => {
    const template = '{total | currency:"EUR"} {at | datetime:"short"}';
    const data = { total: 1234.5, at: '2026-03-31T22:30:00Z' };
    const plain = (options: RenderOptions) => render(template, data, options).text.replace(/[\u00a0\u202f]/g, ' ');
    expect(plain({})).toBe('€1,234.50 3/31/26, 10:30 PM');
    expect(plain({ locale: 'de-DE', timezone: 'Europe/Berlin' })).toBe('1.234,50 € 01.04.26, 00:30');
  });

  it.each([
    [{ locale: 'garbage!' }, 'output.locale'],
    [{ locale: 'zz' }, 'output.locale'],
    [{ locale: '' }, 'output.locale'],
    [{ locale: 'en_US' }, 'output.locale'],
    [{ locale: `en-${'x-'.repeat(200)}a` }, 'output.locale'],
    [{ locale: 'en', timezone: 'Mars/Olympus' }, 'output.timezone'],
    [{ timezone: '' }, 'output.timezone'],
    [{ timezone: 'x'.repeat(1000) }, 'output.timezone'],
    [{ onMissing: 'ignore' as 'empty' }, 'output.onMissing'],
    [{ locale: 5 as unknown as string }, 'output.locale'],
  ])('refuses the options %j', (options, path) => {
    const error = renderError('{name}', {}, options);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(error.details).toMatchObject([{ type: 'Field', path }]);
  });
});

describe('data that does not fit an expression', () => {
  it('is reported in one response with the path of each value', () => {
    const template = '{#items | sort:"price":"desc"}{name * 2}{/items}{total | currency:"EUR"}{a / b}';
    const error = renderError(template, { items, total: 'ten', a: 1, b: 0 });
    expect(error).toMatchObject({ code: 'data_invalid', message: 'The data does not fit the template' });
    const inItem = (index: number) => ({
      type: 'Field',
      path: `data.items[${index}].name`,
      message: 'In {name * 2}, the value is text, and a number is needed.',
    });
    expect(error.details).toEqual([
      ...[2, 1, 0].map(inItem),
      {
        type: 'Field',
        path: 'data.total',
        message: 'In {total | currency:"EUR"}, the value is text, and a number is needed.',
      },
      { type: 'Field', path: 'data.b', message: 'In {a / b}, the value is 0, and division by 0 is not possible.' },
    ]);
  });

  it('names the path of an item that cannot be printed', () => {
    const { details } = renderError('{#items | where:"open"}{.}{/items}', { items });
    expect(details).toMatchObject([{ path: 'data.items[0]' }, { path: 'data.items[2]' }]);
  });

  it('limits the list items that formatters visit', () => {
    const many = Array.from({ length: 2_300 }, (_, i) => ({ i }));
    const error = renderError('{#many}{many | sum:"i"}{/many}', { many });
    expect(error).toMatchObject({ code: 'render_limit' });
    expect(error.message).toBe('The formatters of the document visit more than 5000000 list items in all');
  });
});

describe('missing values in a document', () => {
  const template =
    '[{name}][{customer.city | upper}][{#items}{sku}{/items}][{#vip}x{/vip}][{note | default:"-"}][{nothing}]';
  const data = { items: [{ sku: 1 }, {}], nothing: null };

  it('print nothing and are listed in a warning', () => {
    const { text, warnings } = render(template, data);
    expect(text).toBe('[][][1][][-][]');
    const paths = ['data.name', 'data.customer.city', 'data.items[1].sku'];
    const message = `3 values are missing: ${paths.join(', ')}.`;
    expect(warnings).toEqual([{ code: 'missing_value', message, paths, count: 3 }]);
  });

  it('cause an error that names them all, if the request asks for it', () => {
    const error = renderError(template, data, { onMissing: 'error' });
    expect(error).toMatchObject({ code: 'data_invalid', status: 400 });
    expect(error.details).toEqual([
      { type: 'Field', path: 'data.name', message: 'The value of {name} is missing.' },
      { type: 'Field', path: 'data.customer.city', message: 'The value of {customer.city | upper} is missing.' },
      { type: 'Field', path: 'data.items[1].sku', message: 'The value of {sku} is missing.' },
    ]);
  });

  it('cause at most fifty errors', () => {
    const rows = Array.from({ length: 5000 }, () => ({}));
    expect(renderError('{#rows}{x}{/rows}', { rows }, { onMissing: 'error' }).details).toHaveLength(50);
    const { warnings } = render('{#rows}{x}{/rows}', { rows });
    expect(warnings).toMatchObject([{ code: 'missing_value', count: 5000 }]);
    expect(warnings[0]?.paths).toHaveLength(50);
    expect(warnings[0]?.message).toMatch(/data\.rows\[4\]\.x and others\.$/);
  });

  it('leave their tag highlighted in yellow, if the request asks for it', () => {
    const run =
      '<w:r><w:rPr><w:b/><w:highlight w:val="red"/><w:u w:val="single"/></w:rPr><w:t>Dear {name}, </w:t></w:r>';
    const body = `<w:p>${run}</w:p>${paragraph('{#a > 0}{b | upper}{/}')}`;
    const { text, xml } = render({ body }, { a: 1 }, { onMissing: 'highlight' });
    expect(text).toBe('Dear {name}, \n{b | upper}');
    expect(xml).toContain(
      '<w:r><w:rPr><w:b/><w:highlight w:val="yellow"/><w:u w:val="single"/></w:rPr><w:t xml:space="preserve">{name}</w:t></w:r>' +
        '<w:r><w:rPr><w:b/><w:highlight w:val="red"/><w:u w:val="single"/></w:rPr><w:t xml:space="preserve">, </w:t></w:r>',
    );
    expect(xml).toContain('<w:rPr><w:highlight w:val="yellow"/></w:rPr><w:t xml:space="preserve">{b | upper}</w:t>');
  });

  it('leave their tag as plain text where highlighting is impossible', () => {
    const input = titled('{title} {x > 1}', { body: paragraph('{name}') });
    const { text, part } = render(input, { name: 'Ada' }, { onMissing: 'highlight' });
    expect(text).toBe('Ada');
    expect(part('docProps/core.xml')).toContain('<dc:title>{title} {x &gt; 1}</dc:title>');
  });
});

describe('data that no tag uses', () => {
  it.each([
    ['{a} {b.c} {#d}{e}{/d}', { a: 1, b: { c: 1 }, d: [{ e: 1 }] }, []],
    ['{a}', { a: 1, z: 1, 'first name': 1 }, ['data.z', 'data["first name"]']],
    ['{#items}{currency}{/items}', { items: [1], currency: 'EUR', Currency: 1 }, ['data.Currency']],
    ['{a | default:b}{c ? d : f}{g["h"]}{#i | sort:"j"}{/}', { a: 1, b: 1, c: 1, d: 1, f: 1, g: { h: 1 }, i: [] }, []],
    ['{a.b}{a + 1}', { 'a.b': 1, a: 1 }, []],
    ['{x + 1}', { 'x + 1': 'literal' }, []],
  ])('%s with %j: %j', (template, data, unused) => {
    const { warnings } = render(template, data);
    expect(warnings.flatMap(({ code, paths }) => (code === 'unused_data' ? paths : []))).toEqual(unused);
  });

  it('is listed up to a limit', () => {
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, 1]));
    const [warning] = render('{name}', { name: 1, ...data }).warnings;
    expect(warning).toMatchObject({ code: 'unused_data', count: 1000 });
    expect(warning?.paths).toHaveLength(50);
    expect(warning?.message.length).toBeLessThan(200);
  });
});
