import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnregisteredNames } from '../../../../tools/checks/unregistered-names.ts';
import { useFolders } from '../../../support/folder.ts';

const folder = useFolders()();

function foundIn(content: string): readonly string[] {
  const file = join(folder, 'page.md');
  writeFileSync(file, content);
  return findUnregisteredNames([file]).map(({ line, command }) => `${line} ${command}`);
}

describe('project names that are not registered anywhere', () => {
  it.each([
    ['Install it:\nnpm install --global docmill', '2 npm install --global docmill'],
    ['`npm install @docmill/client`, and set the key.', '1 npm install @docmill/client'],
    ["'npm install @docmill/client, and set the key.'", '1 npm install @docmill/client, and set the key.'],
    ['npx --yes docmill@0.1.0 test', '1 npx --yes docmill@0.1.0 test'],
    ['It runs `npx docmill test`.', '1 npx docmill test'],
    ['pip install "x"; pip install docmill==0.1.0', '1 pip install docmill==0.1.0'],
    ['uv add docmill', '1 uv add docmill'],
    ['pnpm add @docmill/client', '1 pnpm add @docmill/client'],
    ['docker pull docmill/api:1', '1 docker pull docmill/api:1'],
    ['  default: docmill@0.1.0', '1 docmill@0.1.0'],
    ['- uses: someone/docmill/clients/action@v0.1.0', '1 someone/docmill/clients/action@v0.1.0'],
  ])('%s', (content, found) => {
    expect(foundIn(content)).toContain(found);
  });

  it.each([
    'npm install --global ./docmill-client-0.1.0.tgz ./docmill-0.1.0.tgz',
    'npm pack --workspace @docmill/client --workspace docmill',
    'npm install --workspace docmill commander',
    'npx --no -- docmill test',
    'pip install ./clients/python    # in a clone of docmill',
    'npm install in a clone of the repository, then `docmill login`',
    'docker run docmill-api:local',
    'postgres://docmill@127.0.0.1/docmill',
    '- uses: <owner>/docmill/clients/action@<commit>',
    '- uses: someone/docmill/clients/action@8eaabc50f8e20710324c290d14177cf6828719be',
  ])('are not reported in: %s', (content) => {
    expect(foundIn(content)).toEqual([]);
  });
});
