import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFolder } from '../../../src/shared/db/migrations/read-migrations.ts';

/**
 * What migrations of future releases may do, as CONTRIBUTING.md describes it. Each name is a file, each string a
 * statement.
 */
const typical: Readonly<Record<string, readonly string[]>> = {
  '9000_expand': [
    'ALTER TABLE "generations" ADD COLUMN "region" text',
    `ALTER TABLE "generations" ADD COLUMN "is_urgent" boolean DEFAULT false NOT NULL`,
    'ALTER TABLE "ledger" ADD COLUMN "reason" text',
    'CREATE TABLE "regions" ("id" text PRIMARY KEY NOT NULL)',
  ],
  '9001_index': [
    'CREATE INDEX CONCURRENTLY "generations_finished" ON "generations" USING btree ("account_id","finished_at")',
    `CREATE INDEX CONCURRENTLY "ledger_created" ON "ledger" USING btree ("created_at") WHERE "ledger"."kind" = 'settle'`,
  ],
  '9002_constraints': [
    'ALTER TABLE "generations" ADD CONSTRAINT "generations_pages" CHECK ("pages" >= 0) NOT VALID',
    'ALTER TABLE "generations" VALIDATE CONSTRAINT "generations_pages"',
    'ALTER TABLE "templates" ADD COLUMN "region_id" text',
    `ALTER TABLE "templates" ADD CONSTRAINT "templates_region" FOREIGN KEY ("region_id") REFERENCES "regions"("id") NOT VALID`,
    'ALTER TABLE "templates" VALIDATE CONSTRAINT "templates_region"',
  ],
  '9003_not_null': [
    'ALTER TABLE "generations" ADD CONSTRAINT "generations_urgent" CHECK ("is_urgent" IS NOT NULL) NOT VALID',
    'ALTER TABLE "generations" VALIDATE CONSTRAINT "generations_urgent"',
    'ALTER TABLE "generations" ALTER COLUMN "is_urgent" SET NOT NULL',
    'ALTER TABLE "generations" DROP CONSTRAINT "generations_urgent"',
  ],
  '9004_contract': [
    '-- contract: needs 0000_initial\nALTER TABLE "generations" DROP COLUMN "region"',
    'DROP INDEX CONCURRENTLY IF EXISTS "generations_finished"',
    'ALTER TABLE "templates" DROP CONSTRAINT "templates_region"',
  ],
};

interface Journal {
  readonly entries: readonly { readonly idx: number; readonly when: number; readonly tag: string }[];
}

/** Writes to `folder` the migrations of this release, up to `last` if given, or all and then the typical ones. */
export function writeReleaseMigrations(folder: string, of: { readonly last: string } | 'with typical ones'): void {
  cpSync(releaseFolder, folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal;
  const entries =
    of === 'with typical ones'
      ? [...journal.entries, ...typicalEntries(folder, journal)]
      : journal.entries.slice(0, 1 + journal.entries.findIndex(({ tag }) => tag === of.last));
  writeFileSync(file, JSON.stringify({ ...journal, entries }));
}

function typicalEntries(folder: string, { entries }: Journal) {
  const newest = Math.max(...entries.map(({ when }) => when));
  return Object.entries(typical).map(([tag, statements], index) => {
    writeFileSync(join(folder, `${tag}.sql`), statements.join('\n--> statement-breakpoint\n'));
    return { idx: entries.length + index, version: '7', when: newest + 1 + index, tag, breakpoints: true };
  });
}
