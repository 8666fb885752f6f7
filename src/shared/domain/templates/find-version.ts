import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface VersionRecord {
  readonly version: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  readonly objectKey: string;
  readonly createdAt: Date;
  readonly isCurrent: boolean;
}

export interface VersionRow extends Record<string, unknown> {
  readonly version: number;
  readonly name: string;
  readonly size_bytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  readonly object_key: string;
  readonly created_at: string;
  readonly is_current: boolean;
}

export const selectVersions = sql`select v.version, t.name, v.size_bytes, v.checksum, v.tags, v.fonts, v.object_key,
    v.created_at, v.version = t.version as is_current
  from template_versions v join templates t on t.id = v.template_id and t.deleted_at is null`;

export function toVersionRecord(row: VersionRow): VersionRecord {
  return {
    version: row.version,
    name: row.name,
    sizeBytes: row.size_bytes,
    checksum: row.checksum,
    tags: row.tags,
    fonts: row.fonts,
    objectKey: row.object_key,
    createdAt: new Date(row.created_at),
    isCurrent: row.is_current,
  };
}

/** One version of the account's template; `not_found` when there is no such template or version. */
export async function findVersion(
  db: Executor,
  input: { readonly accountId: string; readonly templateId: string; readonly version: number },
): Promise<VersionRecord> {
  const [row] = await run<VersionRow>(
    db,
    sql`${selectVersions}
      where v.template_id = ${input.templateId} and t.account_id = ${input.accountId} and v.version = ${input.version}`,
  );
  if (row === undefined) throw new AppError('not_found', 'There is no template with this id and version');
  return toVersionRecord(row);
}
