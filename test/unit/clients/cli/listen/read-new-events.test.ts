import type { components } from '@docmill/client';
import { expect, test } from 'vitest';
import { createEventReader } from '../../../../../clients/cli/src/listen/read-new-events.ts';

type Delivery = components['schemas']['WebhookDelivery'];

const startMs = Date.parse('2026-11-22T10:00:00Z');
let rows: Delivery[] = [];

const delivery = (id: string, seconds: number, eventId = id): Delivery => ({
  id,
  eventId,
  eventType: 'document.succeeded',
  body: '{}',
  status: 'delivered',
  attempts: 1,
  createdAt: new Date(startMs + seconds * 1_000).toISOString(),
});

async function* list(): AsyncGenerator<Delivery> {
  yield* rows.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

const idsOf = (events: readonly Delivery[]) => events.map(({ id }) => id);

test('only events added after the first call are returned, once, oldest first, even when they appear late', async () => {
  rows = [delivery('old', -500), delivery('before', 0)];
  const read = createEventReader(list);
  expect(await read('whk_1')).toEqual({ events: [], isCut: false });
  expect(idsOf((await read('whk_1')).events)).toEqual([]);
  rows.push(delivery('b', 2), delivery('a', 1));
  expect(idsOf((await read('whk_1')).events)).toEqual(['a', 'b']);
  rows.push(delivery('late', -20), delivery('too late', -400));
  expect(idsOf((await read('whk_1')).events)).toEqual(['late']);
  expect(idsOf((await read('whk_1')).events)).toEqual([]);
});

test('an event for two webhooks is returned once', async () => {
  rows = [];
  const read = createEventReader(list);
  await read('whk_1');
  await read('whk_2');
  rows = [delivery('a', 1, 'evt_1')];
  expect(idsOf((await read('whk_1')).events)).toEqual(['a']);
  rows = [delivery('b', 1, 'evt_1'), delivery('c', 2, 'evt_2')];
  expect(idsOf((await read('whk_2')).events)).toEqual(['c']);
});

test('a large number of events is read in bounded parts', async () => {
  rows = [];
  const read = createEventReader(list);
  await read('whk_1');
  rows = Array.from({ length: 1_200 }, (_, index) => delivery(`d${index}`, index / 100));
  const first = await read('whk_1');
  expect({ count: first.events.length, isCut: first.isCut }).toEqual({ count: 500, isCut: true });
  expect(first.events.at(-1)?.id).toBe('d1199');
});
