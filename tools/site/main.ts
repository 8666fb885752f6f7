import { parseArgs } from 'node:util';
import { adminOperations, operations } from '../../src/api/app.ts';
import { createOpenApiDocument } from '../../src/api/documentation/openapi-document.ts';
import { buildSite } from './build-site.ts';

/**
 * `npm run docs` builds the documentation site in `dist/guide`, which the API serves at `/guide`. `--out` sets another
 * folder. `--repository` is the base address of links to other repository files; without it, they are plain text.
 */
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'dist/guide' }, repository: { type: 'string' } },
});
try {
  const { pages, files, sizeBytes } = await buildSite('.', values.out, {
    openApi: createOpenApiDocument(operations, undefined, adminOperations),
    repositoryUrl: values.repository,
  });
  process.stdout.write(`${pages} pages, ${files} files, ${Math.round(sizeBytes / 1024)} KB in ${values.out}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
