import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { templateNotFound } from './find-template.ts';
import { selectVersions, toVersionRecord, type VersionRecord, type VersionRow } from './find-version.ts';

/** A page of a template's versions, newest first, below the version `before` when it is given. */
export async function listVersions(
  db: Executor,
  input: {
    readonly accountId: string;
    readonly templateId: string;
    readonly limit: number;
    readonly before?: number | undefined;
  },
): Promise<{ readonly versions: readonly VersionRecord[]; readonly next: number | undefined }> {
  const rows = await run<VersionRow>(
    db,
    sql`${selectVersions}
      where v.template_id = ${input.templateId} and t.account_id = ${input.accountId}
        ${input.before === undefined ? sql`` : sql`and v.version < ${input.before}`}
      order by v.version desc limit ${input.limit + 1}`,
  );
  if (rows.length === 0 && input.before === undefined) throw templateNotFound();
  const versions = rows.slice(0, input.limit).map(toVersionRecord);
  return { versions, next: rows.length > input.limit ? versions.at(-1)?.version : undefined };
}
