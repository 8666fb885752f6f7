import type { Database } from '../../../src/shared/db/client.ts';
import type { RecipientResult } from '../../../src/shared/db/schema/deliveries.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  type DeliveryOutcome,
  settleDelivery,
} from '../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { findDelivery } from '../../../src/shared/domain/deliveries/find-delivery.ts';
import { emailTo, newAccount } from './accounts.ts';

export const minuteMs = 60_000;

export interface TestDelivery {
  readonly accountId: string;
  readonly documentId: string;
  readonly id: string;
}

/** A successful document with a pending delivery to a, b and c. */
export async function newDelivery(db: Database): Promise<TestDelivery> {
  const account = await newAccount(db, { docs: 2 });
  const email = { ...emailTo('a@example.com'), cc: ['b@example.com'], bcc: ['c@example.com'] };
  const documentId = await account.produce({ email, isKept: true });
  return { accountId: account.accountId, documentId, id: email.deliveryId };
}

export async function claimedDelivery(db: Database, id: string, leaseMs = minuteMs): Promise<ClaimedDelivery> {
  const delivery = await claimDelivery(db, id, leaseMs);
  if (delivery === undefined) throw new Error(`the delivery cannot be claimed: ${id}`);
  return delivery;
}

/** The results of a, b and c; one status applies to all three. */
export function recipients(a: RecipientResult['status'], b = a, c = a): RecipientResult[] {
  return [a, b, c].map((status, index) => ({ address: `${'abc'[index]}@example.com`, status }));
}

export function settleAttempt(
  db: Database,
  attempt: ClaimedDelivery,
  status: DeliveryOutcome['status'],
  results: RecipientResult[],
  retryInMs = 0,
): Promise<boolean> {
  return settleDelivery(db, attempt, { status, recipients: results, reply: '250 OK', retryInMs });
}

/** The status of the delivery and of its recipients, in one line. */
export async function statusOf(db: Database, { accountId, id }: Omit<TestDelivery, 'documentId'>): Promise<string> {
  const { status, recipients: results } = await findDelivery(db, accountId, id);
  return `${status}: ${results.map((recipient) => recipient.status).join(' ')}`;
}
