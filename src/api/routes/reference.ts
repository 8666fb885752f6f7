import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Docmill API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list',
  defaultModelsExpandDepth: 0, defaultModelRendering: 'model', defaultModelExpandDepth: 3, displayRequestDuration: true, tryItOutEnabled: false,
  persistAuthorization: false });
`;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document at `/openapi.json` and Swagger UI at `/docs`; loads nothing from other hosts. */
export function addReference(app: Hono<ApiEnv>, document: object): void {
  app.get('/openapi.json', (c) => c.json(document));
  app.get('/docs', (c) => c.html(page, 200, { 'Content-Security-Policy': policy }));
  app.get('/docs/start.js', (c) => c.body(start, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }));
  const folder = join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/docs/${name}`, async (c) =>
      c.body(new Uint8Array(await readFile(join(folder, name))), 200, {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=3600',
      }),
    );
  }
}
