-- A person's goals: what their todos are for, each with a name, a colour and a visibility of its own.
--
-- They are part of the settings: a change of one is a `settings` message, which has all of them.

-- How many may see it. Also for hiding.lua.
local OPENNESS = {private = 0, followers = 1, public = 2}
local spreadGoal

;(function()

local GOALS_MOST = 100
local SWEEP_MOST = 100
local SWEEP_PAGE = '20'
local SWEEP_LOOKED = 200
-- Bytes that are read, and those that are written many times over: about ten milliseconds.
local SWEEP_WORK, SWEEP_WEIGHT = 524288, 8
local COLORS = {
  red = true, orange = true, yellow = true, green = true, teal = true, blue = true, indigo = true, purple = true, pink = true,
  gray = true,
}
local GOAL_FIELDS = {id = true, name = true, color = true, position = true, visibility = true, archived = true}
local GOAL_FIELD_NAMES = {'id', 'name', 'color', 'position', 'visibility', 'archived'}

local function checkGoalFields(given)
  for field in pairs(given) do
    if not GOAL_FIELDS[field] then
      fail('INVALID', "'" .. field:gsub('[^%w_-]', '?'):sub(1, 40) .. "' is no field of a goal: use id, name, color, position, "
        .. 'visibility and archived')
    end
  end
  checkID(given.id)
  if given.name ~= nil then checkName(given.name) end
  if given.color ~= nil and not COLORS[given.color] then
    fail('INVALID', 'color must be red, orange, yellow, green, teal, blue, indigo, purple, pink or gray')
  end
  if given.position ~= nil then checkPosition(given.position) end
  if given.visibility ~= nil then checkVisibility(given.visibility) end
  if given.archived ~= nil and type(given.archived) ~= 'boolean' then fail('INVALID', 'archived must be true or false') end
end

local function encodedGoal(goal)
  return '{"id":"' .. goal.id .. '","name":"' .. escaped(goal.name) .. '","color":"' .. goal.color .. '","position":'
    .. digits(goal.position) .. ',"visibility":"' .. goal.visibility .. '","archived":' .. tostring(goal.archived) .. '}'
end

-- A stored goal, or nil for one that cannot be read. Its colour may be one that only a newer library knows.
local function readableGoal(id, text)
  local goal = decoded(text)
  if not goal or goal.id ~= id or type(goal.color) ~= 'string' or not find(goal.color, '^%l+$') then return nil end
  local isSound = pcall(function()
    for _, field in ipairs(GOAL_FIELD_NAMES) do if goal[field] == nil then fail('CORRUPT', field) end end
    checkGoalFields({id = id, name = goal.name, position = goal.position, visibility = goal.visibility, archived = goal.archived})
  end)
  return isSound and goal or nil
end

-- The goals of these texts as a key of settings.
local function goalsKeyOf(texts)
  if #texts == 0 then return '' end
  -- Who reads them orders them; here they only have to be the same whenever they are. Their first bytes are alike for long.
  table.sort(texts)
  return ',"goals":[' .. table.concat(texts, ',') .. ']'
end

-- `changed` takes the place of the goal with this id. Those that cannot be read are left out: they must not hide the account.
encodedGoals = function(key, id, changed)
  local goals, flat = {changed}, call('HGETALL', key .. ':goals')
  for index = 1, #flat, 2 do
    local goal = flat[index] ~= id and readableGoal(flat[index], flat[index + 1])
    if goal then goals[#goals + 1] = encodedGoal(goal) end
  end
  return goalsKeyOf(goals)
end

--[[
  todomate_set_goal: makes a goal, or changes some of its fields. Todos that have it already keep their visibility.

  KEYS[1]  todomate:{uid}; writes :goals :log :feed, reads :profile
  args[1]  JSON with id, and any of name, color, position, visibility and archived; a new one needs a name
  answer   the `settings` message, which has all goals, or `unchanged`
  errors   INVALID, FULL, CORRUPT
]]
local function setGoal(key, uid, args)
  local given = decodedArgument(args[1], 'the goal')
  checkGoalFields(given)
  local goalsKey, settings = key .. ':goals', settingsOf(key)
  local text = call('HGET', goalsKey, given.id)
  local goal = text and readableGoal(given.id, text)
  if text and not goal then failUnreadableGoal(key, given.id) end
  local version, moment, bytes, beginning = nextChange(key)
  if not goal then
    if given.name == nil then fail('INVALID', 'a new goal needs a name') end
    if call('HLEN', goalsKey) >= GOALS_MOST then
      fail('FULL', uid .. ' has ' .. GOALS_MOST .. ' goals already: remove one of them first')
    end
    goal = {color = 'green', position = version, visibility = settings.visibility, archived = false}
  end
  for field, value in pairs(given) do goal[field] = value end
  local after = encodedGoal(goal)
  if after == text then return unchanged('settings', settingsJSON(uid, settings)) end
  local json = settingsJSON(uid, settings, nil, encodedGoals(key, given.id, after))
  local message = commit(key, 'settings', json, '', version, moment, bytes, beginning)
  call('HSET', goalsKey, given.id, after)
  return message
end

-- Takes goals, by their ids with what they were for, from a user's routines, whose todos stay for those whom they were for; answers
-- them as keys of settings have them, and what is to be stored of those that change, as HSET takes it.
local function routinesWithout(key, visibilities)
  local flat, all, changed = call('HGETALL', key .. ':routines'), {}, {}
  local seen = ',"visibility":"'
  for index = 1, #flat, 2 do
    local text = flat[index + 1]
    -- Quotes inside JSON strings are escaped, so this text can only be the key.
    local first, last, id = find(text, ',"goal":"([%w_-]+)"')
    local visibility = id and visibilities[id]
    if visibility then
      local rest = text:sub(last + 1)
      text = text:sub(1, first - 1) .. (rest:sub(1, #seen) == seen and '' or seen .. visibility .. '"') .. rest
      changed[#changed + 1], changed[#changed + 2] = flat[index], text
    end
    all[#all + 1] = text
  end
  return joinedRoutines(all), changed
end

-- Whom new todos of a stored goal are for; of one that was edited by hand nobody else.
local function visibilityOf(text) return match(text, ',"visibility":"(%a+)"') or 'private' end

--[[
  todomate_restore_goals: writes the goals of an export, all or none. Todos keep what they are for; routines of a goal that is gone
  are for whom they were.

  KEYS[1]  todomate:{uid}; writes :goals :routines :log :feed, reads :profile
  args[1]  `add`, which refuses where there are others already, or `replace` for these in place of all that are there
  args[2…] goals as JSON, up to 100, each with all of its fields
  answer   `added`, `replaced` or `unchanged`
  errors   USAGE, INVALID, EXISTS
]]
local function restoreGoals(key, uid, args)
  local mode, texts, byID = args[1], {}, {}
  checkMode(mode)
  for index = 2, #args do
    local goal = decodedArgument(args[index], 'the goal')
    checkGoalFields(goal)
    for _, field in ipairs(GOAL_FIELD_NAMES) do
      if goal[field] == nil then fail('INVALID', 'a goal of an export has ' .. field) end
    end
    if byID[goal.id] then fail('INVALID', 'two goals have the id ' .. goal.id) end
    byID[goal.id] = encodedGoal(goal)
    texts[#texts + 1] = byID[goal.id]
  end
  local goalsKey = key .. ':goals'
  local flat, same, gone = call('HGETALL', goalsKey), 0, {}
  for index = 1, #flat, 2 do
    local id, text = flat[index], flat[index + 1]
    if byID[id] == text then same = same + 1 end
    if not byID[id] then gone[id] = visibilityOf(text) end
  end
  local count = #flat / 2
  if same == count and same == #texts then return 'unchanged' end
  if mode == 'add' and count > 0 then fail('EXISTS', uid .. ' has other goals already') end
  local version, moment, bytes, beginning = nextChange(key)
  local routines, changed = routinesWithout(key, gone)
  local json = settingsJSON(uid, settingsOf(key), nil, goalsKeyOf(texts), routines)
  commit(key, 'settings', json, '', version, moment, bytes, beginning)
  call('DEL', goalsKey)
  for id, text in pairs(byID) do call('HSET', goalsKey, id, text) end
  if #changed > 0 then call('HSET', key .. ':routines', unpack(changed)) end
  return count > 0 and 'replaced' or 'added'
end

-- How many changes a call asks for which goes through the todos of a goal.
local function checkSweep(id, cursor, given, words)
  checkID(id)
  local most = tonumber(given or SWEEP_MOST)
  if not find(cursor, '^%d+$') or #cursor > 16 or not most or most < 1 or most > SWEEP_MOST or most % 1 ~= 0 then
    fail('USAGE', 'give ' .. words .. ', 0 or what the call before answered first, and how many changes at most, 1 to ' .. SWEEP_MOST)
  end
  return most
end

-- Eight digits that stand for this process. Its cursors count for no other one, as after a failover or a restart.
local process

-- Where a sweep goes on: what HSCAN is asked for, and what makes a place of what it answers.
local function placeOf(given)
  if not process then
    local time = call('TIME')
    process = wholeDigits((time[1] * 1000000 + time[2]) % 90000000 + 10000000)
  end
  return given:sub(1, 8) == process and #given > 8 and given:sub(9) or '0'
end

-- Changes some todos of a goal, each by an ordinary change: those of which `isDue(text)` says so, as `change(todo)` does, which
-- answers whether there must be room for it. Answers what `todomate_spread_goal` does.
local function sweep(key, uid, id, place, most, isDue, change)
  local cursor = placeOf(place)
  local version, lastMicros, bytes, beginning = changeBefore(key)
  local micros, _, seconds = momentAfter(lastMicros)
  local batch, bytesMost = {count = 0, beginning = beginning}, call('HGET', key .. ':profile', 'bytesMost')
  -- Quotes inside JSON strings are escaped, so this text can only be the key.
  local ofGoal = ',"goal":"' .. id .. '"'
  local seen, changed, looked, broken, work = {}, 0, 0, 0, 0

  -- Changes a todo; false where that would take more than there is room for.
  local function store(name, todo, before)
    local was = todo.visibility or 'followers'
    todo.visibility = was
    local needsRoom = change(todo)
    local moment = wholeDigits(micros)
    local after = encoded(name, uid, todo, escaped(todo.content), digits(todo.position), wholeDigits(version + 1), moment,
      todo.createdAt, timestamp(seconds), todo.visibility, todo.reactions)
    local weight = bytes + #after - #before
    if needsRoom then
      if changed > 0 and not pcall(checkBytes, uid, bytes, weight, bytesMost) then return false end
      checkBytes(uid, bytes, weight, bytesMost)
    end
    commit(key, 'modified', after, encodedBefore(todo, todo.status, was), version + 1, moment, weight, batch.beginning, batch)
    call('HSET', todosKey, name, after)
    version, micros, bytes, changed, work = version + 1, micros + 1, weight, changed + 1, work + SWEEP_WEIGHT * #after
    return true
  end

  repeat
    local page = call('HSCAN', todosKey, cursor, 'COUNT', SWEEP_PAGE)
    local brokenHere = 0
    for index = 1, #page[2], 2 do
      local name, text = page[2][index], page[2][index + 1]
      work = work + #text
      if find(text, ofGoal, 1, true) and isDue(text) and not seen[name] then
        seen[name] = true
        local isSound, todo, before = pcall(storedTodo, key, uid, name)
        if not isSound then
          brokenHere = brokenHere + 1
        else
          -- The rest of this page is for the next call, which passes over what was done.
          if changed == most or changed > 0 and work >= SWEEP_WORK or not store(name, todo, before) then
            return {process .. cursor, changed, looked, broken}
          end
        end
      end
    end
    cursor, looked, broken = page[1], looked + #page[2] / 2, broken + brokenHere
  until cursor == '0' or work >= SWEEP_WORK or looked >= SWEEP_LOOKED or changed == most
  return {cursor == '0' and '' or process .. cursor, changed, looked, broken}
end

--[[
  todomate_spread_goal: gives some todos of a goal its visibility, each by an ordinary change. What is done already is not done
  again: calls that break off can be repeated from the first.

  KEYS[1]  todomate:{uid}; writes :todos :log :feed, reads :goals :profile
  args[1]  the goal's id
  args[2]  the visibility that the goal has as far as the caller knows: what is shown to more is never a surprise
  args[3]  0, or what the call before answered first
  args[4]  how many changes at most, up to 100; optional
  answer   what the next call is to be asked for with, empty at the end; how many todos were changed; how many were looked at; how
           many have the goal and cannot be read, which stay as they are
  errors   USAGE, INVALID, CONFLICT where the goal has another visibility, FULL where not even one more can be changed
]]
spreadGoal = function(key, uid, args)
  local id, visibility, cursor = args[1], args[2], args[3]
  checkVisibility(visibility)
  local most = checkSweep(id, cursor, args[4], 'a goal, its visibility')
  local goal = readableGoal(id, goalOf(key, id)) or failUnreadableGoal(key, id)
  local stored = goal.visibility
  if stored ~= visibility then
    fail('CONFLICT', 'todos of this goal are for ' .. stored .. ' now, not for ' .. visibility .. ': look at it again')
  end
  local isDone = ',"visibility":"' .. visibility .. '"'
  return sweep(key, uid, id, cursor, most, function(text) return not find(text, isDone, 1, true) end, function(todo)
    -- What is seen by fewer must not wait for room: it is a letter or two for each todo.
    local opens = OPENNESS[visibility] > OPENNESS[todo.visibility]
    todo.visibility = visibility
    return opens
  end)
end

--[[
  todomate_remove_goal: removes a goal, and takes it from routines and from some todos that have it, each by an ordinary change: they
  stay, and so does who may see them. Calls that break off can be repeated from the first: a goal that is gone is looked for in todos all the same.

  KEYS[1]  todomate:{uid}; writes :goals :routines :todos :log :feed, reads :profile
  args[1]  the goal's id
  args[2]  0, or what the call before answered first
  args[3]  how many changes at most, up to 100; optional
  answer   what todomate_spread_goal does
  errors   USAGE, INVALID
]]
local function removeGoal(key, uid, args)
  local id, cursor = args[1], args[2]
  local most = checkSweep(id, cursor, args[3], 'a goal')
  local goalsKey = key .. ':goals'
  if call('HEXISTS', goalsKey, id) == 1 then
    call('HLEN', todosKey)  -- fails before anything is written when this is no hash
    local version, moment, bytes, beginning = nextChange(key)
    local routines, changed = routinesWithout(key, {[id] = visibilityOf(call('HGET', goalsKey, id))})
    local json = settingsJSON(uid, settingsOf(key), nil, encodedGoals(key, id), routines)
    commit(key, 'settings', json, '', version, moment, bytes, beginning)
    call('HDEL', goalsKey, id)
    if #changed > 0 then call('HSET', key .. ':routines', unpack(changed)) end
  end
  return sweep(key, uid, id, cursor, most, function() return true end, function(todo) todo.goal = nil end)
end

register('todomate_set_goal', ' <json>', 1, 1, {}, setGoal)
register('todomate_restore_goals', ' <add or replace> [<json> ...]', 1, GOALS_MOST + 1, {}, restoreGoals)
register('todomate_spread_goal', ' <goal id> <visibility> <0 or place> [<how many>]', 3, 4, {}, spreadGoal)
register('todomate_remove_goal', ' <goal id> <0 or place> [<how many>]', 2, 3, {}, removeGoal)

end)()
