import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DocxOptions, DocxProtection } from '../../../../src/shared/output-options.ts';
import { hashPassword } from '../../../../src/worker/docx/final-form/password-hash.ts';
import { type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { problems, render } from '../render/fill.ts';

const wordNs = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const body = paragraph('Dear {name}');
const withSettings = (xml: string): DocxInput => ({
  body,
  parts: { 'word/settings.xml': `<w:settings xmlns:w="${wordNs}">${xml}</w:settings>` },
  contentTypes: {
    'word/settings.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml',
  },
  rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
});
const data = { name: 'Ada' };
const inForm = (input: DocxInput, docx: DocxOptions) => render(input, data, { docx });
const settingsOf = (input: DocxInput, protection: DocxProtection) =>
  inForm(input, { protection }).part('word/settings.xml');
const settings = '<w:zoom w:percent="100"/><w:trackRevisions/><w:defaultTabStop w:val="720"/><w:compat/>';

describe('a protected document', () => {
  it.each<[DocxProtection['mode'], string]>([
    ['readOnly', '<w:trackRevisions/><w:documentProtection w:edit="readOnly" w:enforcement="1"/><w:defaultTabStop'],
    ['comments', '<w:trackRevisions/><w:documentProtection w:edit="comments" w:enforcement="1"/><w:defaultTabStop'],
    ['trackedChanges', '<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/><w:defaultTabStop'],
    ['forms', '<w:trackRevisions/><w:documentProtection w:edit="forms" w:enforcement="1"/><w:defaultTabStop'],
    ['recommended', `<w:settings xmlns:w="${wordNs}"><w:writeProtection w:recommended="1"/><w:zoom`],
  ])('has mode %s where Word looks for it', async (mode, expected) => {
    const protection = { mode };
    expect(settingsOf(withSettings(settings), protection)).toContain(expected);
    expect(await problems(withSettings(settings), data, { docx: { protection } })).toEqual([]);
  });

  it('loses the protection of its template', () => {
    const own = '<w:zoom w:percent="100"/><w:documentProtection w:edit="forms" w:enforcement="1" w:hash="x"/>';
    expect(settingsOf(withSettings(own), { mode: 'readOnly' })).toMatch(
      /<w:zoom w:percent="100"\/><w:documentProtection w:edit="readOnly" w:enforcement="1"\/><\/w:settings>$/,
    );
  });

  it('keeps the protection of its template without the option', () => {
    const own = '<w:documentProtection w:edit="forms" w:enforcement="1"/>';
    expect(inForm(withSettings(own), {}).part('word/settings.xml')).toContain(own);
  });

  it('gets settings if its template has none', async () => {
    const docx = { protection: { mode: 'readOnly' } } as const;
    expect(inForm({ body }, docx).part('word/settings.xml')).toContain('w:edit="readOnly"');
    expect(await problems({ body }, data, { docx })).toEqual([]);
  });

  it('is protected if the settings of its template are empty', async () => {
    const input = withSettings('');
    const parts = { 'word/settings.xml': `<w:settings xmlns:w="${wordNs}"/>` };
    expect(settingsOf({ ...input, parts }, { mode: 'readOnly' })).toContain(
      `<w:settings xmlns:w="${wordNs}"><w:documentProtection w:edit="readOnly" w:enforcement="1"/></w:settings>`,
    );
  });

  it.each<DocxProtection['mode']>(['readOnly', 'recommended'])('has a new hash each time: %s', async (mode) => {
    const protection = { mode, password: 'Example' };
    const { template, file, part } = inForm(withSettings(settings), { protection });
    const xml = part('word/settings.xml');
    expect(xml).not.toContain('Example');
    const read = (name: string) => new RegExp(` w:${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
    expect([read('cryptAlgorithmSid'), read('cryptSpinCount')]).toEqual(['14', '100000']);
    expect(Buffer.from(read('salt'), 'base64')).toHaveLength(16);
    // The standard's own example: "Example" becomes the key 7EEDCE64.
    expect(read('hash')).toBe(spun('7EEDCE64', read('salt')));
    expect(await addedProblems(template, file)).toEqual([]);
    if (mode === 'readOnly') expect(settingsOf(withSettings(settings), protection)).not.toContain(read('salt'));
  });

  it('hashes the password itself in the strict form', () => {
    const strict = withSettings(settings);
    const parts = {
      ...strict.parts,
      '_rels/.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    };
    const xml = settingsOf({ ...strict, parts }, { mode: 'readOnly', password: 'Ünder' });
    const [, hash = '', salt = ''] = /w:hashValue="([^"]*)" w:saltValue="([^"]*)"/.exec(xml) ?? [];
    expect(hash).toBe(spun('Ünder', salt));
  });
});

/** An independent implementation of the standard's algorithm. */
function spun(text: string, salt: string): string {
  const digest = (...parts: readonly Buffer[]) => {
    const hash = createHash('sha512');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  let result = digest(Buffer.from(salt, 'base64'), Buffer.from(text, 'utf16le'));
  for (let i = 0; i < 100_000; i++) result = digest(result, Buffer.from(new Uint32Array([i]).buffer));
  return result.toString('base64');
}

it('a password has the hash that Word 2019 wrote for it', () => {
  const salt = Buffer.from('pH1TDVHSfGBxkd3Q88UNhQ==', 'base64');
  const written = 'pVjR9ktO9vlxijXcMPlH+4PLwD4Xwy1aqbNQOFmWaSpvBjipNh//T8S3nBhq6HRoRVfWL6s/+NdUCPTxUr0vZw==';
  expect(hashPassword('johnjohn', salt).toString('base64')).toBe(written);
});

describe('comments', () => {
  const marked = `<w:p><w:commentRangeStart w:id="0"/>${run('Dear {name}')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>`;
  const input: DocxInput = {
    body: marked,
    comments: [paragraph('for authors of {name}')],
    parts: {
      'word/people.xml':
        '<w15:people xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:person w15:author="Olga"/></w15:people>',
    },
    contentTypes: { 'word/people.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.people+xml' },
    rels: [
      { id: 'rIdPeople', type: 'http://schemas.microsoft.com/office/2011/relationships/people', target: 'people.xml' },
    ],
  };
  const allOf = (docx: DocxOptions) => {
    const { docx: file } = inForm(input, docx);
    return file.partNames.map((name) => `${name} ${file.readText(name)}`).join('\n');
  };

  it('stay by default', () => expect(allOf({})).toMatch(/for authors of Ada[\s\S]*Olga/));

  it('are removed with their texts and authors, and what they mark stays', async () => {
    const all = allOf({ comments: 'remove' });
    expect(all).toContain('Dear Ada');
    expect(all).not.toMatch(/for authors|Olga|comment|people/i);
    expect(await problems(input, data, { docx: { comments: 'remove' } })).toEqual([]);
  });
});

describe('accepted changes', () => {
  const by = 'w:id="1" w:author="Olga" w:date="2026-01-01T00:00:00Z"';
  const deleted = `<w:del ${by}><w:r><w:delText>old</w:delText></w:r></w:del>`;
  const inserted = `<w:ins ${by}>${run('new {name}')}</w:ins>`;
  const ended = (content: string, mark: string) =>
    `<w:p><w:pPr><w:rPr><w:${mark} ${by}/></w:rPr></w:pPr>${content}</w:p>`;
  const row = (text: string, mark = '') =>
    `<w:tr>${mark && `<w:trPr><w:${mark} ${by}/></w:trPr>`}<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${paragraph(text)}</w:tc></w:tr>`;
  const rows = (content: string) =>
    `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="9000"/></w:tblGrid>${content}</w:tbl>`;
  const styled = `<w:p><w:pPr><w:jc w:val="center"/><w:pPrChange ${by}><w:pPr/></w:pPrChange></w:pPr>${run('b')}</w:p>`;

  it.each<[string, string, string]>([
    ['text', `<w:p>${deleted}${inserted}</w:p>`, 'new Ada'],
    [
      'text inside of other changes',
      `<w:p><w:ins ${by}>${deleted}${run('in')}</w:ins><w:moveTo ${by}><w:ins ${by}>${run(' it')}</w:ins></w:moveTo></w:p>`,
      'in it',
    ],
    [
      'moved text',
      `<w:p><w:moveFromRangeStart ${by} w:name="m"/><w:moveFrom ${by}>${run('x')}</w:moveFrom><w:moveFromRangeEnd w:id="1"/>${run('y')}</w:p><w:p><w:moveTo ${by}>${run('x')}</w:moveTo></w:p>`,
      'y\nx',
    ],
    ['the end of a paragraph', `${ended(run('a '), 'del')}${styled}`, 'a b'],
    ['the ends of two paragraphs', `${ended(run('a '), 'del')}${ended(deleted, 'del')}${styled}`, 'a b'],
    ['a new end of a paragraph', `${ended(run('a'), 'ins')}${styled}`, 'a\nb'],
    ['an end before a table', `${ended(run('a'), 'del')}${rows(row('c'))}${paragraph('d')}`, 'a\n| c\nd'],
    ['rows', `${rows(row('a', 'del') + row('b', 'ins') + row('c'))}${paragraph('d')}`, '| b\n| c\nd'],
    ['all rows', `${rows(row('a', 'del'))}${paragraph('d')}`, 'd'],
    ['formatting', styled, 'b'],
  ])('of %s', async (_what, content, expected) => {
    const docx = { trackedChanges: 'accept' } as const;
    const input = { body: `${paragraph('{name}')}${content}` };
    const { text, xml } = inForm(input, docx);
    expect(text.replace(/\|\s*/g, '| ')).toBe(`Ada\n${expected}`);
    expect(xml).not.toMatch(/Olga|<w:(?:ins|del|move)/);
    if (expected === 'a b') expect(xml).toContain('<w:jc w:val="center"/></w:pPr><w:r>');
    expect(await problems(input, data, { docx })).toEqual([]);
  });

  it('stay changes by default', () => expect(inForm({ body: `<w:p>${inserted}</w:p>` }, {}).xml).toContain('Olga'));
});
