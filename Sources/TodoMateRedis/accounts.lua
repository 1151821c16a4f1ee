-- Signing in.
--
--   todomate:{uid}:addresses  sorted set  address ranges that signed in, scored by when in seconds; the last 20, for half a year
--
-- Wrong passwords are counted by the workers and not here: a name that is nobody's writes nothing, and one that is somebody's
-- cannot be told from it. What is kept is written by right passwords alone.

;(function()
  local ADDRESSES_MOST = 20
  local ADDRESSES_SECONDS = '15552000'

  local function checkAddress(address)
    if #address > 64 or not find(address, '^[0-9a-f.:/]+$') then
      fail('INVALID', 'an address must be a numeric one, or its network with a length')
    end
  end

  -- What signing in has to know: the password's hash, or nothing, and whether this address signed in before.
  local function login(key, _, args)
    checkAddress(args[1])
    local isKnown = call('ZSCORE', key .. ':addresses', args[1])
    return {call('HGET', key .. ':profile', 'password'), isKnown and 1 or 0}
  end

  -- Remembers the address of somebody who has given the right password.
  local function loggedIn(key, uid, args)
    local address, addresses = args[1], key .. ':addresses'
    checkAddress(address)
    if call('HEXISTS', key .. ':profile', 'password') == 0 then fail('NOT_FOUND', uid .. ' has no password') end
    call('ZADD', addresses, call('TIME')[1], address)
    local tooMany = call('ZCARD', addresses) - ADDRESSES_MOST
    for _, oldest in ipairs(tooMany > 0 and call('ZRANGE', addresses, '0', digits(tooMany - 1)) or {}) do
      call('ZREM', addresses, oldest)
    end
    call('EXPIRE', addresses, ADDRESSES_SECONDS)
    return 'OK'
  end

  register('todomate_login', ' <address>', 1, 1, {'no-writes'}, login)
  -- Also when memory is full: whoever cannot sign in cannot remove anything. It is bounded, and only accounts have it.
  register('todomate_logged_in', ' <address>', 1, 1, {'allow-oom'}, loggedIn)
end)()
