-- What the operator of an installation decides about accounts: who is suspended, what each may have, and who has the
-- operator's role.
--
--   todomate:{uid}:profile  hash  suspended: since when, in seconds since 1970, and suspendedFor: why, where that was said;
--                                 role: operator; bytesMost, todosMost, tokensMost, writesMost, the writes of todos in a
--                                 minute, and invitationsMost, the open invitations made by oneself, each where it is
--                                 not the server's
--
-- A suspended account keeps its sessions, which are not live until it is resumed: programs go on with their tokens then. What
-- others see of the person stays.

;(function()

local REASON_LENGTH = 200
local SUSPENDED = {'suspended', 'suspendedFor'}
-- The names of limits in JSON, in the order of `account.LIMITS`, and how large each may be.
local LIMIT_NAMES = {'bytes', 'todos', 'tokens', 'writes', 'invitations'}
local LARGEST = {bytes = 1073741824, todos = 50000, tokens = 500, writes = 60000, invitations = 50}

-- Who did something, as the rest of an event's JSON; whoever has Redis itself need not say it.
local function byOf(by)
  if not by then return '' end
  checkUID(by)
  return ',"by":"' .. by .. '"'
end

-- Has workers read anew which sessions are live.
local function publishLive(key, ended)
  account.publishEnd(key, call('HGET', key .. ':profile', 'generation') or '0', ended)
end

local function refuseOperator(profileKey, uid)
  if call('HGET', profileKey, 'role') ~= 'operator' then return end
  fail('CONFLICT', uid .. " is an operator: take the role away first with 'todomate user role " .. uid .. " none'")
end

local function checkReason(reason)
  local isFine = checkText('reason', reason, REASON_LENGTH) <= REASON_LENGTH
  if not isFine or find(reason, '%c') or find(reason, '\194[\128-\159]') or find(reason, '\226\128[\168-\174]') then
    fail('INVALID', 'reason must be one line of at most ' .. REASON_LENGTH .. ' characters')
  end
  return isBlank(reason) and '' or reason
end

--[[
  todomate_suspend: suspends an account: nobody signs in to it, and none of its sessions is live.

  KEYS[1]  todomate:{uid}; writes :profile :events, publishes on :changes, reads :sessions
  args[1]  why, for the person: one line of at most 200 characters, or nothing
  args[2]  the operator who does it from the page, who can suspend neither themselves nor other operators; optional
  answer   1, or 0 where it was suspended for that reason already
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function suspend(key, uid, args)
  local profileKey, by = key .. ':profile', args[2]
  local reason, labels = checkReason(args[1]), byOf(by)
  account.check(key, uid)
  if by == uid then fail('CONFLICT', 'nobody suspends themselves: ask another operator') end
  if by then refuseOperator(profileKey, uid) end
  local since, before = unpack(call('HMGET', profileKey, 'suspended', 'suspendedFor'))
  if since and (before or '') == reason then return 0 end
  publishLive(key, call('HKEYS', key .. ':sessions'))
  call('HSET', profileKey, 'suspended', since or account.seconds())
  if reason == '' then call('HDEL', profileKey, 'suspendedFor') else call('HSET', profileKey, 'suspendedFor', reason) end
  noteEvent(key, 'suspended', labels .. (reason == '' and '' or ',"reason":"' .. escaped(reason) .. '"'))
  return 1
end

--[[
  todomate_resume: ends a suspension; the account's sessions are live again.

  KEYS[1]  todomate:{uid}; writes :profile :events, publishes on :changes
  args[1]  the operator who does it from the page; optional
  answer   1, or 0 where it was not suspended
  errors   INVALID, NOT_FOUND
]]
local function resume(key, uid, args)
  local labels = byOf(args[1])
  account.check(key, uid)
  if not account.isSuspended(key) then return 0 end
  publishLive(key, {})
  call('HDEL', key .. ':profile', unpack(SUSPENDED))
  noteEvent(key, 'resumed', labels)
  return 1
end

--[[
  todomate_suspension: reads since when and why an account is suspended.

  KEYS[1]  todomate:{uid}; reads :profile :sessions
  args[1]  the id of a session that must be the account's, for one who shows nothing else; optional
  args[2]  its generation
  answer   {"at":<seconds since 1970>,"reason":…}, without reason where none was said; empty for no suspension
]]
local function suspension(key, _, args)
  local password, generation, at, reason =
    unpack(call('HMGET', key .. ':profile', 'password', 'generation', 'suspended', 'suspendedFor'))
  local isOf = not args[1] or args[2] == generation and call('HEXISTS', key .. ':sessions', args[1]) == 1
  if not password or not at or not isOf then return '' end
  return '{"at":' .. at .. (reason and ',"reason":"' .. escaped(reason) .. '"' or '') .. '}'
end

--[[
  todomate_set_role: gives an account the operator's role, or takes it away.

  KEYS[1]  todomate:{uid}; writes :profile :events
  args[1]  operator or none
  answer   1, or 0 where it was so already
  errors   INVALID, NOT_FOUND
]]
local function setRole(key, uid, args)
  local role, profileKey = args[1], key .. ':profile'
  if role ~= 'operator' and role ~= 'none' then fail('INVALID', 'the role must be operator or none') end
  account.check(key, uid)
  if (call('HGET', profileKey, 'role') or 'none') == role then return 0 end
  if role == 'none' then call('HDEL', profileKey, 'role') else call('HSET', profileKey, 'role', role) end
  noteEvent(key, 'role-changed', ',"role":"' .. role .. '"')
  return 1
end

--[[
  todomate_role: reads the role of an account.

  KEYS[1]  todomate:{uid}; reads :profile
  answer   operator, or none; also without an account, and while it is suspended
]]
local function roleOf(key)
  local password, suspended, role = unpack(call('HMGET', key .. ':profile', 'password', 'suspended', 'role'))
  return password and not suspended and role == 'operator' and role or 'none'
end

--[[
  todomate_limit: limits what an account may have, in place of what the server allows each.

  KEYS[1]  todomate:{uid}; writes :profile :events, publishes on :changes
  args[1]  JSON with any of bytes, todos, tokens, writes of todos in a minute, and open invitations: a whole number, or
           "default"
  args[2]  the operator who does it from the page, who cannot limit other operators; optional
  answer   1, or 0 where nothing is different
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function limit(key, uid, args)
  local given, by, labels, profileKey = decodedArgument(args[1]), args[2], byOf(args[2]), key .. ':profile'
  for name, most in pairs(given) do
    local largest = LARGEST[name]
    if not largest then fail('INVALID', 'limits are ' .. table.concat(LIMIT_NAMES, ', ')) end
    local least = name == 'writes' and 1 or 0
    local isWhole = type(most) == 'number' and most % 1 == 0 and most >= least and most <= largest
    if not isWhole and most ~= 'default' then
      fail('INVALID', name .. ' must be a whole number from ' .. least .. ' to ' .. wholeDigits(largest) .. ', or default')
    end
  end
  account.check(key, uid)
  if by and by ~= uid then refuseOperator(profileKey, uid) end
  local stored, isChanged = call('HMGET', profileKey, unpack(account.LIMITS)), false
  for index, name in ipairs(LIMIT_NAMES) do
    local most = given[name] == 'default' and 'default' or given[name] and wholeDigits(given[name])
    if most and most ~= (stored[index] or 'default') then
      if not isChanged then publishLive(key, {}) end
      isChanged = true
      local field = account.LIMITS[index]
      if most == 'default' then call('HDEL', profileKey, field) else call('HSET', profileKey, field, most) end
    end
  end
  if not isChanged then return 0 end
  noteEvent(key, 'limits-changed', labels)
  return 1
end

local function text(name, value) return value and ',"' .. name .. '":"' .. escaped(value) .. '"' or '' end

local function number(name, value)
  value = value and limitOf(tostring(value))
  return value and ',"' .. name .. '":' .. wholeDigits(value) or ''
end

--[[
  todomate_account_summary: reads what an operator sees of an account: how much it has, and when it was last used, to within an
  hour; nothing of what it has.

  KEYS[1]  todomate:{uid}; reads :profile :sessions :addresses :days :log :todos :factor
  answer   {"uid":…,"todos":…,"bytes":…,"bytesMost":…,"signIns":…,"tokens":…}, with name, made, used, suspended, reason, role,
           leaving (when it is to be deleted), factor (true), and limits as todosMost, tokensMost, writesMost and invitationsMost
           behind it where there is any; empty without an account
]]
local function summary(key, uid)
  local password, name, made, suspended, reason, role, leaving, most, todos, tokens, writes, invitations =
    unpack(call('HMGET',
    key .. ':profile', 'password', 'name', 'made', 'suspended', 'suspendedFor', 'role', 'leaving', unpack(account.LIMITS)))
  if not password then return '' end
  local now, used, count = account.seconds() + 0, 0, {['sign-in'] = 0, token = 0}
  for _, session in ipairs(call('HVALS', key .. ':sessions')) do
    local kind, begun, expires, rest = session:match('^{"kind":"([a-z-]+)","made":(%d+),"expires":(%d+)(.*)$')
    if count[kind] then
      used = math.max(used, begun, rest:match('^,"used":(%d+)') or 0)
      if expires + 0 > now then count[kind] = count[kind] + 1 end
    end
  end
  -- Those who have signed out have been here all the same.
  used = math.max(used, call('ZRANGE', key .. ':addresses', '-1', '-1', 'WITHSCORES')[2] or 0)
  local bytes, bytesMost = roomOf(key, most)
  return '{"uid":"' .. uid .. '","todos":' .. call('ZCARD', daysKey) .. ',"bytes":' .. wholeDigits(bytes)
    .. ',"bytesMost":' .. wholeDigits(bytesMost) .. ',"signIns":' .. count['sign-in'] .. ',"tokens":' .. count.token
    .. text('name', name) .. number('made', made) .. number('used', used > 0 and used)
    .. number('suspended', suspended) .. text('reason', reason) .. text('role', role == 'operator' and role)
    .. number('leaving', leaving) .. (call('HEXISTS', key .. ':factor', 'secret') == 1 and ',"factor":true' or '')
    .. number('todosMost', todos) .. number('tokensMost', tokens) .. number('writesMost', writes)
    .. number('invitationsMost', invitations) .. '}'
end

register('todomate_suspend', ' <reason> [<operator>]', 1, 2, {'allow-oom'}, suspend)
register('todomate_resume', ' [<operator>]', 0, 1, {'allow-oom'}, resume)
register('todomate_suspension', ' [<session id> <generation>]', 0, 2, {'no-writes'}, suspension)
register('todomate_set_role', ' <operator | none>', 1, 1, {'allow-oom'}, setRole)
register('todomate_role', '', 0, 0, {'no-writes'}, roleOf)
register('todomate_limit', ' <json> [<operator>]', 1, 2, {'allow-oom'}, limit)
register('todomate_account_summary', '', 0, 0, {'no-writes'}, summary)

end)()
