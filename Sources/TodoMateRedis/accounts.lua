-- Signing in.
--
--   todomate:{uid}:addresses  sorted set  address ranges that signed in, scored by when in seconds; the last 20, for
--                                         half a year
--
-- Wrong passwords are counted by the workers: written here, they would show which names have an account.

;(function()

local ADDRESSES_MOST = 20
local ADDRESSES_SECONDS = '15552000'
local REFUSED_MOST, REFUSED_MILLISECONDS = 50, 60000

local function checkAddress(address)
  if #address > 64 or not find(address, '^[0-9a-f.:/]+$') then
    fail('INVALID', 'an address must be a numeric one, or its network with a length')
  end
end

--[[
  todomate_login: reads what signing in has to know.

  KEYS[1]  todomate:{uid}; reads :profile :addresses
  args[1]  the client's address or network
  answer   the password's hash or nil, and 1 if this address signed in before, else 0
  errors   INVALID
]]
local function login(key, _, args)
  checkAddress(args[1])
  local isKnown = call('ZSCORE', key .. ':addresses', args[1])
  return {call('HGET', key .. ':profile', 'password'), isKnown and 1 or 0}
end

--[[
  todomate_logged_in: remembers the address of a user who gave the right password.

  KEYS[1]  todomate:{uid}; writes :addresses, reads :profile
  args[1]  the client's address or network
  answer   OK
  errors   INVALID, NOT_FOUND
]]
local function loggedIn(key, uid, args)
  local address, addresses = args[1], key .. ':addresses'
  checkAddress(address)
  if not hasPassword(key) then fail('NOT_FOUND', uid .. ' has no password') end
  call('ZADD', addresses, call('TIME')[1], address)
  local tooMany = call('ZCARD', addresses) - ADDRESSES_MOST
  for _, oldest in ipairs(tooMany > 0 and call('ZRANGE', addresses, '0', digits(tooMany - 1)) or {}) do
    call('ZREM', addresses, oldest)
  end
  call('EXPIRE', addresses, ADDRESSES_SECONDS)
  return 'OK'
end

--[[
  todomate_refused: notes that somebody gave a wrong password for an account; where there is one, once a minute at most.

  KEYS[1]  todomate:{uid}; writes :events, reads :profile
  args[1]  the network that it came from
  answer   1 if that was noted, else 0
  errors   INVALID
]]
local function refused(key, _, args)
  checkAddress(args[1])
  if not hasPassword(key) then return 0 end
  local now = call('TIME')
  local since = now[1] * 1000 + math.floor(now[2] / 1000) - REFUSED_MILLISECONDS
  return noteRefusal(key, 'refused', ',"from":"' .. args[1] .. '"', REFUSED_MOST, since)
end

register('todomate_refused', ' <network>', 1, 1, {}, refused)
register('todomate_login', ' <address>', 1, 1, {'no-writes'}, login)
register('todomate_logged_in', ' <address>', 1, 1, {'allow-oom'}, loggedIn)

end)()
