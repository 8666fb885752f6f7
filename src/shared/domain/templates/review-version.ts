import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor, Transaction } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { cast, float8 } from '../../db/row.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import {
  type Approval,
  type ReviewEntry,
  type ReviewPerson,
  type ReviewState,
  templates,
  templateVersions,
} from '../../db/schema/templates.ts';
import { guarded, jsonbValue, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { recordAct } from '../audit/record-act.ts';
import { preconditionFailed } from '../precondition.ts';
import { type EventType, enqueueEvent } from '../webhooks/event-outbox.ts';
import { type ChangeInput, changeTime, isChangeable } from './change-template.ts';
import { findTemplate } from './find-template.ts';
import { findVersion, type VersionRecord } from './find-versions.ts';
import { isReleased, isReleasedState, personOf } from './review-states.ts';

export type ReviewStep = 'submit' | 'comment' | 'approve' | 'refuse' | 'override';

export interface ReviewInput extends ChangeInput {
  readonly version: number;
  readonly step: ReviewStep;
  /** The reason of an override. */
  readonly comment?: string | undefined;
  /** The API key of the request, and the address of its client. */
  readonly keyId: string;
  readonly address?: string | undefined;
}

interface Step {
  readonly from: readonly ReviewState[];
  readonly to: ReviewState;
  readonly action: ReviewEntry['action'];
  /** Whether the author of the version must not take it. */
  readonly isByOther: boolean;
  readonly event: EventType;
}

const steps: Readonly<Record<Exclude<ReviewStep, 'comment'>, Step>> = {
  submit: { from: ['draft'], to: 'review', action: 'submitted', isByOther: false, event: 'template.submitted' },
  approve: { from: ['review'], to: 'approved', action: 'approved', isByOther: true, event: 'template.approved' },
  refuse: { from: ['review'], to: 'refused', action: 'refused', isByOther: true, event: 'template.refused' },
  override: {
    from: ['draft', 'review'],
    to: 'approved',
    action: 'overridden',
    isByOther: false,
    event: 'template.overridden',
  },
};

/** The comments that one version may have; decisions are always possible. */
const maxEntries = 200;

/**
 * Takes a step in the review of a version. The state changes by one conditional statement, while the row of its
 * template is locked; the change of the current version, the webhook event, and the audit entry of an override are
 * in the same transaction. Throws `not_found`, `precondition_failed`, `approval_by_author`, and `conflict` in a state
 * that does not allow the step.
 */
export function reviewVersion(db: Executor, input: ReviewInput): Promise<VersionRecord> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const locked = await lockTemplate(tx, input);
      const found = await findVersion(tx, input);
      const entry = await newEntry(tx, input);
      if (input.step === 'comment') await addComment(tx, input, entry);
      else await decide(tx, input, { step: steps[input.step], entry, current: locked.version, found });
      // failpoint: review-before-commit
      return await findVersion(tx, input);
    }),
  );
}

/** Whether two API keys belong to one person. False if one of them is unknown. */
export async function isSamePerson(db: Executor, keyId: string | null, otherId: string): Promise<boolean> {
  if (keyId === null) return false;
  const rows = await run(
    db,
    db
      .select({ id: author.id })
      .from(author)
      .innerJoin(actor, sql`${personOf(author)} = ${personOf(actor)}`)
      .where(and(eq(author.id, keyId), eq(actor.id, otherId))),
  );
  return rows.length > 0;
}

/** All steps and uploads of one template run one after the other. */
async function lockTemplate(tx: Transaction, input: ChangeInput): Promise<{ readonly version: number }> {
  const [locked] = await run(
    tx,
    tx.select({ version: templates.version }).from(templates).where(isChangeable(input)).for('no key update'),
  );
  if (locked !== undefined) return locked;
  await findTemplate(tx, input.accountId, input.templateId);
  throw preconditionFailed('template');
}

async function newEntry(tx: Transaction, { keyId, comment, step }: ReviewInput): Promise<ReviewEntry> {
  const [key] = await run(
    tx,
    tx
      .select({ name: apiKeys.name, atMs: cast(float8, sql`extract(epoch from now()) * 1000`) })
      .from(apiKeys)
      .where(eq(apiKeys.id, keyId))
      // Nobody erases the name before it is written.
      .for('share'),
  );
  if (key === undefined) throw new Error('the key of the request has no row');
  const action = step === 'comment' ? 'commented' : steps[step].action;
  return {
    action,
    keyId,
    name: key.name,
    at: new Date(key.atMs).toISOString(),
    ...(comment !== undefined && { comment }),
  };
}

const v = templateVersions;
const isVersion = ({ templateId, version }: ReviewInput): SQL | undefined =>
  and(eq(v.templateId, templateId), eq(v.version, version));
const logWith = (entry: ReviewEntry): SQL => sql`${v.reviewLog} || ${jsonbValue([entry])}`;

async function addComment(tx: Transaction, input: ReviewInput, entry: ReviewEntry): Promise<void> {
  const hasSpace = sql`jsonb_array_length(${v.reviewLog}) < ${maxEntries}`;
  const added = await run(
    tx,
    tx
      .update(v)
      .set({ reviewLog: logWith(entry) })
      .where(and(isVersion(input), isNotNull(v.reviewState), hasSpace))
      .returning({ state: v.reviewState }),
  );
  if (added.length > 0) return;
  const { reviewState, version } = await findVersion(tx, input);
  if (reviewState === null) throw needsNone(version);
  throw new AppError('conflict', `Version ${version} has ${maxEntries} comments already. Approve or refuse it.`);
}

interface Decision {
  readonly step: Step;
  readonly entry: ReviewEntry;
  /** The current version of the template. */
  readonly current: number;
  /** The version before the step. */
  readonly found: VersionRecord;
}

const author = aliased(apiKeys, 'author');
const actor = aliased(apiKeys, 'actor');
const live = aliased(templateVersions, 'live');

async function decide(tx: Transaction, input: ReviewInput, decision: Decision): Promise<void> {
  const { step, entry, current, found } = decision;
  const { action: _action, comment, ...by } = entry;
  const isLiveNow = step.to === 'approved';
  const approval: Approval | null = isLiveNow
    ? { ...by, ...(step.action === 'overridden' && { overrideReason: comment ?? '' }) }
    : null;
  const isByAuthor = sql`exists (select 1 from ${apiKeys} ${author}, ${apiKeys} ${actor}
    where ${author.id} = ${v.uploadedBy} and ${actor.id} = ${input.keyId} and ${personOf(author)} = ${personOf(actor)})`;
  const isOutdated = sql`exists (select 1 from ${v} ${live} where ${live.templateId} = ${v.templateId}
    and ${live.version} = ${current}::int and ${live.version} > ${v.version} and ${isReleased(live)})`;
  const changed = await run(
    tx,
    tx
      .update(v)
      .set({ reviewState: step.to, approval, reviewLog: logWith(entry) })
      .where(
        and(
          isVersion(input),
          isOneOf(v.reviewState, ...step.from),
          step.isByOther ? sql`not ${isByAuthor}` : undefined,
          isLiveNow ? sql`not ${isOutdated}` : undefined,
        ),
      )
      .returning({ state: v.reviewState }),
  );
  if (changed.length === 0) throw await refusalOf(tx, input, decision);
  await updateTemplate(tx, input, step.to);
  await announce(tx, input, { event: step.event, by: entry, name: found.name });
}

/** A submitted version stays the draft that test keys use; one that is approved or refused does not. */
async function updateTemplate(tx: Transaction, { templateId, version }: ReviewInput, to: ReviewState): Promise<void> {
  if (to === 'review') return;
  const draftVersion = sql`nullif(${templates.draftVersion}, ${version})`;
  const changes = { draftVersion, updatedAt: changeTime, ...(to === 'approved' && { version }) };
  await run(tx, tx.update(templates).set(changes).where(eq(templates.id, templateId)));
}

async function announce(
  tx: Transaction,
  { accountId, templateId, version, step, address = '', comment }: ReviewInput,
  { event, by, name }: { readonly event: EventType; readonly by: ReviewPerson; readonly name: string },
): Promise<void> {
  const data = {
    templateId,
    templateName: name,
    version,
    keyId: by.keyId,
    ...(by.name !== null && { keyName: by.name }),
    ...(step === 'override' && { reason: comment ?? '' }),
  };
  await enqueueEvent(tx, { accountId, type: event, data });
  if (step !== 'override') return;
  await recordAct(tx, {
    operator: { actor: by.keyId, osUser: 'api', host: address },
    action: 'override-approval',
    accountId,
    target: templateId,
    options: { version: String(version) },
    outcome: 'succeeded',
  });
}

const needsNone = (version: number): AppError =>
  new AppError('conflict', `Version ${version} needs no approval: it was uploaded while the account needed none.`);

const stateErrors: Readonly<Record<ReviewState, string>> = {
  draft: 'is a draft. Submit it for review first.',
  review: 'is in review already. Another person approves or refuses it.',
  approved: 'is approved already.',
  refused: 'was refused, which is final. Upload a corrected version, and submit that.',
};

/** Why the step was not taken. The row cannot have changed since it was read, because its template is locked. */
async function refusalOf(
  tx: Transaction,
  input: ReviewInput,
  { step, current, found: { version, reviewState } }: Decision,
): Promise<AppError> {
  if (reviewState === null) return needsNone(version);
  if (!step.from.includes(reviewState))
    return new AppError('conflict', `Version ${version} ${stateErrors[reviewState]}`);
  const { reviewState: currentState } = await findVersion(tx, { ...input, version: current });
  if (step.to === 'approved' && current > version && isReleasedState(currentState))
    return new AppError(
      'conflict',
      `Version ${current}, which is newer, is live. Upload the file of version ${version} again to publish it.`,
    );
  return new AppError(
    'approval_by_author',
    `You uploaded version ${version}, so another person must ${input.step} it. Use the key of another person.`,
  );
}
