#!lua name=todomate
--
-- TodoMate's functions: each write is checked, stored, indexed, logged and published in one atomic step.
--
--   todomate:{uid}:todos    hash        todo id -> the todo's JSON, as messages carry it; note-of-<date> -> a day's note
--   todomate:{uid}:days     sorted set  todo id, scored by its day as the number yyyymmdd
--   todomate:{uid}:log      stream      the last ~1,000 changes, fewer where they are long: entry id = change id,
--                                       field `change` = the message, field `bytes` = the size of all todos after it;
--                                       field `leaving` where the account is to be deleted, field `device` where it
--                                       is known by which device; where a new history begins, an entry with the field
--                                       `beginning` instead
--   todomate:{uid}:feed     stream      what was trimmed from the log and still belongs in feeds: entry id = change id,
--                                       field `added` or `finished` = todo id; expires two days after the last one
--   todomate:{uid}:open     hash        day as yyyymmdd -> number of open todos; `built` once all were counted
--   todomate:{uid}:goals    hash        goal id -> the goal's JSON: name, color, position, visibility, archived
--   todomate:{uid}:routines hash        routine id -> the routine's JSON: content, rule, from, position, time, goal, visibility, and
--                                       the days that were made or skipped
--   todomate:{uid}:changes  channel     one message a change
--
-- `events.lua`, `relations.lua`, `emoji.lua`, `settings.lua`, `board.lua`, `restore.lua`, `accounts.lua`, `goals.lua`,
-- `operations.lua`, `devices.lua`, `hiding.lua`, `sessions.lua`, `invitations.lua`, `resets.lua`, `mail.lua`, `identities.lua`,
-- `operator.lua`, `factor.lua`, `leaving.lua`, `history.lua`, `search.lua`, `routines.lua`, `week.lua` and `notes.lua` follow this
-- file, and are loaded with it as one library.
-- `hiding.lua` says which functions run when memory is full.
--
-- A change id is <version>-<microseconds>. A user's version is that of the log's last entry and is stored nowhere else.
-- Where a log was deleted and data remain, a new history begins above all revisions: no version is given out twice.
--
-- Every change of the log goes through `commit`. What may be refused is checked before the first write or undone after
-- it, so that an error means that nothing was written.
--
-- The header of each registered function names the keys that it derives from KEYS[1], its arguments, its answer, and the
-- codes of its errors without TODOMATE_. All may answer USAGE besides, CORRUPT where a key was edited by hand, and what
-- Redis itself refuses with: OOM, NOPERM, READONLY, NOREPLICAS and the like.
--
-- In a cluster every call names a second key of the user, todomate:{uid}:log, which the functions do not look at: todomate:{uid}
-- itself is never there, so while the user's slot is moving from node to node, one of the two is always missing, and both nodes
-- refuse the call with TRYAGAIN (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/). With one key the new
-- node would take it, find nothing, and begin a second history. Changes are published there with SPUBLISH.
--
-- Shared between calls are caches, and what `begin` sets: the user's keys, Redis's own functions and the device, which as
-- parameters would stand in nearly every signature. All else is passed on.
--
-- Lua allows a function 200 locals, and a file is one: what the rest does not need stands in `;(function() … end)()`.
-- While a library loads, Redis offers only `redis.register_function`; hence `(''):find(…)`, and `begin` sets `call`.

local LIBRARY_VERSION = 33

local LOG_LENGTH = '1000'
local LOG_ROUND = 100           -- changes between two trims of the log
local FEED_SECONDS = '172800'   -- a day has at most 26 hours somewhere
local TODOS_A_MONTH = 10000
local TODOS_MOST = 50000
local BYTES_MOST = 33554432     -- of a user's todos, index included
local BYTES_BESIDES = 200       -- what the index of one todo counts as
local LOG_BYTES = 4194304       -- a larger log is trimmed to fewer changes
local LOG_LEAST = 100
local CATCH_UP_BYTES = 262144   -- what may be replayed however small the todos are
local CONTENT_LENGTH = 500
local DETAIL_LENGTH = 10000
local NOTE = 'note-of-'         -- begins the id of a day's note, and the day follows
local NOTE_CONTENT = '\240\159\147\148'  -- 📔
local JSON_BYTES = 262144       -- more than the longest todo with every character escaped
local LARGEST_WHOLE = 2 ^ 53    -- up to here a Lua number is an exact integer
local LARGEST_REVISION = 1e12   -- a larger one would leave no room for later versions
local MOST_AHEAD = 60000000     -- microseconds: how far a history may run ahead of the clock
local KNOWN_DAYS = 1000         -- about 100 KB
local HMGET_BATCH = 1000        -- `unpack` can return no more than about 8,000 values
local SINCE_BATCH = 100

local STATUSES = {todo = true, inProgress = true, complete = true, incomplete = true}
local OPEN = {todo = true, inProgress = true}
local VISIBILITIES = {public = true, followers = true, private = true}
local PATCHABLE = {'date', 'content', 'detail', 'status', 'position', 'visibility', 'time', 'goal'}
-- The last five are ignored in a write, so that a todo that was read can be written back as it is.
local FIELDS = {
  id = true, uid = true, date = true, content = true, detail = true, status = true, position = true, visibility = true,
  time = true, goal = true, revision = true, micros = true, createdAt = true, updatedAt = true, reactions = true,
}
local STORED_TEXTS = {'date', 'content', 'detail', 'status', 'createdAt', 'updatedAt'}

-- Set by `begin`: Redis's own functions (`attempt` is `redis.pcall`) and the user's keys.
local call, attempt, type, pcall
-- Set by `looksClustered`: PUBLISH, or SPUBLISH in a cluster.
local publish
-- Set by `changeBefore` and `commit`: the id of the last change.
local lastID
local todosKey, daysKey, logKey, openKey
-- Set by `writeBy`: the device by which the call is made, if that is known.
local device

-- As locals these cost a third of what `text:find(…)` costs.
local find, match, byte = ('').find, ('').match, ('').byte

-- Errors

-- Ends the running function; `register` turns the text into its error reply.
local function fail(code, advice)
  error('TODOMATE_' .. code .. ' ' .. advice, 0)
end

local function failNotFound(uid, id)
  fail('NOT_FOUND', uid .. ' has no todo with the id ' .. id)
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

-- The answers for arguments that fail one by one, each as the text of its error.
local function answerEach(key, args, first, body)
  local answers = {}
  for index = first, #args do
    local isDone, answer = pcall(body, args[index])
    answers[#answers + 1] = isDone and answer or failure(answer, key).err
  end
  return answers
end

-- Text

local characters
do
  -- All multi-byte characters of UTF-8 (RFC 3629, section 4); the most frequent lead bytes first.
  local MULTIBYTE = {
    '[\225-\236\238\239][\128-\191][\128-\191]', '\237[\128-\159][\128-\191]', '[\194-\223][\128-\191]',
    '\224[\160-\191][\128-\191]', '\240[\144-\191][\128-\191][\128-\191]',
    '[\241-\243][\128-\191][\128-\191][\128-\191]', '\244[\128-\143][\128-\191][\128-\191]',
  }

  -- The number of characters; nil when the text is not valid UTF-8.
  function characters(text)
    if not text:find('[\128-\255]') then return #text end
    for _, sequence in ipairs(MULTIBYTE) do
      -- Each lead byte occurs in one pattern only, so what is left at the end is invalid.
      text = text:gsub(sequence, '.')
      if not text:find('[\128-\255]') then return #text end
    end
    return nil
  end
end

local isBlank
do
  -- Unicode's white space beyond ASCII, less the control characters and line separators that no content may have.
  local SPACES = {
    '\194\160', '\225\154\128', '\226\128[\128-\138\175]', '\226\129\159', '\227\128\128',
  }

  function isBlank(text)
    -- No space begins with another byte.
    if find(text, '[\33-\126\195-\224\228-\244]') then return false end
    for _, space in ipairs(SPACES) do text = text:gsub(space, ' ') end
    return not text:find('[^ ]')
  end
end

local SHORT_ESCAPES = {
  ['"'] = '\\"', ['\\'] = '\\\\', ['\b'] = '\\b', ['\f'] = '\\f', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t',
}

local function escape(character)
  return SHORT_ESCAPES[character] or ('\\u%04x'):format(character:byte())
end

-- Escapes U+2028 and U+2029 in JSON, where only strings can have them: some readers of lines and events split there.
local function withoutSeparators(json)
  if not find(json, '\226\128', 1, true) then return json end
  if find(json, '\226\128\168', 1, true) then json = json:gsub('\226\128\168', '\\u2028') end
  if find(json, '\226\128\169', 1, true) then json = json:gsub('\226\128\169', '\\u2029') end
  return json
end

-- The inside of a JSON string: what need not be escaped stays as it is, except line separators.
local function escaped(text)
  if text == '' then return text end
  if not find(text, '^[^%c"\\]*$') then text = text:gsub('[%c"\\]', escape) end
  return withoutSeparators(text)
end

-- The same for a checked content, which has no control characters: one character is found faster than a set of them.
local function escapedContent(text)
  if find(text, '\\', 1, true) then text = text:gsub('\\', '\\\\') end
  if find(text, '"', 1, true) then text = text:gsub('"', '\\"') end
  return text
end

-- Texts of 0 to 999, and of the last three digits of larger numbers, kept because formatting costs five times a lookup.
local knownDigits, knownEndings = {}, {}

-- A whole number between -2^53 and 2^53 as text.
local function wholeDigits(number)
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
  -- A character has at most four bytes, so a text that is far too long need not be read.
  local length = #value > 4 * most and most + 1 or characters(value)
  if not length then fail('INVALID', name .. ' must be valid UTF-8') end
  return length
end

-- Answers whether it is known that nothing in it has to be escaped.
local function checkContent(content)
  -- Most contents are short lines of printable ASCII without quotes and backslashes, which one anchored pattern recognizes: small
  -- letters are first in its sets.
  if type(content) == 'string' and #content <= CONTENT_LENGTH then
    if find(content, '^[]-~!#-[][]-~ !#-[]*$') then return true end
    if find(content, '^[!-~][ -~]*$') then return false end
  end
  local length = checkText('content', content, CONTENT_LENGTH)
  if length < 1 or length > CONTENT_LENGTH then
    fail('INVALID', 'content must have 1 to ' .. CONTENT_LENGTH .. ' characters')
  end
  local isASCII = length == #content
  if content:find('%c') or not isASCII and (content:find('\194[\128-\159]') or content:find('\226\128[\168\169]')) then
    fail('INVALID', 'content must be one line without control characters')
  end
  if isBlank(content) then fail('INVALID', 'content must not be only spaces') end
  return false
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

-- Notes of days are todos whose ids say so: what a note says is its detail. Given up from the first, it is never open or finished.

local function isNote(id) return find(id, NOTE, 1, true) == 1 end

-- Whether a checked detail would leave nothing of a note.
local function isBlankNote(detail) return isBlank((detail:gsub('[\n\t]', ''):gsub('\226\128[\168\169]', ''))) end

-- Completes what is given of a note, whose id says so; a diary is nobody else's until its writer says otherwise.
local function checkNote(given)
  if given.id ~= NOTE .. tostring(given.date) then
    fail('INVALID', 'ids that begin with ' .. NOTE .. ' are of notes, each on the day that its id names')
  end
  given.content, given.status = given.content or NOTE_CONTENT, given.status or 'incomplete'
  given.visibility = given.visibility or 'private'
  local isBare = given.content == NOTE_CONTENT and given.status == 'incomplete' and (given.time or '') == '' and (given.goal or '') == ''
  if not isBare then
    fail('INVALID', 'a note has the content ' .. NOTE_CONTENT .. ', the status incomplete, no time and no goal: its text is its detail')
  end
  checkDetail(given.detail or '')
  if isBlankNote(given.detail or '') then fail('INVALID', 'a note must say something: give detail') end
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

-- An empty text stands for no time.
local function checkTime(time)
  local isTime = type(time) == 'string' and (time == '' or find(time, '^[01]%d:[0-5]%d$') or find(time, '^2[0-3]:[0-5]%d$'))
  if not isTime then
    fail('INVALID', 'time must be a time of day between 00:00 and 23:59, written 09:30, or empty for none')
  end
end

-- An empty text stands for no goal.
local function checkGoal(goal)
  if goal ~= '' and (type(goal) ~= 'string' or #goal > 64 or not find(goal, '^[a-z0-9A-Z_-]+$')) then
    fail('INVALID', 'goal must be the id of a goal, 1 to 64 of A-Z a-z 0-9 _ -, or empty for none')
  end
end

local function checkID(id)
  -- Ranges cost half of %w, which asks the C library about each character.
  if type(id) ~= 'string' or #id > 64 or not find(id, '^[a-z0-9A-Z_-]+$') then
    fail('INVALID', 'id must be 1 to 64 of A-Z a-z 0-9 _ -')
  end
end

local DAYS_IN_MONTH = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

local checkDate
do
  -- Dates that were checked lately and their days: most writes are about a few days.
  local knownDays, roomForDays = {}, 0

  -- The day of a date as the text yyyymmdd, which Redis parses as a score faster than Lua formats a number.
  function checkDate(date)
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
end

local CHECKS = {
  date = checkDate, content = checkContent, detail = checkDetail, status = checkStatus, position = checkPosition,
  visibility = checkVisibility, time = checkTime, goal = checkGoal,
}

-- A misspelt name must not look like success.
local function checkFields(given)
  for field in pairs(given) do
    if not FIELDS[field] then
      fail('INVALID', "'" .. field:gsub('[^%w_-]', '?'):sub(1, 40) .. "' is no field of a todo: use id, date, time, goal, content, "
        .. 'detail, status, position and visibility')
    end
  end
end

-- The two ends of a range of days.
local function checkedDays(first, last)
  local from, to = first or '00000000', last or '99999999'
  if not from:find('^%d%d%d%d%d%d%d%d$') or not to:find('^%d%d%d%d%d%d%d%d$') or from > to then
    fail('USAGE', 'give the first and the last day as yyyymmdd, such as 20261101 20261130, or neither for all')
  end
  return from, to
end

local function checkMode(mode)
  if mode ~= 'add' and mode ~= 'replace' then fail('USAGE', 'the first argument must be add or replace') end
end

local json

-- The JSON object in a text, or nil.
local function decoded(text)
  if not json then
    -- A decoder of our own is strict with numbers, and other scripts' settings do not reach it.
    json = cjson.new()
    json.decode_invalid_numbers(false)
  end
  local isObject = byte(text) == 123 or find(text, '^[ \t\r\n]*{')
  -- The decoder would stop at a NUL.
  if #text > JSON_BYTES or not isObject or find(text, '\0', 1, true) then return nil end
  local isJSON, object = pcall(json.decode, text)
  return isJSON and object or nil
end

-- The JSON object in an argument; `what` says what that is.
local function decodedArgument(text, what)
  return decoded(text) or fail('INVALID', (what or 'the todo') .. ' must be one JSON object of at most ' .. JSON_BYTES .. ' bytes')
end

-- Time

local timestamp
do
  local lastSecond, lastTimestamp

  -- RFC 3339 in whole seconds; civil_from_days of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
  function timestamp(seconds)
    -- Most writes share their second with the one before.
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
end

local function secondsOf(micros) return math.floor(micros / 1000000) end

local momentAfter
do
  local ZEROS = {'00000', '0000', '000', '00', '0', ''}

  -- The microseconds of a change after one at `lastMicros`, as a number and as a text, and their seconds. When the clock
  -- went back, they step on at random, as a Redis that lost changes must not give their ids to others; but a history far
  -- ahead returns to the clock, as one write by a wrong clock must not date all later ones.
  function momentAfter(lastMicros)
    local time = call('TIME')
    local seconds, fraction = time[1], time[2]
    -- Joining texts is cheaper than formatting 16 digits.
    local moment = seconds .. ZEROS[#fraction] .. fraction
    local micros = moment + 0
    if micros <= lastMicros and lastMicros - micros <= MOST_AHEAD then
      micros = lastMicros + 1 + fraction % 65536
      moment, seconds = wholeDigits(micros), secondsOf(micros)
    end
    return micros, moment, seconds
  end
end

-- What is dated later than this was dated by a clock that was wrong.
local function latestTime()
  local time = call('TIME')
  return time[1] * 1000000 + time[2] + MOST_AHEAD
end

-- Size

-- For `for _, page in nextPage, hash do`: each page is a flat array of fields and values; a field may come twice.
local function nextPage(hash, cursor)
  if cursor == '0' then return nil end
  local page = call('HSCAN', hash, cursor or '0', 'COUNT', '1000')
  return page[1], page[2]
end

-- What a stored todo counts as, without its reactions: they come last, and are not the owner's.
local function weightOf(text)
  -- Quotes inside JSON strings are escaped, so this text can only be the key.
  return (find(text, ',"reactions":{', 1, true) or #text) + BYTES_BESIDES
end

-- What all todos count as after an entry of the log; where the entry has no such field, they are weighed.
local function bytesIn(entry)
  local fields = entry and entry[2]
  if fields and fields[3] == 'bytes' then return fields[4] + 0 end
  local bytes = 0
  for _, page in nextPage, todosKey do
    for index = 2, #page, 2 do bytes = bytes + weightOf(page[index]) end
  end
  return bytes
end

-- The largest revision among a user's todos, less those that only a hand can have written.
local function largestRevision()
  local largest = 0
  for _, page in nextPage, todosKey do
    for index = 2, #page, 2 do
      -- Quotes inside JSON strings are escaped, so this text can only be the key.
      local revision = tonumber(match(page[index], '"revision":(%d+)') or 0)
      if revision > largest and revision <= LARGEST_REVISION then largest = revision end
    end
  end
  return largest
end

-- Changes

-- The last change id where there is no data: the same state in every history.
local NOTHING = '0-0'
-- The last change id where the log is gone and data remain: no state that one could resume from.
local LOST = '0-1'

-- Whether there is anything that a log would cover, which a profile with only a password is not.
local function hasData(key)
  return call('EXISTS', todosKey, logKey, key .. ':following', key .. ':followers', key .. ':requests',
    key .. ':blocked', key .. ':goals', key .. ':routines') > 0 or call('HEXISTS', key .. ':profile', 'audience') == 1
end

-- The last entry of the log, if any.
local function lastEntry() return call('XREVRANGE', logKey, '+', '-', 'COUNT', '1')[1] end

-- The version and microseconds of an entry of the log.
local function changeIn(key, entry)
  local version, micros = match(entry[1], '^(%d+)-(%d+)$')
  -- Cheaper than `tonumber`.
  version, micros = version + 0, micros + 0
  if version >= LARGEST_WHOLE or micros >= LARGEST_WHOLE then
    fail('CORRUPT', key .. ':log ends with an id that is not a change id: delete that entry with XDEL')
  end
  return version, micros
end

-- The id of the last change, then its version and microseconds.
local function lastChange(key)
  local entry = lastEntry()
  if entry then return entry[1], changeIn(key, entry) end
  if hasData(key) then return LOST, 0, 1 end
  return NOTHING, 0, 0
end

-- Fails where the owner has decided to delete the account: until it is gone, or kept, nothing is written.
local function refuseWhileLeaving(key)
  if call('HEXISTS', key .. ':profile', 'leaving') == 0 then return end
  fail('LEAVING', 'this account is to be deleted, and nothing is written any more: keep it first, as its owner in the page or '
    .. "with 'todomate user stay'")
end

-- The version and microseconds of the last change, and what all todos count as after it. Where data have lost their log,
-- that change is the beginning of a new history above all revisions, as none may return with other contents; its id comes
-- fourth. Fifth, whether the user has neither a log nor a todo nor a profile. Fails for an account that is to be deleted, but for
-- `mayLeave`: the log says that there is one, which costs no other write a question; a beginning does not say.
local function changeBefore(key, mayLeave)
  local entry = lastEntry()
  if entry then
    if (entry[2][5] == 'leaving' or entry[2][1] == 'beginning') and not mayLeave then refuseWhileLeaving(key) end
    local bytes = bytesIn(entry)
    local version, micros = changeIn(key, entry)
    lastID = entry[1]
    return version, micros, bytes
  end
  lastID = NOTHING
  -- One question about both spares a new user's first add the one about the profile.
  if call('EXISTS', todosKey, key .. ':profile') == 0 then return 0, 0, 0, nil, true end
  if not mayLeave then refuseWhileLeaving(key) end
  local todos = call('HLEN', todosKey)
  if todos == 0 and call('HEXISTS', key .. ':profile', 'audience') == 0 then return 0, 0, 0 end
  -- At least one version a todo: `add` relies on that.
  local version = math.max(1, todos, largestRevision())
  local bytes = bytesIn()
  local now, moment = momentAfter(0)
  lastID = wholeDigits(version) .. '-' .. moment
  return version, now, bytes, lastID
end

-- What `commit` needs of the change to come: its version, the text of its microseconds, what all todos count as before it,
-- and the beginning to log first, if any. Then the microseconds, their seconds, and whether the user is new.
local function nextChange(key, mayLeave)
  local lastVersion, lastMicros, bytes, beginning, isNew = changeBefore(key, mayLeave)
  local micros, moment, seconds = momentAfter(lastMicros)
  return lastVersion + 1, moment, bytes, beginning, micros, seconds, isNew
end

-- Whether a todo, or the one in a message, is complete; what it was before comes behind its own status.
local function isCompleteIn(text)
  -- Quotes inside JSON strings are escaped, so this text can only be the key; a pattern would find it ten times slower.
  local _, last = find(text, '"status":"', 1, true)
  return last and find(text, '^complete"', last + 1) ~= nil
end

-- What a message means to a feed: `added` or `finished`, and the todo's id.
local function eventIn(text)
  local kind, id = match(text, '^{"id":"[0-9-]+","type":"([a-z]+)","todo":{"id":"([a-z0-9A-Z_-]+)"')
  if kind == 'added' then
    -- What somebody notes for a day is no deed.
    if isNote(id) then return nil end
    return 'added', id
  end
  local isFinish = kind == 'modified' and find(text, ',"was":{"status":"', 1, true) and isCompleteIn(text)
  if isFinish then return 'finished', id end
end

-- Copies to the feed what may be trimmed from the log before the next round: others' reactions fill the log too, and must
-- not push out what the user did today. Refusals are not raised, as the caller may have written already.
local function keepForFeed(key, version, length)
  local feedKey = key .. ':feed'
  local trimmed = version - length + 2 * LOG_ROUND
  if trimmed < 1 then return end
  local newest = attempt('XREVRANGE', feedKey, '+', '-', 'COUNT', '1')
  local last = not newest.err and newest[1] and newest[1][1]
  local lastVersion = last and tonumber(last:match('^%d+'))
  -- A log that was trimmed to fewer and grows again holds more than it has to.
  if last and lastVersion > trimmed and lastVersion < version then return end
  -- Of another history, or of a key that is no feed, nothing is kept.
  if not last or lastVersion > trimmed then
    call('DEL', feedKey)
    last = nil
  end
  local isKept = false
  local first = last and '(' .. last or '-'
  for _, entry in ipairs(call('XRANGE', logKey, first, wholeDigits(trimmed))) do
    local kind, id = eventIn(entry[2][2])
    if kind then
      -- Refused where entries were deleted by hand: the next round starts over.
      local kept = attempt('XADD', feedKey, 'MAXLEN', '~', LOG_LENGTH, entry[1], kind, id)
      if type(kept) == 'table' then return call('DEL', feedKey) end
      isKept = true
    end
  end
  if isKept then call('EXPIRE', feedKey, FEED_SECONDS) end
end

-- How many changes the log is to keep, fewer where they take too much memory. A refusal is not raised.
local function logLength()
  -- All nodes are sampled: those few that Redis would choose may be unlike the rest.
  local bytes = attempt('MEMORY', 'USAGE', logKey, 'SAMPLES', '0')
  if type(bytes) ~= 'number' or bytes <= LOG_BYTES then return LOG_LENGTH + 0 end
  return math.max(LOG_LEAST, math.floor(call('XLEN', logKey) * LOG_BYTES / bytes))
end

-- Begins a new history in an empty log, once in a batch: readers of another history cannot resume past that entry.
local function beginHistory(id, batch)
  call('DEL', logKey)  -- an empty stream may refuse small ids
  if batch then batch.beginning = nil end
  call('XADD', logKey, id, 'beginning', '')
end

-- Logs a change and answers its id or a refusal. With a length, trims the log, which costs too much to do each time.
local function logChange(change, text, bytes, length, leaving)
  if leaving then return attempt('XADD', logKey, change, 'change', text, 'bytes', bytes, 'leaving', leaving) end
  if not length then
    if not device then return attempt('XADD', logKey, change, 'change', text, 'bytes', bytes) end
    return attempt('XADD', logKey, change, 'change', text, 'bytes', bytes, 'device', device)
  end
  local most = wholeDigits(length)
  if not device then return attempt('XADD', logKey, 'MAXLEN', '~', most, change, 'change', text, 'bytes', bytes) end
  return attempt('XADD', logKey, 'MAXLEN', '~', most, change, 'change', text, 'bytes', bytes, 'device', device)
end

-- What each type of message is about.
local SUBJECTS = {added = 'todo', modified = 'todo', removed = 'todo', relation = 'relation', settings = 'settings'}

--[[
  Commits a change: gives it its id, logs its message, publishes that and returns it. A refusal is raised once
  `undo(id, date)` has taken back what was written before.

  kind, value                 the type of the message and the JSON of its subject
  was                         what the message has behind that, or an empty text
  version, moment, beginning  from `nextChange`
  bytes                       what all todos count as after the change
  batch                       {count = <changes so far>, beginning = …} of an import or repair, which trims log and feed
                              at its first and each hundredth change; without it, each hundredth version does
  leaving                     when the account is to be deleted, where it is, for the log to say so
]]
local function commit(key, kind, value, was, version, moment, bytes, beginning, batch, undo, id, date, leaving)
  local change = wholeDigits(version) .. '-' .. moment
  local text = '{"id":"' .. change .. '","type":"' .. kind .. '","' .. SUBJECTS[kind] .. '":' .. value .. was .. '}'
  local length = (batch and batch.count or version) % LOG_ROUND == 0 and logLength()
  if length then keepForFeed(key, version, length) end
  bytes = wholeDigits(bytes > 0 and bytes or 0)
  if beginning then beginHistory(beginning, batch) end
  local answer = logChange(change, text, bytes, length, leaving)
  if answer ~= change and not lastEntry() then
    call('DEL', logKey)  -- an empty stream may refuse small ids
    answer = logChange(change, text, bytes, length, leaving)
  end
  local isPublished = false
  if answer == change then
    -- In a cluster, a primary that was replaced is heard at its successor once more: this tells its changes from others.
    local published = publish == 'SPUBLISH' and text:sub(1, -2) .. ',"after":"' .. lastID .. '"}' or text
    answer = attempt(publish, key .. ':changes', published)
    isPublished = type(answer) ~= 'table'
    -- An access list may be without this channel.
    if not isPublished then call('XDEL', logKey, change) end
  end
  if batch then batch.count = batch.count + 1 end
  if isPublished then
    lastID = change
    return text
  end
  if undo then undo(id, date) end
  error(answer, 0)
end

-- The answer to a write that finds everything as it should be: no change, and so no id.
local function unchanged(subject, value)
  return '{"type":"unchanged","' .. subject .. '":' .. value .. '}'
end

-- Todos

-- Whether a text comes before another by its bytes; Lua's own order would depend on the server's locale.
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

-- A todo as JSON. The order of the keys and the lack of spaces are public: workers pass these bytes on as they are.
-- Position, revision and moment are texts, the content is escaped; todos of an older library have no moment.
local function encoded(id, uid, given, content, position, revision, moment, createdAt, updatedAt, visibility, reactions)
  return '{"id":"' .. id .. '","uid":"' .. uid .. '","date":"' .. given.date
    .. '","content":"' .. content .. '","detail":"' .. (given.detail and escaped(given.detail) or '')
    .. '","status":"' .. (given.status or 'todo') .. '","position":' .. position
    .. ',"revision":' .. revision .. (moment and ',"micros":' .. moment or '')
    .. ',"createdAt":"' .. createdAt .. '","updatedAt":"' .. updatedAt
    .. '","visibility":"' .. visibility .. '"' .. (given.time and given.time ~= '' and ',"time":"' .. given.time .. '"' or '')
    .. (given.goal and given.goal ~= '' and ',"goal":"' .. given.goal .. '"' or '')
    .. (reactions and encodedReactions(reactions) or '') .. '}'
end

-- What a status and a visibility were, where they are different now.
local function encodedBefore(todo, status, visibility)
  local parts = {}
  if todo.status ~= status then parts[1] = '"status":"' .. status .. '"' end
  if todo.visibility ~= visibility then parts[#parts + 1] = '"visibility":"' .. visibility .. '"' end
  if #parts == 0 then return '' end
  return ',"was":{' .. table.concat(parts, ',') .. '}'
end

-- A stored todo, as a table and as its text; nil when there is none.
local function storedTodo(key, uid, id)
  local text = call('HGET', todosKey, id)
  if not text then return nil end
  local todo = decoded(text)
  local isSound = todo and todo.id == id and todo.uid == uid and type(todo.position) == 'number'
    and type(todo.revision) == 'number' and (todo.micros == nil or type(todo.micros) == 'number')
    and (todo.time == nil or todo.time ~= '' and pcall(checkTime, todo.time))
    and (todo.goal == nil or todo.goal ~= '' and pcall(checkGoal, todo.goal))
  for index = 1, #STORED_TEXTS do isSound = isSound and type(todo[STORED_TEXTS[index]]) == 'string' end
  if not isSound then
    fail('CORRUPT', 'the todo ' .. id .. ' was edited by hand: HDEL ' .. key .. ':todos ' .. id .. ' and ZREM '
      .. key .. ':days ' .. id .. ', then add it again')
  end
  -- Older libraries stored separators as they are.
  return todo, withoutSeparators(text)
end

-- The stored todo that an update or removal is about, at the expected revision; nil where it may lack and does. A Redis that
-- lost its latest changes gives their revisions out again; with its microseconds, one names one write.
local function expectedTodo(key, uid, id, expected, mayLack)
  local revision, micros
  if expected then
    revision, micros = match(expected, '^(%d+)%-?(%d*)$')
    if not revision or #expected > 33 or find(expected, '%-$') then
      fail('USAGE', 'the expected revision must look like 57-1763677123456789: the revision and micros of a todo')
    end
  end
  local todo, text = storedTodo(key, uid, id)
  if not todo then
    if mayLack and (not revision or tonumber(revision) == 0) then return nil end
    failNotFound(uid, id)
  end
  local isOther = revision and tonumber(revision) ~= todo.revision
  local isElsewhere = revision and not isOther and micros ~= '' and tonumber(micros) ~= (todo.micros or 0)
  if isOther or isElsewhere then
    fail('CONFLICT', 'the todo is now at revision ' .. digits(todo.revision) .. (isElsewhere and ' of another history' or '')
      .. ': read it again and retry; current: ' .. text:gsub('%c', ' '))
  end
  return todo, text
end

-- Goals

local function failUnreadableGoal(key, id)
  fail('CORRUPT', 'the goal ' .. id .. ' cannot be read: HGET ' .. key .. ':goals ' .. id .. ' shows it; repair it with HSET, or HDEL it')
end

-- A stored goal as its text.
local function goalOf(key, id)
  return call('HGET', key .. ':goals', id) or fail('INVALID', 'there is no goal with the id ' .. id .. ': make it first')
end

-- Open todos

-- How many todos are open on each day; where that was never counted, all todos are read.
local function openCounts()
  local flat = call('HGETALL', openKey)
  local counts, isBuilt = {}, false
  for index = 1, #flat, 2 do
    if flat[index] == 'built' then isBuilt = true else counts[flat[index]] = tonumber(flat[index + 1]) end
  end
  if isBuilt then return counts end
  counts = {}
  local seen = {}
  for _, page in nextPage, todosKey do
    for index = 1, #page, 2 do
      local id, text = page[index], page[index + 1]
      -- Quotes inside JSON strings are escaped, so these texts can only be keys.
      local year, month, day = text:match('"date":"(%d%d%d%d)-(%d%d)-(%d%d)"')
      if year and not seen[id] and OPEN[text:match('"status":"(%a+)"')] then
        counts[year .. month .. day] = (counts[year .. month .. day] or 0) + 1
      end
      seen[id] = true
    end
  end
  return counts
end

-- Counts all open todos anew and answers how many there are.
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
  -- What was written there by hand is replaced.
  if type(count) == 'table' then return storeOpenCounts() end
  if count > 1 then return end
  -- A day's first or last is rare enough to check that the others were counted.
  if count < 0 or call('HEXISTS', openKey, 'built') == 0 then
    storeOpenCounts()
  elseif count == 0 then
    call('HDEL', openKey, day)
  end
end

-- Counts a new user's first todo, with no others to look for.
local function countOnlyOne(day)
  if type(attempt('HSET', openKey, 'built', '1', day, '1')) == 'table' then storeOpenCounts() end
end

-- Room

-- What an operator has set in place of the usual; a hand may have written anything.
local function limitOf(own, usual) return own and find(own, '^%d+$') and own + 0 or usual end

-- Fails when a user's todos grow beyond what they may count as; `own` is what an operator has set in place of the usual, if any.
local function checkBytes(uid, before, after, own)
  if after > before and after > limitOf(own, BYTES_MOST) then
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

-- `own` is what an operator has set in place of the usual, if any.
local function checkCount(uid, count, own)
  local most = math.min(limitOf(own, TODOS_MOST), TODOS_MOST)
  if count >= most then
    fail('FULL', uid .. ' has ' .. count .. ' todos already: remove some first, or ask the operator for more')
  end
end

-- Functions

-- What an operator and the user have set, where there is nothing; shared, as nobody writes to it.
local NO_SETTINGS = {}

-- The answer to an add that was made before.
local function addedAgain(given, todo, text)
  -- Status and position change with use and do not make it another todo.
  local isSame = given.content == todo.content and given.date == todo.date and (given.detail or '') == todo.detail
    and (given.time or '') == (todo.time or '')
  if not isSame then
    fail('EXISTS', 'another todo has the id ' .. todo.id .. ': choose another id, or update that one')
  end
  return unchanged('todo', text)
end

-- Takes an add back.
local function forget(id)
  call('HDEL', todosKey, id)
  call('ZREM', daysKey, id)
end

--[[
  todomate_add: adds a todo.

  KEYS[1]  todomate:{uid}; writes :todos :days :open :log :feed, reads :profile
  args[1]  the todo as JSON: content and date, and where wanted id, time, goal, detail, status, position and
           visibility, which is else that of the goal, or the usual
  answer   the `added` message, or `unchanged` where this todo is there already
  errors   INVALID, EXISTS, FULL, CORRUPT for a goal that cannot be read
]]
local function add(key, uid, args)
  local given = decodedArgument(args[1])
  checkFields(given)
  local id = given.id
  if given.uid ~= nil and given.uid ~= uid then fail('INVALID', 'uid must be ' .. uid .. ' as in the key') end
  if id ~= nil then
    checkID(id)
    -- Its first letter keeps most from a call.
    if byte(id) == 110 and isNote(id) then checkNote(given) end
  end
  local isPlain = checkContent(given.content)
  local day = checkDate(given.date)
  if given.detail ~= nil then checkDetail(given.detail) end
  if given.status ~= nil then checkStatus(given.status) end
  if given.position ~= nil then checkPosition(given.position) end
  local visibility, goal = given.visibility, given.goal
  if visibility ~= nil then checkVisibility(visibility) end
  if given.time ~= nil then checkTime(given.time) end
  if goal ~= nil then checkGoal(goal) end

  local version, moment, bytes, beginning, micros, seconds, isNew = nextChange(key)
  local own = isNew and NO_SETTINGS or call('HMGET', key .. ':profile', 'visibility', 'bytesMost', 'todosMost')
  -- Each todo took a version, so a user with fewer of those need not be counted.
  local count = (version > TODOS_A_MONTH or own[3]) and call('ZCARD', daysKey) or 0
  if count >= TODOS_A_MONTH or own[3] then
    -- An add that is repeated must not fail for lack of room.
    local todo, stored = storedTodo(key, uid, id or '')
    if todo then return addedAgain(given, todo, stored) end
    checkCount(uid, count, own[3])
    if count >= TODOS_A_MONTH then checkRoom(given.date, day) end
  end

  local revision = wholeDigits(version)
  local position = given.position and digits(given.position) or revision
  if goal and goal ~= '' then
    local stored = goalOf(key, goal)
    visibility = visibility or match(stored, ',"visibility":"(%a+)"')
    if not VISIBILITIES[visibility] then failUnreadableGoal(key, goal) end
  end
  visibility = visibility or own[1] or 'followers'
  local content, text, after, isFree = isPlain and given.content or escapedContent(given.content), nil, nil, nil
  repeat
    -- Microseconds and version: unique for this user, and in order of time.
    id = given.id or moment .. '-' .. revision
    local now = timestamp(seconds)
    text = encoded(id, uid, given, content, position, revision, moment, now, now, visibility)
    after = bytes + #text + BYTES_BESIDES
    if after > BYTES_MOST or own[2] then
      local todo, stored = storedTodo(key, uid, id)
      if todo then return addedAgain(given, todo, stored) end
      checkBytes(uid, bytes, after, own[2])
    end
    -- Storing first is cheaper than asking first whether the id is free.
    isFree = call('HSETNX', todosKey, id, text) == 1
    if not isFree then
      if given.id then return addedAgain(given, storedTodo(key, uid, id)) end
      -- A caller chose this very id; the next microsecond makes another.
      micros = micros + 1
      moment, seconds = wholeDigits(micros), secondsOf(micros)
    end
  until isFree
  local indexed = attempt('ZADD', daysKey, day, id)
  if type(indexed) == 'table' then
    call('HDEL', todosKey, id)
    error(indexed, 0)
  end
  local added = commit(key, 'added', text, '', version, moment, after, beginning, nil, forget, id)
  if OPEN[given.status or 'todo'] then
    if isNew then countOnlyOne(day) else countOpen(day, '1') end
  end
  return added
end

-- Defined in routines.lua.
local makeInstance, dueOn

-- Of a note, only what it says and who may see it can be changed.
local function checkNotePatch(patch, note)
  for index = 1, #PATCHABLE do
    local field = PATCHABLE[index]
    if field ~= 'detail' and field ~= 'visibility' and patch[field] ~= nil and patch[field] ~= note[field] then
      fail('INVALID', note.id .. ' is the note of a day: only its detail and its visibility can be changed')
    end
  end
  if patch.detail and isBlankNote(patch.detail) then fail('INVALID', 'a note must say something: remove it instead') end
end

-- Takes a todo's move to another day back.
local function moveBack(id, date)
  call('ZADD', daysKey, checkDate(date), id)
end

--[[
  todomate_update: changes some fields of a todo. That of a routine's day which is not there yet is made, with these fields.

  KEYS[1]  todomate:{uid}; writes :todos :days :open :routines :log :feed, reads :goals :profile
  args[1]  the todo's id; <routine id>--<yyyymmdd> for that of a routine's day
  args[2]  JSON with any of date, time, goal, content, detail, status, position and visibility; an empty time or goal is taken
           away; another goal leaves the visibility as it is
  args[3]  <revision>-<micros> that the todo must be at, or a revision alone, 0 where it must not be there yet; optional
  answer   the `modified` message, `added` where the todo was made, or `unchanged`
  errors   INVALID, NOT_FOUND, CONFLICT, FULL
]]
local function update(key, uid, args)
  local id, patch = args[1], decodedArgument(args[2])
  checkID(id)
  checkFields(patch)
  if patch.id ~= nil and patch.id ~= id then fail('INVALID', 'id cannot be changed: leave it out') end
  if patch.uid ~= nil and patch.uid ~= uid then fail('INVALID', 'uid cannot be changed: leave it out') end
  -- Counting is cheaper than `ipairs`.
  for index = 1, #PATCHABLE do
    local field = PATCHABLE[index]
    if patch[field] ~= nil then CHECKS[field](patch[field]) end
  end

  local todo, text = expectedTodo(key, uid, id, args[3], true)
  if not todo then return makeInstance(key, uid, id, patch) end
  local version, moment, bytes, beginning, _, seconds = nextChange(key)
  local dateBefore, statusBefore, visibilityBefore = todo.date, todo.status, todo.visibility or 'followers'
  todo.visibility, todo.time, todo.goal = visibilityBefore, todo.time or '', todo.goal or ''
  if patch.goal and patch.goal ~= '' and patch.goal ~= todo.goal then goalOf(key, patch.goal) end
  if isNote(id) then checkNotePatch(patch, todo) end
  local isChanged, growsFreely = false, true
  for index = 1, #PATCHABLE do
    local field = PATCHABLE[index]
    local value = patch[field]
    if value ~= nil and value ~= todo[field] then
      todo[field] = value
      isChanged = true
      -- Who may see it is said in a few letters more or less, and to hide it must not wait for room.
      if field ~= 'visibility' then growsFreely = false end
    end
  end
  if not isChanged then return unchanged('todo', text) end

  local day, isMoved = checkDate(todo.date), todo.date ~= dateBefore
  if isMoved and patch.position == nil then todo.position = version end
  if todo.date:sub(1, 7) ~= dateBefore:sub(1, 7) then checkRoom(todo.date, day) end
  local length = #text
  text = encoded(id, uid, todo, escaped(todo.content), digits(todo.position), wholeDigits(version), moment,
    todo.createdAt, timestamp(seconds), todo.visibility, todo.reactions)
  local after = bytes + #text - length
  if after > bytes and not growsFreely then checkBytes(uid, bytes, after, call('HGET', key .. ':profile', 'bytesMost')) end
  if isMoved then call('ZADD', daysKey, day, id) end
  local was = encodedBefore(todo, statusBefore, visibilityBefore)
  local modified = commit(key, 'modified', text, was, version, moment, after, beginning, nil, isMoved and moveBack, id,
    dateBefore)
  call('HSET', todosKey, id, text)
  if isMoved or OPEN[todo.status] ~= OPEN[statusBefore] then
    if OPEN[statusBefore] then countOpen(checkDate(dateBefore), '-1') end
    if OPEN[todo.status] then countOpen(day, '1') end
  end
  return modified
end

--[[
  todomate_remove: removes a todo and the reactions to it.

  KEYS[1]  todomate:{uid}; writes :todos :days :open :reactions:<id> :log :feed
  args[1]  the todo's id
  args[2]  <revision>-<micros> that the todo must be at, or a revision alone; optional
  answer   the `removed` message, with the todo as it last was
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function remove(key, uid, args)
  local id = args[1]
  checkID(id)
  local todo, text = expectedTodo(key, uid, id, args[2])
  local version, moment, bytes, beginning = nextChange(key)
  call('ZCARD', daysKey)  -- fails before anything is written when this is no sorted set
  local removed = commit(key, 'removed', text, '', version, moment, bytes - weightOf(text), beginning)
  forget(id)
  if todo.reactions then call('DEL', key .. ':reactions:' .. id) end
  if OPEN[todo.status] then countOpen(checkDate(todo.date), '-1') end
  return removed
end

-- The todos of some days with the change that they are as of; nil where they are more, or larger, than wanted. Readers
-- sort each day by position: here, that would cost more than all the rest.
local function listed(key, from, to, most, bytesMost, batch)
  batch = batch or HMGET_BATCH
  local ids = call('ZRANGE', daysKey, from, to, 'BYSCORE', 'LIMIT', '0', most and most + 1 or '-1')
  if most and #ids > most then return nil end
  local todos, bytes, first = {}, 0, 1
  while first <= #ids do
    local last = math.min(first + batch - 1, #ids)
    for _, text in ipairs(call('HMGET', todosKey, unpack(ids, first, last))) do
      if text then
        todos[#todos + 1] = text
        bytes = bytes + #text
      end
    end
    if bytesMost and bytes > bytesMost then return nil end
    first, batch = last + 1, math.min(batch * 4, HMGET_BATCH)
  end
  return '{"id":"' .. lastChange(key) .. '","todos":[' .. withoutSeparators(table.concat(todos, ',')) .. ']}'
end

--[[
  todomate_list: lists the todos of some days, or all. Workers read by todomate_short instead; older ones read by this.

  KEYS[1]  todomate:{uid}; reads :days :todos :log
  args[1]  the first day as yyyymmdd; optional, with the last
  args[2]  the last day
  answer   {"id":<last change>,"todos":[…]} in order of days
  errors   USAGE
]]
local function list(key, _, args)
  return listed(key, checkedDays(args[1], args[2]))
end

--[[
  todomate_since: replays what was logged after a change.

  KEYS[1]  todomate:{uid}; reads :log
  args[1]  the change id
  args[2]  how many bytes of messages make a part; optional
  args[3]  how many bytes the parts before had; optional
  answer   the messages, in order
  errors   GONE
]]
local function since(key, _, args)
  local id, part, sent = args[1], tonumber(args[2] or LARGEST_WHOLE), tonumber(args[3] or 0)
  local version, micros = id:match('^(%d+)-(%d+)$')
  if not version or #version > 16 or #micros > 16 or not part or not sent then
    fail('USAGE', 'give a change id such as 57-1763677123456789; for a part of what came after it, also how many bytes that '
      .. 'may have, and how many the parts before had')
  end
  -- Only nothing follows on nothing: a log that begins may have begun before, with other todos.
  if id == NOTHING and lastChange(key) == NOTHING then return {} end
  local newest = lastEntry()
  -- What is longer than all todos is better read as a list; where the log does not say how long they are, weighing them
  -- would take longer than either.
  local weighs = newest and newest[2][3] == 'bytes' and newest[2][4] + CATCH_UP_BYTES
  local most = (weighs or LARGEST_WHOLE) - sent
  local messages, bytes, isKnown, isOneHistory = {}, 0, false, true
  -- First the id itself and one more, whose length says how many fit: twenty long ones would block Redis.
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
  -- With as many messages as versions passed, nothing between was trimmed or deleted.
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
  position = checkPosition, revision = checkRevision, visibility = checkVisibility, time = checkTime,
  goal = checkGoal, micros = function(micros) checkMicros('micros', micros) end,
  createdAt = function(moment) checkMoment('createdAt', moment) end,
  updatedAt = function(moment) checkMoment('updatedAt', moment) end,
}

-- A checked todo of an import and its day, without reactions, which are other people's, and the revision that it had.
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
  if isNote(given.id) then checkNote(given) end
  checkContent(given.content)
  return given, checkDate(given.date)
end

--[[
  todomate_import: writes the todos of an export. They keep their times and get new revisions; one that is stored with
  the same fields is left alone, so that an import can be repeated.

  KEYS[1]  todomate:{uid}; writes :todos :days :open :log :feed, reads :profile
  args[1]  `add`, or `replace` to overwrite other todos of the same ids
  args[2…] todos as JSON
  answer   for each todo `added`, `replaced` or `unchanged`, or its error
  errors   USAGE; for each todo INVALID, EXISTS, FULL
]]
local function import(key, uid, args)
  local mode = args[1]
  checkMode(mode)
  local version, lastMicros, bytes, beginning = changeBefore(key)
  local count, batch = call('ZCARD', daysKey), {count = 0, beginning = beginning}
  call('HEXISTS', todosKey, '')  -- fails before anything is written when this is no hash
  local micros, _, seconds = momentAfter(lastMicros)
  local now = timestamp(seconds)
  local defaultVisibility, bytesMost, todosMost =
    unpack(call('HMGET', key .. ':profile', 'visibility', 'bytesMost', 'todosMost'))
  defaultVisibility = defaultVisibility or 'followers'

  local function importOne(line)
    local given, day = importedTodo(uid, line)
    local stored, storedText = storedTodo(key, uid, given.id)
    if stored then
      stored.visibility = stored.visibility or 'followers'
      -- Those without a time or goal have no such field.
      local isSame = (stored.time or '') == (given.time or '') and (stored.goal or '') == (given.goal or '')
      given.time = given.time ~= '' and given.time or nil
      given.goal = given.goal ~= '' and given.goal or nil
      for field, value in pairs(given) do isSame = isSame and stored[field] == value end
      if isSame then return 'unchanged' end
      if mode == 'add' then fail('EXISTS', 'another todo has the id ' .. given.id .. ' already') end
    end
    local month = given.date:sub(1, 7)
    if count >= TODOS_A_MONTH and not (stored and stored.date:sub(1, 7) == month) then
      checkRoom(given.date, day)
    end
    if not stored then checkCount(uid, count, todosMost) end
    local revision, moment = wholeDigits(version + 1), wholeDigits(micros)
    local position = given.position and digits(given.position) or revision
    given.status = given.status or 'todo'
    given.visibility = given.visibility or stored and stored.visibility or defaultVisibility
    local text = encoded(given.id, uid, given, escapedContent(given.content), position, revision, moment,
      given.createdAt or now, given.updatedAt or now, given.visibility, stored and stored.reactions)
    local after = bytes + (stored and #text - #storedText or weightOf(text))
    checkBytes(uid, bytes, after, bytesMost)
    local was = stored and encodedBefore(given, stored.status, stored.visibility) or ''
    commit(key, stored and 'modified' or 'added', text, was, version + 1, moment, after, batch.beginning, batch)
    bytes = math.max(0, after)
    call('HSET', todosKey, given.id, text)
    call('ZADD', daysKey, day, given.id)
    if stored and OPEN[stored.status] then countOpen(checkDate(stored.date), '-1') end
    if OPEN[given.status] then countOpen(day, '1') end
    version, micros = version + 1, micros + 1
    if not stored then count = count + 1 end
    return stored and 'replaced' or 'added'
  end

  return answerEach(key, args, 2, importOne)
end

--[[
  todomate_repair: makes index and version fit stored todos, and publishes those that viewers could not see. A log that is
  gone, or behind a revision, begins anew.

  KEYS[1]  todomate:{uid}; writes :days :log :feed, reads :todos :profile
  args[…]  ids of todos
  answer   for each id `fine`, `indexed`, `unindexed` or `counted`, or its error
  errors   for each id INVALID
]]
local function repair(key, uid, args)
  local leaving = call('HGET', key .. ':profile', 'leaving') or nil
  local version, lastMicros, bytes, beginning = changeBefore(key, true)
  if version == 0 and not beginning and lastChange(key) == LOST then
    -- Only relations, or a log without entries.
    local now, moment = momentAfter(0)
    version, lastMicros, beginning = 1, now, '1-' .. moment
  end
  local micros = momentAfter(lastMicros)
  call('ZCARD', daysKey)  -- fails before anything is written when this is no sorted set
  local batch = {count = 0, beginning = beginning}

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
      version, batch.beginning = todo.revision, nil
      call('XADD', logKey, wholeDigits(version) .. '-' .. wholeDigits(micros), 'beginning', '')
      micros = micros + 1
    end
    local moment = wholeDigits(micros)
    commit(key, 'modified', text, '', version + 1, moment, bytes, batch.beginning, batch, nil, nil, nil, leaving)
    call('ZADD', daysKey, day, id)
    version, micros = version + 1, micros + 1
    return isIndexed and 'counted' or 'indexed'
  end

  local answers = answerEach(key, args, 1, repairOne)
  if batch.beginning then beginHistory(batch.beginning) end
  return answers
end

-- Registration

local lastKey, lastUID

-- Sets what every function needs; answers the key's uid, or nil when there is none.
local function begin(key)
  device = nil
  -- Calls often come in runs for one user.
  if key == lastKey then return lastUID end
  local uid = match(key, '^todomate:{([a-z0-9A-Z._@-]+)}$')
  if not uid or #uid > 64 then return nil end
  if not call then call, attempt, type, pcall = redis.call, redis.pcall, _G.type, _G.pcall end
  todosKey, daysKey, logKey, openKey = key .. ':todos', key .. ':days', key .. ':log', key .. ':open'
  lastKey, lastUID = key, uid
  return uid
end

local isInCluster

-- Whether this Redis is one of a cluster: it says so; where the access list forbids to ask, keys of two slots tell, which no function may
-- read together there. While both are forbidden it counts as one: a call with one key could write a user at the wrong node.
local function looksClustered()
  local facts = attempt('INFO', 'cluster')
  if type(facts) == 'string' then
    isInCluster = find(facts, 'cluster_enabled:1', 1, true) ~= nil
  else
    local answer = attempt('EXISTS', 'todomate:{a}', 'todomate:{b}')
    if type(answer) == 'number' then
      isInCluster = false
    elseif find(answer.err, 'Script attempted to access', 1, true) then
      isInCluster = true
    end
  end
  publish = isInCluster ~= false and 'SPUBLISH' or 'PUBLISH'
  return isInCluster ~= false
end

local BAD_UID = 'TODOMATE_USAGE the key must be todomate:{uid}, its uid 1 to 64 of A-Z a-z 0-9 . _ @ -'

-- Whether a call lacks the second key that it must name in a cluster.
local function lacksLog(hasLog)
  local isClustered = isInCluster
  if isClustered == nil then isClustered = looksClustered() end
  return isClustered and not hasLog
end

local function usageOf(name, usage, isClustered)
  if isClustered == nil then isClustered = isInCluster end
  return 'TODOMATE_USAGE ' .. (isClustered and 'in a cluster ' or '') .. 'call it as FCALL ' .. name
    .. (isClustered and ' 2 todomate:{uid} todomate:{uid}:log' or ' 1 todomate:{uid}') .. usage
end

-- What each function is, for those that run another one: `least`, `most`, `body`, and whether it `isForFull` memory as well.
local registered = {}

-- How a function is run that is named without todomate_; nothing for one that there is not.
local function wayOf(name) return registered['todomate_' .. name] end

local function register(name, usage, least, most, flags, body)
  registered[name] = {least = least, most = most, body = body, isForFull = flags[1] == 'allow-oom'}
  redis.register_function({
    function_name = name,
    flags = flags,
    callback = function(keys, args)
      local key, count, given = keys[1], #keys, #args
      if count ~= 1 and (count ~= 2 or keys[2] ~= key .. ':log') or given < least or given > most then
        return redis.error_reply(usageOf(name, usage))
      end
      local uid = begin(key)
      if not uid then return redis.error_reply(BAD_UID) end
      if isInCluster ~= false and lacksLog(count == 2) then
        local advice = isInCluster == nil and ', as it may be here: this user may not ask. On one Redis: ACL SETUSER <user> +info' or ''
        return redis.error_reply(usageOf(name, usage, true) .. advice)
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
register('todomate_since', ' <change id> [<bytes> <bytes before>]', 1, 3, {'no-writes'}, since)
register('todomate_import', ' <add or replace> <json> [<json> ...]', 2, 1001, {}, import)
register('todomate_repair', ' [<id> ...]', 0, 1000, {}, repair)

--[[
  todomate_latest: reads the last change id.

  KEYS[1]  todomate:{uid}; reads :log, and without one whether there are other data
  answer   the change id; `0-0` where there is nothing, `0-1` where data have lost their log
]]
register('todomate_latest', '', 0, 0, {'no-writes'}, function(key) return (lastChange(key)) end)

;(function()

local SHORT_TODOS = 300
local SHORT_BYTES = 65536
local SHORT_BATCH = 32          -- read before it is known how large the todos are

--[[
  todomate_short: todomate_list for few and small todos. Joining megabytes would block Redis for tens of milliseconds:
  whoever wants as many reads the keys in parts, and then todomate_since for what changed meanwhile.

  KEYS[1]  todomate:{uid}; reads :days :todos :log
  args[1]  the first day as yyyymmdd; optional, with the last
  args[2]  the last day
  answer   as of todomate_list; an empty text where there is more
  errors   USAGE
]]
register('todomate_short', ' [<first yyyymmdd> <last yyyymmdd>]', 0, 2, {'no-writes'}, function(key, _, args)
  local from, to = checkedDays(args[1], args[2])
  return listed(key, from, to, SHORT_TODOS, SHORT_BYTES, SHORT_BATCH) or ''
end)

end)()

--[[
  todomate_version: reads the version of the library; takes no key and no arguments.

  answer   the version
]]
redis.register_function({
  function_name = 'todomate_version',
  flags = {'no-writes'},
  callback = function() return LIBRARY_VERSION end,
})
