import type { Pool } from 'pg';
import { afterAll, expect } from 'vitest';
import { violations } from './invariants.ts';

/** Fails when the tests of a file have broken a rule of billing or delivery. */
export function keepRules(pool: Pool): void {
  afterAll(async () => expect(await violations(pool)).toEqual([]));
}
