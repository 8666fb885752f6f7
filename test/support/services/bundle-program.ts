import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * Bundles a test program that is started hundreds of times, because one file starts five times as fast as hundreds of
 * modules. Returns the path of the bundle.
 */
export async function bundleProgram(source: URL, folder: string): Promise<string> {
  const entry = fileURLToPath(source);
  const outfile = join(folder, basename(entry).replace(/\.ts$/, '.mjs'));
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: { js: banner },
  });
  return outfile;
}
