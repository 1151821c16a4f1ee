-- What users decide about themselves: who may follow them, what new todos are, how they are called, and how days are shown.
--
--   todomate:{uid}:profile  hash  audience, visibility, feedSeen; name, face, language, timeZone and weekStart where they are set

-- In the order in which they are written.
local PREFERENCES = {'name', 'face', 'language', 'timeZone', 'weekStart'}

local function settingsOf(key)
  local values = call('HMGET', key .. ':profile', 'audience', 'visibility', 'feedSeen', unpack(PREFERENCES))
  local seen = values[3]
  -- What was seen while the clock was far ahead would hide all that is new.
  if seen and seen ~= '0' and tonumber(seen) > latestTime() then seen = nil end
  local settings = {
    audience = values[1] or 'followers', visibility = values[2] or 'followers', feedSeen = tonumber(seen or 0),
  }
  for index, field in ipairs(PREFERENCES) do settings[field] = values[3 + index] or '' end
  return settings
end

-- A user's goals as a key of their settings, with the comma before it. Also for goals.lua, which has it.
local encodedGoals

-- Routines as a key of settings, with the comma before it.
local function joinedRoutines(routines)
  if #routines == 0 then return '' end
  table.sort(routines, isBefore)
  return ',"routines":[' .. table.concat(routines, ',') .. ']'
end

-- A user's routines that can be read: others must not hide the account.
local function storedRoutines(uid)
  local routines = {}
  for _, text in ipairs(call('HVALS', 'todomate:{' .. uid .. '}:routines')) do
    if decoded(text) then routines[#routines + 1] = text end
  end
  return routines
end

-- Settings as JSON, with more keys behind them if there are any; `goals` and `routines` where they are others than those stored.
local function settingsJSON(uid, settings, more, goals, routines)
  local preferences = {}
  for _, field in ipairs(PREFERENCES) do
    if settings[field] ~= '' then
      preferences[#preferences + 1] = ',"' .. field .. '":"' .. escaped(settings[field]) .. '"'
    end
  end
  return '{"uid":"' .. uid .. '","audience":"' .. settings.audience .. '","visibility":"' .. settings.visibility
    .. '","feedSeen":' .. digits(settings.feedSeen) .. table.concat(preferences)
    .. (goals or encodedGoals('todomate:{' .. uid .. '}'))
    .. (routines or joinedRoutines(storedRoutines(uid))) .. (more or '') .. '}'
end

-- Also for hiding.lua.
local settings
-- Also for goals.lua.
local checkName
-- Also for operator.lua: what a user's todos weigh, and what they may.
local roomOf

;(function()

local NAME_LENGTH = 40
local LANGUAGES = {en = true, ko = true}
local WEEK_STARTS = {monday = true, saturday = true, sunday = true}

-- What does not show, or turns the direction of what stands around it; but U+200C and U+200D, which letters and emoji need.
local UNSEEN = {
  '%c', '\194[\128-\159]', '\194\173', '\226\128[\139\142\143]', '\226\128[\168-\174]', '\226\129[\160-\175]', '\239\187\191',
  '\216\156',
}

function checkName(name)
  local isSeen = checkText('name', name, NAME_LENGTH) <= NAME_LENGTH and not isBlank(name)
  for _, pattern in ipairs(UNSEEN) do isSeen = isSeen and not name:find(pattern) end
  if not isSeen then
    fail('INVALID', 'name must be one line of at most ' .. NAME_LENGTH .. ' characters, none of them invisible')
  end
end

-- Each fails where its value is none; `face` answers what is stored.
local CHECKS = {
  name = checkName,
  face = function(face) return checkedEmoji('face', face) end,
  language = function(language)
    if not LANGUAGES[language] then fail('INVALID', 'language must be en or ko') end
  end,
  timeZone = function(zone)
    -- Which there are, only the workers know.
    if type(zone) ~= 'string' or #zone > 64 or not find(zone, '^%a[%w_+/-]*$') then
      fail('INVALID', 'timeZone must be the name of a time zone, such as Asia/Seoul')
    end
  end,
  weekStart = function(day)
    if not WEEK_STARTS[day] then fail('INVALID', 'weekStart must be monday, saturday or sunday') end
  end,
}

local function checkSettings(given)
  for field, value in pairs(given) do
    if CHECKS[field] then
      if value ~= '' then given[field] = CHECKS[field](value) or value end
    elseif field ~= 'audience' and field ~= 'visibility' and field ~= 'feedSeen' then
      fail('INVALID', 'settings are audience, visibility, feedSeen, ' .. table.concat(PREFERENCES, ', '))
    end
  end
  if given.audience ~= nil and not VISIBILITIES[given.audience] then
    fail('INVALID', 'audience must be public, followers or private')
  end
  if given.visibility ~= nil then checkVisibility(given.visibility) end
end

--[[
  todomate_settings: changes what a user decides about themselves.

  KEYS[1]  todomate:{uid}; writes :profile :log :feed :events
  args[1]  JSON with any of audience, visibility, feedSeen, and of name, face, language, timeZone and weekStart, of which an
           empty one is taken away
  answer   the `settings` message, or `unchanged`
  errors   INVALID
]]
local function changeSettings(key, uid, args)
  local given = decodedArgument(args[1])
  checkSettings(given)
  local version, moment, bytes, beginning, micros = nextChange(key)
  if given.feedSeen ~= nil then
    local seen = given.feedSeen
    if type(seen) ~= 'number' or not (seen >= 0 and seen < LARGEST_WHOLE) or seen % 1 ~= 0 then
      fail('INVALID', 'feedSeen must be a time in whole microseconds since 1970')
    end
    given.feedSeen = math.min(seen, micros)
  end
  local stored = settingsOf(key)
  local before = stored.audience
  local isChanged = false
  for field, value in pairs(given) do
    -- What was seen stays seen.
    if value ~= stored[field] and (field ~= 'feedSeen' or value > stored.feedSeen) then
      stored[field] = value
      isChanged = true
    end
  end
  local json = settingsJSON(uid, stored)
  if not isChanged then return unchanged('settings', json) end
  -- Only with another audience others may see more, or less.
  local was = before ~= stored.audience and ',"was":{"audience":"' .. before .. '"}' or ''
  local text = commit(key, 'settings', json, was, version, moment, bytes, beginning)
  call('HSET', key .. ':profile', 'audience', stored.audience, 'visibility', stored.visibility,
    'feedSeen', digits(stored.feedSeen))
  if was ~= '' and hasPassword(key) then
    noteEvent(key, 'audience-changed', ',"audience":"' .. stored.audience .. '"')
  end
  for _, field in ipairs(PREFERENCES) do
    if stored[field] ~= '' then
      call('HSET', key .. ':profile', field, stored[field])
    elseif given[field] == '' then
      call('HDEL', key .. ':profile', field)
    end
  end
  return text
end

function roomOf(key, bytesMost)
  local newest = lastEntry()
  -- Anybody may ask, so many todos of an older library are estimated and not weighed.
  local isKnown = newest and newest[2][3] == 'bytes'
  local estimate = not isKnown and call('MEMORY', 'USAGE', todosKey) or 0
  return estimate < CATCH_UP_BYTES and bytesIn(newest) or estimate, limitOf(bytesMost, BYTES_MOST)
end

--[[
  todomate_profile: reads a user's settings and how much the user has.

  KEYS[1]  todomate:{uid}; reads :profile :following :followers :requests :days :log :todos
  answer   {"uid":…,"audience":…,"visibility":…,"feedSeen":…,"following":…,"followers":…,"requests":…,"todos":…,
           "bytes":…,"bytesMost":…}, with name, face, language, timeZone, weekStart, goals and routines behind feedSeen where they are set,
           and at the end role where there is one
]]
local function profile(key, uid)
  local most, role = unpack(call('HMGET', key .. ':profile', 'bytesMost', 'role'))
  local bytes, bytesMost = roomOf(key, most)
  return settingsJSON(uid, settingsOf(key), ',"following":' .. call('HLEN', key .. ':following')
    .. ',"followers":' .. call('ZCARD', key .. ':followers')
    .. ',"requests":' .. call('ZCARD', key .. ':requests')
    .. ',"todos":' .. call('ZCARD', daysKey)
    .. ',"bytes":' .. wholeDigits(bytes) .. ',"bytesMost":' .. wholeDigits(bytesMost)
    .. (role == 'operator' and ',"role":"operator"' or ''))
end

--[[
  todomate_person: reads how a user is called and pictured, as far as a viewer may know: their followers, those whom they
  follow or ask to follow, and everybody where the audience is public, unless they are blocked.

  KEYS[1]  todomate:{uid}; reads :profile :followers :following :blocked
  args[1]  the viewer
  answer   {"uid":…} with name and face where they are set and may be known: one who does not exist looks the same
  errors   INVALID
]]
local function person(key, uid, args)
  local viewer = args[1]
  checkUID(viewer)
  local audience, name, face, leaving = unpack(call('HMGET', key .. ':profile', 'audience', 'name', 'face', 'leaving'))
  local mayKnow = viewer == uid or not leaving and not call('ZSCORE', key .. ':blocked', viewer) and (audience == 'public'
    or call('ZSCORE', key .. ':followers', viewer) or call('HGET', key .. ':following', viewer))
  if not mayKnow then name, face = nil, nil end
  return '{"uid":"' .. uid .. '"' .. (name and ',"name":"' .. escaped(name) .. '"' or '')
    .. (face and ',"face":"' .. escaped(face) .. '"' or '') .. '}'
end

settings = changeSettings
register('todomate_settings', ' <json>', 1, 1, {}, settings)
register('todomate_profile', '', 0, 0, {'no-writes'}, profile)
register('todomate_person', ' <viewer>', 1, 1, {'no-writes'}, person)

end)()
