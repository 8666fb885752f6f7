import type { Executor } from '../../shared/db/client.ts';
import { forgetPeople } from '../../shared/domain/api-keys/people.ts';
import { findBatches } from '../../shared/domain/batches/find-batches.ts';
import {
  findGoldenTexts,
  findTexts,
  removeGolden,
  type SearchedTable,
} from '../../shared/domain/erasure/find-texts.ts';
import {
  removeEvents,
  removeIdempotencyTexts,
  scrubBatches,
  scrubWebhookDeliveries,
} from '../../shared/domain/erasure/scrub-documents.ts';
import { findErased } from '../../shared/domain/erasure/stop-documents.ts';
import { type AddressMatcher, matchAddress } from './address-matcher.ts';
import { eraseDocuments } from './erase-documents.ts';
import { emptyEventStreams, findWaitingData } from './erase-from-redis.ts';
import { findRows } from './find-rows.ts';
import type { Stores } from './stores.ts';

export interface RecipientErasure {
  readonly documents: number;
  readonly webhookEvents: number;
  readonly webhookDeliveries: number;
  readonly batches: number;
  readonly idempotencyKeys: number;
  readonly goldenData: number;
}

const rowsAtOnce = 200;

/**
 * Erases an e-mail address, in one account or in all: every document that was or will be sent to it or whose request
 * contains it, and every other string that contains it.
 */
export async function eraseRecipient(
  stores: Stores,
  address: string,
  accountId: string | undefined,
): Promise<RecipientErasure> {
  const { db } = stores;
  const matcher = matchAddress(address);
  const documents = await findDocuments(stores, matcher, accountId);
  const erased = await eraseDocuments(stores, [...documents]);
  const filter = { accountId, clue: matcher.clue };
  const events = await inGroups(find(db, 'webhookEvents', matcher, accountId), (rows) =>
    removeEvents(
      db,
      rows.map(({ id }) => id),
    ),
  );
  const answers = await inGroups(find(db, 'webhookDeliveries', matcher, accountId), (rows) =>
    scrubWebhookDeliveries(
      db,
      rows.map(({ id }) => id),
    ),
  );
  const batches = await inGroups(find(db, 'batches', matcher, accountId), async (rows) => {
    for (const batch of await findBatches(
      db,
      rows.map(({ id }) => id),
    )) {
      for await (const page of stores.objects.list(`batches/${batch.accountId}/${batch.id}/`))
        await stores.objects.remove(page.flatMap(({ key }) => (key.startsWith(batch.inputKey) ? [] : [key])));
    }
    await scrubBatches(
      db,
      rows.map(({ id }) => id),
    );
  });
  const keys = await removeIdempotencyTexts(db, filter, matcher.isIn);
  let goldenCount = 0;
  for await (const each of findGoldenTexts(db, accountId, matcher.clue)) {
    if (!matcher.isIn(parsed(each.text))) continue;
    await removeGolden(db, each);
    goldenCount += 1;
  }
  await forgetPeople(db, accountId, matcher.isIn);
  await emptyEventStreams(stores);
  return {
    documents: erased,
    webhookEvents: events,
    webhookDeliveries: answers,
    batches,
    idempotencyKeys: keys,
    goldenData: goldenCount,
  };
}

async function findDocuments(
  stores: Stores,
  matcher: AddressMatcher,
  accountId: string | undefined,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of ['generations', 'deliveries'] as const)
    for await (const { documentId } of find(stores.db, name, matcher, accountId))
      if (documentId !== undefined) found.add(documentId);
  for await (const id of findRows(stores, matcher.isIn, accountId)) found.add(id);
  const isNamed = (data: Buffer): boolean => matcher.isIn(parsed(data.toString('utf8')));
  const waiting = await findErased(stores.db, await findWaitingData(stores, isNamed));
  for (const document of waiting)
    if (accountId === undefined || document.accountId === accountId) found.add(document.id);
  return found;
}

async function* find(db: Executor, name: SearchedTable, { clue, isIn }: AddressMatcher, accountId: string | undefined) {
  for await (const row of findTexts(db, name, { accountId, clue })) if (isIn(row.texts)) yield row;
}

async function inGroups<T>(rows: AsyncIterable<T>, work: (rows: readonly T[]) => Promise<void>): Promise<number> {
  let count = 0;
  let group: T[] = [];
  for await (const row of rows) {
    group.push(row);
    count += 1;
    if (group.length < rowsAtOnce) continue;
    await work(group);
    group = [];
  }
  if (group.length > 0) await work(group);
  return count;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
