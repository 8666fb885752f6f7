import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Hono } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { Brand } from './brand/brand.ts';
import { brandPage } from './brand/brand-page.ts';
import { type BuiltSite, createBuiltSite } from './built-site.ts';
import { sendPage } from './send-page.ts';

/** Where `npm run docs` writes the site. The relative path is the same from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../../dist/guide', import.meta.url));

const prefix = '/guide/';

/** Pages load scripts, styles, fonts and pictures only from this service. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the documentation site at `/guide/`, streamed from disk and precompressed by the build. Files in `assets` have
 * hashes in their names and may be cached forever; pages are revalidated. A site that is built while the service runs
 * is served immediately. Also serves the site's home page at `/`, and its `/llms.txt` with links relative to the root.
 * With a brand, pages are changed as they are served.
 */
export function serveGuide(app: Hono<ApiEnv>, brand?: Brand, folder = builtFolder): void {
  const open = createBuiltSite(folder, (path) => fileOf(path.slice(prefix.length)));
  app.get('/', (c) => {
    c.header('Content-Security-Policy', policy);
    c.header('Cache-Control', 'no-cache');
    const site = open();
    return site === undefined
      ? c.html(unbuiltPage, 404, { 'Cache-Control': 'no-store' })
      : c.html(brandPage(site.read('home.html'), '', brand));
  });
  app.get('/guide', (c) => c.redirect('guide/'));
  app.get(`${prefix}*`, (c, next) => {
    c.header('Content-Security-Policy', policy);
    const site = open();
    if (site === undefined) return c.html(unbuiltPage, 404, { 'Cache-Control': 'no-store' });
    const asked = c.req.path.slice(prefix.length);
    const file = fileOf(asked);
    if (!site.has(file)) return answerMissing(c, site, asked, brand);
    return brand !== undefined && file.endsWith('.html')
      ? sendPage(c, brandPage(site.read(file), `guide/${file}`, brand))
      : site.serve(c, next, file);
  });
  app.get('/llms.txt', (c) => {
    if (open()?.has('llms.txt') !== true)
      throw new AppError('not_found', 'The guide is not built, and llms.txt with it. Run npm run docs.');
    const text = readFileSync(join(folder, 'llms.txt'), 'utf8');
    return c.text(
      text.replace(/\]\((?![a-z]+:)(\.\.\/)?/g, (_, up?: string) => (up === undefined ? '](guide/' : '](')),
    );
  });
}

const fileOf = (path: string): string => (path === '' || path.endsWith('/') ? `${path}index.html` : path);

/**
 * Redirects addresses without `/` or `.html` to their page. Otherwise browsers get an error page, and other clients the
 * API's error body.
 */
function answerMissing(c: Context<ApiEnv>, site: BuiltSite, asked: string, brand: Brand | undefined): Response {
  const name = asked.slice(asked.lastIndexOf('/') + 1);
  if (site.has(`${asked}/index.html`)) return c.redirect(`${name}/`);
  if (site.has(`${asked}.html`)) return c.redirect(`${name}.html`);
  if (c.req.header('Accept')?.includes('text/html') !== true)
    throw new AppError('not_found', 'The guide has no such page.');
  const depth = new URL(c.req.url).pathname.split('/').length - prefix.split('/').length;
  const root = depth <= 0 ? '.' : Array(depth).fill('..').join('/');
  const page = brandPage(site.read('404.html').replaceAll('{root}', root), `guide/${asked}`, brand);
  return c.html(page, 404, { 'Cache-Control': 'no-store' });
}

const unbuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>The guide is not built</title></head>
<body>
<main>
<h1>The guide is not built</h1>
<p>Run <code>npm run docs</code> in the folder of the release, then load this page again. The documents are in its folder
<code>docs</code>. The description of the API is at <a href="/openapi.json">/openapi.json</a>.</p>
</main>
</body>
</html>
`;
