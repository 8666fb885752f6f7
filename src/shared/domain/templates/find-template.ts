import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { DataSchema } from '../../data-schema.ts';
import type { Executor, Transaction } from '../../db/client.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import { inOrderOf, inPropertyOrder } from './property-order.ts';
import { isOwned, selectTemplates, type TemplateRecord, versionOf, type WhichVersion } from './template-record.ts';

export const templateNotFound = (): AppError => new AppError('not_found', 'There is no template with this id');

/** The account's template. Throws `not_found` if it does not exist, is deleted, or belongs to another account. */
export async function findTemplate(
  db: Executor,
  accountId: string,
  templateId: string,
  which: WhichVersion = 'current',
): Promise<TemplateRecord> {
  const [template] = await run(db, selectTemplates(db, and(eq(templates.id, templateId), isOwned(accountId)), which));
  if (template === undefined) throw templateNotFound();
  return template;
}

export interface TemplatePageInput {
  readonly accountId: string;
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  /** Part of the name, ignoring case. */
  readonly name?: string | undefined;
}

/** A page of templates, newest first; `next` is the last id when there are more. */
export async function listTemplates(
  db: Executor,
  { accountId, limit, before, name }: TemplatePageInput,
): Promise<{ readonly templates: readonly TemplateRecord[]; readonly next: string | undefined }> {
  const condition = and(
    isOwned(accountId),
    before === undefined ? undefined : lt(templates.id, before),
    name === undefined ? undefined : sql`strpos(lower(${templates.name}), lower(${name})) > 0`,
  );
  const rows = await run(
    db,
    selectTemplates(db, condition)
      .orderBy(sql`${desc(templates.id)} nulls last`)
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return { templates: page, next: rows.length > limit ? page.at(-1)?.id : undefined };
}

export interface TemplateSchema {
  /** JSON Schema (2020-12) of the data that the template expects. */
  readonly schema: DataSchema;
  /** Data that matches the schema and fills the template. */
  readonly example: JsonObject | null;
  /** What the author stated about the schema; null if nothing. */
  readonly stated: DataSchema | null;
  /** The text of the invoice mapping; null if there is none. */
  readonly invoiceMap: string | null;
}

interface SchemaInput {
  readonly accountId: string;
  readonly templateId: string;
  /** Default: the version that `which` names, or the current one. */
  readonly version?: number | undefined;
  readonly which?: WhichVersion | undefined;
}

/**
 * The schema of a version of the account's template, by default the current one. Throws `not_found` even if the version
 * exists but was stored before schemas were.
 */
export async function findSchema(db: Executor, input: SchemaInput): Promise<TemplateSchema> {
  const { schema, ...rest } = await findStoredSchema(db, input);
  if (schema === null) {
    throw new AppError('not_found', 'This version was uploaded before schemas were stored. Upload it again.');
  }
  return { schema, ...rest };
}

/** Like `findSchema`, but the schema is null for a version stored before schemas were. */
export async function findStoredSchema(
  db: Executor,
  input: SchemaInput,
): Promise<Omit<TemplateSchema, 'schema'> & { readonly schema: TemplateSchema['schema'] | null }> {
  const { schema, example, statedSchema, invoiceMap } = templateVersions;
  const [row] = await run(
    db,
    db
      .select({ schema, example, stated: statedSchema, invoiceMap })
      .from(templateVersions)
      .innerJoin(templates, eq(templates.id, templateVersions.templateId))
      .where(
        and(
          eq(templates.id, input.templateId),
          isOwned(input.accountId),
          eq(
            templateVersions.version,
            sql`coalesce(${input.version ?? null}::int, ${versionOf(input.which ?? 'current')})`,
          ),
        ),
      ),
  );
  if (row === undefined) throw new AppError('not_found', 'There is no template with this id and version');
  const stated = row.stated && inPropertyOrder(row.stated);
  if (row.schema === null) return { ...row, stated };
  const ordered = inPropertyOrder(row.schema);
  return { ...row, schema: ordered, example: row.example && inOrderOf(ordered, row.example), stated };
}

/** The error for a request that found no template: the template or the requested version does not exist. */
export async function missingTemplateError(
  db: Executor,
  accountId: string,
  templateId: string,
  version: number | undefined,
): Promise<AppError> {
  if (version === undefined) return templateNotFound();
  const rows = await run(
    db,
    db
      .select({ id: templates.id })
      .from(templates)
      .where(and(eq(templates.id, templateId), isOwned(accountId))),
  );
  if (rows.length === 0) return templateNotFound();
  return new AppError('not_found', `The template has no version ${version}`);
}

/** Locks a template against deletion until the transaction ends. Throws `not_found` if it is already deleted. */
export async function lockTemplate(
  tx: Transaction,
  { accountId, templateId }: { readonly accountId: string; readonly templateId: string },
): Promise<void> {
  const rows = await run(
    tx,
    tx
      .select({ id: templates.id })
      .from(templates)
      .where(and(eq(templates.id, templateId), isOwned(accountId)))
      .for('share'),
  );
  if (rows.length === 0) throw templateNotFound();
}
