import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useFolders } from '../../../support/folder.ts';

const script = resolve('scripts/release-notes.mjs');
const changelog = `# Changelog

## [Unreleased]

## [1.2.0] - 2026-12-01

### Added

- A formatter.

## [1.1.0] - 2026-11-01

- Older.
`;

const newFolder = useFolders();
let folder = '';
beforeEach(() => {
  folder = newFolder();
  write('CHANGELOG.md', changelog);
  write('package.json', JSON.stringify({ version: '1.2.0', workspaces: ['clients/typescript', 'clients/cli'] }));
  write('clients/typescript/package.json', JSON.stringify({ version: '1.2.0' }));
  write('clients/cli/package.json', JSON.stringify({ version: '1.2.0', dependencies: { '@docmill/client': '1.2.0' } }));
  write('clients/python/src/docmill/_version.py', '__version__ = "1.2.0"\n');
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function notesOf(name: string, cwd = folder) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, name], { encoding: 'utf8', cwd });
  return { stdout, stderr, status };
}

test('a tag prints its own section of the changelog', () => {
  expect(notesOf('v1.2.0')).toEqual({ stdout: '### Added\n\n- A formatter.\n', stderr: '', status: 0 });
});

test('a missing or empty section stops the release', () => {
  expect(notesOf('unreleased')).toMatchObject({ status: 1, stderr: expect.stringContaining('[Unreleased]" in') });
  write('CHANGELOG.md', changelog.replace('[1.2.0]', '[1.2.1]'));
  expect(notesOf('v1.2.0')).toMatchObject({ status: 1, stderr: 'error: CHANGELOG.md has no section "## [1.2.0]"\n' });
});

test('a package with another version stops the release and is named', () => {
  write('clients/cli/package.json', JSON.stringify({ version: '1.2.0', dependencies: { '@docmill/client': '1.1.0' } }));
  write('clients/python/src/docmill/_version.py', '__version__ = "1.1.9"\n');
  const { status, stderr } = notesOf('v1.2.0');
  expect(status).toBe(1);
  expect(stderr).toBe(
    'error: the release is 1.2.0: clients/cli/package.json, its dependency @docmill/client has 1.1.0; ' +
      'clients/python/src/docmill/_version.py has 1.1.9\n',
  );
});

test.each(['1.2.0', 'v1.2', 'main', ''])('"%s" is not a release tag', (name) => {
  expect(notesOf(name)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('such as v1.2.0') });
});

test('the changelog of this project has notes for the next release', () => {
  expect(notesOf('unreleased', '.')).toMatchObject({ status: 0, stdout: expect.stringContaining('### Added') });
});
