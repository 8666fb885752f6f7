import type { Hono } from 'hono';
import type { ApiEnv } from '../../http/api-env.ts';
import type { Brand } from './brand.ts';

/** Scripts in an SVG do not run even if a browser opens it by its address, and it can load nothing. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Serves the operator's logo and colours, to which branded pages link. */
export function serveBrand(app: Hono<ApiEnv>, { logo, style }: Brand): void {
  if (logo !== undefined) {
    app.get('/brand/logo', (c) => {
      const isThis = c.req.query('v') === logo.hash;
      return c.body(logo.bytes, 200, {
        'Content-Type': logo.contentType,
        'Content-Security-Policy': logoPolicy,
        'X-Content-Type-Options': 'nosniff',
        // The address that pages use changes with the logo.
        'Cache-Control': isThis ? 'public, max-age=31536000, immutable' : 'no-cache',
      });
    });
  }
  if (style !== undefined) {
    app.get('/brand/accent.css', (c) =>
      c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
    );
  }
}
