import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchAs } from '../../../../tools/local/services/unprivileged.ts';

const user = { name: 'someone', uid: 4242, gid: 4242 };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-launch-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('nothing changes when no other user is needed', () => {
  expect(launchAs(undefined, '/bin/true', ['x'], [join(folder, 'data')])).toEqual({
    command: '/bin/true',
    args: ['x'],
  });
});

test('a user with access to every folder runs the process without further rights', () => {
  chmodSync(folder, 0o755);
  expect(launchAs(user, '/bin/true', ['x'], [join(folder, 'data')])).toEqual({
    command: '/bin/true',
    args: ['x'],
    owner: { uid: 4242, gid: 4242 },
  });
});

test('a user below a closed folder keeps the capability that opens it, or the folder is reported', () => {
  chmodSync(folder, 0o700);
  const launch = (): string => launchAs(user, '/bin/true', ['x'], [join(folder, 'data')]).args.join(' ');
  if (process.getuid?.() !== 0) return expect(launch).toThrow(`chmod o+x ${folder}`);
  expect(launch()).toMatch(/^--reuid=4242 --regid=4242 --clear-groups .*-- \/bin\/true x$/);
});
