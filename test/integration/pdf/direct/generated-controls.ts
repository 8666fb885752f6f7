import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const storeId = '{8B049945-9DFE-4726-9DE9-CF5691E53858}';
const properties = 'http://schemas.openxmlformats.org/officeDocument/2006/customXml';
const words = 'lorem ipsum dolor sit amet, VAT 12,345.67 item-price total'.split(' ');
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 25 }).map((all) => all.join(' '));
const run = (content: string, format = ''): string =>
  `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${content}</w:t></w:r>`;

const kind = fc.constantFrom(
  '<w:text/>',
  '<w:richText/>',
  '<w:date w:fullDate="2011-01-24T00:00:00Z"><w:dateFormat w:val="MMMM d, yyyy"/><w:lid w:val="en-US"/></w:date>',
  '<w:dropDownList><w:listItem w:displayText="a" w:value="1"/><w:listItem w:displayText="b" w:value="2"/></w:dropDownList>',
  '<w:comboBox><w:listItem w:displayText="a" w:value="1"/></w:comboBox>',
  '<w:showingPlcHdr/><w:date><w:dateFormat w:val="M/d/yyyy"/></w:date>',
  '<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>',
  '<w:docPartList><w:docPartGallery w:val="Quick Parts"/></w:docPartList>',
);
const pathOf = (name: string): string =>
  `<w:dataBinding w:prefixMappings="xmlns:o='urn:example:order'" w:xpath="/o:order[1]/o:${name}[1]" w:storeItemID="${storeId}"/><w:text/>`;

/** The data of a file with this name in it. */
const withData = (name: string): Pick<DocxInput, 'parts' | 'rels'> => ({
  parts: {
    'customXml/item1.xml': `<order xmlns="urn:example:order"><name>${name}</name><empty/></order>`,
    'customXml/itemProps1.xml': `<ds:datastoreItem ds:itemID="${storeId}" xmlns:ds="${properties}"/>`,
    'customXml/_rels/item1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps" Target="itemProps1.xml"/></Relationships>`,
  },
  rels: [{ id: 'rIdData', type: 'customXml', target: '../customXml/item1.xml' }],
});

/** A document of controls around words and paragraphs, some with the data of the file. */
export const contentControls: fc.Arbitrary<DocxInput> = fc
  .record({
    parts: fc.array(
      fc.record({
        kind: fc.oneof(
          { weight: 3, arbitrary: kind },
          fc.constantFrom(pathOf('name'), pathOf('none'), pathOf('empty')),
        ),
        around: fc.tuple(text, text),
        content: text,
        format: fc.constantFrom('', '', '<w:b/>', '<w:i/><w:color w:val="C00000"/>'),
        isBlock: fc.boolean(),
        hasData: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    name: fc.constantFrom('Ada Lovelace', 'total'),
  })
  .map(({ parts, name }) => ({
    body: parts
      .map(({ kind: control, around: [before, behind], content, format, isBlock, hasData }) => {
        const shown = run(hasData ? name : content, format);
        const wrap = (inside: string): string =>
          `<w:sdt><w:sdtPr><w:alias w:val="x"/>${control}</w:sdtPr><w:sdtContent>${inside}</w:sdtContent></w:sdt>`;
        return isBlock ? wrap(`<w:p>${shown}</w:p>`) : `<w:p>${run(before)}${wrap(shown)}${run(behind)}</w:p>`;
      })
      .join(''),
    ...withData(name),
  }));

const wrapped = (inside: string, control: string | undefined): string =>
  control === undefined
    ? inside
    : `<w:sdt><w:sdtPr><w:alias w:val="x"/>${control}</w:sdtPr><w:sdtContent>${inside}</w:sdtContent></w:sdt>`;
const someControl = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: kind },
  { weight: 2, arbitrary: fc.constantFrom(pathOf('name'), pathOf('none'), pathOf('empty')) },
);

const repeating = '<w15:repeatingSection xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"/>';

/** A document with a table in which controls are around rows, cells, paragraphs and words, some with the data of the file. */
export const controlsInTables: fc.Arbitrary<DocxInput> = fc
  .record({
    name: fc.constantFrom('Ada Lovelace', 'total'),
    rows: fc.array(
      fc.tuple(
        fc.constantFrom(undefined, '', '<w:lock w:val="sdtLocked"/>', repeating),
        fc.array(
          fc.record({
            place: fc.constantFrom('cell', 'paragraph', 'run'),
            control: someControl,
            format: fc.constantFrom('', '', '<w:b/>', '<w:i/><w:color w:val="C00000"/>'),
            hasData: fc.constantFrom(true, true, false),
            content: text,
          }),
          { minLength: 2, maxLength: 2 },
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ name, rows }) => {
    const cell = ({ place, control, format, hasData, content }: (typeof rows)[number][1][number]): string => {
      const wrapAt = (here: string, inside: string): string => (here === place ? wrapped(inside, control) : inside);
      const inside = wrapAt('paragraph', `<w:p>${wrapAt('run', run(hasData ? name : content, format))}</w:p>`);
      return wrapAt('cell', `<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${inside}</w:tc>`);
    };
    const all = rows.map(([around, cells]) => wrapped(`<w:tr>${cells.map(cell).join('')}</w:tr>`, around));
    const table = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="4000"/>'.repeat(2)}</w:tblGrid>${all.join('')}</w:tbl><w:p/>`;
    return { body: table, ...withData(name) };
  });
