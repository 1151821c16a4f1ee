#!lua name=todomate
--
-- TodoMate's functions: each write is checked, stored, indexed, logged and published in one atomic step.
--
--   todomate:{uid}:todos    hash        todo id -> the todo's JSON, exactly as the messages carry it
--   todomate:{uid}:days     sorted set  todo id, scored by its day as the number yyyymmdd
--   todomate:{uid}:log      stream      the last ~1,000 changes, fewer where they are long: entry id = change id, field
--                                       `change` = the message, field `bytes` = what all todos weigh after it; where a
--                                       history began anew, one entry with the field `beginning` in place of a change
--   todomate:{uid}:feed     stream      of what the log has forgotten, what feeds still tell of: entry id = change id, field
--                                       `added` or `finished` = todo id; vanishes two days after the last one
--   todomate:{uid}:open     hash        day as yyyymmdd -> how many of its todos are open; `built` once all were counted
--   todomate:{uid}:changes  channel     one message a change
--
-- `relations.lua`, `emoji.lua`, `board.lua`, `restore.lua`, `accounts.lua`, `hiding.lua` and `sessions.lua` follow this
-- file: the eight are loaded as one library. `hiding.lua` tells which functions may run when memory is full.
--
-- A change id is <version>-<microseconds>. A user's version is that of the log's last entry and is kept nowhere else. A log
-- that was deleted under a user's data begins anew above all their revisions, so that no version and no revision comes back.
-- Everything that can go wrong is looked at before the first write, or that write is undone: an error means that nothing
-- was written.
-- While a library loads, Redis offers only `redis.register_function`; hence `(''):find(…)`, and `call` is set in `begin`.
--
-- Speed: `scripts/bench --instructions` counts what one add costs redis-server, and the lines below that buy some of it say
-- how much.

local LIBRARY_VERSION = 11

local LOG_LENGTH = '1000'
local LOG_ROUND = 100           -- changes from one look at what the log is about to forget to the next
local FEED_SECONDS = '172800'   -- a day has 26 hours at most, wherever people live
local TODOS_A_MONTH = 10000
local TODOS_MOST = 50000
local BYTES_MOST = 33554432     -- of a user's todos, each with the bytes that its index takes besides
local BYTES_BESIDES = 200
local LOG_BYTES = 4194304       -- a longer log is cut to fewer changes at the next round
local LOG_LEAST = 100
local CATCH_UP_BYTES = 262144   -- what may be missed whatever the todos weigh
local CONTENT_LENGTH = 500
local DETAIL_LENGTH = 10000
local JSON_BYTES = 262144       -- more than the longest todo with every character escaped
local LARGEST_WHOLE = 2 ^ 53    -- up to here a Lua number is an exact integer
local LARGEST_REVISION = 1e12   -- one above would leave no room for later versions
local MOST_AHEAD = 60000000     -- microseconds: how far a history may run ahead of the clock
local KNOWN_DAYS = 1000         -- about 100 KB
local HMGET_BATCH = 1000        -- `unpack` can return no more than about 8,000 values
local SINCE_BATCH = 100

local STATUSES = {todo = true, inProgress = true, complete = true, incomplete = true}
local OPEN = {todo = true, inProgress = true}
local VISIBILITIES = {public = true, followers = true, private = true}
local PATCHABLE = {'date', 'content', 'detail', 'status', 'position', 'visibility'}
-- The last five are not for writers to set; they are passed over, so that a todo that was read can be put back as it is.
local FIELDS = {
  id = true, uid = true, date = true, content = true, detail = true, status = true, position = true, visibility = true,
  revision = true, micros = true, createdAt = true, updatedAt = true, reactions = true,
}
local STORED_TEXTS = {'date', 'content', 'detail', 'status', 'createdAt', 'updatedAt'}

-- What every function needs, set as it starts: Redis's own functions (`attempt` is `redis.pcall`) and the user's keys.
local call, attempt, type, pcall
local todosKey, daysKey, logKey, openKey

-- Looked up by a string, these are there already; as locals they cost a third of what `text:find(…)` costs.
local find, match, byte = ('').find, ('').match, ('').byte

-- Errors

-- Ends the running function; `register` makes the text its error reply.
local function fail(code, advice)
  error('TODOMATE_' .. code .. ' ' .. advice, 0)
end

-- The error reply for whatever ended a function.
local function failure(problem, key)
  if type(problem) == 'table' then problem = problem.err end
  if problem:find('^WRONGTYPE') then
    problem = 'TODOMATE_CORRUPT ' .. key .. ':todos must be a hash, ' .. key .. ':days a sorted set and ' .. key
      .. ':log and :feed streams (profile, following and unsettled hashes; followers, requests and blocked sorted sets): '
      .. 'rename or delete the one that is not'
  elseif problem:find('specified in XADD', 1, true) then
    problem = 'TODOMATE_CORRUPT the end of ' .. key .. ':log was deleted by hand: delete all of it, and it begins anew'
  elseif not problem:find('^%u[%u_]* ') then
    problem = 'TODOMATE_CORRUPT the todomate library stumbled, please report it: ' .. problem
  end
  return redis.error_reply(problem)
end

-- Of many things to do, each is answered for by itself: one that fails is answered with its error.
local function answersOneByOne(key, args, first, body)
  local answers = {}
  for index = first, #args do
    local isDone, answer = pcall(body, args[index])
    answers[#answers + 1] = isDone and answer or failure(answer, key).err
  end
  return answers
end

-- Text

-- All multi-byte characters of UTF-8 (RFC 3629, section 4); the most frequent lead bytes first.
local MULTIBYTE = {
  '[\225-\236\238\239][\128-\191][\128-\191]', '\237[\128-\159][\128-\191]', '[\194-\223][\128-\191]',
  '\224[\160-\191][\128-\191]', '\240[\144-\191][\128-\191][\128-\191]',
  '[\241-\243][\128-\191][\128-\191][\128-\191]', '\244[\128-\143][\128-\191][\128-\191]',
}

-- Unicode's white space beyond ASCII, less the control characters and line separators that no content may have.
local SPACES = {
  '\194\160', '\225\154\128', '\226\128[\128-\138\175]', '\226\129\159', '\227\128\128',
}

-- The number of characters; nil when the text is not valid UTF-8.
local function characters(text)
  if not text:find('[\128-\255]') then return #text end
  for _, sequence in ipairs(MULTIBYTE) do
    -- A lead byte takes part in one pattern only, so whatever is left over at the end is invalid.
    text = text:gsub(sequence, '.')
    if not text:find('[\128-\255]') then return #text end
  end
  return nil
end

local function isBlank(text)
  -- None of the spaces begins with any other byte.
  if find(text, '[\33-\126\195-\224\228-\244]') then return false end
  for _, space in ipairs(SPACES) do text = text:gsub(space, ' ') end
  return not text:find('[^ ]')
end

local SHORT_ESCAPES = {
  ['"'] = '\\"', ['\\'] = '\\\\', ['\b'] = '\\b', ['\f'] = '\\f', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t',
}

local function escape(character)
  return SHORT_ESCAPES[character] or ('\\u%04x'):format(character:byte())
end

-- JSON with U+2028 and U+2029 escaped: it lets them stand as they are, but some readers of lines and of events split there.
-- They can stand in strings alone, so nothing has to be parsed. For a text, not a pattern, 500 bytes are searched in 0.1 us.
local function withoutSeparators(json)
  if not find(json, '\226\128', 1, true) then return json end
  if find(json, '\226\128\168', 1, true) then json = json:gsub('\226\128\168', '\\u2028') end
  if find(json, '\226\128\169', 1, true) then json = json:gsub('\226\128\169', '\\u2029') end
  return json
end

-- The inside of a JSON string; what JSON lets stand as it is stays as it is, but for what splits lines.
local function escaped(text)
  if text == '' then return text end
  if not find(text, '^[^%c"\\]*$') then text = text:gsub('[%c"\\]', escape) end
  return withoutSeparators(text)
end

-- The same of a content that was checked, and so has no control characters: to look for one character takes a tenth of
-- what a set of them takes, which saves 15 % of an add of 200 characters with quotes among them.
local function escapedContent(text)
  if find(text, '\\', 1, true) then text = text:gsub('\\', '\\\\') end
  if find(text, '"', 1, true) then text = text:gsub('"', '\\"') end
  return text
end

-- The texts of 0 to 999, and of the same as the last three digits of larger numbers, as they were first asked for.
local knownDigits, knownEndings = {}, {}

-- A whole number between -2^53 and 2^53.
local function wholeDigits(number)
  -- To write a number costs five times what it costs to find it among those written before; most are versions.
  local known = knownDigits[number]
  if known then return known end
  if number >= 1e6 or number < 0 then return ('%d'):format(number) end
  if number < 1000 then
    knownDigits[number] = ('%d'):format(number)
    return knownDigits[number]
  end
  local ending = number % 1000
  if not knownEndings[ending] then knownEndings[ending] = ('%03d'):format(ending) end
  return wholeDigits((number - ending) / 1000) .. knownEndings[ending]
end

-- A number in the fewest digits that read back as the same number.
local function digits(number)
  if number % 1 == 0 then return wholeDigits(number + 0) end
  for _, form in ipairs({'%.15g', '%.16g'}) do
    local text = form:format(number)
    if tonumber(text) == number then return text end
  end
  return ('%.17g'):format(number)
end

-- Checks

local function checkText(name, value, most)
  if type(value) ~= 'string' then fail('INVALID', name .. ' must be a string') end
  -- No character has more than four bytes: what is far too long is refused without being read.
  local length = #value > 4 * most and most + 1 or characters(value)
  if not length then fail('INVALID', name .. ' must be valid UTF-8') end
  return length
end

local function checkContent(content)
  -- One pass finds most contents to be short lines of printable ASCII; anchored patterns take half the time of others.
  if type(content) == 'string' and #content <= CONTENT_LENGTH and find(content, '^[!-~][ -~]*$') then return end
  local length = checkText('content', content, CONTENT_LENGTH)
  if length < 1 or length > CONTENT_LENGTH then
    fail('INVALID', 'content must have 1 to ' .. CONTENT_LENGTH .. ' characters')
  end
  local isASCII = length == #content
  if content:find('%c') or not isASCII and (content:find('\194[\128-\159]') or content:find('\226\128[\168\169]')) then
    fail('INVALID', 'content must be one line without control characters')
  end
  if isBlank(content) then fail('INVALID', 'content must not be only spaces') end
end

local function checkDetail(detail)
  if detail == '' then return end
  if checkText('detail', detail, DETAIL_LENGTH) > DETAIL_LENGTH then
    fail('INVALID', 'detail must have at most ' .. DETAIL_LENGTH .. ' characters')
  end
  if detail:find('[%z\1-\8\11-\31\127]') or detail:find('\194[\128-\159]') then
    fail('INVALID', 'detail must have no control characters but line feed and tab')
  end
end

local function checkStatus(status)
  if not STATUSES[status] then fail('INVALID', 'status must be todo, inProgress, complete or incomplete') end
end

local function checkPosition(position)
  -- NaN fails every comparison, hence the `not`.
  if type(position) ~= 'number' or not (position > -LARGEST_WHOLE and position < LARGEST_WHOLE) then
    fail('INVALID', 'position must be a number between -2^53 and 2^53')
  end
end

local function checkVisibility(visibility)
  if not VISIBILITIES[visibility] then fail('INVALID', 'visibility must be public, followers or private') end
end

local function checkID(id)
  -- Ranges take half the time of %w, which asks the C library about each character.
  if type(id) ~= 'string' or #id > 64 or not find(id, '^[a-z0-9A-Z_-]+$') then
    fail('INVALID', 'id must be 1 to 64 of A-Z a-z 0-9 _ -')
  end
end

local DAYS_IN_MONTH = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

-- The days that passed the check of late, by their dates: most writes are about a few days.
local knownDays, roomForDays = {}, 0

-- The day as the text yyyymmdd; Redis takes a score as a text in a third of the time that a Lua number needs.
local function checkDate(date)
  local known = knownDays[date]
  if known then return known end
  if type(date) == 'string' then
    local yearText, monthText, dayText = date:match('^(%d%d%d%d)-(%d%d)-(%d%d)$')
    local year, month, day = tonumber(yearText), tonumber(monthText), tonumber(dayText)
    if year and year >= 1900 and year <= 2999 and month >= 1 and month <= 12 and day >= 1 then
      local isLeapDay = month == 2 and day == 29 and year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
      if day <= DAYS_IN_MONTH[month] or isLeapDay then
        if roomForDays == 0 then knownDays, roomForDays = {}, KNOWN_DAYS end
        roomForDays = roomForDays - 1
        knownDays[date] = yearText .. monthText .. dayText
        return knownDays[date]
      end
    end
  end
  fail('INVALID', 'date must be a real day between 1900-01-01 and 2999-12-31, written 2026-11-20')
end

local CHECKS = {
  date = checkDate, content = checkContent, detail = checkDetail, status = checkStatus, position = checkPosition,
  visibility = checkVisibility,
}

-- A misspelt name must not look like success.
local function checkFields(given)
  for field in pairs(given) do
    if not FIELDS[field] then
      fail('INVALID', "'" .. field:gsub('[^%w_-]', '?'):sub(1, 40) .. "' is no field of a todo: use id, date, content, "
        .. 'detail, status, position and visibility')
    end
  end
end

local json

-- The JSON object in a text, or nil.
local function decoded(text)
  if not json then
    -- A decoder of our own: stricter with numbers than the shared one, and out of reach of other scripts' settings.
    json = cjson.new()
    json.decode_invalid_numbers(false)
  end
  -- To the decoder a NUL would be the end.
  local isObject = byte(text) == 123 or find(text, '^[ \t\r\n]*{')
  if #text > JSON_BYTES or not isObject or find(text, '\0', 1, true) then return nil end
  local isJSON, object = pcall(json.decode, text)
  return isJSON and object or nil
end

local function decodedArgument(text)
  return decoded(text) or fail('INVALID', 'the todo must be one JSON object of at most ' .. JSON_BYTES .. ' bytes')
end

-- Changes

local lastSecond, lastTimestamp

-- RFC 3339 in whole seconds; civil_from_days of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
local function timestamp(seconds)
  -- Most writes share their second with the one before: that saves 8 % of an add's instructions.
  if seconds == lastSecond then return lastTimestamp end
  local floor = math.floor
  local shifted = floor(seconds / 86400) + 719468
  local era = floor(shifted / 146097)
  local dayOfEra = shifted - era * 146097
  local yearOfEra =
    floor((dayOfEra - floor(dayOfEra / 1460) + floor(dayOfEra / 36524) - floor(dayOfEra / 146096)) / 365)
  local dayOfYear = dayOfEra - (365 * yearOfEra + floor(yearOfEra / 4) - floor(yearOfEra / 100))
  local shiftedMonth = floor((5 * dayOfYear + 2) / 153)
  local month = shiftedMonth < 10 and shiftedMonth + 3 or shiftedMonth - 9
  local year = yearOfEra + era * 400 + (month <= 2 and 1 or 0)
  local day = dayOfYear - floor((153 * shiftedMonth + 2) / 5) + 1
  local second = seconds % 86400
  lastSecond = seconds
  lastTimestamp = ('%04d-%02d-%02dT%02d:%02d:%02dZ'):format(
    year, month, day, floor(second / 3600), floor(second / 60) % 60, second % 60)
  return lastTimestamp
end

-- The id of a user of whom nothing was ever written, or nothing is left: it names that one state, in every history.
local NOTHING = '0-0'
-- The id of a user whose log is gone and whose data are not. It names no state that one could go on from.
local LOST = '0-1'

-- Whether there is anything that a log would tell of. A profile may have no more than a password, which is in no log.
local function hasData(key)
  return call('EXISTS', todosKey, logKey, key .. ':following', key .. ':followers', key .. ':requests', key .. ':blocked') > 0
    or call('HEXISTS', key .. ':profile', 'audience') == 1
end

-- What the todos of the user weigh that is written to: found with the last change, so that nothing has to be asked for it.
local usedBytes

-- What a stored todo weighs. Reactions are others' doing, and take none of its owner's room.
local function weightOf(text)
  -- Quotes inside JSON strings are escaped, so this text can only be the key.
  return (find(text, ',"reactions":{', 1, true) or #text) + BYTES_BESIDES
end

-- What an entry of the log says of that. Where an older library, or a hand, wrote the last one, all are weighed once.
local function bytesIn(entry)
  local fields = entry and entry[2]
  if fields and fields[3] == 'bytes' then return fields[4] + 0 end
  local bytes, cursor = 0, '0'
  repeat
    local page = call('HSCAN', todosKey, cursor, 'COUNT', '1000')
    cursor = page[1]
    for index = 2, #page[2], 2 do bytes = bytes + weightOf(page[2][index]) end
  until cursor == '0'
  return bytes
end

-- The version and microseconds of an entry of the log.
local function changeIn(key, entry)
  local version, micros = match(entry[1], '^(%d+)-(%d+)$')
  -- A text and 0 make its number in less than half of what `tonumber` takes.
  version, micros = version + 0, micros + 0
  if version >= LARGEST_WHOLE or micros >= LARGEST_WHOLE then
    fail('CORRUPT', key .. ':log ends with an id that is not a change id: delete that entry with XDEL')
  end
  return version, micros
end

-- The id of the last change, then its version and microseconds.
local function lastChange(key)
  local entry = call('XREVRANGE', logKey, '+', '-', 'COUNT', '1')[1]
  if entry then return entry[1], changeIn(key, entry) end
  if hasData(key) then return LOST, 0, 1 end
  return NOTHING, 0, 0
end

local ZEROS = {'00000', '0000', '000', '00', '0', ''}

-- The version and microseconds of the change to come, the latter also as a text, and their seconds; later than the last
-- one even if the clock went back. Then, too, they are by chance: a Redis that lost its latest changes must not give
-- their ids to others. A history that ran ahead of the clock by more than a minute comes back to it: one write while the
-- clock was wrong must not date all later ones.
local function nextChange(lastVersion, lastMicros)
  local time = call('TIME')
  local seconds, fraction = time[1], time[2]
  -- Put together as texts: to write a number of 16 digits costs five times as much.
  local moment = seconds .. ZEROS[#fraction] .. fraction
  local micros = moment + 0
  if micros <= lastMicros and lastMicros - micros <= MOST_AHEAD then
    micros = lastMicros + 1 + fraction % 65536
    moment, seconds = wholeDigits(micros), math.floor(micros / 1000000)
  end
  return lastVersion + 1, micros, moment, seconds
end

-- The latest time that a history gets to by itself: what is dated later was so by a clock that was wrong.
local function latestTime()
  local time = call('TIME')
  return time[1] * 1000000 + time[2] + MOST_AHEAD
end

-- The largest revision among a user's todos; those that only a hand can have written do not count.
local function largestRevision()
  local largest, cursor = 0, '0'
  repeat
    local page = call('HSCAN', todosKey, cursor, 'COUNT', '1000')
    cursor = page[1]
    for index = 2, #page[2], 2 do
      -- Quotes inside JSON strings are escaped, so this text can only be the key.
      local revision = tonumber(match(page[2][index], '"revision":(%d+)') or 0)
      if revision > largest and revision <= LARGEST_REVISION then largest = revision end
    end
  until cursor == '0'
  return largest
end

-- The id with which a new history is to begin before a change is logged; nil nearly always.
local beginning

-- The version and microseconds of the last change of a user who is to get another one, and whether there is neither a log
-- nor a todo nor a profile yet. Where todos or settings have lost their log, that change is the beginning of a new history,
-- above all revisions: none of them may come back with other words. No version of it is 1.
local function changeBefore(key)
  local entry = call('XREVRANGE', logKey, '+', '-', 'COUNT', '1')[1]
  beginning, usedBytes = nil, 0
  if entry then
    usedBytes = bytesIn(entry)
    return changeIn(key, entry)
  end
  -- Both in one question, which then spares a new user's first add the one about the profile.
  if call('EXISTS', todosKey, key .. ':profile') == 0 then return 0, 0, true end
  local todos = call('HLEN', todosKey)
  if todos == 0 and call('HEXISTS', key .. ':profile', 'audience') == 0 then return 0, 0 end
  -- As many versions as todos at least: `add` counts on that.
  local version = math.max(1, todos, largestRevision())
  usedBytes = bytesIn()
  local _, now, moment = nextChange(0, 0)
  beginning = wholeDigits(version) .. '-' .. moment
  return version, now
end

-- Logs where a new history begins. Whoever followed the old one finds no way from there to here, and starts over.
local function logBeginning(id)
  beginning = nil
  call('XADD', logKey, id, 'beginning', '')
end

-- A message; `was` holds what its readers cannot do without of the todo before.
local function message(change, kind, todo, was)
  return '{"id":"' .. change .. '","type":"' .. kind .. '","todo":' .. todo .. (was or '') .. '}'
end

-- The answer to a write that found everything as it should be: no change, and so no id.
local function unchangedTodo(text)
  return '{"type":"unchanged","todo":' .. text .. '}'
end

-- Whether a text comes before another by its bytes; Lua's own order would depend on the server's language.
local function isBefore(left, right)
  for index = 1, math.min(#left, #right) do
    local one, other = left:byte(index), right:byte(index)
    if one ~= other then return one < other end
  end
  return #left < #right
end

-- The key of a todo's reactions, with the comma before it.
local function encodedReactions(counts)
  local kinds = {}
  for emoji in pairs(counts) do kinds[#kinds + 1] = emoji end
  if #kinds == 0 then return '' end
  table.sort(kinds, isBefore)
  for index, emoji in ipairs(kinds) do kinds[index] = '"' .. emoji .. '":' .. digits(counts[emoji]) end
  return ',"reactions":{' .. table.concat(kinds, ',') .. '}'
end

-- The order of the keys and the lack of spaces are public: workers pass these bytes on without decoding them.
-- `given` has the fields that people choose; `content` is the inside of a JSON string, position and revision come as texts,
-- and so do the microseconds of the change that made this revision (nil where an older library wrote it).
local function encoded(id, uid, given, content, position, revision, moment, createdAt, updatedAt, visibility, reactions)
  return '{"id":"' .. id .. '","uid":"' .. uid .. '","date":"' .. given.date
    .. '","content":"' .. content .. '","detail":"' .. (given.detail and escaped(given.detail) or '')
    .. '","status":"' .. (given.status or 'todo') .. '","position":' .. position
    .. ',"revision":' .. revision .. (moment and ',"micros":' .. moment or '') .. ',"createdAt":"' .. createdAt .. '","updatedAt":"' .. updatedAt
    .. '","visibility":"' .. visibility .. '"' .. (reactions and encodedReactions(reactions) or '') .. '}'
end

-- Whether a todo, or the one in a message, is complete: what it was before comes after its own status. Quotes inside JSON
-- strings are escaped, so this text can only be the key; a pattern takes ten times as long to come to it.
local function isCompleteIn(text)
  local _, last = find(text, '"status":"', 1, true)
  return last and find(text, '^complete"', last + 1) ~= nil
end

-- What a message tells in a feed: added or finished, and which todo.
local function eventIn(text)
  local kind, id = match(text, '^{"id":"[0-9-]+","type":"([a-z]+)","todo":{"id":"([a-z0-9A-Z_-]+)"')
  if kind == 'added' then return 'added', id end
  local isFinish = kind == 'modified' and find(text, ',"was":{"status":"', 1, true) and isCompleteIn(text)
  if isFinish then return 'finished', id end
end

-- Keeps for the feed what the log may forget before the next look: others' reactions and requests fill the log too, and
-- must not push out what the user did today. It never fails, as those who ask for it may have written already.
local function keepForFeed(key, version, length)
  local feedKey = key .. ':feed'
  local forgotten = version - length + 2 * LOG_ROUND
  if forgotten < 1 then return end
  local newest = attempt('XREVRANGE', feedKey, '+', '-', 'COUNT', '1')
  local last = not newest.err and newest[1] and newest[1][1]
  local lastVersion = last and tonumber(last:match('^%d+'))
  -- A log that was short and may be long again has kept more than it has to.
  if last and lastVersion > forgotten and lastVersion < version then return end
  -- Of another history, or of what somebody else wrote or left there, nothing is kept.
  if not last or lastVersion > forgotten then
    call('DEL', feedKey)
    last = nil
  end
  local isKept = false
  -- What is in the log and was kept already begins with the last that was.
  local first = last and '(' .. last or '-'
  for _, entry in ipairs(call('XRANGE', logKey, first, wholeDigits(forgotten))) do
    local kind, id = eventIn(entry[2][2])
    if kind then
      -- Refused where entries were deleted by hand: the next look begins anew.
      local kept = attempt('XADD', feedKey, 'MAXLEN', '~', LOG_LENGTH, entry[1], kind, id)
      if type(kept) == 'table' then return call('DEL', feedKey) end
      isKept = true
    end
  end
  if isKept then call('EXPIRE', feedKey, FEED_SECONDS) end
end

-- How many changes the log is to keep: where they are so long that all together take too much, fewer.
local function logLength()
  -- All of its nodes: a few are those that the user has chosen to stand there. It never fails, as the caller has written.
  local bytes = attempt('MEMORY', 'USAGE', logKey, 'SAMPLES', '0')
  if type(bytes) ~= 'number' or bytes <= LOG_BYTES then return LOG_LENGTH + 0 end
  return math.max(LOG_LEAST, math.floor(call('XLEN', logKey) * LOG_BYTES / bytes))
end

-- Logs a change with what the todos weigh after it. From time to time the log lets go of the oldest and keeps so many: doing
-- so each time costs 2 % of an add.
local function logChange(change, text, bytes, length)
  if length then
    return attempt('XADD', logKey, 'MAXLEN', '~', wholeDigits(length), change, 'change', text, 'bytes', bytes)
  end
  return attempt('XADD', logKey, change, 'change', text, 'bytes', bytes)
end

-- Logs and publishes a change by which the todos weigh so much more; nil, or the error that refused it: then nothing was
-- written. Each hundredth version looks after log and feed; those who bring many at once say when themselves.
local function announce(key, change, text, version, grownBy, isRound)
  if isRound == nil then isRound = version % LOG_ROUND == 0 end
  local length = isRound and logLength()
  if length then keepForFeed(key, version, length) end
  local total = math.max(0, usedBytes + (grownBy or 0))
  local bytes = wholeDigits(total)
  if beginning then
    call('DEL', logKey)  -- there may be one without entries
    logBeginning(beginning)
  end
  local answer = logChange(change, text, bytes, length)
  if answer ~= change and #call('XREVRANGE', logKey, '+', '-', 'COUNT', '1') == 0 then
    -- One without entries may refuse ids below those that it once had.
    call('DEL', logKey)
    answer = logChange(change, text, bytes, length)
  end
  if answer ~= change then return answer end
  answer = attempt('PUBLISH', key .. ':changes', text)
  if type(answer) ~= 'table' then
    usedBytes = total
    return nil
  end
  -- An access list without this channel: take the entry back.
  call('XDEL', logKey, change)
  return answer
end

-- Open todos

-- How many todos are open on each day, as Redis has it, or by going through all of them where nobody has counted yet.
local function openCounts()
  local flat = call('HGETALL', openKey)
  local counts, isBuilt = {}, false
  for index = 1, #flat, 2 do
    if flat[index] == 'built' then isBuilt = true else counts[flat[index]] = tonumber(flat[index + 1]) end
  end
  if isBuilt then return counts end
  counts = {}
  local cursor = '0'
  local seen = {}
  repeat
    local page = call('HSCAN', todosKey, cursor, 'COUNT', '1000')
    cursor = page[1]
    for index = 1, #page[2], 2 do
      local id, text = page[2][index], page[2][index + 1]
      -- Quotes inside JSON strings are escaped, so these texts can only be keys. A scan may tell one twice.
      local year, month, day = text:match('"date":"(%d%d%d%d)-(%d%d)-(%d%d)"')
      if year and not seen[id] and OPEN[text:match('"status":"(%a+)"')] then
        counts[year .. month .. day] = (counts[year .. month .. day] or 0) + 1
      end
      seen[id] = true
    end
  until cursor == '0'
  return counts
end

-- Counts all open todos anew; answers how many there are.
local function storeOpenCounts()
  call('DEL', openKey)
  local counts, all = openCounts(), 0
  call('HSET', openKey, 'built', '1')
  for day, count in pairs(counts) do
    call('HSET', openKey, day, wholeDigits(count))
    all = all + count
  end
  return all
end

-- Counts one more or one less on a day, after the todo itself was stored.
local function countOpen(day, by)
  local count = attempt('HINCRBY', openKey, day, by)
  -- Of what somebody else wrote there nothing is kept.
  if type(count) == 'table' then return storeOpenCounts() end
  if count > 1 then return end
  -- The first of a day, or the last: rare enough to look whether the rest was ever counted.
  if count < 0 or call('HEXISTS', openKey, 'built') == 0 then
    storeOpenCounts()
  elseif count == 0 then
    call('HDEL', openKey, day)
  end
end

-- Counts a todo that is the only one: there is nothing else to look for, which is most of what a new user's first add costs.
local function countOnlyOne(day)
  if type(attempt('HSET', openKey, 'built', '1', day, '1')) == 'table' then storeOpenCounts() end
end

-- Fails when a user's todos would weigh more than they may. The operator can let somebody have more, but not less: a
-- question about each write would cost more than it saves.
local function checkBytes(key, uid, grownBy)
  local bytes = usedBytes + grownBy
  if grownBy <= 0 or bytes <= BYTES_MOST then return end
  if bytes > (tonumber(call('HGET', key .. ':profile', 'bytesMost') or 0) or 0) then
    fail('FULL', 'the todos of ' .. uid .. ' take as much as they may: remove some or shorten details first, or ask the '
      .. 'operator for more')
  end
end

-- Fails when the month of a day is full.
local function checkRoom(date, day)
  local month = day:sub(1, 6)
  if call('ZCOUNT', daysKey, month .. '00', month .. '99') >= TODOS_A_MONTH then
    fail('FULL', date:sub(1, 7) .. ' already holds ' .. TODOS_A_MONTH .. ' todos: remove some first')
  end
end

local function checkCount(uid, count)
  if count >= TODOS_MOST then
    fail('FULL', uid .. ' has ' .. TODOS_MOST .. ' todos already: remove some first')
  end
end

-- A stored todo, as a table and as its text; nil when there is none.
local function storedTodo(key, uid, id)
  local text = call('HGET', todosKey, id)
  if not text then return nil end
  local todo = decoded(text)
  local isSound = todo and todo.id == id and todo.uid == uid and type(todo.position) == 'number'
    and type(todo.revision) == 'number' and (todo.micros == nil or type(todo.micros) == 'number')
  for index = 1, #STORED_TEXTS do isSound = isSound and type(todo[STORED_TEXTS[index]]) == 'string' end
  if not isSound then
    fail('CORRUPT', 'the todo ' .. id .. ' was edited by hand: HDEL ' .. key .. ':todos ' .. id .. ' and ZREM '
      .. key .. ':days ' .. id .. ', then add it again')
  end
  -- Older versions let separators stand; a message tells the text as it is here.
  return todo, withoutSeparators(text)
end

-- The stored todo that an update or removal is about. A revision alone is that of any history: a Redis that lost its latest
-- changes gives it out again. With its microseconds it names one write.
local function expectedTodo(key, uid, id, expected)
  local revision, micros
  if expected then
    revision, micros = match(expected, '^(%d+)%-?(%d*)$')
    if not revision or #expected > 33 or find(expected, '%-$') then
      fail('USAGE', 'the expected revision must look like 57-1763677123456789: the revision and micros of a todo')
    end
  end
  local todo, text = storedTodo(key, uid, id)
  if not todo then fail('NOT_FOUND', uid .. ' has no todo with the id ' .. id) end
  local isOther = revision and tonumber(revision) ~= todo.revision
  local isElsewhere = revision and not isOther and micros ~= '' and tonumber(micros) ~= (todo.micros or 0)
  if isOther or isElsewhere then
    fail('CONFLICT', 'the todo is now at revision ' .. digits(todo.revision) .. (isElsewhere and ' of another history' or '')
      .. ': read it again and retry; current: ' .. text:gsub('%c', ' '))
  end
  return todo, text
end

-- Functions

-- The answer to an add that was made before.
local function addedAgain(given, todo, text)
  -- Status and position change with use: they do not make it another todo.
  local isSame = given.content == todo.content and given.date == todo.date and (given.detail or '') == todo.detail
  if not isSame then
    fail('EXISTS', 'another todo has the id ' .. todo.id .. ': choose another id, or update that one')
  end
  return unchangedTodo(text)
end

local function add(key, uid, args)
  local given = decodedArgument(args[1])
  checkFields(given)
  local id = given.id
  if given.uid ~= nil and given.uid ~= uid then fail('INVALID', 'uid must be ' .. uid .. ' as in the key') end
  if id ~= nil then checkID(id) end
  checkContent(given.content)
  local day = checkDate(given.date)
  if given.detail ~= nil then checkDetail(given.detail) end
  if given.status ~= nil then checkStatus(given.status) end
  if given.position ~= nil then checkPosition(given.position) end
  local visibility = given.visibility
  if visibility ~= nil then checkVisibility(visibility) end

  local lastVersion, lastMicros, isNew = changeBefore(key)
  local version, micros, moment, seconds = nextChange(lastVersion, lastMicros)
  -- Each todo took a version: a user with fewer of those needs no counting.
  local count = version > TODOS_A_MONTH and call('ZCARD', daysKey) or 0
  if count >= TODOS_A_MONTH then
    -- What was added before is there still.
    local todo, stored = storedTodo(key, uid, id or '')
    if todo then return addedAgain(given, todo, stored) end
    checkCount(uid, count)
    checkRoom(given.date, day)
  end

  local revision = wholeDigits(version)
  local position = given.position and digits(given.position) or revision
  visibility = visibility or not isNew and call('HGET', key .. ':profile', 'visibility') or 'followers'
  local content, text, isFree = escapedContent(given.content), nil, nil
  repeat
    -- Microseconds and version: new for this user, and in order of time.
    id = given.id or moment .. '-' .. revision
    local now = timestamp(seconds)
    text = encoded(id, uid, given, content, position, revision, moment, now, now, visibility)
    if usedBytes + weightOf(text) > BYTES_MOST then
      local todo, stored = storedTodo(key, uid, id)
      if todo then return addedAgain(given, todo, stored) end
      checkBytes(key, uid, weightOf(text))
    end
    -- Storing first tells whether the id is new; asking before costs 2 % more instructions.
    isFree = call('HSETNX', todosKey, id, text) == 1
    if not isFree then
      if given.id then return addedAgain(given, storedTodo(key, uid, id)) end
      -- Somebody has chosen this very id; the next microsecond gives another.
      micros = micros + 1
      moment, seconds = wholeDigits(micros), math.floor(micros / 1000000)
    end
  until isFree
  local change = revision .. '-' .. moment
  local added = message(change, 'added', text)
  -- Whatever is refused, what came before it is taken back.
  local indexed = attempt('ZADD', daysKey, day, id)
  local refusal = type(indexed) == 'table' and indexed
    or announce(key, change, added, version, weightOf(text))
  if refusal then
    call('HDEL', todosKey, id)
    if refusal ~= indexed then call('ZREM', daysKey, id) end
    error(refusal, 0)
  end
  if OPEN[given.status or 'todo'] then
    if isNew then countOnlyOne(day) else countOpen(day, '1') end
  end
  return added
end

-- What a status and a visibility were, where they are different now.
local function encodedBefore(todo, status, visibility)
  local parts = {}
  if todo.status ~= status then parts[1] = '"status":"' .. status .. '"' end
  if todo.visibility ~= visibility then parts[#parts + 1] = '"visibility":"' .. visibility .. '"' end
  if #parts == 0 then return '' end
  return ',"was":{' .. table.concat(parts, ',') .. '}'
end

local function update(key, uid, args)
  local id, patch = args[1], decodedArgument(args[2])
  checkID(id)
  checkFields(patch)
  if patch.id ~= nil and patch.id ~= id then fail('INVALID', 'id cannot be changed: leave it out') end
  if patch.uid ~= nil and patch.uid ~= uid then fail('INVALID', 'uid cannot be changed: leave it out') end
  -- Counting takes a sixth of what `ipairs` takes.
  for index = 1, #PATCHABLE do
    local field = PATCHABLE[index]
    if patch[field] ~= nil then CHECKS[field](patch[field]) end
  end

  local todo, text = expectedTodo(key, uid, id, args[3])
  local version, _, moment, seconds = nextChange(changeBefore(key))
  local before, statusBefore, visibilityBefore = todo.date, todo.status, todo.visibility or 'followers'
  todo.visibility = visibilityBefore
  local isChanged = false
  for index = 1, #PATCHABLE do
    local field = PATCHABLE[index]
    local value = patch[field]
    if value ~= nil and value ~= todo[field] then
      todo[field] = value
      isChanged = true
    end
  end
  if not isChanged then return unchangedTodo(text) end

  local day = checkDate(todo.date)
  if todo.date ~= before and patch.position == nil then todo.position = version end
  if todo.date:sub(1, 7) ~= before:sub(1, 7) then checkRoom(todo.date, day) end
  local now, revision, length = timestamp(seconds), wholeDigits(version), #text
  text = encoded(id, uid, todo, escaped(todo.content), digits(todo.position), revision, moment, todo.createdAt, now,
    todo.visibility, todo.reactions)
  checkBytes(key, uid, #text - length)
  local change = revision .. '-' .. moment
  local modified = message(change, 'modified', text, encodedBefore(todo, statusBefore, visibilityBefore))
  if todo.date ~= before then call('ZADD', daysKey, day, id) end
  local refusal = announce(key, change, modified, version, #text - length)
  if refusal then
    if todo.date ~= before then call('ZADD', daysKey, checkDate(before), id) end
    error(refusal, 0)
  end
  call('HSET', todosKey, id, text)
  if todo.date ~= before or OPEN[todo.status] ~= OPEN[statusBefore] then
    if OPEN[statusBefore] then countOpen(checkDate(before), '-1') end
    if OPEN[todo.status] then countOpen(day, '1') end
  end
  return modified
end

local function remove(key, uid, args)
  local id = args[1]
  checkID(id)
  local todo, text = expectedTodo(key, uid, id, args[2])
  local version, _, moment = nextChange(changeBefore(key))
  call('ZCARD', daysKey)  -- fails here, and not half-way, when this is no sorted set
  local change = wholeDigits(version) .. '-' .. moment
  local removed = message(change, 'removed', text)
  local refusal = announce(key, change, removed, version, -weightOf(text))
  if refusal then error(refusal, 0) end
  call('HDEL', todosKey, id)
  call('ZREM', daysKey, id)
  if todo.reactions then call('DEL', key .. ':reactions:' .. id) end
  if OPEN[todo.status] then countOpen(checkDate(todo.date), '-1') end
  return removed
end

-- All at once, for hands and for workers of older versions; others read with todomate_short.
-- In order of days only: sorting each day by position as well costs more than all the rest; readers do it.
local function list(key, _, args)
  local from, to = args[1] or '00000000', args[2] or '99999999'
  if not from:find('^%d%d%d%d%d%d%d%d$') or not to:find('^%d%d%d%d%d%d%d%d$') or from > to then
    fail('USAGE', 'give the first and the last day as yyyymmdd, such as 20261101 20261130, or neither for all')
  end
  local ids = call('ZRANGE', daysKey, from, to, 'BYSCORE')
  local todos = {}
  for first = 1, #ids, HMGET_BATCH do
    local last = math.min(first + HMGET_BATCH - 1, #ids)
    for _, text in ipairs(call('HMGET', todosKey, unpack(ids, first, last))) do
      if text then todos[#todos + 1] = text end
    end
  end
  return '{"id":"' .. lastChange(key) .. '","todos":[' .. withoutSeparators(table.concat(todos, ',')) .. ']}'
end

-- What was logged after a change: all of it, or the next part of it, of about so many bytes and after so many others.
local function since(key, _, args)
  local id, part, sent = args[1], tonumber(args[2] or LARGEST_WHOLE), tonumber(args[3] or 0)
  local version, micros = id:match('^(%d+)-(%d+)$')
  if not version or #version > 16 or #micros > 16 or not part or not sent then
    fail('USAGE', 'give a change id such as 57-1763677123456789; for a part of what came after it, also how many bytes that '
      .. 'may have, and how many the parts before had')
  end
  -- Nothing is followed by nothing alone: a log that begins may have been begun before, under other todos.
  if id == NOTHING and lastChange(key) == NOTHING then return {} end
  local newest = call('XREVRANGE', logKey, '+', '-', 'COUNT', '1')[1]
  -- What is longer than all todos together is read sooner with them. To weigh them for it, where the log does not say, would
  -- take longer than either.
  local weighs = newest and newest[2][3] == 'bytes' and newest[2][4] + CATCH_UP_BYTES
  local most = (weighs or LARGEST_WHOLE) - sent
  local messages, bytes, isKnown, isOneHistory = {}, 0, false, true
  -- The id itself, and one to know what they weigh: twenty long ones would hold Redis, and then the worker, for milliseconds.
  local lastVersion, next, batch = 0, id, 2
  while newest and bytes < part do
    local entries = call('XRANGE', logKey, next, '+', 'COUNT', batch)
    for index, entry in ipairs(entries) do
      local name, text = entry[2][1], entry[2][2]
      if lastVersion == 0 and index == 1 then
        isKnown = entry[1] == id
      elseif name == 'change' then
        messages[#messages + 1] = text
        bytes = bytes + #text
      elseif name == 'beginning' then
        isOneHistory = false
      else
        fail('CORRUPT', key .. ':log has an entry that is no change: delete it with XDEL')
      end
    end
    local last = entries[#entries]
    if not isKnown or not isOneHistory or bytes > most then break end
    lastVersion = tonumber(match(last and last[1] or next, '%d+'))
    if #entries < batch then break end
    next = '(' .. last[1]
    batch = math.max(1, math.min(SINCE_BATCH, math.floor((part - bytes) * #messages / math.max(bytes, 1))))
  end
  -- As many entries as versions passed: then the id is known and nothing after it was trimmed or deleted.
  local isWhole = isKnown and isOneHistory and lastVersion - tonumber(version) == #messages
  if not isWhole or bytes > most then
    fail('GONE', 'the log does not hold all changes since ' .. id .. ', or more than is worth reading: read todomate_list and '
      .. 'follow from its id')
  end
  return messages
end

-- Import and repair

local function checkRevision(revision)
  if type(revision) ~= 'number' or revision % 1 ~= 0 or revision < 1 or revision > LARGEST_REVISION then
    fail('INVALID', 'revision must be a whole number from 1 to 1000000000000')
  end
end

local function checkMicros(name, micros)
  if type(micros) ~= 'number' or micros % 1 ~= 0 or micros < 1 or micros >= LARGEST_WHOLE then
    fail('INVALID', name .. ' must be a time in whole microseconds since 1970')
  end
end

local function checkMoment(name, moment)
  local date, hour, minute, second
  if type(moment) == 'string' then
    date, hour, minute, second = moment:match('^(%d%d%d%d%-%d%d%-%d%d)T(%d%d):(%d%d):(%d%d)Z$')
  end
  local isTime = date and hour < '24' and minute < '60' and second < '60'
  if not isTime or not pcall(checkDate, date) then
    fail('INVALID', name .. ' must look like 2026-11-20T09:00:00Z')
  end
end

local IMPORTED = {
  id = checkID, date = checkDate, content = checkContent, detail = checkDetail, status = checkStatus,
  position = checkPosition, revision = checkRevision, visibility = checkVisibility,
  micros = function(micros) checkMicros('micros', micros) end,
  createdAt = function(moment) checkMoment('createdAt', moment) end,
  updatedAt = function(moment) checkMoment('updatedAt', moment) end,
}

-- A todo of an import, checked, and its day. Reactions are other people's, and revisions are given out here: those that it
-- had are left out.
local function importedTodo(uid, text)
  local given = decodedArgument(text)
  given.reactions = nil
  if given.uid ~= uid then fail('INVALID', 'uid must be ' .. uid .. ' as in the key') end
  for field, value in pairs(given) do
    local check = IMPORTED[field]
    if check then check(value) elseif field ~= 'uid' then fail('INVALID', 'there is no field ' .. field) end
  end
  given.revision, given.micros = nil, nil
  checkID(given.id)
  checkContent(given.content)
  return given, checkDate(given.date)
end

-- Todos as an export has them, many at a time; each one is answered for by itself. They keep their times, and get revisions
-- as any write does: no version is left out, and no revision comes back. One that is there and the same in every field
-- given is left alone: importing twice does nothing the second time.
local function import(key, uid, args)
  local mode = args[1]
  if mode ~= 'add' and mode ~= 'replace' then fail('USAGE', 'the first argument must be add or replace') end
  local version, micros = changeBefore(key)
  local count = call('ZCARD', daysKey)
  call('HEXISTS', todosKey, '')  -- fails here, and not half-way, when this is no hash
  local _, now = nextChange(version, micros)
  local moment = timestamp(math.floor(now / 1000000))
  local defaultVisibility = call('HGET', key .. ':profile', 'visibility') or 'followers'
  local lines = 0

  local function importOne(text)
    local given, day = importedTodo(uid, text)
    local stored, storedText = storedTodo(key, uid, given.id)
    if stored then
      stored.visibility = stored.visibility or 'followers'
      local isSame = true
      for field, value in pairs(given) do isSame = isSame and stored[field] == value end
      if isSame then return 'unchanged' end
      if mode == 'add' then fail('EXISTS', 'another todo has the id ' .. given.id .. ' already') end
    end
    local month = given.date:sub(1, 7)
    if count >= TODOS_A_MONTH and not (stored and stored.date:sub(1, 7) == month) then
      checkRoom(given.date, day)
    end
    if not stored then checkCount(uid, count) end
    local revision, written = wholeDigits(version + 1), wholeDigits(now)
    local position = given.position and digits(given.position) or revision
    given.status = given.status or 'todo'
    given.visibility = given.visibility or stored and stored.visibility or defaultVisibility
    local whole = encoded(given.id, uid, given, escapedContent(given.content), position, revision, written,
      given.createdAt or moment, given.updatedAt or moment, given.visibility, stored and stored.reactions)
    local grownBy = stored and #whole - #storedText or weightOf(whole)
    checkBytes(key, uid, grownBy)
    local change = revision .. '-' .. written
    local was = stored and encodedBefore(given, stored.status, stored.visibility)
    local text = message(change, stored and 'modified' or 'added', whole, was)
    local refusal = announce(key, change, text, version + 1, grownBy, lines % LOG_ROUND == 0)
    lines = lines + 1
    if refusal then error(refusal, 0) end
    call('HSET', todosKey, given.id, whole)
    call('ZADD', daysKey, day, given.id)
    if stored and OPEN[stored.status] then countOpen(checkDate(stored.date), '-1') end
    if OPEN[given.status] then countOpen(day, '1') end
    version, now = version + 1, now + 1
    if not stored then count = count + 1 end
    return stored and 'replaced' or 'added'
  end

  return answersOneByOne(key, args, 2, importOne)
end

-- Makes index and version fit the stored todos of these ids, and says of each what it did. What a viewer could not see
-- before is published as a change. A log that is gone begins anew, and so does one that a revision is ahead of.
local function repair(key, uid, args)
  local version, micros = changeBefore(key)
  if version == 0 and not beginning and lastChange(key) == LOST then
    -- Nothing but what is between users, or a log without entries.
    local _, now, moment = nextChange(0, 0)
    version, micros, beginning = 1, now, '1-' .. moment
  end
  local _, now = nextChange(version, micros)
  call('ZCARD', daysKey)
  local mended = 0

  local function repairOne(id)
    local score = call('ZSCORE', daysKey, id)
    local todo, text = storedTodo(key, uid, id)
    if not todo then
      return call('ZREM', daysKey, id) == 1 and 'unindexed' or 'fine'
    end
    local day = checkDate(todo.date)
    local isIndexed = score and tonumber(score) == tonumber(day)
    if isIndexed and todo.revision <= version then return 'fine' end
    checkRevision(todo.revision)
    if todo.revision > version then
      version = todo.revision
      logBeginning(wholeDigits(version) .. '-' .. wholeDigits(now))
      now = now + 1
    end
    local change = wholeDigits(version + 1) .. '-' .. wholeDigits(now)
    local refusal = announce(key, change, message(change, 'modified', text), version + 1, 0, mended % LOG_ROUND == 0)
    mended = mended + 1
    if refusal then error(refusal, 0) end
    call('ZADD', daysKey, day, id)
    version, now = version + 1, now + 1
    return isIndexed and 'counted' or 'indexed'
  end

  local answers = answersOneByOne(key, args, 1, repairOne)
  if beginning then
    call('DEL', logKey)
    logBeginning(beginning)
  end
  return answers
end

-- Registration

local lastKey, lastUID

-- Sets what every function needs; answers the key's uid, or nil when there is none.
local function begin(key)
  -- Calls often come in runs for one user: then nothing of this has to be done again.
  if key == lastKey then return lastUID end
  local uid = match(key, '^todomate:{([a-z0-9A-Z._@-]+)}$')
  if not uid or #uid > 64 then return nil end
  if not call then call, attempt, type, pcall = redis.call, redis.pcall, _G.type, _G.pcall end
  todosKey, daysKey, logKey, openKey = key .. ':todos', key .. ':days', key .. ':log', key .. ':open'
  lastKey, lastUID = key, uid
  return uid
end

local function register(name, usage, least, most, flags, body)
  usage = 'TODOMATE_USAGE call it as FCALL ' .. name .. ' 1 todomate:{uid}' .. usage
  redis.register_function({
    function_name = name,
    flags = flags,
    callback = function(keys, args)
      local key, given = keys[1], #args
      if #keys ~= 1 or given < least or given > most then return redis.error_reply(usage) end
      local uid = begin(key)
      if not uid then
        return redis.error_reply(
          'TODOMATE_USAGE the key must be todomate:{uid}, its uid 1 to 64 of A-Z a-z 0-9 . _ @ -')
      end
      local isDone, answer = pcall(body, key, uid, args)
      return isDone and answer or failure(answer, key)
    end,
  })
end

register('todomate_add', ' <json>', 1, 1, {}, add)
register('todomate_update', ' <id> <json> [<expected revision>-<micros>]', 2, 3, {}, update)
register('todomate_remove', ' <id> [<expected revision>-<micros>]', 1, 2, {'allow-oom'}, remove)
register('todomate_list', ' [<first yyyymmdd> <last yyyymmdd>]', 0, 2, {'no-writes'}, list)
register('todomate_latest', '', 0, 0, {'no-writes'}, function(key) return (lastChange(key)) end)
register('todomate_since', ' <change id> [<bytes> <bytes before>]', 1, 3, {'no-writes'}, since)
register('todomate_import', ' <add or replace> <json> [<json> ...]', 2, 1001, {}, import)
register('todomate_repair', ' [<id> ...]', 0, 1000, {}, repair)

;(function()

local SHORT_TODOS = 300
local SHORT_BYTES = 65536
local SHORT_BATCH = 32          -- todos that are read before it is known what they weigh

-- The todos of some days as `list` answers them, where they are few; nothing where they are many. To put together what weighs
-- megabytes holds Redis for tens of milliseconds: whoever wants as many takes them out of the keys, in parts, and has
-- todomate_since tell what has changed since the first one.
register('todomate_short', ' [<first yyyymmdd> <last yyyymmdd>]', 0, 2, {'no-writes'}, function(key, _, args)
  local from, to = args[1] or '00000000', args[2] or '99999999'
  if not from:find('^%d%d%d%d%d%d%d%d$') or not to:find('^%d%d%d%d%d%d%d%d$') or from > to then
    fail('USAGE', 'give the first and the last day as yyyymmdd, such as 20261101 20261130, or neither for all')
  end
  local ids = call('ZRANGE', daysKey, from, to, 'BYSCORE', 'LIMIT', '0', SHORT_TODOS + 1)
  if #ids > SHORT_TODOS then return '' end
  local todos, bytes, first, batch = {}, 0, 1, SHORT_BATCH
  while first <= #ids do
    local last = math.min(first + batch - 1, #ids)
    for _, text in ipairs(call('HMGET', todosKey, unpack(ids, first, last))) do
      if text then
        todos[#todos + 1] = text
        bytes = bytes + #text
      end
    end
    if bytes > SHORT_BYTES then return '' end
    first, batch = last + 1, batch * 4
  end
  return '{"id":"' .. lastChange(key) .. '","todos":[' .. withoutSeparators(table.concat(todos, ',')) .. ']}'
end)

end)()

redis.register_function({
  function_name = 'todomate_version',
  flags = {'no-writes'},
  callback = function() return LIBRARY_VERSION end,
})
