import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { buildDocx, footnoteReference, paragraph, run, table } from '../../support/documents/docx-builder.ts';
import { addedProblems, ooxmlProblems } from '../../support/documents/ooxml-check.ts';

const drawing =
  '<w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="7" name="a"/></wp:inline></w:drawing></w:r>';
const bookmark = (id: number, name: string) =>
  `<w:bookmarkStart w:id="${id}" w:name="${name}"/><w:bookmarkEnd w:id="${id}"/>`;
const merged = (value: string) =>
  `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/><w:vMerge${value}/></w:tcPr><w:p/></w:tc>`;
const control = '<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>';

const broken: readonly (readonly [body: string, problem: string])[] = [
  [`<w:p>${drawing}${drawing}</w:p>`, 'drawing id 7 appears twice'],
  [`<w:p>${bookmark(1, 'a')}${bookmark(1, 'b')}</w:p>`, 'bookmark id 1 appears twice'],
  [`<w:p>${bookmark(1, 'a')}${bookmark(2, 'A')}</w:p>`, 'bookmark name a appears twice'],
  ['<w:p><w:bookmarkStart w:id="1" w:name="a"/></w:p>', 'bookmark 1 has no end'],
  ['<w:p><w:bookmarkEnd w:id="1"/></w:p>', 'bookmark 1 has no start'],
  [control + control, 'content control id 5 appears twice'],
  ['<w:p w14:paraId="00000001"/><w:p w14:paraId="00000001"/>', 'paragraph id 00000001 appears twice'],
  ['<w:p><w:r><w:commentReference w:id="3"/></w:r></w:p>', 'there is no comment 3'],
  [`<w:p>${footnoteReference(9)}</w:p>`, 'there is no footnote 9'],
  ['<w:p><w:hyperlink r:id="none"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>', 'refers to no relationship none'],
  ['<w:p><w:hyperlink r:id="rIdStyles"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>', 'a relationship of type styles'],
  ['<w:p><w:hyperlink w:anchor="none"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>', 'no bookmark none'],
  [table([['a', 'b']]).replace('<w:gridCol w:w="4500"/>', ''), 'has 2 columns, its grid 1'],
  [table([['a']]).replace(/<w:tc>.*<\/w:tc>/, merged('')), 'continues a merged cell that has no start'],
  [table([['a']]).replace(/<w:tc>.*<\/w:tc>/, ''), 'has no cells'],
  [table([['a']]).replace(/<w:p>.*<\/w:p>/, ''), 'tc ends with tcPr'],
  ['<w:p><w:pPr><w:jc w:val="left"/><w:keepNext/></w:pPr></w:p>', 'unexpected child element'],
  [`<w:p><w:r><w:t>x</w:t><w:rPr><w:b/></w:rPr></w:r></w:p>`, 'unexpected child element'],
  [`<w:p><w:p/></w:p>`, 'invalid child element'],
];

describe('the check of finished documents', () => {
  it.each(broken)('%s: %s', async (body, problem) => {
    expect(await ooxmlProblems(buildDocx({ body, footnotes: [paragraph('note')] }))).toContainEqual(
      expect.stringContaining(problem),
    );
  });

  it.each(['invoice', 'contract', 'letter', 'report', 'certificate'])('finds nothing in the %s', async (name) => {
    const example = (ending: string) => readFile(new URL(`../../../examples/${name}.${ending}`, import.meta.url));
    const template = await example('docx');
    const { file } = renderTemplate(prepareTemplate(template, 'docx'), await example('json'));
    expect(await ooxmlProblems(file)).toEqual([]);
  });

  it('reports relationships without a target, parts without a type, and problems that are not in the template', async () => {
    const rels = [{ id: 'rId9', type: 'image', target: 'media/none.png' }];
    const found = await ooxmlProblems(buildDocx({ rels, parts: { 'word/data.xyz': 'x' } }));
    expect(found).toContainEqual(expect.stringContaining('no target word/media/none.png'));
    expect(found).toContainEqual('word/data.xyz: no content type');
    const template = buildDocx({ body: paragraph('x'), rels });
    expect(await addedProblems(template, buildDocx({ body: `<w:p>${run('x')}</w:p>`, rels }))).toEqual([]);
    expect(await addedProblems(template, buildDocx({ body: control + control, rels }))).toHaveLength(1);
  });
});
