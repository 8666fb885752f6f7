import { describe, expect, it } from 'vitest';
import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { complexField, simpleField } from '../../../support/documents/word-fields.ts';
import { errorOf, inspect, problems, render } from '../render/fill.ts';

const filled = (content: string, data: unknown, how = {}) => {
  const template = { body: `<w:p>${content}</w:p>` };
  const [docx, pdf] = (['docx', 'pdf'] as const).map((target) => render(template, data, { ...how, target }).text);
  expect(pdf).toBe(docx);
  return docx?.replace(/[\u00a0\u202f]/g, ' ');
};
const german = '<w:rPr><w:lang w:val="de-DE"/></w:rPr>';

describe('MERGEFIELD', () => {
  it.each([
    ['MERGEFIELD Name', { Name: 'Ada' }, 'Ada'],
    ['MERGEFIELD "First Name"', { first_name: 'Ada' }, 'Ada'],
    ['MERGEFIELD First_Name', { 'First Name': 'Ada' }, 'Ada'],
    ['MERGEFIELD FIRSTNAME \\* MERGEFORMAT', { firstName: 'Ada' }, 'Ada'],
    ['MERGEFIELD Customer.City', { customer: { city: 'Bern' } }, 'Bern'],
    ['mergefield Name \\* Upper', { Name: 'ada byron' }, 'ADA BYRON'],
    ['MERGEFIELD Name \\* lower', { Name: 'Ada' }, 'ada'],
    ['MERGEFIELD Name \\* Caps', { Name: 'ada byron' }, 'Ada Byron'],
    ['MERGEFIELD Name \\* FirstCap \\* MERGEFORMAT', { Name: 'ada byron' }, 'Ada byron'],
    ['MERGEFIELD Total \\# "#,##0.00"', { Total: 1234.5 }, '1,234.50'],
    ['MERGEFIELD Total \\# #,##0', { Total: '1234.4' }, '1,234'],
    ['MERGEFIELD Total \\# "0.00 $;(0.00 $);-"', { Total: -3 }, '(3.00 $)'],
    ['MERGEFIELD Total \\# "$#,##0.00"', { Total: 5.5 }, '$   5.50'],
    ['MERGEFIELD Count \\* Roman', { Count: 4 }, 'IV'],
    ['MERGEFIELD Total \\* DollarText \\* FirstCap', { Total: 12.5 }, 'Twelve and 50/100'],
    ['MERGEFIELD Due \\@ "dddd, d MMMM yyyy"', { Due: '2026-03-01' }, 'Sunday, 1 March 2026'],
    ['MERGEFIELD Due \\@ "HH:mm"', { Due: '2026-03-01T15:04:00' }, '15:04'],
    ['MERGEFIELD Name \\b "Dear " \\f ", "', { Name: 'Ada' }, 'Dear Ada, '],
    ['MERGEFIELD Name \\b "Dear " \\f ", "', { Name: '' }, ''],
    ['MERGEFIELD Name \\b "{Dear} «" \\f "\\\\"', { Name: 'Ada' }, '{Dear} «Ada\\'],
    ['MERGEFIELD Name', {}, ''],
    ['MERGEFIELD Name \\* FirstCap MERGEFORMAT', { Name: 'ada' }, 'Ada'],
    ['DOCVARIABLE Client', { client: 'Ada' }, 'Ada'],
    ['DOCVARIABLE Client', {}, '«result»'],
    ['DOCPROPERTY "Matter No" \\* MERGEFORMAT', { matterNo: 7 }, '7'],
  ])('%s with %j prints %s', (code, data, text) => {
    expect(filled(simpleField(code), data)).toBe(text);
    expect(filled(complexField(code), data)).toBe(text);
  });

  it('is formatted in the language of its runs', () => {
    const code = 'MERGEFIELD Total \\# "#.##0,00 €"';
    expect(filled(complexField(code, { run: german }), { total: 1234.5 })).toBe('1.234,50 €');
    const date = complexField('MERGEFIELD Due \\@ "d. MMMM yyyy"', { run: german });
    expect(filled(date, { due: '2026-03-01' }, { locale: 'fr' })).toBe('1. März 2026');
  });

  it('keeps the formatting of what it shows, and the text in the same runs', async () => {
    const bold = '<w:rPr><w:b/></w:rPr>';
    const marks = ['begin', 'separate', 'end'].map((type) => `<w:fldChar w:fldCharType="${type}"/>`);
    const inOneRun = `<w:r>${bold}<w:t>a </w:t>${marks[0]}<w:instrText>MERGEFIELD </w:instrText><w:instrText>Name</w:instrText>${marks[1]}<w:t>x</w:t>${marks[2]}<w:t xml:space="preserve"> b</w:t></w:r>`;
    const body = `<w:p>${inOneRun}</w:p>`;
    const { text, xml } = render({ body }, { name: 'Ada' });
    expect(text).toBe('a Ada b');
    expect(xml).toContain(`<w:r>${bold}<w:t xml:space="preserve">Ada</w:t></w:r>`);
    expect(await problems({ body }, { name: 'Ada' })).toEqual([]);
  });

  it('keeps one half of a bookmark that ends elsewhere', async () => {
    const inside = '<w:bookmarkStart w:id="1" w:name="a"/>';
    const body = `<w:p>${complexField('MERGEFIELD Name', { inside })}<w:bookmarkEnd w:id="1"/></w:p>`;
    expect(render({ body }, { name: 'Ada' }).xml).toContain(inside);
    expect(await problems({ body }, { name: 'Ada' })).toEqual([]);
  });

  it('never shows its name: a missing value follows the rule of the request', () => {
    const body = `<w:p>${complexField('MERGEFIELD "First Name"')}</w:p>`;
    expect(render({ body }, {}).warnings).toMatchObject([{ code: 'missing_value', paths: ['data["First Name"]'] }]);
    expect(() => render({ body }, {}, { onMissing: 'error' })).toThrow();
    expect(render({ body }, { first_name: 'Ada' }).warnings).toEqual([]);
  });

  it('is in the schema of a template, which needs no other tag', () => {
    const fields = ['MERGEFIELD "First Name"', 'MERGEFIELD Total \\# "0.00"', 'MERGEFIELD Due \\@ "d.M.yyyy"'];
    const region = ['MERGEFIELD TableStart:Orders', 'MERGEFIELD Item', 'MERGEFIELD TableEnd:Orders'];
    const body = paragraph('') + [...fields, ...region].map((code) => `<w:p>${simpleField(code)}</w:p>`).join('');
    const { tags, schema, warnings } = inspect({ body });
    expect(tags).toEqual(['Due', 'First Name', 'Item', 'Orders', 'Total']);
    expect(schema.properties).toMatchObject({
      'First Name': { type: 'string' },
      Total: { type: 'number' },
      Orders: { items: { properties: { Item: { type: 'string' } } } },
    });
    expect(warnings).toEqual([]);
  });

  it('is one name in the schema, however it is spelled', () => {
    const body = ['Name', 'NAME', 'na me'].map((name) => `<w:p>${simpleField(`MERGEFIELD "${name}"`)}</w:p>`).join('');
    expect(inspect({ body }).tags).toEqual(['Name']);
  });

  it('gives way to tags in the place of its result', () => {
    expect(filled(complexField('MERGEFIELD x', { result: '{name}' }), { name: 'Ada', x: 'no' })).toBe('Ada');
  });

  it('fills the address of a link', () => {
    const link = complexField('HYPERLINK "URL"', { fields: { URL: complexField('MERGEFIELD Url') }, result: 'here' });
    const { xml, warnings } = render({ body: `<w:p>${link}</w:p>` }, { url: 'https://example.com/a' });
    expect(xml).toContain('HYPERLINK "https://example.com/a"');
    expect(warnings).toEqual([]);
  });

  it('shows a picture', () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { xml } = render({ body: `<w:p>${simpleField('MERGEFIELD Image:Photo')}</w:p>` }, { photo: png });
    expect(xml).toContain('<w:drawing>');
  });

  it('is a warning where it cannot be filled', () => {
    const [begin = '', end = ''] = complexField('MERGEFIELD Name').split('«result»');
    const cells = `<w:p>${begin}x</w:t></w:r></w:p>|<w:p><w:r><w:t>${end}</w:p>`.split('|');
    expect(inspect({ body: table([cells]) + paragraph('{x}') }).warnings).toContainEqual({
      code: 'field_not_filled',
      message: 'The field MERGEFIELD Name is not filled, because it begins and ends in different elements.',
      part: 'body',
    });
    expect(inspect({ body: `<w:p>${simpleField('MERGEFIELD N \\* CircleNum')}</w:p>` }).warnings).toMatchObject([
      { message: 'The field MERGEFIELD N \\* CircleNum is filled without its switch \\* CircleNum.' },
    ]);
  });
});

describe('regions of merge fields', () => {
  const orders = {
    Orders: [
      { Item: 'a', Lines: [{ N: 1 }, { N: 2 }] },
      { Item: 'b', Lines: [] },
    ],
  };
  const f = (code: string) => complexField(`MERGEFIELD ${code}`);

  it.each([
    [
      'rows',
      table([[`<w:p>${f('TableStart:Orders')}${f('Item')}</w:p>`, `<w:p>${f('TableEnd:Orders')}</w:p>`]]),
      '|a\n|\n|b\n|',
    ],
    [
      'paragraphs',
      ['TableStart:orders', 'Item', 'TableEnd:orders'].map((name) => `<w:p>${f(name)}</w:p>`).join(''),
      'a\nb',
    ],
    [
      'text',
      `<w:p>${f('BeginGroup:Orders')}${f('Item')}, ${f('EndGroup:Orders')}</w:p>`.replace(', ', run(', ')),
      'a, b, ',
    ],
    [
      'nested regions',
      `<w:p>${f('TableStart:Orders')}${f('Item')}${f('TableStart:Lines')}${f('N')}${f('TableEnd:Lines')}${f('TableEnd:Orders')}</w:p>`,
      'a12b',
    ],
  ])('repeat %s', async (_, body, text) => {
    expect(render({ body }, orders).text).toBe(text);
    expect(await problems({ body }, orders)).toEqual([]);
  });

  it('that never end are a mistake', () => {
    expect(() => inspect({ body: `<w:p>${f('TableStart:Orders')}</w:p>` })).toThrow();
  });
});

describe('IF', () => {
  const vip = complexField('MERGEFIELD vip');
  const nested = (code: string) => complexField(code, { fields: { VIP: vip, NAME: complexField('MERGEFIELD name') } });

  it.each([
    ['IF "VIP" = "yes" "valued" "other"', { vip: 'yes' }, 'valued'],
    ['IF VIP = yes valued other', { vip: 'no' }, 'other'],
    ['IF VIP="yes" "valued" "other"', { vip: 'yes' }, 'valued'],
    ['IF VIP <> "" "has one" "none"', {}, 'none'],
    ['IF VIP > 100 "much" "little"', { vip: 250 }, 'much'],
    ['IF VIP >= 100 "much" "little"', { vip: '20' }, 'little'],
    ['IF "VIP" = "y*" "NAME!"', { vip: 'yes', name: 'Ada' }, 'Ada!'],
    ['IF "VIP" = "y*" "NAME!"', { vip: 'no', name: 'Ada' }, ''],
    ['IF "{vip}" = "yes" "valued" "other {vip}"', { vip: 'no' }, 'other no'],
    ['IF "VIP NAME" = "a b" "both" ""', { vip: 'a', name: 'b' }, 'both'],
  ])('%s with %j prints %s', (code, data, text) => {
    expect(filled(nested(code), data)).toBe(text);
  });

  it('may be nested, and keeps the formatting of each text', async () => {
    const inner = complexField('IF NAME = "Ada" "yes, Ada" "yes"', {
      fields: { NAME: complexField('MERGEFIELD name') },
    });
    const outer = complexField('IF VIP = "yes" "INNER" "no"', { fields: { VIP: vip, INNER: inner } });
    expect(filled(outer, { vip: 'yes', name: 'Ada' })).toBe('yes, Ada');
    expect(filled(outer, { vip: 'yes', name: 'Bob' })).toBe('yes');
    expect(filled(outer, { vip: '', name: 'Ada' })).toBe('no');
    expect(await problems({ body: `<w:p>${outer}</w:p>` }, { vip: 'yes' })).toEqual([]);
  });

  it('may be chained deeper than sections', () => {
    let field = 'none';
    for (let n = 12; n > 0; n--)
      field = complexField(`IF "VIP" = "${n}" "<${n}>" "${n === 12 ? field : 'FIELD'}"`, {
        fields: { VIP: vip, FIELD: field },
      });
    expect(filled(field, { vip: '1' })).toBe('<1>');
    expect(filled(field, { vip: 12 })).toBe('<12>');
    expect(filled(field, {})).toBe('none');
  });

  it('leaves the properties of the document to it', () => {
    const body = `<w:p>${complexField('DOCPROPERTY Title')}${run('{x}')}</w:p>`;
    expect(render({ body }, { x: 1, title: 'other' }).text).toContain('«result»');
  });

  it('without data is left to Word', () => {
    const body = `<w:p>${complexField('IF 1 = 1 "a" "b"')}${run('{x}')}</w:p>`;
    expect(render({ body }, { x: 1 }).xml).toContain('IF 1 = 1');
  });
});

describe('ADDRESSBLOCK and GREETINGLINE', () => {
  const person = {
    'First Name': 'Ada',
    last_name: 'Byron',
    Company: 'Engines Ltd',
    street: '1 High St',
    city: 'London',
    zip: 'N1',
  };

  it.each([
    ['ADDRESSBLOCK', person, 'Ada Byron\vEngines Ltd\v1 High St\vLondon N1'],
    ['ADDRESSBLOCK \\f "<<_FIRST0_>><< _LAST0_>>"', person, 'Ada Byron'],
    ['ADDRESSBLOCK \\f "<<_LAST0_>><< (_COUNTRY_)>>" \\c 2 \\e "UK"', { ...person, country: 'UK' }, 'Byron'],
    ['ADDRESSBLOCK \\f "<<_LAST0_>><< (_COUNTRY_)>>" \\c 2 \\e "UK"', { ...person, country: 'IT' }, 'Byron (IT)'],
    [
      'GREETINGLINE \\f "<<_BEFORE_ Dear >><<_TITLE0_>><< _LAST0_>><<_AFTER_ ,>>" \\e "Dear all,"',
      { ...person, title: 'Lady' },
      'Dear Lady Byron,',
    ],
    ['GREETINGLINE \\f "<<_BEFORE_ Dear >><<_TITLE0_>><< _LAST0_>><<_AFTER_ ,>>" \\e "Dear all,"', {}, 'Dear all,'],
    ['GREETINGLINE', {}, 'Dear Sir or Madam,'],
  ])('%s prints what the data have', (code, data, text) => {
    expect(filled(complexField(code), data)).toBe(text);
    expect(inspect({ body: `<w:p>${complexField(code)}</w:p>` }).schema.required ?? []).toEqual([]);
  });

  it('use the columns that the template maps to the parts of an address', () => {
    const settings = `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:mailMerge><w:odso><w:fieldMapData><w:type w:val="dbColumn"/><w:name w:val="Nom"/><w:mappedName w:val="Last Name"/></w:fieldMapData></w:odso></w:mailMerge></w:settings>`;
    const parts = { 'word/settings.xml': settings };
    const contentTypes = {
      'word/settings.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml',
    };
    const body = `<w:p>${complexField('ADDRESSBLOCK \\f "<<_LAST0_>>"')}</w:p>`;
    for (const target of ['docx', 'pdf'] as const)
      expect(render({ body, parts, contentTypes }, { nom: 'Byron' }, { target }).text).toBe('Byron');
  });
});

describe('NEXT, NEXTIF and SKIPIF', () => {
  const name = complexField('MERGEFIELD Name');
  const label = (...fields: string[]) => `<w:p>${fields.join('')}</w:p>`;
  const sheet = (move: string, count = 3) =>
    table([[label(name), ...Array.from({ length: count - 1 }, () => label(move, name))]]);
  const records = ['a', 'b', 'c'].map((each) => ({ name: each, paid: each === 'b' ? 'yes' : 'no' }));
  const paid = { PAID: complexField('MERGEFIELD Paid') };

  it.each([
    ['each place has its own record', sheet(complexField('NEXT')), { records }, '|a|b|c'],
    ['places without a record stay empty', sheet(complexField('NEXT'), 4), { records, name: 'around' }, '|a|b|c|'],
    ['one record without a list', sheet(complexField('NEXT')), { name: 'a' }, '|a||'],
    [
      'a condition moves on',
      sheet(complexField('NEXTIF PAID = "no"', { fields: paid })),
      { records: records.slice(0, 2) },
      '|a|b|b',
    ],
    [
      'a condition skips records',
      label(complexField('SKIPIF PAID = "no"', { fields: paid }), name),
      { records: records.slice(0, 2) },
      'b',
    ],
  ])('%s', async (_, body, data, text) => {
    for (const target of ['docx', 'pdf'] as const)
      expect(render({ body }, data, { target }).text.replaceAll('\n', '')).toBe(text);
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('fill further sheets of labels, each on its own page', async () => {
    const block = complexField('ADDRESSBLOCK');
    const next = label(complexField('NEXT'), block, run('!'));
    const body = table([
      [label(block, run('!')), next],
      [next, next],
    ]);
    const data = { records: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ 'First Name': name, City: 'B' })) };
    expect(
      render({ body }, data)
        .text.split('[page]')
        .map((sheet) => sheet.match(/\w\vB!|\|\n?(?=\||$)/g)),
    ).toEqual([
      ['a\vB!', 'b\vB!', 'c\vB!', 'd\vB!'],
      ['e\vB!', '|\n', '|\n', '|'],
    ]);
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('refuse records that have no place in documents without sheets of labels', () => {
    const body = label(name, complexField('NEXT'), name);
    const { details } = errorOf(() => render({ body }, { records }));
    const message = expect.stringContaining('has 3 records, but the template has places for 2');
    expect(details).toMatchObject([{ path: 'data.records', message }]);
  });

  it('are a list of records in the schema', () => {
    const { schema, warnings } = inspect({ body: sheet(complexField('NEXT')) });
    expect(schema.properties).toMatchObject({
      records: { type: 'array', items: { properties: { Name: { type: 'string' } } } },
    });
    expect(warnings).toEqual([]);
  });
});

describe('templates of docx-mailmerge', () => {
  const f = (name: string) => `<w:p>${complexField(`MERGEFIELD ${name}`)}</w:p>`;
  const grades = table([
    ['Code', 'Grade'],
    [f('class_code'), f('class_grade')],
  ]);
  const letter = `${f('student_name')}${grades}${f('thesis_grade')}`;

  it('repeat the row of a field whose value is a list of rows', async () => {
    const data = {
      student_name: 'Ada',
      thesis_grade: 'A',
      class_code: [
        { class_code: 'ECON101', class_grade: 'A' },
        { class_code: 'ECONADV', class_grade: 'B' },
      ],
    };
    for (const target of ['docx', 'pdf'] as const) {
      const { text, warnings } = render({ body: letter }, data, { target });
      expect(text).toBe('Ada\n|Code\n|Grade\n|ECON101\n|A\n|ECONADV\n|B\nA');
      expect(warnings).toEqual([]);
    }
    expect(render({ body: letter }, { ...data, class_code: [] }).text).toBe('Ada\n|Code\n|Grade\nA');
    expect(await problems({ body: letter }, data)).toEqual([]);
  });

  it('print a row once if its values are no lists', () => {
    expect(render({ body: letter }, { class_code: 'X', class_grade: 1 }).text).toBe('\n|Code\n|Grade\n|X\n|1\n');
    expect(inspect({ body: letter }).tags).toEqual(['class_code', 'class_grade', 'student_name', 'thesis_grade']);
  });

  it.each([
    ['headers and footers', { headers: [f('a')], footers: [f('b')], body: paragraph('') }, 'word/header1.xml'],
    [
      'footnotes',
      { body: `<w:p>${run('x')}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>`, footnotes: [f('a')] },
      'word/footnotes.xml',
    ],
  ])('have fields in %s', (_, input, part) => {
    expect(render(input, { a: 'header', b: 'footer' }).part(part)).toContain('>header</w:t>');
  });
});
