import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const wanted = (file: string): unknown => JSON.parse(read(file)).engines.node;

test('every package and every page requires the same version of Node.js', () => {
  const oldest = '20.19';
  for (const file of ['package.json', 'clients/typescript/package.json', 'clients/cli/package.json'])
    expect([file, wanted(file)]).toEqual([file, `>=${oldest}`]);
  const pages = ['README.md', 'CONTRIBUTING.md', 'clients/typescript/README.md', 'clients/cli/README.md'];
  const guides = ['typescript', 'command-line', 'getting-started'].map((name) => `docs/guides/${name}.md`);
  for (const file of [...pages, ...guides]) {
    const named = [...read(file).matchAll(/(?:Node\.js|`\.nvmrc`;) (\d+\.\d+)/g)].map(([, version]) => version);
    expect([file, new Set(named)]).toEqual([file, new Set([oldest])]);
  }
});
