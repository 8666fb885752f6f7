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
 * woken, or the caller is told to add some.
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

const script = (body: string): Script => createScript(`${common}${body}`);

/** ARGV: id, account, payload, ttl in ms. Adds nothing when the entry is live. Returns 1 if the caller must add a ticket. */
export const enqueueScript = script(`
local id, account, payload, ttl = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local live, lost = isLive(id)
if live then return math.min(1, countMissing()) end
if lost then redis.call('HDEL', base .. ':assigned', lost) end
local entry = base .. ':entry:' .. id
local now = readTime()
if lost then redis.call('DEL', entry) end
redis.call('HSET', entry, 'account', account, 'payload', payload, 'arrival', now)
redis.call('PEXPIRE', entry, ttl)
enter(account, id, now)
redis.call('PEXPIRE', base .. ':waiting:' .. account, ttl)
return math.min(1, countMissing())
`);

/**
 * Defines `finish`: replaces the charge made at the start with the actual use. A repair may have treated the ticket as
 * lost in the meantime, and it may serve another entry already; the entry is therefore found by its own id.
 */
const finishing = `
local function finish(ticket, id, worked, isDone, costTtl)
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

/**
 * ARGV: default cost in ms, ttl of `waiters` in ms, ttl of costs in ms, free permits, permits per account, the
 * worker's id, the time in ms for which tickets stay idle, the beginning of the keys of data or '', the maximum size of
 * data that is returned, and the number of holders. Then the account and held permits of each holder; the number of finished entries and for each its ticket, id, working time in ms, and 1 if it is done or 0
 * if the ticket will run again; and for each ticket its id, the token of its lock or '', and 1 if it may stay idle or 0.
 *
 * Returns for each ticket the id, account, payload, waiting time in ms and perhaps data of its entry; or 'wait' if only entries wait that
 * it may not take, 'idle' if it shall stay until it is woken, 'end' otherwise. Then the number of missing tickets.
 */
export const takeScript = script(`${finishing}
local defaultCost, waitersTtl, costTtl = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local free, limit, worker, idleMs = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local dataKeys, mostBytes = ARGV[8], tonumber(ARGV[9])
local holders, held, at = tonumber(ARGV[10]), {}, 11
for index = at, at + 2 * holders - 1, 2 do held[ARGV[index]] = tonumber(ARGV[index + 1]) end
at = at + 2 * holders
local finishes = tonumber(ARGV[at])
for index = at + 1, at + 4 * finishes, 4 do
  finish(ARGV[index], ARGV[index + 1], tonumber(ARGV[index + 2]), ARGV[index + 3] == '1', costTtl)
end
at = at + 1 + 4 * finishes
local now = readTime()

local function isAllowed(account)
  local count = held[account] or 0
  return count < limit and (free > 1 or (count == 0 and free == 1))
end

local function grant(id, account, payload, arrival)
  if not held[account] then holders = holders + 1 end
  held[account] = (held[account] or 0) + 1
  free = free - 1
  local data = nil
  if dataKeys ~= '' then
    local size = redis.call('STRLEN', dataKeys .. id)
    if size > 0 and size <= mostBytes then data = redis.call('GET', dataKeys .. id) end
  end
  return { id, account, payload, math.floor((now - arrival) / 1000), data }
end

-- The entry of a ticket that runs again, after a failed attempt or the loss of its worker.
local function resume(ticket)
  local id = redis.call('HGET', base .. ':assigned', ticket)
  if not id then return nil end
  local entry = redis.call('HMGET', base .. ':entry:' .. id, 'account', 'payload', 'arrival', 'ticket')
  if entry[4] == ticket and isAllowed(entry[1]) then
    return grant(id, entry[1], entry[2], tonumber(entry[3]))
  end
  redis.call('HDEL', base .. ':assigned', ticket)
  if entry[4] == ticket then
    redis.call('HDEL', base .. ':entry:' .. id, 'ticket')
    enter(entry[1], id, entry[3])
  end
end

local function pop(account)
  while true do
    local id = redis.call('ZPOPMIN', base .. ':waiting:' .. account)[1]
    if not id then return nil end
    redis.call('ZREM', base .. ':arrivals', id)
    local entry = redis.call('HMGET', base .. ':entry:' .. id, 'payload', 'arrival')
    if entry[1] then return id, entry[1], tonumber(entry[2]) end
  end
end

local function charge(account, id, ticket, start)
  local cost = tonumber(redis.call('GET', base .. ':cost:' .. account) or defaultCost)
  local finish = start + cost
  if redis.call('EXISTS', base .. ':waiting:' .. account) == 1 then
    redis.call('ZADD', base .. ':accounts', finish, account)
  else
    redis.call('ZREM', base .. ':accounts', account)
  end
  redis.call('ZADD', base .. ':times', finish, account)
  if start > tonumber(redis.call('GET', base .. ':clock') or 0) then
    redis.call('SET', base .. ':clock', start)
    redis.call('ZREMRANGEBYSCORE', base .. ':times', '-inf', string.format('(%.17g', start))
  end
  redis.call('HSET', base .. ':entry:' .. id, 'ticket', ticket, 'charged', cost, 'finish', finish)
  redis.call('HSET', base .. ':assigned', ticket, id)
end

-- Only accounts that hold permits can be refused, so an allowed account is found among the first few.
local function takeNext(ticket)
  local candidates = redis.call('ZRANGE', base .. ':accounts', 0, holders, 'WITHSCORES')
  for index = 1, #candidates, 2 do
    local account = candidates[index]
    if isAllowed(account) then
      local id, payload, arrival = pop(account)
      if id then
        charge(account, id, ticket, tonumber(candidates[index + 1]))
        return grant(id, account, payload, arrival)
      end
      redis.call('ZREM', base .. ':accounts', account)
      return takeNext(ticket)
    end
  end
end

-- A worker that was frozen may have lost its ticket to another one, which then takes entries with it.
local function isHeld(ticket, token)
  return token == '' or redis.call('GET', bull .. ticket .. ':lock') == token
end

local replies, mustAnnounce = {}, false
for index = at, #ARGV, 3 do
  local ticket, reply = ARGV[index], 'end'
  redis.call('ZREM', base .. ':woken', ticket)
  if isHeld(ticket, ARGV[index + 1]) then
    reply = resume(ticket) or takeNext(ticket)
    if not reply then
      if redis.call('ZCARD', base .. ':accounts') > 0 then
        reply, mustAnnounce = 'wait', true
      elseif ARGV[index + 2] == '1' and free > 1 then
        reply = 'idle'
        redis.call('ZADD', base .. ':idle', now + idleMs * 1000, ticket .. ' ' .. worker)
      else
        reply = 'end'
        redis.call('ZREM', base .. ':idle', ticket .. ' ' .. worker)
      end
    end
  end
  replies[#replies + 1] = reply
end
if mustAnnounce then redis.call('SET', base .. ':waiters', 1, 'PX', waitersTtl) end
return { replies, countMissing() }
`);

/** ARGV: ttl of costs in ms, then for each finished entry the same as for `takeScript`. */
export const finishScript = script(`${finishing}
for index = 2, #ARGV, 4 do
  finish(ARGV[index], ARGV[index + 1], tonumber(ARGV[index + 2]), ARGV[index + 3] == '1', ARGV[1])
end
`);

/** ARGV: ids. Returns 1 for each entry that waits or is assigned to a live ticket, otherwise 0. */
export const liveScript = script(`
local live = {}
for index, id in ipairs(ARGV) do live[index] = isLive(id) and 1 or 0 end
return live
`);

/** ARGV: id. Removes the entry if it waits. An account without entries is removed once it would be served next. */
export const withdrawScript = script(`
local entry = redis.call('HMGET', base .. ':entry:' .. ARGV[1], 'account', 'ticket')
if not entry[1] or entry[2] then return 0 end
redis.call('ZREM', base .. ':waiting:' .. entry[1], ARGV[1])
redis.call('ZREM', base .. ':arrivals', ARGV[1])
return redis.call('DEL', base .. ':entry:' .. ARGV[1])
`);

/**
 * ARGV: account. Returns the number and age in ms of all waiting entries, of those of the account, and the number of
 * accounts.
 */
export const backlogScript = script(`
local now = readTime()
local function read(key)
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return redis.call('ZCARD', key), oldest[2] and math.floor((now - tonumber(oldest[2])) / 1000) or 0
end
local depth, age = read(base .. ':arrivals')
local ownDepth, ownAge = read(base .. ':waiting:' .. ARGV[1])
return { depth, age, ownDepth, ownAge, redis.call('ZCARD', base .. ':accounts'), redis.call('HLEN', base .. ':assigned') }
`);

/**
 * ARGV: ttl of entries in ms. Removes what expired entries and lost tickets left behind, and returns the number of
 * missing tickets. Lost tickets are rare, so each call checks only a random sample of the assigned ones; over time, all
 * are found.
 */
export const repairScript = script(`
local oldest = readTime() - tonumber(ARGV[1]) * 1000
redis.call('ZREMRANGEBYSCORE', base .. ':arrivals', '-inf', string.format('%.17g', oldest))
local tickets = redis.call('HRANDFIELD', base .. ':assigned', 100)
for _, ticket in ipairs(tickets) do
  if redis.call('EXISTS', bull .. ticket) == 0 then redis.call('HDEL', base .. ':assigned', ticket) end
end
return countMissing()
`);
