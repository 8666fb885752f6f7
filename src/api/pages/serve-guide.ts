import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { notModified } from '../http/conditional-request.ts';

/** Where `npm run docs` writes the site; the same from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../../dist/guide', import.meta.url));

const prefix = '/guide/';

interface Guide {
  readonly listedAtMs: number;
  /** Hashes of the files that may be served, by their paths. Nothing else can be asked for. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly missingPage: string;
  readonly serve: MiddlewareHandler<ApiEnv>;
}

/**
 * Serves the documentation site at `/guide/`: streamed from the disk, compressed when it was built. Files in `assets` have hashes in
 * their names and may be cached for ever; pages are revalidated. A site that is built while the service runs is served at once.
 * `/llms.txt` is that of the site; its links lead from the root.
 */
export function serveGuide(app: Hono<ApiEnv>, policy: string, folder = builtFolder): void {
  let current: Guide | undefined;
  app.get('/guide', (c) => c.redirect('guide/'));
  app.get(`${prefix}*`, async (c, next) => {
    c.header('Content-Security-Policy', policy);
    current = openGuide(folder, current);
    if (current === undefined) return c.html(unbuiltPage, 404, { 'Cache-Control': 'no-store' });
    const asked = c.req.path.slice(prefix.length);
    const path = fileOf(asked);
    const hash = current.hashes.get(path);
    if (hash === undefined) return answerMissing(c, current, asked);
    const isKnown = notModified(c, `"${hash}"`) !== undefined;
    // Weak: the compressed copies have the same tag.
    c.header('ETag', `W/"${hash}"`);
    c.header('Cache-Control', path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (isKnown) return c.body(null, 304, { Vary: 'Accept-Encoding' });
    return withTextType(await current.serve(c, next), path);
  });
  app.get('/llms.txt', (c) => {
    current = openGuide(folder, current);
    if (current?.hashes.has('llms.txt') !== true)
      throw new AppError('not_found', 'The guide is not built, and llms.txt with it. Run npm run docs.');
    const text = readFileSync(join(folder, 'llms.txt'), 'utf8');
    return c.text(
      text.replace(/\]\((?![a-z]+:)(\.\.\/)?/g, (_, up?: string) => (up === undefined ? '](guide/' : '](')),
    );
  });
}

/** Types that the library does not have, and the encoding of text. */
function withTextType<T>(response: T, path: string): T {
  const type = { '.md': 'text/markdown; charset=utf-8', '.txt': 'text/plain; charset=utf-8' }[extname(path)];
  if (type !== undefined && response instanceof Response) response.headers.set('Content-Type', type);
  return response;
}

/** Reads the list of files again when the site was built again; undefined while there is none. */
function openGuide(folder: string, known: Guide | undefined): Guide | undefined {
  const list = join(folder, 'files.json');
  const listedAtMs = statSync(list, { throwIfNoEntry: false })?.mtimeMs;
  if (listedAtMs === undefined) return undefined;
  if (known?.listedAtMs === listedAtMs) return known;
  return {
    listedAtMs,
    hashes: new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>)),
    missingPage: readFileSync(join(folder, '404.html'), 'utf8'),
    serve: serveStatic<ApiEnv>({
      root: folder,
      precompressed: true,
      rewriteRequestPath: (path) => fileOf(path.slice(prefix.length)),
    }),
  };
}

const fileOf = (path: string): string => (path === '' || path.endsWith('/') ? `${path}index.html` : path);

/** Addresses without `/` or `.html` lead to their page. Programs get the error body of the API, people get a page. */
function answerMissing(c: Context<ApiEnv>, { hashes, missingPage }: Guide, asked: string): Response {
  const name = asked.slice(asked.lastIndexOf('/') + 1);
  if (hashes.has(`${asked}/index.html`)) return c.redirect(`${name}/`);
  if (hashes.has(`${asked}.html`)) return c.redirect(`${name}.html`);
  if (c.req.header('Accept')?.includes('text/html') !== true)
    throw new AppError('not_found', 'The guide has no such page.');
  const depth = new URL(c.req.url).pathname.split('/').length - prefix.split('/').length;
  const root = depth <= 0 ? '.' : Array(depth).fill('..').join('/');
  return c.html(missingPage.replaceAll('{root}', root), 404, { 'Cache-Control': 'no-store' });
}

const unbuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>The guide is not built</title></head>
<body>
<main>
<h1>The guide is not built</h1>
<p>Run <code>npm run docs</code> in the folder of the release, then load this page again. The documents are in its folder <code>docs</code>.</p>
</main>
</body>
</html>
`;
