import type { Hono } from 'hono';
import { thisRelease } from '../../shared/this-release.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Brand } from './brand/brand.ts';
import { serveBrand } from './brand/serve-brand.ts';
import { serveConsole } from './serve-console.ts';
import { serveGuide } from './serve-guide.ts';

const addresses = {
  name: 'Docmill',
  version: thisRelease.version,
  console: '/console/',
  guide: '/guide/',
  reference: '/guide/api/',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  health: '/healthz',
  readiness: '/readyz',
};

/**
 * Serves the console at `/console/`, the guide with the API reference at `/guide/`, the home page at `/`, the OpenAPI
 * document at `/openapi.json`, and the overview for language models at `/llms.txt`. Clients that request JSON from `/`
 * get a list of these addresses. `/docs` leads to the reference.
 */
export function servePages(app: Hono<ApiEnv>, document: object, brand?: Brand, signIn?: SignIn): void {
  app.get('/', (c, next) => {
    c.header('Vary', 'Accept');
    return prefersJson(c.req.header('Accept')) ? Promise.resolve(c.json(addresses)) : next();
  });
  app.get('/openapi.json', (c) => c.json(document));
  app.get('/docs', (c) => c.redirect('guide/api/'));
  if (brand !== undefined) serveBrand(app, brand);
  serveGuide(app, brand);
  serveConsole(app, { brand, signIn });
}

/** Browsers accept HTML; curl and most other clients accept anything. */
function prefersJson(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('text/html');
}
