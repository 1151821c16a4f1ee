-- What others do with a user's todos: reactions, the feed, and the numbers that badges show.
--
--   todomate:{uid}:reactions:<todo id>  hash  who reacted -> the emoji

local REACTION_KINDS = 20
local REACTION_BYTES = 64
local REACTIONS_SHOWN = 1000
local FEED_MOST = 200
local FEED_BATCH = '20'           -- changes may be long
local FEED_ROUND = 100

-- The emoji in a text, as it is counted.
local function checkedEmoji(text)
  local isShort = type(text) == 'string' and #text <= REACTION_BYTES
  local points = isShort and characters(text) and codePoints(text)
  if not points or not isEmojiSequence(points) then
    fail('INVALID', 'a reaction must be one emoji, such as \240\159\145\141')
  end
  -- What is a picture without being told so is the same when it is told so, by three bytes at its end.
  local isToldTwice = #points == 2 and points[2] == 0xFE0F and isIn(PICTURES, points[1])
  return isToldTwice and text:sub(1, -4) or text
end

-- Reactions

-- Without reactions there is no such table, so that the todo is written as before.
local function countReaction(todo, emoji, by)
  local counts = type(todo.reactions) == 'table' and todo.reactions or {}
  counts[emoji] = (counts[emoji] or 0) + by
  if counts[emoji] <= 0 then counts[emoji] = nil end
  todo.reactions = next(counts) and counts or nil
end

-- Gives a person another reaction than before, or none; returns the message.
local function storeReaction(key, uid, todo, text, person, before, emoji)
  if before == emoji then return unchangedTodo(text) end
  if before ~= '' then countReaction(todo, before, -1) end
  if emoji ~= '' then countReaction(todo, emoji, 1) end
  local kinds = 0
  for _ in pairs(todo.reactions or {}) do kinds = kinds + 1 end
  if kinds > REACTION_KINDS then
    fail('FULL', 'the todo has ' .. REACTION_KINDS .. ' kinds of reactions already: choose one of them')
  end
  -- Neither revision nor time: an author's edit of the todo as it was must not fail for a reaction to it.
  text = encoded(todo.id, uid, todo, escaped(todo.content), digits(todo.position), digits(todo.revision),
    todo.micros and digits(todo.micros), todo.createdAt, todo.updatedAt, todo.visibility or 'followers', todo.reactions)
  local version, _, moment = nextChange(changeBefore(key))
  local change = wholeDigits(version) .. '-' .. moment
  local modified = message(change, 'modified', text)
  local refusal = announce(key, change, modified, version)
  if refusal then error(refusal, 0) end
  call('HSET', todosKey, todo.id, text)
  local people = key .. ':reactions:' .. todo.id
  if emoji == '' then call('HDEL', people, person) else call('HSET', people, person, emoji) end
  return modified
end

local function react(key, uid, args)
  local id, person, emoji = args[1], args[2], args[3]
  checkID(id)
  checkUID(person)
  if emoji ~= '' then emoji = checkedEmoji(emoji) end
  local access = limited(accessOf(key, uid, person), args[4])
  local todo, text = storedTodo(key, uid, id)
  if not todo or not maySee(access, todo.visibility or 'followers') then
    fail('NOT_FOUND', uid .. ' has no todo with the id ' .. id)
  end
  local before = call('HGET', key .. ':reactions:' .. id, person) or ''
  return storeReaction(key, uid, todo, text, person, before, emoji)
end

local function reactions(key, uid, args)
  checkID(args[1])
  local text = call('HGET', todosKey, args[1])
  local isVisible = text
    and (not args[2] or maySee(limited(accessOf(key, uid, args[2]), args[3]), visibilityIn(text)))
  if not isVisible then fail('NOT_FOUND', uid .. ' has no todo with the id ' .. args[1]) end
  local people = key .. ':reactions:' .. args[1]
  local entries = {}
  if args[2] then
    checkUID(args[2])
    local emoji = call('HGET', people, args[2])
    if emoji then entries[1] = '{"uid":"' .. args[2] .. '","emoji":"' .. emoji .. '"}' end
  else
    local cursor = '0'
    repeat
      local page = call('HSCAN', people, cursor, 'COUNT', '1000')
      cursor = page[1]
      for index = 1, #page[2], 2 do
        if #entries < REACTIONS_SHOWN then
          entries[#entries + 1] = '{"uid":"' .. page[2][index] .. '","emoji":"' .. page[2][index + 1] .. '"}'
        end
      end
    until cursor == '0' or #entries >= REACTIONS_SHOWN
  end
  return '[' .. table.concat(entries, ',') .. ']'
end

;(function()

-- The feed

-- Tells `take` of what was added or finished, newest first, until it answers that it has enough, or that the last of a
-- hundred is too old: not the first such one, as a clock that was behind for a while dates what it sees too early. A change
-- that is neither has no kind.
local function eachEvent(key, take)
  for _, stream in ipairs({logKey, key .. ':feed'}) do
    local newest, entries, isOld, seen = '+', nil, false, 0
    repeat
      entries = call('XREVRANGE', stream, newest, '-', 'COUNT', FEED_BATCH)
      for _, entry in ipairs(entries) do
        local kind, id = entry[2][1], entry[2][2]
        if stream == logKey then kind, id = eventIn(id) end
        local isEnough
        isEnough, isOld = take(entry[1], kind, id)
        if isEnough then return end
        newest, seen = '(' .. entry[1], seen + 1
      end
      if isOld and seen % FEED_ROUND == 0 then return end
    until #entries < tonumber(FEED_BATCH)
  end
end

-- What was added or finished since a time, newest first, as the todos are now; what the viewer may not see (any more)
-- is not there. Of several times that one todo was finished the last one counts.
local function feed(key, uid, args)
  local viewer, since, limit, before = args[1], tonumber(args[2]), tonumber(args[3]), tonumber(args[4] or LARGEST_WHOLE)
  local most, bytes = tonumber(args[5] or LARGEST_WHOLE), 0
  checkUID(viewer)
  if not since or not limit or not before or not most or limit < 0 or limit > FEED_MOST or limit % 1 ~= 0 then
    fail('USAGE', 'give a viewer, the earliest time in microseconds, how many (at most ' .. FEED_MOST
      .. '; 0 for their number), the time that all must be before, and after how many bytes it is enough')
  end
  local granted = accessOf(key, uid, viewer)
  local items, count, told = {}, 0, {}
  -- What a clock that was ahead has dated is right before the first change after it that has a time, and has none itself
  -- while there is no such change.
  local latest, dated = latestTime(), nil
  -- Takes one event; whether enough are told, and whether it is from before the time that is asked for.
  local function take(change, kind, id)
    local micros = tonumber(change:match('%d+$'))
    if micros <= latest then
      dated = micros
    elseif dated then
      micros = dated - 1
      dated = micros
    else
      return false, false
    end
    if micros < since then return false, true end
    if not kind or told[kind .. id] then return false end
    -- What an earlier part told is not told again by how it was before.
    told[kind .. id] = true
    -- What was finished before was another todo, of the same id.
    if kind == 'added' then told['finished' .. id] = true end
    local todo = micros < before and call('HGET', todosKey, id)
    if not todo or not maySee(granted, visibilityIn(todo)) or kind == 'finished' and not isCompleteIn(todo) then
      return false
    end
    count = count + 1
    if limit > 0 then
      items[count] = '{"id":"' .. change .. '","type":"' .. kind .. '","at":' .. digits(micros) .. ',"todo":' .. todo
        .. '}'
      bytes = bytes + #items[count]
    end
    return count == (limit > 0 and limit or FEED_MOST) or bytes >= most
  end
  if granted ~= 'none' then eachEvent(key, take) end
  return limit == 0 and count or '[' .. withoutSeparators(table.concat(items, ',')) .. ']'
end

-- Badges

local function badges(key, _, args)
  local day = args[1]
  if not day:find('^%d%d%d%d%d%d%d%d$') then fail('USAGE', 'give the day as yyyymmdd, such as 20261120') end
  local counts = openCounts()
  local all = 0
  for _, count in pairs(counts) do all = all + count end
  return '{"today":' .. digits(counts[day] or 0) .. ',"open":' .. digits(all) .. ',"requests":'
    .. call('ZCARD', key .. ':requests') .. ',"feedSeen":' .. digits(settingsOf(key).feedSeen) .. '}'
end

register('todomate_feed', ' <viewer> <since> <how many> [<before> [<bytes>]]', 3, 5, {'no-writes'}, feed)
register('todomate_badges', ' <yyyymmdd>', 1, 1, {'no-writes'}, badges)

end)()

register('todomate_react', ' <todo id> <person> <emoji, or nothing to take it back> [<most>]', 3, 4, {}, react)
register('todomate_reactions', ' <todo id> [<person> [<most>]]', 1, 3, {'no-writes'}, reactions)

;(function()
  -- Counts the open todos and weighs all of them anew; answers how many are open. What they weigh stands in the log, so a wrong
  -- weight is put right by an entry more: it says what the settings are, which is news to nobody.
  local function recount(key, uid)
    local open = storeOpenCounts()
    local newest = call('XREVRANGE', logKey, '+', '-', 'COUNT', '1')[1]
    local bytes = bytesIn()
    if not newest or bytesIn(newest) == bytes then return open end
    local version, _, moment = nextChange(changeBefore(key))
    local change, stored = wholeDigits(version) .. '-' .. moment, settingsOf(key)
    local refusal = announce(key, change, settingsMessage(change, uid, stored, stored.audience), version, bytes - usedBytes)
    if refusal then error(refusal, 0) end
    return open
  end

  register('todomate_recount', '', 0, 0, {}, recount)
end)()
