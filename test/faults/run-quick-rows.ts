import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt } from '../../tools/local/build.ts';
import { type Backing, startBacking } from './harness/backing.ts';
import { projectFolder } from './harness/service-process.ts';
import { groups } from './matrix.ts';
import { runRow } from './run-row.ts';

/** The number of files that share the quick rows; each starts separate servers and runs beside the others. */
const shares = 2;

/** Defines tests for every `shares`-th quick row, starting at `share`. */
export function runQuickRows(share: number): void {
  const seed = Math.floor(Math.random() * 1_000_000);
  const rows = Object.values(groups)
    .flat()
    .filter(({ isQuick }) => isQuick === true)
    .filter((_row, index) => index % shares === share);

  describe(`quick rows of the fault matrix, seed ${seed}`, () => {
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

    test.each(rows.map((row) => [row.id, row.title, row] as const))('%s %s', async (_id, _title, row) => {
      const { faults } = await runRow(backing, row, { seed, repeats: 2 });
      // As text, so that a report names them.
      expect(faults.join('\n')).toBe('');
    });
  });
}
