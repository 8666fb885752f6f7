import { violations } from '../../support/domain/invariants.ts';
import type { Harness } from '../harness/harness.ts';

const known = new Set<string>();

/** L1, L2, L3 and the part of E1 visible in rows. Rows share a database: each violation is reported only once. */
export async function checkLedger(h: Harness): Promise<string[]> {
  const found = await violations(h.backing.postgres.pool, { isQuiet: true });
  const unseen = found.filter((violation) => !known.has(violation));
  for (const violation of unseen) known.add(violation);
  return unseen;
}

/** L2 and L3 from the client's view: exactly the answered documents exist and are charged. */
export async function checkCharges(h: Harness): Promise<string[]> {
  const faults: string[] = [];
  let unanswered = 0;
  for (const { accountId } of h.accounts) {
    const answered = [...h.history.delivered.values()].filter((document) => document.accountId === accountId).length;
    const { succeeded = 0 } = await h.statuses(accountId);
    if (answered > succeeded) faults.push(`L3 ${accountId}: ${answered} documents answered, ${succeeded} produced`);
    unanswered += Math.max(0, succeeded - answered);
  }
  if (unanswered > h.allowedUnanswered)
    faults.push(`L2 ${unanswered} documents charged without an answer, at most ${h.allowedUnanswered} expected`);
  return faults;
}
