import { AppError } from '../errors.ts';
import { guardedRedis } from '../queue/errors.ts';
import type { Redis } from '../queue/redis.ts';
import { createScript, runScript } from '../queue/script.ts';

export interface ByteLimits {
  /** Bytes of one account. */
  readonly accountBytes: number;
  /** Bytes of all accounts. */
  readonly totalBytes: number;
}

export interface ReconcileLimits {
  /** The time (`performance.now()`) at which to stop. The next call starts from the beginning. */
  readonly untilMs: number;
  /** Must exceed the time between reserving an item and storing it. */
  readonly graceMs: number;
}

/** A key that holds bytes of an account. */
export interface LedgerItem {
  readonly accountId: string;
  readonly key: string;
}

/**
 * Counts the bytes that accounts hold in Redis, in total and by account. An item is counted from before it is stored
 * until after it is removed, so that the sum is never too small. `reconcile` removes what a crash or an expiry leaves
 * in the ledger.
 */
export interface ByteLedger {
  /**
   * Counts an item, or replaces its size. Throws `rate_limited` at the account's limit, `unavailable` at the total
   * limit.
   */
  reserve(item: LedgerItem, sizeBytes: number): Promise<void>;
  /** Like `reserve`, but returns false at a limit. */
  tryReserve(item: LedgerItem, sizeBytes: number): Promise<boolean>;
  /** Stops counting items. Ignores those that are not counted. */
  release(items: readonly LedgerItem[]): Promise<void>;
  /** Releases items that are no longer stored, unless they were reserved less than `graceMs` ago. */
  reconcile(limits: ReconcileLimits): Promise<void>;
  readTotalBytes(): Promise<number>;
}

const retryAfterSeconds = 10;
const pageSize = 500;
const megabyte = 1024 * 1024;

/**
 * Keys below `base`: `total`, the bytes of all accounts; `accounts`, the bytes by account; `of:<account>`, the account's
 * items, with bytes and time in ms. They share one slot of a cluster; the items themselves may be on other nodes.
 *
 * ARGV: account, item, bytes, account limit, total limit. Returns 0, or the limit that was reached (1 for the account's,
 * 2 for the total), then the account's bytes. An account may use at most as much as it leaves free (dynamic thresholds,
 * Choudhury & Hahne 1998), so that some memory is left for the next account, however many fill it.
 */
const reserveScript = createScript(`
local base, account, item, bytes = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local known = redis.call('HGET', base .. ':of:' .. account, item)
local added = bytes - (known and tonumber(string.match(known, '^%d+')) or 0)
local own = tonumber(redis.call('ZSCORE', base .. ':accounts', account) or 0)
local total = tonumber(redis.call('GET', base .. ':total') or 0)
if added > 0 and own + added > tonumber(ARGV[4]) then return { 1, own } end
if added > 0 and own + added > tonumber(ARGV[5]) - total then return { 2, own } end
local time = redis.call('TIME')
redis.call('HSET', base .. ':of:' .. account, item, bytes .. ' ' .. (time[1] * 1000 + math.floor(time[2] / 1000)))
redis.call('ZINCRBY', base .. ':accounts', added, account)
redis.call('INCRBY', base .. ':total', added)
return { 0, own + added }
`);

/**
 * ARGV: for each item its account, the item, and the value that it must have, or '' for any. A full Redis accepts the
 * script, because its first command needs no memory.
 */
const releaseScript = createScript(`
local base = KEYS[1]
for index = 1, #ARGV, 3 do
  local account, item, expected = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  local known = redis.call('HGET', base .. ':of:' .. account, item)
  if known and (expected == '' or known == expected) then
    local bytes = tonumber(string.match(known, '^%d+'))
    redis.call('HDEL', base .. ':of:' .. account, item)
    local own = tonumber(redis.call('ZINCRBY', base .. ':accounts', -bytes, account))
    if own <= 0 then redis.call('ZREM', base .. ':accounts', account) end
    if redis.call('DECRBY', base .. ':total', bytes) <= 0 then redis.call('DEL', base .. ':total') end
  end
end
return redis.status_reply('OK')
`);

/**
 * ARGV: account. Stops counting an account that has no items left: `delete-account` removes every key that names it,
 * possibly including the items before they are released. A full Redis accepts the script for the same reason.
 */
const dropScript = createScript(`
local base, account = KEYS[1], ARGV[1]
if redis.call('EXISTS', base .. ':of:' .. account) == 0 then
  local own = tonumber(redis.call('ZSCORE', base .. ':accounts', account) or 0)
  redis.call('ZREM', base .. ':accounts', account)
  if own > 0 and redis.call('DECRBY', base .. ':total', own) <= 0 then redis.call('DEL', base .. ':total') end
end
return redis.status_reply('OK')
`);

export function createByteLedger(redis: Redis, prefix: string, limits: ByteLimits): ByteLedger {
  const base = `{${prefix}-bytes}`;
  const { accountBytes, totalBytes } = limits;
  const reserve = async ({ accountId, key }: LedgerItem, sizeBytes: number): Promise<AppError | undefined> => {
    const args = [accountId, key, sizeBytes, accountBytes, totalBytes];
    const reply = await guardedRedis(() => runScript(redis, reserveScript, [base], args));
    const [limit, ownBytes] = reply as readonly [number, number];
    if (limit === 0) return undefined;
    return limit === 1 ? accountFull(ownBytes, accountBytes) : serviceFull();
  };
  const release = async (items: readonly (LedgerItem & { readonly value?: string })[]): Promise<void> => {
    if (items.length === 0) return;
    const args = items.flatMap(({ accountId, key, value = '' }) => [accountId, key, value]);
    await guardedRedis(() => runScript(redis, releaseScript, [base], args));
  };
  const reconcileAccount = async (accountId: string, beforeMs: number): Promise<void> => {
    let cursor = '0';
    let hasItems = false;
    do {
      const [next, fields] = await guardedRedis(() =>
        redis.hscan(`${base}:of:${accountId}`, cursor, 'COUNT', pageSize),
      );
      cursor = next;
      hasItems ||= fields.length > 0;
      const items = toPairs(fields).filter(({ value }) => Number(value.split(' ')[1]) < beforeMs);
      const areStored = await guardedRedis(() => Promise.all(items.map(({ key }) => redis.exists(key))));
      // Releases only the value that was read, because the item may have been stored again.
      await release(items.filter((_, index) => areStored[index] === 0).map((item) => ({ accountId, ...item })));
    } while (cursor !== '0');
    if (!hasItems) await guardedRedis(() => runScript(redis, dropScript, [base], [accountId]));
  };
  return {
    async reserve(item, sizeBytes) {
      const refusal = await reserve(item, sizeBytes);
      if (refusal !== undefined) throw refusal;
    },
    tryReserve: async (item, sizeBytes) => (await reserve(item, sizeBytes)) === undefined,
    release,
    async reconcile({ untilMs, graceMs }) {
      const [seconds, microseconds] = await guardedRedis(() => redis.time());
      const beforeMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - graceMs;
      for (const accountId of await guardedRedis(() => redis.zrange(`${base}:accounts`, '0', '-1'))) {
        if (performance.now() > untilMs) return;
        await reconcileAccount(accountId, beforeMs);
      }
    },
    readTotalBytes: async () => Number((await guardedRedis(() => redis.get(`${base}:total`))) ?? 0),
  };
}

function toPairs(fields: readonly string[]): readonly { readonly key: string; readonly value: string }[] {
  return fields.flatMap((key, index) => (index % 2 === 0 ? [{ key, value: fields[index + 1] ?? '' }] : []));
}

function accountFull(ownBytes: number, accountBytes: number): AppError {
  const own = Math.round(ownBytes / megabyte);
  const message = `This account has ${own} MB of data and files waiting, of at most ${accountBytes / megabyte} MB. Try again when some of its requests have ended, cancel jobs that wait, or send less data: pictures can be uploaded once as assets.`;
  return new AppError('rate_limited', message, { retryAfterSeconds });
}

function serviceFull(): AppError {
  const message =
    'The memory for waiting data and files is nearly full, and accounts that use much of it must wait. Try again later, or send less data.';
  return new AppError('unavailable', message, { retryAfterSeconds });
}
