import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Backing, startBacking } from './harness/backing.ts';
import { groups } from './matrix.ts';
import type { Row } from './row.ts';
import { runRow } from './run-row.ts';

/** Defines tests for the rows of a set. Only a run with larger numbers has a new seed. */
export function runSet(set: NonNullable<Row['set']>): void {
  const seed = process.env.TEST_VOLUME === undefined ? 1 : Math.floor(Math.random() * 1_000_000);
  const rows = Object.values(groups)
    .flat()
    .filter((row) => row.set === set);

  describe(`rows of the fault matrix, seed ${seed}`, () => {
    let backing: Backing;
    let folder: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'docmill-faults-'));
      backing = await startBacking(folder);
    });

    afterAll(async () => {
      await backing.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(rows.map((row) => [row.id, row.title, row] as const))('%s %s', async (_id, _title, row) => {
      const { faults } = await runRow(backing, row, seed);
      // As text, so that a report names them.
      expect(faults.join('\n')).toBe('');
    });
  });
}
