import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hono } from 'hono';
import { thisRelease } from '../../shared/this-release.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { serveConsole } from './serve-console.ts';
import { serveGuide } from './serve-guide.ts';

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** Pages load scripts, styles and pictures only from this service. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Swagger UI sets inline styles. */
const referencePolicy = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const ownFile = (name: string): Buffer => readFileSync(new URL(`assets/${name}`, import.meta.url));
const ofSwagger = (name: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

/**
 * Serves the home page at `/`, the console at `/console/`, the guide at `/guide/`, the API reference at `/docs`, the
 * OpenAPI document at `/openapi.json`, and the overview for language models at `/llms.txt`. Clients that request JSON
 * from `/` get a list of these addresses.
 */
export function servePages(app: Hono<ApiEnv>, document: object): void {
  const home = ownFile('home.html').toString().replaceAll('{version}', thisRelease.version);
  const reference = ownFile('reference.html').toString();
  const addresses = {
    name: 'Docmill',
    version: thisRelease.version,
    console: '/console/',
    guide: '/guide/',
    reference: '/docs',
    openapi: '/openapi.json',
    llms: '/llms.txt',
    health: '/healthz',
    readiness: '/readyz',
  };
  app.get('/', (c) => {
    c.header('Vary', 'Accept');
    if (prefersJson(c.req.header('Accept'))) return c.json(addresses);
    return c.html(home, 200, { 'Content-Security-Policy': policy });
  });
  app.get('/openapi.json', (c) => c.json(document));
  app.get('/docs', (c) => c.html(reference, 200, { 'Content-Security-Policy': referencePolicy }));
  serveGuide(app, policy);
  serveConsole(app);
  serveFiles(app, '/assets', ['home.css', 'home.js', 'icon.svg'], ownFile);
  serveFiles(app, '/docs', ['reference.css', 'reference.js'], ownFile);
  serveFiles(app, '/docs', ['swagger-ui.css', 'swagger-ui-bundle.js'], ofSwagger);
}

/** Browsers accept HTML; curl and most other clients accept anything. */
function prefersJson(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('text/html');
}

function serveFiles(app: Hono<ApiEnv>, folder: string, names: readonly string[], read: (name: string) => Buffer): void {
  for (const name of names) {
    const bytes = new Uint8Array(read(name));
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    app.get(`${folder}/${name}`, (c) =>
      c.body(bytes, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' }),
    );
  }
}
