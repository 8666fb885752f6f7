/** What an endpoint can ask for. */
export const eventTypes = [
  'document.succeeded',
  'document.failed',
  'batch.completed',
  'email.failed',
  'quota.warning',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Sent to one endpoint when its owner asks for it, whatever the endpoint has subscribed to. */
export const testEventType = 'webhook.test';
