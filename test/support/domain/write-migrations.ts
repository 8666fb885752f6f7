import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Migrations by name, each with its statements, as `drizzle-kit generate` writes them; removed after the test. */
export function writeMigrations(migrations: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  fillMigrations(folder, migrations);
  return folder;
}

/** Replaces the migrations of a folder. */
export function fillMigrations(folder: string, migrations: Readonly<Record<string, readonly string[]>>): void {
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const entries = Object.keys(migrations).map((tag, idx) => {
    const when = 1_700_000_000_000 + idx;
    return { idx, version: '7', when, tag, breakpoints: true };
  });
  for (const [tag, statements] of Object.entries(migrations)) {
    writeFileSync(join(folder, `${tag}.sql`), statements.join('\n--> statement-breakpoint\n'));
  }
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }));
}
