import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

// The compiler writes the code; everything else that the code reads beside itself is copied as it is.
const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative('src', join(entry.parentPath, entry.name)))
  .filter((path) => !path.endsWith('.ts'));

for (const path of files) {
  const copy = join('dist', path);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join('src', path), copy);
}
