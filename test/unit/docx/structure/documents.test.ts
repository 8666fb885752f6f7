import { describe, expect, it } from 'vitest';
import { pageVariants } from '../../../../src/worker/docx/fields/page-variants.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { type DocxInput, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { field } from '../../../support/documents/field-builder.ts';
import { detailsOf, inspect, problems, render, textOf, withoutTags } from '../render/fill.ts';

const saved = run('1');
const page = '<w:pgSz w:w="11906" w:h="16838"/>';
const sectionBreak = (setup = page) => `<w:p><w:pPr><w:sectPr>${setup}</w:sectPr></w:pPr></w:p>`;
const header = `<w:p>${run('To {name} of {company}, page ')}${field('PAGE', saved)}${run(' of ')}${field('NUMPAGES', saved)}</w:p>`;
const letters = ['Ada', 'Bob', 'Cyd'].map((name) => ({ name }));
const letter = paragraph('{#letters | documents}') + paragraph('Dear {name}') + paragraph('{/letters}');
const reference = '<w:headerReference w:type="default" r:id="rIdH1"/>';

/** Each page setup of the document: its markup, and the text of its header. */
function setupsOf(input: DocxInput, data: unknown) {
  const { xml, part, docx } = render(input, data);
  const targets = new Map(
    Array.from(
      part('word/_rels/document.xml.rels').matchAll(/Id="([^"]*)"[^>]*Target="([^"]*)"/g),
      ([, id, target]) => [id, `word/${target}`],
    ),
  );
  return [...xml.matchAll(/<w:sectPr>.*?<\/w:sectPr>/g)].map(([setup]) => {
    const name = targets.get(/headerReference[^>]*r:id="([^"]*)"/.exec(setup)?.[1]);
    return { setup, header: name === undefined ? undefined : textOf(docx, name).replace(/\s+/g, ' ') };
  });
}

describe('items that are documents', () => {
  const template = { body: letter, headers: [header] };

  it('have their own headers and page numbers, and count their own pages', async () => {
    const data = { company: 'ACME', letters };
    const found = setupsOf(template, data);
    expect(found.map((one) => one.header)).toEqual([
      'To Ada of ACME, page PAGE 1 of SECTIONPAGES 1',
      'To Bob of ACME, page PAGE 1 of SECTIONPAGES 1',
      'To Cyd of ACME, page PAGE 1 of SECTIONPAGES 1',
    ]);
    for (const { setup } of found) expect(setup).toContain('<w:pgNumType w:start="1"/>');
    expect(render(template, data).text).toBe('Dear Ada\nDear Bob\nDear Cyd');
    expect(await problems(template, data)).toEqual([]);
  });

  it('leave no tags and no headers behind without items', async () => {
    const { text, part, warnings } = render(template, { letters: [] }, { onMissing: 'error' });
    expect([text, part('word/header1.xml').includes('{'), warnings]).toEqual(['', false, []]);
    expect(await problems(template, { letters: [] })).toEqual([]);
  });

  it('share headers that are equal', () => {
    const same = { body: letter, headers: [paragraph('{company}')] };
    const { docx } = render(same, { company: 'ACME', letters });
    expect(docx.partNames.filter((name) => /header/.test(name))).toEqual(['word/header1.xml']);
  });

  it('may follow a cover and precede other pages', () => {
    const body =
      paragraph('Cover {title}') + sectionBreak(reference + page) + letter + sectionBreak() + paragraph('End');
    const data = { title: 'T', company: 'C', letters };
    const found = setupsOf({ body, headers: [header] }, { ...data, name: 'all' });
    expect(found.map((one) => one.header?.slice(0, 6))).toEqual(['To all', 'To Ada', 'To Bob', 'To Cyd', 'To all']);
    expect(found.map(({ setup }) => setup.includes('w:start='))).toEqual([false, true, true, true, false]);
  });

  it('begin a page, whatever the type of the last section', () => {
    const section = `<w:type w:val="continuous"/>${page}<w:cols w:num="2"/>`;
    expect(setupsOf({ ...template, section }, { letters }).map(({ setup }) => setup.includes('continuous'))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('may have several page setups, of which the first begins the page numbers', () => {
    const body = `${paragraph('{#letters | documents}') + paragraph('{name}') + sectionBreak()}${paragraph('Terms')}${paragraph('{/letters}')}`;
    const found = setupsOf({ body, headers: [paragraph('for {name}')] }, { letters: letters.slice(0, 2) });
    expect(found.map(({ setup }) => setup.includes('w:start="1"'))).toEqual([true, false, true, false]);
    expect(found.map((one) => one.header)).toEqual(['', 'for Ada', '', 'for Bob']);
    expect(inspect({ body, headers: [header] }).warnings).toMatchObject([{ code: 'pages_of_all_items' }]);
  });

  it('end with the section break of their author if they have one', () => {
    const body = paragraph('{#letters | documents}') + paragraph('{name}') + sectionBreak() + paragraph('{/letters}');
    expect(setupsOf({ body }, { letters })).toHaveLength(3);
  });

  it('fill notes and count pages in their text', async () => {
    const text = `<w:p>${run('{name}')}${footnoteReference(1)}${field('NUMPAGES', saved)}</w:p>`;
    const body = paragraph('{#letters | documents}') + text + paragraph('{/letters}');
    const input = { body, footnotes: [paragraph('note {name}')] };
    const { xml, docx } = render(input, { letters });
    expect(xml.match(/SECTIONPAGES/g)).toHaveLength(3);
    expect(textOf(docx, 'word/footnotes.xml')).toMatch(/note Ada\n+.*note Bob\n+.*note Cyd/s);
    expect(await problems(input, { letters })).toEqual([]);
  });

  it.each([
    ['other content before them', paragraph('x') + letter, 'shares a page with other content'],
    ['other content behind them', letter + paragraph('x'), 'shares a page with other content'],
    ['tags in a table', table([['{#l | documents}{a}{/l}']]), 'not alone in paragraphs of the body'],
    ['tags beside text', paragraph('{#l | documents} {a}{/l}'), 'not alone in paragraphs of the body'],
    ['another section around them', paragraph('{#x}') + letter + paragraph('{/x}'), 'shares a page with other content'],
  ])('are refused with %s', (_, body, message) => {
    expect(detailsOf({ body })).toMatchObject([{ message: expect.stringContaining(message), part: 'body' }]);
  });

  it('need one conversion for fields that depend on pages, however many they are', () => {
    const { file } = render(template, { letters }, { target: 'pdf' });
    const marks = { _docmill_section_0: 1, _docmill_section_1: 2, _docmill_section_2: 4 };
    const { variants, wrongPages } = pageVariants(file, { pages: 6, pagesAfterBlank: [], marks }, 'en');
    expect([variants.map(({ pages }) => pages), wrongPages]).toEqual([[[1, 2, 3, 4, 5, 6]], 0]);
    const filled = openPackage(variants[0]?.docx ?? new Uint8Array());
    const texts = ['header1', 'header1-2', 'header1-3'].map((name) => withoutTags(textOf(filled, `word/${name}.xml`)));
    expect(texts.map((text) => /of (\d)/.exec(text)?.[1])).toEqual(['1', '2', '3']);
  });
});

describe('headers of page setups in any section', () => {
  it('read the item', async () => {
    const body = `${paragraph('{#letters}') + paragraph('{name}') + sectionBreak(reference + page)}${paragraph('{/letters}')}`;
    const input = { body, headers: [paragraph('{name}')] };
    expect(setupsOf(input, { letters }).map((one) => one.header)).toEqual(['Ada', 'Bob', 'Cyd']);
    expect(await problems(input, { letters })).toEqual([]);
  });

  it('stay on later pages if the condition around the first ones is false', async () => {
    const body = `${paragraph('{#vip}') + paragraph('Welcome') + sectionBreak(reference + page)}${paragraph('{/vip}')}${paragraph('Text')}`;
    const input = { body, section: page, headers: [paragraph('for {name}')] };
    for (const vip of [true, false]) {
      expect(setupsOf(input, { vip, name: 'Ada' })[0]?.header).toBe('for Ada');
      expect(await problems(input, { vip, name: 'Ada' })).toEqual([]);
    }
  });
});
