import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/client.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { execute, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type Precondition, preconditionFailed } from '../precondition.ts';
import { type ExpectedState, isChangeable } from './change-template.ts';
import type { SchemaChange } from './compare-schemas.ts';
import { type CreateTemplateInput, createTemplate } from './create-template.ts';
import { inPropertyOrder } from './property-order.ts';
import { replaceContent } from './replace-content.ts';
import { isOwned, selectTemplates, type TemplateRecord, type WhichVersion } from './template-record.ts';

export interface PutTemplateInput extends CreateTemplateInput {
  /** The id of the template if the name is new; otherwise it is not used. */
  readonly id: string;
  readonly precondition: Precondition<ExpectedState>;
  /** Whether the template may be created; not with `If-Match`, which names a state of one that exists. */
  readonly isNewAllowed: boolean;
  /** Whether to reject a version that removes, retypes or newly requires fields of the one it replaces. */
  readonly isStrict: boolean;
  /** Whether the request states a schema, which may differ from that of the current version. */
  readonly isStated: boolean;
  /** Whether the request has an invoice mapping, which may differ from that of the current version. */
  readonly isMapped?: boolean | undefined;
  /**
   * The version that was read before, if the request keeps its tag syntax, stated schema or invoice mapping; undefined if there was no
   * template. Default: the request keeps none of them.
   */
  readonly keeps?: { readonly version: number | undefined };
}

export interface PutTemplateResult {
  readonly template: TemplateRecord;
  /** `unchanged` if the newest version has the same bytes, tag syntax, stated schema and invoice mapping: no version is added. */
  readonly outcome: 'created' | 'replaced' | 'unchanged';
  /** Changes from the replaced version; undefined if either schema is missing or incomplete. */
  readonly schemaChanges: readonly SchemaChange[] | undefined;
}

/**
 * Creates the account's template with this name, or adds a version to it. Concurrent calls for one name run one after
 * the other, so that they never create two templates. Throws `conflict` if several templates have the name.
 */
export function putTemplate(db: Database, input: PutTemplateInput): Promise<PutTemplateResult> {
  return inTransaction(db, async (tx) => {
    const { accountId, precondition } = input;
    const templateId = await lockByName(tx, input);
    if (templateId === undefined) {
      if (!input.isNewAllowed) throw preconditionFailed('template');
      if (input.keeps?.version !== undefined) throw changedMeanwhile();
      return { template: await createTemplate(tx, input), outcome: 'created', schemaChanges: [] };
    }
    const [current] = await run(
      tx,
      selectTemplates(tx, isChangeable({ accountId, templateId, precondition }), 'newest'),
    );
    if (current === undefined)
      throw precondition.noneOf === '*' ? nameTaken(input.name, templateId) : preconditionFailed('template');
    const hasSameSyntax = isDeepStrictEqual(current.syntax, input.syntax);
    if (input.keeps !== undefined && input.keeps.version !== current.version) {
      if (!hasSameSyntax || !(await statesTheSame(tx, current, input))) throw changedMeanwhile();
    }
    const isEqual = current.checksum === input.checksum && hasSameSyntax;
    const isSame = !input.isStated && input.isMapped !== true;
    if (isEqual && (isSame || (await statesTheSame(tx, current, input))))
      return { template: current, outcome: 'unchanged', schemaChanges: [] };
    const { schemaChanges, ...template } = await replaceContent(tx, { ...input, templateId });
    return { template, outcome: 'replaced', schemaChanges };
  });
}

const nameTaken = (name: string, id: string): AppError =>
  new AppError(
    'precondition_failed',
    `The account already has a template with the name ${name} (${id}), so nothing was stored. Choose another name, or send the file without If-None-Match to make it the next version of that template.`,
  );

const changedMeanwhile = (): AppError =>
  new AppError(
    'conflict',
    'Another request changed the delimiters, the stated schema or the invoice mapping of this template, or deleted it, while the file was checked. Send the file again.',
  );

async function statesTheSame(
  tx: Transaction,
  { id, version }: TemplateRecord,
  { statedSchema, invoiceMap }: PutTemplateInput,
): Promise<boolean> {
  const { templateId, version: versionColumn, statedSchema: column, invoiceMap: map } = templateVersions;
  const [row] = await run(
    tx,
    tx
      .select({ stated: column, map })
      .from(templateVersions)
      .where(and(eq(templateId, id), eq(versionColumn, version))),
  );
  const isSameMap = (row?.map ?? null) === (invoiceMap ?? null);
  return isSameMap && isDeepStrictEqual(row?.stated ? inPropertyOrder(row.stated) : null, statedSchema ?? null);
}

/**
 * The account's template with exactly this name; undefined if there is none. Throws `conflict` if several have it.
 */
export async function findTemplateByName(
  db: Executor,
  accountId: string,
  name: string,
  which: WhichVersion = 'current',
): Promise<TemplateRecord | undefined> {
  const found = await run(
    db,
    selectTemplates(db, hasName(accountId, name), which)
      .orderBy(asc(templates.id))
      .limit(maxShownIds + 1),
  );
  return onlyOne(name, found);
}

/**
 * Locks the name and its template until the transaction ends; returns the template's id. Rows alone cannot be locked,
 * because a new name has none; the lock of the name does not keep the template from being renamed or deleted.
 */
async function lockByName(
  tx: Transaction,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<string | undefined> {
  const lockName = `template ${accountId} ${name}`;
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`);
  const found = await run(
    tx,
    tx
      .select({ id: templates.id })
      .from(templates)
      .where(hasName(accountId, name))
      .orderBy(asc(templates.id))
      .limit(maxShownIds + 1)
      .for('no key update'),
  );
  return onlyOne(name, found)?.id;
}

const hasName = (accountId: string, name: string): SQL | undefined => and(isOwned(accountId), eq(templates.name, name));

const maxShownIds = 10;

function onlyOne<T extends { readonly id: string }>(name: string, found: readonly T[]): T | undefined {
  if (found.length < 2) return found[0];
  const ids = found.slice(0, maxShownIds).map(({ id }) => id);
  const others = found.length > maxShownIds ? ' and others' : '';
  throw new AppError(
    'conflict',
    `Several templates have the name ${name}: ${ids.join(', ')}${others}. Send the file to the content of one of them, or rename or delete the others.`,
  );
}
