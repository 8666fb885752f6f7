import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prepareTemplate } from '../../../../src/worker/docx/render-template.ts';
import { docxText, partOf } from '../../../support/documents/document-text.ts';
import {
  buildDocx,
  type DocxInput,
  footnoteReference,
  paragraph,
  run,
  table,
} from '../../../support/documents/docx-builder.ts';
import { structureProblems } from '../../../support/documents/ooxml-check.ts';
import { detailsOf, errorOf, inspect, render, type Template, types } from '../render/fill.ts';

type Files = Readonly<Record<string, Buffer>>;
const body = (...texts: readonly string[]): Buffer =>
  buildDocx({ body: texts.map((text) => paragraph(text)).join('') });

const fill = (template: Template, files: Files, data: unknown, target: 'docx' | 'pdf' = 'docx') =>
  render(template, data, { target, includes: new Map(Object.entries(files)) });

const linesOf = (template: Template, files: Files, data: unknown): readonly string[] =>
  docxText(fill(template, files, data).file)
    .split('\n')
    .filter((line) => line !== '');

describe('the data of an included template', () => {
  const clause = body('{name}: {total | currency:"EUR"}');

  test('is looked up at the position of the tag without "with", also in a section', () => {
    const template = body('{#items}', '{include "clause"}', '{/items}');
    const data = { name: 'Ada', items: [{ total: 1 }, { name: 'Bob', total: 2 }] };
    expect(linesOf(template, { clause }, data)).toEqual(['Ada: €1.00', 'Bob: €2.00']);
  });

  test('is looked up only in the value after "with"', () => {
    const template = body('{include “clause” with customer}');
    expect(linesOf(template, { clause }, { name: 'Ada', customer: { total: 3 } })).toEqual([': €3.00']);
  });

  test('repeats the content for a list, and leaves it out for a missing value', () => {
    const template = body('a', '{include "clause" with people}', '{include "clause" with nobody}', 'b');
    const people = ['A', 'B'].map((name, i) => ({ name, total: i + 1 }));
    expect(linesOf(template, { clause }, { people })).toEqual(['a', 'A: €1.00', 'B: €2.00', 'b']);
  });

  test('gives the schema, the example and the names a place for the included template', () => {
    const template = body('{title}', '{include "clause" with customer}');
    const includes = new Map([['clause', clause]]);
    const { tags, schema, example, includes: names } = inspect(template, { includes });
    expect(names).toEqual(['clause']);
    expect(tags).toEqual(['customer', 'customer.name', 'customer.total', 'title']);
    expect(schema).toMatchObject({
      properties: {
        customer: {
          type: ['object', 'boolean'],
          properties: { total: { type: 'number' } },
          required: ['name', 'total'],
        },
      },
      required: ['title'],
    });
    expect(linesOf(template, { clause }, example)).toHaveLength(2);
  });

  test('is named in an error with the template and the path', () => {
    const template = body('{include "outer" with a}');
    const files = { outer: body('{include "clause" with b}'), clause };
    const error = errorOf(() => fill(template, files, { a: { b: { name: 'x', total: 'much' } } }));
    expect(error.details).toMatchObject([
      { path: 'data.a.b.total', message: expect.stringMatching(/^In the included template "clause": In \{total/) },
    ]);
  });
});

describe('a document with included templates', () => {
  const style = (id: string, name: string, more = '') =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
  const stylesOf = (...styles: readonly string[]) =>
    `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles.join('')}</w:styles>`;
  const styled = (id: string, text: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(text)}</w:p>`;

  test('keeps its own style if both templates have one of that name, and adds others under a free id', () => {
    const template = buildDocx({
      body: paragraph('{include "terms"}'),
      parts: { 'word/styles.xml': stylesOf(style('H', 'heading 1'), style('Clause', 'Other')) },
    });
    const based = '<w:basedOn w:val="Base"/>';
    const own = [style('Heading1', 'Heading 1'), style('Base', 'Base'), style('Clause', 'Clause', based)];
    const terms = buildDocx({
      body: styled('Heading1', '{x}') + styled('Clause', 'c') + styled('Nothing', 'n'),
      parts: { 'word/styles.xml': stylesOf(...own) },
    });
    const { xml, part } = fill(template, { terms }, { x: '1' });
    expect([...xml.matchAll(/<w:pStyle w:val="([^"]*)"/g)].map(([, id]) => id)).toEqual(['H', 'Clause2']);
    const styles = part('word/styles.xml');
    expect(styles).toContain(
      '<w:style w:type="paragraph" w:styleId="Clause2"><w:name w:val="Clause"/><w:basedOn w:val="Base"/>',
    );
    expect(styles.match(/heading 1/gi)).toHaveLength(1);
  });

  const numbering = {
    parts: {
      'word/numbering.xml':
        '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:nsid w:val="11111111"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
    },
    contentTypes: { 'word/numbering.xml': types.word('numbering') },
    rels: [{ id: 'rIdN', type: 'numbering', target: 'numbering.xml' }],
  } satisfies DocxInput;
  const item = (text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`;

  test.each([
    ['that has lists', numbering],
    ['without lists', {}],
  ])('counts each list from its start every time, in a template %s', (_case, more) => {
    const own = 'parts' in more ? item('{x}') : paragraph('{x}');
    const template = buildDocx({ ...more, body: own + paragraph('{include "list"}').repeat(2) });
    const list = buildDocx({ ...numbering, body: item('{x}') + item('b') });
    const { file, xml, part } = fill(template, { list }, { x: 1 });
    const ids = [...xml.matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length / 2 + ('parts' in more ? 0.5 : 0));
    const lists = part('word/numbering.xml');
    for (const id of ids) expect(lists).toContain(`<w:num w:numId="${id}"`);
    expect(lists.match(/w:nsid/g) ?? []).toHaveLength('parts' in more ? 1 : 0);
    expect(structureProblems(file)).toEqual([]);
  });

  test('keeps the targets of pictures, links, notes and bookmarks, and gives them new ids', () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const link = `<w:p><w:bookmarkStart w:id="0" w:name="here"/><w:hyperlink r:id="rId7">${run('link')}</w:hyperlink><w:bookmarkEnd w:id="0"/><w:hyperlink w:anchor="here">${run('{x}')}</w:hyperlink></w:p>`;
    const input = (url: string, note: string): DocxInput => ({
      body: `${link}<w:p>${run('note')}${footnoteReference(1)}</w:p>`,
      footnotes: [paragraph(note)],
      rels: [
        { id: 'rId7', type: 'hyperlink', target: url, external: true },
        { id: 'rId8', type: 'image', target: 'media/a.png' },
      ],
      parts: { 'word/media/a.png': picture },
    });
    const blip = `<w:p><w:r><w:pict><v:shape id="s" style="width:9pt;height:9pt"><v:imagedata r:id="rId8"/></v:shape></w:pict></w:r></w:p>`;
    const own = input('https://own.example/', 'own {x}');
    const template = buildDocx({ ...own, body: `${own.body}${paragraph('{include "terms"}')}` });
    const terms = input('https://terms.example/', 'of terms {x}');
    const included = buildDocx({ ...terms, body: terms.body + blip });
    const { file, docx, xml, part } = fill(template, { terms: included }, { x: 'X' });
    const rels = part('word/_rels/document.xml.rels');
    const [, second] = [...xml.matchAll(/<w:hyperlink r:id="([^"]*)"/g)].map(([, id]) => id);
    expect(rels).toMatch(new RegExp(`Id="${second}"[^>]*Target="https://terms.example/"`));
    const image = /<v:imagedata r:id="([^"]*)"/.exec(xml)?.[1];
    const target = new RegExp(`Id="${image}"[^>]*Target="([^"]*)"`).exec(rels)?.[1];
    expect(docx.read(`word/${target}`)).toEqual(picture);
    const names = [...xml.matchAll(/w:(?:name|anchor)="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual(['here', 'here', 'here_2', 'here_2']);
    const notes = part('word/footnotes.xml');
    for (const [, id] of xml.matchAll(/<w:footnoteReference w:id="(\d+)"/g)) expect(notes).toContain(`w:id="${id}"`);
    expect(notes).toContain('of terms X');
    expect(structureProblems(file)).toEqual([]);
  });

  test('keeps two tables apart and a paragraph in each cell, and turns a section into a page break', () => {
    const grid = table([['{x}']]);
    const section = '<w:p><w:pPr><w:sectPr><w:pgSz w:w="5000" w:h="5000"/></w:sectPr></w:pPr></w:p>';
    const terms = buildDocx({ body: grid + section + grid });
    const template = buildDocx({ body: grid + paragraph('{include "terms"}') + table([['{include "terms"}']]) });
    const { file, xml } = fill(template, { terms }, { x: 1 });
    expect(xml).not.toMatch(/<\/w:tbl>\s*(?:<w:tbl>|<\/w:tc>)|w:w="5000"/);
    expect(xml.match(/<w:br w:type="page"\/>/g)).toHaveLength(2);
    expect(structureProblems(file)).toEqual([]);
  });

  test('takes only headers, footers and margins from a letterhead', () => {
    const letterhead = buildDocx({
      body: paragraph('not this'),
      headers: [paragraph('{company}'), paragraph('first')],
      footers: ['<w:p/>'],
    });
    const body = paragraph('{letterhead "own" with sender}') + paragraph('{x}');
    const data = { x: 'text', sender: { company: 'Acme' } };
    const { file, docx, xml, part, text } = fill({ body, headers: [paragraph('old')] }, { own: letterhead }, data);
    expect(text).toBe('text');
    const rels = part('word/_rels/document.xml.rels');
    const references = [...xml.matchAll(/<w:headerReference w:type="(\w+)" r:id="([^"]*)"/g)];
    const shown = references.map(([, type, id]) => {
      const target = new RegExp(`Id="${id}"[^>]*Target="([^"]*)"`).exec(rels)?.[1];
      return [type, docxText(file, docx.entry(`word/${target}`)?.name ?? '')];
    });
    expect(shown).toEqual([
      ['default', 'Acme'],
      ['first', 'first'],
    ]);
    expect(structureProblems(file)).toEqual([]);
  });

  test('uses a letterhead in all sections, and keeps tracked changes of their page setup', () => {
    const margin = (left: number) => `<w:pgMar w:left="${left}"/>`;
    const changed = (left: number) =>
      `<w:sectPr>${margin(left)}<w:sectPrChange w:id="9" w:author="a"><w:sectPr>${margin(1)}</w:sectPr></w:sectPrChange></w:sectPr>`;
    // The last page setup replaces the one that the builder adds.
    const withSection = (content: string, last: string) => {
      const xml = partOf(buildDocx({ body: content })).replace(/<w:sectPr[\s\S]*(?=<\/w:body>)/, last);
      return buildDocx({ parts: { 'word/document.xml': xml } });
    };
    const first = `<w:p><w:pPr>${changed(2)}</w:pPr></w:p>`;
    const template = withSection(paragraph('{letterhead "own"}') + paragraph('{x}'), first + changed(3));
    const own = withSection(paragraph('{""}'), changed(7));
    const { xml } = fill(template, { own }, { x: 1 });
    expect([...xml.matchAll(/w:left="(\d)"/g)].map(([, left]) => left)).toEqual(['7', '1', '7', '1']);
  });

  test('is as large in the cache as all of its included parts', () => {
    const noise = randomBytes(200_000);
    const picture = {
      rels: [{ id: 'rId8', type: 'image', target: 'media/a.png' }],
      parts: { 'word/media/a.png': noise },
    };
    const blip = `<w:p><w:r><w:pict><v:shape id="s"><v:imagedata r:id="rId8"/></v:shape></w:pict></w:r></w:p>`;
    const terms = buildDocx({ ...picture, body: blip + paragraph('{x}') });
    const sizeWith = (file: Buffer) =>
      prepareTemplate(body('{include "terms"}'), 'docx', { includes: new Map([['terms', file]]) }).sizeBytes;
    expect(sizeWith(terms) - sizeWith(body('{x}'))).toBeGreaterThan(noise.length);
  });

  test('has the invoice of the examples as an attachment of itself, as .docx and for PDF', () => {
    const invoice = readFileSync('examples/invoice.docx');
    const data = JSON.parse(readFileSync('examples/invoice.json', 'utf8')) as object;
    const template = body('Attachment for {name}', '{include "invoice" with invoice}');
    for (const target of ['docx', 'pdf'] as const) {
      const { file } = fill(template, { invoice }, { name: 'Ada', invoice: data }, target);
      expect(structureProblems(file)).toEqual([]);
      const alone = render(invoice, data, { target }).file;
      expect(docxText(file)).toContain(docxText(alone).trim());
    }
  });
});

describe('an inclusion', () => {
  const messages = (template: Template, files: Files = {}) =>
    detailsOf(template, { includes: new Map(Object.entries(files)) }).map(({ message }) => message);

  test.each<[string, DocxInput]>([
    ['within a text', { body: paragraph('see {include "a"}') }],
    ['in a header', { body: paragraph('{x}'), headers: [paragraph('{include "a"}')] }],
    [
      'in a footnote',
      { body: `<w:p>${run('{x}')}${footnoteReference(1)}</w:p>`, footnotes: [paragraph('{letterhead "a"}')] },
    ],
  ])('is refused for a tag %s', (_case, input) => {
    expect(messages(input, { a: body('{x}') })).toEqual([
      expect.stringMatching(/is not valid: it must be alone in a paragraph of the body, or of a table in it\.$/),
    ]);
  });

  const x = body('{x}');
  const chain = Object.fromEntries([...'abcde'].map((name, i) => [name, body(`{include "${'bcdef'[i]}"}`)]));
  const large = buildDocx({ body: paragraph('x'.repeat(1024 * 1024)) + paragraph('{x}') });

  test.each<[string, readonly string[], Files, string]>([
    [
      'that includes itself',
      ['{include "a"}'],
      { a: body('{include "b"}'), b: body('{include "a"}') },
      'In the template "b": the tag {include "a"} includes itself: a, b, a.',
    ],
    [
      'with too many levels',
      ['{include "a"}'],
      { ...chain, f: x },
      'In the template "d": the tag {include "e"} is in more than 4 levels of included templates.',
    ],
    [
      'with too many tags',
      Array(201).fill('{include "a"}'),
      { a: x },
      'In the body: the tag {include "a"} is one of more than 200.',
    ],
    ['with a second letterhead', ['{letterhead "a"}', '{letterhead "a"}'], { a: x }, ''],
    [
      'with a bad expression',
      ['{include "a" with b +}'],
      { a: x },
      'In the body: the tag {include "a" with b +} is not valid: the expression ends too early.',
    ],
    [
      'whose templates bring too much together',
      Array(17).fill('{include "large"}'),
      { large },
      'In the body: the tag {include …} and others bring more than 16 MB of text, styles and lists, as XML.',
    ],
  ])('is refused for a template %s', (_case, texts, files, message) => {
    expect(messages(body(...texts), files)).toEqual([expect.stringContaining(message)]);
  });

  test('is refused for a tag of a million spaces', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(messages(body(`{include "a" with ${spaces}x`))).toHaveLength(1);
    expect(messages(body(`{include "${spaces}}`))).toHaveLength(1);
  });

  test('a mistake that appears only after inclusion names the template that contains it', () => {
    const deep = body(...[...'01234567'].map((i) => `{#a${i}}`), '{x}', ...Array(8).fill('{/}'));
    expect(messages(body('{#outer}', '{include "deep"}', '{/outer}'), { deep })).toEqual([
      expect.stringMatching(/^In the template "deep": the section \{#a\d\} is nested too deep/),
    ]);
  });
});
