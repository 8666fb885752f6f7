import type { Database } from '../../db/client.ts';
import { coalesce } from '../../db/coalesce.ts';
import { type Acceptance, acceptGeneration } from './accept-generation.ts';
import type { GenerationRequest } from './generation-request.ts';
import { reserveDocuments } from './reserve-documents.ts';

export type Accept = (accountId: string, request: GenerationRequest) => Promise<Acceptance>;

const mostAtOnce = 64;

interface Order {
  readonly accountId: string;
  readonly request: GenerationRequest;
}

/**
 * As `acceptGeneration`; what one key orders while its last order is being written is written in one statement. When that
 * does not hold them all (little quota left, a template that is not found), each is accepted or refused alone.
 */
export function createAcceptor(db: Database, mostWaitMs: number): Accept {
  const accept = coalesce<Order, Acceptance>({
    keyOf: ({ accountId, request }) => `${accountId} ${request.keyId}`,
    one: ({ accountId, request }) => acceptGeneration(db, accountId, request),
    many: (orders) => acceptAll(db, orders),
    mostAtOnce,
    mostWaitMs,
  });
  return (accountId, request) => accept({ accountId, request });
}

async function acceptAll(db: Database, orders: readonly Order[]): Promise<readonly (Acceptance | undefined)[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const of = { accountId: first.accountId, keyId: first.request.keyId };
  const rows = await reserveDocuments(
    db,
    of,
    orders.map(({ request }) => request),
  );
  const held = new Map(rows.filter((row) => row.is_held).map((row) => [row.id, row.filename]));
  return orders.map(({ request: { id } }) => {
    const filename = held.get(id);
    return filename === undefined || filename === null ? undefined : { id, filename };
  });
}
