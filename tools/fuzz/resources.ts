import type { Random } from './random.ts';
import type { Schema } from './values.ts';

/** Ids found in responses, so that requests can build on each other: upload, generate, read the job, delete. */
export interface Resources {
  /** Remembers the ids in a response. */
  learn(json: unknown, isForeign?: boolean): void;
  /** A known id for a parameter that takes one. Undefined for other parameters, or if no id is known. */
  pick(schema: Schema, isForeign: boolean): string | undefined;
}

const maxIds = 30;
const id = /^([a-z]{3})_[0-9a-z]{26}$/;

export function createResources(random: Random): Resources {
  const own = new Map<string, string[]>();
  const foreign = new Map<string, string[]>();
  return {
    learn(json, isForeign = false) {
      const pool = isForeign ? foreign : own;
      for (const value of valuesOf(json)) {
        const prefix = id.exec(value)?.[1];
        if (prefix === undefined) continue;
        const known = pool.get(prefix) ?? [];
        if (!known.includes(value)) known.push(value);
        pool.set(prefix, known.slice(-maxIds));
      }
    },
    pick({ pattern }, isForeign) {
      const prefix = /^\^(?:\(\?:)?([a-z]{3})_/.exec(pattern ?? '')?.[1];
      const known = prefix === undefined ? undefined : (isForeign ? foreign : own).get(prefix);
      if (known === undefined || random.chance(isForeign ? 0 : 0.05)) return undefined;
      // Newer resources are less likely to be deleted already.
      return known[known.length - 1 - random.below(Math.min(known.length, random.chance(0.7) ? 4 : maxIds))];
    },
  };
}

function valuesOf(json: unknown): string[] {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(valuesOf) : [];
}
