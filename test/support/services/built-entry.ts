import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from '../../../src/shared/resolve-entry.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Replaces `resolveEntry` in the integration suite, so that the tested modules start the processes of the production
 * build, which start three times as fast as sources.
 */
export function resolveEntry(name: string, base: string): Entry {
  const source = relative(join(root, 'src'), fileURLToPath(new URL(name, base)));
  return { file: join(root, 'dist', `${source}.js`), execArgv: [] };
}
