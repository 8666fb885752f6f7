import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, Next } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { notModified } from '../http/conditional-request.ts';

/** A folder of files built with the service. `files.json` lists their hashes; only listed files are served. */
export interface BuiltSite {
  has(path: string): boolean;
  /** The text of a page; each page is read once per build. */
  read(path: string): string;
  /**
   * Streams a listed file from disk, precompressed by the build. Files in `assets` have hashes in their names and may
   * be cached forever; others are revalidated.
   */
  serve(c: Context<ApiEnv>, next: Next, path: string): Promise<Response>;
}

/**
 * Returns a function that opens the site, or returns undefined while it is not built. A site that is built while the
 * service runs is served immediately. `toFile` maps the path of a request to that of a file.
 */
export function createBuiltSite(folder: string, toFile: (path: string) => string): () => BuiltSite | undefined {
  const serveFile = serveStatic<ApiEnv>({ root: folder, precompressed: true, rewriteRequestPath: toFile });
  let current: { readonly listedAtMs: number; readonly site: BuiltSite } | undefined;
  return () => {
    const list = join(folder, 'files.json');
    const listedAtMs = statSync(list, { throwIfNoEntry: false })?.mtimeMs;
    if (listedAtMs === undefined) current = undefined;
    else if (current?.listedAtMs !== listedAtMs) current = { listedAtMs, site: openSite(folder, list, serveFile) };
    return current?.site;
  };
}

function openSite(folder: string, list: string, serveFile: ReturnType<typeof serveStatic<ApiEnv>>): BuiltSite {
  const hashes = new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>));
  const texts = new Map<string, string>();
  return {
    has: (path) => hashes.has(path),
    read(path) {
      const text = texts.get(path) ?? readFileSync(join(folder, path), 'utf8');
      texts.set(path, text);
      return text;
    },
    async serve(c, next, path) {
      const hash = hashes.get(path);
      const isKnown = notModified(c, `"${hash}"`) !== undefined;
      // Weak, because compressed copies have the same tag.
      c.header('ETag', `W/"${hash}"`);
      c.header('Cache-Control', path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (isKnown) return c.body(null, 304, { Vary: 'Accept-Encoding' });
      const response = await serveFile(c, next);
      return withTextType(response instanceof Response ? response : c.notFound(), path);
    },
  };
}

/** Adds content types that the library lacks, and the charset of text. */
async function withTextType(answer: Response | Promise<Response>, path: string): Promise<Response> {
  const response = await answer;
  const type = { '.md': 'text/markdown; charset=utf-8', '.txt': 'text/plain; charset=utf-8' }[extname(path)];
  if (type !== undefined) response.headers.set('Content-Type', type);
  return response;
}
