import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrokenReferences } from '../../../../tools/checks/document-references.ts';
import { useFolders } from '../../../support/folder.ts';

const folder = useFolders()();
const before = process.cwd();
beforeAll(() => {
  process.chdir(folder);
  mkdirSync('docs');
  writeFileSync('docs/other.md', '# Other page\n\n## What `x` costs\n');
});
afterAll(() => process.chdir(before));

function brokenIn(content: string): readonly string[] {
  writeFileSync('docs/page.md', content);
  return findBrokenReferences(['docs/page.md', 'docs/other.md', 'src/api/main.ts']).map(
    ({ line, target }) => `${line} ${target}`,
  );
}

describe('references in documents', () => {
  it.each([
    ['a link to a missing page', 'See\n[it](missing.md).', ['2 missing.md']],
    ['a link to a missing heading', '[it](other.md#nothing)', ['1 other.md#nothing']],
    ['a link to a missing heading of its own page', '# A\n[it](#b)', ['2 #b']],
    ['a path that is not in the repository', 'In `src/api/gone.ts`.', ['1 src/api/gone.ts']],
  ])('are reported: %s', (_what, content, broken) => {
    expect(brokenIn(content)).toEqual(broken);
  });

  it.each([
    ['pages, folders and headings that exist', '[a](other.md) [b](other.md#what-x-costs) `src/api/` `src/api/main.ts`'],
    ['other sites', '[a](https://example.com/missing.md)'],
    ['blocks of code', '```sh\ncat [it](missing.md)\n```'],
    ['what a build makes', '`dist/api/main.js`'],
  ])('are accepted: %s', (_what, content) => {
    expect(brokenIn(content)).toEqual([]);
  });
});
