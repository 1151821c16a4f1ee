-- What others do with a user's todos: reactions, the feed, and the numbers that badges show.
--
--   todomate:{uid}:reactions:<todo id>  hash  who reacted -> the emoji

local REACTION_KINDS = 20

-- Reactions

-- Without reactions a todo has no such table, so that it is written as before the first one.
local function countReaction(todo, emoji, by)
  local counts = type(todo.reactions) == 'table' and todo.reactions or {}
  counts[emoji] = (counts[emoji] or 0) + by
  if counts[emoji] <= 0 then counts[emoji] = nil end
  todo.reactions = next(counts) and counts or nil
end

-- Gives a person another reaction than before, or none; returns the message. `leaving` is when the owner's account is to be
-- deleted, for what may be written all the same.
local function storeReaction(key, uid, todo, text, person, before, emoji, leaving)
  if isNote(todo.id) then fail('INVALID', 'a note takes no reactions: react to a todo') end
  if before == emoji then return unchanged('todo', text) end
  if before ~= '' then countReaction(todo, before, -1) end
  if emoji ~= '' then countReaction(todo, emoji, 1) end
  local kinds = 0
  for _ in pairs(todo.reactions or {}) do kinds = kinds + 1 end
  if kinds > REACTION_KINDS then
    fail('FULL', 'the todo has ' .. REACTION_KINDS .. ' kinds of reactions already: choose one of them')
  end
  -- Revision and time stay, so that a reaction does not make an author's edit fail.
  text = encoded(todo.id, uid, todo, escaped(todo.content), digits(todo.position), digits(todo.revision),
    todo.micros and digits(todo.micros), todo.createdAt, todo.updatedAt, todo.visibility or 'followers', todo.reactions)
  local version, moment, bytes, beginning = nextChange(key, leaving)
  local modified = commit(key, 'modified', text, '', version, moment, bytes, beginning, nil, nil, nil, nil, leaving)
  call('HSET', todosKey, todo.id, text)
  local people = key .. ':reactions:' .. todo.id
  if emoji == '' then call('HDEL', people, person) else call('HSET', people, person, emoji) end
  return modified
end

--[[
  todomate_react: gives a person one reaction to a todo, or takes it back.

  KEYS[1]  todomate:{uid}; writes :todos :reactions:<id> :log :feed, reads :blocked :profile :followers
  args[1]  the todo's id
  args[2]  the person who reacts
  args[3]  one emoji, or an empty text to take the reaction back
  args[4]  the most that the person's own side lets them see: own, followers, public or none; optional
  answer   the `modified` message, or `unchanged`
  errors   USAGE, INVALID, NOT_FOUND, FULL
]]
local function react(key, uid, args)
  local id, person, emoji = args[1], args[2], args[3]
  checkID(id)
  checkUID(person)
  -- What somebody else has is not for the owner to know.
  if person ~= uid then device = nil end
  if emoji ~= '' then emoji = checkedEmoji('a reaction', emoji) end
  local access = limited(accessOf(key, uid, person), args[4])
  local todo, text = storedTodo(key, uid, id)
  if not todo or not maySee(access, todo.visibility or 'followers') then failNotFound(uid, id) end
  local before = call('HGET', key .. ':reactions:' .. id, person) or ''
  return storeReaction(key, uid, todo, text, person, before, emoji)
end

register('todomate_react', ' <todo id> <person> <emoji, or nothing to take it back> [<most>]', 3, 4, {}, react)

;(function()

local REACTIONS_SHOWN = 1000

--[[
  todomate_reactions: lists the reactions to a todo but those of whom the owner has blocked, or one person's.

  KEYS[1]  todomate:{uid}; reads :todos :reactions:<id> :blocked :profile :followers
  args[1]  the todo's id
  args[2]  the person who looks, whose reaction is listed; optional, without one those of all
  args[3]  the most that the person's own side lets them see; optional
  answer   [{"uid":…,"emoji":…},…], 1,000 at most
  errors   USAGE, INVALID, NOT_FOUND
]]
local function reactions(key, uid, args)
  checkID(args[1])
  local text = call('HGET', todosKey, args[1])
  local isVisible = text
    and (not args[2] or maySee(limited(accessOf(key, uid, args[2]), args[3]), visibilityIn(text)))
  if not isVisible then failNotFound(uid, args[1]) end
  local people = key .. ':reactions:' .. args[1]
  local entries = {}
  if args[2] then
    checkUID(args[2])
    local emoji = call('HGET', people, args[2])
    if emoji then entries[1] = '{"uid":"' .. args[2] .. '","emoji":"' .. emoji .. '"}' end
  else
    for _, page in nextPage, people do
      for index = 1, #page, 2 do
        if #entries < REACTIONS_SHOWN and not call('ZSCORE', key .. ':blocked', page[index]) then
          entries[#entries + 1] = '{"uid":"' .. page[index] .. '","emoji":"' .. page[index + 1] .. '"}'
        end
      end
      if #entries >= REACTIONS_SHOWN then break end
    end
  end
  return '[' .. table.concat(entries, ',') .. ']'
end

register('todomate_reactions', ' <todo id> [<person> [<most>]]', 1, 3, {'no-writes'}, reactions)

end)()

;(function()

-- The feed

local FEED_MOST = 200
local EARLIER_MOST = 200
-- Each is read to see whether it is open.
local EARLIER_SEEN = 2000
local FEED_BATCH = 20
local FEED_ROUND = 100
local EVENTS_BYTES = 131072       -- more would hold Redis for milliseconds

-- Where a reading of events begins: at the newest change of the log.
local function newestPlace() return {stream = 1, newest = '+', seen = 0} end

-- Passes each event since a time that the viewer may know of to `take`, newest first, until it has enough or so many bytes
-- were read; `place` says where that was, and is of stream 3 at the end. Of several events of one kind the last one counts.
-- Those that are not before `before` come without their todo. A round of a hundred changes of which the last is too old is
-- the end: a clock that was behind for a while dates some too early.
local function readEvents(key, uid, args, place, most, take)
  local viewer, since, before = args[1], tonumber(args[2]), tonumber(args[3])
  local granted, latest, shown = accessOf(key, uid, viewer), latestTime(), {}
  local bytes, batch, read = 0, 2, 0

  -- What a clock that was ahead has dated counts as right before the first change after it that has a time.
  local function moment(change)
    local micros = tonumber(change:match('%d+$'))
    if micros <= latest then
      place.dated = micros
    elseif place.dated then
      place.dated = place.dated - 1
    end
    return place.dated
  end

  -- Whether that is enough.
  local function takeNew(change, kind, id, micros)
    if not kind or shown[kind .. id] then return false end
    -- Also when it is not listed: it must not come again by an older change.
    shown[kind .. id] = true
    -- What was finished before was another todo, of the same id.
    if kind == 'added' then shown['finished' .. id] = true end
    if micros >= before then return take(kind, id, change, micros) end
    local todo = call('HGET', todosKey, id)
    if not todo then return false end
    bytes = bytes + #todo
    if not maySee(granted, visibilityIn(todo)) or kind == 'finished' and not isCompleteIn(todo) then return false end
    return take(kind, id, change, micros, todo)
  end

  if granted == 'none' then place.stream = 3 end
  while place.stream < 3 and bytes < most do
    local isLog = place.stream == 1
    local entries = call('XREVRANGE', isLog and logKey or key .. ':feed', place.newest, '-', 'COUNT', batch)
    for _, entry in ipairs(entries) do
      local kind, id = entry[2][1], entry[2][2]
      bytes, read = bytes + #id, read + 1
      if isLog then kind, id = eventIn(id) end
      place.newest, place.seen = '(' .. entry[1], place.seen + 1
      local micros = moment(entry[1])
      local isOld = micros and micros < since
      if micros and not isOld and takeNew(entry[1], kind, id, micros) then return end
      if isOld and place.seen % FEED_ROUND == 0 then
        place.stream = 3
        return
      end
    end
    if #entries < batch then place.stream, place.newest, place.seen = place.stream + 1, '+', 0 end
    -- As many as are likely to fit, by what those before weighed.
    batch = math.max(1, math.min(FEED_BATCH, math.floor((most - bytes) * read / math.max(bytes, 1))))
  end
end

--[[
  todomate_events: lists a part of what a user added or finished since a time, newest first, as the todos are now and as far
  as the viewer may see them. Workers read feeds by it. A part may have an event again that an earlier part had; then the
  earlier one counts, and an `added` one counts more than a `finished` one of the same todo that comes after it.

  KEYS[1]  todomate:{uid}; reads :log :feed :todos :blocked :profile :followers
  args[1]  the viewer
  args[2]  the earliest time in microseconds
  args[3]  the time that all must be before
  args[4]  `todos`, or `marks` for 1 in place of each todo
  args[5]  what the part before answered first; optional
  answer   what the next part is to be asked for with, empty at the end; then of each event its type, the todo's id, the change,
           the time, and the todo, which is empty where the time is not before that of args[3]
  errors   USAGE, INVALID
]]
local function events(key, uid, args)
  checkUID(args[1])
  local place = newestPlace()
  if args[5] then
    local stream, newest, seen, dated = args[5]:match('^([12]) (%S+) (%d+) ([%d-]+)$')
    if not stream or newest ~= '+' and not newest:find('^%(%d+%-%d+$') then stream = nil end
    place = stream and {stream = tonumber(stream), newest = newest, seen = tonumber(seen), dated = tonumber(dated)}
  end
  if not place or not tonumber(args[2]) or not tonumber(args[3]) or args[4] ~= 'todos' and args[4] ~= 'marks' then
    fail('USAGE', 'give a viewer, the earliest time in microseconds, the time that all must be before, todos or marks, and for '
      .. 'the next part what this answered first')
  end
  local answer = {''}
  local function add(kind, id, change, micros, todo)
    local count = #answer
    answer[count + 1], answer[count + 2], answer[count + 3], answer[count + 4] = kind, id, change, digits(micros)
    answer[count + 5] = not todo and '' or args[4] == 'marks' and '1' or withoutSeparators(todo)
  end
  readEvents(key, uid, args, place, EVENTS_BYTES, add)
  if place.stream < 3 then
    answer[1] = place.stream .. ' ' .. place.newest .. ' ' .. place.seen .. ' '
      .. (place.dated and digits(place.dated) or '-')
  end
  return answer
end

--[[
  todomate_feed: todomate_events all at once, for older workers and for people: Redis is held for tens of milliseconds when
  the todos are long.

  KEYS[1]  todomate:{uid}; reads :log :feed :todos :blocked :profile :followers
  args[1]  the viewer
  args[2]  the earliest time in microseconds
  args[3]  how many, 200 at most; 0 for their number
  args[4]  the time that all must be before; optional
  args[5]  after how many bytes it is enough; optional
  answer   [{"id":<change>,"type":…,"at":…,"todo":{…}},…], or their number
  errors   USAGE, INVALID
]]
local function feed(key, uid, args)
  local viewer, since, limit, before = args[1], tonumber(args[2]), tonumber(args[3]), tonumber(args[4] or LARGEST_WHOLE)
  local most, bytes = tonumber(args[5] or LARGEST_WHOLE), 0
  checkUID(viewer)
  if not since or not limit or not before or not most or limit < 0 or limit > FEED_MOST or limit % 1 ~= 0 then
    fail('USAGE', 'give a viewer, the earliest time in microseconds, how many (at most ' .. FEED_MOST
      .. '; 0 for their number), the time that all must be before, and after how many bytes it is enough')
  end
  local items, count = {}, 0
  local function add(kind, _, change, micros, todo)
    if not todo then return false end
    count = count + 1
    if limit > 0 then
      items[count] = '{"id":"' .. change .. '","type":"' .. kind .. '","at":' .. digits(micros) .. ',"todo":' .. todo
        .. '}'
      bytes = bytes + #items[count]
    end
    return count == (limit > 0 and limit or FEED_MOST) or bytes >= most
  end
  readEvents(key, uid, {viewer, since, before}, newestPlace(), LARGEST_WHOLE, add)
  return limit == 0 and count or '[' .. withoutSeparators(table.concat(items, ',')) .. ']'
end

-- Badges

--[[
  todomate_badges: reads the numbers that badges show.

  KEYS[1]  todomate:{uid}; reads :open :todos :requests :profile :routines
  args[1]  today as yyyymmdd
  answer   {"today":<open todos, those of earlier days among them>,"open":<on all days>,"requests":…,"feedSeen":…}; both count the
           routines that are due today and not made yet
  errors   USAGE
]]
local function badges(key, _, args)
  local day = args[1]
  if not day:find('^%d%d%d%d%d%d%d%d$') then fail('USAGE', 'give the day as yyyymmdd, such as 20261120') end
  local today, all = 0, 0
  for of, count in pairs(openCounts()) do
    all = all + count
    if of <= day then today = today + count end
  end
  local due = dueOn(key, day)
  return '{"today":' .. digits(today + due) .. ',"open":' .. digits(all + due) .. ',"requests":'
    .. call('ZCARD', key .. ':requests') .. ',"feedSeen":' .. digits(settingsOf(key).feedSeen) .. '}'
end

--[[
  todomate_earlier: lists the todos of days before one that are still open, those of the latest days first, and so many days as have
  2,000 todos of any status.

  KEYS[1]  todomate:{uid}; reads :open :days :todos
  args[1]  the day as yyyymmdd
  args[2]  how many at most, up to 200; optional
  answer   {"count":<how many there are>,"todos":[…]}
  errors   USAGE
]]
local function earlier(key, _, args)
  local before, most = args[1], tonumber(args[2] or EARLIER_MOST)
  if not before:find('^%d%d%d%d%d%d%d%d$') or not most or most < 1 or most > EARLIER_MOST or most % 1 ~= 0 then
    fail('USAGE', 'give the day as yyyymmdd, such as 20261120, and how many todos at most, 1 to ' .. EARLIER_MOST)
  end
  local days, todos, all, seen = {}, {}, 0, 0
  for day, count in pairs(openCounts()) do
    if day < before then
      days[#days + 1] = day
      all = all + count
    end
  end
  table.sort(days, function(left, right) return left > right end)
  for _, day in ipairs(days) do
    local ids = call('ZRANGE', daysKey, day, day, 'BYSCORE')
    for first = 1, #ids, HMGET_BATCH do
      local last = math.min(first + HMGET_BATCH - 1, #ids)
      for _, text in ipairs(call('HMGET', todosKey, unpack(ids, first, last))) do
        if text and #todos < most and OPEN[text:match('"status":"(%a+)"')] then todos[#todos + 1] = text end
      end
    end
    seen = seen + #ids
    if #todos == most or seen >= EARLIER_SEEN then break end
  end
  return '{"count":' .. digits(all) .. ',"todos":[' .. withoutSeparators(table.concat(todos, ',')) .. ']}'
end

--[[
  todomate_recount: counts the open todos and weighs all todos anew. The weight stands in the log: a wrong one is
  corrected by one more `settings` message, with the settings as they are.

  KEYS[1]  todomate:{uid}; writes :open :log :feed, reads :todos :profile
  answer   the number of open todos
]]
local function recount(key, uid)
  local open = storeOpenCounts()
  local newest = lastEntry()
  local weighed = bytesIn()
  if not newest or bytesIn(newest) == weighed then return open end
  local leaving = call('HGET', key .. ':profile', 'leaving') or nil
  local version, moment, _, beginning = nextChange(key, true)
  local settings = settingsJSON(uid, settingsOf(key))
  commit(key, 'settings', settings, '', version, moment, weighed, beginning, nil, nil, nil, nil, leaving)
  return open
end

register('todomate_events', ' <viewer> <since> <before> <todos or marks> [<place>]', 4, 5, {'no-writes'}, events)
register('todomate_feed', ' <viewer> <since> <how many> [<before> [<bytes>]]', 3, 5, {'no-writes'}, feed)
register('todomate_badges', ' <yyyymmdd>', 1, 1, {'no-writes'}, badges)
register('todomate_earlier', ' <yyyymmdd> [<how many>]', 1, 2, {'no-writes'}, earlier)
register('todomate_recount', '', 0, 0, {}, recount)

end)()
