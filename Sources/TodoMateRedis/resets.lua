-- Links by which a user who has forgotten the password sets another one, once.
--
--   todomate:{uid}:profile  hash  reset: the digest of the link's secret and when it ends, in seconds since 1970; mailReset: the
--                                 same of one that was sent by mail (mail.lua)
--
-- Each ends with use, with the next password, with the account, after its time, and where another one is made the same way.

;(function()

local SECONDS_LEAST, SECONDS_MOST = 60, 2592000

-- One answer for an unknown user, a wrong secret, and a link that was used or is over.
local function checkReset(key, uid, id)
  account.checkID(id)
  local password, reset, mailed = unpack(call('HMGET', key .. ':profile', 'password', 'reset', 'mailReset'))
  local isGood = false
  for _, text in ipairs({reset or '', mailed or ''}) do
    local digest, expires = match(text, '^(%S+) (%d+)$')
    isGood = isGood or digest == id and expires + 0 > account.seconds() + 0
  end
  if not password or not isGood then
    fail('NOT_FOUND', 'this link is not valid (any more): ask for another')
  end
  if account.isSuspended(key) then account.failSuspended(uid) end
end

--[[
  todomate_offer_reset: lets whoever has a secret set the password once; what an operator offered before ends.

  KEYS[1]  todomate:{uid}; writes :profile
  args[1]  the digest of the secret, 22 characters of base64url
  args[2]  for how many seconds
  answer   1
  errors   INVALID, NOT_FOUND
]]
local function offerReset(key, uid, args)
  account.checkID(args[1])
  local length = account.checkSeconds(args[2], SECONDS_LEAST, SECONDS_MOST)
  account.check(key, uid)
  call('HSET', key .. ':profile', 'reset', args[1] .. ' ' .. wholeDigits(account.seconds() + length))
  return 1
end

--[[
  todomate_check_reset: tells whether a link is good, before a password is hashed for it.

  KEYS[1]  todomate:{uid}; reads :profile
  args[1]  the digest of the secret
  answer   1
  errors   INVALID, NOT_FOUND, CONFLICT
]]
register('todomate_check_reset', ' <digest>', 1, 1, {'no-writes'}, function(key, uid, args)
  checkReset(key, uid, args[1])
  return 1
end)

--[[
  todomate_reset_password: sets the password by a link, which ends, and ends all sessions.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :events, publishes on :changes
  args[1]  the digest of the secret
  args[2]  the password's hash
  answer   the account's generation
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function resetPassword(key, uid, args)
  account.checkHash(args[2])
  checkReset(key, uid, args[1])
  local generation = account.nextGeneration(key)
  account.endAll(key, generation)
  call('HSET', key .. ':profile', 'password', args[2])
  call('HDEL', key .. ':profile', 'reset', 'mailReset', 'mailOffer')
  noteEvent(key, 'password-changed')
  return generation
end

register('todomate_offer_reset', ' <digest> <seconds>', 2, 2, {}, offerReset)
register('todomate_reset_password', ' <digest> <password hash>', 2, 2, {'allow-oom'}, resetPassword)

end)()
