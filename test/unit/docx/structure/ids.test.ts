import { describe, expect, it } from 'vitest';
import {
  type DocxInput,
  endnoteReference,
  footnoteReference,
  paragraph,
  run,
  table,
} from '../../../support/documents/docx-builder.ts';
import { fill, fillXml, problems } from '../render/fill.ts';

const drawing =
  '<w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="a"/><a:graphic><a:graphicData uri="x"/></a:graphic></wp:inline></w:drawing></w:r>';
const marked = (text: string) =>
  '<w:p w14:paraId="0000000A" w14:textId="77777777"><w:bookmarkStart w:id="4" w:name="Place"/><w:commentRangeStart w:id="0"/>' +
  `<w:permStart w:id="9" w:edGrp="everyone"/>${run(text)}${drawing}<w:permEnd w:id="9"/><w:commentRangeEnd w:id="0"/>` +
  `<w:r><w:commentReference w:id="0"/></w:r><w:bookmarkEnd w:id="4"/>${footnoteReference(1)}${endnoteReference(1)}</w:p>`;
const control = (content: string) =>
  `<w:sdt><w:sdtPr><w:alias w:val="a"/><w:id w:val="12"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const link = '<w:p><w:hyperlink w:anchor="Place"><w:r><w:t>see there</w:t></w:r></w:hyperlink></w:p>';
const around = (body: string): DocxInput => ({
  body: link + body,
  headers: [
    `${paragraph('{#items}')}<w:p>${run('{.}')}${drawing.replace('id="1"', 'id="2"')}</w:p>${paragraph('{/items}')}`,
  ],
  comments: [paragraph('a comment for {name}')],
  footnotes: [paragraph('note'), paragraph('other')],
  endnotes: [paragraph('end of {name}')],
});
const data = { name: 'Ada', items: ['a', 'b', 'c'] };

const places: readonly (readonly [string, string])[] = [
  ['paragraphs', paragraph('{#items}') + control(marked('{.}')) + paragraph('{/items}')],
  ['a paragraph', marked('{#items}{.}{/items}')],
  ['table rows', table([[marked('{#items}{.}'), paragraph('{/items}')]])],
  ['a condition', paragraph('{#name}') + marked('x') + paragraph('{/name}')],
];

describe('ids in sections', () => {
  it.each(places)('stay unique in %s', async (_, body) => {
    expect(await problems(around(body), data)).toEqual([]);
    const withoutTarget = await problems(around(body), {});
    expect(withoutTarget.filter((problem) => problem !== 'hyperlink: no bookmark place')).toEqual([]);
  });

  it('are different for each repeated note, which stays separate', () => {
    const docx = fill(around(paragraph('{#items}') + marked('{.}') + paragraph('{/items}')), data);
    const ids = (part: string, pattern: RegExp) =>
      [...(docx.readText(part) ?? '').matchAll(pattern)].map(([, id]) => id);
    expect(ids('word/document.xml', /<w:footnoteReference w:id="(\d+)"/g)).toEqual(['1', '2', '3']);
    expect(ids('word/footnotes.xml', /<w:footnote w:id="(\d+)"/g)).toEqual(['1', '2', '3']);
    expect(docx.readText('word/footnotes.xml')?.split('note<').length).toBe(4);
    expect(docx.readText('word/endnotes.xml')?.split('end of Ada').length).toBe(4);
  });

  it('are new for each copy of bookmarks, permissions and comments with tags', () => {
    const xml = fillXml(around(paragraph('{#items}') + marked('{.}') + paragraph('{/items}')), data);
    expect(xml.match(/(?<=<w:bookmarkStart [^>]*w:name=")[^"]*/g)).toEqual(['Place', 'Place_2', 'Place_3']);
    expect(xml.match(/(?<=<w:commentReference w:id=")\d/g)).toEqual(['0', '1', '2']);
    expect(xml.match(/<w:permStart/g)).toHaveLength(3);
    expect(xml.indexOf('w:name="Place"')).toBeLessThan(xml.indexOf('>a</w:t>'));
  });

  it('stay unique in moved text, whose origin is marked once', async () => {
    const moved =
      '<w:p><w:moveFromRangeStart w:id="3" w:author="A" w:name="m"/><w:moveFrom w:id="4" w:author="A">' +
      `${run('{.}')}</w:moveFrom><w:moveFromRangeEnd w:id="3"/></w:p>`;
    const body = paragraph('{#items}') + moved + paragraph('{/items}');
    expect(await problems({ body }, data)).toEqual([]);
    const xml = fillXml({ body }, data);
    expect(xml.match(/<w:moveFromRange(?:Start|End)/g)).toHaveLength(2);
    expect(xml.match(/<w:moveFrom /g)).toHaveLength(3);
  });

  it('stay unique in VML, where the shape type occurs once and objects stay with their shapes', async () => {
    const shape =
      '<w:pict xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shapetype ' +
      'id="_x0000_t202" o:spt="202"><v:stroke/></v:shapetype><v:shape id="Box 2" o:spid="_x0000_s1026" type="#_x0000_t202" ' +
      `style="width:50pt;height:20pt"><v:textbox><w:txbxContent>${paragraph('{.}')}</w:txbxContent></v:textbox></v:shape></w:pict>`;
    const object =
      '<w:object xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shape ' +
      'id="_x0000_i1025" style="width:50pt;height:20pt"/><o:OLEObject Type="Embed" ProgID="x" ShapeID="_x0000_i1025" ' +
      'DrawAspect="Content" ObjectID="_1"/></w:object>';
    const body = `${paragraph('{#items}')}<w:p><w:r>${shape}</w:r><w:r>${object}</w:r></w:p>${paragraph('{/items}')}`;
    expect(await problems({ body }, data)).toEqual([]);
    const xml = fillXml({ body }, data);
    const all = (pattern: RegExp) => Array.from(xml.matchAll(pattern), ([, id]) => id);
    expect(all(/<v:shapetype id="([^"]*)"/g)).toEqual(['_x0000_t202']);
    expect(new Set(all(/<v:shape id="([^"]*)"/g)).size).toBe(6);
    expect(all(/o:spid="([^"]*)"/g)).toEqual(['_x0000_s1026']);
    expect(all(/<w:object[^>]*><v:shape id="([^"]*)"/g)).toEqual(all(/ShapeID="([^"]*)"/g));
  });

  it('are not repeated in copied notes, and tracked changes get new ones', async () => {
    const inserted = `<w:ins w:id="31" w:author="A"><w:r><w:rPr><w:rPrChange w:id="32" w:author="A"><w:rPr/></w:rPrChange></w:rPr><w:t>{.}</w:t></w:r></w:ins>`;
    const input = {
      body: `<w:p>${run('{#items}')}${inserted}${footnoteReference(1)}${run('{/items}')}</w:p>`,
      footnotes: [`<w:p w14:paraId="0000000B" w14:textId="77777777">${control(run('note'))}</w:p>`],
    };
    expect(await problems(input, data)).toEqual([]);
    const xml = fillXml(input, data);
    expect(new Set(xml.match(/<w:(?:ins|rPrChange) w:id="\d+"/g)).size).toBe(6);
  });

  it('lose both ends of a range if one end is dropped', async () => {
    const half = (end: string, id: number) =>
      `<w:p><w:bookmark${end} w:id="${id}"${end === 'Start' ? ` w:name="b${id}"` : ''}/>`;
    const body =
      `${half('Start', 1)}${run('{#gone}')}</w:p>${half('End', 1)}${half('Start', 2).slice(5)}${run('in')}</w:p>` +
      `<w:p>${run('{/gone}')}</w:p>${half('End', 2)}${run('{name}')}</w:p>`;
    for (const gone of [[], [1, 2], [1]]) expect(await problems({ body }, { gone, name: 'x' })).toEqual([]);
  });

  it('allow copies of notes only up to the limit of the document', () => {
    const note = paragraph('long '.repeat(20_000));
    const input = { body: `<w:p>${run('{#items}')}${footnoteReference(1)}${run('{/items}')}</w:p>`, footnotes: [note] };
    expect(() => fill(input, { items: Array.from({ length: 1000 }, () => 1) })).toThrow(/larger than 64 MB/);
  });
});
