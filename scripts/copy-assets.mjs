import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

// The compiler writes only code, so other files in src are copied unchanged. Vite bundles the console's files.
const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative('src', join(entry.parentPath, entry.name)))
  .filter((path) => !path.endsWith('.ts') && !path.startsWith(join('console', '/')));

for (const path of files) {
  const copy = join('dist', path);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join('src', path), copy);
}

// A compiled package exports compiled code. In the repository, packages export their source.
for (const folder of readdirSync('packages')) {
  const source = JSON.parse(readFileSync(join('packages', folder, 'package.json'), 'utf8'));
  const compiled = Object.entries(source.exports).map(([path, file]) => [
    path,
    file.replace('./src/', './').replace(/\.ts$/, '.js'),
  ]);
  const { name, version, license, type } = source;
  const manifest = { name, version, license, private: true, type, exports: Object.fromEntries(compiled) };
  writeFileSync(join('dist/node_modules', name, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
