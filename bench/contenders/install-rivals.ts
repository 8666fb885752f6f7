import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../rivals/', import.meta.url));

/** Packages compared with and never shipped: `bench/rivals` names them exactly. They are installed there on first use. */
export function installRivals(): void {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  process.stderr.write('installing the packages of bench/rivals\n');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
}

export const requireRival = createRequire(`${folder}package.json`);

export function rivalVersions(): Record<string, string> {
  const { dependencies } = requireRival('./package.json') as { dependencies: Record<string, string> };
  return dependencies;
}
