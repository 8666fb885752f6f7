import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { readRelationships } from '../../../../src/worker/docx/package/relationships.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { fillTemplate, outline } from '../html/fill-html.ts';
import { errorOf } from '../render/fill.ts';

const hyperlink = (id: string, text: string) => `<w:hyperlink r:id="${id}" w:history="1">${run(text)}</w:hyperlink>`;

/** A template whose first paragraph is a link to `address`, as Word stores it. */
function linkTo(address: string, text = 'shown', more = ''): DocxInput {
  const target = address.replaceAll('{', '%7B').replaceAll('}', '%7d').replaceAll(' ', '%20').replaceAll('|', '%7C');
  return {
    body: `<w:p>${hyperlink('rIdL', text)}</w:p>${more}`,
    rels: [{ id: 'rIdL', type: 'hyperlink', target, external: true }],
  };
}

/** The addresses of the links in reading order; undefined for a link that leads nowhere. */
function addresses(xml: string, rels: string): (string | undefined)[] {
  const byId = new Map(readRelationships(rels).map(({ id, target }) => [id, target]));
  return [...xml.matchAll(/<w:hyperlink\b([^>]*)>/g)].map(([, attributes]) => {
    const id = /r:id="([^"]*)"/.exec(attributes ?? '')?.[1];
    return id === undefined ? undefined : byId.get(id);
  });
}

function fillLinks(input: DocxInput | string, data: unknown, options = {}) {
  const filled = fillTemplate(input, data, options);
  const rels = filled.part('word/_rels/document.xml.rels');
  return { ...filled, rels, addresses: addresses(filled.part('word/document.xml'), rels) };
}

describe('the address of a link', () => {
  it.each([
    ['{url}', { url: 'https://example.com/a?b=1&c=2#d' }, 'https://example.com/a?b=1&c=2#d'],
    ['{ url }', { url: ' https://example.com/ ' }, 'https://example.com/'],
    ['{customer.url}', { customer: { url: 'mailto:ada@example.com' } }, 'mailto:ada@example.com'],
    ['{url | lower}', { url: 'HTTPS://EXAMPLE.COM/X' }, 'https://example.com/x'],
    ['{"https://example.com/" + id}', { id: 7 }, 'https://example.com/7'],
    ['http://{url}/', { url: 'https://example.com/x' }, 'https://example.com/x'],
    ['http://{host}/', { host: 'example.com' }, 'http://example.com/'],
    ['https://{host}/a/{id}', { host: 'example.com:8080', id: 'b c' }, 'https://example.com:8080/a/b%20c'],
    ['{base}/orders/{id}', { base: 'https://example.com', id: 'a/b?c' }, 'https://example.com/orders/a/b%3Fc'],
    ['https://example.com/?q={q}&n={n}', { q: 'a&b=c/d é', n: 5 }, 'https://example.com/?q=a%26b%3Dc%2Fd%20%C3%A9&n=5'],
    ['mailto:{mail}', { mail: 'ada@example.com' }, 'mailto:ada@example.com'],
    [
      'mailto:{mail}?subject={s}',
      { mail: 'a@b.c?bcc=x@y.z', s: 'Hi & bye' },
      'mailto:a@b.c%3Fbcc%3Dx@y.z?subject=Hi%20%26%20bye',
    ],
    ['{url}', { url: 'https://exämple.com/"><w:t>' }, 'https://xn--exmple-cua.com/%22%3E%3Cw:t%3E'],
  ])('%s with %j', (address, data, url) => {
    const filled = fillLinks(linkTo(address), data);
    expect(filled.addresses).toEqual([url]);
    expect(filled.rels).not.toMatch(/%7B/i);
    expect(filled.warnings).toEqual([]);
  });

  it('is filled for each item of a list, and equal addresses share a relationship', async () => {
    const input = {
      ...linkTo('{url}'),
      body: table([[`<w:p>${run('{#items}')}${hyperlink('rIdL', '{name}')}</w:p>`, '{n}{/items}']]) + paragraph('x'),
    };
    const url = (n: number) => `https://example.com/${n}`;
    const items = [1, 2, 1].map((n) => ({ url: url(n), name: `N${n}` }));
    const filled = fillLinks(input, { items });
    expect(filled.addresses).toEqual([url(1), url(2), url(1)]);
    expect(readRelationships(filled.rels).filter(({ kind }) => kind === 'hyperlink')).toHaveLength(2);
    expect(await addedProblems(filled.template, filled.file)).toEqual([]);
  });

  it.each([[{}], [{ url: null }], [{ url: '' }]])(
    'that is missing leaves the text without a link: %j',
    async (data) => {
      const filled = fillLinks(linkTo('{url}', 'see {name}'), { name: 'Ada', ...data });
      expect(filled.addresses).toEqual([undefined]);
      expect(outline(filled.part('word/document.xml'))).toContain('see Ada');
      expect(filled.rels).not.toContain('hyperlink');
      expect(await addedProblems(filled.template, filled.file)).toEqual([]);
      expect(filled.warnings.map(({ code }) => code)).toEqual('url' in data ? [] : ['missing_value']);
    },
  );

  it('that is missing is an error if the request asks for it', () => {
    const error = errorOf(() => fillLinks(linkTo('{a.url}'), {}, { onMissing: 'error' }));
    expect(error.details).toMatchObject([{ type: 'Field', path: 'data.a.url' }]);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    '\\\\server\\share',
    '//server/share',
    'smb://server/share',
    'ftp://example.com/',
    'example.com',
    'http:example.com',
    'http:/\\example.com',
    'https://',
    'https://exa mple.com/',
    `https://example.com/${'x'.repeat(2000)}`,
  ])('must be a web address: %j is rejected with its path', (url) => {
    for (const template of [linkTo('{url}'), '{name | link:url}']) {
      const error = errorOf(() => fillLinks(template, { url, name: 'x' }));
      expect(error).toMatchObject({ code: 'data_invalid', status: 400 });
      expect(error.details).toMatchObject([{ type: 'Field', path: 'data.url' }]);
    }
  });

  it('names the item of a list', () => {
    const input = {
      ...linkTo('{url}'),
      body: `<w:p>${run('{#items}')}${hyperlink('rIdL', 'x')}${run('{/items}')}</w:p>`,
    };
    const error = errorOf(() =>
      fillLinks(input, { items: [{ url: 'https://a.example' }, { url: 'x:y' }, { url: {} }] }),
    );
    expect(error.details).toMatchObject([{ path: 'data.items[1].url' }, { path: 'data.items[2].url' }]);
  });

  it('is also filled in headers, each part with its own relationships', () => {
    const input: DocxInput = {
      body: paragraph('x'),
      headers: [`<w:p>${hyperlink('rId1', 'h')}</w:p>`],
      parts: {
        'word/_rels/header1.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ' +
          'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%7Burl%7D" TargetMode="External"/></Relationships>',
      },
    };
    const { part } = fillTemplate(input, { url: 'https://example.com/h' });
    expect(addresses(part('word/header1.xml'), part('word/_rels/header1.xml.rels'))).toEqual(['https://example.com/h']);
  });

  it('of a picture is filled, and removed if it is missing', () => {
    const picture = (id: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="P"><a:hlinkClick r:id="${id}"/></wp:docPr></wp:inline></w:drawing></w:r></w:p>`;
    const input = { ...linkTo('{url}'), body: picture('rIdL') };
    expect(fillTemplate(input, { url: 'https://example.com/' }).part('word/document.xml')).toContain(
      '<a:hlinkClick r:id="rIdAdded1"/>',
    );
    expect(fillTemplate(input, {}).part('word/document.xml')).not.toContain('hlinkClick');
  });

  it.each([
    ['a GUID', 'https://example.com/?id={0F8FAD5B-D9CB-469F-A165-70867728950E}'],
    ['no tag at all', 'https://example.com/'],
  ])('with %s stays as it is', (_name, address) => {
    const input = linkTo(address, '{name}');
    const target = input.rels?.[0]?.target;
    expect(fillLinks(input, { name: 'x' }).addresses).toEqual([target]);
    expect(inspectTemplate(buildDocx(input)).warnings).toEqual([]);
  });

  it('reports its names at upload, without a warning, and gives an example that renders', () => {
    const input = linkTo('{url}', 'x', paragraph('{name | link:home}'));
    const report = inspectTemplate(buildDocx(input));
    const uri = { type: 'string', format: 'uri' };
    expect(report).toMatchObject({ tags: ['home', 'name', 'url'], warnings: [] });
    expect(report.schema).toMatchObject({ properties: { url: uri, home: uri, name: { type: 'string' } } });
    expect(fillLinks(input, report.example).addresses).toEqual(['https://example.com/', 'https://example.com/']);
  });

  it.each([
    ['{url | uper}', 'there is no formatter "uper"'],
    ['{#items}', 'takes values only'],
    ['https://example.com/{1 +}', 'is not valid'],
  ])('is checked at upload: %s', (address, problem) => {
    const error = errorOf(() => inspectTemplate(buildDocx(linkTo(address))));
    expect(error).toMatchObject({ code: 'template_invalid' });
    expect(error.details).toHaveLength(1);
    expect(error.details?.[0]).toMatchObject({ type: 'Message', part: 'body' });
    expect(error.details?.[0]?.message).toContain(problem);
  });
});

describe('fields that link', () => {
  const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
  const field = (...codes: readonly string[]) =>
    `<w:p>${char('begin')}${codes.map(code).join('')}${char('separate')}${run('shown')}${char('end')}</w:p>`;

  it.each([
    [{ url: 'https://example.com/?a=1&b="2"' }, ' HYPERLINK "https://example.com/?a=1&amp;b=%222%22" \\h '],
    [{}, ''],
  ])('are filled: %j', (data, expected) => {
    const xml = fillTemplate({ body: field(' HYPERLINK "{url}" \\h ') }, data).part('word/document.xml');
    expect(/<w:instrText[^>]*>([^<]*)</.exec(xml)?.[1]).toBe(expected);
    expect(xml).toContain('shown');
  });

  it('of one element are filled', () => {
    const body = `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;{url}&quot; ">${run('shown')}</w:fldSimple></w:p>`;
    const { part } = fillTemplate({ body }, { url: 'mailto:a@b.example' });
    expect(part('word/document.xml')).toContain('w:instr=" HYPERLINK &quot;mailto:a@b.example&quot; "');
  });

  it('reject other addresses with their path', () => {
    const error = errorOf(() => fillTemplate({ body: field('HYPERLINK "{url}"') }, { url: 'file:///etc/passwd' }));
    expect(error.details).toMatchObject([{ path: 'data.url' }]);
  });
});

describe('{text | link:address}', () => {
  it.each([
    ['a {name | link:url} b', '<p>a <a>{rStyle=Hyperlink}N &amp; co</a> b</p>'],
    ['{name | upper | link:url}', '<p><a>{rStyle=Hyperlink}N &amp; CO</a></p>'],
    ['{name | link:"https://example.com"}', '<p><a>{rStyle=Hyperlink}N &amp; co</a></p>'],
    ['{name | link:gone}', '<p>N &amp; co</p>'],
    ['{gone | link:url}', '<p></p>'],
    ['{lines | link:url}', '<p><a>{rStyle=Hyperlink}a⏎b</a></p>'],
  ])('%s', (template, expected) => {
    const data = { name: 'N & co', url: 'https://example.com/', lines: 'a\nb' };
    expect(outline(fillTemplate(template, data).part('word/document.xml'))).toBe(expected);
  });

  it('prints only the text where no link is allowed', async () => {
    const body = `<w:p><w:ins w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z">${run('{n | link:u}')}</w:ins></w:p>`;
    const { template, file, part } = fillTemplate({ body }, { n: 'x', u: 'https://example.com/' });
    expect(part('word/document.xml')).not.toContain('hyperlink');
    expect(await addedProblems(template, file)).toEqual([]);
  });

  it.each([
    ['{name | link}', 'needs address'],
    ['{name | link:url | upper}', 'the formatter "link" must come last'],
    ['{name | link:"javascript:x"}', 'must start with http://, https:// or mailto:'],
  ])('is checked at upload: %s', (text, problem) => {
    const error = errorOf(() => inspectTemplate(buildDocx({ body: paragraph(text) })));
    expect(error.details?.[0]?.message).toContain(problem);
  });
});

describe('links in a document for the converter', () => {
  function fillForPdf(input: DocxInput, data: unknown) {
    const prepared = prepareTemplate(buildDocx(input), 'pdf');
    const { file, warnings } = renderTemplate(prepared, Buffer.from(JSON.stringify(data)));
    const docx = openPackage(file);
    const rels = docx.readText('word/_rels/document.xml.rels') ?? '';
    const xml = docx.readText('word/document.xml') ?? '';
    return { xml, rels, warnings, addresses: addresses(xml, rels) };
  }

  it('with tags stay until they are filled', () => {
    const filled = fillForPdf(linkTo('{url}'), { url: 'https://example.com/' });
    expect(filled.addresses).toEqual(['https://example.com/']);
    expect(filled.warnings).toEqual([]);
  });

  it.each([
    ['javascript:{x}', { x: 'alert(1)' }],
    ['file:///etc/{x}', { x: 'passwd' }],
  ])('are rejected when they lead to %s', (address, data) => {
    const error = errorOf(() => fillForPdf(linkTo(address), data));
    expect(error).toMatchObject({ code: 'data_invalid' });
  });

  it('that are never filled are removed, whatever their braces', () => {
    const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const split = `<w:p>${char('begin')}${code('HYPERLINK "file:///{')}${code('x}"')}${char('separate')}${run('s')}${char('end')}</w:p>`;
    const odd = `<w:p>${char('begin')}${code('HYPERLINK "file:///{1 +}"')}${char('separate')}${run('s')}${char('end')}</w:p>`;
    const unused = { id: 'rIdU', type: 'hyperlink', target: 'file:///%7Bx%7D', external: true };
    const { xml, rels } = fillForPdf({ body: paragraph('{x}'), headers: [split + odd], rels: [unused] }, { x: 1 });
    expect(rels + xml).not.toContain('file:');
    const prepared = prepareTemplate(buildDocx({ body: paragraph('{x}'), headers: [split + odd] }), 'pdf');
    const { file } = renderTemplate(prepared, Buffer.from('{"x":1}'));
    expect(openPackage(file).readText('word/header1.xml')).not.toContain('file:');
  });
});
