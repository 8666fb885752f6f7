import type { Database } from '../../db/client.ts';
import { coalesce } from '../../db/coalesce.ts';
import { claimGeneration, claimGenerations } from './claim-generation.ts';
import type { ClaimedGeneration } from './generation-record.ts';

export type Claim = (id: string) => Promise<ClaimedGeneration | undefined>;

const mostAtOnce = 64;

/** As `claimGeneration`; documents that come while others are being claimed are claimed in one statement. */
export function createClaimer(db: Database, mostWaitMs: number): Claim {
  return coalesce<string, ClaimedGeneration | undefined>({
    keyOf: () => '',
    one: (id) => claimGeneration(db, id),
    many: async (ids) => {
      const claims = new Map((await claimGenerations(db, [...new Set(ids)])).map((claim) => [claim.id, claim]));
      // One that was asked for twice is claimed by its first caller; the second claims it anew, and fences the first.
      return ids.map((id, index) => (ids.indexOf(id) === index ? claims.get(id) : undefined));
    },
    mostAtOnce,
    mostWaitMs,
  });
}
