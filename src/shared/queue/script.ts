import { createHash } from 'node:crypto';
import type { Redis } from './redis.ts';

/** A Lua script and the hash under which Redis caches it. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

export type ScriptReply = string | number | null | readonly ScriptReply[];
/** The reply of a script that returns bytes: all strings in it are bytes. */
export type BinaryReply = Buffer | number | null | readonly BinaryReply[];

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
    if (!isUnknownScript(error)) throw error;
    return (await redis.eval(lua, keys.length, ...keys, ...args)) as ScriptReply;
  }
}

/** Like `runScript`, for a script that returns bytes. */
export async function runBinaryScript(
  redis: Redis,
  { lua, sha1 }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<BinaryReply> {
  try {
    return (await redis.callBuffer('evalsha', sha1, keys.length, ...keys, ...args)) as BinaryReply;
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return (await redis.callBuffer('eval', lua, keys.length, ...keys, ...args)) as BinaryReply;
  }
}

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT');
