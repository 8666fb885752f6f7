import { finishing, script } from './script-parts.ts';

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
 * ARGV: default cost in ms, ttl of `waiters` in ms, ttl of costs in ms, free permits, permits per account, the worker's
 * id, the time in ms for which tickets stay idle, the beginning of the keys of data or '', the maximum size of data
 * that is returned, and the number of holders. Then the account and held permits of each holder; the number of finished
 * entries and for each its ticket, the token of its lock or '', its id, working time in ms, and 1 if it is done or 0 if
 * the ticket will run again; and for each ticket its id, the token, 1 if it may stay idle or 0, and 1 if it is known to
 * have no entry or 0.
 *
 * Returns for each ticket the id, account, payload, waiting time in ms and perhaps data of its entry; or 'wait' if only
 * entries wait that it may not take, 'idle' if it should stay until it is woken, 'end' otherwise. Then the number of
 * missing tickets.
 */
export const takeScript = script(`${finishing}
local defaultCost, waitersTtl, costTtl = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local free, limit, worker, idleMs = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local dataKeys, mostBytes = ARGV[8], tonumber(ARGV[9])
local holders, held, at = tonumber(ARGV[10]), {}, 11
for index = at, at + 2 * holders - 1, 2 do held[ARGV[index]] = tonumber(ARGV[index + 1]) end
at = at + 2 * holders
local finishes = tonumber(ARGV[at])
for index = at + 1, at + 5 * finishes, 5 do
  finish(ARGV[index], ARGV[index + 1], ARGV[index + 2], tonumber(ARGV[index + 3]), ARGV[index + 4] == '1', costTtl)
end
at = at + 1 + 5 * finishes
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

-- What a ticket that got no entry shall do.
local function refuse(ticket, mayStay)
  if redis.call('ZCARD', base .. ':accounts') > 0 then return 'wait' end
  if mayStay and free > 1 then
    redis.call('ZADD', base .. ':idle', now + idleMs * 1000, ticket .. ' ' .. worker)
    return 'idle'
  end
  redis.call('ZREM', base .. ':idle', ticket .. ' ' .. worker)
  return 'end'
end

local replies, isExhausted = {}, false
for index = at, #ARGV, 4 do
  local ticket, token, isKnown = ARGV[index], ARGV[index + 1], ARGV[index + 3] == '1'
  local reply = 'end'
  if not isKnown then redis.call('ZREM', base .. ':woken', ticket) end
  if isKnown and isExhausted then
    reply = 'wait'
  elseif token == '' or redis.call('GET', bull .. ticket .. ':lock') == token then
    reply = not isKnown and resume(ticket) or takeNext(ticket) or refuse(ticket, ARGV[index + 2] == '1')
    isExhausted = isExhausted or reply == 'wait'
  end
  replies[#replies + 1] = reply
end
if isExhausted then redis.call('SET', base .. ':waiters', 1, 'PX', waitersTtl) end
return { replies, countMissing() }
`);

/** ARGV: ttl of costs in ms, then for each finished entry the same as for `takeScript`. */
export const finishScript = script(`${finishing}
for index = 2, #ARGV, 5 do
  finish(ARGV[index], ARGV[index + 1], ARGV[index + 2], tonumber(ARGV[index + 3]), ARGV[index + 4] == '1', ARGV[1])
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
local now = readTime()
local oldest = now - tonumber(ARGV[1]) * 1000
for _, key in ipairs({ base .. ':idle', base .. ':woken' }) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
redis.call('ZREMRANGEBYSCORE', base .. ':arrivals', '-inf', string.format('%.17g', oldest))
local tickets = redis.call('HRANDFIELD', base .. ':assigned', 100)
for _, ticket in ipairs(tickets) do
  if redis.call('EXISTS', bull .. ticket) == 0 then redis.call('HDEL', base .. ':assigned', ticket) end
end
return countMissing()
`);
