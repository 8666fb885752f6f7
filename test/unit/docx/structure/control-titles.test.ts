import { describe, expect, it } from 'vitest';
import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { errorOf, inspect, problems, render } from '../render/fill.ts';

const placeholder = '<w:r><w:rPr><w:rStyle w:val="PlaceholderText"/></w:rPr><w:t>Click here.</w:t></w:r>';
const control = (title: string, kind: string, content = placeholder) =>
  `<w:sdt><w:sdtPr><w:rPr><w:b/></w:rPr><w:alias w:val="${title}"/><w:tag w:val="own"/><w:id w:val="5"/>` +
  `<w:showingPlcHdr/>${kind}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const items =
  '<w:listItem w:displayText="Red paint" w:value="red"/><w:listItem w:displayText="Blue paint" w:value="blue"/>';
const date = '<w:date><w:dateFormat w:val="d. MMMM yyyy"/><w:lid w:val="de-DE"/></w:date>';

describe('content controls with a tag in their title', () => {
  it.each([
    ['text', '{name}', '<w:text/>', { name: 'Ada' }, 'Ada'],
    ['text of several lines', '{name}', '<w:text w:multiLine="1"/>', { name: 'Ada\nByron' }, 'Ada\vByron'],
    ['rich text', '{name | upper}', '', { name: 'Ada' }, 'ADA'],
    ['text without a value', '{name}', '<w:text/>', {}, ''],
    ['a date', '{due}', date, { due: '2026-03-01' }, '1. März 2026'],
    ['a date of its own format', '{due | date:&quot;short&quot;}', date, { due: '2026-03-01' }, '3/1/26'],
    [
      'a drop-down list by value',
      '{colour}',
      `<w:dropDownList>${items}</w:dropDownList>`,
      { colour: 'blue' },
      'Blue paint',
    ],
    [
      'a drop-down list by text',
      '{colour}',
      `<w:dropDownList>${items}</w:dropDownList>`,
      { colour: 'Red paint' },
      'Red paint',
    ],
    ['a drop-down list without a value', '{colour}', `<w:dropDownList>${items}</w:dropDownList>`, {}, ''],
    ['a combo box', '{colour}', `<w:comboBox>${items}</w:comboBox>`, { colour: 'red' }, 'Red paint'],
    ['a combo box with other text', '{colour}', `<w:comboBox>${items}</w:comboBox>`, { colour: 'green' }, 'green'],
  ])('show their value: %s', async (_, title, kind, data, text) => {
    const inline = `<w:p>${control(title, kind)}</w:p>`;
    const block = control(title, kind, `<w:p>${placeholder}</w:p>`);
    const cell = table([['x']]).replace(/<w:tc>.*<\/w:tc>/s, (tc) =>
      control(title, kind, tc.replace(/<w:r>.*<\/w:r>/s, placeholder)),
    );
    for (const body of [inline, block, cell]) {
      const [docx, pdf] = (['docx', 'pdf'] as const).map((target) => render({ body }, data, { target }));
      expect(docx?.text.replace('|', '')).toBe(text);
      expect(pdf?.text).toBe(docx?.text);
      expect(docx?.xml).not.toMatch(/showingPlcHdr|PlaceholderText|w:val="[^"]*[{}]/);
      expect(docx?.xml).toContain('<w:r><w:rPr><w:b/></w:rPr>');
      expect(await problems({ body }, data)).toEqual([]);
    }
  });

  it('refuse a value that the drop-down list does not have', () => {
    const body = `<w:p>${control('{colour}', `<w:dropDownList>${items}</w:dropDownList>`)}</w:p>`;
    const { details } = errorOf(() => render({ body }, { colour: 'green' }));
    expect(details).toMatchObject([
      { path: 'data.colour', message: expect.stringContaining('is not an item of its drop-down list: red, blue') },
    ]);
    expect(inspect({ body }).tags).toEqual(['colour']);
  });

  it('show a picture in the place of theirs', () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const drawing =
      '<w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="Picture 1" descr="old"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId77"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
    const body = `<w:p>${control('{photo}', '<w:picture/>', drawing)}</w:p>`;
    const { xml } = render({ body }, { photo: png });
    expect(xml).toContain('<w:drawing>');
    expect(xml).not.toMatch(/rId77|\{%/);
  });

  const section = (content: string, inner = content) =>
    control(
      '{people}',
      '<w15:repeatingSection/>',
      [content, inner].map((item) => control('', '<w15:repeatingSectionItem/>', item)).join(''),
    ).replace('<w:sdt>', '<w:sdt xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml">');
  const people = { people: [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cy' }] };
  const name = control('{name}', '<w:text/>');

  it.each([
    ['paragraphs', section(`<w:p>${name}</w:p>`), 'Ada\nBob\nCy'],
    [
      'rows',
      table([['head']]).replace('</w:tbl>', `${section(`<w:tr><w:tc><w:p>${name}</w:p></w:tc></w:tr>`)}</w:tbl>`),
      '|head\n|Ada\n|Bob\n|Cy',
    ],
  ])('repeat the item of a repeating section: %s', async (_, body, text) => {
    expect(render({ body }, people).text).toBe(text);
    expect(render({ body }, { people: [] }).text).not.toContain('Click');
    expect(await problems({ body }, people)).toEqual([]);
  });

  it('stay unchanged without one', () => {
    const plain = control('Name', '<w:text/>');
    expect(render({ body: `<w:p>${plain}${run('{x}')}</w:p>${paragraph('')}` }, { x: 1 }).xml).toContain(plain);
  });
});

describe('the content controls of a document', () => {
  const body = `<w:p>${control('{name}', '<w:text/>')}</w:p>${control('', '', `<w:p>${run('x')}</w:p>`)}`;

  it('can be removed, so that only their content stays', async () => {
    const { text, xml } = render({ body }, { name: 'Ada' }, { docx: { contentControls: 'remove' } });
    expect([text, xml.includes('w:sdt')]).toEqual(['Ada\nx', false]);
    expect(await problems({ body }, { name: 'Ada' }, { docx: { contentControls: 'remove' } })).toEqual([]);
  });

  it('can be locked', async () => {
    const { xml } = render({ body }, { name: 'Ada' }, { docx: { contentControls: 'lock' } });
    expect(xml.match(/<w:lock w:val="sdtContentLocked"\/><\/w:sdtPr>/g)).toHaveLength(2);
    expect(await problems({ body }, { name: 'Ada' }, { docx: { contentControls: 'lock' } })).toEqual([]);
  });
});

describe('content controls that are bound to a custom XML part', () => {
  const store = '{11111111-2222-3333-4444-555555555555}';
  const relationship = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    'customXml/item1.xml':
      '<order xmlns="urn:o" no="0"><customer><name/><city>Old &amp; town</city></customer><lines><line><item>x</item></line></lines></order>',
    'customXml/_rels/item1.xml.rels': relationship('customXmlProps', 'itemProps1.xml'),
    'customXml/itemProps1.xml': `<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="${store}"/>`,
  };
  const bound = (path: string, kind: string, content = placeholder, isShown = true) =>
    control(
      'Plain',
      `<w:dataBinding w:prefixMappings="xmlns:o='urn:o'" w:xpath="${path}" w:storeItemID="${store}"/>${kind}`,
      content,
    ).replace(isShown ? '<w:showingPlcHdr/>' : '', '');
  const name = bound('/o:order[1]/o:customer[1]/o:name[1]', '<w:text/>');
  const city = bound('/o:order[1]/o:customer[1]/o:city[1]', '<w:text/>', '<w:r><w:t>Old &amp; town</w:t></w:r>', true);
  const no = bound('/o:order[1]/@no', '<w:text/>');

  it('are filled, and the part is kept in step', async () => {
    const input = { body: `<w:p>${name}, ${city}, ${no}</w:p>`.replaceAll(', ', run(', ')), parts };
    const data = { customer: { Name: 'Ada <3', city: undefined }, no: 7 };
    for (const target of ['docx', 'pdf'] as const) {
      const { text, part, xml } = render(input, data, { target });
      expect(text).toBe('Ada <3, Old & town, 7');
      expect(part('customXml/item1.xml')).toContain(
        'no="7"><customer><name>Ada &lt;3</name><city>Old &amp; town</city>',
      );
      expect(xml.match(/<w:dataBinding/g)).toHaveLength(3);
    }
    expect(await problems(input, data)).toEqual([]);
    expect(inspect(input).tags).toEqual(['customer.city', 'customer.name', 'no']);
    expect(inspect(input).schema.required).toBeUndefined();
  });

  it('repeat and read the items of their list', () => {
    const item = bound('/o:order[1]/o:lines[1]/o:line[1]/o:item[1]', '<w:text/>');
    const inner = control('', '<w15:repeatingSectionItem/>', `<w:p>${item}</w:p>`);
    const section = bound('/o:order[1]/o:lines[1]/o:line', '<w15:repeatingSection/>', inner);
    const { text, xml } = render({ body: section, parts }, { lines: [{ item: 'a' }, { item: 'b' }] });
    expect(text).toBe('a\nb');
    expect(xml.match(/<w:sdtContent><w:r>.*?dataBinding/)).toBeNull();
  });
});
