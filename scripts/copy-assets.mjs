import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

// The compiler writes only code, so other files in src are copied unchanged. Vite bundles those of the console.
const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative('src', join(entry.parentPath, entry.name)))
  .filter((path) => !path.endsWith('.ts') && !path.startsWith(join('console', '/')));

for (const path of files) {
  const copy = join('dist', path);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join('src', path), copy);
}
