import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { bool, int4, nullable, type RowOf, rowOf, text } from '../../db/row.ts';
import type { DocumentInclude } from '../../db/schema/documents.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { jsonbValue, query } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { isReleased } from './review-states.ts';

/**
 * Limits on the templates that one template includes, directly or indirectly; published in
 * docs/reference/template-language.md.
 */
const resolutionLimits = { depth: 4, templates: 50, totalBytes: 30 * 1024 * 1024 } as const;

const t = aliased(templates, 'inc_t');
const v = aliased(templateVersions, 'inc_v');

/**
 * The current versions of the account's templates with this id or name; the extension is optional. `withDrafts` prefers
 * drafts to them; without, a template that has no approved version is left out.
 */
const current = (accountId: SQL, reference: SQL, withDrafts: SQL): SQL => sql`${templates} ${t}
  join ${templateVersions} ${v} on ${v.templateId} = ${t.id}
    and ${v.version} = case when ${withDrafts} then coalesce(${t.draftVersion}, ${t.version}) else ${t.version} end
  where ${t.accountId} = ${accountId} and ${t.deletedAt} is null and (${withDrafts} or ${isReleased(v)})
    and (${t.id} = ${reference} or ${t.name} in (${reference}, ${reference} || '.docx'))`;

/**
 * The templates that `references` (jsonb, a list of names or ids) include, directly or indirectly: one row for each
 * reference, level and matching template, or without a template if none matches. Reads one level beyond the limit, so
 * that callers can tell when it is exceeded.
 */
function includeTree(accountId: SQL, references: SQL, withDrafts: SQL): SQL {
  return sql`with recursive named (reference, depth) as (
      select r.reference, 1 from jsonb_array_elements_text(${references}) as r (reference)
      union
      select i.reference, n.depth + 1 from named n, lateral (select ${v.includes} as includes from ${current(accountId, sql`n.reference`, withDrafts)}) f,
        jsonb_array_elements_text(f.includes) as i (reference)
      where n.depth <= ${sql.raw(String(resolutionLimits.depth))}
    )
    select n.reference, n.depth, f.* from (select * from named limit ${sql.raw(String(maxRows))}) n left join lateral (
      select ${t.id} as template_id, ${v.version} as version, ${v.objectKey} as object_key, ${v.checksum} as checksum,
        ${v.sizeBytes} as size_bytes, ${v.includes} as includes, ${v.approval} as approval,
        coalesce(${v.syntax} ->> 'open' = '{' and ${v.syntax} ->> 'close' = '}', true) as has_braces from ${current(accountId, sql`n.reference`, withDrafts)}
    ) f on true`;
}

/** The rows of all levels, plus one: a result this large is rejected, because rows may be missing. */
const maxRows = resolutionLimits.templates * (resolutionLimits.depth + 1) + 1;

/**
 * The templates that `references` include, as `DocumentInclude`s (json) sorted by reference. SQL null if they cannot be
 * resolved; `resolveIncludes` then throws the reason.
 */
export function resolvedIncludes(accountId: SQL, references: SQL, withDrafts: SQL): SQL {
  const { depth, templates: most, totalBytes } = resolutionLimits;
  const limit = (value: number): SQL => sql.raw(String(value));
  return sql`(with tree as (${includeTree(accountId, references, withDrafts)}) select case when count(*) = count(tree.template_id) and count(*) = count(distinct (tree.reference, tree.depth))
        and count(*) < ${limit(maxRows)} and max(tree.depth) <= ${limit(depth)} and count(distinct tree.template_id) <= ${limit(most)}
        and bool_and(tree.has_braces) and sum(tree.size_bytes) <= ${limit(totalBytes)}
      then (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('reference', i.reference, 'templateId', i.template_id,
          'version', i.version, 'objectKey', i.object_key, 'checksum', i.checksum, 'approval', i.approval))
          order by i.reference collate "C")
        from (select distinct reference, template_id, version, object_key, checksum, approval from tree) i) end
    from tree)`;
}

const treeRow = rowOf({
  reference: text,
  depth: int4,
  template_id: nullable(text),
  version: nullable(int4),
  object_key: nullable(text),
  checksum: nullable(text),
  size_bytes: nullable(int4),
  includes: templateVersions.includes,
  approval: templateVersions.approval,
  has_braces: nullable(bool),
});
type TreeRow = RowOf<typeof treeRow>;

export interface IncludesToResolve {
  readonly accountId: string;
  /** Names or ids of templates, as written in the tags of one template. */
  readonly references: readonly string[];
  /** The template that contains these tags, which it must not include; undefined for a new one. */
  readonly templateId?: string | undefined;
  /** Whether drafts are preferred, as for previews and test keys. Default: only what live keys may use. */
  readonly withDrafts?: boolean | undefined;
}

/**
 * The current versions of the templates that a template includes, directly or indirectly, sorted by reference. Throws
 * `template_invalid` if a reference matches none or several of the account's templates, if a template includes itself,
 * or if a limit is exceeded.
 */
export async function resolveIncludes(
  db: Executor,
  { accountId, references, templateId, withDrafts = false }: IncludesToResolve,
): Promise<readonly DocumentInclude[]> {
  if (references.length === 0) return [];
  const read = (drafts: boolean) =>
    query(db, treeRow, includeTree(sql`${accountId}`, jsonbValue(references), sql`${drafts}::boolean`));
  const rows = await read(withDrafts);
  const problem = findProblem(rows, templateId);
  if (problem !== undefined) {
    if (!withDrafts && findProblem(await read(true), templateId) === undefined) throw unapprovedIncludes(rows);
    throw invalidIncludes(...problem);
  }
  const byReference = new Map(rows.map((row) => [row.reference, toInclude(row)]));
  return [...byReference.values()].sort((a, b) => (a.reference < b.reference ? -1 : 1));
}

function toInclude({ reference, template_id, version, object_key, checksum, approval }: TreeRow): DocumentInclude {
  return {
    reference,
    templateId: template_id ?? '',
    version: version ?? 0,
    objectKey: object_key ?? '',
    checksum: checksum ?? '',
    ...(approval !== null && { approval }),
  };
}

/** The template that a tag includes, or why there is none. */
export type IncludedNow =
  | { readonly reference: string; readonly status: 'found'; readonly templateId: string; readonly version: number }
  | { readonly reference: string; readonly status: 'missing' | 'ambiguous' };

const nowRow = rowOf({ reference: text, template_id: nullable(text), version: nullable(int4) });

/** What the tags of one template currently include: the current version of the template that each reference names. */
export async function findIncluded(
  db: Executor,
  { accountId, references }: Pick<IncludesToResolve, 'accountId' | 'references'>,
): Promise<readonly IncludedNow[]> {
  if (references.length === 0) return [];
  const rows = await query(
    db,
    nowRow,
    sql`select n.reference, f.* from jsonb_array_elements_text(${jsonbValue(references)}) as n (reference) left join lateral (
      select ${t.id} as template_id, ${v.version} as version from ${current(sql`${accountId}`, sql`n.reference`, sql`false`)} limit 2) f on true`,
  );
  return references.map((reference): IncludedNow => {
    const [found, other] = rows.filter((row) => row.reference === reference);
    if (other !== undefined) return { reference, status: 'ambiguous' };
    if (found === undefined || found.template_id === null || found.version === null)
      return { reference, status: 'missing' };
    return { reference, status: 'found', templateId: found.template_id, version: found.version };
  });
}

type Problem = readonly [message: string, hint: string];

function findProblem(rows: readonly TreeRow[], templateId: string | undefined): Problem | undefined {
  const { depth: maxDepth, templates: most, totalBytes } = resolutionLimits;
  const unknown = rows.find((row) => row.template_id === null);
  if (unknown !== undefined) return unknownTemplate(unknown, rows);
  const seen = new Set<string>();
  for (const { reference, depth, template_id } of rows) {
    const key = `${depth} ${reference}`;
    if (seen.has(key))
      return [`Several templates are named "${reference}".`, 'include one of them by its id, or rename the others'];
    seen.add(key);
    if (template_id === templateId)
      return [`The template includes itself, through "${reference}".`, 'remove one of the tags'];
  }
  const delimited = rows.find((row) => row.has_braces === false);
  if (delimited !== undefined)
    return [`The tags of "${delimited.reference}" are not in braces.`, 'upload it with the delimiters { }'];
  if (rows.some(({ depth }) => depth > maxDepth)) {
    if (hasCycle(rows)) return ['An included template includes itself.', `look at ${named(rows)}`];
    return [
      `Templates are included in more than ${maxDepth} levels.`,
      'include the innermost ones from an outer template',
    ];
  }
  if (rows.length >= maxRows || new Set(rows.map((row) => row.template_id)).size > most)
    return [`The template includes more than ${most} templates.`, 'include fewer templates'];
  const bytes = rows.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0);
  if (bytes <= totalBytes) return undefined;
  return [`The included templates are larger than ${totalBytes / 1024 / 1024} MB.`, 'use smaller pictures in them'];
}

function unknownTemplate({ reference, depth }: TreeRow, rows: readonly TreeRow[]): Problem {
  const around = rows.find((row) => row.depth === depth - 1 && row.includes?.includes(reference));
  const place = around === undefined ? '' : `, which "${around.reference}" includes`;
  return [
    `The account has no template "${reference}"${place}.`,
    `upload it as "${reference.replace(/\.docx$/, '')}.docx", or change the tag`,
  ];
}

/** Whether a template includes itself, directly or indirectly. */
function hasCycle(rows: readonly TreeRow[]): boolean {
  const includes = new Map(rows.map((row) => [row.reference, row.includes ?? []]));
  const isDone = new Set<string>();
  const visit = (reference: string, path: ReadonlySet<string>): boolean => {
    if (path.has(reference)) return true;
    if (isDone.has(reference)) return false;
    isDone.add(reference);
    const inner = new Set([...path, reference]);
    return (includes.get(reference) ?? []).some((other) => visit(other, inner));
  };
  return [...includes.keys()].some((reference) => visit(reference, new Set()));
}

const named = (rows: readonly TreeRow[]): string =>
  [...new Set(rows.map(({ reference }) => `"${reference}"`))].slice(0, 5).join(', ');

function unapprovedIncludes(rows: readonly TreeRow[]): AppError {
  const missing = rows.find((row) => row.template_id === null)?.reference ?? '';
  return new AppError(
    'version_not_approved',
    `The template includes "${missing}", which has no approved version. Have another person approve it, or use a test key.`,
  );
}

function invalidIncludes(message: string, hint: string): AppError {
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
