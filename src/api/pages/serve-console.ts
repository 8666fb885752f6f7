import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Brand } from './brand/brand.ts';
import { brandPage, escapeHtml } from './brand/brand-page.ts';
import { createBuiltSite } from './built-site.ts';
import { sendPage } from './send-page.ts';

/** Where `npm run console` writes the web console. The relative path is the same from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../../dist/console', import.meta.url));

const prefix = '/console/';

/**
 * Allows scripts and styles only from this service, and no markup to become script. The browser creates pictures of
 * pages (`blob:`), and the PDF viewer runs in a worker.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types docmill',
].join('; ');

/** Serves the web console at `/console/`. Its pages have their own addresses, which all serve the same file. */
export function serveConsole(
  app: Hono<ApiEnv>,
  {
    brand,
    signIn,
  }: { readonly brand?: Brand | undefined; readonly signIn?: Pick<SignIn, 'providers'> | undefined } = {},
  folder = builtFolder,
): void {
  const providers = signIn === undefined ? '' : providersElement(signIn);
  const open = createBuiltSite(folder, (path) => path.slice(prefix.length));
  app.get('/console', (c) => c.redirect('console/'));
  app.get(`${prefix}*`, (c, next) => {
    c.header('Content-Security-Policy', policy);
    c.header('Referrer-Policy', 'same-origin');
    const site = open();
    if (site === undefined) {
      throw new AppError('not_found', 'The console is not built. Run npm run console in the folder of the release.');
    }
    const path = c.req.path.slice(prefix.length);
    if (path !== 'index.html' && site.has(path)) return site.serve(c, next, path);
    if (path.startsWith('assets/')) throw new AppError('not_found', 'The console has no such file.');
    // Links are relative to the root of the console, which is as many folders up as the page is deep.
    const page = site.read('index.html').replaceAll('"./', `"./${'../'.repeat(path.split('/').length - 1)}`);
    const withProviders = page.replace('</head>', () => `${providers}</head>`);
    return sendPage(c, brandPage(withProviders, `console/${path}`, brand));
  });
}

/** Tells the console the ids and names of the providers, so that it shows a button for each. */
function providersElement({ providers }: Pick<SignIn, 'providers'>): string {
  const list = [...providers.values()].map(({ settings: { id, name } }) => ({ id, name }));
  return `<meta name="sign-in" content="${escapeHtml(JSON.stringify(list))}">\n`;
}
