import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Loads a package that only the benchmarks need; throws unless `installContenders` has run. */
export const requireContender = createRequire(import.meta.url);

/** Installs the packages of this folder on first use, because the project's `npm ci` does not include them. */
export function installContenders(): void {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  process.stderr.write('installing the packages of bench/contenders\n');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
}
