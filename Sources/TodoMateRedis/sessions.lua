-- Accounts, and the sessions that stand for them: each sign-in and each token, until it ends.
--
--   todomate:{uid}:profile   hash  password (its hash), generation; `removed` and `purging` once the account is taken away
--   todomate:{uid}:sessions  hash  session id -> {"kind":…,"made":…,"expires":…,"from":…,"device":…,"name":…}
--
-- A token counts while its generation is the account's and its id is in the table. What ends some of them publishes that in
-- the same step, as a message without an id: it is not logged, and whoever missed it reads what is live.
--
-- In a function of its own: Lua allows a function 200 locals, and a file is one.

;(function()

local SIGN_INS_MOST, TOKENS_MOST = 100, 100
local LONGEST_SECONDS = 8640000000  -- 100,000 days
local LABEL_LENGTH = 64
local PURGED_AT_A_TIME = 500

local KINDS = {['sign-in'] = SIGN_INS_MOST, token = TOKENS_MOST}
local SESSION_FIELDS = {id = true, kind = true, seconds = true, from = true, device = true, name = true}

local function noAccount(uid)
  fail('NOT_FOUND', uid .. " has no account: make one with 'todomate user add " .. uid .. "'")
end

local function seconds() return call('TIME')[1] + 0 end

-- Later than any that the name has had, also when the clock went back.
local function nextGeneration(key)
  local last = tonumber(call('HGET', key .. ':profile', 'generation') or 0)
  local _, micros = nextChange(0, 0)
  return wholeDigits(math.max(micros, last + 1))
end

-- Tells those who follow the user which sessions are over: those of other generations, and these. It comes before the first
-- write, as an access list may refuse it; nobody hears it before the function has ended.
local function announceEnd(key, generation, ended)
  local ids = {}
  for index, id in ipairs(ended) do ids[index] = '"' .. id .. '"' end
  call('PUBLISH', key .. ':changes',
    '{"type":"sessions","generation":' .. generation .. ',"ended":[' .. table.concat(ids, ',') .. ']}')
end

-- Ends all sessions of a user, and answers how many there were.
local function endAll(key, generation)
  local count = call('HLEN', key .. ':sessions')
  announceEnd(key, generation, {})
  call('HSET', key .. ':profile', 'generation', generation)
  call('DEL', key .. ':sessions')
  return count
end

local function checkHash(hash)
  if not find(hash, '^%$[!-~]+$') or #hash > 256 then
    fail('INVALID', 'the password must come as its hash, such as $argon2id$v=19$…')
  end
end

local function enroll(key, uid, args)
  local profileKey = key .. ':profile'
  checkHash(args[1])
  if args[2] and args[2] ~= 'keep' then fail('USAGE', 'the second argument may be keep') end
  local password, removed, purging = unpack(call('HMGET', profileKey, 'password', 'removed', 'purging'))
  if password then
    fail('EXISTS', uid .. " has an account: change its password with 'todomate user passwd " .. uid .. "'")
  end
  if purging then
    fail('EXISTS', 'what ' .. uid .. " had is not all deleted yet: go on with 'todomate user remove --purge " .. uid .. "'")
  end
  if removed and not args[2] and hasData(key) then
    fail('EXISTS', 'what the removed account ' .. uid .. " had is still here: delete it with 'todomate user remove --purge "
      .. uid .. "', or give it to the new account with --keep-todos")
  end
  endAll(key, nextGeneration(key))
  call('HSET', profileKey, 'password', args[1])
  call('HDEL', profileKey, 'removed')
  return 1
end

local function setPassword(key, uid, args)
  checkHash(args[1])
  if call('HEXISTS', key .. ':profile', 'password') == 0 then noAccount(uid) end
  local count = endAll(key, nextGeneration(key))
  call('HSET', key .. ':profile', 'password', args[1])
  return count
end

local function removeAccount(key, uid, args)
  local profileKey = key .. ':profile'
  local isPurge = args[1] == 'purge'
  if args[1] and not isPurge then fail('USAGE', 'the argument may be purge') end
  local had = call('HEXISTS', profileKey, 'password')
  if had == 0 and not isPurge then noAccount(uid) end
  local generation = nextGeneration(key)
  endAll(key, generation)
  call('HDEL', profileKey, 'password')
  -- From where somebody signed in says nothing of whoever gets the name.
  call('DEL', key .. ':addresses')
  call('HSET', profileKey, 'removed', generation)
  if isPurge then call('HSET', profileKey, 'purging', generation) end
  return had
end

-- Deletes some of what a user has, once it was decided that all of it goes; answers how many todos are left, and with the
-- last of them the rest is gone as well, the decision included.
local function purge(key, uid)
  local profileKey = key .. ':profile'
  if call('HEXISTS', profileKey, 'purging') == 0 then
    fail('INVALID', 'nobody has decided to delete what ' .. uid .. " has: call todomate_remove_account with purge first")
  end
  local ids = call('ZRANGE', daysKey, '0', tostring(PURGED_AT_A_TIME - 1))
  -- Those that are in no index. A page may be empty though there are some: deleting leaves holes that a scan goes through.
  local cursor = '0'
  while #ids == 0 do
    local page = call('HSCAN', todosKey, cursor, 'COUNT', tostring(PURGED_AT_A_TIME))
    cursor = page[1]
    for index = 1, #page[2], 2 do ids[#ids + 1] = page[2][index] end
    if cursor == '0' then break end
  end
  for _, id in ipairs(ids) do
    call('DEL', key .. ':reactions:' .. id)
    call('HDEL', todosKey, id)
    call('ZREM', daysKey, id)
  end
  local left = call('HLEN', todosKey)
  if left > 0 then return left end
  announceEnd(key, '0', {})
  call('DEL', daysKey, logKey, openKey, key .. ':feed', key .. ':following', key .. ':followers', key .. ':requests',
    key .. ':blocked', key .. ':unsettled', key .. ':sessions', key .. ':addresses', profileKey)
  return 0
end

-- Takes a person's reaction back whoever may see what by now; for one who is being deleted.
local function forgetReaction(key, uid, args)
  local id, person = args[1], args[2]
  checkID(id)
  checkUID(person)
  local before = call('HGET', key .. ':reactions:' .. id, person)
  if not before then return 0 end
  local todo, text = storedTodo(key, uid, id)
  if todo then storeReaction(key, uid, todo, text, person, before, '') end
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

-- What is in the table that is not over: ids by kind, the one made first in front; forgets the others.
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
  for _, all in pairs(byKind) do
    table.sort(all, function(left, right)
      if left.made ~= right.made then return left.made < right.made end
      return left.id < right.id
    end)
  end
  return byKind
end

-- Begins a session. The generation, where one is given, is that of the account whose password was right: what was checked
-- before a new password must not open anything after it. The oldest sign-in gives way to one too many; tokens, which somebody
-- relies on, do not.
local function beginSession(key, uid, args)
  local given = decodedArgument(args[1])
  for field in pairs(given) do
    if not SESSION_FIELDS[field] then fail('INVALID', 'a session has id, kind, seconds, from, device and name') end
  end
  if type(given.id) ~= 'string' or #given.id ~= 22 or not find(given.id, '^[%w_-]+$') then
    fail('INVALID', 'id must be 22 characters of base64url')
  end
  local most = KINDS[given.kind] or fail('INVALID', 'kind must be sign-in or token')
  local length = given.seconds
  if type(length) ~= 'number' or length % 1 ~= 0 or length < 1 or length > LONGEST_SECONDS then
    fail('INVALID', 'seconds must be a whole number of at least 1')
  end
  local labels = checkLabel('from', given.from) .. checkLabel('device', given.device) .. checkLabel('name', given.name)
  local password, generation = unpack(call('HMGET', key .. ':profile', 'password', 'generation'))
  if not password then noAccount(uid) end
  if args[2] and args[2] ~= (generation or '0') then
    fail('CONFLICT', 'the account of ' .. uid .. ' has changed meanwhile: sign in again')
  end
  if call('HEXISTS', key .. ':sessions', given.id) == 1 then fail('EXISTS', 'there is a session with this id: take another') end
  local now = seconds()
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
  if #ended > 0 then announceEnd(key, generation, ended) end
  for _, id in ipairs(ended) do call('HDEL', key .. ':sessions', id) end
  call('HSET', key .. ':profile', 'generation', generation)
  call('HSET', key .. ':sessions', given.id, '{"kind":"' .. given.kind .. '","made":' .. wholeDigits(now) .. ',"expires":'
    .. wholeDigits(now + length) .. labels .. '}')
  return generation
end

local function endSession(key, uid, args)
  local id = args[1]
  if call('HEXISTS', key .. ':sessions', id) == 0 then
    fail('NOT_FOUND', uid .. ' has no such session (any more)')
  end
  announceEnd(key, call('HGET', key .. ':profile', 'generation') or '0', {(id:gsub('[^%w_-]', '?'))})
  return call('HDEL', key .. ':sessions', id)
end

local function endSessions(key, uid)
  if call('HEXISTS', key .. ':profile', 'password') == 0 then noAccount(uid) end
  return endAll(key, nextGeneration(key))
end

-- Those that are not over, the one made first in front.
local function sessions(key)
  local now = seconds()
  local flat = call('HGETALL', key .. ':sessions')
  local entries = {}
  for index = 1, #flat, 2 do
    local made, expires = flat[index + 1]:match('"made":(%d+),"expires":(%d+)')
    if made and tonumber(expires) > now then
      local text = '{"id":"' .. flat[index] .. '",' .. flat[index + 1]:sub(2)
      entries[#entries + 1] = {made = tonumber(made), text = text}
    end
  end
  table.sort(entries, function(left, right)
    if left.made ~= right.made then return left.made < right.made end
    return left.text < right.text
  end)
  for index, entry in ipairs(entries) do entries[index] = entry.text end
  return '[' .. table.concat(entries, ',') .. ']'
end

-- The generation of an account, '0' where there is none, and behind it the ids of its sessions.
local function liveOf(key)
  local password, generation = unpack(call('HMGET', key .. ':profile', 'password', 'generation'))
  if not password then return '-' end
  if not generation then return '0' end
  local ids = call('HKEYS', key .. ':sessions')
  if #ids == 0 then return generation end
  return generation .. ' ' .. table.concat(ids, ' ')
end

-- What ends or frees works when Redis is full.
register('todomate_enroll', ' <password hash> [keep]', 1, 2, {}, enroll)
register('todomate_set_password', ' <password hash>', 1, 1, {'allow-oom'}, setPassword)
register('todomate_remove_account', ' [purge]', 0, 1, {'allow-oom'}, removeAccount)
register('todomate_purge', '', 0, 0, {'allow-oom'}, purge)
register('todomate_forget_reaction', ' <todo id> <person>', 2, 2, {'allow-oom'}, forgetReaction)
register('todomate_begin_session', ' <json> [<generation>]', 1, 2, {'allow-oom'}, beginSession)
register('todomate_end_session', ' <session id>', 1, 1, {'allow-oom'}, endSession)
register('todomate_end_sessions', '', 0, 0, {'allow-oom'}, endSessions)
register('todomate_sessions', '', 0, 0, {'no-writes'}, sessions)

-- The one function of many users: workers look each few seconds whether the sessions of their open streams go on.
redis.register_function({
  function_name = 'todomate_live',
  flags = {'no-writes'},
  callback = function(keys)
    local answers = {}
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
