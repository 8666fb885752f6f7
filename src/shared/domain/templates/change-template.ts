import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/client.ts';
import { templates } from '../../db/schema/templates.ts';
import { guarded, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { meets, type Precondition, preconditionFailed } from '../precondition.ts';
import { findTemplate } from './find-template.ts';
import { findVersion } from './find-versions.ts';
import { isOwned, type TemplateRecord } from './template-record.ts';

/** The state of a template that a client has read, identified by its entity tag. */
export interface ExpectedState {
  readonly version: number;
  readonly updatedAt: Date;
}

export interface ChangeInput {
  readonly accountId: string;
  readonly templateId: string;
  readonly precondition?: Precondition<ExpectedState> | undefined;
}

/** At least a millisecond after the previous change, so that no two states share an entity tag. */
export const changeTime: SQL = sql`greatest(now(), ${templates.updatedAt} + interval '1 millisecond')`;

/** The account's template in a state that the precondition allows. */
export function isChangeable({ accountId, templateId, precondition = {} }: ChangeInput): SQL | undefined {
  const isIn = ({ version, updatedAt }: ExpectedState) =>
    and(eq(templates.version, version), eq(templates.updatedAt, updatedAt));
  return and(eq(templates.id, templateId), isOwned(accountId), meets(precondition, isIn));
}

/**
 * Runs a conditional change of a template's row and returns the resulting state. If the change matches no row, throws
 * `not_found`, or `precondition_failed` if another client changed the template first.
 */
export function changeTemplate(
  db: Executor,
  { accountId, templateId }: ChangeInput,
  change: (tx: Transaction) => Promise<readonly unknown[]>,
): Promise<TemplateRecord> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const rows = await change(tx);
      const template = await findTemplate(tx, accountId, templateId);
      if (rows.length > 0) return template;
      throw preconditionFailed('template');
    }),
  );
}

export function renameTemplate(
  db: Executor,
  { name, ...input }: ChangeInput & { readonly name: string },
): Promise<TemplateRecord> {
  return changeTemplate(db, input, (tx) => update(tx, input, { name }));
}

/**
 * Makes another version, older or newer, the current one. Accepted documents keep the version that they were accepted
 * with.
 */
export async function promoteVersion(
  db: Executor,
  input: ChangeInput & { readonly version: number },
): Promise<TemplateRecord> {
  await findVersion(db, input);
  return changeTemplate(db, input, (tx) => update(tx, input, { version: input.version }));
}

function update(
  tx: Transaction,
  input: ChangeInput,
  changes: { readonly name: string } | { readonly version: number },
): Promise<readonly unknown[]> {
  return run(
    tx,
    tx
      .update(templates)
      .set({ ...changes, updatedAt: changeTime })
      .where(isChangeable(input))
      .returning({ id: templates.id }),
  );
}
