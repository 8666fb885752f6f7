import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBacking } from './harness/backing.ts';
import { groups } from './matrix.ts';
import { lineOf, tableOf, writeReport, writeRows } from './report.ts';
import type { Row } from './row.ts';
import { type RowResult, runRow } from './run-row.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    group: { type: 'string' },
    seed: { type: 'string' },
    write: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
});

function chosenRows(): Row[] {
  const ids = values.rows?.split(',').map((id) => id.trim().toUpperCase());
  const chosen = Object.entries(groups)
    .filter(([group]) => values.group === undefined || values.group.split(',').includes(group))
    .flatMap(([, rows]) => rows)
    .filter(({ id }) => ids === undefined || ids.includes(id));
  const unknown = ids?.filter((id) => !chosen.some((row) => row.id === id)) ?? [];
  if (unknown.length > 0 || chosen.length === 0) throw new Error(`unknown rows: ${unknown.join(', ')}`);
  return chosen;
}

async function main(): Promise<number> {
  const rows = chosenRows();
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  process.stdout.write(`${rows.length} rows, seed ${seed}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'docmill-faults-'));
  // LibreOffice runs as another user, who needs access.
  chmodSync(folder, 0o711);
  const backing = await startBacking(folder);
  const results: RowResult[] = [];
  try {
    for (const row of rows) {
      const result = await runRow(backing, row, seed);
      process.stdout.write(`${lineOf(result)}\n`);
      results.push(result);
    }
  } finally {
    await backing.close();
  }
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  process.stdout.write(`\n${tableOf(results)}\nrows: ${results.length - failed} passed, ${failed} failed\n`);
  const isWhole = values.rows === undefined && values.group === undefined;
  if (values.write === true && isWhole) writeReport(results, seed);
  else if (values.write === true) writeRows(results);
  if (failed === 0 && values.keep !== true) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`logs of the failed rows: ${folder}\n`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
