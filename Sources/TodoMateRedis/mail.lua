-- The address that an account has mail sent to, once somebody who reads it has confirmed it, and links for a new password that
-- are sent there.
--
--   todomate:{uid}:profile  hash  mail: the confirmed address; mailOffer: the digest of a confirming link's secret, when it ends
--                                 in seconds since 1970, and the address that waits for it; mailReset: as `reset` of resets.lua,
--                                 for a link that was sent by mail
--
-- No key leads from an address to accounts: whoever has forgotten the password names the account, and several may have one address.
-- A link that was mailed stands beside the operator's, which strangers who ask for mails must not be able to end. It ends like
-- that one, and with another address.

;(function()

local SECONDS_LEAST, SECONDS_MOST = 60, 2592000
local ADDRESS_BYTES, LOCAL_BYTES, LABEL_BYTES = 254, 64, 63
local ATOM = "^[%w!#$%%&'*+/=?^_`{|}~-]+$"

-- Calls `body` with each part between dots, the empty ones too.
local function eachPart(text, body)
  for part in (text .. '.'):gmatch('([^.]*)%.') do body(part) end
end

-- A dot-atom of RFC 5322 at a name of hosts: nothing that would have to be quoted, in a mail or elsewhere.
local function checkAddress(address)
  local name, domain = match(address, '^([^@]+)@([^@]+)$')
  local isGood = name and #address <= ADDRESS_BYTES and #name <= LOCAL_BYTES
  if isGood then
    eachPart(name, function(part) isGood = isGood and find(part, ATOM) end)
    eachPart(domain, function(part)
      isGood = isGood and #part <= LABEL_BYTES and find(part, '^[%w-]+$') and not find(part, '^%-') and not find(part, '%-$')
    end)
  end
  if not isGood then fail('INVALID', 'an address of mail must look like alice@example.org, in ASCII') end
end

-- The address that waits for a link, and the digest and the end of that; nothing once its time is over.
local function offerOf(key)
  local offer = call('HGET', key .. ':profile', 'mailOffer')
  local digest, expires, address = match(offer or '', '^(%S+) (%d+) (%S+)$')
  if not digest or expires + 0 <= account.seconds() then return nil end
  return address, digest, expires
end

local function noteMail(key, kind, address) noteEvent(key, kind, ',"name":"' .. escaped(address) .. '"') end

--[[
  todomate_mail: reads the address of an account, and the one that waits to be confirmed.

  KEYS[1]  todomate:{uid}; reads :profile
  answer   {"address":…,"pending":…,"until":<seconds since 1970>}, without what there is not
]]
local function mail(key)
  local address, fields = call('HGET', key .. ':profile', 'mail'), {}
  if address then fields[1] = '"address":"' .. escaped(address) .. '"' end
  local pending, _, expires = offerOf(key)
  if pending then fields[#fields + 1] = '"pending":"' .. escaped(pending) .. '","until":' .. expires end
  return '{' .. table.concat(fields, ',') .. '}'
end

--[[
  todomate_offer_mail: has whoever reads an address confirm that it is for this account; what waited before ends.

  KEYS[1]  todomate:{uid}; writes :profile
  args[1]  the digest of the link's secret, 22 characters of base64url
  args[2]  for how many seconds
  args[3]  the address
  args[4]  the generation whose password was checked; optional
  answer   1
  errors   INVALID, NOT_FOUND, CONFLICT, LEAVING
]]
local function offer(key, uid, args)
  account.checkID(args[1])
  local length = account.checkSeconds(args[2], SECONDS_LEAST, SECONDS_MOST)
  checkAddress(args[3])
  refuseWhileLeaving(key)
  account.checkGeneration(key, uid, args[4])
  local expires = wholeDigits(account.seconds() + length)
  call('HSET', key .. ':profile', 'mailOffer', args[1] .. ' ' .. expires .. ' ' .. args[3])
  return 1
end

--[[
  todomate_confirm_mail: takes the address that waits for a link, which ends. Links for a password that were sent to another
  address end as well.

  KEYS[1]  todomate:{uid}; writes :profile :events
  args[1]  the digest of the link's secret
  answer   the address, and the one before or an empty text
  errors   INVALID, NOT_FOUND, CONFLICT, LEAVING
]]
local function confirm(key, uid, args)
  account.checkID(args[1])
  local address, digest = offerOf(key)
  -- One answer for an unknown user, a wrong secret, and a link that was used or is over.
  if digest ~= args[1] or not hasPassword(key) then
    fail('NOT_FOUND', 'this link is not valid (any more): ask for another')
  end
  refuseWhileLeaving(key)
  if account.isSuspended(key) then account.failSuspended(uid) end
  local before = call('HGET', key .. ':profile', 'mail') or ''
  call('HSET', key .. ':profile', 'mail', address)
  call('HDEL', key .. ':profile', 'mailOffer')
  if before ~= address then
    call('HDEL', key .. ':profile', 'mailReset')
    noteMail(key, 'mail-changed', address)
  end
  return {address, before}
end

--[[
  todomate_remove_mail: takes the address of an account away, the one that waits to be confirmed, and links for a password that
  were sent there.

  KEYS[1]  todomate:{uid}; writes :profile :events
  args[1]  the generation whose password was checked; optional
  answer   the address, or an empty text where there was none
  errors   NOT_FOUND, CONFLICT
]]
local function remove(key, uid, args)
  account.checkGeneration(key, uid, args[1])
  local before = call('HGET', key .. ':profile', 'mail') or ''
  call('HDEL', key .. ':profile', 'mail', 'mailOffer', 'mailReset')
  if before ~= '' then noteMail(key, 'mail-removed', before) end
  return before
end

--[[
  todomate_offer_mailed_reset: lets whoever has a secret set the password once, where it can be sent to them; the one that was
  mailed before ends.

  KEYS[1]  todomate:{uid}; writes :profile
  args[1]  the digest of the secret, 22 characters of base64url
  args[2]  for how many seconds
  answer   the address to send it to; an empty text without an account, without a confirmed address, and while suspended
  errors   INVALID
]]
local function offerReset(key, _, args)
  account.checkID(args[1])
  local length = account.checkSeconds(args[2], SECONDS_LEAST, SECONDS_MOST)
  local address = call('HGET', key .. ':profile', 'mail')
  if not address or not hasPassword(key) or account.isSuspended(key) then return '' end
  call('HSET', key .. ':profile', 'mailReset', args[1] .. ' ' .. wholeDigits(account.seconds() + length))
  return address
end

register('todomate_mail', '', 0, 0, {'no-writes'}, mail)
register('todomate_offer_mail', ' <digest> <seconds> <address> [<generation>]', 3, 4, {}, offer)
register('todomate_confirm_mail', ' <digest>', 1, 1, {}, confirm)
register('todomate_remove_mail', ' [<generation>]', 0, 1, {'allow-oom'}, remove)
register('todomate_offer_mailed_reset', ' <digest> <seconds>', 2, 2, {}, offerReset)

end)()
