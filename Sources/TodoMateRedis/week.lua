-- What a user has finished of late, for their week at a glance and the days in a row: counted when it is read.

;(function()

local FINISHED_TODOS = 1000
local FINISHED_BYTES = 524288     -- more would hold Redis for milliseconds
local FINISHED_BATCH = 32         -- read before it is known how large the todos are

-- How many todos come before those that a part begins with, the latest first; and the day in whose middle that is, if it is.
local function firstRank(place, to)
  if not place then return call('ZCOUNT', daysKey, '(' .. to, '+inf'), '' end
  local day, id = match(place, '^(%d%d%d%d%d%d%d%d)%.([%w_-]+)$')
  if not day or #id > 64 then
    fail('USAGE', 'the place must be what the part before answered first, such as 20261120.1763677123456789-57')
  end
  local score = call('ZSCORE', daysKey, id)
  if score and tonumber(score) == tonumber(day) then return call('ZREVRANK', daysKey, id) + 1, day end
  -- It was removed or moved: its day is counted from the beginning.
  return call('ZCOUNT', daysKey, '(' .. day, '+inf'), ''
end

local function goalIn(text)
  -- Quotes inside JSON strings are escaped, so this text can only be the key.
  local _, last = find(text, ',"goal":"', 1, true)
  return last and match(text, '^[%w_-]+', last + 1) or ''
end

--[[
  todomate_finished: counts what a user has finished of some days, the latest first: the days of the todos, whenever they were
  finished.

  KEYS[1]  todomate:{uid}; reads :days :todos
  args[1]  the first day as yyyymmdd
  args[2]  the last day
  args[3]  `goals` for the numbers by day and goal, `days` for a 1 of each day that has any
  args[4]  what the part before answered first; optional
  answer   what the next part is to be asked for with, empty at the end; the day whose numbers add to those of the part before,
           or nothing where they take the place of those; then of each day and goal with any the day, the goal's id or nothing,
           and how many
  errors   USAGE
]]
local function finished(_, _, args)
  local from, to = checkedDays(args[1], args[2])
  local isByGoal = args[3] == 'goals'
  if not isByGoal and args[3] ~= 'days' then fail('USAGE', 'the third argument must be goals or days') end
  local answer, places = {'', ''}, {}
  local rank
  rank, answer[2] = firstRank(args[4], to)
  local stop = call('ZCOUNT', daysKey, from, '+inf')
  local looked, bytes, batch = 0, 0, FINISHED_BATCH

  local function count(day, goal)
    local name = day .. goal
    if not places[name] then
      answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = day, goal, 0
      places[name] = #answer
    end
    answer[places[name]] = isByGoal and answer[places[name]] + 1 or 1
  end

  while rank < stop do
    local page = call('ZRANGE', daysKey, rank, rank + math.min(batch, FINISHED_TODOS - looked, stop - rank) - 1, 'REV', 'WITHSCORES')
    local ids, days = {}, {}
    for index = 1, #page, 2 do ids[#ids + 1], days[#days + 1] = page[index], wholeDigits(tonumber(page[index + 1])) end
    for index, text in ipairs(call('HMGET', todosKey, unpack(ids))) do
      if text then
        bytes = bytes + #text
        if isCompleteIn(text) then count(days[index], isByGoal and goalIn(text) or '') end
      end
    end
    looked, rank = looked + #ids, rank + #ids
    local last = days[#days]
    -- One is enough for a day: the rest of it need not be read.
    if not isByGoal and places[last] then rank = math.max(rank, call('ZCOUNT', daysKey, last, '+inf')) end
    if rank < stop and (looked >= FINISHED_TODOS or bytes >= FINISHED_BYTES) then
      answer[1] = last .. '.' .. ids[#ids]
      break
    end
    -- As many as are likely to fit, by what those before weighed.
    batch = math.max(1, math.min(FINISHED_TODOS, math.floor((FINISHED_BYTES - bytes) * looked / math.max(bytes, 1))))
  end
  return answer
end

register('todomate_finished', ' <first yyyymmdd> <last yyyymmdd> <goals or days> [<place>]', 3, 4, {'no-writes'}, finished)

end)()
