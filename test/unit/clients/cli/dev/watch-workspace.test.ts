import { expect, onTestFinished, test } from 'vitest';
import { createWatcher } from '../../../../../clients/cli/src/dev/watch-workspace.ts';
import { useFolder } from '../../../../support/folder.ts';

const root = useFolder();

/** A watcher, and the files that it had found at its last report. */
function watchFiles(...folders: readonly string[]) {
  const problems: unknown[] = [];
  let isReading = false;
  let found: readonly string[] = [];
  const read = async (): Promise<void> => {
    if (isReading) problems.push('two reports at the same time');
    isReading = true;
    await new Promise((resolve) => setImmediate(resolve));
    found = folders.flatMap((folder) => root.list(folder));
    isReading = false;
  };
  const watcher = createWatcher(read, (error) => problems.push(error));
  onTestFinished(async () => {
    await watcher.close();
    expect(problems).toEqual([]);
  });
  const follow = (...names: readonly string[]) =>
    watcher.follow({ cases: [], folders: names.map(root.at), deepFolders: [], problem: null });
  return { follow, found: () => found };
}

test('a template that is saved is reported', async () => {
  root.write('saved/letter.docx', 'first');
  const { follow, found } = watchFiles('saved');
  await follow('saved');
  root.write('saved/offer.docx', 'new');
  await expect.poll(found).toEqual(['letter.docx', 'offer.docx']);
});

test('a template that is saved while the watched folders are replaced is reported', async () => {
  for (const folder of ['first', 'second']) root.write(`${folder}/letter.docx`, folder);
  const { follow, found } = watchFiles('second');
  await follow('first');
  await expect.poll(found).toEqual(['letter.docx']);
  const following = follow('first', 'second');
  root.write('second/offer.docx', 'meanwhile');
  await following;
  await expect.poll(found).toEqual(['letter.docx', 'offer.docx']);
});
