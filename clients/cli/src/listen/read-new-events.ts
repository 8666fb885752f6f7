import type { components } from '@docmill/client';

type Delivery = components['schemas']['WebhookDelivery'];

/** Lists the deliveries of a webhook, newest first. */
export type ListDeliveries = (webhookId: string) => AsyncIterable<Delivery>;

export interface NewEvents {
  /** Oldest first. */
  readonly events: readonly Delivery[];
  /** Whether there were more events than are read at a time. */
  readonly isCut: boolean;
}

/** Several processes write rows, so a row may appear after rows that were written later. */
const lookBackMs = 60_000;
const maxEvents = 500;

/**
 * Reads the events of webhooks from now on. The first call for a webhook returns nothing and remembers its existing
 * events; each further call returns the new ones. An event sent to several webhooks is returned once.
 */
export function createEventReader(list: ListDeliveries) {
  /** By webhook: the time of its newest delivery, and the deliveries seen since a minute before it. */
  const places = new Map<string, { newestMs: number; readonly seen: Map<string, number> }>();
  const sent = new Set<string>();

  return async (webhookId: string): Promise<NewEvents> => {
    const known = places.get(webhookId);
    const place = known ?? { newestMs: Number.NEGATIVE_INFINITY, seen: new Map<string, number>() };
    places.set(webhookId, place);
    const floorMs = place.newestMs - lookBackMs;
    const added: Delivery[] = [];
    let isCut = false;
    for await (const delivery of list(webhookId)) {
      const createdMs = Date.parse(delivery.createdAt);
      if (createdMs < floorMs) break;
      if (!place.seen.has(delivery.id)) added.push(delivery);
      place.seen.set(delivery.id, createdMs);
      place.newestMs = Math.max(place.newestMs, createdMs);
      // Existing events are skipped; only the newest of them have to be remembered.
      if (known === undefined && createdMs < place.newestMs - lookBackMs) break;
      isCut = added.length >= maxEvents;
      if (isCut) break;
    }
    for (const [id, createdMs] of place.seen) if (createdMs < place.newestMs - lookBackMs) place.seen.delete(id);
    if (known === undefined) return { events: [], isCut: false };
    const events = added.reverse().filter(({ eventId }) => !sent.has(eventId));
    for (const { eventId } of events) sent.add(eventId);
    for (const eventId of sent) {
      if (sent.size <= 10 * maxEvents) break;
      sent.delete(eventId);
    }
    return { events, isCut };
  };
}
