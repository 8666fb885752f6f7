import { createHash } from 'node:crypto';
import type { Redis } from './redis.ts';

/** A Lua script and the hash under which Redis caches it. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

export type ScriptReply = string | number | null | readonly ScriptReply[];

export const createScript = (lua: string): Script => ({ lua, sha1: createHash('sha1').update(lua).digest('hex') });

/** Sends the hash, and the source only if Redis lacks it, for example after a restart. */
export async function runScript(
  redis: Redis,
  { lua, sha1 }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<ScriptReply> {
  try {
    return (await redis.evalsha(sha1, keys.length, ...keys, ...args)) as ScriptReply;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return (await redis.eval(lua, keys.length, ...keys, ...args)) as ScriptReply;
  }
}
