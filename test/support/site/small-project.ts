import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a project with little more than the given documents, keyed by path, to a folder. */
export function writeSmallProject(folder: string, documents: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  const roots = ['docs/README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md'];
  const all = { ...Object.fromEntries(roots.map((file) => [file, '# Title\n'])), ...documents };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
