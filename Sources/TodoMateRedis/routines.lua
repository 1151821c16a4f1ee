-- A person's routines: what they do again and again, by a rule that says on which days.
--
-- No todo is stored for a day until somebody does something with it: who reads a list works the days out. `todomate_update` makes
-- the todo of a day then, under the id <routine id>--<yyyymmdd>, and the routine remembers the day, so that no day is made twice and
-- none comes back. Routines are part of the settings: a change of one is a `settings` message, which has all of them. That a
-- day was made is said by the `added` message alone.
--
-- Rules are a part of those of RFC 5545, section 3.3.10, with the same meaning; `RoutineRule.swift` says which part. One table of
-- examples holds for that, for the page, and for what stands here.

;(function()

local ROUTINES_MOST = 50
local ROUTINES_BYTES = 24576    -- of all of a user's routines, less the days that they remember: each settings message has them
local ID_LENGTH = 54            -- with a day behind it, no longer than the id of a todo
local RULE_BYTES = 200
local LARGEST_NUMBER = 999      -- of INTERVAL and COUNT
local MADE_MOST = 100           -- days that one routine remembers
local REACH_SECONDS = 40 * 86400  -- how long it remembers days that have passed; readers look back 31
local LAST_YEAR = 2999
local LAST_NUMBER = 376199      -- of 2999-12-31, in days since 1970
local DAY_NAMES = {MO = 0, TU = 1, WE = 2, TH = 3, FR = 4, SA = 5, SU = 6}
local DAY_ORDER = {'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'}
local RULE_PARTS = {FREQ = true, INTERVAL = true, BYDAY = true, BYMONTHDAY = true, UNTIL = true, COUNT = true}
local ROUTINE_FIELDS = {
  id = true, content = true, rule = true, from = true, position = true, time = true, goal = true, visibility = true, made = true,
  ended = true, seen = true, into = true,
}
-- While a library loads, there is no `math` yet.
local function floor(number) return math.floor(number) end

-- Days

-- Days since 1970-01-01: days_from_civil of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
local function dayNumber(year, month, day)
  if month <= 2 then year = year - 1 end
  local era = floor(year / 400)
  local ofEra = year - era * 400
  local ofYear = floor((153 * (month > 2 and month - 3 or month + 9) + 2) / 5) + day - 1
  return era * 146097 + ofEra * 365 + floor(ofEra / 4) - floor(ofEra / 100) + ofYear - 719468
end

local function monthLength(year, month)
  local isLeap = month == 2 and year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
  return DAYS_IN_MONTH[month] + (isLeap and 1 or 0)
end

-- The parts of a day that is written yyyymmdd, and its number of days since 1970; nil where there is no such day.
local function partsOf(day)
  local year, month, ofMonth = match(day, '^(%d%d%d%d)(%d%d)(%d%d)$')
  if not year or not pcall(checkDate, year .. '-' .. month .. '-' .. ofMonth) then return nil end
  year, month, ofMonth = year + 0, month + 0, ofMonth + 0
  return {year = year, month = month, day = ofMonth, number = dayNumber(year, month, ofMonth), text = day}
end

-- The day before, as yyyymmdd.
local function dayBefore(day)
  local year, month, ofMonth = day.year, day.month, day.day - 1
  if ofMonth == 0 then
    month = month - 1
    if month == 0 then year, month = year - 1, 12 end
    ofMonth = monthLength(year, month)
  end
  return ('%04d%02d%02d'):format(year, month, ofMonth)
end

-- Rules

local function numberIn(text, most)
  return find(text, '^[1-9]%d?%d?$') and text + 0 <= most and text + 0 or nil
end

local function checkedWeekdays(text, frequency)
  if not text then return nil end
  local days, known, isSound = {}, {}, frequency == 'WEEKLY'
  for name in (text .. ','):gmatch('([^,]*),') do
    if not DAY_NAMES[name] or known[name] then isSound = false end
    known[name] = true
  end
  if not isSound then
    fail('INVALID', 'BYDAY stands with FREQ=WEEKLY, and has some of MO,TU,WE,TH,FR,SA,SU, each once')
  end
  for _, name in ipairs(DAY_ORDER) do
    if known[name] then days[#days + 1] = name end
  end
  return days
end

-- A rule by its parts.
local function checkedRule(text)
  if type(text) ~= 'string' or #text > RULE_BYTES then
    fail('INVALID', 'rule must be a string of at most ' .. RULE_BYTES .. ' bytes')
  end
  local parts = {}
  for part in (text .. ';'):gmatch('([^;]*);') do
    local name, value = match(part, '^([^=]*)=(.+)$')
    if not name then fail('INVALID', 'a rule must look like FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261231') end
    if not RULE_PARTS[name] then
      fail('INVALID', 'a rule has only the parts FREQ, INTERVAL, BYDAY, BYMONTHDAY, UNTIL and COUNT')
    end
    if parts[name] then fail('INVALID', name .. ' must stand only once in a rule') end
    parts[name] = value
  end
  local frequency = parts.FREQ
  if frequency ~= 'DAILY' and frequency ~= 'WEEKLY' and frequency ~= 'MONTHLY' then
    fail('INVALID', 'FREQ must be DAILY, WEEKLY or MONTHLY')
  end
  local rule = {frequency = frequency, interval = numberIn(parts.INTERVAL or '1', LARGEST_NUMBER)}
  if not rule.interval then fail('INVALID', 'INTERVAL must be a whole number from 1 to ' .. LARGEST_NUMBER) end
  rule.weekdays = checkedWeekdays(parts.BYDAY, frequency)
  if parts.BYMONTHDAY then
    rule.monthDay = parts.BYMONTHDAY == '-1' and -1 or numberIn(parts.BYMONTHDAY, 31)
    if frequency ~= 'MONTHLY' or not rule.monthDay then
      fail('INVALID', 'BYMONTHDAY stands with FREQ=MONTHLY, and is one of 1 to 31, or -1 for the last day')
    end
  end
  if parts.UNTIL then
    rule.untilDay = partsOf(parts.UNTIL)
    if not rule.untilDay or parts.COUNT then
      fail('INVALID', 'UNTIL must be a real day such as 20261231, and not stand beside COUNT')
    end
  end
  rule.count = parts.COUNT and numberIn(parts.COUNT, LARGEST_NUMBER)
  if parts.COUNT and not rule.count then fail('INVALID', 'COUNT must be a whole number from 1 to ' .. LARGEST_NUMBER) end
  return rule
end

-- The rule as it is stored.
local function encodedRule(rule)
  return 'FREQ=' .. rule.frequency .. (rule.interval > 1 and ';INTERVAL=' .. rule.interval or '')
    .. (rule.weekdays and ';BYDAY=' .. table.concat(rule.weekdays, ',') or '')
    .. (rule.monthDay and ';BYMONTHDAY=' .. rule.monthDay or '')
    .. (rule.untilDay and ';UNTIL=' .. rule.untilDay.text or '') .. (rule.count and ';COUNT=' .. rule.count or '')
end

local function nextOfWeek(rule, first, number)
  local weekday = (first.number + 3) % 7  -- 1970 began on a Thursday
  local days, monday = {weekday}, first.number - weekday
  for index, name in ipairs(rule.weekdays or {}) do days[index] = DAY_NAMES[name] end
  local week = floor((number - monday) / 7)
  if week % rule.interval == 0 then
    for _, day in ipairs(days) do
      if monday + week * 7 + day >= number then return monday + week * 7 + day end
    end
  end
  return monday + (floor(week / rule.interval) + 1) * rule.interval * 7 + days[1]
end

local function nextOfMonth(rule, first, number)
  -- So many months have passed at least: the lengths of any number of months are within three days of their mean.
  local start = first.year * 12 + first.month - 1
  local passed = math.max(0, floor((number - first.number) / 30.436875) - 2)
  local month = start + floor(passed / rule.interval) * rule.interval
  while month < (LAST_YEAR + 1) * 12 do
    local year, ofYear = floor(month / 12), month % 12 + 1
    local length, day = monthLength(year, ofYear), rule.monthDay or first.day
    if day < 0 then day = length end
    if day <= length and dayNumber(year, ofYear, day) >= number then return dayNumber(year, ofYear, day) end
    month = month + rule.interval
  end
  return nil
end

-- The next day of a rule on or after one, wherever it ends, by their numbers; nil for none.
local function nextDay(rule, first, number)
  number = math.max(number, first.number)
  local found
  if rule.frequency == 'DAILY' then
    found = first.number + math.ceil((number - first.number) / rule.interval) * rule.interval
  elseif rule.frequency == 'WEEKLY' then
    found = nextOfWeek(rule, first, number)
  else
    found = nextOfMonth(rule, first, number)
  end
  return found and found <= LAST_NUMBER and found or nil
end

-- The number of the last day at the latest; nil where there is no day at all.
local function lastDay(rule, first)
  local day = nextDay(rule, first, first.number)
  if not day then return nil end
  if rule.untilDay then return day <= rule.untilDay.number and rule.untilDay.number or nil end
  if not rule.count then return LAST_NUMBER end
  for _ = 2, rule.count do
    local following = nextDay(rule, first, day + 1)
    if not following then break end
    day = following
  end
  return day
end

local function hasDay(rule, first, day)
  if nextDay(rule, first, day.number) ~= day.number then return false end
  local last = lastDay(rule, first)
  return last ~= nil and day.number <= last
end

-- Routines

local function routineOf(key, id, text)
  local routine = decoded(text)
  local isSound = routine and routine.id == id and type(routine.content) == 'string' and type(routine.position) == 'number'
    and pcall(checkedRule, routine.rule) and pcall(checkDate, routine.from) and (routine.made == nil or type(routine.made) == 'table')
  if not isSound then fail('CORRUPT', 'the routine ' .. id .. ' was edited by hand: HDEL ' .. key .. ':routines ' .. id) end
  routine.made = routine.made or {}
  return routine
end

local function storedRoutine(key, id)
  local text = call('HGET', key .. ':routines', id)
  return text and routineOf(key, id, text) or nil
end

local function firstDayOf(routine) return partsOf((routine.from:gsub('%-', ''))) end

local function encodedRoutine(routine)
  local made = {}
  for index, day in ipairs(routine.made) do made[index] = wholeDigits(day) end
  return '{"id":"' .. routine.id .. '","content":"' .. escaped(routine.content) .. '","rule":"' .. routine.rule .. '","from":"'
    .. routine.from .. '","position":' .. digits(routine.position)
    .. ((routine.time or '') ~= '' and ',"time":"' .. routine.time .. '"' or '')
    .. ((routine.goal or '') ~= '' and ',"goal":"' .. routine.goal .. '"' or '')
    .. ((routine.visibility or '') ~= '' and ',"visibility":"' .. routine.visibility .. '"' or '')
    .. (#made > 0 and ',"made":[' .. table.concat(made, ',') .. ']' or '') .. '}'
end

-- The earliest day that routines remember, as a number yyyymmdd.
local function earliestDay()
  return (timestamp(call('TIME')[1] - REACH_SECONDS):sub(1, 10):gsub('%-', '')) + 0
end

-- Has a routine remember its days that are not long past, each once and in order, and one more if there is any.
local function remember(routine, day)
  local earliest, days, known = earliestDay(), {}, {}
  local function keep(each)
    if each >= earliest and not known[each] then
      known[each] = true
      days[#days + 1] = each
    end
  end
  for _, each in ipairs(routine.made) do keep(each) end
  if day then keep(day) end
  if #days > MADE_MOST then
    fail('FULL', 'the routine ' .. routine.id .. ' has ' .. MADE_MOST .. ' days that were made or skipped: end it and begin another')
  end
  table.sort(days)
  routine.made = days
end

local function remembers(routine, day)
  for _, each in ipairs(routine.made) do
    if each == day then return true end
  end
  return false
end

local function checkRoutineID(id)
  checkID(id)
  if #id > ID_LENGTH then fail('INVALID', "a routine's id must be 1 to " .. ID_LENGTH .. ' of A-Z a-z 0-9 _ -') end
end

local function checkMade(made)
  local isSound = type(made) == 'table'
  for index, day in pairs(isSound and made or {}) do
    isSound = isSound and type(index) == 'number' and index <= MADE_MOST and type(day) == 'number' and partsOf(digits(day)) ~= nil
  end
  if not isSound then fail('INVALID', 'made must be a list of at most ' .. MADE_MOST .. ' days, each a number such as 20261120') end
end

local function checkRoutineFields(given)
  for field in pairs(given) do
    if not ROUTINE_FIELDS[field] then
      fail('INVALID', "'" .. field:gsub('[^%w_-]', '?'):sub(1, 40) .. "' is no field of a routine: use id, content, rule, from, "
        .. 'position, time, goal, visibility, made, ended, seen and into')
    end
  end
  checkRoutineID(given.id)
  if given.content ~= nil then checkContent(given.content) end
  if given.rule ~= nil then given.rule = encodedRule(checkedRule(given.rule)) end
  if given.from ~= nil then checkDate(given.from) end
  if given.position ~= nil then checkPosition(given.position) end
  if given.time ~= nil then checkTime(given.time) end
  if given.goal ~= nil then checkGoal(given.goal) end
  if given.visibility ~= nil and given.visibility ~= '' then checkVisibility(given.visibility) end
  if given.made ~= nil then checkMade(given.made) end
  if given.ended ~= nil and type(given.ended) ~= 'boolean' then fail('INVALID', 'ended must be true or false') end
  if given.seen ~= nil then given.seen = encodedRule(checkedRule(given.seen)) end
  if given.into ~= nil then
    checkRoutineID(given.into)
    if not given.ended or given.into == given.id then fail('INVALID', 'into goes with ended, and names another routine') end
  end
end

-- Refuses where a routine has another rule than whoever changes it saw: somebody else has changed, split or ended it.
local function checkSeen(routine, seen)
  if seen and seen ~= routine.rule then
    fail('CONFLICT', 'the rule of the routine ' .. routine.id .. ' is now ' .. routine.rule .. ': read it again and retry')
  end
end

local function failNoRoutine(uid, id) fail('NOT_FOUND', uid .. ' has no routine with the id ' .. id) end

-- What a routine becomes, by what is given of it.
local function changed(key, routine, given, version)
  if not routine then
    if given.content == nil or given.rule == nil or given.from == nil then
      fail('INVALID', 'a new routine needs content, rule and from')
    end
    routine = {position = version, made = {}}
  end
  if given.goal and given.goal ~= '' and given.goal ~= routine.goal then goalOf(key, given.goal) end
  for field, value in pairs(given) do
    if field == 'made' then
      -- What was made or skipped since they were read is not forgotten.
      for _, day in ipairs(value) do table.insert(routine.made, day) end
    elseif field ~= 'ended' and field ~= 'seen' and field ~= 'into' then
      routine[field] = value
    end
  end
  local rule, first = checkedRule(routine.rule), firstDayOf(routine)
  local day = nextDay(rule, first, first.number)
  if not day or rule.untilDay and day > rule.untilDay.number then
    fail('INVALID', 'the rule ' .. routine.rule .. ' has no day from ' .. routine.from .. ' on')
  end
  remember(routine)
  return routine
end

-- What a routine counts as, without the days that it remembers, which come last.
local function sizeOf(text)
  -- Quotes inside JSON strings are escaped, so this text can only be the key.
  return find(text, ',"made":[', 1, true) or #text
end

-- Commits routines that have changed, by their ids, with false for one that is gone; answers the message.
local function commitRoutines(key, uid, changes, version, moment, bytes, beginning)
  local routinesKey, settings = key .. ':routines', settingsOf(key)
  local all, size, before, isChanged = {}, 0, 0, false
  local flat, stored = call('HGETALL', routinesKey), {}
  for index = 1, #flat, 2 do
    stored[flat[index]] = flat[index + 1]
    before = before + sizeOf(flat[index + 1])
    if changes[flat[index]] == nil then all[#all + 1] = flat[index + 1] end
  end
  for id, text in pairs(changes) do
    if (stored[id] or false) ~= text then isChanged = true end
    if text then all[#all + 1] = text end
  end
  if not isChanged then return unchanged('settings', settingsJSON(uid, settings)) end
  for _, text in ipairs(all) do size = size + sizeOf(text) end
  if #all > ROUTINES_MOST and #all > #flat / 2 then
    fail('FULL', uid .. ' has ' .. ROUTINES_MOST .. ' routines already: end one of them first')
  end
  if size > ROUTINES_BYTES and size > before then
    fail('FULL', 'the routines of ' .. uid .. ' take as much as they may: shorten or end some first')
  end
  local json = settingsJSON(uid, settings, nil, nil, joinedRoutines(all))
  local message = commit(key, 'settings', json, '', version, moment, bytes, beginning)
  for id, text in pairs(changes) do
    if text then call('HSET', routinesKey, id, text) else call('HDEL', routinesKey, id) end
  end
  return message
end

--[[
  todomate_set_routines: makes routines, changes some of their fields, or takes them away, all at once. Todos of theirs that
  are there stay as they are.

  KEYS[1]  todomate:{uid}; writes :routines :log :feed, reads :goals :profile
  args[…]  JSON each, with id, and any of content, rule, from, position, time, goal, visibility, made, to which those that it
           remembers are added, and ended, which true takes the routine away, into naming another one that is to remember its days;
           seen is the rule that the caller has seen; a new one needs content, rule and from; an empty time, goal or visibility is
           taken away
  answer   the `settings` message, which has all routines, or `unchanged`
  errors   INVALID, FULL; with seen or into also NOT_FOUND, and CONFLICT where the rule is another one
]]
local function setRoutines(key, uid, args)
  local version, moment, bytes, beginning = nextChange(key)
  local results, gone, changes = {}, {}, {}
  for _, text in ipairs(args) do
    local given = decodedArgument(text)
    checkRoutineFields(given)
    if results[given.id] ~= nil then fail('INVALID', 'each routine must be given only once') end
    local isAsked = given.seen or given.into
    local routine = (isAsked or not given.ended) and storedRoutine(key, given.id) or nil
    if isAsked and not routine then failNoRoutine(uid, given.id) end
    checkSeen(routine, given.seen)
    if given.into then gone[#gone + 1] = {into = given.into, made = routine.made} end
    results[given.id] = not given.ended and changed(key, routine, given, version)
  end
  for _, each in ipairs(gone) do
    local heir = results[each.into]
    if heir == nil then heir = storedRoutine(key, each.into) end
    if not heir then failNoRoutine(uid, each.into) end
    for _, day in ipairs(each.made) do table.insert(heir.made, day) end
    remember(heir)
    results[each.into] = heir
  end
  for id, routine in pairs(results) do changes[id] = routine and encodedRoutine(routine) end
  return commitRoutines(key, uid, changes, version, moment, bytes, beginning)
end

-- A routine and one of its days, as the arguments name them.
local function routineAndDay(key, uid, args)
  checkRoutineID(args[1])
  local day = partsOf(args[2])
  if not day then fail('USAGE', 'give a routine and a day as yyyymmdd, such as 20261120') end
  return storedRoutine(key, args[1]) or failNoRoutine(uid, args[1]), day
end

--[[
  todomate_skip_day: leaves out one day of a routine, or takes that back. A todo that was made of that day stays.

  KEYS[1]  todomate:{uid}; writes :routines :log :feed, reads :goals :profile :todos
  args[1]  the routine's id
  args[2]  the day as yyyymmdd
  args[3]  `back` to have the day again, which needs that its todo is gone; optional
  answer   the `settings` message, or `unchanged`
  errors   USAGE, INVALID, NOT_FOUND, EXISTS, FULL
]]
local function skipDay(key, uid, args)
  local routine, day = routineAndDay(key, uid, args)
  if args[3] and args[3] ~= 'back' then fail('USAGE', 'the third argument is back, or nothing') end
  if day.text + 0 < earliestDay() or not hasDay(checkedRule(routine.rule), firstDayOf(routine), day) then
    fail('INVALID', 'the routine ' .. routine.id .. ' has no day ' .. day.text .. ', or that was long ago')
  end
  if args[3] then
    local id = routine.id .. '--' .. day.text
    if call('HEXISTS', todosKey, id) == 1 then
      fail('EXISTS', 'the todo ' .. id .. ' is still there: remove it first')
    end
    for index = #routine.made, 1, -1 do
      if routine.made[index] == day.text + 0 then table.remove(routine.made, index) end
    end
  end
  remember(routine, not args[3] and day.text + 0 or nil)
  local version, moment, bytes, beginning = nextChange(key)
  return commitRoutines(key, uid, {[routine.id] = encodedRoutine(routine)}, version, moment, bytes, beginning)
end

--[[
  todomate_split_routine: ends a routine on the day before one, and has another begin on that day where one is given. What is not
  said of that one is as it was; without a day before, the old one is taken away. Days made or skipped stay so.

  KEYS[1]  todomate:{uid}; writes :routines :log :feed, reads :goals :profile
  args[1]  the routine's id
  args[2]  the day as yyyymmdd
  args[3]  JSON of the other one with id, and any of content, rule, from, position, time, goal and visibility; and with or without
           that, seen, the rule of the routine as the caller has seen it; optional
  answer   the `settings` message, or `unchanged`
  errors   USAGE, INVALID, NOT_FOUND, EXISTS, FULL; CONFLICT where the rule is another one, or ended before that day already
]]
local function splitRoutine(key, uid, args)
  local given = args[3] and decodedArgument(args[3])
  if given then
    local isAlone = given.id == nil and next(given) == 'seen' and next(given, 'seen') == nil
    if isAlone then given.id = args[1] end
    checkRoutineFields(given)
    -- Asked first: who says again what was done gets to know that, whatever has become of the old one.
    if not isAlone and (given.id == args[1] or call('HEXISTS', key .. ':routines', given.id) == 1) then
      fail('EXISTS', 'there is a routine with the id ' .. given.id .. ' already: choose another id')
    end
  end
  local routine, day = routineAndDay(key, uid, args)
  checkSeen(routine, given and given.seen)
  if given and given.id == routine.id then given = nil end
  local rule, first = checkedRule(routine.rule), firstDayOf(routine)
  local version, moment, bytes, beginning = nextChange(key)
  local changes, kept, moved = {}, {}, {}
  for _, each in ipairs(routine.made) do
    local days = each < day.text + 0 and kept or moved
    days[#days + 1] = each
  end
  local last = lastDay(rule, first)
  if given then
    if given.made or given.ended then fail('INVALID', 'made and ended are no fields of a routine that begins') end
    if given.from and given.from:gsub('%-', '') < day.text then
      fail('INVALID', 'from must not be before the day on which the other routine ends')
    end
    if not given.rule and not hasDay(rule, first, day) then
      fail('INVALID', 'the routine ' .. routine.id .. ' has no day ' .. day.text .. ': give one of its days, or another rule')
    end
    if not last or last < day.number then
      fail('CONFLICT', 'the routine ' .. routine.id .. ' ended before ' .. day.text .. ': read it again and retry')
    end
    local other = {
      content = routine.content, rule = routine.rule, from = args[2]:gsub('^(....)(..)(..)$', '%1-%2-%3'), position = routine.position,
      time = routine.time, goal = routine.goal, visibility = routine.visibility, made = moved,
    }
    if rule.count and not given.rule then
      -- As many as are left, which are those until the same last day.
      local count, number = 0, day.number
      while number and number <= last do
        count, number = count + 1, nextDay(rule, first, number + 1)
      end
      local left = checkedRule(routine.rule)
      left.count = count
      other.rule = encodedRule(left)
    end
    changes[given.id] = encodedRoutine(changed(key, other, given, version))
  end
  if not last or last >= day.number then
    rule.count, rule.untilDay = nil, partsOf(dayBefore(day))
    if rule.untilDay and lastDay(rule, first) then
      routine.rule, routine.made = encodedRule(rule), kept
      remember(routine)
      changes[routine.id] = encodedRoutine(routine)
    else
      changes[routine.id] = false
    end
  end
  return commitRoutines(key, uid, changes, version, moment, bytes, beginning)
end

local RULES_KNOWN = 1000         -- whose last days are remembered: a count has to be counted
local rules, rulesCount = {}, 0

local function isDue(routine, day)
  local name = routine.rule .. ' ' .. routine.from
  local known = rules[name]
  if not known then
    if rulesCount == RULES_KNOWN then rules, rulesCount = {}, 0 end
    local rule, first = checkedRule(routine.rule), firstDayOf(routine)
    known = {rule = rule, first = first, last = lastDay(rule, first) or 0}
    rules[name], rulesCount = known, rulesCount + 1
  end
  return day.number <= known.last and nextDay(known.rule, known.first, day.number) == day.number
    and not remembers({made = routine.made or {}}, day.text + 0)
end

-- How many routines have a day on which nothing was done yet: what a list of that day shows besides the todos that are there.
function dueOn(key, text)
  local day, count = partsOf(text), 0
  for _, stored in ipairs(day and call('HVALS', key .. ':routines') or {}) do
    local routine = decoded(stored)
    -- One that was edited by hand must not hide the numbers.
    local isSound, is = pcall(isDue, routine, day)
    if isSound and is and call('HEXISTS', todosKey, routine.id .. '--' .. text) == 0 then count = count + 1 end
  end
  return count
end

-- Makes the todo of a routine's day with what an update gives, and has the routine remember the day; answers the `added` message.
function makeInstance(key, uid, id, patch)
  local name, dayText = match(id, '^(.+)%-%-(%d%d%d%d%d%d%d%d)$')
  local day = name and partsOf(dayText)
  local routine = day and storedRoutine(key, name)
  if not routine then failNotFound(uid, id) end
  local isOpen = hasDay(checkedRule(routine.rule), firstDayOf(routine), day) and not remembers(routine, dayText + 0)
    and dayText + 0 >= earliestDay()
  if not isOpen then
    fail('NOT_FOUND', uid .. ' has no todo with the id ' .. id .. ': the routine has no such day, or it was skipped or removed')
  end
  remember(routine, dayText + 0)
  local date = dayText:gsub('^(....)(..)(..)$', '%1-%2-%3')
  local goal = patch.goal or routine.goal or ''
  -- Only what is asked for now has to be there.
  if not patch.goal and goal ~= '' and call('HEXISTS', key .. ':goals', goal) == 0 then goal = '' end
  local isMoved = patch.date and patch.date ~= date
  local position = patch.position or not isMoved and routine.position
  local visibility = patch.visibility or routine.visibility or ''
  local answer = add(key, uid, {
    '{"id":"' .. id .. '","date":"' .. (patch.date or date) .. '","content":"' .. escaped(patch.content or routine.content)
      .. '","detail":"' .. escaped(patch.detail or '') .. '","status":"' .. (patch.status or 'todo')
      .. '","time":"' .. (patch.time or routine.time or '') .. '","goal":"' .. goal .. '"'
      .. (position and ',"position":' .. digits(position) or '')
      .. (visibility ~= '' and ',"visibility":"' .. visibility .. '"' or '') .. '}',
  })
  call('HSET', key .. ':routines', name, encodedRoutine(routine))
  return answer
end

register('todomate_set_routines', ' <json> [<json> ...]', 1, ROUTINES_MOST, {}, setRoutines)
register('todomate_skip_day', ' <routine id> <yyyymmdd> [back]', 2, 3, {}, skipDay)
register('todomate_split_routine', ' <routine id> <yyyymmdd> [<json>]', 2, 3, {}, splitRoutine)

end)()
