import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from '../../../src/shared/resolve-entry.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Stands for `resolveEntry` in the integration suite: the processes that the tested modules start are those of the
 * production build, which start in a third of the time that sources take.
 */
export function resolveEntry(name: string, base: string): Entry {
  const source = relative(join(root, 'src'), fileURLToPath(new URL(name, base)));
  return { file: join(root, 'dist', `${source}.js`), execArgv: [] };
}
