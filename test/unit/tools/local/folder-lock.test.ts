import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { FolderInUseError, lockFolder } from '../../../../tools/local/folder-lock.ts';
import { processIdentity } from '../../../../tools/local/processes/process-identity.ts';
import { useFolders } from '../../../support/folder.ts';

const newFolder = useFolders();
let [folder, file] = ['', ''];
beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'stack.lock');
});

test('a second process is refused until the first one unlocks the folder', () => {
  const unlock = lockFolder(folder, file);
  expect(() => lockFolder(folder, file)).toThrow(FolderInUseError);
  expect(() => lockFolder(folder, file)).toThrow(`(pid ${process.pid}) already runs on ${folder}`);
  unlock();
  lockFolder(folder, file)();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock is taken over when its holder has exited', () => {
  const { pid } = spawnSync('true');
  writeFileSync(file, JSON.stringify({ pid, identity: 'gone' }));
  lockFolder(folder, file);
  expect(() => lockFolder(folder, file)).toThrow(FolderInUseError);
});

test('a lock is taken over when its process id belongs to another process', () => {
  writeFileSync(file, JSON.stringify({ pid: process.ppid, identity: `not ${processIdentity(process.ppid)}` }));
  lockFolder(folder, file)();
  expect(existsSync(file)).toBe(false);
});

test.each(['', '{', 'null', '[]'])('an unreadable lock (%j) is taken over', (content) => {
  writeFileSync(file, content);
  lockFolder(folder, file)();
  expect(readdirSync(folder)).toEqual([]);
});
