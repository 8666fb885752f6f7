import { hash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList, excluded, names } from '../../db/column-names.ts';
import { bool, cast } from '../../db/row.ts';
import { templateThumbnails, templateVersions } from '../../db/schema/templates.ts';
import { execute, jsonbValue, run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';

/** The image as PNG with its SHA-256 in hex, or the error in the template that prevents one. */
export type Thumbnail =
  | { readonly png: Buffer; readonly checksum: string; readonly error?: undefined }
  | { readonly png?: undefined; readonly error: ErrorRecord };

/** A version of a template, with the versions of the templates that it includes. */
export interface PicturedVersion {
  readonly templateId: string;
  readonly version: number;
  /** Default: it includes none. */
  readonly includes?: readonly { readonly reference: string; readonly objectKey: string }[] | undefined;
}

/** How long a failure is kept: other fonts or another LibreOffice may succeed. */
const failuresKeptMinutes = 24 * 60;
/** How long a timeout is kept: the machine may just have been busy. */
const lateKeptMinutes = 10;

/**
 * The thumbnail of a version, or why it has none. Undefined if it was not made, was made with other versions of the
 * included templates, or failed long ago. The caller checks the account.
 */
export async function findThumbnail(db: Executor, pictured: PicturedVersion): Promise<Thumbnail | undefined> {
  const { templateId, version } = pictured;
  const t = templateThumbnails;
  const keptMinutes = sql`case ${t.error} ->> 'code' when 'conversion_timeout' then ${lateKeptMinutes}::int else ${failuresKeptMinutes}::int end`;
  const isRecent = cast(bool, sql`${t.madeAt} > now() - make_interval(mins => ${keptMinutes})`);
  const [row] = await run(
    db,
    db
      .select({ png: t.png, checksum: t.checksum, error: t.error, isRecent })
      .from(t)
      .where(
        and(
          eq(t.templateId, templateId),
          eq(t.version, version),
          sql`${t.includesChecksum} is not distinct from ${includesChecksum(pictured)}`,
        ),
      ),
  );
  if (row === undefined) return undefined;
  if (row.png !== null && row.checksum !== null) return { png: row.png, checksum: row.checksum };
  return row.error !== null && row.isRecent ? { error: row.error } : undefined;
}

/**
 * Stores a thumbnail, or the reason why there is none, for an existing version. If several requests make one at once,
 * the first is kept until the included versions change.
 */
export async function storeThumbnail(
  db: Executor,
  pictured: PicturedVersion,
  made: Uint8Array | ErrorRecord,
): Promise<void> {
  const { templateId, version } = pictured;
  const [t, v, set] = [templateThumbnails, templateVersions, names(templateThumbnails)];
  const png = made instanceof Uint8Array ? Buffer.from(made) : null;
  await execute(
    db,
    sql`insert into ${t} ${columnList(t.templateId, t.version, t.png, t.checksum, t.error, t.includesChecksum)}
      select ${v.templateId}, ${v.version}, ${png}::bytea, ${png === null ? null : hash('sha256', png, 'hex')}::text,
        ${jsonbValue(made instanceof Uint8Array ? null : made)}, ${includesChecksum(pictured)}::text
      from ${v} where ${v.templateId} = ${templateId} and ${v.version} = ${version} for key share
      on conflict ${columnList(t.templateId, t.version)} do update
        set ${set.png} = ${excluded(t.png)}, ${set.checksum} = ${excluded(t.checksum)}, ${set.error} = ${excluded(t.error)},
          ${set.includesChecksum} = ${excluded(t.includesChecksum)}, ${set.madeAt} = now()
        where ${t.png} is null or ${t.includesChecksum} is distinct from ${excluded(t.includesChecksum)}`,
  );
}

function includesChecksum({ includes = [] }: PicturedVersion): string | null {
  if (includes.length === 0) return null;
  const files = includes.map(({ reference, objectKey }) => `${reference}\0${objectKey}`).sort();
  return hash('sha256', files.join('\0'), 'hex');
}
