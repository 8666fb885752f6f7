import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createWatcher } from '../../../../../clients/cli/src/dev/watch-workspace.ts';

/** A watcher of a new folder, and how often it has reported a change. */
function watchNew() {
  const root = mkdtempSync(join(tmpdir(), 'docmill-watch-'));
  mkdirSync(join(root, 'templates'));
  const reports: Error[] = [];
  let changes = 0;
  const watcher = createWatcher(
    () => {
      changes += 1;
    },
    (error) => reports.push(error as Error),
  );
  onTestFinished(async () => {
    await watcher.close();
    rmSync(root, { recursive: true });
    expect(reports).toEqual([]);
  });
  const workspace = (...folders: readonly string[]) => ({ folders, deepFolders: [], cases: [], problem: null });
  return { root, workspace, watcher, changes: () => changes };
}

test('a file that is saved while other folders begin to be watched is not missed', async () => {
  const { root, workspace, watcher, changes } = watchNew();
  await watcher.follow(workspace(root));
  await expect.poll(changes).toBe(1);
  const replaced = watcher.follow(workspace(root, join(root, 'templates')));
  writeFileSync(join(root, 'letter.json'), '{}');
  await replaced;
  await expect.poll(changes).toBeGreaterThan(1);
});

test('of two replacements at a time the later one stays, and its folders are watched', async () => {
  const { root, workspace, watcher, changes } = watchNew();
  await Promise.all([
    watcher.follow(workspace(root)),
    watcher.follow(workspace(join(root, 'templates'))),
    watcher.follow(workspace(root, join(root, 'templates'))),
  ]);
  await expect.poll(changes).toBeGreaterThan(0);
  const before = changes();
  writeFileSync(join(root, 'templates', 'letter.docx'), 'a');
  await expect.poll(changes).toBeGreaterThan(before);
});
