import { and, desc, eq, lt, ne, type SQLWrapper, sql } from 'drizzle-orm';
import type { DataSchema } from '../../data-schema.ts';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf, names } from '../../db/column-names.ts';
import { rowOf } from '../../db/row.ts';
import { layoutProofs, type PageDifference, templates, templateVersions } from '../../db/schema/templates.ts';
import { execute, query, run } from '../../db/statement.ts';
import type { JsonObject } from '../../json.ts';
import { earlierSyntax, type TemplateSyntax } from '../../template-syntax.ts';

/** A version of a template, with the engines and fonts whose pages are compared. */
export interface ProofOf {
  readonly templateId: string;
  readonly version: number;
  readonly layoutKey: string;
}

/** A version whose pages are to be compared, with what is needed to produce its documents. */
export interface ClaimedProof extends ProofOf {
  readonly accountId: string;
  readonly objectKey: string;
  readonly checksum: string;
  /** The tag syntax. */
  readonly syntax: TemplateSyntax;
  readonly schema: DataSchema;
  readonly example: JsonObject;
  /** Names or ids of the templates that it includes. */
  readonly references: readonly string[];
  /** When the version was uploaded, for the date of its documents. */
  readonly createdAt: Date;
  /** The number of comparisons begun, including this one. */
  readonly attempts: number;
}

export interface Verdict {
  readonly state: 'direct' | 'office';
  readonly reasons: readonly string[];
  /** The number of documents compared. */
  readonly compared: number;
}

/** The reason of a version whose comparison failed each time. */
export const notComparedReason = 'The pages of both engines could not be compared.';

/** Separates the engines' layout key from the digest of the included templates and the account's fonts. */
export const inputsSeparator = '+';

/** Whether a key belongs to these engines, regardless of included templates and fonts of the account. */
const isOfEngines = (key: SQLWrapper, layoutKey: string) =>
  sql`split_part(${key}, ${inputsSeparator}, 1) = ${layoutKey.split(inputsSeparator)[0] ?? ''}`;

/** The number of waiting rows above which an account's priority does not fall any further. */
const maxCounted = 1_000;

const p = aliased(layoutProofs, 'p');
const t = aliased(templates, 't');
const v = aliased(templateVersions, 'v');
const w = aliased(layoutProofs, 'w');
const set = names(layoutProofs);

/** Requests the comparison of a version, unless it was requested before. */
export async function requestProof(db: Executor, accountId: string, of: ProofOf): Promise<void> {
  const c = layoutProofs;
  await execute(
    db,
    sql`insert into ${c} ${columnList(c.templateId, c.version, c.layoutKey, c.ahead)}
      select ${v.templateId}, ${v.version}, ${of.layoutKey}, (
        select count(*) from (
          select 1 from ${layoutProofs} ${p} join ${templates} ${t} on ${t.id} = ${p.templateId}
          where ${isOneOf(p.state, 'waiting')} and ${isOfEngines(p.layoutKey, of.layoutKey)} and ${t.accountId} = ${accountId}
          limit ${maxCounted}) as waiting)
      from ${templateVersions} ${v}
      where ${v.templateId} = ${of.templateId} and ${v.version} = ${of.version} for key share of ${v}
      on conflict do nothing`,
  );
}

/** The key for an uploaded version: the first worker with direct layout compares it with its own engines and fonts. */
export const anyLayoutKey = '';

/**
 * Assigns the comparison of an uploaded version to these engines and fonts. A version that was replaced in the meantime
 * is not compared until a client requests a PDF of it. False if none waits.
 */
export const takeUploadedVersion = (db: Executor, layoutKey: string): Promise<boolean> =>
  takeVersion(db, layoutKey, sql`${w.layoutKey} = ${anyLayoutKey}`);

/**
 * Assigns a comparison to these engines and fonts that has waited for others for `afterSeconds`, while none of those
 * compares anything: their workers are gone, such as after an upgrade. False if none waits.
 */
export const takeAbandonedVersion = (db: Executor, layoutKey: string, afterSeconds: number): Promise<boolean> =>
  takeVersion(
    db,
    layoutKey,
    sql`not ${isOfEngines(w.layoutKey, layoutKey)} and ${w.requestedAt} < now() - make_interval(secs => ${afterSeconds})
      and not exists (select 1 from ${layoutProofs} ${p} where ${isOneOf(p.state, 'waiting')} and ${p.claimedUntil} > now()
        and split_part(${p.layoutKey}, ${inputsSeparator}, 1) = split_part(${w.layoutKey}, ${inputsSeparator}, 1))`,
  );

async function takeVersion(db: Executor, layoutKey: string, condition: SQLWrapper): Promise<boolean> {
  const c = layoutProofs;
  const rows = await query(
    db,
    takenRow,
    sql`with taken as (
        delete from ${layoutProofs} ${p} where (${p.templateId}, ${p.version}, ${p.layoutKey}) = (
          select ${w.templateId}, ${w.version}, ${w.layoutKey} from ${layoutProofs} ${w}
          where ${isOneOf(w.state, 'waiting')} and ${condition}
          order by ${w.ahead}, ${w.requestedAt} limit 1 for update skip locked)
        returning ${p.templateId}, ${p.version}, ${p.ahead}, ${p.requestedAt}
      ), moved as (
        insert into ${c} ${columnList(c.templateId, c.version, c.layoutKey, c.ahead, c.requestedAt)}
        select template_id, version, ${layoutKey}, ahead, requested_at from taken
        where exists (select 1 from ${templates} ${t} where ${t.id} = template_id and ${t.version} = taken.version)
        on conflict do nothing
      )
      select version from taken`,
  );
  return rows.length > 0;
}

const takenRow = rowOf({ version: layoutProofs.version });

const claimRow = rowOf({
  template_id: layoutProofs.templateId,
  version: layoutProofs.version,
  layout_key: layoutProofs.layoutKey,
  account_id: templates.accountId,
  object_key: templateVersions.objectKey,
  checksum: templateVersions.checksum,
  syntax: templateVersions.syntax,
  schema: templateVersions.schema,
  example: templateVersions.example,
  includes: templateVersions.includes,
  created_at: templateVersions.createdAt,
  attempts: layoutProofs.attempts,
});

/**
 * Claims a waiting version for `leaseSeconds`, after which another process may claim it. Accounts share fairly: the
 * first version of each comes before the second one of any. Undefined if none waits.
 */
export async function claimProof(
  db: Executor,
  layoutKey: string,
  leaseSeconds: number,
): Promise<ClaimedProof | undefined> {
  const [row] = await query(
    db,
    claimRow,
    sql`update ${layoutProofs} ${p}
      set ${set.claimedUntil} = now() + make_interval(secs => ${leaseSeconds}), ${set.attempts} = ${p.attempts} + 1
      from ${templateVersions} ${v} join ${templates} ${t} on ${t.id} = ${v.templateId}
      where (${p.templateId}, ${p.version}, ${p.layoutKey}) = (
          select ${w.templateId}, ${w.version}, ${w.layoutKey} from ${layoutProofs} ${w}
          where ${isOneOf(w.state, 'waiting')} and ${isOfEngines(w.layoutKey, layoutKey)}
            and (${w.claimedUntil} is null or ${w.claimedUntil} < now())
          order by ${w.ahead}, ${w.requestedAt} limit 1 for update skip locked)
        and ${v.templateId} = ${p.templateId} and ${v.version} = ${p.version}
      returning ${p.templateId}, ${p.version}, ${p.layoutKey}, ${t.accountId}, ${v.objectKey}, ${v.checksum}, ${v.syntax}, ${v.schema}, ${v.example}, ${v.includes},
        ${v.createdAt}, ${p.attempts}`,
  );
  if (row === undefined) return undefined;
  return {
    templateId: row.template_id,
    version: row.version,
    layoutKey: row.layout_key,
    accountId: row.account_id,
    objectKey: row.object_key,
    checksum: row.checksum,
    syntax: row.syntax ?? earlierSyntax,
    schema: row.schema ?? {},
    example: row.example ?? {},
    references: row.includes ?? [],
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}

const isProof = ({ templateId, version, layoutKey }: ProofOf) =>
  and(
    eq(layoutProofs.templateId, templateId),
    eq(layoutProofs.version, version),
    eq(layoutProofs.layoutKey, layoutKey),
  );

/** Extends the claim of a comparison in progress. */
export async function renewClaim(db: Executor, of: ProofOf, leaseSeconds: number): Promise<void> {
  const claimedUntil = sql`now() + make_interval(secs => ${leaseSeconds})`;
  await run(
    db,
    db
      .update(layoutProofs)
      .set({ claimedUntil })
      .where(and(isProof(of), eq(layoutProofs.state, 'waiting')))
      .returning({ version: layoutProofs.version }),
  );
}

/** Releases the claim of a comparison that has not failed, so that another process may begin it at once. */
export async function releaseClaim(db: Executor, of: ProofOf): Promise<void> {
  await run(
    db,
    db
      .update(layoutProofs)
      .set({ claimedUntil: null, attempts: sql`greatest(${layoutProofs.attempts} - 1, 0)` })
      .where(and(isProof(of), eq(layoutProofs.state, 'waiting')))
      .returning({ version: layoutProofs.version }),
  );
}

/**
 * Replaces a waiting proof by one of the same version with the current included templates and fonts of the account,
 * unless that was requested before.
 */
export async function replaceProof(db: Executor, accountId: string, of: ProofOf, layoutKey: string): Promise<void> {
  await requestProof(db, accountId, { ...of, layoutKey });
  await run(
    db,
    db
      .delete(layoutProofs)
      .where(and(isProof(of), eq(layoutProofs.state, 'waiting')))
      .returning({ version: layoutProofs.version }),
  );
}

/** Records the result of comparing a waiting version. False if another process has already done so. */
export async function decideProof(db: Executor, of: ProofOf, { state, reasons, compared }: Verdict): Promise<boolean> {
  const rows = await run(
    db,
    db
      .update(layoutProofs)
      .set({ state, reasons, compared, claimedUntil: null, decidedAt: sql`now()` })
      .where(and(isProof(of), eq(layoutProofs.state, 'waiting')))
      .returning({ version: layoutProofs.version }),
  );
  return rows.length > 0;
}

/** Counts an interactive document that was compared without a difference. */
export async function countPageCheck(db: Executor, of: ProofOf): Promise<void> {
  await run(
    db,
    db
      .update(layoutProofs)
      .set({ checked: sql`${layoutProofs.checked} + 1` })
      .where(and(isProof(of), eq(layoutProofs.state, 'direct')))
      .returning({ version: layoutProofs.version }),
  );
}

export interface FoundDifference {
  readonly documentId: string;
  readonly differences: readonly PageDifference[];
  readonly reason: string;
}

/**
 * Returns the PDFs of a version to LibreOffice, in one statement: no document claimed afterwards is laid out directly.
 * False if it was already done.
 */
export async function revertProof(
  db: Executor,
  of: ProofOf,
  { documentId, differences, reason }: FoundDifference,
): Promise<boolean> {
  const rows = await run(
    db,
    db
      .update(layoutProofs)
      .set({ state: 'office', reasons: [reason], documentId, differences, decidedAt: sql`now()` })
      .where(and(isProof(of), eq(layoutProofs.state, 'direct')))
      .returning({ version: layoutProofs.version }),
  );
  return rows.length > 0;
}

/** How a version's PDFs are laid out, as its account sees it. */
export interface LayoutState {
  readonly state: 'waiting' | 'direct' | 'office';
  /** Whether a worker is comparing the pages now. */
  readonly isClaimed: boolean;
  readonly reasons: readonly string[];
  readonly documentId: string | null;
  readonly differences: readonly PageDifference[] | null;
}

/**
 * The latest state of a version, for any engines; undefined if no PDF of it was requested. The caller checks the
 * account.
 */
export async function findLayoutState(
  db: Executor,
  templateId: string,
  version: number,
): Promise<LayoutState | undefined> {
  const { state, claimedUntil, reasons, documentId, differences } = layoutProofs;
  const isClaimed = sql<boolean>`coalesce(${claimedUntil} > now(), false)`;
  const [row] = await run(
    db,
    db
      .select({ state, isClaimed, reasons, documentId, differences })
      .from(layoutProofs)
      .where(and(eq(layoutProofs.templateId, templateId), eq(layoutProofs.version, version)))
      .orderBy(desc(layoutProofs.requestedAt), desc(layoutProofs.layoutKey))
      .limit(1),
  );
  return row;
}

/** Deletes results for the version with other engines and fonts that are older than `days`. */
export async function removeOldProofs(db: Executor, { templateId, version, layoutKey }: ProofOf, days: number) {
  await run(
    db,
    db
      .delete(layoutProofs)
      .where(
        and(
          eq(layoutProofs.templateId, templateId),
          eq(layoutProofs.version, version),
          ne(layoutProofs.layoutKey, layoutKey),
          lt(layoutProofs.requestedAt, sql`now() - make_interval(days => ${days})`),
        ),
      )
      .returning({ version: layoutProofs.version }),
  );
}
