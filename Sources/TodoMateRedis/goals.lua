-- A person's goals: what their todos are for, each with a name, a colour and a visibility of its own.
--
-- They are part of the settings: a change of one is a `settings` message, which has all of them.

;(function()

local GOALS_MOST = 100
local SPREAD_MOST = 100
local SPREAD_PAGE = '200'
local COLORS = {
  red = true, orange = true, yellow = true, green = true, teal = true, blue = true, indigo = true, purple = true, pink = true,
  gray = true,
}
local GOAL_FIELDS = {id = true, name = true, color = true, position = true, visibility = true, archived = true}

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

--[[
  todomate_set_goal: makes a goal, or changes some of its fields. Todos that have it already keep their visibility.

  KEYS[1]  todomate:{uid}; writes :goals :log :feed, reads :profile
  args[1]  JSON with id, and any of name, color, position, visibility and archived; a new one needs a name
  answer   the `settings` message, which has all goals, or `unchanged`
  errors   INVALID, FULL
]]
local function setGoal(key, uid, args)
  local given = decodedArgument(args[1])
  checkGoalFields(given)
  local goalsKey, settings = key .. ':goals', settingsOf(key)
  local text = call('HGET', goalsKey, given.id)
  local goal = text and decoded(text)
  if text and not goal then fail('CORRUPT', 'the goal ' .. given.id .. ' was edited by hand: HDEL ' .. goalsKey .. ' ' .. given.id) end
  local version, moment, bytes, beginning = nextChange(key)
  if not goal then
    if given.name == nil then fail('INVALID', 'a new goal needs a name') end
    if call('HLEN', goalsKey) >= GOALS_MOST then
      fail('FULL', uid .. ' has ' .. GOALS_MOST .. ' goals already: give one of them another name')
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

--[[
  todomate_spread_goal: gives some todos of a goal its visibility, each by an ordinary change. What is done already is not done
  again: calls that break off can be repeated from the first.

  KEYS[1]  todomate:{uid}; writes :todos :log :feed, reads :goals :profile
  args[1]  the goal's id
  args[2]  0, or what the call before answered first
  args[3]  how many changes at most, up to 100; optional
  answer   what the next call is to be asked for with, empty at the end; how many todos were changed; how many were looked at
  errors   USAGE, INVALID, FULL
]]
local function spreadGoal(key, uid, args)
  local id, cursor, most = args[1], args[2], tonumber(args[3] or SPREAD_MOST)
  checkID(id)
  if not find(cursor, '^%d+$') or #cursor > 20 or not most or most < 1 or most > SPREAD_MOST or most % 1 ~= 0 then
    fail('USAGE', 'give a goal, 0 or what the call before answered first, and how many changes at most, 1 to ' .. SPREAD_MOST)
  end
  local visibility = match(goalOf(key, id), ',"visibility":"(%a+)"')
  local page = call('HSCAN', todosKey, cursor, 'COUNT', SPREAD_PAGE)
  local version, lastMicros, bytes, beginning = changeBefore(key)
  local micros, _, seconds = momentAfter(lastMicros)
  local batch, bytesMost = {count = 0, beginning = beginning}, call('HGET', key .. ':profile', 'bytesMost')
  -- Quotes inside JSON strings are escaped, so these texts can only be keys.
  local ofGoal, isDone = ',"goal":"' .. id .. '"', ',"visibility":"' .. visibility .. '"'
  local seen, changed = {}, 0
  for index = 1, #page[2], 2 do
    local name, text = page[2][index], page[2][index + 1]
    if find(text, ofGoal, 1, true) and not find(text, isDone, 1, true) and not seen[name] then
      -- The rest of this page is for the next call, which passes over what was done.
      if changed == most then return {cursor, changed, 0} end
      seen[name] = true
      local todo, before = storedTodo(key, uid, name)
      local visibilityBefore = todo.visibility or 'followers'
      todo.visibility = visibility
      local moment = wholeDigits(micros)
      local after = encoded(name, uid, todo, escaped(todo.content), digits(todo.position), wholeDigits(version + 1), moment,
        todo.createdAt, timestamp(seconds), visibility, todo.reactions)
      checkBytes(uid, bytes, bytes + #after - #before, bytesMost)
      bytes = bytes + #after - #before
      local was = encodedBefore(todo, todo.status, visibilityBefore)
      commit(key, 'modified', after, was, version + 1, moment, bytes, batch.beginning, batch)
      call('HSET', todosKey, name, after)
      version, micros, changed = version + 1, micros + 1, changed + 1
    end
  end
  return {page[1] == '0' and '' or page[1], changed, #page[2] / 2}
end

register('todomate_set_goal', ' <json>', 1, 1, {}, setGoal)
register('todomate_spread_goal', ' <goal id> <0 or place> [<how many>]', 2, 3, {}, spreadGoal)

end)()
