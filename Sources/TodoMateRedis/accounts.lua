-- Signing in.
--
--   todomate:{uid}:addresses  sorted set  address ranges that signed in, scored by when in seconds; the last 20, for
--                                         half a year
--
-- Wrong passwords are counted by the workers: written here, they would show which names have an account.

;(function()

local ADDRESSES_MOST = 20
local ADDRESSES_SECONDS = '15552000'

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

register('todomate_login', ' <address>', 1, 1, {'no-writes'}, login)
register('todomate_logged_in', ' <address>', 1, 1, {'allow-oom'}, loggedIn)

end)()
