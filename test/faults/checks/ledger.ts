import { violations } from '../../support/domain/invariants.ts';
import type { Harness } from '../harness/harness.ts';

const known = new Set<string>();

/** L1, L2, L3 and what rows can tell of E1. The rows of a run share a database: what an earlier one left is told once. */
export async function checkLedger(h: Harness): Promise<string[]> {
  const found = await violations(h.backing.postgres.pool, { isQuiet: true });
  const fresh = found.filter((violation) => !known.has(violation));
  for (const violation of fresh) known.add(violation);
  return fresh;
}

/** L2 and L3 as a client sees them: every document that was answered is there and charged, and no other one is. */
export async function checkCharges(h: Harness): Promise<string[]> {
  const faults: string[] = [];
  let unanswered = 0;
  for (const { accountId } of h.accounts) {
    const answered = [...h.history.delivered.values()].filter((order) => order.accountId === accountId).length;
    const { succeeded = 0 } = await h.statuses(accountId);
    if (answered > succeeded) faults.push(`L3 ${accountId}: ${answered} documents answered, ${succeeded} made`);
    unanswered += Math.max(0, succeeded - answered);
  }
  if (unanswered > h.allowedUnanswered)
    faults.push(`L2 ${unanswered} documents charged that no answer delivered, ${h.allowedUnanswered} expected at most`);
  return faults;
}
