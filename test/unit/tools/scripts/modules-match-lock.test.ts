import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { useFolders } from '../../../support/folder.ts';

const newFolder = useFolders();

const script = resolve('scripts/modules-match-lock.mjs');
const wanted = {
  '': { name: 'project' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b-darwin': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};

function doMatch(installed: object | undefined): boolean {
  const folder = newFolder();
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  mkdirSync(join(folder, 'node_modules'));
  if (installed !== undefined) {
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  return spawnSync(process.execPath, [script], { cwd: folder }).status === 0;
}

const a = wanted['node_modules/a'];

test('nothing is installed if the packages match the lock file, except for optional ones of other systems', () => {
  expect(doMatch({ 'node_modules/a': a })).toBe(true);
});

test.each([
  ['nothing was ever installed', undefined],
  ['a package is missing', { 'node_modules/other': a }],
  ['a package has another version', { 'node_modules/a': { ...a, version: '1.0.1' } }],
  ['a package has other content', { 'node_modules/a': { ...a, integrity: 'sha512-x' } }],
])('packages must be installed: %s', (_what, installed) => {
  expect(doMatch(installed)).toBe(false);
});
