import { createScript, type Script } from '../script.ts';

/**
 * Keys of a fair queue, below `base`:
 * - `entry:<id>`: a waiting or assigned entry: account, payload, arrival in microseconds, and its ticket once assigned;
 * - `waiting:<account>`: the account's waiting entries by arrival; `arrivals`: those of all accounts;
 * - `accounts`: accounts with waiting entries by virtual time, the working time (ms) at which their next entry starts;
 * - `times`: virtual times that are ahead of the clock, of idle accounts too;
 * - `clock`: the virtual time at which newcomers start, at most a second of work after any that waits;
 * - `cost:<account>`: what its entries usually take, in ms;
 * - `assigned`: entries by ticket;
 * - `waiters`: exists while a worker holds tickets that it cannot use; then arrivals are published;
 * - `idle`: tickets that found no entry and stay with their workers, as `<ticket> <worker>`, by the time (µs) until which
 *   they are expected to stay;
 * - `woken`: idle tickets that were woken and have not taken an entry yet, by the same time.
 *
 * A script that leaves waiting entries makes sure that a ticket comes for them: one waits in BullMQ, an idle one is
 * woken, or the caller must add some.
 */
const common = `
local base, bull = KEYS[1], KEYS[2]

local function readTime()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- The number of tickets that the caller must add. When one of them has taken an entry, the same is asked again.
local function countMissing()
  local waiting = redis.call('ZCARD', base .. ':arrivals')
  if waiting == 0 or redis.call('LLEN', bull .. 'wait') > 0 then return 0 end
  local now = readTime()
  waiting = waiting - redis.call('ZCOUNT', base .. ':woken', now, '+inf')
  while waiting > 0 do
    local idle = redis.call('ZPOPMAX', base .. ':idle')
    if not idle[1] then return math.min(waiting, 4) end
    if tonumber(idle[2]) > now then
      local ticket, worker = string.match(idle[1], '^(.*) (.*)$')
      -- No receiver: the worker is lost, or is connected to another node of the cluster.
      if redis.call('PUBLISH', base .. ':wake:' .. worker, ticket) > 0 then
        redis.call('ZADD', base .. ':woken', idle[2], ticket)
        waiting = waiting - 1
      end
    end
  end
  return 0
end

local function enter(account, id, arrival)
  redis.call('ZADD', base .. ':waiting:' .. account, arrival, id)
  redis.call('ZADD', base .. ':arrivals', arrival, id)
  if not redis.call('ZSCORE', base .. ':accounts', account) then
    local clock = tonumber(redis.call('GET', base .. ':clock') or 0)
    local own = tonumber(redis.call('ZSCORE', base .. ':times', account) or 0)
    -- A newcomer starts after those that have waited until this time.
    redis.call('ZADD', base .. ':accounts', math.max(clock + 0.001, own), account)
  end
  if redis.call('EXISTS', base .. ':waiters') == 1 then
    redis.call('PUBLISH', base .. ':wake', account)
  end
end

local function isLive(id)
  local entry = redis.call('HMGET', base .. ':entry:' .. id, 'account', 'ticket')
  if not entry[1] then return false end
  return not entry[2] or redis.call('EXISTS', bull .. entry[2]) == 1, entry[2]
end
`;

/** A script that may call the functions above. */
export const script = (body: string): Script => createScript(`${common}${body}`);

/**
 * Defines `finish`: replaces the charge made at the start with the actual use. A repair may have treated the ticket as
 * lost in the meantime, and it may serve another entry already; the entry is therefore found by its own id.
 */
export const finishing = `
local function finish(ticket, token, id, worked, isDone, costTtl)
  -- A worker that was frozen has lost its ticket to another one, which serves the entry again.
  local lock = token ~= '' and redis.call('GET', bull .. ticket .. ':lock')
  if lock and lock ~= token then return end
  local key = base .. ':entry:' .. id
  local entry = redis.call('HMGET', key, 'account', 'charged', 'finish', 'ticket')
  if entry[4] == ticket then
    local account, correction = entry[1], worked - tonumber(entry[2])
    local time = tonumber(redis.call('ZSCORE', base .. ':times', account) or entry[3]) + correction
    if time > tonumber(redis.call('GET', base .. ':clock') or 0) then
      redis.call('ZADD', base .. ':times', time, account)
    else
      redis.call('ZREM', base .. ':times', account)
    end
    if redis.call('ZSCORE', base .. ':accounts', account) then
      redis.call('ZINCRBY', base .. ':accounts', correction, account)
    end
    -- Rises fast and falls slowly: an account that becomes slow must not be undercharged for long.
    local usual = tonumber(redis.call('GET', base .. ':cost:' .. account) or worked)
    local weight = worked > usual and 0.5 or 0.1
    redis.call('SET', base .. ':cost:' .. account, usual + (worked - usual) * weight, 'PX', costTtl)
    -- The clock advances by each account's fair share of the work. Otherwise a stream of newcomers would all start
    -- before an account that was busy earlier.
    local next = redis.call('ZRANGE', base .. ':accounts', 0, 0, 'WITHSCORES')[2]
    if next then
      local clock = tonumber(redis.call('GET', base .. ':clock') or 0)
      local moved = clock + worked / (redis.call('ZCARD', base .. ':accounts') + 1)
      moved = math.min(moved, tonumber(next) + 1000)
      if moved > clock then redis.call('SET', base .. ':clock', moved) end
    end
    if isDone then redis.call('DEL', key) else redis.call('HSET', key, 'charged', 0, 'finish', time) end
  end
  if isDone and redis.call('HGET', base .. ':assigned', ticket) == id then
    redis.call('HDEL', base .. ':assigned', ticket)
  end
end
`;
