import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { guarded, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { meets, type Precondition, preconditionFailed } from '../precondition.ts';
import { findTemplate } from './find-template.ts';
import { findVersion } from './find-versions.ts';
import { isReleased, isReleasedState, notApproved } from './review-states.ts';
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
  // An upload that needs approval names its own version in the entity tag, other responses the current one.
  const isIn = ({ version, updatedAt }: ExpectedState) =>
    and(or(eq(templates.version, version), eq(templates.draftVersion, version)), eq(templates.updatedAt, updatedAt));
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
  read = (tx: Transaction): Promise<TemplateRecord> => findTemplate(tx, accountId, templateId),
): Promise<TemplateRecord> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const rows = await change(tx);
      const template = await read(tx);
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

type Promotion = ChangeInput & { readonly version: number };

/**
 * Makes another version, older or newer, the current one. Accepted documents keep the version that they were accepted
 * with. Throws `version_not_approved` for a version that is not, while the account needs approval.
 */
export async function promoteVersion(db: Executor, input: Promotion): Promise<TemplateRecord> {
  const { version, reviewState } = await findVersion(db, input);
  return changeTemplate(db, input, async (tx) => {
    const isUsable = sql`(exists (select 1 from ${templateVersions} where ${isPromoted(input)}
      and ${isReleased(templateVersions)}) or not ${needsApproval(input.accountId)})`;
    const promoted = await run(
      tx,
      tx
        .update(templates)
        .set({ version, draftVersion: sql`nullif(${templates.draftVersion}, ${version})`, updatedAt: changeTime })
        .where(and(isChangeable(input), isUsable))
        .returning({ id: templates.id }),
    );
    if (promoted.length > 0) await release(tx, input);
    else if (!isReleasedState(reviewState) && (await isPresent(tx, input))) throw notApproved(version, reviewState);
    return promoted;
  });
}

const isPromoted = ({ templateId, version }: Promotion): SQL | undefined =>
  and(eq(templateVersions.templateId, templateId), eq(templateVersions.version, version));

const needsApproval = (accountId: string): SQL =>
  sql`(select ${accounts.needsApproval} from ${accounts} where ${accounts.id} = ${accountId})`;

/** A version from a time when the account needed approval needs none once it was promoted without. */
async function release(tx: Transaction, input: Promotion): Promise<void> {
  const { reviewState } = templateVersions;
  await run(
    tx,
    tx
      .update(templateVersions)
      .set({ reviewState: null })
      .where(and(isPromoted(input), isOneOf(reviewState, 'draft', 'review', 'refused'))),
  );
}

async function isPresent(tx: Transaction, input: Promotion): Promise<boolean> {
  return (await run(tx, tx.select({ id: templates.id }).from(templates).where(isChangeable(input)))).length > 0;
}

function update(tx: Transaction, input: ChangeInput, changes: { readonly name: string }): Promise<readonly unknown[]> {
  return run(
    tx,
    tx
      .update(templates)
      .set({ ...changes, updatedAt: changeTime })
      .where(isChangeable(input))
      .returning({ id: templates.id }),
  );
}
