-- Accounts, and the sessions that stand for them: each sign-in and each token, until it ends.
--
--   todomate:{uid}:profile   hash  password (its hash), generation; when it was `made`, in seconds since 1970; `removed` and
--                                  `purging` once the account is removed; `leaving` where its owner has decided so
--                                  (leaving.lua);
--                                  `invitation`, by which the account came to be, as <inviter>.<id>, and `welcomes` where
--                                  that inviter may follow without asking
--   todomate:{uid}:sessions  hash  session id -> {"kind":…,"made":…,"expires":…,"used":…,"from":…,"device":…,"name":…,
--                                  "scope":…}
--
-- A token counts while its generation is the account's and its id is in the table. What ends some publishes that in the
-- same step, as a message without an id: it is not logged, and whoever missed it reads which sessions are live.

-- What the files after this one use of it.
local account = {}

;(function()

local SIGN_INS_MOST, TOKENS_MOST = 100, 100
local LONGEST_SECONDS = 8640000000  -- 100,000 days
local LABEL_LENGTH = 64
local USES_MOST, USE_SECONDS = 200, 3600  -- a use is noted once an hour
local PURGED_AT_A_TIME = 500
local ENROLL_SECONDS = 60  -- a use of an invitation may be given back afterwards: the account must not be made later

local KINDS = {['sign-in'] = SIGN_INS_MOST, token = TOKENS_MOST}
-- The fields of a profile by which an operator limits an account; operator.lua writes them.
local LIMITS = {'bytesMost', 'todosMost', 'tokensMost', 'writesMost', 'invitationsMost'}
local SESSION_FIELDS = {id = true, kind = true, seconds = true, from = true, device = true, name = true,
  scope = true, factor = true, by = true}
local SCOPES = {feed = true, read = true, write = true}

local function noAccount(uid)
  fail('NOT_FOUND', uid .. " has no account: make one with 'todomate user add " .. uid .. "'")
end

local function noSession(uid) fail('NOT_FOUND', uid .. ' has no such session (any more)') end

local function checkAccount(key, uid)
  if not hasPassword(key) then noAccount(uid) end
end

-- What is known of a stored session, as the rest of an event's JSON.
local function labelsOf(id, text)
  local labels = text:match('"expires":%d+(.*)}$') or ''
  return ',"session":"' .. id:gsub('[^%w_-]', '?') .. '"' .. labels:gsub('^,"used":%d+', '')
end

local function currentSeconds() return call('TIME')[1] + 0 end

-- Later than any that the name has had, also when the clock went back.
local function nextGeneration(key)
  local last = tonumber(call('HGET', key .. ':profile', 'generation') or 0)
  return wholeDigits(math.max(momentAfter(0), last + 1))
end

-- Publishes which sessions are over: those of other generations, and these; and which one has begun, if any, and by which other one
-- that was made. As an access list may refuse that, it comes before the first write; Redis delivers it once the function has ended.
local function publishEnd(key, generation, ended, begun, by)
  local ids = {}
  -- Whatever stands in the table by hand.
  for index, id in ipairs(ended) do ids[index] = '"' .. id:gsub('[^%w_-]', '?') .. '"' end
  call(publish, key .. ':changes',
    '{"type":"sessions","generation":' .. generation .. ',"ended":[' .. table.concat(ids, ',') .. ']'
      .. (begun and ',"begun":"' .. begun .. '"' or '') .. (by and ',"by":"' .. by .. '"' or '') .. '}')
end

-- Ends some sessions, of those that a hash has.
local function endSome(key, ended)
  publishEnd(key, call('HGET', key .. ':profile', 'generation') or '0', ended)
  for _, id in ipairs(ended) do call('HDEL', key .. ':sessions', id) end
end

-- Ends all sessions but one, of a kind if one is given, and answers which; fails where there is no such one.
local function endOthers(key, uid, kept, kind)
  local flat, ended, isThere = call('HGETALL', key .. ':sessions'), {}, false
  local head = kind and '{"kind":"' .. kind .. '"' or ''
  for index = 1, #flat, 2 do
    if flat[index] == kept then
      isThere = true
    elseif flat[index + 1]:sub(1, #head) == head then
      ended[#ended + 1] = flat[index]
    end
  end
  if not isThere then noSession(uid) end
  if #ended > 0 then endSome(key, ended) end
  return ended
end

-- Ends all sessions of a user, and answers how many there were.
local function endAll(key, generation)
  local count = call('HLEN', key .. ':sessions')
  publishEnd(key, generation, {})
  call('HSET', key .. ':profile', 'generation', generation)
  call('DEL', key .. ':sessions')
  return count
end

local function checkHash(hash)
  if not find(hash, '^%$[!-~]+$') or #hash > 256 then
    fail('INVALID', 'the password must come as its hash, such as $argon2id$v=19$…')
  end
end

-- Checks how an account is to be made, and answers by which invitation.
local function checkedWay(way, by, taken, welcomes)
  if way and way ~= 'keep' and way ~= 'new' or by and (way ~= 'new' or not taken) or welcomes and welcomes ~= 'welcomes' then
    fail('USAGE', 'the second argument may be keep, or new with the invitation, when a use of it was taken, and welcomes')
  end
  if not by then return nil end
  if #by > 87 or not find(by, '^[%w._@-]+%.[%w_-]+$') or not find(taken, '^%d+$') or #taken > 12 then
    fail('INVALID', 'an invitation is the name of who invites, a dot and its id, and was taken at a time in seconds')
  end
  return by
end

--[[
  todomate_enroll: makes an account.

  KEYS[1]  todomate:{uid}; writes :profile :sessions, publishes on :changes, reads whether there are other data
  args[1]  the password's hash
  args[2]  `keep`, to hand on what a removed account left; `new`, for a name that has nothing at all; optional
  args[3]  the invitation that it is made by, as <inviter>.<id>; optional, with `new`
  args[4]  what todomate_take_invitation answered
  args[5]  `welcomes`, where who invites may follow without asking; optional
  answer   1; with `new` the account's generation, or 0 where this invitation has made the account before
  errors   USAGE, INVALID, EXISTS, CONFLICT
]]
local function enroll(key, uid, args)
  local profileKey = key .. ':profile'
  checkHash(args[1])
  local isNew = args[2] == 'new'
  local by = checkedWay(args[2], args[3], args[4], args[5])
  local password, removed, purging, origin =
    unpack(call('HMGET', profileKey, 'password', 'removed', 'purging', 'invitation'))
  if password then
    -- The same request once more, as its answer was lost.
    if by and origin == by then return '0' end
    fail('EXISTS', uid .. " has an account: change its password with 'todomate user passwd " .. uid .. "'")
  end
  if purging then
    fail('EXISTS', 'what ' .. uid .. " had is not all deleted yet: go on with 'todomate user remove --purge " .. uid .. "'")
  end
  if removed and not args[2] and hasData(key) then
    fail('EXISTS', 'what the removed account ' .. uid .. " had is still here: delete it with 'todomate user remove --purge "
      .. uid .. "', or give it to the new account with --keep-todos")
  end
  -- Whoever chooses a name must not get what somebody else wrote under it.
  if isNew and hasData(key) then fail('EXISTS', 'there is something under the name ' .. uid .. ': choose another') end
  if by and currentSeconds() > args[4] + ENROLL_SECONDS then
    fail('CONFLICT', 'the use of the invitation was taken too long ago: take it again')
  end
  local generation = nextGeneration(key)
  endAll(key, generation)
  call('HSET', profileKey, 'password', args[1], 'made', currentSeconds())
  call('HDEL', profileKey, 'removed', 'invitation', 'welcomes')
  -- What the one before was allowed is for nobody else.
  if removed and args[2] ~= 'keep' then call('HDEL', profileKey, unpack(LIMITS)) end
  if by then call('HSET', profileKey, 'invitation', by) end
  if args[5] then call('HSET', profileKey, 'welcomes', '1') end
  return isNew and generation or 1
end

--[[
  todomate_set_password: changes a password, and ends all sessions.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :events, publishes on :changes
  args[1]  the password's hash
  answer   the number of sessions that ended
  errors   INVALID, NOT_FOUND
]]
local function setPassword(key, uid, args)
  checkHash(args[1])
  checkAccount(key, uid)
  local count = endAll(key, nextGeneration(key))
  call('HSET', key .. ':profile', 'password', args[1])
  noteEvent(key, 'password-changed')
  -- Links to set a new password or to confirm an address are not good any more: whoever asked for them knew the old one.
  call('HDEL', key .. ':profile', 'reset', 'mailReset', 'mailOffer')
  return count
end

--[[
  todomate_remove_account: removes an account, and ends all its sessions and invitations.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :invitations :identities :addresses :events :factor :operations :visits,
           publishes on :changes
  args[1]  `purge`, to mark all data for deletion, also without an account; optional
  answer   1, or 0 where there was no account
  errors   USAGE, NOT_FOUND
]]
local function removeAccount(key, uid, args)
  local profileKey = key .. ':profile'
  local isPurge = args[1] == 'purge'
  if args[1] and not isPurge then fail('USAGE', 'the argument may be purge') end
  local had = call('HEXISTS', profileKey, 'password')
  if had == 0 and not isPurge then noAccount(uid) end
  local generation = nextGeneration(key)
  endAll(key, generation)
  call('HDEL', profileKey, 'password', 'reset', 'made', 'role', 'suspended', 'suspendedFor', 'mail', 'mailOffer', 'mailReset', 'welcomes')
  -- Whoever gets the name next signs in from elsewhere, invites others, and has nothing to do with what happened.
  call('DEL', key .. ':addresses', key .. ':invitations', key .. ':identities', key .. ':events', key .. ':factor',
    key .. ':operations', key .. ':visits')
  call('HSET', profileKey, 'removed', generation)
  local wasLeaving = call('HDEL', profileKey, 'leaving', 'leavingAudience', 'leavingTold') > 0
  -- What stays is somebody else's once more, and still private.
  if wasLeaving and not isPurge then call('HSET', profileKey, 'returning', '1') end
  if isPurge then call('HSET', profileKey, 'purging', generation) end
  return had
end

--[[
  todomate_purge: deletes some todos of a user who is marked for deletion, and with the last of them all the rest, the
  mark included.

  KEYS[1]  todomate:{uid}; deletes all of the user's keys, publishes on :changes
  answer   the number of todos left
  errors   INVALID
]]
local function purge(key, uid)
  local profileKey = key .. ':profile'
  if call('HEXISTS', profileKey, 'purging') == 0 then
    fail('INVALID', 'nobody has decided to delete what ' .. uid .. " has: call todomate_remove_account with purge first")
  end
  local ids = call('ZRANGE', daysKey, '0', tostring(PURGED_AT_A_TIME - 1))
  -- Those that are in no index; a page may be empty where many were deleted.
  local cursor = nil
  while #ids == 0 and cursor ~= '0' do
    local page = call('HSCAN', todosKey, cursor or '0', 'COUNT', tostring(PURGED_AT_A_TIME))
    cursor = page[1]
    for index = 1, #page[2], 2 do ids[#ids + 1] = page[2][index] end
  end
  for _, id in ipairs(ids) do
    call('DEL', key .. ':reactions:' .. id)
    call('HDEL', todosKey, id)
    call('ZREM', daysKey, id)
  end
  local left = call('HLEN', todosKey)
  if left > 0 then return left end
  publishEnd(key, '0', {})
  call('DEL', daysKey, logKey, openKey, key .. ':feed', key .. ':following', key .. ':followers', key .. ':requests',
    key .. ':blocked', key .. ':cut', key .. ':away', key .. ':unsettled', key .. ':sessions', key .. ':invitations', key .. ':addresses',
    key .. ':identities', key .. ':events', key .. ':factor', key .. ':goals', key .. ':routines',
    key .. ':operations', key .. ':visits', profileKey)
  return 0
end

--[[
  todomate_purge_stray: deletes one key of a user who is marked for deletion that no list names.

  KEYS[1]  todomate:{uid}; deletes one key, reads :profile
  args[1]  what stands behind todomate:{uid}: in its name
  args[2]  the mark that the user had when the deletion began
  answer   1, or 0 where it was gone already
  errors   INVALID, CONFLICT
]]
local function purgeStray(key, uid, args)
  if args[1] == 'profile' or args[1] == '' then fail('INVALID', 'the profile goes last, with todomate_purge') end
  -- Whoever has the name since must not lose anything.
  if call('HGET', key .. ':profile', 'purging') ~= args[2] then
    fail('CONFLICT', 'the deletion of what ' .. uid .. ' had is over')
  end
  return call('DEL', key .. ':' .. args[1])
end

--[[
  todomate_forget_reaction: takes the reaction of a person who is being deleted back, whatever they may see by now.

  KEYS[1]  todomate:{uid}; writes :todos :reactions:<id> :log :feed, reads :profile
  args[1]  the todo's id
  args[2]  the person
  answer   1, or 0 where there was no reaction
  errors   INVALID
]]
local function forgetReaction(key, uid, args)
  local id, person = args[1], args[2]
  checkID(id)
  checkUID(person)
  local before = call('HGET', key .. ':reactions:' .. id, person)
  if not before then return 0 end
  local todo, text = storedTodo(key, uid, id)
  -- Who leaves holds up nobody else's deletion.
  local leaving = call('HGET', key .. ':profile', 'leaving') or nil
  if todo then storeReaction(key, uid, todo, text, person, before, '', leaving) end
  call('HDEL', key .. ':reactions:' .. id, person)
  return 1
end

local function checkLabel(name, text)
  if text == nil then return '' end
  if checkText(name, text, LABEL_LENGTH) > LABEL_LENGTH or text:find('%c') or text:find('\194[\128-\159]') then
    fail('INVALID', name .. ' must be one line of at most ' .. LABEL_LENGTH .. ' characters')
  end
  return text == '' and '' or ',"' .. name .. '":"' .. escaped(text) .. '"'
end

local function checkSecretID(id)
  if type(id) ~= 'string' or #id ~= 22 or not find(id, '^[%w_-]+$') then
    fail('INVALID', 'id must be 22 characters of base64url')
  end
end

-- A number of seconds as an argument has it.
local function checkedSeconds(text, least, most)
  local seconds = find(text, '^%d+$') and #text <= 12 and text + 0
  if not seconds or seconds < least or seconds > most then
    fail('INVALID', 'seconds must be a whole number from ' .. least .. ' to ' .. most)
  end
  return seconds
end

account.checkSeconds = checkedSeconds
account.check, account.seconds, account.nextGeneration, account.endAll = checkAccount, currentSeconds, nextGeneration, endAll
account.checkHash, account.checkLabel, account.checkID = checkHash, checkLabel, checkSecretID
account.enroll = enroll
account.publishEnd, account.endOthers, account.LIMITS = publishEnd, endOthers, LIMITS

function account.isSuspended(key) return call('HEXISTS', key .. ':profile', 'suspended') == 1 end

function account.failSuspended(uid)
  fail('CONFLICT', 'the account of ' .. uid .. " is suspended: 'todomate user resume " .. uid .. "' ends that")
end

local function isEarlier(left, right)
  if left.made ~= right.made then return left.made < right.made end
  return left.id < right.id
end

-- The sessions that are not over, by kind and in the order in which they were made; removes the others.
local function swept(key, now)
  local flat = call('HGETALL', key .. ':sessions')
  local byKind = {['sign-in'] = {}, token = {}}
  for index = 1, #flat, 2 do
    local id, text = flat[index], flat[index + 1]
    -- Quotes inside JSON strings are escaped, so these texts can only be keys.
    local kind, made, expires = text:match('^{"kind":"([a-z-]+)","made":(%d+),"expires":(%d+)')
    if not byKind[kind] or tonumber(expires) <= now then
      call('HDEL', key .. ':sessions', id)
    else
      local all = byKind[kind]
      all[#all + 1] = {id = id, made = tonumber(made)}
    end
  end
  for _, all in pairs(byKind) do table.sort(all, isEarlier) end
  return byKind
end

-- A session that is to begin, and its labels as the rest of its JSON.
local function checkedDraft(text)
  local given = decodedArgument(text)
  for field in pairs(given) do
    if not SESSION_FIELDS[field] then fail('INVALID', 'a session has id, kind, seconds, from, device, name, scope, factor and by') end
  end
  checkSecretID(given.id)
  if given.by ~= nil then checkSecretID(given.by) end
  if not KINDS[given.kind] then fail('INVALID', 'kind must be sign-in or token') end
  local length = given.seconds
  if type(length) ~= 'number' or length % 1 ~= 0 or length < 1 or length > LONGEST_SECONDS then
    fail('INVALID', 'seconds must be a whole number of at least 1')
  end
  local labels = checkLabel('from', given.from) .. checkLabel('device', given.device) .. checkLabel('name', given.name)
  if given.scope == nil then return given, labels end
  if given.kind ~= 'token' or not SCOPES[given.scope] then
    fail('INVALID', 'scope must be feed, read or write, and of a token')
  end
  return given, labels .. ',"scope":"' .. given.scope .. '"'
end

-- The generation that an account has, if it is still the one that the password was checked in.
local function checkedGeneration(key, uid, expected)
  local password, generation, suspended = unpack(call('HMGET', key .. ':profile', 'password', 'generation', 'suspended'))
  if not password then noAccount(uid) end
  if suspended then account.failSuspended(uid) end
  if expected and expected ~= (generation or '0') then
    fail('CONFLICT', 'the account of ' .. uid .. ' has changed meanwhile: sign in again')
  end
  return generation
end

account.checkGeneration, account.remove, account.noSession = checkedGeneration, removeAccount, noSession

local function storeSession(key, given, labels, now)
  call('HSET', key .. ':sessions', given.id, '{"kind":"' .. given.kind .. '","made":' .. wholeDigits(now) .. ',"expires":'
    .. wholeDigits(now + given.seconds) .. labels .. '}')
end

--[[
  todomate_change_password: changes a password for somebody who gave the one before, ends all sessions, and begins the one
  with which they go on.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :events, publishes on :changes
  args[1]  the new password's hash
  args[2]  the generation whose password was checked
  args[3]  JSON of a sign-in, as todomate_begin_session takes it
  args[4]  the session that asks, which must not have ended meanwhile; left out by older workers
  answer   the account's new generation
  errors   INVALID, NOT_FOUND, CONFLICT, LEAVING
]]
local function changePassword(key, uid, args)
  checkHash(args[1])
  local given, labels = checkedDraft(args[3])
  if given.kind ~= 'sign-in' then fail('INVALID', 'kind must be sign-in') end
  refuseWhileLeaving(key)
  checkedGeneration(key, uid, args[2])
  -- One that was ended while the password was hashed, such as by a second factor that it has not shown.
  if args[4] then
    if call('HEXISTS', key .. ':sessions', args[4]) == 0 then noSession(uid) end
  elseif given.factor ~= true and call('HEXISTS', key .. ':factor', 'secret') == 1 then
    fail('CONFLICT', uid .. ' has a second factor: sign in with its code')
  end
  local generation = nextGeneration(key)
  endAll(key, generation)
  call('HSET', key .. ':profile', 'password', args[1])
  call('HDEL', key .. ':profile', 'reset', 'mailReset', 'mailOffer')
  storeSession(key, given, labels, currentSeconds())
  noteEvent(key, 'password-changed', ',"session":"' .. given.id .. '"' .. labels)
  return generation
end

--[[
  todomate_begin_session: begins a session. The oldest sign-in gives way to one too many; tokens, which programs rely on,
  do not.

  KEYS[1]  todomate:{uid}; writes :sessions :profile :events, publishes on :changes, reads :factor
  args[1]  JSON with id, kind and seconds, and where wanted from, device, name, of a token scope and by, the session that makes
           it, and of a sign-in `"factor":true` where it has shown the second factor that the account has
  args[2]  the generation whose password was checked, as an older one must not open anything; optional
  answer   the account's generation
  errors   INVALID, NOT_FOUND, CONFLICT, EXISTS, FULL; for a token LEAVING
]]
local function beginSession(key, uid, args)
  local given, labels = checkedDraft(args[1])
  local generation = checkedGeneration(key, uid, args[2])
  -- One that was turned on since the password was checked counts, also for a worker that knows of none.
  if given.kind == 'sign-in' and given.factor ~= true and call('HEXISTS', key .. ':factor', 'secret') == 1 then
    fail('CONFLICT', uid .. ' has a second factor: sign in with its code')
  end
  if given.kind == 'token' then refuseWhileLeaving(key) end
  if call('HEXISTS', key .. ':sessions', given.id) == 1 then
    fail('EXISTS', 'there is a session with this id: take another')
  end
  local now, most = currentSeconds(), KINDS[given.kind]
  if given.kind == 'token' then most = limitOf(call('HGET', key .. ':profile', 'tokensMost'), most) end
  local rest = swept(key, now)[given.kind]
  local ended = {}
  if #rest >= most then
    if given.kind == 'token' then
      fail('FULL', uid .. ' has ' .. most .. " tokens already: end some with 'todomate session end " .. uid .. "'")
    end
    for index = 1, #rest - most + 1 do ended[index] = rest[index].id end
  end
  -- An account of an older version has none yet.
  generation = generation or nextGeneration(key)
  publishEnd(key, generation, ended, given.id, given.by)
  for _, id in ipairs(ended) do call('HDEL', key .. ':sessions', id) end
  call('HSET', key .. ':profile', 'generation', generation)
  storeSession(key, given, labels, now)
  noteEvent(key, given.kind == 'token' and 'token-made' or 'sign-in', ',"session":"' .. given.id .. '"' .. labels)
  return generation
end

--[[
  todomate_end_session: ends one session.

  KEYS[1]  todomate:{uid}; writes :sessions :events, publishes on :changes, reads :profile
  args[1]  the session's id
  answer   1
  errors   NOT_FOUND
]]
local function endSession(key, uid, args)
  local id = args[1]
  local text = call('HGET', key .. ':sessions', id) or noSession(uid)
  publishEnd(key, call('HGET', key .. ':profile', 'generation') or '0', {id})
  noteEvent(key, text:find('^{"kind":"token"') and 'token-ended' or 'session-ended', labelsOf(id, text))
  return call('HDEL', key .. ':sessions', id)
end

--[[
  todomate_end_sessions: ends all sessions of an account, or all but one.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :events, publishes on :changes
  args[1]  the id of a session that goes on; optional
  answer   the number of sessions that ended
  errors   NOT_FOUND
]]
local function endSessions(key, uid, args)
  checkAccount(key, uid)
  local kept = args[1]
  if not kept then
    local count = endAll(key, nextGeneration(key))
    noteEvent(key, 'sessions-ended', ',"count":' .. count)
    return count
  end
  local ended = endOthers(key, uid, kept)
  if #ended == 0 then return 0 end
  noteEvent(key, 'sessions-ended', ',"count":' .. #ended)
  return #ended
end

--[[
  todomate_note_uses: notes that sessions were used, those that are still there, and where none was noted within an hour.

  KEYS[1]  todomate:{uid}; writes :sessions
  args[1]  the sessions' ids with spaces between, at most 200
  answer   how many were noted
  errors   INVALID
]]
local function noteUses(key, _, args)
  if #args[1] > 23 * USES_MOST or find(args[1], '[^%w_ -]') then
    fail('INVALID', 'give ids of sessions, with spaces between')
  end
  local now, count = currentSeconds(), 0
  for id in args[1]:gmatch('[^ ]+') do
    -- One that has ended meanwhile stays so.
    local text = call('HGET', key .. ':sessions', id) or ''
    local head, rest = text:match('^({"kind":"[a-z-]+","made":%d+,"expires":%d+)(.*)$')
    local used, labels = (rest or ''):match('^,"used":(%d+)(.*)$')
    if head and (not used or now - used >= USE_SECONDS) then
      call('HSET', key .. ':sessions', id, head .. ',"used":' .. wholeDigits(now) .. (labels or rest))
      count = count + 1
    end
  end
  return count
end

--[[
  todomate_sessions: lists the sessions that are not over, in the order in which they were made.

  KEYS[1]  todomate:{uid}; reads :sessions
  answer   [{"id":…,"kind":…,"made":…,"expires":…,…},…]
]]
local function sessions(key)
  local now = currentSeconds()
  local flat = call('HGETALL', key .. ':sessions')
  local entries = {}
  for index = 1, #flat, 2 do
    local made, expires = flat[index + 1]:match('"made":(%d+),"expires":(%d+)')
    if made and tonumber(expires) > now then
      entries[#entries + 1] = {made = tonumber(made), id = flat[index], rest = flat[index + 1]:sub(2)}
    end
  end
  table.sort(entries, isEarlier)
  for index, entry in ipairs(entries) do entries[index] = '{"id":"' .. entry.id .. '",' .. entry.rest end
  return '[' .. table.concat(entries, ',') .. ']'
end

-- The generation of an account, `0` for none yet and `-` without an account, and `!` where the account is to be deleted; behind it
-- the ids of its sessions, none while it is suspended, and `writes:<number>` last where the writes a minute are limited, which can
-- be no id. To older workers what has `!` is no account.
local function liveOf(key)
  local password, generation, suspended, writes, leaving =
    unpack(call('HMGET', key .. ':profile', 'password', 'generation', 'suspended', 'writesMost', 'leaving'))
  if not password then return '-' end
  generation = (generation or '0') .. (leaving and '!' or '')
  local ids = suspended and {} or call('HKEYS', key .. ':sessions')
  if writes then ids[#ids + 1] = 'writes:' .. writes end
  if #ids == 0 then return generation end
  return generation .. ' ' .. table.concat(ids, ' ')
end

register('todomate_enroll', ' <password hash> [keep | new [<inviter>.<invitation> <taken> [welcomes]]]', 1, 5, {}, enroll)
register('todomate_set_password', ' <password hash>', 1, 1, {'allow-oom'}, setPassword)
register('todomate_change_password', ' <password hash> <generation> <session json> [<session id>]', 3, 4, {'allow-oom'}, changePassword)
register('todomate_remove_account', ' [purge]', 0, 1, {'allow-oom'}, removeAccount)
register('todomate_purge', '', 0, 0, {'allow-oom'}, purge)
register('todomate_purge_stray', ' <rest of the key> <mark>', 2, 2, {'allow-oom'}, purgeStray)
register('todomate_forget_reaction', ' <todo id> <person>', 2, 2, {'allow-oom'}, forgetReaction)
register('todomate_begin_session', ' <json> [<generation>]', 1, 2, {'allow-oom'}, beginSession)
register('todomate_end_session', ' <session id>', 1, 1, {'allow-oom'}, endSession)
register('todomate_end_sessions', ' [<session id>]', 0, 1, {'allow-oom'}, endSessions)
register('todomate_note_uses', ' <session ids>', 1, 1, {}, noteUses)
register('todomate_sessions', '', 0, 0, {'no-writes'}, sessions)

--[[
  todomate_live: reads which sessions are live; workers ask every few seconds for those of their open streams.

  KEYS[…]  todomate:{uid} of each user; in a cluster of one user alone, with todomate:{uid}:log; reads :profile :sessions
  answer   for each user the generation, `0` for none yet and `-` without an account, with `!` where the account is to be deleted,
           and behind it the sessions' ids; `writes:<number>` last where an operator limits the writes a minute
  errors   USAGE
]]
redis.register_function({
  function_name = 'todomate_live',
  flags = {'no-writes'},
  callback = function(keys)
    local answers = {}
    local hasLog = #keys == 2 and keys[2] == keys[1] .. ':log'
    if #keys > 0 and begin(keys[1]) and lacksLog(hasLog) then
      return redis.error_reply(
        'TODOMATE_USAGE in a cluster call it as FCALL_RO todomate_live 2 todomate:{uid} todomate:{uid}:log')
    end
    if hasLog then keys = {keys[1]} end
    for index, key in ipairs(keys) do
      if not begin(key) then
        return redis.error_reply('TODOMATE_USAGE call it as FCALL_RO todomate_live <how many> todomate:{uid} …')
      end
      local isDone, answer = pcall(liveOf, key)
      if not isDone then return failure(answer, key) end
      answers[index] = answer
    end
    return answers
  end,
})

end)()
