import { describe, expect, it } from 'vitest';
import type { ErrorDetail } from '../../../../src/shared/errors.ts';
import { prepareTemplate } from '../../../../src/worker/docx/render-template.ts';
import { type DocxInput, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { bytesOf, detailsOf, errorOf, fill, inspect, render, rows, type Template } from './fill.ts';

type Message = Extract<ErrorDetail, { type: 'Message' }>;

/** The mistakes of a template. Its upload and its use must report the same ones. */
function mistakesIn(template: Template): Message[] {
  const error = errorOf(() => prepareTemplate(bytesOf(template), 'docx'));
  expect(error).toMatchObject({ code: 'template_invalid', message: 'Template validation errors', status: 400 });
  expect(detailsOf(template)).toEqual(error.details);
  return (error.details ?? []) as Message[];
}

describe('a section with only one of its tags inside an element', () => {
  const link = (text: string) => `<w:hyperlink w:anchor="x">${run(text)}</w:hyperlink>`;
  const insertion = (text: string) => `<w:ins w:id="1" w:author="A">${run(text)}</w:ins>`;
  const field = (text: string) => `<w:fldSimple w:instr="PAGE">${run(text)}</w:fldSimple>`;
  const smartTag = (text: string) => `<w:smartTag w:uri="u" w:element="e">${run(text)}</w:smartTag>`;
  it.each([
    ['a link', run('x {#a}{.}') + link('{/a}'), '{#a}', 'both outside of it'],
    ['a link', link('{^a}') + run('y{/a}'), '{^a}', 'both outside of it'],
    ['a link', run('{#b}{#a}') + link('{.}{/a}') + run('{/b}'), '{#a}', 'both outside of it'],
    ['a tracked change', run('{#a}{.}') + insertion('{/a}'), '{#a}', 'accept or reject'],
    ['a field', field('{#a}{.}') + run('{/a}'), '{#a}', 'outside of the field'],
    ['places that do not fit', smartTag('{#a}') + run('{.}{/a}'), '{#a}', 'into one paragraph'],
  ])('is reported: %s', (where, xml, tag, hint) => {
    const details = mistakesIn({ body: `${paragraph('before > & {z}')}<w:p>${xml}</w:p>` });
    expect(details).toMatchObject([{ tag, part: 'body' }]);
    expect(details[0]?.message).toContain(where);
    expect(details[0]?.hint).toContain(hint);
    expect(details[0]?.context).toContain(tag);
  });

  it.each([
    ['paragraphs', (inside: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${inside}</w:sdtContent></w:sdt>`, paragraph],
    [
      'rows',
      (inside: string) => `<w:tbl><w:sdt><w:sdtPr/><w:sdtContent>${inside}</w:sdtContent></w:sdt>`,
      (text: string) => `<w:tr><w:tc>${paragraph(text)}</w:tc></w:tr>`,
    ],
  ])('is reported for a content control around %s', (what, control, block) => {
    const end = what === 'rows' ? '</w:tbl><w:p/>' : '';
    const body = control(block('{#a}') + block('{.}')) + block('{/a}') + end;
    expect(mistakesIn({ body })).toMatchObject([
      { message: expect.stringContaining('inside a content control'), hint: expect.stringContaining('outside of it') },
    ]);
  });

  it('may contain whole elements, or begin in one link and end in the next', () => {
    const whole = run('{#a}') + link('{.}') + insertion('new') + run('{/a}');
    for (const xml of [whole, link('{#a}{.}') + run(' and ') + link('{/a}'), link('{#a}{.}{/a}')]) {
      const template = { body: `<w:p>${xml}</w:p>` };
      for (const a of [[], [1], [1, 2]]) expect(() => fill(template, { a })).not.toThrow();
    }
  });
});

describe('errors in tags', () => {
  it.each([
    [
      'Dear {name,',
      '{name,',
      'the tag that starts with "{name," has no closing brace "}" in its paragraph',
      'write the closing brace, or \\{ for a brace that is text',
    ],
    [
      'Dear name},',
      'name}',
      'the tag that ends with "name}" has no opening brace "{"',
      'write the opening brace, or \\} for a brace that is text',
    ],
    ['Dear {{name}},', '{{name}}', 'the tag {{name}} has double braces', 'write {name}, or '],
    [
      '{{a | b c}}',
      '{{a | b c}}',
      'the tag {{a | b c}} has double braces',
      'upload the template with the delimiters of its tags',
    ],
    ['Dear {name}},', '{name}}', 'the tag that ends with "{name}}" has an extra closing brace'],
    ['{#items}x', '{#items}', 'the section {#items} is never closed', 'add {/items} where it ends'],
    ['{^items}x', '{^items}', 'the section {^items} is never closed', 'add {/items} where it ends'],
    ['{#i | sort:"a"}x', '{#i | sort:"a"}', 'the section {#i | sort:"a"} is never closed', 'add {/i} where it ends'],
    ['x{/items}', '{/items}', '{/items} closes a section that is not open', 'add {#items} where it starts'],
    ['x{/}', '{/}', '{/} closes a section that is not open'],
    ['{#items}x{/itens}', '{/itens}', 'the section {#items} is closed by {/itens}', 'write {/items}'],
    ['{#items | first}x{/itens}', '{/itens}', 'the section {#items | first} is closed by {/itens}', 'write {/items}'],
    ['{#a}{#b}x{/a}', '{#b}', 'the section {#b} is not closed before {/a}', 'add {/b} before {/a}'],
    [
      'A {%%logo}',
      '{%%logo}',
      'the picture {%%logo} is not alone in its paragraph',
      'put it into a paragraph of its own, or write one %',
    ],
  ])('%s', (template, tag, message, hint?: string) => {
    const [first] = mistakesIn(template);
    expect(first).toMatchObject({ type: 'Message', tag, part: 'body', message: `In the body: ${message}.` });
    if (hint === undefined) expect(first?.hint).toBeUndefined();
    else expect(first?.hint).toContain(hint);
  });

  it.each([
    ['{#}', 'the name is missing'],
    ['{%}', 'the name is missing'],
    ['{{ IF a }}', 'this is a docx-templates statement', 'write {#a}…{/a}'],
    ['{name | uper}', 'there is no formatter "uper"', 'write upper'],
    ['{f(1)}', 'functions cannot be called', 'use a formatter, for example {name | upper}'],
    [
      '{@xml}',
      'raw XML tags are not allowed: print the value with a plain tag',
      'write {xml}, or send HTML and write {~xml}; to format, write {@text …}, {@cell …} or {@row …}',
    ],
    ['{=[[ ]]=}', 'tags cannot change the delimiters', 'remove it, and upload the template with delimiters "[[ ]]"'],
    ['{%barcode code}', 'the kind of barcode is missing', 'write {%barcode code "ean13"}'],
    [
      '{%logo | width:"3 miles"}',
      'its width must be a number of pixels or a length such as "3cm", "20mm", "1in" or "90pt", or a share such as "50%"',
    ],
    ['{-w:tc x}', 'this repeats a cell in docxtemplater', 'write {|x} in the cell, without a closing tag'],
  ])('%s is not valid: %s', (tag, reason, hint?: string) => {
    const [first] = mistakesIn(tag);
    const message = `In the body: the tag ${tag} is not valid: ${reason}.`;
    expect(first).toMatchObject({ type: 'Message', tag, part: 'body', message });
    if (hint === undefined) expect(first?.hint).toBeUndefined();
    else expect(first?.hint).toContain(hint);
  });

  it.each([
    ['{#a}{#b}x{/a}{/b}', ['{#b}', '{/b}']],
    ['{#a} {b | nope} {c}}', ['{#a}', '{b | nope}', '{c}}']],
    ['{a ? {b} : c}', ['{a', 'c}']],
  ])('%s has several errors, in reading order', (template, tags) => {
    expect(mistakesIn(template).map(({ tag }) => tag)).toEqual(tags);
  });

  it('does not let a tag run from one paragraph into the next', () => {
    const details = mistakesIn({ body: paragraph('Dear {first') + paragraph('name}, hello') });
    expect(details.map(({ tag }) => tag)).toEqual(['{first', 'name}']);
  });

  it('shows about forty characters around the error', () => {
    const [detail] = mistakesIn('The quick brown fox jumps over {the lazy dog & sleeps under the tree until noon');
    expect(detail?.context).toBe('…wn fox jumps over {the lazy dog & sleeps…');
  });

  it('names the part, and lists the errors of all parts at once, in reading order', () => {
    const details = mistakesIn({
      body: paragraph('{one') + table([['{#rows}x', 'y']]) + paragraph('{/rows}'),
      headers: [paragraph('static'), paragraph('{#two}')],
      footers: [table([['{#a}x', 'y']]) + paragraph('{/a}')],
      footnotes: [paragraph('three}')],
      endnotes: [paragraph('four}')],
      comments: [paragraph('five}')],
    });
    expect(details.map(({ part, tag }) => `${part}: ${tag}`)).toEqual([
      'body: {one',
      'header 2: {#two}',
      'footer 1: {#a}',
      'footnotes: three}',
      'endnotes: four}',
      'comments: five}',
    ]);
    expect(details[1]?.message).toBe('In header 2: the section {#two} is never closed.');
    expect(details[3]?.message).toMatch(/^In the footnotes: /);
  });

  it('reports sections in places where they are not allowed', () => {
    const [detail, ...rest] = mistakesIn({
      body: paragraph('a > b') + table([['a > b {#rows}x', 'y']]) + paragraph('{/rows}'),
    });
    expect(rest).toEqual([]);
    expect(detail).toMatchObject({ tag: '{#rows}', part: 'body', hint: expect.stringContaining('one table row') });
    expect(detail?.message).toContain('the section {#rows} starts and ends in places that do not fit together');
  });

  it('reports overlapping sections in a row', () => {
    const [detail] = mistakesIn({ body: table([['{#a}x', '{/a}{#b}y{/b}', 'z']]) });
    expect(detail?.message).toContain('overlaps another section of the same table row');
  });

  it('reports the same errors each time, and at most fifty', () => {
    const template = paragraph('{#open} x} '.repeat(100));
    const details = mistakesIn({ body: template });
    expect(details).toHaveLength(50);
    expect(details.at(-1)?.message).toBe('The template has more errors than are shown here.');
    expect(mistakesIn({ body: template })).toEqual(details);
  });
});

it.each([
  ['plain text', { body: paragraph('Hello') }],
  ['an empty document', { body: '' }],
  ['tags in attributes only', { body: '<w:p w:rsidR="{name}"><w:r><w:t>Hello</w:t></w:r></w:p>' }],
])('a template without tags is refused with exactly one entry: %s', (_name, template) => {
  const details = mistakesIn(template);
  expect(details).toHaveLength(1);
  expect(details[0]).toMatchObject({ type: 'Message', message: 'The template contains no tags.' });
});

describe('the response to an upload', () => {
  it('lists the names in all parts once, sorted', () => {
    const input = {
      body: paragraph('{name} {#items}{sku}{.}{/items} {customer.name} {name} {^vip}{/vip}'),
      headers: [paragraph('{date}')],
      endnotes: [paragraph('{note}')],
    };
    expect(inspect(input).tags).toEqual(['customer.name', 'date', 'items', 'name', 'note', 'sku', 'vip']);
  });

  it.each([
    [
      'that formulas use',
      '{price * qty | currency:"EUR"} {#items | where:"open" | sort:"date"}{$number}{a[0].b}{/items}',
      ['a.0.b', 'date', 'items', 'open', 'price', 'qty'],
    ],
    [
      'that formatters read in items, and of lists whose items are chosen by a position',
      '{items | sum:"amount"} {items | sum:"qty * price * (1 + rate)"} {#rows}{values[$index].name}{/rows}',
      ['amount', 'items', 'price', 'qty', 'rate', 'rows', 'values'],
    ],
  ])('lists the names %s', (_, template, tags) => {
    expect(inspect(template).tags).toEqual(tags);
  });

  it('counts a name outside a list as used if an expression over the items reads it', () => {
    const data = { items: [{ qty: 2 }], rate: 0.2, other: 1 };
    const { warnings } = render('{items | sum:"qty * (1 + rate)"}', data);
    expect(warnings).toEqual([expect.objectContaining({ code: 'unused_data', paths: ['data.other'] })]);
  });

  it('warns about tracked changes, once for each part', () => {
    const change = (name: string) =>
      `<w:${name} w:id="1" w:author="A"><w:r><w:delText>old {b}</w:delText></w:r></w:${name}>`;
    const marked = '<w:p><w:pPr><w:rPr><w:ins w:id="3" w:author="A"/></w:rPr></w:pPr></w:p>';
    const warningsOf = (input: DocxInput) => inspect(input).warnings;
    const body = `<w:p>${run('{a}')}${change('del')}${change('ins')}</w:p>`;
    expect(warningsOf({ body })).toMatchObject([{ code: 'tracked_changes', part: 'body' }]);
    expect(warningsOf({ body: paragraph('{a}') + marked })).toEqual([]);
  });

  it('warns about a section that is written like a column of another template engine', () => {
    const warningsOf = (...lines: readonly string[]) =>
      inspect({ body: table(rows(...lines)) }).warnings.map(({ code, message }) => `${code}: ${message}`);
    expect(warningsOf('Product;{#months | sort:"no"}{name}', 'Pen;{total}{/months}')).toEqual([
      'column_section: {#months | sort:"no"} begins and ends in one column of a table, and repeats the rows between. To repeat the column, write {|months | sort:"no"} in one of its cells.',
    ]);
    const honest = ['Product;{^secret}{name}{/}', '{#groups};', '{#items}{name};{price}{/items}', '{/groups};x'];
    expect(warningsOf(...honest)).toEqual([]);
  });

  it('warns about tags in parts that are not filled, and about names that look like formulas', () => {
    const field =
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>SEQ {vip}</w:instrText></w:r>' +
      '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';
    const picture =
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="{logo}"/></wp:inline></w:drawing></w:r></w:p>';
    const input = {
      body: paragraph('{name} {first-name} {first name} {a.b} {price * qty} {Paid?} {Total (EUR)}') + field + picture,
      rels: [{ id: 'rIdL', type: 'hyperlink', target: 'mailto:%7Bemail%7D', external: true }],
    };
    expect(inspect(input).warnings).toEqual(
      [
        ['formula', '{Paid?} is looked up as a name: it is not a valid expression.'],
        ['formula', '{Total (EUR)} is looked up as a name: it is not a valid expression.'],
        ['tag_not_filled', '{vip} is in a field code, where tags are not filled.'],
        ['tag_not_filled', '{logo} is in the alternative text of a picture, where tags are not filled.'],
        ['tag_not_filled', '{email} is in the address of a link, where tags are not filled.'],
      ].map(([code, message]) => ({ code, message, part: 'body' })),
    );
  });
});
