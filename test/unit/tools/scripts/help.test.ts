import { spawnSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../../support/folder.ts';

const folder = useFolder();

test.each([
  ['quickstart', ['--help'], 'stops it after the demonstration'],
  ['deploy/make-secrets', ['--help'], 'Creates the passwords and keys'],
  ['deploy/smoke', [], 'Checks a running installation'],
])('%s prints its help in any folder', (script, args, shown) => {
  const path = relative(folder.path, resolve(script));
  const { stdout, stderr } = spawnSync(path, args, { cwd: folder.path, encoding: 'utf8' });
  expect(`${stdout}${stderr}`).toContain(shown);
});
