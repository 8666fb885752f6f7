import { describe, expect, it } from 'vitest';
import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { errorOf, fill, fillText, fillXml, problems } from '../render/fill.ts';

const states =
  '<w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/>';
const checkbox = (title: string, { tag = '', inner = states, checked = 0 } = {}) =>
  `<w:sdt><w:sdtPr><w:rPr><w:sz w:val="40"/></w:rPr><w:alias w:val="${title}"/>${tag}<w:id w:val="5"/>` +
  `<w14:checkbox><w14:checked w14:val="${checked}"/>${inner}</w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:rPr>` +
  '<w:rFonts w:ascii="MS Gothic" w:hAnsi="MS Gothic"/><w:sz w:val="40"/></w:rPr><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>';
const body = (control: string) => `<w:p>${control}${run(' paid')}</w:p>`;

describe('checkboxes', () => {
  it.each([
    ['{paid}', { paid: true }, '☒ paid', '1'],
    ['{paid}', { paid: false }, '☐ paid', '0'],
    ['{paid}', {}, '☐ paid', '0'],
    ['{paid}', { paid: [1, 2, 3] }, '☒ paid', '1'],
    ['{paid}', { paid: { on: 1 } }, '☒ paid', '1'],
    ['{total &gt; 10 and not paid}', { total: 11 }, '☒ paid', '1'],
  ])('show the value of their title: %s with %j is %s', async (title, data, text, state) => {
    const template = body(checkbox(title));
    expect(fillText({ body: template }, data)).toBe(text);
    expect(fillXml({ body: template }, data)).toContain(`<w14:checked w14:val="${state}"/>`);
    expect(fillXml({ body: template }, data)).toContain('<w:sz w:val="40"/></w:rPr><w:t>');
    expect(fillXml({ body: template }, data)).not.toMatch(/w:val="[^"]*[{}]/);
    expect(await problems({ body: template }, data)).toEqual([]);
  });

  it('may have the tag in their Tag property, other symbols, and be in rows, cells and separate paragraphs', async () => {
    const inner =
      '<w14:checkedState w14:val="00FE" w14:font="Wingdings"/><w14:uncheckedState w14:val="2205" w14:font="Arial"/>';
    const control = checkbox('Done?', { tag: '<w:tag w:val="{done}"/>', inner, checked: 1 });
    const block = control
      .replace('<w:sdtContent>', '<w:sdtContent><w:p>')
      .replace('</w:sdtContent>', '</w:p></w:sdtContent>');
    const template = table([[`<w:p>${run('{#tasks}')}${control}</w:p>`, '{name}{/tasks}']]) + block;
    const tasks = [
      { done: true, name: 'a' },
      { done: 0, name: 'b' },
    ];
    const data = { tasks, done: true };
    const xml = fillXml({ body: template }, data);
    expect(xml.match(/<w:sym w:font="Wingdings" w:char="F0FE"\/>/g)).toHaveLength(2);
    expect(xml.match(/<w:rFonts w:ascii="Arial"[^>]*\/><w:sz w:val="40"\/><\/w:rPr><w:t>∅/g)).toHaveLength(1);
    expect([...xml.matchAll(/w14:checked w14:val="(.)"/g)].map(([, state]) => state)).toEqual(['1', '0', '1']);
    expect(xml).toContain('<w:alias w:val="Done?"/><w:tag w:val="done"/>');
    expect(await problems({ body: template }, data)).toEqual([]);
  });

  it('lose their ids in sections, because each copy would have the same one', async () => {
    const template = `${paragraph('{#tasks}')}${body(checkbox('{done}'))}${paragraph('{/tasks}')}`;
    expect(await problems({ body: template }, { tasks: [{ done: true }, {}, {}] })).toEqual([]);
    expect(fillXml({ body: body(checkbox('{done}')) }, {})).toContain('<w:id w:val="5"/>');
  });

  it('stay unchanged without a tag', () => {
    const plain = checkbox('Paid');
    expect(fillXml({ body: `<w:p>${plain}${run('{x}')}</w:p>` }, { x: 1 })).toContain(plain);
  });

  it.each([
    ['{paid +}', 'the tag {paid +} in the title of a checkbox is not valid'],
    ['{a}{b}', 'the tag {a}{b} in the title of a checkbox is not valid: a checkbox takes one tag and nothing else'],
    ['{paid', 'the tag {paid in the title'],
    ['{#paid}', 'a checkbox takes a name or an expression'],
  ])('are refused with the title %s', (title, message) => {
    const { details = [] } = errorOf(() => fill({ body: body(checkbox(title)) }, {}));
    expect(details).toHaveLength(1);
    expect(details[0]?.message).toContain(message);
  });
});

describe('content controls with tags in their text', () => {
  const bound = (properties: string, content: string) =>
    `<w:sdt><w:sdtPr><w:alias w:val="Name"/><w:id w:val="9"/><w:showingPlcHdr/><w:dataBinding w:xpath="/a" w:storeItemID="{1}"/>${properties}</w:sdtPr>` +
    `<w:sdtContent>${content}</w:sdtContent></w:sdt>`;

  it.each([
    ['plain text', '<w:text/>'],
    [
      'date',
      '<w:date w:fullDate="2020-01-01T00:00:00Z"><w:dateFormat w:val="d.M.yyyy"/><w:lid w:val="de-DE"/></w:date>',
    ],
    ['drop-down list', '<w:dropDownList><w:listItem w:displayText="a" w:value="a"/></w:dropDownList>'],
  ])('keep the filled value when Word opens the document: %s', async (_, properties) => {
    for (const template of [`<w:p>${bound(properties, run('{name}'))}</w:p>`, bound(properties, paragraph('{name}'))]) {
      const xml = fillXml({ body: template }, { name: 'Ada' });
      expect(xml).toContain('>Ada</w:t>');
      expect(xml).not.toMatch(/dataBinding|showingPlcHdr|fullDate/);
      expect(await problems({ body: template }, { name: 'Ada' })).toEqual([]);
    }
  });

  it('keep their data binding if they have no tags', () => {
    const template = bound('<w:text/>', paragraph('static')) + paragraph('{x}');
    expect(fillXml({ body: template }, { x: 1 })).toContain('<w:dataBinding w:xpath="/a"');
  });

  it('keep a paragraph when their content is dropped', async () => {
    const template = bound('', paragraph('{#x}') + paragraph('{y}') + paragraph('{/x}'));
    expect(await problems({ body: template }, {})).toEqual([]);
    expect(fillText({ body: template }, { x: [{ y: 1 }, { y: 2 }] })).toBe('1\n2');
  });
});
