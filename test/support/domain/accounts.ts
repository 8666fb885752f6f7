import { randomBytes } from 'node:crypto';
import type { Database, Executor } from '../../../src/shared/db/client.ts';
import { createAccount } from '../../../src/shared/domain/accounts/create-account.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { claimDocument } from '../../../src/shared/domain/documents/claim-document.ts';
import type { ClaimedDocument, EmailRequest } from '../../../src/shared/domain/documents/document-record.ts';
import { failDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import type { NewDocument } from '../../../src/shared/domain/documents/reserve-documents.ts';
import type { FinishedDocument } from '../../../src/shared/domain/documents/settle-documents.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { grantCredits } from '../../../src/shared/domain/quota/grant-credits.ts';
import { readQuotas } from '../../../src/shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../../../src/shared/domain/quota/set-subscription.ts';
import { type CreateTemplateInput, createTemplate } from '../../../src/shared/domain/templates/create-template.ts';
import { AppError, type ErrorCode } from '../../../src/shared/errors.ts';
import { newId } from '../../../src/shared/ids.ts';

export interface AccountPlan {
  readonly docs?: number;
  readonly templates?: number;
  readonly anchorDay?: number;
  readonly credits?: readonly { readonly docs: number; readonly templates?: number; readonly expiresAt?: Date }[];
  /** When the plan starts; now by default. */
  readonly at?: Date;
}

export interface TestAccount {
  readonly accountId: string;
  readonly templateId: string;
}

export interface NewAccount extends TestAccount {
  /** Accepts a document of the template and returns its id. */
  accept(changes?: Partial<NewDocument>, at?: Date): Promise<string>;
  /** Accepts a document, produces it and returns its id. */
  produce(changes?: Partial<NewDocument>, result?: Partial<FinishedDocument>): Promise<string>;
  docsLeft(at?: Date): Promise<number>;
}

/** A new account with a plan and one template. Without `docs` it has no subscription. */
export async function newAccount(db: Database, plan: AccountPlan = {}): Promise<NewAccount> {
  const { accountId } = await createAccount(db, 'test');
  const { docs, anchorDay, at } = plan;
  if (docs !== undefined || plan.templates !== undefined) {
    const subscription = { accountId, docs: docs ?? 0, templates: plan.templates ?? 1, anchorDay };
    await setSubscription(db, subscription, at);
  }
  for (const { docs: creditDocs, templates, expiresAt } of plan.credits ?? []) {
    await grantCredits(db, { accountId, docs: creditDocs, templates: templates ?? 1, expiresAt }, at);
  }
  const { id: templateId } = await createTemplate(db, templateInput(accountId), at);
  const account = { accountId, templateId };
  return {
    ...account,
    accept: (changes, acceptedAt) => acceptOne(db, account, changes, acceptedAt),
    produce: (changes, result) => produceOne(db, account, changes, result),
    docsLeft: async (asOf) => (await readQuotas(db, accountId, asOf)).remaining.total.docs,
  };
}

/** Accepts a document and returns its id. */
export async function acceptOne(
  db: Database,
  { accountId, templateId }: TestAccount,
  changes: Partial<NewDocument> = {},
  at?: Date,
): Promise<string> {
  return (await acceptDocument(db, accountId, documentRequest(templateId, changes), at)).id;
}

/** Accepts a document, produces it and returns its id. */
export async function produceOne(
  db: Database,
  account: TestAccount,
  changes?: Partial<NewDocument>,
  result?: Partial<FinishedDocument>,
): Promise<string> {
  const claim = await claimed(db, await acceptOne(db, account, changes));
  await succeedDocument(db, claim, finishedDocument(claim, result));
  return claim.id;
}

export const internalError = { code: 'internal', message: 'Internal server error' } as const;

/** Claims a document and fails it. */
export async function failOne(db: Database, id: string, code: ErrorCode = 'internal'): Promise<void> {
  await failDocument(db, await claimed(db, id), { code, message: 'It failed' });
}

/** A request for an e-mail to these addresses. */
export function emailTo(...to: string[]): EmailRequest {
  return { deliveryId: newId('dlv'), to, cc: [], bcc: [], subject: null, body: null };
}

export function templateInput(accountId: string, changes: Partial<CreateTemplateInput> = {}): CreateTemplateInput {
  const id = newId('tpl');
  return {
    id,
    accountId,
    name: 'Letter.docx',
    objectKey: `templates/${accountId}/${id}/${newId('upl')}.docx`,
    sizeBytes: 1_024,
    checksum: randomBytes(32).toString('hex'),
    tags: ['name'],
    fonts: [],
    ...changes,
  };
}

export function documentRequest(templateId: string, changes: Partial<NewDocument> = {}): NewDocument {
  return {
    id: newId('doc'),
    templateId,
    format: 'docx',
    filename: null,
    pdfOptions: null,
    renderOptions: null,
    email: null,
    isKept: false,
    dataChecksum: randomBytes(32).toString('hex'),
    ...changes,
  };
}

export function finishedDocument(claim: ClaimedDocument, changes: Partial<FinishedDocument> = {}): FinishedDocument {
  const mustLast = claim.isKept;
  const key = `results/${claim.accountId}/${claim.id}/${claim.attemptToken}.${claim.format}`;
  return {
    result: { store: mustLast ? 'object' : 'redis', key, sizeBytes: 2_048, checksum: randomBytes(32).toString('hex') },
    pages: null,
    engine: null,
    warnings: [],
    timings: { queueMs: 1, renderMs: 2, convertMs: 0, totalMs: 3 },
    ttlSeconds: 3_600,
    ...changes,
  };
}

export async function claimed(db: Executor, id: string): Promise<ClaimedDocument> {
  const claim = await claimDocument(db, id);
  if (claim === undefined) throw new Error(`there is nothing to claim: ${id}`);
  return claim;
}

/** `ok` or the error code of a call; rethrows errors without a code. */
export async function outcomeOf(call: Promise<unknown>): Promise<'ok' | ErrorCode> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Counts equal outcomes. */
export function tally<T extends string>(outcomes: readonly T[]): Partial<Record<T, number>> {
  const counts: Partial<Record<T, number>> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Starts `count` calls at once. */
export function together<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}
