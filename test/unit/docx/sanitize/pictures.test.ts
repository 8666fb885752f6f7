import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { sanitizePackage } from '../../../../src/worker/docx/sanitize/sanitize-package.ts';
import { docxParts } from '../../../support/documents/docx-builder.ts';
import { rawEntries, rawZip } from '../package/raw-zip.ts';
import { clean, host, picture, secret } from './clean.ts';

const svgNs = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

describe('pictures', () => {
  const image = (href: string) => `<svg ${svgNs}><image xlink:href="${href}" width="1" height="1"/></svg>`;
  const inline = (text: string, type = 'image/png') => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
  const unsafe: [string, string | Uint8Array][] = [
    ['file', image(secret)],
    ['host', image(host)],
    ['relative', image('canary.png')],
    ['href without a prefix', `<svg ${svgNs}><image href="${secret}"/></svg>`],
    ['another prefix', `<svg ${svgNs} xmlns:y="http://www.w3.org/1999/xlink"><use y:href="canary.svg#a"/></svg>`],
    ['inline SVG', image(inline(image(secret), 'image/svg+xml'))],
    ['inline SVG that claims to be PNG', image(inline(image(secret)))],
    ['inline gzip', image(`data:image/png;base64,${gzipSync(image(secret)).toString('base64')}`)],
    ['inline text', image(`data:image/png,${encodeURIComponent(image(secret))}`)],
    ['UTF-16', Buffer.from(`\ufeff${image(secret)}`, 'utf16le')],
    ['gzip', gzipSync(image(secret))],
    ['blanks first', `${'\n'.repeat(500)}${image(secret)}`],
    ['comment first', `<!-- ${'x'.repeat(5000)} -->${image(secret)}`],
    ['a root that is not svg', `<x>${image(secret)}</x>`],
    ['style sheet', `<?xml-stylesheet href="${host}"?><svg ${svgNs}/>`],
    ['import', `<svg ${svgNs}><style>@import "${host}";</style></svg>`],
    ['url in a style sheet', `<svg ${svgNs}><style>rect { fill: url(${host}) }</style></svg>`],
    ['url behind a reference', `<svg ${svgNs}><style>rect { fill: &#117;rl(${host}) }</style></svg>`],
    ['url divided by a comment', `<svg ${svgNs}><style>rect { fill: u<!-- -->rl(${host}) }</style></svg>`],
    ['import in several pieces', `<svg ${svgNs}><style>@im<![CDATA[port "${host}";]]></style></svg>`],
    ['url in a style', `<svg ${svgNs}><rect style="fill: url( '${host}')"/></svg>`],
    ['url in an attribute', `<svg ${svgNs}><rect fill="url(&#34;${secret}&#34;)"/></svg>`],
    ['base', `<svg ${svgNs} xml:base="${secret}"><use xlink:href="#a"/></svg>`],
    ['script', `<svg ${svgNs}><script>canary</script></svg>`],
    ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n(canary) run'],
    ['PostScript with a preview', Buffer.from('\xc5\xd0\xd3\xc6canary', 'latin1')],
  ];
  it.each(unsafe)('unsafe: %s, whatever its name', (_, content) => {
    for (const name of ['media/a.svg', 'media/a.png', 'media/a.emf', 'media/a']) {
      if (name.endsWith('.svg') && isBinary(content)) continue;
      const { codes, docx, body } = clean({
        parts: { [`word/${name}`]: content },
        contentTypes: { svg: 'image/svg+xml' },
        body: picture('r:embed="rX"'),
        rels: [{ id: 'rX', type: 'image', target: name }],
      });
      expect(codes, name).toEqual(['unsafe_picture']);
      expect(docx.partNames).not.toContain(`word/${name}`);
      expect(body).not.toContain('r:embed');
    }
  });

  it.each(['word/picture.xml', 'customXml/item9.xml', 'docProps/picture.xml'])(
    'SVG inside the XML part %s is removed',
    (name) => {
      const { codes, docx } = clean({
        parts: { [name]: `<x>${image(secret)}</x>` },
        body: picture('r:embed="rX"'),
        rels: [{ id: 'rX', type: 'image', target: `/${name}` }],
      });
      expect(codes).toEqual(['unsafe_picture']);
      expect(docx.readText(name)).toBe('<x></x>');
    },
  );

  it('an SVG in a data store is removed with its element', () => {
    const { docx } = clean({
      parts: { 'customXml/item9.xml': `<x><altChunk>${image(secret)}</altChunk></x>` },
      body: picture('r:embed="rX"'),
      rels: [{ id: 'rX', type: 'image', target: '/customXml/item9.xml' }],
    });
    expect(docx.readText('customXml/item9.xml')).toBe('<x></x>');
  });

  it('an SVG behind thousands of empty deflate blocks is removed', () => {
    const content = Buffer.from(image(secret));
    const blocks = Buffer.concat([Buffer.from('000000ffff'.repeat(4000), 'hex'), deflateRawSync(content)]);
    const rels = [{ id: 'rX', type: 'image', target: 'a.png' }];
    const entries = rawEntries(docxParts({ body: picture('r:embed="rX"'), rels }));
    const docx = openPackage(rawZip([...entries, { name: 'word/a.png', content, packed: blocks }]));
    expect(sanitizePackage(docx).changes.get('word/a.png')).toBeNull();
  });

  it('the bitmap beside an unsafe SVG stays', () => {
    const body = `<w:p><w:drawing><a:blip r:embed="rP"><a:extLst><a:ext uri="u"><s:svgBlip xmlns:s="v" r:embed="rX"/></a:ext></a:extLst></a:blip></w:drawing></w:p>`;
    const { body: cleaned } = clean({
      body,
      parts: { 'word/media/a.svg': image(secret), 'word/media/a.png': Buffer.from('89504e470d0a1a0a', 'hex') },
      rels: [
        { id: 'rP', type: 'image', target: 'media/a.png' },
        { id: 'rX', type: 'image', target: 'media/a.svg' },
      ],
    });
    expect(cleaned).toContain('<a:blip r:embed="rP"><a:extLst><a:ext uri="u"></a:ext></a:extLst></a:blip>');
  });

  const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`;
  it.each([
    ['drawing', `<svg ${svgNs}><defs><path id="a"/></defs><use xlink:href="#a" fill="url(#g)"/></svg>`],
    ['inline bitmap', image(png)],
    ['nothing', `<svg ${svgNs}/>`],
  ])('safe: %s', (_, content) => {
    const { codes, docx } = clean({ parts: { 'word/media/a.svg': content } });
    expect(codes).toEqual([]);
    expect(docx.read('word/media/a.svg')?.toString()).toBe(content);
  });

  it('a standard document type is removed from a safe SVG', () => {
    const doctype =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    const { docx, codes } = clean({ parts: { 'word/media/a.svg': `${doctype}<svg ${svgNs}/>` } });
    expect(docx.read('word/media/a.svg')?.toString()).toBe(`<svg ${svgNs}/>`);
    expect(codes).toEqual([]);
  });
});

function isBinary(content: string | Uint8Array): boolean {
  return typeof content !== 'string' || content.startsWith('%!');
}
