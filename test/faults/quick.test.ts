import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt } from '../../src/local/build.ts';
import { type Backing, startBacking } from './harness/backing.ts';
import { projectFolder } from './harness/service-process.ts';
import { groups } from './matrix.ts';
import { runRow } from './run-row.ts';

const seed = Math.floor(Math.random() * 1_000_000);
const quick = Object.values(groups)
  .flat()
  .filter(({ isQuick }) => isQuick === true);

describe(`the quick rows of the fault matrix, seed ${seed}`, () => {
  let backing: Backing;
  let folder: string;

  beforeAll(async () => {
    await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
    folder = mkdtempSync(join(tmpdir(), 'docmill-faults-'));
    backing = await startBacking(folder);
  });

  afterAll(async () => {
    await backing.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(quick.map((row) => [row.id, row.title, row] as const))('%s %s', async (_id, _title, row) => {
    const { faults } = await runRow(backing, row, { seed, repeats: 2 });
    expect(faults).toEqual([]);
  });
});
