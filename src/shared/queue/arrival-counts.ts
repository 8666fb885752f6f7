import { bullPrefix } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

/** Counts arrivals per queue and second, for two minutes. `queue` is the queue's key, such as inspect or pdf@25.2. */
export interface ArrivalCounts {
  /** Never rejects, because counting must not fail an arrival. */
  count(queue: string): Promise<void>;
  perMinute(queue: string): Promise<number>;
}

const periodSeconds = 120;

// Uses the clock of Redis, because those of the counting processes differ. The hash has a field for each second with
// arrivals.
const countScript = `
local second, period = tonumber(redis.call('TIME')[1]), tonumber(ARGV[1])
if redis.call('HINCRBY', KEYS[1], second, 1) == 1 then
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if tonumber(field) <= second - period then redis.call('HDEL', KEYS[1], field) end
  end
  redis.call('EXPIRE', KEYS[1], period)
end
return 1
`;

const sumScript = `
local second, sum = tonumber(redis.call('TIME')[1]), 0
local counts = redis.call('HGETALL', KEYS[1])
for index = 1, #counts, 2 do
  if tonumber(counts[index]) > second - tonumber(ARGV[1]) then sum = sum + tonumber(counts[index + 1]) end
end
return sum
`;

export function createArrivalCounts(redis: Redis, prefix: string): ArrivalCounts {
  const run = (script: string, queue: string): Promise<unknown> =>
    guardedRedis(() => redis.eval(script, 1, `${bullPrefix(prefix, queue)}:arrived`, periodSeconds));
  return {
    async count(queue) {
      await run(countScript, queue).catch(() => undefined);
    },
    perMinute: async (queue) => (Number(await run(sumScript, queue)) * 60) / periodSeconds,
  };
}
