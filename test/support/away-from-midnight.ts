import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach } from 'vitest';

const dayMs = 86_400_000;
const marginMs = 120_000;

// Quota months, daily limits, usage and partitions change at midnight (UTC): a test that began before it and ended
// after it would see two of them.
beforeEach(async () => {
  while (dayMs - (Date.now() % dayMs) < marginMs) await delay(1_000);
}, 2 * marginMs);
