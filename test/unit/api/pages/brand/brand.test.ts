import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../../../src/api/http/api-env.ts';
import { type Brand, loadBrand } from '../../../../../src/api/pages/brand/brand.ts';
import { brandPage } from '../../../../../src/api/pages/brand/brand-page.ts';
import { serveBrand } from '../../../../../src/api/pages/brand/serve-brand.ts';
import { ConfigError } from '../../../../../src/shared/config/load-config.ts';
import { useFolders } from '../../../../support/folder.ts';

const folder = useFolders()();
const write = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script></svg>';
const logoOf = (file: string) => () => loadBrand({ BRAND_LOGO: file });

describe('the logo', () => {
  it('is an SVG or a PNG, which its content says, not its name', () => {
    const png = PNG.sync.write(new PNG({ width: 4, height: 4 }));
    expect(logoOf(write('a.svg', svg))()?.logo?.contentType).toBe('image/svg+xml');
    expect(logoOf(write('b.svg', png))()?.logo?.contentType).toBe('image/png');
  });

  it.each([
    ['missing.svg', undefined, /missing\.svg cannot be read \(ENOENT\)/],
    ['large.svg', `<svg>${' '.repeat(256 * 1024)}</svg>`, /has 262155 bytes; at most 262144 are allowed/],
    ['page.svg', '<html/>', /must be a PNG or an SVG; the first element/],
    ['open.svg', '<svg xmlns="http://www.w3.org/2000/svg">', /well-formed XML/],
    ['entity.svg', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`, /without a document type/],
    ['latin.svg', Buffer.from([0x3c, 0xe4, 0x3e]), /in UTF-8/],
    ['cut.png', PNG.sync.write(new PNG({ width: 4, height: 4 })).subarray(0, 40), /is a damaged PNG/],
    ['short.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), /is a damaged PNG/],
    ['wide.png', PNG.sync.write(new PNG({ width: 1_025, height: 1 })), /has 1025 × 1 pixels; at most 1024 × 1024/],
  ])('of the file %s is refused', (name, content, problem) => {
    const file = content === undefined ? join(folder, name) : write(name, content);
    expect(logoOf(file)).toThrow(ConfigError);
    expect(logoOf(file)).toThrow(problem);
  });

  it('must not be a folder', () => {
    mkdirSync(join(folder, 'logo'));
    expect(logoOf(join(folder, 'logo'))).toThrow(/is not a file/);
  });
});

const page = `<!doctype html>
<html><head><title>To Docmill · Docmill guide</title>
<meta name="application-name" content="Docmill">
<link rel="icon" href="../assets/icon-1.svg" type="image/svg+xml">
</head><body><header><a class="brand" href="../../"><img src="../assets/icon-1.svg" alt="">Docmill</a><nav><a href="../../console/">Console</a></nav></header>
<main>Docmill</main><footer>Docmill 1.0.0</footer></body></html>`;

describe('a page with a brand', () => {
  const named: Brand = { name: 'A & B <$1>', helpUrl: 'https://a.example/?q="', logo: undefined, style: undefined };

  it('is unchanged without one', () => {
    expect(brandPage(page, 'guide/a.html', undefined)).toBe(page);
    expect(loadBrand({})).toBeUndefined();
  });

  it('has the name as text in title, header and footer, and leaves the content', () => {
    const branded = brandPage(page, 'guide/guides/a.html', named);
    expect(branded).toContain('<title>To Docmill · A &amp; B &lt;$1&gt; guide</title>');
    expect(branded).toContain('name="application-name" content="A &amp; B &lt;$1&gt;"');
    expect(branded).toContain('alt="">A &amp; B &lt;$1&gt;</a>');
    expect(branded).toContain('<footer>A &amp; B &lt;$1&gt; 1.0.0</footer>');
    expect(branded).toContain('<main>Docmill</main>');
    expect(branded).toContain(
      '<nav><a href="../../console/">Console</a><a href="https://a.example/?q=&quot;">Help</a></nav>',
    );
    expect(branded).toContain('<link rel="help" href="https://a.example/?q=&quot;">\n</head>');
  });

  it('links to logo and colours relative to its own address', () => {
    const brand = loadBrand({ BRAND_LOGO: write('c.svg', svg), BRAND_ACCENT: '#0a7d55' });
    const branded = brandPage(page, 'guide/guides/a.html', brand);
    const hash = brand?.logo?.hash ?? '';
    expect(branded).toContain(`<link rel="icon" href="../../brand/logo?v=${hash}" type="image/svg+xml">`);
    expect(branded).toContain(`<img src="../../brand/logo?v=${hash}" alt="">Docmill</a>`);
    expect(branded).toContain('<link rel="stylesheet" href="../../brand/accent.css">');
    expect(brandPage(page, '', brand)).toContain('href="./brand/accent.css"');
  });
});

describe('what a browser gets', () => {
  const app = new Hono<ApiEnv>();
  const brand = loadBrand({ BRAND_LOGO: write('d.svg', svg), BRAND_ACCENT: '#0a7d55' });
  if (brand === undefined) throw new Error('There is a brand.');
  serveBrand(app, brand);

  it('is a logo whose scripts cannot run', async () => {
    const answer = await app.request('/brand/logo');
    expect(await answer.text()).toBe(svg);
    expect(answer.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.*; sandbox$/);
    expect(answer.headers.get('Content-Security-Policy')).not.toMatch(/script-src|allow-scripts/);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
  });

  it('is cached while the logo is the same', async () => {
    const answer = await app.request(`/brand/logo?v=${brand.logo?.hash}`);
    expect(answer.headers.get('Cache-Control')).toContain('immutable');
  });

  it('is a style sheet', async () => {
    const answer = await app.request('/brand/accent.css');
    expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    expect(await answer.text()).toMatch(/^:root \{\n {2}--accent: light-dark\(#0a7d55, #\w{6}\);/);
  });
});
