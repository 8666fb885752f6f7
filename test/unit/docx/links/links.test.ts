import { readRelationships } from '@docmill/word/relationships';
import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, relationshipsXml, run, table } from '../../../support/documents/docx-builder.ts';
import { field } from '../../../support/documents/field-builder.ts';
import { outline } from '../html/outline.ts';
import { detailsOf, errorOf, fillXml, type How, inspect, problems, render } from '../render/fill.ts';

const hyperlink = (id: string, text: string) => `<w:hyperlink r:id="${id}" w:history="1">${run(text)}</w:hyperlink>`;

/** A template whose first paragraph is a link to `address`, written as Word does. */
function linkTo(address: string, text = 'shown', more = ''): DocxInput {
  const target = address.replaceAll('{', '%7B').replaceAll('}', '%7d').replaceAll(' ', '%20').replaceAll('|', '%7C');
  return {
    body: `<w:p>${hyperlink('rIdL', text)}</w:p>${more}`,
    rels: [{ id: 'rIdL', type: 'hyperlink', target, external: true }],
  };
}

/** The link addresses in reading order, with undefined for a link without a target. */
function addresses(xml: string, rels: string): (string | undefined)[] {
  const byId = new Map(readRelationships(rels).map(({ id, target }) => [id, target]));
  return [...xml.matchAll(/<w:hyperlink\b([^>]*)>/g)].map(([, attributes]) => {
    const id = /r:id="([^"]*)"/.exec(attributes ?? '')?.[1];
    return id === undefined ? undefined : byId.get(id);
  });
}

function fillLinks(input: DocxInput | string, data: unknown, how: How = {}) {
  const filled = render(input, data, how);
  const rels = filled.part('word/_rels/document.xml.rels');
  return { ...filled, rels, addresses: addresses(filled.xml, rels) };
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
    expect(await problems(input, { items })).toEqual([]);
  });

  it.each([[{}], [{ url: null }], [{ url: '' }]])(
    'leaves the text without a link if it is missing: %j',
    async (data) => {
      const input = linkTo('{url}', 'see {name}');
      const filled = fillLinks(input, { name: 'Ada', ...data });
      expect(filled.addresses).toEqual([undefined]);
      expect(outline(filled.xml)).toContain('see Ada');
      expect(filled.rels).not.toContain('hyperlink');
      expect(await problems(input, { name: 'Ada', ...data })).toEqual([]);
      expect(filled.warnings.map(({ code }) => code)).toEqual('url' in data ? [] : ['missing_value']);
    },
  );

  it('causes an error if it is missing and the request asks for it', () => {
    const error = errorOf(() => fillLinks(linkTo('{a.url}'), {}, { onMissing: 'error' }));
    expect(error.details).toMatchObject([{ type: 'Field', path: 'data.a.url' }]);
  });

  const scripts = [
    'javascript:alert(1)',
    ' JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
  ];
  const files = [
    'file:///etc/passwd',
    '\\\\server\\share',
    '//server/share',
    'smb://server/share',
    'http:\\\\server\\share',
  ];
  const others = [
    'JaVaScRiPt://example.com/%0aalert(1)',
    'ms-word:ofe|u|http://x',
    'ftp://example.com/',
    'example.com',
  ];
  const incomplete = ['http:example.com', 'http:/\\example.com', 'http:/one', 'https://', 'https://exa mple.com/'];
  const tooLong = `https://example.com/${'x'.repeat(2000)}`;
  it.each([...scripts, ...files, ...others, ...incomplete, tooLong])(
    'must be a web address; %j is rejected with its path',
    (url) => {
      for (const template of [linkTo('{url}'), '{name | link:url}']) {
        const error = errorOf(() => fillLinks(template, { url, name: 'x' }));
        expect(error).toMatchObject({ code: 'data_invalid', status: 400 });
        expect(error.details).toMatchObject([{ type: 'Field', path: 'data.url' }]);
      }
    },
  );

  it('is named by the item of its list in an error', () => {
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
        'word/_rels/header1.xml.rels': relationshipsXml([
          { id: 'rId1', type: 'hyperlink', target: '%7Burl%7D', external: true },
        ]),
      },
    };
    const { part } = render(input, { url: 'https://example.com/h' });
    expect(addresses(part('word/header1.xml'), part('word/_rels/header1.xml.rels'))).toEqual(['https://example.com/h']);
  });

  it('is filled for a picture, and removed if it is missing', () => {
    const picture = (id: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="P"><a:hlinkClick r:id="${id}"/></wp:docPr></wp:inline></w:drawing></w:r></w:p>`;
    const input = { ...linkTo('{url}'), body: picture('rIdL') };
    expect(fillXml(input, { url: 'https://example.com/' })).toContain('<a:hlinkClick r:id="rIdAdded1"/>');
    expect(fillXml(input, {})).not.toContain('hlinkClick');
  });

  it.each([
    ['a GUID', 'https://example.com/?id={0F8FAD5B-D9CB-469F-A165-70867728950E}'],
    ['no tag at all', 'https://example.com/'],
  ])('stays unchanged with %s', (_name, address) => {
    const input = linkTo(address, '{name}');
    const target = input.rels?.[0]?.target;
    expect(fillLinks(input, { name: 'x' }).addresses).toEqual([target]);
    expect(inspect(input).warnings).toEqual([]);
  });

  it('reports its names at upload, without a warning, and gives an example that renders', () => {
    const input = linkTo('{url}', 'x', paragraph('{name | link:home}'));
    const report = inspect(input);
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
    const expected = { type: 'Message', part: 'body', message: expect.stringContaining(problem) };
    expect(detailsOf(linkTo(address))).toMatchObject([expected]);
  });
});

describe('fields that link', () => {
  const fieldOf = (code: string) => `<w:p>${field(code, run('shown'))}</w:p>`;

  it.each([
    [{ url: 'https://example.com/?a=1&b="2"' }, ' HYPERLINK "https://example.com/?a=1&amp;b=%222%22" \\h '],
    [{}, ''],
  ])('are filled: %j', (data, expected) => {
    const xml = fillXml({ body: fieldOf('HYPERLINK "{url}" \\h') }, data);
    expect(/<w:instrText[^>]*>([^<]*)</.exec(xml)?.[1]).toBe(expected);
    expect(xml).toContain('shown');
  });

  it('are filled if they are written as one element', () => {
    const body = `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;{url}&quot; ">${run('shown')}</w:fldSimple></w:p>`;
    expect(fillXml({ body }, { url: 'mailto:a@b.example' })).toContain(
      'w:instr=" HYPERLINK &quot;mailto:a@b.example&quot; "',
    );
  });

  it('reject non-web addresses with their path', () => {
    const error = errorOf(() => render({ body: fieldOf('HYPERLINK "{url}"') }, { url: 'file:///etc/passwd' }));
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
    expect(outline(fillXml(template, data))).toBe(expected);
  });

  it('prints only the text where links are not allowed', async () => {
    const body = `<w:p><w:ins w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z">${run('{n | link:u}')}</w:ins></w:p>`;
    const data = { n: 'x', u: 'https://example.com/' };
    expect(fillXml({ body }, data)).not.toContain('hyperlink');
    expect(await problems({ body }, data)).toEqual([]);
    expect(fillLinks(linkTo('https://own.example/', '{n | link:u}'), data).addresses).toEqual(['https://own.example/']);
  });

  it.each([
    ['{name | link}', 'needs address'],
    ['{name | link:url | upper}', 'the formatter "link" must come last'],
    ['{name | link:"javascript:x"}', 'must start with http://, https:// or mailto:'],
  ])('is checked at upload: %s', (text, problem) => {
    expect(detailsOf(text)[0]?.message).toContain(problem);
  });
});

describe('links in a document before conversion', () => {
  const fillForPdf = (input: DocxInput, data: unknown) => fillLinks(input, data, { target: 'pdf' });

  it('stay until they are filled if they have tags', () => {
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

  it('are removed if they are never filled, whatever their braces', () => {
    const split = '</w:instrText></w:r><w:r><w:instrText>';
    const fields = ['HYPERLINK "file:///{x}"', 'HYPERLINK "file:///{1 +}"'].map(
      (code) => `<w:p>${field(code, run('s'))}</w:p>`,
    );
    const header = fields.join('').replace('{x', `{${split}x`);
    const unused = { id: 'rIdU', type: 'hyperlink', target: 'file:///%7Bx%7D', external: true };
    const { xml, rels, part } = fillForPdf({ body: paragraph('{x}'), headers: [header], rels: [unused] }, { x: 1 });
    expect(rels + xml + part('word/header1.xml')).not.toContain('file:');
  });
});
