import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, relationshipsXml, run } from '../../../support/documents/docx-builder.ts';
import { field, fieldMark } from '../../../support/documents/field-builder.ts';
import { inspect, render, types } from './fill.ts';

const names =
  'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const core = 'docProps/core.xml';

function dated(input: DocxInput, target: 'docx' | 'pdf' = 'docx') {
  const body = `${input.body ?? ''}${paragraph('{name}')}`;
  return render({ ...input, body }, { name: 'Ada' }, { target, documentDate: '2026-03-31T14:30:05.000Z' });
}

function withProperties(content: string): DocxInput {
  const rels = [
    { id: 'rId1', type: 'officeDocument', target: 'word/document.xml' },
    {
      id: 'rId2',
      type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
      target: core,
    },
  ];
  const xml = `<cp:coreProperties ${names}>${content}</cp:coreProperties>`;
  return { parts: { [core]: xml, '_rels/.rels': relationshipsXml(rels) }, contentTypes: { [core]: types.core } };
}

const written = '2026-03-31T14:30:05Z';

describe('the document date in the properties', () => {
  it("replaces the template's dates", () => {
    const date = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">2001-02-03T04:05:06Z</dcterms:${name}>`;
    const printed = '<cp:lastPrinted>2001-02-03T04:05:06Z</cp:lastPrinted>';
    const xml = dated(withProperties(printed + date('created') + date('modified'))).part(core);
    expect(xml).toContain(`<dcterms:created xsi:type="dcterms:W3CDTF">${written}</dcterms:created>`);
    expect(xml).toContain(`<dcterms:modified xsi:type="dcterms:W3CDTF">${written}</dcterms:modified>`);
    expect(xml).toContain(`<cp:lastPrinted>${written}</cp:lastPrinted>`);
    expect(xml).not.toContain('2001-02');
  });

  it.each([
    ['no dates', ''],
    ['empty dates', '<dcterms:created/><dcterms:modified xsi:type="dcterms:W3CDTF"/>'],
  ])('is added to properties with %s', (_title, content) => {
    for (const target of ['docx', 'pdf'] as const) {
      const xml = dated(withProperties(content), target).part(core);
      for (const name of ['created', 'modified']) {
        expect(xml.match(new RegExp(`<dcterms:${name}[ >/]`, 'g')), target).toHaveLength(1);
        expect(xml).toMatch(new RegExp(`<dcterms:${name} [^>]*xsi:type="dcterms:W3CDTF"[^>]*>${written}</`));
      }
    }
  });

  it('is added with new properties if a package has none', () => {
    const { docx, part } = dated({});
    expect(part(core)).toContain(written);
    expect(docx.contentType(core)).toBe(types.core);
    expect(part('_rels/.rels')).toContain('Target="docProps/core.xml"');
  });

  it('is not added without a document date', () => {
    expect(render('{name}', {}).docx.entry(core)).toBeUndefined();
  });
});

describe('the document that a converter gets', () => {
  const instruction = (text: string) => {
    const pieces = text
      .split('|')
      .map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`);
    return `<w:p>${fieldMark('begin')}${pieces.join('')}${fieldMark('separate')}${run('old')}${fieldMark('end')}</w:p>`;
  };
  const instructionsOf = ({ xml }: { readonly xml: string }) =>
    [...xml.matchAll(/<w:instrText[^>]*>([^<]*)</g)].map(([, text]) => text).join('');

  it.each([
    [' SAVEDATE \\@ "d MMM" ', ' DATE \\@ &quot;d MMM&quot; '],
    [' createdate ', ' DATE \\@ &quot;M/d/yyyy h:mm:ss AM/PM&quot;  '],
    [' PRINT|DATE \\@ yyyy \\* MERGEFORMAT ', ' DATE \\@ yyyy \\* MERGEFORMAT '],
    [' DOCPROPERTY "LastSavedTime" \\@ "HH:mm" ', ' DATE \\@ &quot;HH:mm&quot; '],
    [' INFO CreateDate ', ' DATE \\@ &quot;M/d/yyyy h:mm:ss AM/PM&quot;  '],
  ])('shows the document date in a field %s', (text, expected) => {
    expect(instructionsOf(dated({ body: instruction(text) }, 'pdf'))).toBe(expected);
    const simple = `<w:p><w:fldSimple w:instr="${text.replace('|', '').replaceAll('"', '&quot;')}"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>`;
    expect(dated({ body: simple }, 'pdf').xml).toContain(`w:instr="${expected}"`);
    // A .docx keeps its fields, because Word updates them.
    expect(instructionsOf(dated({ body: instruction(text) }))).toBe(text.replace('|', ''));
  });

  it.each([' DATE \\@ "d MMM" ', ' SEQ SAVEDATE ', ' CREATEDATES '])('keeps a field %s', (text) => {
    expect(instructionsOf(dated({ body: instruction(text) }, 'pdf'))).toBe(text);
  });

  it('numbers the authors of tracked changes in the order in which they appear', () => {
    const change = (author: string) => `<w:ins w:id="1" w:author="${author}"><w:r><w:t>x</w:t></w:r></w:ins>`;
    const authors = ['Zoe', 'Bob', 'Zoe', ...Array.from({ length: 9 }, (_, i) => `a${i}`)];
    const input = {
      headers: [`<w:p>${change('Hal')}${change('Bob')}</w:p>`],
      body: `<w:p>${authors.map(change).join('')}</w:p>`,
    };
    const authorsOf = (xml: string) => [...xml.matchAll(/w:author="([^"]*)"/g)].map(([, author]) => author).join(' ');
    const { xml, part } = dated(input, 'pdf');
    expect(authorsOf(xml)).toBe('1 2 1 3 4 5 6 7 8 9 1 2');
    expect(authorsOf(part('word/header1.xml'))).toBe('3 2');
    expect(authorsOf(dated(input).part('word/header1.xml'))).toBe('Hal Bob');
  });

  it('does not let a value become a field instruction', () => {
    const body = `<w:p>${field('', run('shown')).replace('<w:r><w:fldChar w:fldCharType="separate"', `${run('{code}')}$&`)}</w:p>`;
    const { xml } = render({ body }, { code: 'INCLUDEPICTURE "http://127.0.0.1:9/x.png"' }, { target: 'pdf' });
    expect(xml).not.toMatch(/fldCharType="begin"[\s\S]*INCLUDEPICTURE[\s\S]*fldCharType="separate"/);
    expect(xml).toContain('shown');
  });

  it('has no comments, because they can crash LibreOffice, but mistakes in them are reported', () => {
    const template: DocxInput = {
      body:
        `<w:p>${run('{#items}')}<w:commentRangeStart w:id="0"/>${run('{.}')}<w:commentRangeEnd w:id="0"></w:commentRangeEnd>` +
        `<w:r><w:commentReference w:id="0"/></w:r>${run('{/items}')}</w:p>`,
      comments: [paragraph('for {name}')],
    };
    const { text, xml, warnings } = render(template, { items: [1, 2] }, { target: 'pdf' });
    expect(text).toBe('12');
    expect(xml).not.toContain('comment');
    expect(warnings).toMatchObject([{ code: 'missing_value', paths: ['data.name'] }]);
  });
});

const fieldOf = (instruction: string) =>
  `<w:p><w:fldSimple w:instr=" ${instruction} "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>`;
const warningsOf = (input: DocxInput) => inspect(input).warnings.filter(({ code }) => code === 'date_field');

describe('the upload of a template with date fields', () => {
  it.each([
    ['DATE', 'DATE'],
    ['date \\@ &quot;yyyy&quot;', 'DATE'],
    ['TIME \\@ &quot;HH:mm&quot;', 'TIME'],
    ['CREATEDATE', 'CREATEDATE'],
    ['SAVEDATE \\* MERGEFORMAT', 'SAVEDATE'],
    ['INFO PRINTDATE', 'PRINTDATE'],
    ['DOCPROPERTY LastSavedTime', 'LastSavedTime'],
  ])('%s warns that PDFs show the time of the upload', (instruction, name) => {
    expect(warningsOf({ body: `${paragraph('{x}')}${fieldOf(instruction)}` })).toEqual([
      {
        code: 'date_field',
        message: `The field ${name} shows in a PDF when this version of the template was uploaded, not the time of the request. Send output.documentDate, or write a tag such as {today} instead.`,
        part: 'body',
        count: 1,
      },
    ]);
  });

  it('gives one warning for each part, also for fields that Word splits into runs', () => {
    const pieces = [' DA', 'TE '].map((text) => `<w:r><w:instrText>${text}</w:instrText></w:r>`).join('');
    const split = `<w:p>${fieldMark('begin')}${pieces}${fieldMark('separate')}${run('old')}${fieldMark('end')}</w:p>`;
    const found = warningsOf({
      body: `${paragraph('{x}')}${split}${fieldOf('TIME')}${fieldOf('DATE')}`,
      footers: [`${paragraph('{y}')}${fieldOf('SAVEDATE')}`],
    });
    expect(found).toMatchObject([
      { part: 'body', count: 3, message: expect.stringContaining('The fields DATE, TIME show') },
      { part: 'footer 1', count: 1 },
    ]);
  });

  it.each(['EDITTIME', 'FILENAME', 'PAGE', 'DATES', 'REF DATE', 'QUOTE TIME'])(
    'gives no warning for %s',
    (instruction) => {
      expect(warningsOf({ body: `${paragraph('{x} DATE')}${fieldOf(instruction)}` })).toEqual([]);
    },
  );
});
