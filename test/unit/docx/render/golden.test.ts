import Docxtemplater from 'docxtemplater';
import fc from 'fast-check';
import PizZip from 'pizzip';
import { expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { type PreparedTemplate, prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { volume } from '../../../support/extended.ts';
import { always } from '../../../support/properties.ts';
import { rows } from './fill.ts';

// Few names, so that they often occur in the data.
const valueName = fc.constantFrom('a', 'b', 'c');
const name = fc.constantFrom('a', 'b', 'items', 'rows', 'flag');
const word = fc.constantFrom('Lorem ', 'ipsum', ' & dolor', '');
const inline: fc.Arbitrary<string> = fc.letrec<{ text: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'inline' },
    word,
    valueName.map((n) => `{${n}}`),
    fc.tuple(fc.constantFrom('#', '^'), name, tie('text')).map(([kind, n, text]) => `{${kind}${n}}${text}{/${n}}`),
  ),
  text: fc.array(tie('piece'), { minLength: 0, maxLength: 3 }).map((pieces) => pieces.join('')),
})).text;

const split = (text: string) => paragraph(text.length > 6 ? [text.slice(0, 3), text.slice(3, 5), text.slice(5)] : text);

const blocks: fc.Arbitrary<string> = fc.letrec<{ blocks: string; block: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'blocks' },
    inline.map(split),
    fc.constant(paragraph('static text')),
    fc
      .tuple(fc.constantFrom('#', '^'), name, tie('blocks'))
      .map(([kind, n, inner]) => paragraph(`{${kind}${n}}`) + inner + paragraph(`{/${n}}`)),
    fc.tuple(name, inline, inline).map(([n, x, y]) => table(rows('Head;Head', `{#${n}}${x};${y}{/${n}}`))),
    fc.tuple(name, inline).map(([n, x]) => table([[`{#${n}}${x}{/${n}}`, 'static']])),
    fc.tuple(name, inline).map(([n, x]) => table([[`{#${n}}${x}`, `{/${n}}`]]) + paragraph('after')),
    fc.tuple(tie('blocks')).map(([inner]) => table([[`${paragraph('{#flag}')}${inner}${paragraph('{/flag}')}`, 'x']])),
  ),
  blocks: fc.array(tie('block'), { minLength: 0, maxLength: 4 }).map((all) => all.join('')),
})).blocks;

const scalar = fc.constantFrom('x', 'y & <z>', 0, 7, true, false, '');
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
/** An object with some of the names. */
const object = (more: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(
    { a: scalar, b: scalar, c: scalar, flag: fc.boolean(), ...more },
    { requiredKeys: [], noNullPrototype: true },
  );
const leaf = object({});
const branch = object({ items: list(leaf), rows: fc.oneof(list(leaf), leaf) });
const data = object({ items: list(branch), rows: list(branch) });

/** The output of docxtemplater itself, with our rules for printing and looking up values. */
function reference(bytes: Buffer, values: unknown): string {
  const engine = new Docxtemplater(new PizZip(bytes), {
    paragraphLoop: true,
    errorLogging: false,
    nullGetter: () => '',
    syntax: { changeDelimiterPrefix: null },
  });
  engine.render(values);
  return (engine.getZip() as PizZip).file('word/document.xml')?.asText() ?? '';
}

function normal(xml: string): string {
  return (
    xml
      .replaceAll('<w:t xml:space="preserve"></w:t>', '<w:t/>')
      .replaceAll('<w:t></w:t>', '<w:t/>')
      // docxtemplater keeps paragraphs whose sections print nothing.
      .replaceAll(/<w:p>(?:<w:r><w:t\/><\/w:r>)*<\/w:p>|<w:p\/>/g, '')
      // docxtemplater may leave an unnecessary empty paragraph where a section removes a whole table.
      .replaceAll(/<\/w:tbl>(?:<w:p\/>)+(?=<w:(?:p|tbl|sectPr)[ >/])/g, '</w:tbl>')
  );
}

/**
 * Renders the template. Undefined if we reject a condition that docxtemplater accepts: a string for a section that
 * reads object fields.
 */
function rendered(template: PreparedTemplate, values: unknown): Buffer | undefined {
  try {
    return renderTemplate(template, Buffer.from(JSON.stringify(values))).file;
  } catch (error) {
    const { details = [] } = error as { details?: readonly { message: string }[] };
    if (details.length > 0 && details.every(({ message }) => /reads fields of objects/.test(message))) return undefined;
    throw error;
  }
}

it('the first and every later rendering give the same document as docxtemplater', () => {
  always(volume(40, 375), [blocks, fc.array(data, { minLength: 1, maxLength: 3 })], (body, records) => {
    const bytes = buildDocx({ body: `${paragraph('{a}')}${body}` });
    const template = prepareTemplate(bytes, 'docx');
    for (const values of records) {
      const expected = reference(bytes, values);
      const file = rendered(template, values);
      if (file === undefined) continue;
      expect(normal(openPackage(file).readText('word/document.xml') ?? '')).toBe(normal(expected));
    }
  });
}, 60_000);
