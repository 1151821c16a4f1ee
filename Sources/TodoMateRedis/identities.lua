-- Identities at OpenID providers, by which people sign in without a password of this server.
--
--   todomate:{uid}:identities   hash    digest of an identity -> {"provider":…,"label":…,"linked":<seconds since 1970>}
--   todomate:{digest}:identity  hash    user: whom it belongs to
--
-- The two are in different slots of a cluster, and written one after the other: first the second one, which counts only where
-- that user's table has the digest.

;(function()

local IDENTITIES_MOST = 10
-- In place of a password's hash, where nobody has ever chosen one.
local NO_PASSWORD = '$none$'
local IDENTITY_FIELDS = {provider = true, label = true}

local function checkedIdentity(id, text)
  account.checkID(id)
  local given = decodedArgument(text)
  for field in pairs(given) do
    if not IDENTITY_FIELDS[field] then fail('INVALID', 'an identity has provider and label') end
  end
  if type(given.provider) ~= 'string' or #given.provider > 32 or not find(given.provider, '^[%l%d-]+$') then
    fail('INVALID', 'provider must be at most 32 of a to z, digits and dashes')
  end
  return '{"provider":"' .. given.provider .. '"' .. account.checkLabel('label', given.label)
end

local function storeIdentity(key, uid, id, labels)
  local identities = key .. ':identities'
  if call('HEXISTS', identities, id) == 1 then return 0 end
  if call('HLEN', identities) >= IDENTITIES_MOST then
    fail('FULL', uid .. ' has ' .. IDENTITIES_MOST .. ' identities already: take one away')
  end
  call('HSET', identities, id, labels .. ',"linked":' .. account.seconds() .. '}')
  return 1
end

local function nameOf(labels) return ',"name":"' .. labels:match('^{"provider":"([^"]*)"') .. '"' end

--[[
  todomate_identity: reads whom an identity belongs to, if that user's table says so too.

  KEYS[1]  todomate:{digest}; reads :identity
  answer   the user, or nothing
  errors   INVALID
]]
local function owner(key, id)
  account.checkID(id)
  return call('HGET', key .. ':identity', 'user') or ''
end

--[[
  todomate_claim_identity: says whom an identity belongs to; todomate_link_identity or todomate_enroll_by_identity follows.

  KEYS[1]  todomate:{digest}; writes :identity
  args[1]  the user
  args[2]  whom it belonged to when that was last read; empty for nobody
  answer   1, or 0 when it belongs to somebody else by now
  errors   INVALID
]]
local function claim(key, id, args)
  account.checkID(id)
  checkUID(args[1])
  if (call('HGET', key .. ':identity', 'user') or '') ~= args[2] then return 0 end
  call('HSET', key .. ':identity', 'user', args[1])
  return 1
end

--[[
  todomate_release_identity: forgets whom an identity belonged to.

  KEYS[1]  todomate:{digest}; writes :identity
  args[1]  the user; nothing is done where it belongs to another one
  answer   1, or 0 where it does not belong to the user
  errors   INVALID
]]
local function release(key, id, args)
  account.checkID(id)
  if call('HGET', key .. ':identity', 'user') ~= args[1] then return 0 end
  return call('DEL', key .. ':identity')
end

--[[
  todomate_link_identity: lets a user sign in by an identity that was claimed for them.

  KEYS[1]  todomate:{uid}; writes :identities :events, reads :profile
  args[1]  the identity's digest, 22 characters of base64url
  args[2]  JSON with provider, and where wanted label, as which it is shown
  answer   1, or 0 where it was linked already
  errors   INVALID, NOT_FOUND, FULL, LEAVING
]]
local function link(key, uid, args)
  local labels = checkedIdentity(args[1], args[2])
  account.check(key, uid)
  refuseWhileLeaving(key)
  local isNew = storeIdentity(key, uid, args[1], labels)
  if isNew == 1 then noteEvent(key, 'identity-linked', nameOf(labels)) end
  return isNew
end

--[[
  todomate_unlink_identity: lets nobody sign in by an identity any more.

  KEYS[1]  todomate:{uid}; writes :identities :events, reads :profile
  args[1]  the identity's digest
  answer   1
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function unlink(key, uid, args)
  account.checkID(args[1])
  local text = call('HGET', key .. ':identities', args[1])
  if not text then fail('NOT_FOUND', uid .. ' has no such identity (any more)') end
  if call('HGET', key .. ':profile', 'password') == NO_PASSWORD and call('HLEN', key .. ':identities') == 1 then
    fail('CONFLICT', 'nobody could sign in as ' .. uid .. ' any more: set a password first')
  end
  call('HDEL', key .. ':identities', args[1])
  noteEvent(key, 'identity-unlinked', find(text, '^{"provider":"[%l%d-]*"') and nameOf(text))
  return 1
end

--[[
  todomate_identities: reads the identities of a user.

  KEYS[1]  todomate:{uid}; reads :identities
  answer   [{"id":…,"provider":…,"label":…,"linked":…},…], the one linked first in front
]]
local function identities(key)
  local flat, entries = call('HGETALL', key .. ':identities'), {}
  for index = 1, #flat, 2 do
    local rest, linked = flat[index + 1]:match('^{("provider":"[%l%d-]*".*"linked":(%d+)})$')
    if rest and find(flat[index], '^[%w_-]+$') then
      entries[#entries + 1] = {text = '{"id":"' .. flat[index] .. '",' .. rest, linked = linked + 0, id = flat[index]}
    end
  end
  table.sort(entries, function(left, right)
    if left.linked ~= right.linked then return left.linked < right.linked end
    return left.id < right.id
  end)
  for index, entry in ipairs(entries) do entries[index] = entry.text end
  return '[' .. table.concat(entries, ',') .. ']'
end

--[[
  todomate_enroll_by_identity: makes an account of a name under which there is nothing, for an identity that was claimed for it.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :identities :events, publishes on :changes
  args[1]  the hash of a password that nobody knows
  args[2]  the identity's digest
  args[3]  JSON, as todomate_link_identity takes it
  answer   the account's generation, also where this identity has made the account before
  errors   INVALID, EXISTS
]]
local function enrollByIdentity(key, uid, args)
  local labels = checkedIdentity(args[2], args[3])
  -- The same request once more, as its answer was lost.
  if hasPassword(key) and call('HEXISTS', key .. ':identities', args[2]) == 1 then
    return call('HGET', key .. ':profile', 'generation') or '0'
  end
  local generation = account.enroll(key, uid, {args[1], 'new'})
  call('DEL', key .. ':identities')
  storeIdentity(key, uid, args[2], labels)
  noteEvent(key, 'identity-linked', nameOf(labels))
  return generation
end

register('todomate_identity', '', 0, 0, {'no-writes'}, owner)
register('todomate_claim_identity', ' <user> <before>', 2, 2, {}, claim)
register('todomate_release_identity', ' <user>', 1, 1, {'allow-oom'}, release)
register('todomate_link_identity', ' <digest> <json>', 2, 2, {}, link)
register('todomate_unlink_identity', ' <digest>', 1, 1, {'allow-oom'}, unlink)
register('todomate_identities', '', 0, 0, {'no-writes'}, identities)
register('todomate_enroll_by_identity', ' <password hash> <digest> <json>', 3, 3, {}, enrollByIdentity)

end)()
