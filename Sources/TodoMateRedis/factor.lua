-- The second factor of an account: codes by time (RFC 6238), and recovery codes for when those cannot be had.
--
--   todomate:{uid}:factor  hash  secret    what codes are made of, sealed by the workers: nothing here opens it
--                                since     since when, in seconds since 1970
--                                step      that of the last code taken: no code of it or of an earlier one is taken again
--                                tries     when all tries will be there again, in seconds since 1970
--                                recovery  the digests of the recovery codes that are left, with spaces between
--                                pending   a secret that waits for its first code, and `until` when, in seconds
--
-- Wrong codes are counted here, unlike wrong passwords: whoever comes as far as this knows the password, so that it shows no
-- stranger which names have an account; and the count is one over all workers, and outlives them.

;(function()

local SECONDS_LEAST, SECONDS_MOST = 60, 3600
local TRIES_MOST, TRY_SECONDS = 10, 3600  -- ten wrong codes at once, and one more an hour
local RECOVERY_MOST = 20
local REFUSED_MOST = 20  -- whoever guesses codes leaves room for what else happened

local function checkSealed(text)
  if #text > 256 or not find(text, '^[%w_-]+$') then fail('INVALID', 'a sealed secret must be base64url') end
end

local function checkWhole(name, text)
  if not find(text, '^%d+$') or #text > 12 then fail('INVALID', name .. ' must be a whole number') end
  return text + 0
end

local function checkDigests(text)
  local count = 0
  for digest in text:gmatch('[^ ]+') do
    account.checkID(digest)
    count = count + 1
  end
  if count < 1 or count > RECOVERY_MOST then fail('INVALID', 'give 1 to ' .. RECOVERY_MOST .. ' digests of recovery codes') end
end

local function noFactor(uid) fail('NOT_FOUND', uid .. ' has no second factor (any more)') end

-- How long the next try has to wait, in seconds, and what is noted once it is spent (a token bucket, kept as when it is full).
local function nextTry(key, now)
  local whole = tonumber(call('HGET', key .. ':factor', 'tries') or 0)
  -- A clock that went back shuts nobody out for longer than the bucket takes to fill.
  whole = math.max(now, math.min(whole, now + TRIES_MOST * TRY_SECONDS)) + TRY_SECONDS
  return whole - TRIES_MOST * TRY_SECONDS - now, wholeDigits(whole)
end

local function countOf(digests)
  local _, count = (digests or ''):gsub('[^ ]+', '')
  return count
end

--[[
  todomate_factor: reads what there is of a second factor.

  KEYS[1]  todomate:{uid}; reads :factor
  answer   {"secret":…,"since":…,"step":…,"left":<recovery codes>,"pending":…}, `secret` to `left` where it is on, `pending`
           where one waits for its first code
]]
local function factor(key)
  local secret, since, step, recovery, pending, till =
    unpack(call('HMGET', key .. ':factor', 'secret', 'since', 'step', 'recovery', 'pending', 'until'))
  local fields = {}
  if secret then
    fields[1] = '"secret":"' .. escaped(secret) .. '","since":' .. wholeDigits(tonumber(since) or 0)
      .. ',"step":' .. wholeDigits(tonumber(step) or 0) .. ',"left":' .. countOf(recovery)
  end
  if pending and (tonumber(till) or 0) > account.seconds() then
    fields[#fields + 1] = '"pending":"' .. escaped(pending) .. '"'
  end
  return '{' .. table.concat(fields, ',') .. '}'
end

--[[
  todomate_prepare_factor: keeps a secret until its first code shows that somebody has it; one of before is replaced.

  KEYS[1]  todomate:{uid}; writes :factor, reads :profile
  args[1]  the sealed secret
  args[2]  for how many seconds
  answer   1
  errors   INVALID, NOT_FOUND, EXISTS
]]
local function prepare(key, uid, args)
  checkSealed(args[1])
  local length = account.checkSeconds(args[2], SECONDS_LEAST, SECONDS_MOST)
  account.check(key, uid)
  if call('HEXISTS', key .. ':factor', 'secret') == 1 then
    fail('EXISTS', uid .. ' has a second factor: turn it off first')
  end
  call('HSET', key .. ':factor', 'pending', args[1], 'until', wholeDigits(account.seconds() + length))
  return 1
end

--[[
  todomate_turn_on_factor: turns on what waits for its first code, and ends all sign-ins but one. Tokens go on.

  KEYS[1]  todomate:{uid}; writes :factor :sessions :events, publishes on :changes, reads :profile
  args[1]  the sealed secret that waits
  args[2]  the step of its first code
  args[3]  the digests of the recovery codes, with spaces between
  args[4]  the id of the sign-in that goes on
  answer   the ids of the sign-ins that ended, with spaces between
  errors   INVALID, NOT_FOUND, EXISTS
]]
local function turnOn(key, uid, args)
  local sealed, step, digests, kept = unpack(args)
  checkSealed(sealed)
  checkWhole('step', step)
  checkDigests(digests)
  account.check(key, uid)
  local factorKey = key .. ':factor'
  local secret, pending, till = unpack(call('HMGET', factorKey, 'secret', 'pending', 'until'))
  if secret then fail('EXISTS', uid .. ' has a second factor: turn it off first') end
  if pending ~= sealed or (tonumber(till) or 0) <= account.seconds() then
    fail('NOT_FOUND', 'no second factor of ' .. uid .. ' waits for its first code (any more): begin again')
  end
  -- The one that asks may have ended since its request came. Tokens are for programs, which have no codes.
  local ended = account.endOthers(key, uid, kept, 'sign-in')
  call('DEL', factorKey)
  call('HSET', factorKey, 'secret', sealed, 'since', wholeDigits(account.seconds()), 'step', step, 'recovery', digests)
  noteEvent(key, 'factor-on', ',"count":' .. #ended)
  return table.concat(ended, ' ')
end

--[[
  todomate_try_code: takes a code, of each step no more than one, or counts a wrong one.

  KEYS[1]  todomate:{uid}; writes :factor :events
  args[1]  the sealed secret that the code was compared with
  args[2]  the step that the code is of; 0 for a wrong one
  args[3]  the network that it came from
  args[4]  the secret as it is sealed from now on; optional
  answer   1 where it was taken; 0 for a wrong code, or one of a step that was taken; -<seconds> where it was not looked at, as
           ten were wrong, and the next may come in so many seconds
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function try(key, uid, args)
  local sealed, network, renewed = args[1], account.checkLabel('from', args[3]), args[4]
  checkSealed(sealed)
  if renewed then checkSealed(renewed) end
  local step = checkWhole('step', args[2])
  local factorKey = key .. ':factor'
  local secret, last = unpack(call('HMGET', factorKey, 'secret', 'step'))
  if not secret then noFactor(uid) end
  if secret ~= sealed then fail('CONFLICT', 'the second factor of ' .. uid .. ' has changed meanwhile: try again') end
  local wait, whole = nextTry(key, account.seconds() + 0)
  -- Also a right one: whoever guesses must not learn that.
  if wait > 0 then return -wait end
  if step <= (tonumber(last) or 0) then
    call('HSET', factorKey, 'tries', whole)
    noteRefusal(key, 'code-refused', network, REFUSED_MOST)
    return 0
  end
  call('HSET', factorKey, 'step', args[2], 'secret', renewed or secret)
  return 1
end

--[[
  todomate_use_recovery: takes a recovery code, which is good once. Nobody guesses one, so that wrong ones are not counted.

  KEYS[1]  todomate:{uid}; writes :factor :events
  args[1]  the code's digest
  args[2]  the network that it came from
  answer   how many are left
  errors   INVALID, NOT_FOUND
]]
local function useRecovery(key, uid, args)
  account.checkID(args[1])
  local network = account.checkLabel('from', args[2])
  local secret, recovery = unpack(call('HMGET', key .. ':factor', 'secret', 'recovery'))
  if not secret then noFactor(uid) end
  local left, isThere = {}, false
  for digest in (recovery or ''):gmatch('[^ ]+') do
    if digest == args[1] then isThere = true else left[#left + 1] = digest end
  end
  if not isThere then fail('NOT_FOUND', uid .. ' has no such recovery code (any more)') end
  call('HSET', key .. ':factor', 'recovery', table.concat(left, ' '))
  noteEvent(key, 'recovery-used', network .. ',"count":' .. #left)
  return #left
end

--[[
  todomate_renew_recovery: puts other recovery codes in the place of those of before.

  KEYS[1]  todomate:{uid}; writes :factor :events
  args[1]  the codes' digests, with spaces between
  answer   1
  errors   INVALID, NOT_FOUND
]]
local function renewRecovery(key, uid, args)
  checkDigests(args[1])
  if call('HEXISTS', key .. ':factor', 'secret') == 0 then noFactor(uid) end
  call('HSET', key .. ':factor', 'recovery', args[1])
  noteEvent(key, 'recovery-made')
  return 1
end

--[[
  todomate_turn_off_factor: takes a second factor away, and what waits for its first code.

  KEYS[1]  todomate:{uid}; writes :factor :events, reads :profile
  answer   1, or 0 where it was not on
  errors   NOT_FOUND
]]
local function turnOff(key, uid)
  account.check(key, uid)
  local was = call('HEXISTS', key .. ':factor', 'secret')
  call('DEL', key .. ':factor')
  if was == 1 then noteEvent(key, 'factor-off') end
  return was
end

register('todomate_factor', '', 0, 0, {'no-writes'}, factor)
register('todomate_prepare_factor', ' <sealed secret> <seconds>', 2, 2, {}, prepare)
register('todomate_turn_on_factor', ' <sealed secret> <step> <digests> <session id>', 4, 4, {}, turnOn)
register('todomate_try_code', ' <sealed secret> <step> <network> [<sealed secret>]', 3, 4, {'allow-oom'}, try)
register('todomate_use_recovery', ' <digest> <network>', 2, 2, {'allow-oom'}, useRecovery)
register('todomate_renew_recovery', ' <digests>', 1, 1, {}, renewRecovery)
register('todomate_turn_off_factor', '', 0, 0, {'allow-oom'}, turnOff)

end)()
