import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { bool, cast } from '../../db/row.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import {
  type Approval,
  type ReviewEntry,
  type ReviewState,
  templates,
  templateVersions,
} from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';
import { templateNotFound } from './find-template.ts';
import { versionOf, type WhichVersion } from './template-record.ts';

export interface VersionRecord {
  readonly version: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  readonly objectKey: string;
  readonly syntax: TemplateSyntax | null;
  readonly createdAt: Date;
  readonly isCurrent: boolean;
  /** The names or ids of the templates that its tags include. */
  readonly includes: readonly string[];
  /** The API key that uploaded it, and the key's name; null if it was not recorded. */
  readonly uploadedBy: string | null;
  readonly uploaderName: string | null;
  /** Null if it needs no approval. */
  readonly reviewState: ReviewState | null;
  readonly approval: Approval | null;
  readonly reviewLog: readonly ReviewEntry[];
}

/** One version of the account's template. Throws `not_found` if the template or version does not exist. */
export async function findVersion(
  db: Executor,
  input: { readonly accountId: string; readonly templateId: string; readonly version: number },
): Promise<VersionRecord> {
  const [version] = await run(db, selectVersions(db, input, eq(templateVersions.version, input.version)));
  if (version === undefined) throw new AppError('not_found', 'There is no template with this id and version');
  return toRecord(version);
}

/** A version, by default the one that `which` names. Undefined if it does not exist. */
export async function findVersionIn(
  db: Executor,
  input: {
    readonly accountId: string;
    readonly templateId: string;
    readonly version?: number | undefined;
    readonly which: WhichVersion;
  },
): Promise<VersionRecord | undefined> {
  const wanted = sql`coalesce(${input.version ?? null}::int, ${versionOf(input.which)})`;
  const [found] = await run(db, selectVersions(db, input, eq(templateVersions.version, wanted)));
  return found === undefined ? undefined : toRecord(found);
}

const toRecord = (row: Omit<VersionRecord, 'includes'> & { readonly includes: readonly string[] | null }) => ({
  ...row,
  includes: row.includes ?? [],
});

export interface VersionPageInput {
  readonly accountId: string;
  readonly templateId: string;
  readonly limit: number;
  /** The last version of the previous page. */
  readonly before?: number | undefined;
}

/** A page of a template's versions, newest first; `next` is the last version when there are more. */
export async function listVersions(
  db: Executor,
  { limit, before, ...template }: VersionPageInput,
): Promise<{ readonly versions: readonly VersionRecord[]; readonly next: number | undefined }> {
  const { version } = templateVersions;
  const rows = await run(
    db,
    selectVersions(db, template, before === undefined ? undefined : lt(version, before))
      .orderBy(desc(version))
      .limit(limit + 1),
  );
  // A page after the last one is empty, but a missing template is an error.
  if (
    rows.length === 0 &&
    (before === undefined || (await run(db, selectVersions(db, template, undefined).limit(1))).length === 0)
  ) {
    throw templateNotFound();
  }
  const versions = rows.slice(0, limit).map(toRecord);
  return { versions, next: rows.length > limit ? versions.at(-1)?.version : undefined };
}

function selectVersions(
  db: Executor,
  { accountId, templateId }: { readonly accountId: string; readonly templateId: string },
  condition: SQL | undefined,
) {
  const { version, sizeBytes, checksum, tags, fonts, objectKey, syntax, createdAt, includes } = templateVersions;
  const { uploadedBy, reviewState, approval, reviewLog } = templateVersions;
  return db
    .select({
      version,
      includes,
      name: templates.name,
      sizeBytes,
      checksum,
      tags,
      fonts,
      objectKey,
      syntax,
      createdAt,
      isCurrent: cast(bool, eq(version, templates.version)),
      uploadedBy,
      uploaderName: apiKeys.name,
      reviewState,
      approval,
      reviewLog,
    })
    .from(templateVersions)
    .innerJoin(templates, and(eq(templates.id, templateVersions.templateId), isNull(templates.deletedAt)))
    .leftJoin(apiKeys, eq(apiKeys.id, uploadedBy))
    .where(and(eq(templateVersions.templateId, templateId), eq(templates.accountId, accountId), condition))
    .$dynamic();
}
