-- Looks through a user's todos, part by part from the latest day back, for what somebody may see.

;(function()

local SEARCH_TODOS = 1000
local SEARCH_BYTES = 524288       -- more would hold Redis for milliseconds
local SEARCH_BATCH = 32           -- read before it is known how large the todos are
local WORDS_MOST = 32
local FILTERS = {words = true, status = true, goal = true, from = true, to = true, notes = true}

-- The characters beyond ASCII that stand for themselves in every spelling: syllables of Hangul and unified ideographs, letters of
-- Latin-1 (in small ones), the usual dashes and quotation marks, arrows, emoji and what joins them.
local PLAIN = {
  '^[\229-\233\235\236][\128-\191][\128-\191]$', '^\234[\176-\191][\128-\191]$', '^\237[\128-\157][\128-\191]$',
  '^\237\158[\128-\163]$', '^\228[\184-\191][\128-\191]$', '^\195[\128-\191]$',
  '^\226\128[\141\144\146-\150\152-\163]$', '^\226\134[\144-\191]$', '^\226[\135\152-\158][\128-\191]$',
  '^\240\159[\140-\171][\128-\191]$', '^\239\184\143$',
}
local KNOWN_CHARACTERS = 4096    -- of which it is remembered; more than a user's languages have
local known, knownCount = {}, 0

-- Letters of Latin-1 in small ones without their accents, by the second byte of each.
local folded
local ACCENTED = {
  a = {160, 161, 162, 163, 164, 165}, c = {167}, e = {168, 169, 170, 171}, i = {172, 173, 174, 175}, n = {177},
  o = {178, 179, 180, 181, 182}, u = {185, 186, 187, 188}, y = {189, 191},
}

-- Made when first needed, as the load of a library knows no `string`.
local function folds()
  local made = {}
  for last = 128, 158 do
    if last ~= 151 then made[string.char(last)] = '\195' .. string.char(last + 32) end
  end
  for letter, lasts in pairs(ACCENTED) do
    for _, last in ipairs(lasts) do
      made[string.char(last)] = letter
      if last < 191 then made[string.char(last - 32)] = letter end
    end
  end
  return made
end

-- A text in small letters without accents, of ASCII and Latin-1.
local function small(text)
  text = text:lower()
  if find(text, '\195', 1, true) then
    folded = folded or folds()
    text = text:gsub('\195([\128-\191])', folded)
  end
  return text
end

local function isPlainCharacter(character)
  for _, sequence in ipairs(PLAIN) do
    if find(character, sequence) then return true end
  end
  return false
end

-- Whether letters in other cases or spellings than these could be the same.
local function isPlain(text)
  -- Each character is looked up rather than tried, which holds Redis a third as long.
  for character in text:gmatch('[\128-\255][\128-\191]*') do
    local is = known[character]
    if is == nil then
      if knownCount == KNOWN_CHARACTERS then known, knownCount = {}, 0 end
      is = isPlainCharacter(character)
      -- None is longer; what a hand has written may be.
      if #character <= 4 then known[character], knownCount = is, knownCount + 1 end
    end
    if not is then return false end
  end
  return true
end

local function checkWords(words)
  if type(words) ~= 'table' or #words > WORDS_MOST then
    fail('INVALID', 'words must be a list of at most ' .. WORDS_MOST .. ' texts')
  end
  local texts = {}
  for index, word in pairs(words) do
    if type(index) ~= 'number' then fail('INVALID', 'words must be a list of texts') end
    if checkText('a word', word, CONTENT_LENGTH) > CONTENT_LENGTH or word == '' then
      fail('INVALID', 'a word must have 1 to ' .. CONTENT_LENGTH .. ' characters')
    end
    -- Workers of an older version leave accents.
    texts[index] = small(escaped(word))
  end
  return texts
end

-- What is looked for: the words as they stand in JSON, and the days as numbers.
local function checkedSearch(text)
  local given = decoded(text)
  if not given then fail('INVALID', 'what is looked for must be one JSON object') end
  for field in pairs(given) do
    if not FILTERS[field] then
      local name = tostring(field):gsub('[^%w_-]', '?'):sub(1, 40)
      fail('INVALID', "'" .. name .. "' is no filter: use words, status, goal, from and to")
    end
  end
  local wanted = {words = checkWords(given.words or {}), from = '00000000', to = '99999999'}
  if given.status ~= nil then
    checkStatus(given.status)
    wanted.status = '","status":"' .. given.status .. '"'
  end
  if given.goal ~= nil then
    checkGoal(given.goal)
    wanted.goal = given.goal == '' and '' or ',"goal":"' .. given.goal .. '"'
  end
  if given.notes ~= nil and given.notes ~= true then fail('INVALID', 'notes must be true, or left out') end
  wanted.notes = given.notes
  if given.from ~= nil then wanted.from = checkDate(given.from) end
  if given.to ~= nil then wanted.to = checkDate(given.to) end
  if wanted.from > wanted.to then fail('INVALID', 'from must not be later than to') end
  return wanted
end

-- Whether a todo may be one that is looked for. Quotes inside JSON strings are escaped, so these texts can only be keys.
local function isWanted(id, text, wanted)
  -- A note has neither.
  if (wanted.status or wanted.goal) and isNote(id) then return false end
  if wanted.status and not find(text, wanted.status, 1, true) then return false end
  if wanted.goal == '' then
    if find(text, ',"goal":"', 1, true) then return false end
  elseif wanted.goal and not find(text, wanted.goal, 1, true) then
    return false
  end
  if #wanted.words == 0 then return true end
  local _, first = find(text, isNote(id) and ',"detail":"' or ',"content":"', 1, true)
  local last = first and find(text, '","status":"', first, true)
  -- Who asks looks again at what a hand has written otherwise.
  if not last then return true end
  local said = text:sub(first + 1, last - 1)
  local lower = small(said)
  for _, word in ipairs(wanted.words) do
    if not find(lower, word, 1, true) then return not isPlain(said) end
  end
  return true
end

local function notesAmong(ids)
  local notes = {}
  for _, id in ipairs(ids) do
    if isNote(id) then notes[#notes + 1] = id end
  end
  return notes
end

-- How many todos come before those that a part begins with, the latest first.
local function firstRank(place, to)
  if not place then return call('ZCOUNT', daysKey, '(' .. to, '+inf') end
  local day, id = match(place, '^(%d%d%d%d%d%d%d%d)%.([%w_-]+)$')
  if not day or #id > 64 then
    fail('USAGE', 'the place must be what the part before answered first, such as 20261120.1763677123456789-57')
  end
  local score = call('ZSCORE', daysKey, id)
  if score and tonumber(score) == tonumber(day) then return call('ZREVRANK', daysKey, id) + 1 end
  -- It was removed or moved: its day is looked through from the beginning, so that none of the others is missed.
  return call('ZCOUNT', daysKey, '(' .. day, '+inf')
end

--[[
  todomate_search: looks through a part of a user's todos, those of the latest days first, for those that have all words and are as
  the filters say, and that the viewer may see. The words must be in lower case and in Unicode's form NFKC, and so are those
  characters compared here that stand for themselves; a todo with others is answered as well, as it may have the words: whoever
  asks looks again. Accents of Latin-1 letters make no difference.

  KEYS[1]  todomate:{uid}; reads :days :todos :blocked :profile :followers
  args[1]  the viewer
  args[2]  the most that the viewer's own side lets them see: own, followers, public or none
  args[3]  JSON with any of words, a list, and status, goal, which is empty for those without one, from and to, days as 2026-11-20, and
           notes, which true looks for notes of days alone; they have neither a status nor a goal to be found by
  args[4]  what the part before answered first; optional
  answer   what the next part is to be asked for with, empty at the end; how many todos were looked at; then the todos
  errors   USAGE, INVALID
]]
local function search(key, uid, args)
  local viewer, place = args[1], args[4]
  checkUID(viewer)
  local wanted = checkedSearch(args[3])
  local access = limited(accessOf(key, uid, viewer), args[2])
  local rank = firstRank(place, wanted.to)
  local answer = {'', 0}
  if access == 'none' then return answer end
  local stop = call('ZCOUNT', daysKey, wanted.from, '+inf')
  local looked, bytes, batch = 0, 0, SEARCH_BATCH
  while rank < stop do
    local count = math.min(batch, SEARCH_TODOS - looked, stop - rank)
    local ids = call('ZRANGE', daysKey, rank, rank + count - 1, 'REV')
    local read = wanted.notes and notesAmong(ids) or ids
    for index, text in ipairs(read[1] and call('HMGET', todosKey, unpack(read)) or {}) do
      if text then
        bytes = bytes + #text
        if maySee(access, visibilityIn(text)) and isWanted(read[index], text, wanted) then
          answer[#answer + 1] = withoutSeparators(text)
        end
      end
    end
    looked, rank = looked + count, rank + count
    if rank < stop and (looked >= SEARCH_TODOS or bytes >= SEARCH_BYTES) then
      local last = ids[#ids]
      answer[1] = wholeDigits(tonumber(call('ZSCORE', daysKey, last))) .. '.' .. last
      break
    end
    -- As many as are likely to fit, by what those before weighed.
    batch = math.max(1, math.min(SEARCH_TODOS, math.floor((SEARCH_BYTES - bytes) * looked / math.max(bytes, 1))))
  end
  answer[2] = looked
  return answer
end

register('todomate_search', ' <viewer> <most> <json> [<place>]', 3, 4, {'no-writes'}, search)

end)()
