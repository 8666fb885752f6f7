import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { exactly, perhaps, sometimes, wordsOf } from './generated-words.ts';

/** Content controls, some of which show data of the file. */

const { paragraph, run } = word;
const storeId = '{8B049945-9DFE-4726-9DE9-CF5691E53858}';
const properties = 'http://schemas.openxmlformats.org/officeDocument/2006/customXml';
const text = wordsOf(25, 'lorem ipsum dolor sit amet, VAT 12,345.67 item-price total');

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
const paths = fc.constantFrom(
  ...['name', 'none', 'empty'].map(
    (name) =>
      `<w:dataBinding w:prefixMappings="xmlns:o='urn:example:order'" w:xpath="/o:order[1]/o:${name}[1]" w:storeItemID="${storeId}"/><w:text/>`,
  ),
);
const format = perhaps(2, '<w:b/>', '<w:i/><w:color w:val="C00000"/>');
const wrap = (inside: string, control: string | undefined): string =>
  control === undefined ? inside : word.control(inside, `<w:alias w:val="x"/>${control}`);

/** A document whose file contains data with this name. */
const withData = (body: string, name: string): DocxInput => ({
  body,
  parts: {
    'customXml/item1.xml': `<order xmlns="urn:example:order"><name>${name}</name><empty/></order>`,
    'customXml/itemProps1.xml': `<ds:datastoreItem ds:itemID="${storeId}" xmlns:ds="${properties}"/>`,
    'customXml/_rels/item1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps" Target="itemProps1.xml"/></Relationships>`,
  },
  rels: [{ id: 'rIdData', type: 'customXml', target: '../customXml/item1.xml' }],
});

const someControl = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: kind },
  { weight: 2, arbitrary: paths },
);
const repeating = '<w15:repeatingSection xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"/>';

const bookmark = perhaps(1, '<w:bookmarkStart w:id="7" w:name="x"/><w:bookmarkEnd w:id="7"/>');
const beside = (words: string): string => (words === '' ? '' : run(words));

/** A table with content controls around rows, cells, paragraphs and words, beside bookmarks and other words. */
export const controlsInTables: fc.Arbitrary<DocxInput> = fc
  .record({
    name: fc.constantFrom('Ada Lovelace', 'total'),
    rows: fc.array(
      fc.tuple(
        fc.constantFrom(undefined, '', '<w:lock w:val="sdtLocked"/>', repeating),
        exactly(
          2,
          fc.record({
            place: fc.constantFrom('cell', 'paragraph', 'run'),
            control: someControl,
            format,
            hasData: fc.constantFrom(true, true, false),
            content: text,
            around: sometimes<[string, string, string]>(fc.tuple(text, bookmark, text), ['', '', '']),
          }),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ name, rows }) => {
    const cell = (one: (typeof rows)[number][1][number]): string => {
      const wrapAt = (here: string, inside: string): string =>
        here === one.place ? wrap(inside, one.control) : inside;
      const [before, mark, behind] = one.around;
      const shown = wrapAt('run', run(one.hasData ? name : one.content, one.format));
      const inside = wrapAt('paragraph', paragraph(beside(before) + mark + shown + beside(behind)));
      return wrapAt('cell', word.cell(4000, inside));
    };
    const all = rows.map(([around, cells]) => wrap(word.row(cells.map(cell)), around));
    return withData(`${word.table([4000, 4000], all)}<w:p/>`, name);
  });
